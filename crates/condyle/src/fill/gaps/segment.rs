//! Several markers of one rigid part missing at once: each is estimated alone, then the part keeps its shape.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::tracks::{Estimate, Gap, Tracks};
use crate::rigid::{Pair, place};

/// Markers are of one part if the standard deviation of their distance is at most this, in metres.
const MAX_SPREAD_M: f64 = 0.015;
/// A part has at least so many markers.
const MIN_MARKERS: usize = 3;
/// The shape is taken of at most about so many frames.
const SHAPE_FRAMES: usize = 400;

/// Corrects estimates of markers that are of one rigid part and missing in the same frames.
///
/// # Method
/// In each frame the part's mean shape is fitted to the estimates, weights 1 / v, and each estimate moves towards its
/// fitted place by v / (v + s²), with the variance s² of the shape.
///
/// Of a causal estimate only frames before the gap tell the shape.
pub fn keep_shapes(
    tracks: &Tracks,
    gaps: &[&Gap],
    estimates: &mut [&mut Estimate],
    is_causal: bool,
) {
    let mut is_done = vec![false; gaps.len()];
    for first in 0..gaps.len() {
        let end = if is_causal { gaps[first].frames.start } else { tracks.frames };
        let mut part = vec![first];
        for other in first + 1..gaps.len() {
            let is_free = !is_done[other] && gaps[other].frames == gaps[first].frames;
            let is_near = |i: &usize| {
                let pair = [gaps[*i].marker, gaps[other].marker];
                spread_m(tracks, pair, end).is_some_and(|spread_m| spread_m <= MAX_SPREAD_M)
            };
            if !is_done[first] && is_free && part.iter().all(is_near) {
                part.push(other);
            }
        }
        if part.len() >= MIN_MARKERS {
            part.iter().for_each(|i| is_done[*i] = true);
            let markers: Vec<usize> = part.iter().map(|i| gaps[*i].marker).collect();
            if let Some(shape) = Shape::of(tracks, &markers, end) {
                shape.keep(&part, estimates);
            }
        }
    }
}

/// The standard deviation of the distance of two markers.
fn spread_m(tracks: &Tracks, [a, b]: [usize; 2], end: usize) -> Option<f64> {
    let stride = end.div_ceil(SHAPE_FRAMES).max(1);
    let both = |t: &usize| tracks.seen[a][*t] && tracks.seen[b][*t];
    let frames = (0..end).step_by(stride).filter(both);
    let distance = |t: usize| (tracks.positions_m[a][t] - tracks.positions_m[b][t]).norm();
    crate::statistics::mean_and_sd(frames.map(distance)).map(|(_, sd)| sd)
}

/// The mean shape of some markers, and how much it gives.
struct Shape {
    points: Vec<Point3<f64>>,
    /// Along each axis, in square metres.
    variances_m2: Vec<f64>,
}

impl Shape {
    fn of(tracks: &Tracks, markers: &[usize], end: usize) -> Option<Self> {
        let is_complete = |t: &usize| markers.iter().all(|marker| tracks.seen[*marker][*t]);
        let all: Vec<usize> = (0..end).filter(is_complete).collect();
        let stride = all.len().div_ceil(SHAPE_FRAMES).max(1);
        let frames: Vec<usize> = all.into_iter().step_by(stride).collect();
        let at = |t: usize| markers.iter().map(move |m| Point3::from(tracks.positions_m[*m][t]));
        let mut shape =
            Self { points: at(*frames.first()?).collect(), variances_m2: vec![1.0; markers.len()] };
        for _ in 0..3 {
            let mut sums = vec![(Vector3::zeros(), 0.0); markers.len()];
            for t in &frames {
                let seen: Vec<Point3<f64>> = at(*t).collect();
                let pose = shape.place(&seen, &vec![1.0; markers.len()])?;
                for ((sum, squares), (seen, mean)) in
                    sums.iter_mut().zip(seen.iter().zip(&shape.points))
                {
                    let local = pose.inverse_transform_point(seen);
                    *sum += local.coords;
                    *squares += (local - mean).norm_squared();
                }
            }
            let count = frames.len() as f64;
            shape.points = sums.iter().map(|(sum, _)| Point3::from(sum / count)).collect();
            shape.variances_m2 =
                sums.iter().map(|(_, squares)| (squares / (3.0 * count)).max(1e-8)).collect();
        }
        Some(shape)
    }

    fn place(&self, seen: &[Point3<f64>], variances: &[f64]) -> Option<nalgebra::Isometry3<f64>> {
        let pair = |((point, seen), variance): ((&Point3<f64>, &Point3<f64>), &f64)| Pair {
            in_segment_m: *point,
            in_world_m: *seen,
            weight: variance.recip(),
        };
        let pairs = self.points.iter().zip(seen).zip(variances).map(pair);
        place(pairs).map(|placement| placement.world_from_segment)
    }

    fn keep(&self, part: &[usize], estimates: &mut [&mut Estimate]) {
        let frames: Range<usize> = 0..estimates[part[0]].positions_m.len();
        for frame in frames {
            let seen: Vec<Point3<f64>> =
                part.iter().map(|i| Point3::from(estimates[*i].positions_m[frame])).collect();
            let variances: Vec<f64> = part
                .iter()
                .zip(&self.variances_m2)
                .map(|(i, shape)| estimates[*i].variances_m2[frame] + shape)
                .collect();
            let Some(pose) = self.place(&seen, &variances) else { continue };
            for (index, i) in part.iter().enumerate() {
                let variance = estimates[*i].variances_m2[frame];
                let share = variance / (variance + self.variances_m2[index]);
                let fitted = (pose * self.points[index]).coords;
                let position = &mut estimates[*i].positions_m[frame];
                *position += (fitted - *position) * share;
            }
        }
    }
}
