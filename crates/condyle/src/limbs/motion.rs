//! The skeleton of a recording.

use nalgebra::Point3;

use super::hang::{Node, hang};
use crate::error::Result;
use crate::ik::Model;
use crate::motion::Motion;

/// A skeleton as it stands in its first frame, hung up by a joint, or by its root with no name.
/// Joints that lie on their parents are one with them.
///
/// # Errors
/// A joint of that name is not there, or there is no bone.
pub fn from_motion(motion: &Motion, base: Option<&str>) -> Result<Model> {
    let at_m: Vec<Point3<f64>> = match motion.frames() {
        0 => motion.skeleton().rest_positions_m().into_iter().map(Point3::from).collect(),
        _ => motion.joint_positions_m(0)?,
    };
    let joints = motion.skeleton().joints().iter().zip(at_m);
    let node = |(joint, at_m): (&crate::skeleton::Joint, _)| Node {
        name: joint.name.clone(),
        parent: joint.parent,
        at_m,
    };
    hang(joints.map(node).collect(), base)
}
