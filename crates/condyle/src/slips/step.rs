//! The step of a series at every instant, with its smooth change taken off.

use nalgebra::{SMatrix, SVector};

/// A cubic and a step.
const TERMS: usize = 5;

/// Fits x(τ) = a₀ + a₁τ + a₂τ² + a₃τ³ + z·H(τ) to the values about an instant, the one at the instant left out: it may be
/// half-way.
pub(super) struct Stepper {
    /// Values on either side.
    width: usize,
    /// What every value counts for z.
    kernel: Vec<f64>,
}

impl Stepper {
    pub fn new(width: usize) -> Self {
        let width = width.max(TERMS);
        let rows: Vec<SVector<f64, TERMS>> =
            (0..=2 * width).filter(|at| *at != width).map(|at| row(at, width)).collect();
        let normal: SMatrix<f64, TERMS, TERMS> = rows.iter().map(|row| row * row.transpose()).sum();
        let inverse = normal.try_inverse().unwrap_or_else(SMatrix::zeros);
        let mut kernel: Vec<f64> = rows.iter().map(|row| (inverse * row)[TERMS - 1]).collect();
        kernel.insert(width, 0.0);
        Self { width, kernel }
    }

    /// The step at every instant; `None` near the ends, and where a value is missing.
    pub fn steps(&self, series: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut steps = vec![None; self.width];
        steps.extend(series.windows(self.kernel.len()).map(|window| {
            let terms = window.iter().zip(&self.kernel);
            terms.map(|(value, weight)| Some(weight * (*value)?)).sum::<Option<f64>>()
        }));
        steps.resize(series.len(), None);
        steps
    }
}

fn row(at: usize, width: usize) -> SVector<f64, TERMS> {
    let t = (at as f64 - width as f64) / width as f64;
    SVector::from([1.0, t, t * t, t * t * t, if at > width { 1.0 } else { 0.0 }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_on_a_smooth_curve_is_measured_where_nothing_is_missing() {
        let value = |at: usize| {
            let step = if at > 50 { 0.01 } else { 0.0 };
            (at != 90).then(|| 0.3 * (0.04 * at as f64).sin() + step)
        };
        let series: Vec<Option<f64>> = (0..100).map(value).collect();
        let steps = Stepper::new(15).steps(&series);
        assert_eq!(steps.len(), 100);
        assert!((steps[50].unwrap() - 0.01).abs() < 1e-4, "{:?}", steps[50]);
        assert!(steps[70].unwrap().abs() < 1e-4);
        assert!(steps[3].is_none() && steps[80].is_none());
    }
}
