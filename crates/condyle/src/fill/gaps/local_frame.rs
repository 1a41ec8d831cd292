//! The frame that moves with some markers: their mean shape, and where it is in each frame.

use nalgebra::{Isometry3, Point3, Vector3};

use super::neighbours::Neighbour;
use super::tracks::Tracks;
use crate::rigid::{Pair, Template, place};

/// The spread that even rigid neighbours are taken to have, in metres.
pub const SPREAD_FLOOR_M: f64 = 1e-3;
/// The mean shape is taken of at most so many frames.
const SHAPE_FRAMES: usize = 200;
/// Rounds of aligning to the mean and taking the mean again.
const SHAPE_ROUNDS: usize = 3;

/// Markers and their mean shape.
#[derive(Debug, Clone)]
pub struct LocalFrame {
    markers: Vec<usize>,
    template: Template,
}

impl LocalFrame {
    /// The frame of some neighbours, which are all seen in `frames`.
    ///
    /// `None` if they are on a line, or if there is nothing to learn from.
    ///
    /// # Method
    /// Generalised Procrustes: every frame is aligned to the mean shape, weights 1 / (s² + s₀²) for the spread s of a
    /// neighbour, and the mean is taken again.
    ///
    /// # Reference
    /// J. C. Gower (1975), *Generalized Procrustes analysis*.
    pub fn of(tracks: &Tracks, neighbours: &[Neighbour], frames: &[usize]) -> Option<Self> {
        let markers: Vec<usize> = neighbours.iter().map(|n| n.marker).collect();
        let weight = |n: &Neighbour| (n.spread_m.powi(2) + SPREAD_FLOOR_M.powi(2)).recip();
        let weights: Vec<f64> = neighbours.iter().map(weight).collect();
        let at = |frame: usize, index: usize| tracks.positions_m[markers[index]][frame];
        let first = *frames.first()?;
        let mut shape: Vec<Vector3<f64>> = (0..markers.len()).map(|i| at(first, i)).collect();
        let stride = frames.len().div_ceil(SHAPE_FRAMES);
        for _ in 0..SHAPE_ROUNDS {
            centre(&mut shape, &weights);
            let mut sum = vec![Vector3::zeros(); shape.len()];
            for frame in frames.iter().step_by(stride) {
                let pair = |i: usize| Pair {
                    in_segment_m: shape[i].into(),
                    in_world_m: at(*frame, i).into(),
                    weight: weights[i],
                };
                let pose = place((0..shape.len()).map(pair))?.world_from_segment;
                for (i, sum) in sum.iter_mut().enumerate() {
                    *sum += pose.inverse_transform_point(&at(*frame, i).into()).coords;
                }
            }
            let count = frames.iter().step_by(stride).count() as f64;
            shape.iter_mut().zip(sum).for_each(|(mean, sum)| *mean = sum / count);
        }
        centre(&mut shape, &weights);
        let points: Vec<(Point3<f64>, f64)> =
            shape.iter().map(|p| Point3::from(*p)).zip(weights).collect();
        Some(Self { markers, template: Template::new(&points) })
    }

    /// Where the markers are in a frame; `None` if one of them is not seen.
    pub fn pose(&self, tracks: &Tracks, frame: usize) -> Option<Isometry3<f64>> {
        self.pose_of(|marker| tracks.at(marker, frame).map(Point3::from))
    }

    /// The same, from where each marker is.
    pub fn pose_of(&self, at: impl Fn(usize) -> Option<Point3<f64>>) -> Option<Isometry3<f64>> {
        let seen = self.markers.iter().map(|marker| at(*marker));
        Some(self.template.gather(seen)?.place()?.world_from_segment)
    }
}

/// Moves points so that their weighted mean is the origin.
fn centre(shape: &mut [Vector3<f64>], weights: &[f64]) {
    let sum: Vector3<f64> = shape.iter().zip(weights).map(|(p, w)| p * *w).sum();
    let mean = sum / weights.iter().sum::<f64>();
    shape.iter_mut().for_each(|p| *p -= mean);
}
