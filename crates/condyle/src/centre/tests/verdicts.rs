//! Where the verdict, the covariance or an error must keep somebody from trusting a centre.

use super::*;
use nalgebra::{Matrix3, Rotation3};

fn verdict_of(points: &Cloud) -> Verdict {
    sphere(points.axes(), Method::ScGdk).unwrap().verdict
}

/// The hinge of the documents with more noise along its axis.
fn uneven(ratio: f64, samples: usize, seed: u64) -> Cloud {
    let mut rng = generator(9000 + seed);
    let clean = Arc { sigma: 0.0, samples, ..hinge_of(60.0, 0.0) }.points(seed);
    Cloud::from_rows(clean.rows().into_iter().map(|row| {
        let off = noise(&mut rng, 1.0);
        row + Vector3::new(off.x, off.y, ratio * off.z)
    }))
}

#[test]
fn more_noise_along_the_axis_does_not_make_a_ball() {
    for (ratio, samples) in [(1.2, 1000), (1.5, 1000), (1.5, 100)] {
        for seed in 0..100 {
            let verdict = verdict_of(&uneven(ratio, samples, seed));
            assert_eq!(verdict, Verdict::Hinge, "{ratio} {samples} {seed}");
        }
    }
}

#[test]
fn a_third_of_a_degree_off_the_axis_is_no_ball_however_little_the_noise() {
    for seed in 0..20 {
        let quiet = Arc { sigma: 0.01, ..hinge_of(60.0, 0.33) }.points(seed);
        assert_eq!(verdict_of(&quiet), Verdict::Hinge);
    }
    // A small cap is not flat because it is small: in its plane it is no circle.
    assert_eq!(verdict_of(&cap(1000, 8.0, 1e-5).points(1)), Verdict::Ball);
}

#[test]
fn noise_that_is_known_is_not_taken_for_motion() {
    let noise = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 36.0));
    for seed in 0..50 {
        let points = uneven(6.0, 1000, seed);
        assert_eq!(verdict_of(&points), Verdict::Ball, "nobody could tell");
        let known = Points { axes: points.axes(), noise: Some(noise) };
        assert_eq!(sphere(known, Method::ScGdk).unwrap().verdict, Verdict::Hinge);
        let many = sphere_many(&[known, known], ManyMethod::SelfCalibrated).unwrap();
        assert_eq!(many.verdict, Verdict::Hinge);
        assert_eq!(sphere_robust(known, Method::ScGdk).unwrap().fit.verdict, Verdict::Hinge);
    }
}

#[test]
fn the_ellipsoid_of_a_hinge_holds_the_centre_of_its_arc() {
    const TRIALS: u64 = 1500;
    let inside = |covariance: &Matrix3<f64>, off: Vector3<f64>| {
        off.dot(&(covariance.try_inverse().unwrap() * off)) < 7.814_727_903_251_179
    };
    let (mut one, mut both) = (0, 0);
    for seed in 0..TRIALS {
        let arc = Arc { samples: 300, axial_offset: 0.0, sigma: 2.0, ..hinge_of(57.0, 0.0) };
        let far = arc.points(seed);
        let fit = sphere(far.axes(), Method::ScGdk).unwrap();
        one += i32::from(inside(&fit.covariance, fit.centre.coords));
        let near = Arc { radius: 150.0, ..arc }.points(50_000 + seed);
        let fit = sphere_many(&[far.axes(), near.axes()], ManyMethod::SelfCalibrated).unwrap();
        both += i32::from(inside(&fit.covariance, fit.centre.coords));
    }
    let share = |count: i32| f64::from(count) / TRIALS as f64;
    println!("hinge: 95 % ellipsoids hold {:.3}, of two markers {:.3}", share(one), share(both));
    for count in [one, both] {
        assert!((0.92..=0.97).contains(&share(count)), "{}", share(count));
    }
}

#[test]
fn where_the_points_say_nothing_the_covariance_says_so() {
    let flat = Arc { sigma: 0.0, axial_offset: 0.0, ..hinge_of(60.0, 0.0) }.points(1);
    let plain = [Method::Gdke, Method::Lls, Method::Gander, Method::Taubin, Method::Mle];
    for method in plain.into_iter().chain([Method::Ugdk(Noise::Sigma(0.0))]) {
        let fit = sphere(flat.axes(), method).unwrap();
        let along = fit.covariance[(2, 2)].sqrt();
        assert!(along >= 0.5 * 300.0, "{method}: {along}");
        assert!(fit.centre.coords.iter().all(|v| v.is_finite()), "{method}: {}", fit.centre);
    }
    let huge = flat.map(|x| x * 1e300);
    let fit = sphere(huge.axes(), Method::Ugdk(Noise::Sigma(0.0))).unwrap();
    assert!(fit.centre.coords.amax() < 1e293, "{}", fit.centre);
}

#[test]
fn a_method_that_lost_its_digits_is_not_covered_by_another() {
    let away = Cap { centre: Vector3::repeat(1e12), ..cap(100, 90.0, 0.01) }.points(2);
    for method in [Method::Lls, Method::Gander] {
        let Ok(fit) = sphere(away.axes(), method) else { continue };
        assert_eq!(fit.verdict, Verdict::Insufficient, "{method}: {fit:?}");
        assert_eq!(fit.shortfall, Some(Shortfall::Method), "{method}");
    }
    assert_eq!(verdict_of(&away), Verdict::Ball);
    // Bias alone does not count.
    let noisy = cap(1000, 60.0, 0.05).points(3);
    assert_eq!(sphere(noisy.axes(), Method::Gdke).unwrap().verdict, Verdict::Ball);
}

#[test]
fn what_is_solid_is_neither_ball_nor_hinge() {
    let mut rng = generator(4);
    let cube = Cloud::from_rows(
        (0..1000).map(|_| Vector3::from_fn(|_, _| uniform(&mut rng))).collect::<Vec<_>>(),
    );
    let fit = sphere(cube.axes(), Method::ScGdk).unwrap();
    assert_eq!((fit.verdict, fit.shortfall), (Verdict::Insufficient, Some(Shortfall::Roundness)));
    let tetrahedron =
        cloud(&[[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]);
    assert_eq!(circle(tetrahedron.axes()).unwrap().verdict, Verdict::Insufficient);
    let moments = Moments::<3>::from_points(tetrahedron.axes());
    let fit = sphere_from_moments(&moments, Method::Sgdk).unwrap();
    let numbers = [fit.radius, fit.centre.x, fit.centre.y, fit.centre.z, fit.covariance.trace()];
    assert!(numbers.iter().all(|v| v.is_finite()), "{fit:?}");
    // A cap is no circle, and the reason is not that it moved too little.
    let fit = circle(cap(500, 90.0, 0.001).points(1).axes()).unwrap();
    assert_eq!(fit.verdict, Verdict::Insufficient);
    assert_ne!(fit.shortfall, Some(Shortfall::Motion));
}

#[test]
fn several_markers_refuse_a_noise_larger_than_their_spread() {
    let points = cap(200, 60.0, 0.01).points(1);
    let both = [points.axes(), points.axes()];
    let error = sphere_many(&both, ManyMethod::Unbiased { sigma: 0.5 }).unwrap_err();
    assert!(error.to_string().contains("sigma: need less than"), "{error}");
    sphere_many(&both, ManyMethod::Unbiased { sigma: 0.01 }).unwrap();
}

#[test]
fn markers_that_turn_about_different_centres_are_named_and_make_it_unsure() {
    let good = cap(500, 60.0, 0.003).points(1);
    for off in [0.1, 0.3, 1e6] {
        let other = cap(500, 60.0, 0.003).points(2).map(|x| x + Vector3::new(off, 0.0, 0.0));
        let fit = sphere_many(&[good.axes(), other.axes()], ManyMethod::SelfCalibrated).unwrap();
        assert!(fit.agreements.iter().any(Agreement::is_elsewhere), "{off}: {fit:?}");
        assert!(fit.standard_error() > 0.2 * off, "{off}: {}", fit.standard_error());
    }
    let line = Cloud::from_rows((0..100).map(|i| Vector3::new(f64::from(i) * 0.01, 0.5, 0.0)));
    let error = sphere_many(&[good.axes(), line.axes()], ManyMethod::SelfCalibrated).unwrap_err();
    assert!(error.to_string().contains("straight line"), "{error}");
}

#[test]
fn markers_that_agree_are_not_accused() {
    let mut accused = 0;
    for seed in 0..200 {
        let turn = Rotation3::new(Vector3::new(0.3, 0.2, 0.0));
        let one = cap(300, 40.0, 0.01).points(seed);
        let centre = Cap::default().centre;
        let two =
            cap(300, 40.0, 0.01).points(1000 + seed).map(|x| centre + turn * (x - centre) * 0.5);
        let fit = sphere_many(&[one.axes(), two.axes()], ManyMethod::SelfCalibrated).unwrap();
        accused += fit.agreements.iter().filter(|a| a.is_elsewhere() || !a.is_round()).count();
    }
    assert_eq!(accused, 0);
}

#[test]
fn outliers_do_not_turn_a_hinge_into_a_ball() {
    for (share, spread) in [(0.02, 200.0), (0.05, 200.0), (0.1, 200.0), (0.1, 50.0)] {
        for seed in 0..15 {
            let mut rng = generator(300 + seed);
            let mut rows = hinge_of(57.0, 0.0).points(seed).rows();
            rows.iter_mut().step_by((1.0 / share) as usize).for_each(|row| {
                *row += noise(&mut rng, spread);
            });
            let spoilt = Cloud::from_rows(rows);
            let found = sphere_robust(spoilt.axes(), Method::ScGdk).unwrap();
            assert_eq!(found.fit.verdict, Verdict::Hinge, "{share} {spread} {seed}");
            let off = found.fit.centre.coords.xy().norm();
            assert!(off < 1.0, "{share} {spread} {seed}: {off}");
        }
    }
}

#[test]
fn the_robust_fit_takes_sigma_in_the_points_own_unit() {
    let plain = cap(200, 60.0, 0.02).points(1);
    for scale in [1.0, 1e-80, 1e80] {
        let points = plain.map(|x| x * scale);
        let robust = |sigma| sphere_robust(points.axes(), Method::Ugdk(Noise::Sigma(sigma)));
        let fit = robust(0.02 * scale).unwrap().fit;
        let off = (fit.centre.coords / scale - Cap::default().centre).norm();
        assert!(off < 0.1, "{scale:e}: {off}");
        assert_eq!(fit.method, Method::Ugdk(Noise::Sigma(0.02 * scale)));
        let error = robust(0.9 * scale).unwrap_err().to_string();
        assert!(error.contains(&format!("got {:.3e}", 0.9 * scale)), "{error}");
    }
}
