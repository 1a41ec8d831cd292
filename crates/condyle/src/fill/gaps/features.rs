//! What is known of a frame without the missing marker: the pose of its neighbours, and how they move.

use nalgebra::{Isometry3, Vector3};

use super::local_frame::SPREAD_FLOOR_M;
use super::neighbours::Neighbour;
use super::tracks::Tracks;

/// Motion is taken over so many frames to both sides, at 120 frames a second.
const REACH_AT_120_HZ: f64 = 4.0;
/// Acceleration, turning and the vertical: three numbers each.
const INERTIAL: usize = 9;

/// A row of numbers for each of some frames, in which frames are compared.
#[derive(Debug, Clone)]
pub struct Features {
    /// How many numbers a frame has.
    pub dimensions: usize,
    /// One row a frame.
    rows: Vec<f64>,
}

impl Features {
    /// The features of frames, given where the local frame is in each; the first `learnt` of them are learnt from.
    ///
    /// # Method
    /// The neighbours' positions in the local frame, less their mean and over their spread s + s₀; the acceleration of
    /// the frame, its turning, and which way is up, each over its own standard deviation. All of it is scaled so that
    /// the mean square of a row is 1.
    pub fn of(
        tracks: &Tracks,
        neighbours: &[Neighbour],
        poses: &[(usize, Isometry3<f64>)],
        learnt: usize,
        pose_at: Option<&dyn Fn(usize) -> Option<Isometry3<f64>>>,
    ) -> Self {
        let inertial = if pose_at.is_some() { INERTIAL } else { 0 };
        let dimensions = 3 * neighbours.len() + inertial;
        let mut rows = Vec::with_capacity(dimensions * poses.len());
        for (frame, pose) in poses {
            for neighbour in neighbours {
                let at = tracks.positions_m[neighbour.marker][*frame];
                let local = pose.inverse_transform_point(&at.into()).coords;
                let scale = (neighbour.spread_m + SPREAD_FLOOR_M).recip();
                rows.extend((local * scale).iter());
            }
            if let Some(pose_at) = pose_at {
                rows.extend(inertia(tracks, *frame, pose, pose_at));
            }
        }
        let mut features = Self { dimensions, rows };
        features.centre(learnt);
        if inertial > 0 {
            for block in 0..3 {
                features.normalise(3 * neighbours.len() + 3 * block, 3, learnt, 3.0);
            }
        }
        features.normalise(0, dimensions, learnt, 1.0);
        features
    }

    /// The row of a frame, by its place in the list.
    #[inline]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.rows[index * self.dimensions..(index + 1) * self.dimensions]
    }

    /// The rows at some places as columns.
    pub fn columns(&self, places: impl ExactSizeIterator<Item = usize>) -> Vec<f64> {
        let count = places.len();
        let mut columns = vec![0.0; self.dimensions * count];
        for (column, place) in places.enumerate() {
            for (dimension, value) in self.row(place).iter().enumerate() {
                columns[dimension * count + column] = *value;
            }
        }
        columns
    }

    fn centre(&mut self, learnt: usize) {
        let mut mean = vec![0.0; self.dimensions];
        for row in self.rows.chunks_exact(self.dimensions.max(1)).take(learnt) {
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / learnt as f64);
        }
        for row in self.rows.chunks_exact_mut(self.dimensions.max(1)) {
            row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
        }
    }

    /// Scales some columns so that the mean over frames of their sum of squares is as wanted.
    fn normalise(&mut self, first: usize, count: usize, learnt: usize, wanted: f64) {
        let columns = first..first + count;
        let rows = self.rows.chunks_exact(self.dimensions.max(1)).take(learnt);
        let square: f64 = rows.flat_map(|row| &row[columns.clone()]).map(|v| v * v).sum();
        let scale = (wanted * learnt as f64 / square).sqrt();
        if scale.is_finite() {
            for row in self.rows.chunks_exact_mut(self.dimensions.max(1)) {
                row[columns.clone()].iter_mut().for_each(|value| *value *= scale);
            }
        }
    }
}

/// Acceleration, turning and the vertical as the local frame sees them; zero where neighbouring frames do not tell.
fn inertia(
    tracks: &Tracks,
    frame: usize,
    pose: &Isometry3<f64>,
    pose_at: &dyn Fn(usize) -> Option<Isometry3<f64>>,
) -> [f64; INERTIAL] {
    let reach = tracks.frames_at_120_hz(REACH_AT_120_HZ);
    let before = frame.checked_sub(reach).and_then(pose_at);
    let after = Some(frame + reach).filter(|f| *f < tracks.frames).and_then(pose_at);
    let (mut acceleration, mut turning) = (Vector3::zeros(), Vector3::zeros());
    if let (Some(before), Some(after)) = (before, after) {
        let origin = |pose: &Isometry3<f64>| pose.translation.vector;
        let second = origin(&before) + origin(&after) - origin(pose) * 2.0;
        acceleration = pose.rotation.inverse() * second;
        turning =
            pose.rotation.inverse() * (after.rotation * before.rotation.inverse()).scaled_axis();
    }
    let up = tracks.up.map_or_else(Vector3::zeros, |up| pose.rotation.inverse() * up);
    let mut all = [0.0; INERTIAL];
    for (to, from) in all.chunks_exact_mut(3).zip([acceleration, turning, up]) {
        to.copy_from_slice(from.as_slice());
    }
    all
}
