//! Where the hand is, from the markers on its back.
//!
//! # Method
//! The rigid motion that brings the markers of the model nearest to those seen, however many there are. Where only two
//! are seen, the others are predicted ([`Predictor`]: on the circle that their distances leave).
//!
//! # Reference
//! A. Aristidou (2010) meets spheres about p and q with the plane of the palm, (5.1)–(5.7): centimetres off where noise
//! keeps them from meeting. [`spheres`](super::spheres) has that for comparison.

use nalgebra::{Isometry3, Matrix3, Matrix6, Point3, SMatrix, Vector3};

use super::model::{Model, Side};
use crate::error::{Error, Result};
use crate::predict::{self, Body, BodySegment, Case, Predictor};
use crate::rigid::{Pair, PlacementSums};

/// Translation and rotation of the palm about its origin, in its own frame: how they move a place of it.
pub(super) type PlaceJacobian = SMatrix<f64, 3, 6>;

/// The back of the hand.
#[derive(Debug, Clone)]
pub(super) struct Palm {
    side: Side,
    at_m: Vec<Point3<f64>>,
    noise_m: f64,
    predictor: Predictor,
    seen_m: Vec<Option<Point3<f64>>>,
    covariance: Matrix6<f64>,
}

/// Where the palm is in one frame, seen as a right hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct PalmPose {
    pub world_from_hand: Isometry3<f64>,
    /// Of translation and rotation in the frame of the hand.
    pub covariance: Matrix6<f64>,
    /// Whether a marker of it is predicted.
    pub is_predicted: bool,
    /// How far the markers are from their places, rms.
    pub rms_m: f64,
}

impl Palm {
    /// # Errors
    /// Fewer than three markers, or all of them on a line.
    pub fn new(model: &Model, rate_hz: f64, noise_m: f64) -> Result<Self> {
        let at_m: Vec<Point3<f64>> = model.markers.iter().map(|marker| marker.at_m).collect();
        if at_m.len() < 3 {
            return Err(Error::argument(format!(
                "markers on the back of the hand: need 3, got {}",
                at_m.len()
            )));
        }
        let mut sums = PlacementSums::default();
        at_m.iter().for_each(|at_m| {
            sums.add(&Pair { in_segment_m: *at_m, in_world_m: *at_m, weight: 1.0 });
        });
        if sums.place().is_none() || sums.width_m() < MIN_WIDTH_M {
            return Err(Error::argument(
                "markers on the back of the hand: need three that are not on a line",
            )
            .with_code("palm-collinear"));
        }
        let segment = BodySegment {
            markers: (0..at_m.len()).collect(),
            in_segment_m: Some(at_m.iter().map(|at_m| at_m.coords).collect()),
        };
        let body = Body { markers: at_m.len(), segments: vec![segment], joints: Vec::new() };
        let options = predict::Options { noise_m: noise_m.max(1e-6), ..Default::default() };
        let mut palm = Self {
            side: model.side,
            seen_m: vec![None; at_m.len()],
            predictor: Predictor::new(&body, rate_hz, options)?,
            covariance: Matrix6::identity(),
            noise_m,
            at_m,
        };
        let all = |_: usize| Some(noise_m * noise_m);
        palm.covariance = covariance_of(&palm.at_m, all).unwrap_or_else(Matrix6::identity);
        Ok(palm)
    }

    /// How sure the pose is when all markers are seen.
    pub fn covariance(&self) -> &Matrix6<f64> {
        &self.covariance
    }

    /// Where the hand is, from its markers as they are seen; `None` if two of three are lost.
    pub fn place(&mut self, seen_m: impl Fn(usize) -> Option<Point3<f64>>) -> Option<PalmPose> {
        let mut seen = 0;
        for (index, slot) in self.seen_m.iter_mut().enumerate() {
            *slot = seen_m(index).map(|at_m| Point3::from(self.side.mirrored(at_m.coords)));
            seen += usize::from(slot.is_some());
        }
        let samples = self.predictor.step(&self.seen_m, &[]);
        if seen < 2 {
            return None;
        }
        let mut sums = PlacementSums::default();
        for (index, at_m) in self.at_m.iter().enumerate() {
            let place = match self.seen_m[index] {
                Some(place_m) => Some((place_m, 1.0)),
                // A marker that others predict is worth less than one that is seen.
                None if seen < 3 => predicted(&samples[index], self.noise_m),
                None => None,
            };
            if let Some((in_world_m, weight)) = place {
                sums.add(&Pair { in_segment_m: *at_m, in_world_m, weight });
            }
        }
        let placement = sums.place()?;
        let covariance = if seen == self.at_m.len() {
            self.covariance
        } else {
            let variance_m2 = |index: usize| match self.seen_m[index] {
                Some(_) => Some(self.noise_m * self.noise_m),
                None if seen < 3 => predicted(&samples[index], self.noise_m)
                    .map(|(_, weight)| self.noise_m * self.noise_m / weight),
                None => None,
            };
            covariance_of(&self.at_m, variance_m2)?
        };
        Some(PalmPose {
            world_from_hand: placement.world_from_segment,
            covariance,
            is_predicted: seen < 3,
            rms_m: placement.rms_m,
        })
    }
}

/// How sure a pose is, from markers that are known so well.
fn covariance_of(
    at_m: &[Point3<f64>],
    variance_m2: impl Fn(usize) -> Option<f64>,
) -> Option<Matrix6<f64>> {
    let mut information = Matrix6::zeros();
    for (index, at_m) in at_m.iter().enumerate() {
        if let Some(variance_m2) = variance_m2(index) {
            let moves = place_jacobian(at_m);
            information += moves.transpose() * moves / variance_m2.max(1e-16);
        }
    }
    information.try_inverse()
}

/// Markers nearer to a line than this give no orientation that is worth anything.
const MIN_WIDTH_M: f64 = 2e-3;

/// A predicted marker and its weight against one that is seen.
fn predicted(sample: &predict::Sample, noise_m: f64) -> Option<(Point3<f64>, f64)> {
    let is_of_segment = matches!(sample.case, Case::OneMissing | Case::SeveralMissing);
    let variance_m2 = (sample.covariance_m2.trace() / 3.0).max(noise_m * noise_m).max(1e-12);
    let at_m = sample.position_m.filter(|_| is_of_segment)?;
    Some((at_m, (noise_m * noise_m / variance_m2).clamp(1e-6, 1.0)))
}

/// How a place of the palm moves with it.
pub(super) fn place_jacobian(at_m: &Point3<f64>) -> PlaceJacobian {
    let mut jacobian = PlaceJacobian::zeros();
    jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::identity());
    jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&-cross(&at_m.coords));
    jacobian
}

/// What an uncertain palm adds to a place that moves so with it: `moves` times the covariance times its transpose.
pub(super) fn carried(moves: &PlaceJacobian, covariance: &Matrix6<f64>) -> Matrix3<f64> {
    // Written out over plain columns: a product of matrices costs ten times as much, and every joint has one.
    let (moves, covariance) = (moves.as_slice(), covariance.as_slice());
    let mut half = [0.0; 18];
    for column in 0..6 {
        for k in 0..6 {
            for row in 0..3 {
                half[3 * column + row] += moves[3 * k + row] * covariance[6 * column + k];
            }
        }
    }
    let mut sum = [0.0; 9];
    for column in 0..3 {
        for k in 0..6 {
            for row in 0..3 {
                sum[3 * column + row] += half[3 * k + row] * moves[3 * k + column];
            }
        }
    }
    Matrix3::from_column_slice(&sum)
}

/// The matrix of a cross product.
fn cross(v: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}
