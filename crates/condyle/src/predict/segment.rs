//! A segment through time: its shape as far as it is learnt, where it is, and how it turns.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::body::BodySegment;
use crate::rigid::{Pair, best_rotation, place};

/// A segment.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub markers: Vec<usize>,
    /// Its joints, and which of the two sides it is of each.
    pub joints: Vec<(usize, usize)>,
    /// Where its markers are in its frame; learnt from frames in which all are known, or given.
    in_segment_m: Vec<Vector3<f64>>,
    learnt: f64,
    is_given: bool,
    /// For every pair of markers the mean distance, and from how many frames.
    distances: Vec<[f64; 2]>,
    /// Where it is in this frame, by known points.
    pub pose: Option<Isometry3<f64>>,
    /// Where it was in the last.
    pub pose_before: Option<Isometry3<f64>>,
    /// How it turns and moves from one frame to the next.
    pub turn: UnitQuaternion<f64>,
    pub shift_m: Vector3<f64>,
    /// How many of its markers are seen in this frame.
    pub seen: usize,
    /// Whether all of its markers have a place in this frame.
    pub is_settled: bool,
}

impl Segment {
    pub fn new(body: &BodySegment, joints: Vec<(usize, usize)>) -> Self {
        let count = body.markers.len();
        let shape = body.in_segment_m.clone();
        Self {
            markers: body.markers.clone(),
            joints,
            is_given: shape.is_some(),
            learnt: if shape.is_some() { 1.0 } else { 0.0 },
            in_segment_m: shape.unwrap_or_else(|| vec![Vector3::zeros(); count]),
            distances: vec![[0.0, 0.0]; count * count],
            pose: None,
            pose_before: None,
            turn: UnitQuaternion::identity(),
            shift_m: Vector3::zeros(),
            seen: 0,
            is_settled: false,
        }
    }

    /// Where a marker of it is in its frame.
    pub fn place_of(&self, slot: usize) -> Option<Vector3<f64>> {
        (self.learnt > 0.0).then(|| self.in_segment_m[slot])
    }

    /// The calibrated distance of two of its markers.
    pub fn distance_m(&self, a: usize, b: usize) -> Option<f64> {
        if self.is_given {
            return Some((self.in_segment_m[a] - self.in_segment_m[b]).norm());
        }
        let [mean, count] = self.distances[a * self.markers.len() + b];
        (count > 0.0).then_some(mean)
    }

    /// The mean of its markers in its frame.
    pub fn middle_m(&self) -> Option<Vector3<f64>> {
        (self.learnt > 0.0).then(|| {
            self.in_segment_m.iter().sum::<Vector3<f64>>() / self.in_segment_m.len().max(1) as f64
        })
    }

    /// Where it is by markers of it; `None` if its shape is not known, or they are too few.
    pub fn placed(&self, at: impl Fn(usize) -> Option<Vector3<f64>>) -> Option<Isometry3<f64>> {
        if self.learnt == 0.0 || self.markers.len() < 3 {
            return None;
        }
        let pairs =
            self.markers.iter().zip(&self.in_segment_m).filter_map(|(marker, in_segment)| {
                Some(Pair {
                    in_segment_m: Point3::from(*in_segment),
                    in_world_m: Point3::from(at(*marker)?),
                    weight: 1.0,
                })
            });
        Some(place(pairs)?.world_from_segment)
    }

    /// Takes the distances of markers that are seen into the means.
    pub fn learn_distances(&mut self, at: impl Fn(usize) -> Option<Vector3<f64>>) {
        let count = self.markers.len();
        for a in 0..count {
            let Some(one) = at(self.markers[a]) else { continue };
            for b in a + 1..count {
                let Some(other) = at(self.markers[b]) else { continue };
                let [mean, frames] = self.distances[a * count + b];
                let mean = mean + ((one - other).norm() - mean) / (frames + 1.0);
                self.distances[a * count + b] = [mean, frames + 1.0];
                self.distances[b * count + a] = [mean, frames + 1.0];
            }
        }
    }

    /// Takes a frame in which all markers are known into the shape.
    pub fn learn_shape(&mut self, at: impl Fn(usize) -> Option<Vector3<f64>>) {
        if self.is_given || self.markers.len() < 3 {
            return;
        }
        let pose = match (self.learnt > 0.0, self.pose) {
            (true, Some(pose)) => pose,
            (true, None) => return,
            (false, _) => Isometry3::identity(),
        };
        self.learnt += 1.0;
        for (marker, in_segment_m) in self.markers.iter().zip(&mut self.in_segment_m) {
            if let Some(at) = at(*marker) {
                let seen = pose.inverse_transform_point(&Point3::from(at)).coords;
                *in_segment_m += (seen - *in_segment_m) / self.learnt;
            }
        }
    }

    /// The rotation and the shift of the mean from one place of all its markers to another.
    pub fn motion(
        &self,
        from: impl Fn(usize) -> Option<Vector3<f64>>,
        to: impl Fn(usize) -> Option<Vector3<f64>>,
    ) -> Option<(UnitQuaternion<f64>, Vector3<f64>)> {
        let count = self.markers.len() as f64;
        let (mut a, mut b) = (Vector3::zeros(), Vector3::zeros());
        for marker in &self.markers {
            a += from(*marker)?;
            b += to(*marker)?;
        }
        let (a, b) = (a / count, b / count);
        let mut mixed = nalgebra::Matrix3::zeros();
        let mut line = [Vector3::zeros(); 2];
        for marker in &self.markers {
            let (before, after) = (from(*marker)? - a, to(*marker)? - b);
            mixed += after * before.transpose();
            line = [before, after];
        }
        let turn = best_rotation(&mixed)
            .or_else(|| UnitQuaternion::rotation_between(&line[0], &line[1]))
            .unwrap_or_default();
        Some((turn, b - a))
    }
}
