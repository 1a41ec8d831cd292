//! The laws that any fit obeys, and what the verdicts mean.

use super::*;
use nalgebra::{Isometry3, Matrix3};
use proptest::prelude::*;

#[test]
fn four_points_have_a_sphere_but_no_evidence() {
    let four = cloud(&[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let fit = sphere(four.axes(), Method::ScGdk).unwrap();
    assert!(fit.centre.coords.norm() < 1e-12 && (fit.radius - 1.0).abs() < 1e-12);
    assert_eq!(fit.verdict, Verdict::Insufficient);
}

#[test]
fn a_flat_patch_or_noise_alone_is_insufficient() {
    let mut rng = generator(5);
    let blob = Cloud::from_rows((0..500).map(|_| noise(&mut rng, 0.01)));
    let patch = Cloud::from_rows((0..500).map(|_| {
        let x = noise(&mut rng, 1.0);
        Vector3::new(x.x, x.y, 0.01 * x.z)
    }));
    let line = Cloud::from_rows(
        (0..500).map(|i| Vector3::new(f64::from(i) / 500.0, 0.0, 0.0) + noise(&mut rng, 0.001)),
    );
    let tiny_cap = Cap { samples: 500, theta_rad: 0.1, sigma: 0.02, ..Cap::default() }.points(3);
    for (cloud, name) in [(blob, "blob"), (patch, "patch"), (line, "line"), (tiny_cap, "cap")] {
        let fit = sphere(cloud.axes(), Method::ScGdk).unwrap();
        assert_eq!(fit.verdict, Verdict::Insufficient, "{name}: {fit:?}");
    }
}

#[test]
fn a_perfect_arc_is_a_hinge() {
    let arc = Cloud::from_rows((0..50).map(|i| {
        let t = f64::from(i) * 0.03;
        Vector3::new(3.0 + 2.0 * t.cos(), 1.0, 2.0 * t.sin())
    }));
    for method in
        [Method::ScGdk, Method::ScGdkPolished, Method::Sgdk, Method::SgdkPrinted, Method::Igdk]
    {
        let fit = sphere(arc.axes(), method).unwrap();
        assert_eq!(fit.verdict, Verdict::Hinge, "{method}: {fit:?}");
        assert!(
            (fit.centre - Point3::new(3.0, 1.0, 0.0)).norm() < 1e-7,
            "{method}: {}",
            fit.centre
        );
        assert!((fit.axis.unwrap().direction.y - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_known_covariance_is_a_known_sigma_where_it_is_round() {
    let points = Cap { sigma: 0.05, samples: 300, ..Cap::default() }.points(4);
    let round = Noise::Covariance(Matrix3::identity() * 0.0025);
    let one = sphere(points.axes(), Method::Ugdk(Noise::Sigma(0.05))).unwrap();
    let other = sphere(points.axes(), Method::Ugdk(round)).unwrap();
    assert!((one.centre - other.centre).norm() < 1e-12);
    let too_much = sphere(points.axes(), Method::Ugdk(Noise::Sigma(1.0))).unwrap_err();
    assert!(too_much.to_string().contains("sigma: need less than"), "{too_much}");
}

#[test]
fn says_how_many_samples_a_wanted_error_takes() {
    let fit =
        sphere(Cap { sigma: 0.05, ..Cap::default() }.points(4).axes(), Method::ScGdk).unwrap();
    let needed = fit.samples_for(fit.standard_error() / 2.0);
    assert!((needed - 400.0).abs() < 1e-9);
    let [longest, _, shortest] = fit.error_ellipsoid_95();
    assert!(longest.norm() >= shortest.norm() && longest.z.abs() > 0.9 * longest.norm());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_fit_commutes_with_rigid_motions_and_scaling(
        seed in 0u64..1000,
        turn in prop::array::uniform3(-3.0..3.0f64),
        shift in prop::array::uniform3(-50.0..50.0f64),
        scale in 0.01..100.0f64,
    ) {
        let cloud = Cap { sigma: 0.03, samples: 60, ..Cap::default() }.points(seed);
        let motion = Isometry3::new(shift.into(), turn.into());
        let moved = cloud.map(|x| motion.transform_point(&Point3::from(x)).coords * scale);
        for method in METHODS.into_iter().filter(|m| !matches!(m, Method::Gander | Method::Ugdk(_))) {
            let fit = sphere(cloud.axes(), method).unwrap();
            let got = sphere(moved.axes(), method).unwrap();
            let want = motion.transform_point(&fit.centre) * scale;
            let off = (got.centre - want).norm() / scale;
            prop_assert!(off < 1e-7, "{method}: {off}");
            prop_assert!((got.radius / scale - fit.radius).abs() < 1e-7, "{method}");
            prop_assert_eq!(got.verdict, fit.verdict);
        }
    }

    #[test]
    fn no_points_whatever_bring_it_to_a_panic(rows in prop::collection::vec(prop::array::uniform3(any::<f64>()), 0..12)) {
        let cloud = cloud(&rows);
        for method in METHODS {
            let _ = sphere(cloud.axes(), method);
        }
        let _ = sphere_robust(cloud.axes(), Method::ScGdk);
        let _ = sphere_many(&[cloud.axes(), cloud.axes()], ManyMethod::SelfCalibrated);
        let _ = (circle(cloud.axes()), plane(cloud.axes()), cylinder(cloud.axes(), CylinderAxis::Free));
        let _ = cylinder(cloud.axes(), CylinderAxis::Known(Vector3::z_axis()));
        let _ = common_normal(&[cloud.axes()]);
        let weights = vec![1.0; rows.len()];
        let _ = sphere_weighted(cloud.axes(), &weights, Method::ScGdk);
        let _ = sphere_from_moments(&Moments::<3>::from_points(cloud.axes()), Method::ScGdk);
    }
}
