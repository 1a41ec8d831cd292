//! The force plates of a C3D file, which live in the laboratory's frame and unit.

use nalgebra::Vector3;

use crate::trial::{Group, ParameterData};

/// Maps every 3-vector of a float parameter `FORCE_PLATFORM:name`, if there is one.
pub(super) fn map_force_plates(
    groups: &mut [Group],
    name: &str,
    map: impl Fn(Vector3<f64>) -> Vector3<f64>,
) {
    let plates = groups.iter_mut().filter(|g| g.name.eq_ignore_ascii_case("FORCE_PLATFORM"));
    let wanted = plates
        .flat_map(|group| &mut group.parameters)
        .filter(|parameter| parameter.name.eq_ignore_ascii_case(name));
    for parameter in wanted {
        let ParameterData::Real(values) = &mut parameter.data else { continue };
        for triple in values.chunks_exact_mut(3) {
            let mapped = map(Vector3::new(triple[0], triple[1], triple[2]).map(f64::from));
            triple.copy_from_slice(mapped.map(|v| v as f32).as_slice());
        }
    }
}
