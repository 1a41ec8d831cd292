//! The part of a residual that is no noise: it comes back after noise has been forgotten.

use nalgebra::Vector3;

/// So many frames later even noise that a filter smoothed is forgotten, but what follows a motion is not.
const LAG: usize = 15;
/// Beyond chance by so many standard errors.
const MIN_STANDARD_ERRORS: f64 = 3.0;

/// The share of the mean square of residuals that follows the motion, if it is beyond chance: skin, a bent field,
/// a centre that wanders.
///
/// # Method
/// With ρ_k the correlation of residuals k frames apart, noise that each frame has anew has ρ_1 = 0, and noise that a
/// filter smoothed ρ_15 = ρ_1¹⁵. If ρ_15 is beyond that, what is not new in every frame, ρ_1, follows the motion.
pub(crate) fn slow_share(residuals: &[Option<Vector3<f64>>]) -> f64 {
    let square: f64 = residuals.iter().flatten().map(Vector3::norm_squared).sum();
    let seen = residuals.iter().flatten().count();
    if square <= 0.0 || seen <= 4 * LAG {
        return 0.0;
    }
    let alike = |lag: usize| {
        let both = residuals.iter().zip(&residuals[lag..]);
        let pairs = both.filter_map(|(one, other)| Some(one.as_ref()?.dot(other.as_ref()?)));
        let (sum, count) = pairs.fold((0.0, 0.0), |(sum, count), dot| (sum + dot, count + 1.0));
        sum / f64::max(count, 1.0) * seen as f64 / square
    };
    let near = alike(1).clamp(0.0, 1.0);
    let beyond = alike(LAG) - near.powi(LAG as i32);
    // Three coordinates a frame; frames that resemble each other are worth fewer.
    let worth = 3.0 * seen as f64 * (1.0 - near) / (1.0 + near);
    if beyond > MIN_STANDARD_ERRORS / worth.max(1.0).sqrt() { near } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    #[test]
    fn noise_has_no_slow_share_and_what_follows_a_motion_has() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let mut normal = || -> Vector3<f64> {
            Vector3::from_fn(|_, _| Distribution::<f64>::sample(&StandardNormal, &mut random))
        };
        let (mut alarms, mut shares) = (0, Vec::new());
        for trial in 0..50 {
            let mut before = Vector3::zeros();
            let smooth: f64 = if trial % 2 == 0 { 0.0 } else { 0.8 };
            let noise: Vec<Vector3<f64>> = (0..1350)
                .map(|_| {
                    before = before * smooth + normal() * (1.0 - smooth * smooth).sqrt();
                    before
                })
                .collect();
            let plain: Vec<_> = noise.iter().copied().map(Some).collect();
            alarms += usize::from(slow_share(&plain) > 0.0);
            // A variance of 0.5 beside 3: 0.143 of the whole.
            let slow = |k: usize| Vector3::x() * (k as f64 * 0.04).sin();
            let both: Vec<_> = noise.iter().enumerate().map(|(k, e)| Some(e + slow(k))).collect();
            if trial % 2 == 0 {
                shares.push(slow_share(&both));
            }
        }
        assert!(alarms <= 2, "{alarms} of 50");
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!((0.12..0.17).contains(&mean), "{shares:?}");
    }
}
