//! Polynomials fitted to a window.

use super::taylor::TaylorWindow;

/// A polynomial about the middle of a window, and how well it fits.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowFit {
    /// a₀, a₁, … of Σ aᵢ(t−t₀)ⁱ.
    pub coefficients: Vec<f64>,
    /// The middle of the window.
    pub centre_s: f64,
    /// The rms of what it leaves.
    pub residual_rms: f64,
}

/// Fits a polynomial of an order to samples of a window; `None` of fewer samples than coefficients, or samples at fewer
/// times than that.
///
/// # Method
/// Least squares in s = (t − t₀)/h, in polynomials that are orthogonal over the samples (Forsythe 1957, *Generation and
/// use of orthogonal polynomials for data-fitting*), then turned into powers of t − t₀.
pub fn fit_window(samples: &[(f64, f64)], span_s: [f64; 2], order: usize) -> Option<WindowFit> {
    let count = samples.len();
    if count <= order {
        return None;
    }
    let centre_s = 0.5 * (span_s[0] + span_s[1]);
    let half_s = 0.5 * (span_s[1] - span_s[0]);
    if !(half_s > 0.0 && half_s.is_finite()) {
        return None;
    }
    let s: Vec<f64> = samples.iter().map(|(time_s, _)| (time_s - centre_s) / half_s).collect();
    let mut rest: Vec<f64> = samples.iter().map(|(_, value)| *value).collect();
    // Values of the last two orthogonal polynomials at the samples, and their powers of s.
    let mut last = vec![0.0; count];
    let mut own = vec![1.0; count];
    let mut last_powers = vec![0.0; order + 1];
    let mut own_powers = vec![0.0; order + 1];
    own_powers[0] = 1.0;
    let mut powers = vec![0.0; order + 1];
    let mut last_square = 1.0;
    for degree in 0..=order {
        let square: f64 = own.iter().map(|p| p * p).sum();
        if square <= 1e-20 * count as f64 {
            return None;
        }
        let share = own.iter().zip(&rest).map(|(p, r)| p * r).sum::<f64>() / square;
        rest.iter_mut().zip(&own).for_each(|(r, p)| *r -= share * p);
        powers.iter_mut().zip(&own_powers).for_each(|(sum, p)| *sum += share * p);
        if degree == order {
            break;
        }
        let shift = own.iter().zip(&s).map(|(p, s)| s * p * p).sum::<f64>() / square;
        let back = if degree == 0 { 0.0 } else { square / last_square };
        let next: Vec<f64> = (0..count).map(|i| (s[i] - shift) * own[i] - back * last[i]).collect();
        let mut next_powers: Vec<f64> =
            (0..=order).map(|i| -shift * own_powers[i] - back * last_powers[i]).collect();
        for i in 0..order {
            next_powers[i + 1] += own_powers[i];
        }
        (last, own) = (own, next);
        (last_powers, own_powers) = (own_powers, next_powers);
        last_square = square;
    }
    let residual_rms = (rest.iter().map(|r| r * r).sum::<f64>() / count as f64).sqrt();
    let mut scale = 1.0;
    for power in &mut powers {
        *power *= scale;
        scale /= half_s;
    }
    Some(WindowFit { coefficients: powers, centre_s, residual_rms })
}

/// The rms by which a polynomial misses samples outside its window: what Knight (2008, 7.4.4) calls predictive-ness.
pub fn prediction_rms(window: &TaylorWindow, samples: &[(f64, f64)]) -> Option<f64> {
    if samples.is_empty() {
        return None;
    }
    let off = samples.iter().map(|(time_s, value)| (window.value(*time_s) - value).powi(2));
    Some((off.sum::<f64>() / samples.len() as f64).sqrt())
}
