//! Check 13: what the theory predicts comes out within 5 % of the effect itself.

use super::bias::predicted_bias;
use super::*;
use nalgebra::Matrix3;

fn within_5_percent(name: &str, got: f64, want: f64) {
    println!("check 13: {name}: measured {got:.5e}, predicted {want:.5e}, ratio {:.4}", got / want);
    assert!((got / want - 1.0).abs() < 0.05, "{name}: {got:e} {want:e}");
}

#[test]
fn check_13_the_covariance_the_bias_and_the_radius_of_gdke() {
    /// Enough that a standard deviation is known to 1.6 %.
    const TRIALS: u64 = 2000;
    // (101) and (111) leave out terms that go with 1/N: 2 and 6 % of the effect at 400 samples.
    let (sigma, samples) = (0.05, 2000);
    let experiment = cap(samples, 90.0, sigma);
    let (s2, n, trials) = (sigma * sigma, samples as f64, TRIALS as f64);
    let (mut sum, mut square) = (Vector3::zeros(), Matrix3::zeros());
    let (mut covariance, mut bias) = (Matrix3::zeros(), Vector3::zeros());
    let (mut r2, mut predicted_r2) = (0.0, 0.0);
    for seed in 0..TRIALS {
        let (centre, radius) =
            Moments::<3>::from_points(experiment.points(seed).axes()).gdke().unwrap();
        let truth = Moments::<3>::from_points(Cap { sigma: 0.0, ..experiment }.points(seed).axes());
        let (c, s) = (truth.covariance(), truth.third());
        let inverse = c.try_inverse().unwrap();
        let noisy = (c + Matrix3::identity() * s2).try_inverse().unwrap();
        let expected = predicted_bias(&experiment, seed);
        bias += expected / trials;
        // The spread is about what is expected of these very points.
        let off = centre.coords - experiment.centre;
        sum += off / trials;
        square += (off - expected) * (off - expected).transpose() / trials;
        covariance += inverse * (s2 / (n - 1.0)) / trials;
        r2 += (radius * radius - 1.0) / trials;
        // (111)
        let cross = ((noisy + inverse) * ((noisy - inverse) * s)).dot(&s);
        predicted_r2 += ((n - 1.0) / n * 3.0 * s2 + 0.25 * cross) / trials;
    }
    within_5_percent("(101) bias along the axis", sum.z, bias.z);
    assert!(sum.xy().norm() < 0.05 * bias.norm(), "no bias across the axis: {sum}");
    within_5_percent("(111) r² less the true one", r2, predicted_r2);
    let across = |m: &Matrix3<f64>| (m[(0, 0)] + m[(1, 1)]) / 2.0;
    within_5_percent(
        "(10) deviation along the axis",
        square[(2, 2)].sqrt(),
        covariance[(2, 2)].sqrt(),
    );
    within_5_percent(
        "(10) deviation across it",
        across(&square).sqrt(),
        across(&covariance).sqrt(),
    );
}
