//! Fingers that are all but straight: a tip hardly moves while its finger begins to bend, so noise would bend it.
//!
//! # Method
//! The distance d of the tip from the base tells the driving angle θ by d = D(θ), which is flat where the finger is
//! straight. With every legal angle as likely as any other, and noise σ of the distance, the angle to be expected is
//! E[θ|d] = ∫θ exp(-(d-D(θ))²/2σ²)dθ / ∫exp(-(d-D(θ))²/2σ²)dθ, and its standard deviation is that of the same density.
//! Both are tabulated; farther from straight they are those of the root itself.

use super::chain::Chain;

/// The table begins so many σ beyond the straight finger and ends so many before it.
const BEYOND: f64 = 4.0;
const BEFORE: f64 = 28.0;
/// Entries of the table for each σ.
const PER_NOISE: f64 = 4.0;
/// Angles over which it is integrated.
const ANGLES: usize = 600;
/// At the end of the table it goes over into the root.
const BLEND: f64 = 8.0;

/// The table; empty where the noise is not known.
#[derive(Debug, Clone, Default)]
pub(super) struct Straight {
    noise_m: f64,
    farthest_m: f64,
    /// The angle to be expected and its standard deviation.
    entries: Vec<[f64; 2]>,
}

impl Straight {
    /// The table of a finger for the noise of the distance of its tip.
    pub fn of(chain: &Chain, noise_m: f64) -> Self {
        let farthest_m = chain.reach_m[0];
        if noise_m.is_nan() || noise_m <= 1e-9 {
            return Self::default();
        }
        let [least, most] = chain.legal_range();
        let angles: Vec<[f64; 2]> = (0..ANGLES)
            .map(|step| {
                let angle = least + (most - least) * (step as f64 + 0.5) / ANGLES as f64;
                [angle, chain.square_m2(angle).0.sqrt()]
            })
            .collect();
        let count = ((BEYOND + BEFORE) * PER_NOISE) as usize + 1;
        let entries = (0..count).map(|entry| {
            let wanted_m = farthest_m + noise_m * (BEYOND - entry as f64 / PER_NOISE);
            let log = |at: &[f64; 2]| -0.5 * ((wanted_m - at[1]) / noise_m).powi(2);
            let largest = angles.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
            let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
            for at in &angles {
                let weight = (log(at) - largest).exp();
                sum += weight;
                first += weight * at[0];
                second += weight * at[0] * at[0];
            }
            let mean = first / sum;
            [mean, (second / sum - mean * mean).max(0.0).sqrt()]
        });
        Self { noise_m, farthest_m, entries: entries.collect() }
    }

    /// The angle to be expected for a distance whose root is known, and its standard deviation; `None` far from straight.
    #[inline]
    pub fn expected(&self, distance_m: f64, root_rad: f64) -> Option<[f64; 2]> {
        if self.entries.is_empty() {
            return None;
        }
        let before = (self.farthest_m - distance_m) / self.noise_m;
        if before >= BEFORE {
            return None;
        }
        let at = ((before + BEYOND) * PER_NOISE).clamp(0.0, (self.entries.len() - 2) as f64);
        let entry = at as usize;
        let share = (at - entry as f64).min(1.0);
        let [a, b] = [self.entries[entry], self.entries[entry + 1]];
        let [mean, sd] = [0, 1].map(|i| a[i] + share * (b[i] - a[i]));
        let own = ((BEFORE - before) / BLEND).clamp(0.0, 1.0);
        Some([root_rad + own * (mean - root_rad), sd])
    }
}
