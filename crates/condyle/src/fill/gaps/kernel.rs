//! How alike two frames are: by pose, and by time.
//!
//! # Method
//! k = σₗ² (1 + z·z') + σᵣ² exp(-|z - z'|² / 2ℓ²) + σₜ² (1 + a) exp(-a), a = √3 |t - t'| / τ, and noise σₙ² on the
//! diagonal. The first two terms carry what the pose tells through long gaps; the third joins what is seen at both ends.
//!
//! # Reference
//! C. E. Rasmussen, C. K. I. Williams (2006), *Gaussian Processes for Machine Learning*, chapters 2 and 4.
#![allow(clippy::needless_range_loop, reason = "several slices of one length, side by side")]

use super::lanes::exp_negative;
use super::maximise::Pairs;

/// How many numbers a kernel has.
pub const PARAMETERS: usize = 6;

/// The numbers of a kernel: metres and seconds; ℓ is in units of the features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernel {
    /// σₗ, the size of what is linear in the pose.
    pub linear_m: f64,
    /// σᵣ, the size of what is smooth in the pose.
    pub smooth_m: f64,
    /// ℓ, over which that changes.
    pub length: f64,
    /// σₜ, the size of what is smooth in time.
    pub time_m: f64,
    /// τ, over which that changes.
    pub time_s: f64,
    /// σₙ, the noise.
    pub noise_m: f64,
}

impl Kernel {
    /// From the numbers in order.
    pub fn from_array([linear_m, smooth_m, length, time_m, time_s, noise_m]: [f64; 6]) -> Self {
        Self { linear_m, smooth_m, length, time_m, time_s, noise_m }
    }

    /// The covariance of two frames, from the inner product and the squared distance of their features and the time
    /// between them; without noise.
    #[inline(always)]
    pub fn between(&self, product: f64, square: f64, time_s: f64) -> f64 {
        let a = 3f64.sqrt() * time_s / self.time_s;
        self.linear_m * self.linear_m * (1.0 + product)
            + self.smooth_m
                * self.smooth_m
                * exp_negative(-0.5 * square / (self.length * self.length))
            + self.time_m * self.time_m * (1.0 + a) * exp_negative(-a)
    }

    /// The covariance of frames, with noise: the upper triangle, by rows.
    #[inline(always)]
    pub fn matrix(&self, pairs: &Pairs) -> Vec<f64> {
        let n = pairs.size;
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            for at in i * n + i..(i + 1) * n {
                matrix[at] = self.between(pairs.product[at], pairs.square[at], pairs.time_s[at]);
            }
            matrix[i * n + i] += self.noise_m * self.noise_m;
        }
        matrix
    }

    /// The variance of a frame with features of this square, without noise.
    pub fn variance(&self, square: f64) -> f64 {
        self.between(square, 0.0, 0.0)
    }
}
