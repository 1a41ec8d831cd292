//! The skeleton: joints in a tree, parents before children.

use std::ops::Range;

use nalgebra::{UnitQuaternion, Vector3};

use crate::error::{Error, Result};

/// The largest offset: far from where squares overflow.
const MAX_OFFSET_M: f64 = 1e12;

/// A tree of joints in rest pose, or several trees.
///
/// Joints are stored parents before children, so that one loop walks the tree and nothing recurses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// For every joint the index of its first channel, and one entry more: the number of channels.
    first_channel: Vec<usize>,
}

/// A joint and the segment that follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The name as the file spells it; `<parent>_End` for an end site without a name.
    pub name: String,
    /// The index of the parent, always smaller than the joint's own; `None` for a root.
    pub parent: Option<usize>,
    /// The joint's position in its parent's frame at rest, in metres; in the world for a root.
    pub offset_in_parent_m: Vector3<f64>,
    /// The axes in which the rotation channels turn, seen from the joint's frame.
    ///
    /// The identity for BVH; Acclaim gives every bone its own axes.
    pub joint_from_axes: UnitQuaternion<f64>,
    /// What moves, in the order of the formula at [`Motion`](crate::motion::Motion); empty for an
    /// end site.
    pub channels: Vec<JointChannel>,
}

/// One degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointChannel {
    /// The joint's coordinate along an axis of its parent (0, 1, 2 for x, y, z), in metres.
    ///
    /// It replaces the offset along that axis: what BVH means and common tools do.
    Translation(u8),
    /// Rotation about an axis (0, 1, 2 for x, y, z), in radians.
    Rotation(u8),
}

impl Joint {
    /// A joint with no channels, its axes parallel to those of its parent.
    pub fn new(name: impl Into<String>, parent: Option<usize>, offset_m: Vector3<f64>) -> Self {
        Self {
            name: name.into(),
            parent,
            offset_in_parent_m: offset_m,
            joint_from_axes: UnitQuaternion::identity(),
            channels: Vec::new(),
        }
    }
}

impl Skeleton {
    /// A skeleton from its joints.
    ///
    /// # Errors
    /// A parent that does not come before its child, an offset that is not finite or absurdly large, or a channel about an axis other than 0, 1, 2.
    pub fn new(joints: Vec<Joint>) -> Result<Self> {
        let mut first_channel = Vec::with_capacity(joints.len() + 1);
        let mut channels = 0;
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent.filter(|&parent| parent >= index) {
                return Err(Error::argument(format!(
                    "joint {index} '{}': need a parent before it, got parent {parent}",
                    joint.name
                )));
            }
            let offset_m = joint.offset_in_parent_m;
            if !offset_m.iter().all(|coordinate_m| coordinate_m.abs() <= MAX_OFFSET_M) {
                let [x, y, z]: [f64; 3] = offset_m.into();
                return Err(Error::argument(format!(
                    "joint {index} '{}': need an offset of at most {MAX_OFFSET_M:e} m, got {x:e}, {y:e}, {z:e}",
                    joint.name
                )));
            }
            for channel in &joint.channels {
                let (JointChannel::Translation(axis) | JointChannel::Rotation(axis)) = *channel;
                if axis > 2 {
                    return Err(Error::argument(format!(
                        "joint {index} '{}': need axis 0, 1 or 2, got {axis}",
                        joint.name
                    )));
                }
            }
            first_channel.push(channels);
            channels += joint.channels.len();
        }
        first_channel.push(channels);
        Ok(Self { joints, first_channel })
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How many channels all joints have together: the numbers of one frame.
    pub fn channel_count(&self) -> usize {
        self.first_channel.last().copied().unwrap_or(0)
    }

    /// Which of a frame's numbers belong to a joint; empty if there is no such joint.
    pub fn channels_of(&self, joint: usize) -> Range<usize> {
        match self.first_channel.get(joint..=joint.saturating_add(1)) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        }
    }

    /// The first joint with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The joints' positions at rest in metres, in the axes of the roots.
    pub fn rest_positions_m(&self) -> Vec<Vector3<f64>> {
        let mut positions_m: Vec<Vector3<f64>> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let start_m = joint.parent.map_or_else(Vector3::zeros, |parent| positions_m[parent]);
            positions_m.push(start_m + joint.offset_in_parent_m);
        }
        positions_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>, channels: &[JointChannel]) -> Joint {
        Joint {
            channels: channels.to_vec(),
            ..Joint::new(name, parent, Vector3::new(0.0, 1.0, 0.0))
        }
    }

    #[test]
    fn refuses_a_child_before_its_parent() {
        let error = Skeleton::new(vec![joint("a", Some(0), &[])]).unwrap_err();
        assert!(error.to_string().contains("need a parent before it"), "{error}");
        assert!(Skeleton::new(vec![joint("a", Some(1), &[]), joint("b", None, &[])]).is_err());
    }

    #[test]
    fn refuses_a_fourth_axis() {
        assert!(Skeleton::new(vec![joint("a", None, &[JointChannel::Rotation(3)])]).is_err());
    }

    #[test]
    fn knows_which_numbers_belong_to_which_joint() {
        let turn = JointChannel::Rotation(0);
        let skeleton = Skeleton::new(vec![
            joint("a", None, &[turn, turn]),
            joint("b", Some(0), &[]),
            joint("c", Some(0), &[turn]),
        ])
        .unwrap();
        assert_eq!(skeleton.channel_count(), 3);
        let of: Vec<_> = (0..5).map(|joint| skeleton.channels_of(joint)).collect();
        assert_eq!(of, [0..2, 2..2, 2..3, 0..0, 0..0]);
        assert_eq!(skeleton.rest_positions_m()[2].y, 2.0);
        assert_eq!(Skeleton::default().channel_count(), 0);
    }
}
