//! Putting segments together at their joints, so that bones keep their lengths.

use nalgebra::Point3;

use super::{Pose, Solver, moved};

impl Solver {
    /// Keeps the orientations, lets positions follow from the joints, and shifts each connected group to
    /// where its segments' markers are on average (O'Brien 2000, section 3.4, with the shift shared by
    /// all instead of fixed by the root).
    pub(super) fn assemble(&self, pose: &mut Pose) {
        for (index, part) in self.segments.iter().enumerate() {
            let Some(measured) = pose.measured[index] else { continue };
            let link = part.own_joint.map(|joint| &self.joints[joint]);
            let hung = link.and_then(|link| {
                let world_from_parent = pose.world_from_segments[link.parent]?;
                let gap =
                    world_from_parent * link.centre_in_parent_m - measured * link.centre_in_child_m;
                Some((moved(&measured, &gap), pose.group[link.parent]))
            });
            let (world_from_segment, group) = hung.unwrap_or((measured, index));
            pose.world_from_segments[index] = Some(world_from_segment);
            pose.group[index] = group;
            let weight = pose.points[index] as f64;
            let wanted = measured.translation.vector - world_from_segment.translation.vector;
            pose.shift[group].0 += wanted * weight;
            pose.shift[group].1 += weight;
        }
        for index in 0..self.segments.len() {
            let (sum, weight) = pose.shift[pose.group[index]];
            if let Some(world_from_segment) = &mut pose.world_from_segments[index] {
                world_from_segment.translation.vector += sum / weight.max(1.0);
            }
        }
        for (joint, link) in self.joints.iter().enumerate() {
            let by_parent = pose.world_from_segments[link.parent]
                .map(|world_from_parent| world_from_parent * link.centre_in_parent_m);
            let by_child = || -> Option<Point3<f64>> {
                Some(pose.world_from_segments[link.child]? * link.centre_in_child_m)
            };
            pose.joints_m[joint] = by_parent.or_else(by_child);
        }
    }

    /// The centre of a joint as the markers of each side have it: how far apart they are is the part that
    /// assembling takes away.
    pub fn measured_joint_m(&self, joint: usize, pose: &Pose) -> [Option<Point3<f64>>; 2] {
        let Some(link) = self.joints.get(joint) else { return [None, None] };
        [
            pose.measured(link.parent).map(|parent| parent * link.centre_in_parent_m),
            pose.measured(link.child).map(|child| child * link.centre_in_child_m),
        ]
    }
}
