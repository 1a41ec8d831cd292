//! The unit of length that a trial is written in.

use super::force_plates::map_force_plates;
use crate::trial::{LengthUnit, Parameter, Trial};

/// The trial, to be written in another unit of length.
///
/// Positions are metres inside and stay as they are; what changes is the unit that a format with a
/// choice of units writes. Points that a C3D file lists as angles, forces, moments, powers or
/// scalars are no lengths: the numbers in the file stay the same.
pub fn with_unit(mut trial: Trial, unit: LengthUnit) -> Trial {
    let old = trial.source.unit;
    if old == unit {
        return trial;
    }
    let new_per_old = old.metres() / unit.metres();
    trial.source.unit = unit;
    trial.source.declared_unit = Some(unit.symbol().to_owned());
    if let Some(storage) = &mut trial.source.c3d {
        storage.scale *= new_per_old as f32;
    }
    // ORIGIN and CORNERS are in the unit of the points.
    for name in ["CORNERS", "ORIGIN"] {
        map_force_plates(&mut trial.parameters, name, |v| v * new_per_old);
    }
    let points = trial.parameters.iter_mut().filter(|g| g.name.eq_ignore_ascii_case("POINT"));
    for parameter in points.flat_map(|group| &mut group.parameters) {
        if parameter.name.eq_ignore_ascii_case("UNITS") {
            let text = Parameter::strings(&parameter.name, &[unit.symbol()]);
            (parameter.dimensions, parameter.data) = (text.dimensions, text.data);
        }
    }
    let old_per_new = 1.0 / new_per_old;
    let is_position = trial.is_position();
    for (marker, _) in trial.markers.iter_mut().zip(is_position).filter(|(_, is)| !is) {
        marker.map_positions(|p| p * old_per_new);
    }
    trial
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Group, Marker, ParameterData};
    use nalgebra::Point3;

    fn trial() -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 1;
        trial.source.unit = LengthUnit::Millimetre;
        let at = Some(Point3::new(0.03, 0.0, 0.0));
        trial.markers = vec![
            Marker::from_positions("A", [at]),
            Marker::from_positions("JOE:LKneeAngles", [at]),
        ];
        let corners = ParameterData::Real(vec![500.0, 0.0, 250.0]);
        trial.parameters = vec![
            Group {
                name: "POINT".into(),
                parameters: vec![
                    Parameter::strings("UNITS", &["mm"]),
                    Parameter::strings("ANGLES", &["LKneeAngles"]),
                ],
                ..Group::default()
            },
            Group {
                name: "FORCE_PLATFORM".into(),
                parameters: vec![Parameter::with("CORNERS", vec![3, 1, 1], corners)],
                ..Group::default()
            },
        ];
        trial
    }

    #[test]
    fn keeps_metres_but_not_the_numbers_of_the_force_plates() {
        let metres = with_unit(trial(), LengthUnit::Metre);
        assert_eq!(metres.markers[0], trial().markers[0]);
        let corners = &metres.parameters[1].parameters[0];
        assert_eq!(corners.to_numbers(), [0.5, 0.0, 0.25]);
        assert_eq!(metres.parameters[0].parameters[0].to_strings(), ["m"]);
    }

    #[test]
    fn leaves_the_stored_numbers_of_angles_alone() {
        let metres = with_unit(trial(), LengthUnit::Metre);
        let stored = metres.markers[1].position_m(0).unwrap().x / metres.source.unit.metres();
        assert!((stored - 30.0).abs() < 1e-12, "{stored}");
    }

    #[test]
    fn the_same_unit_changes_nothing() {
        assert_eq!(with_unit(trial(), LengthUnit::Millimetre), trial());
    }
}
