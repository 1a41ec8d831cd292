//! How much neighbouring frames say the same, and what that does to error bars.

use nalgebra::{SMatrix, SVector};

/// Σ g gᵀ over the frames, times (1 + ρ)/(1 - ρ), and that factor.
///
/// ρ is how far each contribution g resembles the one of the frame before. Noise of the cameras is new in
/// every frame, but skin slides slowly: then many frames are worth few. A ρ within what chance gives
/// counts as none, and a negative one never makes the error smaller.
pub(crate) fn meat<const D: usize>(
    contributions: impl Iterator<Item = SVector<f64, D>>,
) -> (SMatrix<f64, D, D>, f64) {
    let mut sum = SMatrix::<f64, D, D>::zeros();
    let (mut alike, mut count) = (0.0, 0.0);
    let mut before = SVector::<f64, D>::zeros();
    for g in contributions {
        sum += g * g.transpose();
        alike += g.dot(&before);
        before = g;
        count += 1.0;
    }
    let inflation = inflation(alike / sum.trace().max(f64::MIN_POSITIVE), count);
    (sum * inflation, inflation)
}

/// (1 + ρ)/(1 - ρ) for the correlation ρ of neighbours among so many values.
pub(crate) fn inflation(rho: f64, count: f64) -> f64 {
    if rho.is_nan() || rho <= 3.0 / count.max(1.0).sqrt() {
        return 1.0;
    }
    ((1.0 + rho) / (1.0 - rho).max(f64::EPSILON)).min(count / 4.0).max(1.0)
}

/// The same factor for plain numbers about zero.
pub(crate) fn inflation_of(values: &[f64]) -> f64 {
    let square: f64 = values.iter().map(|v| v * v).sum();
    let alike: f64 = values.windows(2).map(|pair| pair[0] * pair[1]).sum();
    inflation(alike / square.max(f64::MIN_POSITIVE), values.len() as f64)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    #[test]
    fn white_noise_is_left_alone_and_slow_noise_inflated() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let white: Vec<f64> = (0..4000).map(|_| StandardNormal.sample(&mut random)).collect();
        assert_eq!(inflation_of(&white), 1.0);
        let mut slow = white.clone();
        for k in 1..slow.len() {
            slow[k] += 0.9 * slow[k - 1];
        }
        let factor = inflation_of(&slow);
        assert!((15.0..24.0).contains(&factor), "{factor}");
        assert!(inflation_of(&[0.0; 9]).is_finite());
    }
}
