//! Check 9: point by point is the same as all at once, and stops when it may.

use super::*;

#[test]
fn check_09_incremental_equals_batch_after_a_hundred_thousand_points() {
    const POINTS: usize = 100_000;
    let cloud = points(&cap(POINTS, 70.0, 0.025), 4);
    let mut incremental = Incremental::default();
    let mut recurrence = None;
    for (i, row) in cloud.rows().enumerate() {
        let point = Point3::from(row);
        incremental.push(&point);
        match (&mut recurrence, i) {
            (None, 19) => {
                recurrence = Some(Recurrence::from_start(incremental.moments()).unwrap());
            }
            (Some(recurrence), _) => recurrence.push(&point),
            _ => {}
        }
    }
    let mut worst = 0f64;
    for method in [Method::Gdke, Method::Ugdk(Noise::Sigma(0.025)), Method::ScGdk] {
        let batch = sphere(cloud.axes(), method).unwrap();
        let one_by_one = incremental.fit(method).unwrap();
        let off = (batch.centre - one_by_one.centre).norm();
        worst = worst.max(off).max((batch.radius - one_by_one.radius).abs());
        assert!(worst < 1e-10, "{method}: {worst:e}");
    }
    let (batch, recurrence) = (sphere(cloud.axes(), Method::Gdke).unwrap(), recurrence.unwrap());
    let off = (batch.centre - recurrence.centre()).norm();
    println!(
        "check 9: after {POINTS} points the moments are off by {worst:.1e}, the recurrence by {off:.1e}"
    );
    assert!(off < 1e-10 && (batch.radius - recurrence.radius()).abs() < 1e-10);
    let igdk = sphere(cloud.axes(), Method::Igdk).unwrap();
    let sc = sphere(cloud.axes(), Method::ScGdk).unwrap();
    assert!((igdk.centre - sc.centre).norm() < 1e-10);
}

#[test]
fn check_09_the_state_does_not_grow() {
    // Plain numbers without anything on the heap: what is true of the type is true of any stream.
    fn is_plain<T: Copy>() -> usize {
        size_of::<T>()
    }
    assert!(is_plain::<Moments<3>>() <= 20 * 8);
    assert!(is_plain::<Recurrence>() <= 20 * 8);
    assert!(is_plain::<Tracker>() <= 30 * 8);
    assert!(is_plain::<Incremental>() <= 40 * 8);
}

#[test]
fn check_09_the_convergence_test_stops_within_its_tolerance() {
    /// Enough that a root mean square is known to 1.3 %.
    const TRIALS: u64 = 3000;
    for tolerance in [0.01, 0.004f64] {
        // Four times as many points as the bound asks for.
        let samples = (4.0 * 57.6 * (0.02 / tolerance).powi(2)) as usize;
        let experiment = cap(samples, 60.0, 0.02);
        let (mut square, mut stops) = (0.0, 0);
        for seed in 0..TRIALS {
            let mut incremental = Incremental::default();
            let cloud = points(&experiment, seed);
            let stop =
                cloud.rows().position(|row| incremental.push_until(&Point3::from(row), tolerance));
            stops += stop.expect("comes to rest");
            let fit = incremental.fit(Method::ScGdk).unwrap();
            assert!(fit.standard_error() < tolerance * fit.radius, "{seed}");
            square += (fit.centre.coords - experiment.centre).norm_squared();
        }
        let error = (square / TRIALS as f64).sqrt();
        println!(
            "check 9: tolerance {tolerance}: stops after {:.0} points, RMS error {error:.5}",
            stops as f64 / TRIALS as f64
        );
        // It stops as soon as it may: the error is the tolerance, 1.003 of it, within three of those.
        assert!(error <= 1.04 * tolerance, "{error}");
    }
}
