//! The motion of a skeleton: channel values per frame, and forward kinematics.

use crate::skeleton::Skeleton;

/// A skeleton and the values of its channels in every frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// The joints.
    pub skeleton: Skeleton,
    /// Channel values in metres and radians, frame by frame, in joint and channel order.
    pub values: Vec<f64>,
}
