//! The joints of a figure as a skeleton.

use nalgebra::{Point3, Vector3};

use super::Mannequin;
use crate::error::Result;
use crate::skeleton::{Joint, JointChannel, Skeleton};

impl Mannequin {
    /// Its joints at rest, a limb without another joint as long as its solid.
    ///
    /// # Errors
    /// Joints that are no tree.
    pub fn skeleton(&self) -> Result<Skeleton> {
        let segments = self.figure.segments();
        let mut joints: Vec<Joint> = Vec::new();
        for segment in segments {
            let above_m =
                segment.parent.map_or(Vector3::zeros(), |at| segments[at].joint.centre_m.coords);
            let offset_m = segment.joint.centre_m.coords - above_m;
            let joint = Joint::new(segment.name.clone(), segment.parent, offset_m);
            joints.push(Joint { channels: (0..3).map(JointChannel::Rotation).collect(), ..joint });
        }
        for (at, segment) in segments.iter().enumerate() {
            if segments.iter().any(|other| other.parent == Some(at)) {
                continue;
            }
            let from_m = segment.joint.centre_m;
            let far = |p: &&Point3<f64>| (*p - from_m).norm();
            let end = segment.solid.vertices_m().iter().max_by(|a, b| far(a).total_cmp(&far(b)));
            if let Some(end) = end {
                let name = format!("{} end", segment.name);
                joints.push(Joint::new(name, Some(at), end - from_m));
            }
        }
        Skeleton::new(joints)
    }
}
