//! Check 10: the noise of a recording system, from a sphere that is known.

use super::*;

#[test]
fn check_10_the_noise_from_the_distances_is_good_for_any_noise() {
    let experiment = cap(1000, 180.0, 0.001);
    let centre = Point3::from(experiment.centre);
    for seed in 0..20 {
        let points = experiment.points(seed);
        let found = calibration::noise_on_known_sphere(points.axes(), &centre, 1.0).unwrap();
        let sigma = found.radial_variance.sqrt();
        assert!((sigma / 0.001 - 1.0).abs() < 0.1, "{seed}: {sigma}");
    }
}
