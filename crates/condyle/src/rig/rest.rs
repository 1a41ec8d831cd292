//! The pose of the skeleton at rest.

use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use super::RestPose;
use crate::anatomy::{Anatomy, AxesFrom, root_from_rest};
use crate::marker_set::Side;
use crate::solve::SolvedMotion;
use crate::subject::Subject;
use crate::trial::Axis;
use crate::trial::edit::Turn;

const ARM: [&str; 3] = ["upper arm", "forearm", "hand"];

/// The orientation of every segment at rest, in a world with y up.
pub(super) fn pose(
    subject: &Subject,
    anatomy: &Anatomy,
    solved: &SolvedMotion,
    turn: &Turn,
) -> (RestPose, Vec<UnitQuaternion<f64>>) {
    if !anatomy.is_person() {
        return (RestPose::Mean, mean(subject, solved, turn));
    }
    // Forward is z, up is y, right is -x.
    let facing = Matrix3::from_columns(&[Vector3::z(), Vector3::y(), -Vector3::x()]);
    let facing = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(facing));
    let mut rest: Vec<UnitQuaternion<f64>> = Vec::with_capacity(subject.segments.len());
    for index in 0..subject.segments.len() {
        let by_axes = anatomy.axes[index].map(|axes| {
            let raised = anatomy.parts[index].filter(|part| ARM.contains(&part.name));
            let quarter_turns = match raised.map(|part| part.side) {
                Some(Side::Left) => 1.0,
                Some(Side::Right) => -1.0,
                _ => 0.0,
            };
            let raised = Vector3::z() * (quarter_turns * std::f64::consts::FRAC_PI_2);
            UnitQuaternion::from_scaled_axis(raised) * facing * axes.segment_from_axes.inverse()
        });
        let joint = subject.joint_of(index);
        let by_parent = || joint.map(|joint| rest[joint.parent] * joint.parent_from_child_rest);
        let own = by_axes.or_else(by_parent).unwrap_or_else(UnitQuaternion::identity);
        rest.push(own);
    }
    (RestPose::T, rest)
}

/// The mean pose, every root as it is when it is first seen.
fn mean(subject: &Subject, solved: &SolvedMotion, turn: &Turn) -> Vec<UnitQuaternion<f64>> {
    let root_from = root_from_rest(subject);
    let mut roots: Vec<usize> = Vec::with_capacity(root_from.len());
    for index in 0..root_from.len() {
        let above = subject.joint_of(index).and_then(|joint| roots.get(joint.parent).copied());
        roots.push(above.unwrap_or(index));
    }
    let first = |root: usize| {
        let seen = solved.segments().get(root).and_then(|track| track.iter().flatten().next());
        seen.map_or_else(UnitQuaternion::identity, |pose| turn.quaternion() * pose.rotation)
    };
    roots.iter().zip(&root_from).map(|(root, root_from)| first(*root) * root_from).collect()
}

/// From a segment's joint to its end, in its own frame: towards the middle of its markers, as far as the farthest.
pub(super) fn end_m(
    subject: &Subject,
    segment: usize,
    anchor_m: &Point3<f64>,
) -> Option<Vector3<f64>> {
    let markers = &subject.segments[segment].markers;
    let arms = || markers.iter().map(|marker| marker.position_in_segment_m - anchor_m);
    let direction = arms().sum::<Vector3<f64>>().try_normalize(1e-6)?;
    let length_m = arms().map(|arm| arm.dot(&direction)).fold(0.0, f64::max);
    (length_m > 1e-3).then(|| direction * length_m)
}

/// The axis that the trunk points up along, on average, if there is one whose axes are known.
pub(super) fn up_by_trunk(anatomy: &Anatomy, solved: &SolvedMotion) -> Option<Axis> {
    let trunk = (0..anatomy.parts.len()).find_map(|index| {
        let is_trunk =
            anatomy.parts[index].is_some_and(|p| p.name == "pelvis" || p.name == "chest");
        let axes = anatomy.axes[index].filter(|axes| axes.from != AxesFrom::MeanPose)?;
        is_trunk.then(|| (index, axes.segment_from_axes * Vector3::y()))
    });
    let (index, up_in_segment) = trunk?;
    let ups = solved.segments().get(index)?.iter().flatten();
    let mean: Vector3<f64> = ups.map(|pose| pose.rotation * up_in_segment).sum();
    let axes = [Axis::X, Axis::Y, Axis::Z, Axis::NegativeX, Axis::NegativeY, Axis::NegativeZ];
    let along = |axis: &Axis| axis.direction().dot(&mean);
    axes.into_iter().max_by(|a, b| along(a).total_cmp(&along(b)))
}
