//! A signal in a window as a polynomial about the window's middle.
//!
//! # Reference
//! J. K. Knight (2008), *Rotation points from motion capture data using a closed form solution*, section 7.4: the
//! window of the Graphs tab, in which a Taylor expansion is fitted.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::statistics;

/// More powers than these a window does not show.
pub const MAX_ORDER: usize = 20;

/// A polynomial Σ cₖ (t - t₀)ᵏ fitted to a signal in a window.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Taylor {
    /// cₖ, in the signal's unit over sᵏ; times k! the derivatives at the middle.
    pub coefficients: Vec<f64>,
    /// The middle of the window, in seconds from the first sample.
    pub centre_s: f64,
    /// The signal against the polynomial in the window, root mean square.
    pub residual: f64,
    /// The same in the window of the same length that follows: how well it predicts. `None` where nothing follows.
    pub next: Option<f64>,
    /// The polynomial in every sample of the window.
    pub fitted: Vec<f64>,
}

impl Taylor {
    /// Fits by least squares; samples that are no number are passed over.
    ///
    /// # Method
    /// The powers of u, the time from -1 to 1 over the window, are made orthogonal over the samples by Gram and
    /// Schmidt, twice, which keeps the digits that normal equations lose.
    ///
    /// # Errors
    /// A window beyond the signal, a rate that is not positive, an order above [`MAX_ORDER`], or fewer samples than
    /// coefficients.
    pub fn fit(values: &[f64], rate_hz: f64, window: Range<usize>, order: usize) -> Result<Self> {
        if window.end > values.len() || window.is_empty() {
            let (all, Range { start, end }) = (values.len(), window);
            let what = format!("window: need a stretch within 0 to {all}, got {start} to {end}");
            return Err(Error::argument(what));
        }
        if !(rate_hz > 0.0 && rate_hz.is_finite()) {
            return Err(Error::argument(format!("rate: need a positive number, got {rate_hz}")));
        }
        if order > MAX_ORDER {
            let what = format!("order: need at most {MAX_ORDER}, got {order}");
            return Err(Error::argument(what));
        }
        let middle = 0.5 * (window.start + window.end - 1) as f64;
        let half = (0.5 * (window.len() - 1) as f64).max(0.5);
        let unit = |sample: usize| (sample as f64 - middle) / half;
        let seen: Vec<usize> =
            window.clone().filter(|sample| values[*sample].is_finite()).collect();
        if seen.len() <= order {
            let (need, got) = (order + 1, seen.len());
            return Err(Error::undetermined(format!(
                "samples: need {need} in the window, got {got}"
            )));
        }
        let times: Vec<f64> = seen.iter().map(|sample| unit(*sample)).collect();
        let mut rest: Vec<f64> = seen.iter().map(|sample| values[*sample]).collect();
        let in_units = least_squares(&times, &mut rest, order);
        let value = |sample: usize| horner(&in_units, unit(sample));
        let off = |range: Range<usize>| {
            let range = range.filter(|sample| values[*sample].is_finite());
            statistics::rms(range.map(|sample| values[sample] - value(sample)))
        };
        let after = window.end..(window.end + window.len()).min(values.len());
        let per_s = rate_hz / half;
        let powers = (0..).map(|power| per_s.powi(power));
        Ok(Self {
            coefficients: in_units.iter().zip(powers).map(|(c, power)| c * power).collect(),
            centre_s: middle / rate_hz,
            residual: off(window.clone()).unwrap_or(0.0),
            next: off(after),
            fitted: window.map(value).collect(),
        })
    }
}

/// The coefficients of the polynomial through `rest`, from which it is taken away.
fn least_squares(times: &[f64], rest: &mut [f64], order: usize) -> Vec<f64> {
    // Orthogonal vectors, and each as a polynomial.
    let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let mut sum = vec![0.0; order + 1];
    for power in 0..=order {
        let mut vector: Vec<f64> = times.iter().map(|t| t.powi(power as i32)).collect();
        let mut polynomial = vec![0.0; order + 1];
        polynomial[power] = 1.0;
        for _ in 0..2 {
            for (other, of_other) in &basis {
                let share = dot(&vector, other);
                take(&mut vector, share, other);
                take(&mut polynomial, share, of_other);
            }
        }
        let length = dot(&vector, &vector).sqrt();
        vector.iter_mut().chain(&mut polynomial).for_each(|number| *number /= length);
        let share = dot(rest, &vector);
        take(rest, share, &vector);
        take(&mut sum, -share, &polynomial);
        basis.push((vector, polynomial));
    }
    sum
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn take(from: &mut [f64], share: f64, what: &[f64]) {
    from.iter_mut().zip(what).for_each(|(from, what)| *from -= share * what);
}

fn horner(coefficients: &[f64], at: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * at + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_polynomial_is_its_own_expansion_and_predicts_itself() {
        // 1 + 2 (t - 0.5) - 3 (t - 0.5)³ at 100 Hz, a sample missing.
        let signal = |i: usize| {
            let t = i as f64 / 100.0 - 0.5;
            1.0 + 2.0 * t - 3.0 * t.powi(3)
        };
        let mut values: Vec<f64> = (0..200).map(signal).collect();
        values[33] = f64::NAN;
        let fit = Taylor::fit(&values, 100.0, 0..101, 3).unwrap();
        for (found, wanted) in fit.coefficients.iter().zip([1.0, 2.0, 0.0, -3.0]) {
            assert!((found - wanted).abs() < 1e-9, "{:?}", fit.coefficients);
        }
        assert_eq!((fit.centre_s, fit.fitted.len()), (0.5, 101));
        assert!(fit.residual < 1e-12 && fit.next.unwrap() < 1e-9);
        // A line through it leaves something, in the window and after it.
        let line = Taylor::fit(&values, 100.0, 0..101, 1).unwrap();
        assert!(line.residual > 0.05 && line.next.unwrap() > line.residual);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let error = |rate_hz, window, order| {
            Taylor::fit(&[1.0, f64::NAN, 3.0], rate_hz, window, order).unwrap_err().to_string()
        };
        assert_eq!(error(100.0, 0..4, 1), "window: need a stretch within 0 to 3, got 0 to 4");
        assert_eq!(error(100.0, 0..3, 2), "samples: need 3 in the window, got 2");
        assert!(error(0.0, 0..3, 1).starts_with("rate: "));
        assert!(error(100.0, 0..3, 21).starts_with("order: "));
        assert_eq!(Taylor::fit(&[5.0], 1.0, 0..1, 0).unwrap().coefficients, [5.0]);
    }

    proptest! {
        #[test]
        fn polynomials_up_to_the_order_come_back(
            coefficients in proptest::collection::vec(-1.0..1.0, 1..8),
            start in 0..50_usize,
            more in 0..60_usize,
        ) {
            let window = start..start + coefficients.len() + 2 + more;
            let (middle, half) = (0.5 * (window.start + window.end - 1) as f64, 0.5 * (window.len() - 1) as f64);
            // At as many samples a second as the window is long, its half is a unit of time.
            let values: Vec<f64> =
                (0..200).map(|i| horner(&coefficients, (f64::from(i) - middle) / half)).collect();
            let fit = Taylor::fit(&values, half, window, coefficients.len() - 1).unwrap();
            for (found, wanted) in fit.coefficients.iter().zip(&coefficients) {
                prop_assert!((found - wanted).abs() < 1e-9);
            }
        }
    }
}
