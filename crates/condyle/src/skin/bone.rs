//! The bones of a skeleton at rest.

use nalgebra::Point3;

use crate::skeleton::Skeleton;

/// A bone is at least so long.
const SHORTEST_M: f64 = 1e-6;

/// From a joint to one that hangs on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bone {
    /// The joint that it goes with: its near end, or if that has no channels what carries it.
    pub joint: usize,
    /// The joints at its ends.
    pub ends: [usize; 2],
    /// Where the joint is at rest.
    pub from_m: Point3<f64>,
    /// Where it ends at rest.
    pub to_m: Point3<f64>,
}

/// The bones of a skeleton at rest: one from every joint to each that hangs on it.
pub fn bones(skeleton: &Skeleton) -> Vec<Bone> {
    let at_m: Vec<Point3<f64>> =
        skeleton.rest_positions_m().into_iter().map(Point3::from).collect();
    let joints = skeleton.joints().iter().enumerate();
    let all = joints.filter_map(|(to, joint)| {
        let from = joint.parent?;
        Some(Bone {
            joint: carrier(skeleton, from),
            ends: [from, to],
            from_m: at_m[from],
            to_m: at_m[to],
        })
    });
    all.filter(|bone| (bone.to_m - bone.from_m).norm() > SHORTEST_M).collect()
}

/// The joint that turns and holds a joint; a root holds itself.
fn carrier(skeleton: &Skeleton, joint: usize) -> usize {
    let mut at = joint;
    while skeleton.joints()[at].channels.is_empty() {
        let Some(parent) = skeleton.joints()[at].parent else { break };
        at = parent;
    }
    at
}

impl Bone {
    /// The place of the bone that is nearest to a point.
    pub fn nearest_m(&self, at_m: &Point3<f64>) -> Point3<f64> {
        let along = self.to_m - self.from_m;
        let share = (at_m - self.from_m).dot(&along) / along.norm_squared();
        self.from_m + along * share.clamp(0.0, 1.0)
    }
}
