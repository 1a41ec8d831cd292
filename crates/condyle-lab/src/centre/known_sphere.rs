//! How noisy a recording system is, from points on a sphere that is known: tests of what the library has.

pub use condyle::centre::known_sphere::{
    KnownSphereNoise, noise_on_known_sphere, trace_variance_of_variance,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spheres::Cap;
    use nalgebra::Point3;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn check_10_the_noise_from_the_distances_is_good_for_any_noise() {
        let cap = Cap { samples: 1000, theta_deg: 180.0, sigma: 0.001, ..Cap::default() };
        let centre = Point3::from(cap.centre);
        for seed in 0..20 {
            let points = cap.points(&mut ChaCha8Rng::seed_from_u64(seed));
            let found = noise_on_known_sphere(points.axes(), &centre, 1.0).unwrap();
            let sigma = found.radial_variance.sqrt();
            assert!((sigma / 0.001 - 1.0).abs() < 0.1, "{seed}: {sigma}");
        }
    }

    #[test]
    fn check_13_the_spread_of_the_noise_on_a_known_sphere() {
        /// Enough that a variance is known to 1.6 %.
        const TRIALS: u64 = 8000;
        for sigma in [0.01, 0.2] {
            let cap = Cap { samples: 100, theta_deg: 180.0, sigma, ..Cap::default() };
            let centre = Point3::from(cap.centre);
            let (mut sum, mut square) = (0.0, 0.0);
            for seed in 0..TRIALS {
                let points = cap.points(&mut ChaCha8Rng::seed_from_u64(seed));
                let found = noise_on_known_sphere(points.axes(), &centre, 1.0).unwrap();
                sum += found.trace_variance;
                square += found.trace_variance.powi(2);
            }
            let trials = TRIALS as f64;
            let variance = square / trials - (sum / trials).powi(2);
            let predicted = trace_variance_of_variance(sigma, 1.0, 100);
            assert!((variance / predicted - 1.0).abs() < 0.05, "(190): {variance:e} {predicted:e}");
            let off = (sum / trials - sigma * sigma) / (predicted / trials).sqrt();
            assert!(off.abs() < 4.0, "(177) is unbiased: {off} standard errors");
        }
    }

    #[test]
    fn what_is_not_finite_has_no_noise() {
        let origin = Point3::origin();
        for (x, radius) in
            [(None, 1.0), (Some(f64::NAN), 1.0), (Some(1e300), 1.0), (Some(1.0), f64::INFINITY)]
        {
            let x: Vec<f64> = x.into_iter().collect();
            let zeros = vec![0.0; x.len()];
            assert!(noise_on_known_sphere([&x, &zeros, &zeros], &origin, radius).is_none());
        }
    }
}
