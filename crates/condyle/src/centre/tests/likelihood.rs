//! Check 4: maximum likelihood.

use super::trials::Trials;
use super::*;

#[test]
fn check_04_maximum_likelihood_comes_to_rest_without_outliers_up_to_the_limit() {
    for degrees in [30.0, 60.0, 90.0] {
        let sigma = acceptance::sphere_noise_limit(degrees * DEGREE);
        let experiment = cap(100, degrees, sigma);
        let (mut outliers, mut restless, mut worst) = (0, 0, 0f64);
        for seed in 0..1000 {
            let fit = sphere(experiment.points(seed).axes(), Method::Mle).unwrap();
            let off = (fit.centre.coords - experiment.centre).norm();
            worst = worst.max(off);
            // The outliers of the thesis lie where the points are: a radius from the centre, (60).
            outliers += i32::from(off > 0.9);
            restless += i32::from(!fit.converged);
        }
        println!(
            "check 4: {degrees} degrees, sigma {sigma:.4}: {outliers} outliers, {restless} not at rest in 1000, worst off by {worst:.2} radii"
        );
        assert_eq!((outliers, restless), (0, 0), "{degrees} degrees");
    }
}

#[test]
fn check_04_the_answer_is_a_minimum() {
    for (samples, degrees, sigma) in [(100, 60.0, 0.144), (1000, 90.0, 0.1), (30, 30.0, 0.02)] {
        let points = cap(samples, degrees, sigma).points(5);
        let fit = sphere(points.axes(), Method::Mle).unwrap();
        let cost = |centre: Vector3<f64>| {
            let l: Vec<f64> = points.rows().iter().map(|x| (x - centre).norm()).collect();
            let mean = l.iter().sum::<f64>() / samples as f64;
            l.iter().map(|l| (l - mean).powi(2)).sum::<f64>()
        };
        let least = cost(fit.centre.coords);
        for axis in 0..3 {
            for step in [-1e-4, 1e-4] {
                let beside = cost(fit.centre.coords + Vector3::ith(axis, step));
                assert!(beside > least, "{samples} {degrees}: {beside} {least}");
            }
            let slope = cost(fit.centre.coords + Vector3::ith(axis, 1e-4))
                - cost(fit.centre.coords - Vector3::ith(axis, 1e-4));
            // A slope would show as a difference of the first order; this one is of the third.
            assert!(slope.abs() < 1e-9 * samples as f64, "{samples} {degrees}: {slope}");
        }
    }
}

#[test]
fn check_04_the_bias_of_the_radius_is_removed() {
    for degrees in [90.0, 180.0] {
        let trials = Trials::of(cap(1000, degrees, 0.1), 400, Method::Mle);
        println!("check 4: {degrees} degrees: radius bias {:.4} sigma", trials.radius_bias / 0.1);
        // Uncorrected it is σ²/r, a tenth of sigma here.
        assert!(trials.radius_bias.abs() < 0.05 * 0.1, "{}", trials.radius_bias);
    }
}
