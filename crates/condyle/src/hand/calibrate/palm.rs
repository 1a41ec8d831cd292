//! The shape that the markers on the back of the hand keep.

use nalgebra::{Isometry3, Point3};

use crate::error::{Error, Result};
use crate::rigid::{Pair, place};

/// Markers on the back of a hand are so far apart, from those of a doll's to those of a giant's.
const APART_M: [f64; 2] = [5e-3, 0.5];
/// Passes in which the mean shape settles.
const PASSES: usize = 3;

/// The markers on the back in a frame of their own, about their middle.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    columns: Vec<usize>,
    pub at_m: Vec<Point3<f64>>,
}

impl Shape {
    /// # Errors
    /// No frame shows them all, or they are on a line.
    pub fn learn(frames: &[Vec<Option<Point3<f64>>>], columns: &[usize]) -> Result<Self> {
        let all = |frame: &Vec<Option<Point3<f64>>>| {
            columns.iter().map(|column| frame.get(*column).copied().flatten()).collect()
        };
        let whole: Vec<Vec<Point3<f64>>> = frames.iter().filter_map(all).collect();
        let Some(first) = whole.first() else {
            return Err(Error::undetermined(
                "markers on the back of the hand: need a frame that shows them all, got none",
            ));
        };
        let apart_m = first.iter().flat_map(|a| first.iter().map(move |b| (a - b).norm()));
        let apart_m = apart_m.fold(0.0, f64::max);
        if !(APART_M[0]..=APART_M[1]).contains(&apart_m) {
            let [least, most] = APART_M.map(|m| m * 1e3);
            return Err(Error::undetermined(format!(
                "markers on the back of the hand: need them {least} to {most} mm apart, got {:.1} mm: is it in metres?",
                apart_m * 1e3
            )));
        }
        let middle = first.iter().fold(nalgebra::Vector3::zeros(), |sum, p| sum + p.coords)
            / first.len() as f64;
        let mut shape =
            Self { columns: columns.to_vec(), at_m: first.iter().map(|p| p - middle).collect() };
        for _ in 0..PASSES {
            let mut sums = vec![nalgebra::Vector3::zeros(); columns.len()];
            let mut count = 0.0;
            for points in &whole {
                let Some(pose) = shape.place_points(points.iter().map(|p| Some(*p))) else {
                    continue;
                };
                count += 1.0;
                let back = pose.inverse();
                sums.iter_mut().zip(points).for_each(|(sum, p)| *sum += (back * p).coords);
            }
            if count == 0.0 {
                return Err(Error::undetermined(
                    "markers on the back of the hand: need three that are not on a line",
                )
                .with_code("palm-collinear"));
            }
            shape.at_m = sums.into_iter().map(|sum| Point3::from(sum / count)).collect();
        }
        Ok(shape)
    }

    fn place_points(
        &self,
        points: impl Iterator<Item = Option<Point3<f64>>>,
    ) -> Option<Isometry3<f64>> {
        let pairs = self.at_m.iter().zip(points).filter_map(|(at_m, point)| {
            Some(Pair { in_segment_m: *at_m, in_world_m: point?, weight: 1.0 })
        });
        Some(place(pairs)?.world_from_segment)
    }

    /// Where the shape is in a frame of a recording.
    pub fn place(&self, frame: &[Option<Point3<f64>>]) -> Option<Isometry3<f64>> {
        self.place_points(self.columns.iter().map(|column| frame.get(*column).copied().flatten()))
    }
}
