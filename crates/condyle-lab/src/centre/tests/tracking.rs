//! Check 16: the tracker.

use super::*;

#[test]
fn check_16_the_tracker_is_recursive_least_squares_and_follows_a_drift() {
    let cloud = points(&cap(2000, 60.0, 0.02), 6);
    let start = cloud.axes().map(|axis| &axis[..30]);
    let mut tracker = Tracker::from_start(start, 0.02, 0.0).unwrap();
    cloud.rows().skip(30).for_each(|row| tracker.push(&Point3::from(row)));
    let batch = sphere(cloud.axes(), Method::Gdke).unwrap();
    let off = (tracker.centre() - batch.centre).norm();
    println!("check 16: rls off gdke by {off:.2e}");
    assert!(off < 1e-9 && (tracker.radius() - batch.radius).abs() < 1e-9);
    // A centre that moves by 0.5 radii over 2000 points.
    let drift = |i: usize| Vector3::x() * (0.5 * i as f64 / 2000.0);
    let moving: Vec<Vector3<f64>> = cloud.rows().enumerate().map(|(i, x)| x + drift(i)).collect();
    let start = [0, 1, 2].map(|axis| moving[..30].iter().map(|x| x[axis]).collect::<Vec<f64>>());
    let start = start.each_ref().map(Vec::as_slice);
    let mut tracker = Tracker::from_start(start, 0.02, 2e-3).unwrap();
    moving[30..].iter().for_each(|x| tracker.push(&Point3::from(*x)));
    let truth = Cap::default().centre + Vector3::x() * 0.5;
    let off = (tracker.centre().coords - truth).norm();
    println!("check 16: drifting centre off by {off:.4}");
    assert!(off < 0.15, "{off}");
}

#[test]
fn check_16_the_tracker_never_diverges_below_the_limit() {
    let sigma = 0.8 * sphere_noise_limit(60f64.to_radians());
    let experiment = cap(100, 60.0, sigma);
    let mut worst = 0f64;
    for seed in 0..1000 {
        let cloud = points(&experiment, seed);
        let start = cloud.axes().map(|axis| &axis[..10]);
        let mut tracker = Tracker::from_start(start, sigma, 0.0).unwrap();
        cloud.rows().skip(10).for_each(|row| tracker.push(&Point3::from(row)));
        worst = worst.max((tracker.centre().coords - experiment.centre).norm());
    }
    println!("check 16: worst of 1000: {worst:.3} radii");
    assert!(worst < 1.0, "{worst}");
}
