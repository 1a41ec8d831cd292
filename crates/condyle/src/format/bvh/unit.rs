//! Guessing the unit of length of a file that states none, from the size of the skeleton.

use std::ops::RangeInclusive;

use crate::skeleton::Skeleton;
use crate::trial::LengthUnit;

/// The height of a standing person in each unit that BVH files come in.
const PERSON: [(RangeInclusive<f64>, LengthUnit); 4] = [
    (1.4..=2.2, LengthUnit::Metre),
    (140.0..=220.0, LengthUnit::Centimetre),
    (55.0..=90.0, LengthUnit::Inch),
    (1400.0..=2200.0, LengthUnit::Millimetre),
];

/// Below this size only metres make a rig: three centimetres would be an insect.
const SMALLEST_IN_CENTIMETRES: f64 = 3.0;

/// Above this size only millimetres make a rig: ten metres would be a house.
const LARGEST_IN_CENTIMETRES: f64 = 1000.0;

/// The unit that makes the skeleton the size of a person, and the size in file units.
///
/// The size is the largest extent of the joints at rest along any axis: the height of a standing
/// figure, or its arm span in a T-pose, whichever way is up.
pub(super) fn guess(skeleton_in_file_units: &Skeleton) -> (LengthUnit, f64) {
    let mut lowest = [f64::INFINITY; 3];
    let mut highest = [f64::NEG_INFINITY; 3];
    for position in skeleton_in_file_units.rest_positions_m() {
        for axis in 0..3 {
            lowest[axis] = lowest[axis].min(position[axis]);
            highest[axis] = highest[axis].max(position[axis]);
        }
    }
    let size = (0..3).map(|axis| highest[axis] - lowest[axis]).fold(0.0, f64::max);
    let person = PERSON.iter().find(|(range, _)| range.contains(&size)).map(|&(_, unit)| unit);
    let unit = person.unwrap_or(if size > 0.0 && size < SMALLEST_IN_CENTIMETRES {
        LengthUnit::Metre
    } else if size > LARGEST_IN_CENTIMETRES {
        LengthUnit::Millimetre
    } else {
        LengthUnit::Centimetre
    });
    (unit, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;
    use nalgebra::Vector3;

    #[test]
    fn a_person_is_the_measure() {
        for (height, unit) in [
            (1.75, LengthUnit::Metre),
            (0.2, LengthUnit::Metre),
            (175.0, LengthUnit::Centimetre),
            (30.0, LengthUnit::Centimetre),
            (69.0, LengthUnit::Inch),
            (1750.0, LengthUnit::Millimetre),
            (0.0, LengthUnit::Centimetre),
        ] {
            let root = Joint::new("a", None, Vector3::new(5.0, 0.0, 0.0));
            let head = Joint::new("b", Some(0), Vector3::new(0.0, 0.0, -height));
            let skeleton = Skeleton::new(vec![root, head]).unwrap();
            assert_eq!(guess(&skeleton), (unit, height));
        }
    }
}
