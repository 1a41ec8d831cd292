//! The hand measured: against the truth of simulated hands, and against markers that the tracker does not see.

pub mod baseline;
pub mod gaps;
pub mod person;
pub mod proportions;
pub mod recording;
pub mod simulated;
pub mod speed;

use condyle::statistics::{mean, quantile};

/// Errors of one thing, in millimetres, and how often an ellipsoid of 95 % held the truth.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The errors.
    pub errors_mm: Vec<f64>,
    /// How many ellipsoids held the truth.
    pub inside: usize,
}

/// The square of the radius of a 95 % ellipsoid in three dimensions, in standard deviations.
pub const WITHIN: f64 = 7.8147;

impl Tally {
    /// Adds an error.
    pub fn add(&mut self, error_mm: f64, is_inside: bool) {
        self.errors_mm.push(error_mm);
        self.inside += usize::from(is_inside);
    }

    /// Adds those of another.
    pub fn join(&mut self, other: &Self) {
        self.errors_mm.extend(&other.errors_mm);
        self.inside += other.inside;
    }

    /// A quantile of the errors; NaN of none.
    pub fn at_mm(&self, share: f64) -> f64 {
        quantile(self.errors_mm.iter().copied(), share).unwrap_or(f64::NAN)
    }

    /// Their mean; NaN of none.
    pub fn mean_mm(&self) -> f64 {
        mean(self.errors_mm.iter().copied()).unwrap_or(f64::NAN)
    }

    /// How many in a hundred ellipsoids held the truth.
    pub fn inside_percent(&self) -> f64 {
        100.0 * self.inside as f64 / self.errors_mm.len().max(1) as f64
    }
}
