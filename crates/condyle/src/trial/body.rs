//! One rigid body with six degrees of freedom: a tracker, a cluster, a segment of a suit.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};

use super::marker::is_position;
use super::{Origin, split_prefix};

/// A rigid body followed through the frames of a trial.
///
/// Each frame has a pose `world_from_body`, or is missing. Inertial suits may give the orientation
/// without the position: then [`Body::has_positions`] is false and every translation is zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The name as the file spells it.
    pub name: String,
    /// Whether the positions were recorded; false for orientation-only sensors.
    pub has_positions: bool,
    /// Where it hangs on the body above it, if the file says so.
    pub joint_in_body_m: Option<Point3<f64>>,
    world_from_body: Vec<Isometry3<f64>>,
    origin: Vec<Origin>,
}

impl Body {
    /// The subject prefix: `JOE` of `JOE:pelvis`.
    pub fn subject(&self) -> Option<&str> {
        split_prefix(&self.name).0
    }

    /// A body with no frames yet.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            has_positions: true,
            joint_in_body_m: None,
            world_from_body: Vec::new(),
            origin: Vec::new(),
        }
    }

    /// Appends one frame, measured if there is a finite pose and missing if not.
    pub fn push(&mut self, world_from_body: Option<Isometry3<f64>>) {
        let pose = world_from_body.filter(is_pose);
        self.origin.push(if pose.is_some() { Origin::Measured } else { Origin::Missing });
        self.world_from_body.push(pose.unwrap_or_else(Isometry3::identity));
    }

    /// Replaces the pose of a frame; does nothing beyond the last frame.
    pub fn set(&mut self, frame: usize, world_from_body: Option<Isometry3<f64>>, origin: Origin) {
        if frame >= self.frames() {
            return;
        }
        let pose = world_from_body.filter(is_pose).filter(|_| origin.is_present());
        self.origin[frame] = if pose.is_some() { origin } else { Origin::Missing };
        self.world_from_body[frame] = pose.unwrap_or_else(Isometry3::identity);
    }

    /// Makes room for more frames, exactly, so that readers take no more memory than they need.
    pub(crate) fn reserve(&mut self, frames: usize) {
        self.world_from_body.reserve_exact(frames);
        self.origin.reserve_exact(frames);
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.origin.len()
    }

    /// The pose in a frame, or `None` where it is missing or there is no such frame.
    pub fn world_from_body(&self, frame: usize) -> Option<&Isometry3<f64>> {
        self.world_from_body.get(frame).filter(|_| self.origin[frame].is_present())
    }

    /// The position of the body's origin in a frame, in metres.
    pub fn position_m(&self, frame: usize) -> Option<Point3<f64>> {
        let pose = self.world_from_body(frame).filter(|_| self.has_positions)?;
        Some(Point3::from(pose.translation.vector))
    }

    /// Where the pose of a frame came from; missing beyond the last frame.
    pub fn origin(&self, frame: usize) -> Origin {
        self.origin.get(frame).copied().unwrap_or_default()
    }

    /// Puts another pose in place of each that there is; origins stay.
    pub(crate) fn map_poses(&mut self, map: impl Fn(Isometry3<f64>) -> Isometry3<f64>) {
        for frame in 0..self.frames() {
            self.set(frame, self.world_from_body(frame).map(|pose| map(*pose)), self.origin(frame));
        }
    }

    /// The poses of these frames in this order, missing where there is `None`.
    pub(crate) fn rearranged(&self, sources: &[Option<usize>]) -> Self {
        let mut new = Self::new(self.name.as_str());
        new.has_positions = self.has_positions;
        new.reserve(sources.len());
        for (frame, source) in sources.iter().enumerate() {
            let source = source.unwrap_or(usize::MAX);
            new.push(None);
            new.set(frame, self.world_from_body(source).copied(), self.origin(source));
        }
        new
    }

    /// Multiplies every translation by a factor.
    pub(crate) fn scale_lengths(&mut self, factor: f64) {
        self.map_poses(|mut pose| {
            pose.translation.vector *= factor;
            pose
        });
        self.joint_in_body_m = self.joint_in_body_m.map(|at_m| at_m * factor);
    }

    /// How many frames are missing.
    pub fn missing_samples(&self) -> usize {
        self.origin.iter().filter(|origin| !origin.is_present()).count()
    }

    /// The stretches of missing frames as half-open ranges, in order.
    pub fn gaps(&self) -> Vec<std::ops::Range<usize>> {
        super::marker::gaps(&self.origin, Origin::is_present)
    }
}

/// A pose from a position in metres and a quaternion `w, x, y, z`.
///
/// A quaternion within rounding of unit length is kept bit for bit, so that what was written is
/// read back; any other is normalised. `None` if a number is not finite or the quaternion is zero.
pub fn pose_from_wxyz(position_m: [f64; 3], wxyz: [f64; 4]) -> Option<Isometry3<f64>> {
    let [w, i, j, k] = wxyz;
    let quaternion = nalgebra::Quaternion::new(w, i, j, k);
    let norm_squared = quaternion.norm_squared();
    if !norm_squared.is_finite() || norm_squared < f64::MIN_POSITIVE {
        return None;
    }
    let rotation = if (norm_squared - 1.0).abs() <= 4.0 * f64::EPSILON {
        UnitQuaternion::new_unchecked(quaternion)
    } else {
        UnitQuaternion::new_normalize(quaternion)
    };
    let [x, y, z] = position_m;
    Some(Isometry3::from_parts(Translation3::new(x, y, z), rotation)).filter(is_pose)
}

fn is_pose(pose: &Isometry3<f64>) -> bool {
    is_position(&pose.translation.vector.into())
        && pose.rotation.coords.iter().all(|v| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_unit_quaternion_bit_for_bit_and_normalises_others() {
        let once = pose_from_wxyz([0.0; 3], [0.3, -2.0, 0.7, 1.1]).unwrap();
        let q = once.rotation.quaternion();
        let twice = pose_from_wxyz([0.0; 3], [q.w, q.i, q.j, q.k]).unwrap();
        assert_eq!(once, twice);
    }

    #[test]
    fn refuses_a_zero_quaternion() {
        assert_eq!(pose_from_wxyz([0.0; 3], [0.0; 4]), None);
    }
}
