//! Check 6: SC-GDK is at the Cramér-Rao bound, and says how sure it is.

use super::trials::Trials;
use super::*;

#[test]
fn check_06_sc_gdk_is_at_the_bound() {
    // Samples, degrees, share of the limit (212), the most that RMSE over the bound may be.
    let cells = [
        (1000, 30.0, 0.35, 1.08),
        (1000, 60.0, 0.35, 1.08),
        (1000, 90.0, 0.35, 1.08),
        (1000, 30.0, 0.8, 1.15),
        (100, 30.0, 0.8, 1.15),
        (100, 60.0, 0.35, 1.15),
        (100, 90.0, 0.35, 1.15),
    ];
    for (samples, degrees, share, most) in cells {
        let sigma = share * acceptance::sphere_noise_limit(degrees * DEGREE);
        let trials = Trials::of(cap(samples, degrees, sigma), 1000, Method::ScGdk);
        let (ratio, covered) = (trials.ratio(), trials.covered);
        println!(
            "check 6: N {samples}, {degrees} degrees, {share} of the limit: ratio {ratio:.3}, covered {covered:.3}, sigma {:.4}",
            trials.sigma / sigma
        );
        assert!(ratio <= most, "{samples} {degrees} {share}: {ratio}");
        assert!((0.92..=0.97).contains(&covered), "{samples} {degrees} {share}: {covered}");
        if samples >= 1000 {
            assert!((trials.sigma / sigma - 1.0).abs() < 0.01, "{}", trials.sigma / sigma);
        }
    }
}

#[test]
fn check_06_sc_gdk_is_as_good_as_maximum_likelihood_and_a_polish_makes_it_the_same() {
    for (samples, degrees, sigma, most, trials) in [
        (1000, 90.0, 0.03, 1.01, 1000),
        (1000, 90.0, 0.1, 1.03, 2000),
        (1000, 180.0, 0.1, 1.03, 1000),
    ] {
        let methods = [Method::ScGdk, Method::ScGdkPolished, Method::Mle];
        let all = Trials::of_all(cap(samples, degrees, sigma), trials, methods);
        let [ours, polished, theirs] = all.map(|trials| trials.ratio());
        println!(
            "check 6: N {samples}, {degrees} degrees, sigma {sigma}: {ours:.4}, polished {polished:.4}, mle {theirs:.4}"
        );
        assert!(ours <= most * theirs, "{sigma}: {ours} {theirs}");
        assert!((polished / theirs - 1.0).abs() < 0.003, "{sigma}: {polished} {theirs}");
        assert!(polished <= ours * 1.001, "{sigma}: {polished} {ours}");
    }
}

#[test]
fn check_06_a_polish_does_nothing_for_little_noise_nor_on_a_hinge() {
    let points = cap(1000, 60.0, 1e-6).points(3);
    let plain = sphere(points.axes(), Method::ScGdk).unwrap();
    let polished = sphere(points.axes(), Method::ScGdkPolished).unwrap();
    assert!((plain.centre - polished.centre).norm() < 1e-3 * plain.standard_error());
    assert!((plain.radius - polished.radius).abs() < 1e-9);
    assert!((plain.sigma / polished.sigma - 1.0).abs() < 1e-3);
    let arc = hinge_of(60.0, 0.0).points(3);
    let plain = sphere(arc.axes(), Method::ScGdk).unwrap();
    let polished = sphere(arc.axes(), Method::ScGdkPolished).unwrap();
    assert_eq!(plain.centre, polished.centre);
}
