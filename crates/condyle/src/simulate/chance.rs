//! Random streams: the same for the same seed, on every machine, each for one purpose.

use nalgebra::Vector3;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// What a random stream is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    Motion,
    Noise,
    Skin,
    Mount,
    Occlusion,
    Dropout,
    Swap,
    Slip,
    Moved,
    Keypoints,
}

/// The stream for a purpose and a performer.
pub(super) fn stream(seed: u64, purpose: Purpose, performer: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(((performer as u64) << 8) | purpose as u64);
    rng
}

/// A vector of independent normal numbers.
pub(super) fn normal_vector(rng: &mut impl Rng, sd: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| {
        let value: f64 = StandardNormal.sample(rng);
        sd * value
    })
}
