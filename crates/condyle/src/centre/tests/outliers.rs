//! Samples that should not count, or not as much.

use super::*;

#[test]
fn a_tenth_of_gross_outliers_does_no_harm() {
    let experiment = cap(1000, 60.0, 0.01);
    let (mut clean, mut robust, mut plain) = (0.0, 0.0, 0.0);
    for seed in 0..40 {
        let mut rng = generator(1000 + seed);
        let mut rows = experiment.points(seed).rows();
        let off = |fit: SphereFit| (fit.centre.coords - experiment.centre).norm_squared();
        let axes = Cloud::from_rows(rows.clone());
        clean += off(sphere(axes.axes(), Method::ScGdk).unwrap());
        for i in (0..1000).step_by(10) {
            rows[i] += noise(&mut rng, 1.0);
        }
        let spoilt = Cloud::from_rows(rows);
        plain += off(sphere(spoilt.axes(), Method::ScGdk).unwrap());
        let found = sphere_robust(spoilt.axes(), Method::ScGdk).unwrap();
        robust += off(found.fit);
        assert!((90..=115).contains(&found.rejected.len()), "{}", found.rejected.len());
        assert_eq!(found.fit.verdict, Verdict::Ball);
    }
    let (robust, plain) = ((robust / clean).sqrt(), (plain / clean).sqrt());
    println!("robust: error {robust:.2} of that without outliers; plain {plain:.1}");
    assert!(robust < 1.5 && plain > 10.0, "{robust} {plain}");
}

#[test]
fn weights_make_bad_samples_count_less() {
    let mut square = [0.0, 0.0];
    for seed in 0..100 {
        let mut rng = generator(500 + seed);
        let mut rows = cap(400, 60.0, 0.005).points(seed).rows();
        rows.iter_mut().step_by(2).for_each(|row| *row += noise(&mut rng, 0.03));
        let bad = 0.005f64.powi(2) + 0.03f64.powi(2);
        let weights: Vec<f64> =
            (0..400).map(|i| 1.0 / if i % 2 == 0 { bad } else { 0.005f64.powi(2) }).collect();
        let cloud = Cloud::from_rows(rows);
        let plain = sphere(cloud.axes(), Method::ScGdk).unwrap();
        let weighted = sphere_weighted(cloud.axes(), &weights, Method::ScGdk).unwrap();
        square[0] += (plain.centre.coords - Cap::default().centre).norm_squared();
        square[1] += (weighted.centre.coords - Cap::default().centre).norm_squared();
    }
    println!(
        "weights: {:.4} without, {:.4} with",
        square[0].sqrt() / 10.0,
        square[1].sqrt() / 10.0
    );
    assert!(square[1] < 0.2 * square[0], "{square:?}");
}
