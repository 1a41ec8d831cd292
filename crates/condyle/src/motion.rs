//! The motion of a skeleton: channel values per frame, and forward kinematics.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use crate::error::{Error, Result};
use crate::skeleton::{Joint, JointChannel, Skeleton};

/// The largest value of a channel, in metres or radians: far from where squares overflow.
const MAX_CHANNEL_VALUE: f64 = 1e12;

fn is_channel_value(value: f64) -> bool {
    value.abs() <= MAX_CHANNEL_VALUE
}

/// A skeleton and the values of its channels in every frame.
///
/// # Method
/// For a joint with the axes `C = joint_from_axes` and the channel values of a frame,
///
/// ```text
/// parent_from_joint = T(p) * C * R1 * R2 * ... * Rn * C⁻¹
/// world_from_joint  = world_from_parent * parent_from_joint
/// ```
///
/// where `p` is the joint's offset with the coordinate along each translation channel's axis
/// replaced by that channel's value, and `R1 ... Rn` are the rotation channels in their order (so
/// the last one turns first when seen from outside). Translations act before rotations wherever
/// they stand among the channels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    skeleton: Skeleton,
    frames: usize,
    values: Vec<f64>,
}

impl Motion {
    /// A motion from channel values in metres and radians, frame by frame, in joint and channel
    /// order.
    ///
    /// # Errors
    /// The number of values is not frames times channels, or a value is not finite or absurdly large.
    pub fn new(skeleton: Skeleton, frames: usize, values: Vec<f64>) -> Result<Self> {
        let channels = skeleton.channel_count();
        if frames.checked_mul(channels) != Some(values.len()) {
            return Err(Error::argument(format!(
                "channel values: need {frames} frames of {channels}, got {}",
                values.len()
            )));
        }
        if let Some(at) = values.iter().position(|value| !is_channel_value(*value)) {
            return Err(Error::argument(format!(
                "channel values: need finite numbers of at most {MAX_CHANNEL_VALUE:e}, got {} in frame {}",
                values[at],
                at / channels
            )));
        }
        Ok(Self { skeleton, frames, values })
    }

    /// The joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// All channel values in metres and radians, frame by frame, in joint and channel order.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The channel values of one frame; `None` if there is no such frame.
    pub fn frame_values(&self, frame: usize) -> Option<&[f64]> {
        if frame >= self.frames {
            return None;
        }
        let channels = self.skeleton.channel_count();
        self.values.get(frame * channels..(frame + 1) * channels)
    }

    /// Writes the pose of every joint in a frame into `world_from_joints`, without allocating.
    ///
    /// # Errors
    /// There is no such frame, or the slice is not as long as the skeleton has joints.
    pub fn world_from_joints(
        &self,
        frame: usize,
        world_from_joints: &mut [Isometry3<f64>],
    ) -> Result<()> {
        let joints = self.skeleton.joints();
        if world_from_joints.len() != joints.len() {
            return Err(Error::argument(format!(
                "poses: need room for {} joints, got {}",
                joints.len(),
                world_from_joints.len()
            )));
        }
        let mut values = self.frame_values(frame).ok_or_else(|| {
            Error::argument(format!(
                "frame: need one of {}, counted from 0, got {frame}",
                self.frames
            ))
        })?;
        for (index, joint) in joints.iter().enumerate() {
            let (own, rest) = values.split_at(joint.channels.len());
            values = rest;
            let parent_from_joint = parent_from_joint(joint, own);
            world_from_joints[index] = match joint.parent {
                Some(parent) => world_from_joints[parent] * parent_from_joint,
                None => parent_from_joint,
            };
        }
        Ok(())
    }

    /// Where all joints are in a frame, or at rest where none is said.
    ///
    /// # Errors
    /// There is no such frame.
    pub fn poses(&self, frame: Option<usize>) -> Result<Vec<Isometry3<f64>>> {
        let rest_m = self.skeleton.rest_positions_m();
        let mut poses: Vec<Isometry3<f64>> =
            rest_m.iter().map(|p| Isometry3::translation(p.x, p.y, p.z)).collect();
        if let Some(frame) = frame {
            self.world_from_joints(frame, &mut poses)?;
        }
        Ok(poses)
    }

    /// The position of every joint in a frame, in metres.
    ///
    /// # Errors
    /// There is no such frame.
    pub fn joint_positions_m(&self, frame: usize) -> Result<Vec<Point3<f64>>> {
        let mut poses = vec![Isometry3::identity(); self.skeleton.joints().len()];
        self.world_from_joints(frame, &mut poses)?;
        Ok(poses.iter().map(|pose| Point3::from(pose.translation.vector)).collect())
    }
}

/// The pose of a joint in its parent's frame, from its own channel values in metres and radians.
///
/// Channels beyond the values are at rest.
pub fn parent_from_joint(joint: &Joint, values: &[f64]) -> Isometry3<f64> {
    let mut position_m = joint.offset_in_parent_m;
    let mut turned = UnitQuaternion::identity();
    for (channel, &value) in joint.channels.iter().zip(values) {
        match *channel {
            JointChannel::Translation(axis) => position_m[usize::from(axis.min(2))] = value,
            JointChannel::Rotation(axis) => turned *= about(axis, value),
        }
    }
    if joint.joint_from_axes != UnitQuaternion::identity() {
        turned = joint.joint_from_axes * turned * joint.joint_from_axes.inverse();
    }
    Isometry3::from_parts(Translation3::from(position_m), turned)
}

/// The rotation about an axis (0, 1, 2 for x, y, z) by an angle.
pub(crate) fn about(axis: u8, angle_rad: f64) -> UnitQuaternion<f64> {
    let axis = match axis {
        0 => Vector3::x_axis(),
        1 => Vector3::y_axis(),
        _ => Vector3::z_axis(),
    };
    UnitQuaternion::from_axis_angle(&axis, angle_rad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn two_joints() -> Skeleton {
        let mut root = Joint::new("root", None, Vector3::new(9.0, 8.0, 7.0));
        root.channels = vec![
            JointChannel::Translation(1),
            JointChannel::Rotation(2),
            JointChannel::Rotation(0),
        ];
        Skeleton::new(vec![root, Joint::new("end", Some(0), Vector3::new(0.0, 1.0, 0.0))]).unwrap()
    }

    fn near(a: Point3<f64>, b: [f64; 3]) -> bool {
        (a - Point3::from(b)).norm() < 1e-12
    }

    #[test]
    fn a_translation_replaces_the_offset_along_its_axis_only() {
        let motion = Motion::new(two_joints(), 1, vec![2.0, 0.0, 0.0]).unwrap();
        let positions = motion.joint_positions_m(0).unwrap();
        assert!(near(positions[0], [9.0, 2.0, 7.0]), "{positions:?}");
    }

    #[test]
    fn the_last_rotation_turns_the_child_first() {
        // About x: y becomes z; about z afterwards: z stays.
        let motion = Motion::new(two_joints(), 1, vec![0.0, FRAC_PI_2, FRAC_PI_2]).unwrap();
        let positions = motion.joint_positions_m(0).unwrap();
        assert!(near(positions[1], [9.0, 0.0, 8.0]), "{positions:?}");
    }

    #[test]
    fn turns_in_the_joints_own_axes() {
        let mut joint = Joint::new("a", None, Vector3::zeros());
        joint.joint_from_axes = about(1, FRAC_PI_2);
        joint.channels = vec![JointChannel::Rotation(2)];
        // The joint's z axis lies along the world's x.
        let pose = parent_from_joint(&joint, &[FRAC_PI_2]);
        assert!(near(pose * Point3::new(0.0, 1.0, 0.0), [0.0, 0.0, 1.0]), "{pose}");
    }

    #[test]
    fn refuses_frames_and_slices_that_are_not_there() {
        let motion = Motion::new(two_joints(), 1, vec![0.0; 3]).unwrap();
        assert!(motion.joint_positions_m(1).is_err());
        assert!(motion.world_from_joints(0, &mut []).is_err());
        assert!(Motion::new(two_joints(), 2, vec![0.0; 3]).is_err());
        assert!(Motion::new(two_joints(), 1, vec![0.0, f64::NAN, 0.0]).is_err());
        assert!(Motion::new(two_joints(), usize::MAX, vec![]).is_err());
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_joints_does_not_recurse() {
        let joints = (0..100_000_usize)
            .map(|i| Joint::new("", i.checked_sub(1), Vector3::new(0.0, 1.0, 0.0)))
            .collect();
        let motion = Motion::new(Skeleton::new(joints).unwrap(), 1, Vec::new()).unwrap();
        assert_eq!(motion.joint_positions_m(0).unwrap()[99_999].y, 100_000.0);
    }
}
