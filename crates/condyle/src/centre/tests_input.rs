//! Bad input, and the laws that any fit obeys.

use super::*;
use crate::error::ErrorKind;
use nalgebra::{Isometry3, Matrix3, Matrix5, Point3, SymmetricEigen, Vector3, Vector5};
use proptest::prelude::*;
use synthetic::{Cap, Cloud, example_1};

const METHODS: [Method; 13] = [
    Method::Gdke,
    Method::Ugdk(Noise::Sigma(0.01)),
    Method::ScGdk,
    Method::ScGdkPolished,
    Method::Sgdk,
    Method::SgdkPrinted,
    Method::Taubin,
    Method::Pratt,
    Method::Hyper,
    Method::Gander,
    Method::Lls,
    Method::Mle,
    Method::Igdk,
];

fn cloud(rows: &[[f64; 3]]) -> Cloud {
    Cloud::from_rows(rows.iter().map(|row| Vector3::from(*row)))
}

#[test]
fn refuses_points_that_leave_the_answer_open_and_says_why() {
    let line: Vec<[f64; 3]> = (0..20).map(|i| [f64::from(i), 2.0 * f64::from(i), 1.0]).collect();
    let nan = [[0.0, 0.0, 1.0], [1.0, f64::NAN, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    let infinite = [[0.0, 0.0, 1.0], [1.0, f64::INFINITY, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    for (rows, why) in [
        (&[][..], "need 4, got 0"),
        (&[[1.0, 2.0, 3.0]; 3][..], "need 4, got 3"),
        (&[[1.1, 2.2, 3.3]; 50][..], "one place"),
        (&[[1e300, -1e300, 1e300]; 50][..], "one place"),
        (&line[..], "straight line"),
        (&nan[..], "NaN"),
        (&infinite[..], "at sample 2"),
    ] {
        for method in METHODS {
            let error = sphere(cloud(rows).axes(), method).unwrap_err();
            assert!(error.to_string().contains(why), "{method}: {error}");
            assert!(matches!(error.kind(), ErrorKind::Undetermined(_)), "{method}");
        }
        assert!(sphere_robust(cloud(rows).axes(), Method::ScGdk).is_err());
        assert!(sphere_many(&[cloud(rows).axes()], ManyMethod::SelfCalibrated).is_err());
        assert!(circle(cloud(rows).axes()).is_err());
    }
    let uneven = sphere([&[0.0; 5], &[0.0; 5], &[0.0; 4]], Method::ScGdk);
    assert!(uneven.unwrap_err().to_string().contains("as many"));
}

#[test]
fn huge_and_tiny_points_have_the_same_answer_as_plain_ones() {
    let plain = Cap { sigma: 0.01, ..Cap::default() }.points(1);
    for scale in [1e300, 1e-300, 1e100, 1e-100] {
        let scaled = plain.map(|x| x * scale);
        for method in [Method::Gdke, Method::ScGdk, Method::Mle, Method::Taubin] {
            let want = sphere(plain.axes(), method).unwrap();
            let got = sphere(scaled.axes(), method).unwrap();
            let off = (got.centre.coords / scale - want.centre.coords).norm();
            assert!(off < 1e-9, "{scale:e} {method}: {off}");
            assert_eq!(got.verdict, Verdict::Ball);
        }
    }
}

#[test]
fn four_points_have_a_sphere_but_no_evidence() {
    let four = cloud(&[[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let fit = sphere(four.axes(), Method::ScGdk).unwrap();
    assert!(fit.centre.coords.norm() < 1e-12 && (fit.radius - 1.0).abs() < 1e-12);
    assert_eq!(fit.verdict, Verdict::Insufficient);
}

#[test]
fn a_flat_patch_or_noise_alone_is_insufficient() {
    let mut rng = synthetic::generator(5);
    let blob = Cloud::from_rows((0..500).map(|_| synthetic::noise(&mut rng, 0.01)));
    let patch = Cloud::from_rows((0..500).map(|_| {
        let x = synthetic::noise(&mut rng, 1.0);
        Vector3::new(x.x, x.y, 0.01 * x.z)
    }));
    let line =
        Cloud::from_rows((0..500).map(|i| {
            Vector3::new(f64::from(i) / 500.0, 0.0, 0.0) + synthetic::noise(&mut rng, 0.001)
        }));
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

/// The smallest generalised eigenvector of moments against a constraint, for rows (|x|², x, 1).
fn by_eigenvectors(cloud: &Cloud, constraint: impl Fn(f64) -> Matrix5<f64>) -> (Vector3<f64>, f64) {
    let moments = Moments::<3>::of(cloud.axes());
    let n = moments.samples as f64;
    let mut m = Matrix5::zeros();
    for x in cloud.rows() {
        let d = x - moments.mean;
        let row = Vector5::new(d.norm_squared(), d.x, d.y, d.z, 1.0);
        m += row * row.transpose() / n;
    }
    let z = moments.a.trace() / n;
    // M v = η N v: with M = L Lᵀ, the largest 1/η of L⁻¹ N L⁻ᵀ.
    let inverse = m.cholesky().unwrap().l().try_inverse().unwrap();
    let symmetric = inverse * constraint(z) * inverse.transpose();
    let eigen = SymmetricEigen::new((symmetric + symmetric.transpose()) * 0.5);
    let v = inverse.transpose() * eigen.eigenvectors.column(eigen.eigenvalues.imax());
    let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
    (moments.mean + c, (c.norm_squared() - v[4] / v[0]).sqrt())
}

fn constraint(z: f64, taubin: f64, corner: f64) -> Matrix5<f64> {
    let mut n = Matrix5::from_diagonal(&Vector5::new(taubin * z, 1.0, 1.0, 1.0, 0.0));
    n[(0, 4)] = corner;
    n[(4, 0)] = corner;
    n
}

#[test]
fn check_03_taubin_pratt_and_hyper_are_generalised_eigenvectors() {
    let clouds = [example_1(), Cap { sigma: 0.1, samples: 300, ..Cap::default() }.points(9)];
    for cloud in clouds {
        for (method, taubin, corner) in
            [(Method::Taubin, 4.0, 0.0), (Method::Pratt, 0.0, -2.0), (Method::Hyper, 10.0, 3.0)]
        {
            let fit = sphere(cloud.axes(), method).unwrap();
            let (centre, radius) = by_eigenvectors(&cloud, |z| constraint(z, taubin, corner));
            let off = (fit.centre.coords - centre).norm();
            println!(
                "check 3: {method}: centre {off:.1e}, radius {:.1e}",
                (fit.radius - radius).abs()
            );
            assert!(off < 1e-9 && (fit.radius - radius).abs() < 1e-9, "{method}");
        }
        let gander = sphere(cloud.axes(), Method::Gander).unwrap();
        let mut m = Matrix5::zeros();
        for x in cloud.rows() {
            let row = Vector5::new(x.norm_squared(), x.x, x.y, x.z, 1.0);
            m += row * row.transpose();
        }
        let eigen = SymmetricEigen::new(m);
        let v = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
        let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
        assert!((gander.centre.coords - c).norm() < 1e-9);
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
        let _ = (circle(cloud.axes()), plane(cloud.axes()), cylinder(cloud.axes(), Vector3::z_axis()));
        let weights = vec![1.0; rows.len()];
        let _ = sphere_weighted(cloud.axes(), &weights, Method::ScGdk);
        let _ = sphere_from_moments(&Moments::<3>::of(cloud.axes()), Method::ScGdk);
    }
}
