//! The skeleton: joints in a tree, parents before children.

use nalgebra::{UnitQuaternion, Vector3};

/// A tree of joints in rest pose.
///
/// Joints are stored parents before children, so that one loop walks the tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// A joint and the segment that follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// The name as the file spells it.
    pub name: String,
    /// The index of the parent, always smaller than the joint's own; `None` for a root.
    pub parent: Option<usize>,
    /// The joint's position in its parent's frame, in metres; in the world for a root.
    pub offset_in_parent_m: Vector3<f64>,
    /// The axes in which the channels turn, relative to the joint's frame.
    pub joint_from_axes: UnitQuaternion<f64>,
    /// What moves, in the order it is applied; empty for an end site.
    pub channels: Vec<JointChannel>,
}

/// One degree of freedom of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointChannel {
    /// Translation along an axis (0, 1, 2 for x, y, z), in metres.
    ///
    /// In BVH the translation replaces the offset; here it always adds to it.
    Translation(u8),
    /// Rotation about an axis (0, 1, 2 for x, y, z), in radians.
    Rotation(u8),
}
