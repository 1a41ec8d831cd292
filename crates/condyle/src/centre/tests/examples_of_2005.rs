//! Checks 2, 4 and 7: the worked examples of 2005.

use super::*;

fn assert_point(got: Point3<f64>, want: [f64; 3], tolerance: f64) {
    let off = (got - Point3::from(want)).amax();
    assert!(off <= tolerance, "got {got}, want {want:?}, off by {off:.3e}");
}

#[test]
fn check_02_example_1_of_2005_and_the_equivalent_forms() {
    let cloud = example_1();
    let points = cloud.axes();
    let moments = Moments::<3>::from_points(points);
    // A and b of 2005: A = Σ(p - p̄)pᵀ/(N-1) is C; b = ½S + C p̄ about the origin.
    let c = moments.covariance();
    let b = moments.third() * 0.5 + c * moments.mean;
    let want = [0.540464, 0.0639822, -0.0671881, 0.462403, 0.0550300, 0.459960];
    let got = [c[(0, 0)], c[(0, 1)], c[(0, 2)], c[(1, 1)], c[(1, 2)], c[(2, 2)]];
    got.iter().zip(want).for_each(|(got, want)| assert!((got - want).abs() < 2e-6, "{got} {want}"));
    for (got, want) in b.iter().zip([0.251491, 0.00024245, 0.362261]) {
        assert!((got - want).abs() < 2e-6, "{got} {want}");
    }
    let spectrum = Spectrum::new(&c);
    let condition = spectrum.values[2] / spectrum.values[0];
    assert!((condition - 1.63852).abs() < 1e-4, "{condition}");
    for method in [Method::Gdke, Method::Lls] {
        let fit = sphere(points, method).unwrap();
        assert_point(fit.centre, [0.599337, -0.189249, 0.897781], 2e-6);
        assert_point(fit.centre, [0.59933736, -0.18925013, 0.89777979], 1e-8);
        assert!((fit.radius - 1.198166).abs() < 1e-6);
    }
    let (centre, radius) = moments.gdke().unwrap();
    assert_point(centre, [0.59933736, -0.18925013, 0.89777979], 1e-8);
    assert!((radius - 1.198166).abs() < 1e-6);
    let mean_distance = {
        let centre = sphere(points, Method::Gdke).unwrap().centre.coords;
        cloud.rows().iter().map(|x| (x - centre).norm()).sum::<f64>() / 10.0
    };
    assert!((mean_distance - 1.19811).abs() < 2e-6, "{mean_distance}");
    let fit = sphere(points, Method::ScGdk).unwrap();
    assert_point(fit.centre, [0.599239, -0.189232, 0.897752], 1e-6);
    assert!((fit.radius - 1.198030).abs() < 1e-6);
    assert!((fit.sigma * 0.6f64.sqrt() - 0.01148).abs() < 1e-5, "{}", fit.sigma);
    assert_eq!(fit.verdict, Verdict::Ball);
    let fit = sphere(points, Method::Ugdk(Noise::Sigma(0.01))).unwrap();
    assert_point(fit.centre, [0.599270, -0.189238, 0.897761], 1e-6);
}

#[test]
fn check_04_example_1_maximum_likelihood() {
    let fit = sphere(example_1().axes(), Method::Mle).unwrap();
    assert!(fit.converged);
    assert_point(fit.centre, [0.599084, -0.189018, 0.89785], 3e-6);
    assert_point(fit.centre, [0.59908458, -0.18901913, 0.89784862], 2e-8);
    // The printed radius is the uncorrected one.
    let uncorrected = fit.radius + fit.sigma.powi(2) / 1.19818267;
    assert!((uncorrected - 1.19818).abs() < 3e-6, "{uncorrected}");
}

#[test]
fn check_07_example_2_of_2005_is_a_hinge() {
    let cloud = example_2();
    let points = cloud.axes();
    let spectrum = Spectrum::new(&Moments::<3>::from_points(points).covariance());
    let condition = spectrum.values[2] / spectrum.values[0];
    assert!((condition - 67185.0).abs() < 30.0, "{condition}");
    let fit = sphere(points, Method::Gdke).unwrap();
    assert_point(fit.centre, [0.700172, -0.024332, 1.840570], 2e-6);
    assert!((fit.radius - 1.534119).abs() < 2e-6);
    let fit = sphere(points, Method::SgdkPrinted).unwrap();
    assert_point(fit.centre, [0.60204, -0.210872, 0.904606], 2e-6);
    assert!((fit.radius - 1.197102).abs() < 2e-6);
    assert_eq!(fit.verdict, Verdict::Hinge);
    let axis = fit.axis.unwrap().direction;
    let truth = Vector3::new(0.1, 0.2, 0.974679);
    println!("check 7: condition {condition}, axis off by {}", (axis.into_inner() - truth).norm());
    assert!((axis.into_inner() - truth).norm() <= 0.0061);
    // Unbiased it differs in the fifth digit.
    for method in [Method::ScGdk, Method::Sgdk] {
        let fit = sphere(points, method).unwrap();
        assert_eq!(fit.verdict, Verdict::Hinge);
        assert_point(fit.centre, [0.602038, -0.210837, 0.904599], 1e-6);
        assert!((fit.centre - Point3::new(0.6, -0.2, 0.9)).norm() < 0.012);
    }
}
