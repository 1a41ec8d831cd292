//! The poses of one body through the frames, laid out so that sums over frames stream.

use nalgebra::{Isometry3, Matrix3, Vector3};

use crate::trial::Body;

/// The poses of a body: one contiguous column for every entry of its rotation and translation.
///
/// A frame without a pose counts nothing: its entries are zero.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Poses {
    /// `rotation[axis][row]`: the body's axes in the world.
    pub(super) axes: [[Vec<f64>; 3]; 3],
    pub(super) origin_m: [Vec<f64>; 3],
    /// One where there is a pose, zero where not.
    pub(super) seen: Vec<f64>,
}

impl Poses {
    /// The poses `world_from_body` of consecutive frames, `None` where there is none.
    pub fn from_frames<P>(world_from_body: impl IntoIterator<Item = Option<P>>) -> Self
    where
        P: std::borrow::Borrow<Isometry3<f64>>,
    {
        let mut poses = Self::default();
        for pose in world_from_body {
            poses.push(pose.as_ref().map(std::borrow::Borrow::borrow));
        }
        poses
    }

    /// The poses of a recorded body.
    pub fn from_body(body: &Body) -> Self {
        Self::from_frames((0..body.frames()).map(|frame| body.world_from_body(frame)))
    }

    /// Appends a frame.
    pub fn push(&mut self, world_from_body: Option<&Isometry3<f64>>) {
        let (rotation, origin_m) = match world_from_body {
            Some(pose) => {
                (pose.rotation.to_rotation_matrix().into_inner(), pose.translation.vector)
            }
            None => (Matrix3::zeros(), Vector3::zeros()),
        };
        for (axis, rows) in self.axes.iter_mut().enumerate() {
            for (row, column) in rows.iter_mut().enumerate() {
                column.push(rotation[(row, axis)]);
            }
        }
        for (row, column) in self.origin_m.iter_mut().enumerate() {
            column.push(origin_m[row]);
        }
        self.seen.push(f64::from(u8::from(world_from_body.is_some())));
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.seen.len()
    }

    /// In how many frames there is a pose.
    pub fn seen(&self) -> usize {
        self.seen.iter().filter(|seen| **seen > 0.0).count()
    }

    /// The rotation and the origin in a frame, if there is a pose.
    pub fn pose(&self, frame: usize) -> Option<(Matrix3<f64>, Vector3<f64>)> {
        self.seen.get(frame).filter(|seen| **seen > 0.0)?;
        let rotation = Matrix3::from_fn(|row, axis| self.axes[axis][row][frame]);
        Some((rotation, Vector3::from_fn(|row, _| self.origin_m[row][frame])))
    }

    /// The same as a transform `world_from_body`.
    pub fn isometry(&self, frame: usize) -> Option<Isometry3<f64>> {
        let (rotation, origin_m) = self.pose(frame)?;
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(rotation);
        Some(Isometry3::from_parts(
            origin_m.into(),
            nalgebra::UnitQuaternion::from_rotation_matrix(&rotation),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_the_poses_it_was_given() {
        let pose = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.2, 0.9));
        let poses = Poses::from_frames([Some(pose), None]);
        assert_eq!((poses.frames(), poses.seen()), (2, 1));
        let (rotation, origin_m) = poses.pose(0).unwrap();
        assert_eq!(rotation, pose.rotation.to_rotation_matrix().into_inner());
        assert_eq!(origin_m, pose.translation.vector);
        assert_eq!(poses.pose(1), None);
        assert_eq!(poses.pose(2), None);
    }
}
