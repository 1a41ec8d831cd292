//! Numbers drawn for a person.

use nalgebra::{Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// No draw is farther from its mean than this many standard deviations.
const MAX_SDS: f64 = 2.5;

/// A stream of draws.
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A normal number about zero, its tails cut.
    pub fn normal(&mut self, sd: f64) -> f64 {
        loop {
            let value: f64 = StandardNormal.sample(&mut self.0);
            if value.abs() <= MAX_SDS {
                return sd * value;
            }
        }
    }

    /// A mean that varies by a share of itself.
    pub fn share(&mut self, mean: f64, sd_share: f64) -> f64 {
        mean * self.normal(sd_share).exp()
    }

    /// A number between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    /// Whether something happens that has this probability.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.0.random::<f64>() < probability
    }

    /// A place, with a standard deviation for each axis.
    pub fn place(&mut self, mean: [f64; 3], sd: [f64; 3]) -> Point3<f64> {
        Point3::from(Vector3::from_fn(|i, _| mean[i] + self.normal(sd[i])))
    }
}
