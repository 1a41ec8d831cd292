//! What a column of an OpenSim table measures, told by its name.

/// What a column measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// An angle, or its speed: stored in degrees where the table says so.
    Angle,
    /// The speed of an angle.
    AngleSpeed,
    /// A translation, in metres.
    Length,
    /// Something else, in units the file does not state.
    Other,
}

/// Parts of names that no coordinate has.
const NOT_COORDINATES: &str =
    "force torque moment activation fiber fibre tendon muscle emg grf power excitation";

/// Ends of names of force plates' forces, points and moments, and of point coordinates.
const POINT_ENDS: &str = "_vx _vy _vz _px _py _pz _fx _fy _fz _mx _my _mz _x _y _z";

/// The quantity by OpenSim's naming habits: `pelvis_tx`, `/jointset/hip_r/hip_flexion_r/value`.
pub(super) fn quantity(label: &str) -> Quantity {
    let name = label.to_ascii_lowercase();
    let (name, is_speed) = match name.strip_suffix("/speed").or_else(|| name.strip_suffix("_u")) {
        Some(name) => (name, true),
        None => (name.strip_suffix("/value").unwrap_or(&name), false),
    };
    if ["_tx", "_ty", "_tz"].iter().any(|end| name.ends_with(end)) {
        return if is_speed { Quantity::Other } else { Quantity::Length };
    }
    let is_other = NOT_COORDINATES.split_whitespace().any(|part| name.contains(part))
        || POINT_ENDS.split_whitespace().any(|end| name.ends_with(end));
    match (is_other, is_speed) {
        (true, _) => Quantity::Other,
        (false, true) => Quantity::AngleSpeed,
        (false, false) => Quantity::Angle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_angles_from_lengths_and_forces() {
        for (label, wanted) in [
            ("hip_flexion_r", Quantity::Angle),
            ("pelvis_tilt", Quantity::Angle),
            ("pelvis_ty", Quantity::Length),
            ("/jointset/ground_pelvis/pelvis_tx/value", Quantity::Length),
            ("/jointset/hip_r/hip_flexion_r/speed", Quantity::AngleSpeed),
            ("ground_force_vy", Quantity::Other),
            ("1_ground_torque_x", Quantity::Other),
            ("/forceset/soleus_r/activation", Quantity::Other),
        ] {
            assert_eq!(quantity(label), wanted, "{label}");
        }
    }
}
