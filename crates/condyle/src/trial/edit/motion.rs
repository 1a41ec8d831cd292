//! A solved skeleton, cut to some frames or turned with the world.

use std::ops::Range;

use nalgebra::Vector3;

use super::Turn;
use crate::error::Result;
use crate::motion::Motion;
use crate::skeleton::{JointChannel, Skeleton};

/// The motion in a range of frames within its own.
pub(super) fn cut(motion: &Motion, range: &Range<usize>) -> Result<Motion> {
    let channels = motion.skeleton().channel_count();
    let end = range.end.min(motion.frames());
    let start = range.start.min(end);
    let values = motion.values()[start * channels..end * channels].to_vec();
    Motion::new(motion.skeleton().clone(), end - start, values)
}

/// The motion in a world that has been turned.
///
/// # Method
/// Every joint's frame turns with the world, `turned_from_joint = Q world_from_joint Q⁻¹`, so a
/// channel about or along an axis becomes the same channel about or along the turned axis, its
/// value negated where the turned axis points backwards. No angle has to be solved for.
pub(super) fn turned(motion: &Motion, turn: &Turn) -> Result<Motion> {
    let q = turn.quaternion();
    let mut joints = motion.skeleton().joints().to_vec();
    let mut signs = Vec::new();
    for joint in &mut joints {
        joint.offset_in_parent_m = turn.vector(joint.offset_in_parent_m);
        joint.joint_from_axes = q * joint.joint_from_axes * q.inverse();
        for channel in &mut joint.channels {
            let sign;
            (*channel, sign) = turned_channel(*channel, turn);
            signs.push(sign);
        }
    }
    let turn_value = |(value, sign): (&f64, &f64)| value * sign;
    let values = motion.values().iter().zip(signs.iter().cycle()).map(turn_value).collect();
    Motion::new(Skeleton::new(joints)?, motion.frames(), values)
}

fn turned_channel(channel: JointChannel, turn: &Turn) -> (JointChannel, f64) {
    let (JointChannel::Translation(axis) | JointChannel::Rotation(axis)) = channel;
    let direction = turn.vector(Vector3::ith(usize::from(axis.min(2)), 1.0));
    let new_axis = direction.iamax() as u8;
    let channel = match channel {
        JointChannel::Translation(_) => JointChannel::Translation(new_axis),
        JointChannel::Rotation(_) => JointChannel::Rotation(new_axis),
    };
    (channel, direction.sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;
    use crate::trial::Axis;
    use nalgebra::UnitQuaternion;
    use proptest::prelude::*;

    fn motion(values: Vec<f64>, axes_rad: f64) -> Motion {
        let mut root = Joint::new("root", None, Vector3::new(0.1, 0.2, 0.9));
        root.channels = vec![
            JointChannel::Translation(0),
            JointChannel::Translation(2),
            JointChannel::Rotation(2),
            JointChannel::Rotation(0),
            JointChannel::Rotation(1),
        ];
        let mut knee = Joint::new("knee", Some(0), Vector3::new(0.05, 0.3, -0.4));
        knee.joint_from_axes = UnitQuaternion::from_euler_angles(axes_rad, 0.3, -axes_rad);
        knee.channels = vec![JointChannel::Rotation(0)];
        let end = Joint::new("end", Some(1), Vector3::new(0.0, 0.1, -0.4));
        Motion::new(Skeleton::new(vec![root, knee, end]).unwrap(), values.len() / 6, values)
            .unwrap()
    }

    proptest! {
        #[test]
        fn the_joints_turn_with_the_world(
            values in prop::collection::vec(-3.0..3.0f64, 12),
            axes_rad in -1.0..1.0f64,
            up in prop::sample::select(vec![Axis::X, Axis::Y, Axis::NegativeY, Axis::NegativeZ]),
        ) {
            let before = motion(values, axes_rad);
            let turn = Turn::between(Axis::Z, up);
            let after = turned(&before, &turn).unwrap();
            for frame in 0..2 {
                let positions = before.joint_positions_m(frame).unwrap().into_iter();
                for (p, q) in positions.zip(after.joint_positions_m(frame).unwrap()) {
                    prop_assert!((turn.point(p) - q).norm() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_cut_keeps_the_frames_asked_for() {
        let whole = motion((0..18).map(f64::from).collect(), 0.0);
        assert_eq!(cut(&whole, &(1..3)).unwrap().values(), &whole.values()[6..]);
    }
}
