//! The trajectory of a joint or a segment: columns of numbers, and beside each value how it was placed.

use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};

use super::PlacedBy;

/// A point through the frames: the centre of a joint, or the origin of a segment.
///
/// Where it is [`PlacedBy::Missing`] the stored numbers are NaN; [`PointTrack::position_m`] never returns them.
#[derive(Debug, Clone, Default)]
pub struct PointTrack {
    positions_m: Vec<[f64; 3]>,
    placed: Vec<PlacedBy>,
}

impl PointTrack {
    /// The position in a frame; `None` where it was not placed or there is no such frame.
    pub fn position_m(&self, frame: usize) -> Option<Point3<f64>> {
        let is_placed = self.placed.get(frame)?.is_present();
        is_placed.then(|| self.positions_m[frame].into())
    }

    /// The position in every frame.
    pub fn iter_m(&self) -> impl ExactSizeIterator<Item = Option<Point3<f64>>> + '_ {
        (0..self.placed.len()).map(|frame| self.position_m(frame))
    }

    /// The positions in all frames as one block, three numbers a frame ([`slice::as_flattened`] has them as one
    /// `&[f64]`); those that are [`PlacedBy::Missing`] are NaN.
    pub fn positions_m(&self) -> &[[f64; 3]] {
        &self.positions_m
    }

    /// How it was placed in every frame; a joint as the better placed of its two segments.
    pub fn placed(&self) -> &[PlacedBy] {
        &self.placed
    }

    /// In how many frames it was placed so.
    pub fn frames_placed(&self, how: PlacedBy) -> usize {
        self.placed.iter().filter(|placed| **placed == how).count()
    }

    /// In how many frames it was placed at all.
    pub fn frames_present(&self) -> usize {
        self.placed.len() - self.frames_placed(PlacedBy::Missing)
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        self.positions_m.reserve_exact(frames);
        self.placed.reserve_exact(frames);
    }

    /// Appends a frame; a position that is not finite is missing.
    pub(super) fn push(&mut self, position_m: Option<Point3<f64>>, placed: PlacedBy) {
        let is_finite = |at: &Point3<f64>| at.iter().copied().all(f64::is_finite);
        let position_m = position_m.filter(is_finite).filter(|_| placed.is_present());
        self.placed.push(position_m.map_or(PlacedBy::Missing, |_| placed));
        self.positions_m.push(position_m.map_or([f64::NAN; 3], Into::into));
    }
}

impl PartialEq for PointTrack {
    fn eq(&self, other: &Self) -> bool {
        self.placed == other.placed && self.iter_m().eq(other.iter_m())
    }
}

/// The pose of a segment through the frames, bones at their lengths.
#[derive(Debug, Clone, Default)]
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

    /// The orientations in all frames as one block: a unit quaternion `w, x, y, z` a frame; NaN where the
    /// origin is missing.
    pub fn orientations_wxyz(&self) -> &[[f64; 4]] {
        &self.orientations_wxyz
    }

    pub(super) fn reserve(&mut self, frames: usize) {
        self.origin.reserve(frames);
        self.orientations_wxyz.reserve_exact(frames);
    }

    /// Appends a frame; a pose that is not finite is missing.
    pub(super) fn push(&mut self, pose: Option<Isometry3<f64>>, placed: PlacedBy) {
        let is_finite = |pose: &Isometry3<f64>| {
            let numbers = pose.rotation.coords.iter().chain(pose.translation.vector.iter());
            numbers.copied().all(f64::is_finite)
        };
        let pose = pose.filter(is_finite).filter(|_| placed.is_present());
        self.origin.push(pose.map(|pose| pose.translation.vector.into()), placed);
        self.orientations_wxyz.push(pose.map_or([f64::NAN; 4], |pose| {
            let q = pose.rotation.quaternion();
            [q.w, q.i, q.j, q.k]
        }));
    }
}

impl PartialEq for SegmentTrack {
    fn eq(&self, other: &Self) -> bool {
        self.origin == other.origin && self.iter().eq(other.iter())
    }
}
