//! Moments of points that do not all count the same.

use nalgebra::{SMatrix, SVector, Vector3};

use super::shift;

/// Central moments of weighted points; with equal weights the same as [`super::Moments`].
///
/// A weight is proportional to the inverse of the sample's noise variance; only the ratios matter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedMoments<const D: usize> {
    /// How many points have a weight above zero.
    pub samples: usize,
    /// Σ w.
    pub weight: f64,
    /// Σ w².
    pub weight_squared: f64,
    /// Σ w x / Σ w.
    pub mean: SVector<f64, D>,
    /// Σ w d dᵀ.
    pub a: SMatrix<f64, D, D>,
    /// Σ w d |d|².
    pub t: SVector<f64, D>,
    /// Σ w |d|⁴.
    pub q: f64,
}

impl<const D: usize> Default for WeightedMoments<D> {
    fn default() -> Self {
        Self {
            samples: 0,
            weight: 0.0,
            weight_squared: 0.0,
            mean: SVector::zeros(),
            a: SMatrix::zeros(),
            t: SVector::zeros(),
            q: 0.0,
        }
    }
}

impl WeightedMoments<3> {
    /// The moments of points given by one slice an axis, with a weight each.
    pub fn of(points: [&[f64]; 3], weights: &[f64]) -> Self {
        let [xs, ys, zs] = points;
        let mut total = Self::default();
        for (((x, y), z), weight) in xs.iter().zip(ys).zip(zs).zip(weights) {
            total.push(&Vector3::new(*x, *y, *z), *weight);
        }
        total
    }
}

impl<const D: usize> WeightedMoments<D> {
    /// Adds one point; a weight that is not above zero adds nothing.
    pub fn push(&mut self, point: &SVector<f64, D>, weight: f64) {
        // A weight that is not a number must not pass either.
        if weight.is_nan() || weight <= 0.0 {
            return;
        }
        let before = self.weight;
        self.weight += weight;
        let e = (point - self.mean) * (weight / self.weight);
        let d = (point - self.mean) * (before / self.weight);
        shift(before, &e, &mut self.mean, (&mut self.a, &mut self.t, &mut self.q));
        let square = d.norm_squared();
        self.q += weight * square * square;
        self.t += d * (weight * square);
        self.a += d * d.transpose() * weight;
        self.weight_squared += weight * weight;
        self.samples += 1;
    }

    /// How many equally good samples would tell as much: (Σ w)² / Σ w².
    pub fn effective_samples(&self) -> f64 {
        self.weight * self.weight / self.weight_squared
    }
}
