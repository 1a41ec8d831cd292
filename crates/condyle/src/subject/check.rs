//! What holds for every subject.

use super::Subject;
use crate::error::{Error, Result};

impl Subject {
    /// Whether segments are named once and come after their parents, joints are between parent and child, and all
    /// numbers are finite.
    pub(super) fn check(&self) -> Result<()> {
        for (index, segment) in self.segments.iter().enumerate() {
            let name = &segment.name;
            if self.segments[..index].iter().any(|other| other.name == *name) {
                let what = format!("subject: need segments of different names, got '{name}' twice");
                return Err(Error::malformed(what));
            }
            if segment.parent.is_some_and(|parent| parent >= index) {
                return Err(Error::malformed(format!(
                    "segment '{name}': need its parent before it"
                )));
            }
        }
        for joint in &self.joints {
            let name = |segment: usize| self.segments.get(segment).map_or("", |s| s.name.as_str());
            let child = self.segments.get(joint.child);
            if child.is_none_or(|child| child.parent != Some(joint.parent)) {
                return Err(Error::malformed(format!(
                    "joint '{}': need a child of '{}', got '{}'",
                    joint.name,
                    name(joint.parent),
                    name(joint.child)
                )));
            }
        }
        match self.numbers().find(|number| !number.is_finite()) {
            Some(wrong) => {
                Err(Error::malformed(format!("subject: need finite numbers, got {wrong}")))
            }
            None => Ok(()),
        }
    }

    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let of_segments = self.segments.iter().flat_map(|segment| {
            let markers = segment.markers.iter().flat_map(|marker| {
                marker.position_in_segment_m.iter().copied().chain([marker.weight, marker.rms_m])
            });
            markers.chain([segment.sigma_m]).chain(segment.orientation_sigma_rad)
        });
        let of_joints = self.joints.iter().flat_map(|joint| {
            let points = joint.centre_in_parent_m.iter().chain(joint.centre_in_child_m.iter());
            let axes =
                joint.axis_in_parent.iter().chain(&joint.axis_in_child).chain(&joint.flexion_axis);
            points
                .chain(joint.covariance_m2.iter())
                .chain(joint.frame_m2.iter())
                .chain(axes.flat_map(|axis| axis.iter()))
                .chain(joint.parent_from_child_rest.coords.iter())
                .chain(&joint.ranges_rad)
                .copied()
                .chain([joint.range_rad, joint.separation_m, joint.wander_m, joint.from_knowledge])
        });
        of_segments.chain(of_joints)
    }
}
