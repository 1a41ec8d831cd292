//! Check 5: GDKE has the bias that (101) says, UGDK has none.

use super::trials::Trials;
use super::*;
use nalgebra::Matrix3;

/// (101): ½[(C₀ + Σ)⁻¹ - C₀⁻¹]S₀, for the true points of a seed.
pub fn predicted_bias(experiment: &Cap, seed: u64) -> Vector3<f64> {
    let truth = Moments::<3>::from_points(Cap { sigma: 0.0, ..*experiment }.points(seed).axes());
    let (c, s) = (truth.covariance(), truth.third());
    let noisy = c + Matrix3::identity() * experiment.sigma.powi(2);
    (noisy.try_inverse().unwrap() - c.try_inverse().unwrap()) * s * 0.5
}

#[test]
fn check_05_the_bias_of_gdke_is_the_predicted_one() {
    const TRIALS: u64 = 1000;
    for (degrees, sigma) in [(60.0, 0.05), (90.0, 0.05), (30.0, 0.01)] {
        let experiment = cap(1000, degrees, sigma);
        let trials = Trials::of(experiment, TRIALS, Method::Gdke);
        let predicted: Vector3<f64> =
            (0..TRIALS).map(|seed| predicted_bias(&experiment, seed)).sum();
        let predicted = predicted / TRIALS as f64;
        let (got, want) = (trials.bias.norm(), predicted.norm());
        println!("check 5: {degrees} degrees, sigma {sigma}: bias {got:.5}, (101) {want:.5}");
        assert!((trials.bias - predicted).norm() < 0.03 * want, "{degrees}: {got} {want}");
    }
}

#[test]
fn check_05_ugdk_has_no_bias() {
    for degrees in [30.0, 60.0, 90.0] {
        let sigma = 0.3 * acceptance::sphere_noise_limit(degrees * DEGREE);
        let method = Method::Ugdk(Noise::Sigma(sigma));
        let trials = Trials::of(cap(1000, degrees, sigma), 1000, method);
        println!("check 5: {degrees} degrees: ugdk bias {:.4} sigma", trials.bias.norm() / sigma);
        assert_eq!(trials.failed, 0);
        assert!(trials.bias.norm() < 0.1 * sigma, "{degrees}");
    }
}
