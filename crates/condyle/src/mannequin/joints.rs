//! The freedoms of a joint.

use std::f64::consts::PI;

use nalgebra::{Isometry3, Unit, Vector3};

use crate::figure::{Freedom, FreedomKind, Joint};
use crate::subject::{JointKind, Subject};

/// A root goes so far, in metres.
const FAR_M: f64 = 1e3;
/// So much is left beside what was recorded, in radians: about 5 degrees.
const SPARE_RAD: f64 = 0.09;

/// The joint of a segment: of the root six freedoms, of a hinge one, of a ball three; what did not move has none. A
/// joint may turn from its mean pose as far either way as it turned in all, and a little more.
pub(super) fn joint(subject: &Subject, at: usize, figure_from: &[Isometry3<f64>]) -> Joint {
    let Some(own) = subject.joint_of(at) else {
        let freedom = |kind, axis: usize, most: f64| Freedom {
            kind,
            axis: Unit::new_unchecked(Vector3::ith(axis, 1.0)),
            limits: [-most, most],
            value: 0.0,
        };
        // About z first: so it may turn round without end.
        let turns = [(2, 100.0 * PI), (1, 100.0 * PI), (0, 100.0 * PI)];
        let turns = turns.map(|(axis, most)| freedom(FreedomKind::Rotation, axis, most));
        let slides = [0, 1, 2].map(|axis| freedom(FreedomKind::Translation, axis, FAR_M));
        return Joint {
            name: "root".to_owned(),
            centre_m: figure_from[at].translation.vector.into(),
            freedoms: turns.into_iter().chain(slides).collect(),
        };
    };
    let parent = figure_from[own.parent];
    let first = own.axis_in_parent.and_then(|axis| Unit::try_new(parent * axis, 1e-9));
    let first = first.unwrap_or_else(|| parent * Vector3::z_axis());
    let across = Vector3::ith(first.iamin(), 1.0);
    let second = Unit::new_normalize(first.cross(&across));
    let third = Unit::new_normalize(first.cross(&second));
    let turn = |axis, range_rad: f64| Freedom {
        kind: FreedomKind::Rotation,
        axis,
        limits: [-(range_rad + SPARE_RAD).min(PI), (range_rad + SPARE_RAD).min(PI)],
        value: 0.0,
    };
    let [widest, ..] = own.ranges_rad;
    let freedoms = match own.kind {
        JointKind::Fixed => Vec::new(),
        JointKind::Hinge => vec![turn(first, own.range_rad.max(widest))],
        JointKind::Ball => [first, second, third].map(|axis| turn(axis, widest)).into(),
    };
    Joint { name: own.name.clone(), centre_m: parent * own.centre_in_parent_m, freedoms }
}
