//! The trajectory of a joint or a segment: columns of numbers, and beside each value how it was placed.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};

use super::Placed;

/// A point through the frames: the centre of a joint, or the origin of a segment.
///
/// Where it is [`Placed::Missing`] the stored numbers are zero and mean nothing; [`PointTrack::position_m`] never
/// returns them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PointTrack {
    positions_m: Vec<[f64; 3]>,
    /// [`Placed`] as a byte.
    placed: Vec<u8>,
}

impl PointTrack {
    /// The position in a frame; `None` where it was not placed or there is no such frame.
    pub fn position_m(&self, frame: usize) -> Option<Point3<f64>> {
        self.placed(frame).is_present().then(|| self.positions_m[frame].into())
    }

    /// The position in every frame.
    pub fn iter_m(&self) -> impl ExactSizeIterator<Item = Option<Point3<f64>>> + '_ {
        (0..self.placed.len()).map(|frame| self.position_m(frame))
    }

    /// How it was placed in a frame; a joint as the better placed of its two segments.
    pub fn placed(&self, frame: usize) -> Placed {
        self.placed.get(frame).map_or(Placed::Missing, |byte| Placed::from_byte(*byte))
    }

    /// In how many frames it was placed, and how.
    pub fn placed_frames(&self) -> PlacedFrames {
        let mut frames = PlacedFrames::default();
        for byte in &self.placed {
            match Placed::from_byte(*byte) {
                Placed::Missing => {}
                Placed::ByMarkers => frames.by_markers += 1,
                Placed::WithJoints => frames.with_joints += 1,
                Placed::TwistOpen => frames.twist_open += 1,
            }
        }
        frames
    }

    /// The positions in all frames as one block, three numbers a frame ([`slice::as_flattened`] has them as one
    /// `&[f64]`); those that mean nothing are [`Placed::Missing`] in [`PointTrack::placed_bytes`].
    pub fn positions_m(&self) -> &[[f64; 3]] {
        &self.positions_m
    }

    /// How it was placed in every frame, a [`Placed`] a byte.
    pub fn placed_bytes(&self) -> &[u8] {
        &self.placed
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        self.positions_m.reserve_exact(frames);
        self.placed.reserve_exact(frames);
    }

    /// Appends a frame; a position that is not finite is missing.
    pub(super) fn push(&mut self, position_m: Option<Point3<f64>>, placed: Placed) {
        self.positions_m.push([0.0; 3]);
        self.placed.push(Placed::Missing as u8);
        self.set(self.placed.len() - 1, position_m, placed);
    }

    fn set(&mut self, frame: usize, position_m: Option<Point3<f64>>, placed: Placed) {
        let is_finite = |at: &Point3<f64>| at.coords.iter().all(|value| value.is_finite());
        let position_m = position_m.filter(is_finite).filter(|_| placed.is_present());
        self.placed[frame] = position_m.map_or(Placed::Missing, |_| placed) as u8;
        self.positions_m[frame] = position_m.unwrap_or_default().into();
    }
}

/// The pose of a segment through the frames, bones at their lengths.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SegmentTrack {
    origin: PointTrack,
    orientations_wxyz: Vec<[f64; 4]>,
}

impl SegmentTrack {
    /// The pose in a frame; `None` where it was not placed or there is no such frame.
    pub fn world_from_segment(&self, frame: usize) -> Option<Isometry3<f64>> {
        let position_m = self.origin.position_m(frame)?;
        let [w, i, j, k] = self.orientations_wxyz[frame];
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
        Some(Isometry3::from_parts(position_m.into(), rotation))
    }

    /// The pose in every frame.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Isometry3<f64>>> + '_ {
        (0..self.orientations_wxyz.len()).map(|frame| self.world_from_segment(frame))
    }

    /// Its origin, and how it was placed.
    pub fn origin(&self) -> &PointTrack {
        &self.origin
    }

    /// The orientations in all frames as one block: a unit quaternion `w, x, y, z` a frame; zero, and without
    /// meaning, where the origin is missing.
    pub fn orientations_wxyz(&self) -> &[[f64; 4]] {
        &self.orientations_wxyz
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        self.origin.reserve(frames);
        self.orientations_wxyz.reserve_exact(frames);
    }

    /// Appends a frame; a pose that is not finite is missing.
    pub(super) fn push(&mut self, pose: Option<Isometry3<f64>>, placed: Placed) {
        self.origin.push(None, Placed::Missing);
        self.orientations_wxyz.push([0.0; 4]);
        self.set(self.orientations_wxyz.len() - 1, pose, placed);
    }

    /// Replaces the pose of a frame; does nothing beyond the last one.
    pub(super) fn set(&mut self, frame: usize, pose: Option<Isometry3<f64>>, placed: Placed) {
        let Some(wxyz) = self.orientations_wxyz.get_mut(frame) else { return };
        let pose = pose.filter(|pose| pose.rotation.coords.iter().all(|value| value.is_finite()));
        let position_m = pose.map(|pose| pose.translation.vector.into());
        self.origin.set(frame, position_m, placed);
        let rotation = pose.filter(|_| self.origin.placed(frame).is_present());
        *wxyz = rotation.map_or([0.0; 4], |pose| {
            let q = pose.rotation.quaternion();
            [q.w, q.i, q.j, q.k]
        });
    }
}

/// In how many frames a point or a segment was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlacedFrames {
    /// By three or more of its own markers, or as a recorded body.
    pub by_markers: usize,
    /// With the help of its joints.
    pub with_joints: usize,
    /// With its twist open.
    pub twist_open: usize,
}

impl PlacedFrames {
    /// All of them.
    pub fn total(&self) -> usize {
        self.by_markers + self.with_joints + self.twist_open
    }
}
