//! Bad input at every entry point: a typed error that says why, or the right answer; never a panic.

use super::*;
use crate::error::{ErrorKind, Result};

/// Points that leave the answer open, and what an error must say of each.
fn open_ended() -> Vec<(&'static str, Cloud, &'static str)> {
    let line: Vec<[f64; 3]> = (0..20).map(|i| [f64::from(i), 2.0 * f64::from(i), 1.0]).collect();
    // Rounding leaves the points a little off this line.
    let slant: Vec<[f64; 3]> =
        (0..20).map(|i| f64::from(i) * 0.1).map(|t| [0.1 + t, 0.3 * t, 7.0 - 0.7 * t]).collect();
    let with = |odd: f64| {
        let mut rows = cap(30, 90.0, 0.01).points(1).rows();
        rows[1].y = odd;
        Cloud::from_rows(rows)
    };
    vec![
        ("no points", cloud(&[]), "got 0"),
        ("two points", cloud(&[[1.0, 2.0, 3.0], [2.0, 1.0, 0.5]]), "got 2"),
        ("identical points", cloud(&[[1.1, 2.2, 3.3]; 50]), "one place"),
        ("identical points far away", cloud(&[[1e15, -1e15, 1.0]; 50]), "one place"),
        ("collinear points", cloud(&line), "line"),
        ("collinear points with rounding", cloud(&slant), "line"),
        ("not a number", with(f64::NAN), "NaN"),
        ("infinite", with(f64::INFINITY), "inf"),
        ("minus infinite", with(f64::NEG_INFINITY), "inf"),
    ]
}

fn expect_refusals<T: std::fmt::Debug>(fit: impl Fn([&[f64]; 3]) -> Result<T>) {
    for (name, points, why) in open_ended() {
        let error = fit(points.axes()).expect_err(name);
        assert!(matches!(error.kind(), ErrorKind::Undetermined(_)), "{name}: {error:?}");
        let text = error.to_string();
        assert!(text.contains("need") && text.contains(why), "{name}: {text}");
    }
    let uneven = fit([&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[0.0; 7], &[0.0; 6]]);
    assert!(uneven.unwrap_err().to_string().contains("as many"), "slices of different length");
}

/// Insists that a fit that finds the centre of plain points finds it at any scale, or says in a
/// typed error that the scale is the trouble.
fn expect_scales(fit: impl Fn([&[f64]; 3]) -> Result<Vector3<f64>>, has_answer: bool) {
    let plain = cap(60, 90.0, 0.01).points(1);
    let want = fit(plain.axes()).unwrap();
    for scale in [1e300, 1e-300, 1e100, 1e-100] {
        match fit(plain.map(|x| x * scale).axes()) {
            Ok(got) => {
                let off = (got / scale - want).norm();
                assert!(has_answer && off < 1e-9, "{scale:e}: off by {off:e}");
            }
            Err(error) => {
                let text = error.to_string();
                let names_it = ["spread", "1e60", "finite"].iter().any(|word| text.contains(word));
                assert!(!has_answer && names_it, "{scale:e}: {text}");
            }
        }
    }
}

/// Insists on eight digits a million radii from the origin.
fn expect_far_away(fit: impl Fn([&[f64]; 3]) -> Result<Vector3<f64>>) {
    let centre = Vector3::new(1e6, -1e6, 1e6);
    let points = Cap { centre, ..cap(100, 90.0, 0.0) }.points(2);
    let off = (fit(points.axes()).unwrap() - centre).norm();
    assert!(off < 1e-8, "off by {off:e}");
}

fn centre_of(fit: Result<SphereFit>) -> Result<Vector3<f64>> {
    fit.map(|fit| fit.centre.coords)
}

#[test]
fn sphere_by_every_method() {
    for method in METHODS {
        expect_refusals(|points| sphere(points, method));
        // Gander's constraint changes with the unit, so its answer does too.
        if !matches!(method, Method::Gander | Method::Ugdk(_)) {
            expect_scales(|points| centre_of(sphere(points, method)), true);
        }
        // Sigma is taken off although these points have none; the others are below.
        if !matches!(method, Method::Ugdk(_) | Method::Gander | Method::Lls) {
            expect_far_away(|points| centre_of(sphere(points, method)));
        }
    }
}

#[test]
fn sphere_without_centring_says_that_it_lost_its_digits() {
    let centre = Vector3::new(1e6, -1e6, 1e6);
    let points = Cap { centre, ..cap(100, 90.0, 0.0) }.points(2);
    for method in [Method::Lls, Method::Gander] {
        let fit = sphere(points.axes(), method).unwrap();
        let off = (fit.centre.coords - centre).norm();
        println!("{method}: off by {off:.1e}, standard error {:.1e}", fit.standard_error());
        assert!(off > 1e-8, "{method} is better than thought: {off:e}");
        assert!(fit.standard_error() > 0.1 * off, "{method}: silent about {off:e}");
    }
}

#[test]
fn sphere_weighted_and_its_weights() {
    let ones = |points: [&[f64]; 3]| vec![1.0; points[0].len()];
    let fit = |points: [&[f64]; 3]| sphere_weighted(points, &ones(points), Method::ScGdk);
    expect_refusals(fit);
    expect_scales(|points| centre_of(fit(points)), true);
    expect_far_away(|points| centre_of(fit(points)));
    let points = cap(30, 90.0, 0.01).points(1);
    let want = fit(points.axes()).unwrap();
    for weight in [1e300, 1e-300, 5e-324] {
        let fit = sphere_weighted(points.axes(), &[weight; 30], Method::ScGdk).unwrap();
        assert!((fit.centre - want.centre).norm() < 1e-12, "{weight:e}");
        assert!((fit.sigma - want.sigma).abs() < 1e-12, "{weight:e}");
    }
    let mut few = [0.0; 30];
    few[..3].fill(1.0);
    for (weights, why) in [
        (&[1.0; 29][..], "need 30, one a point, got 29"),
        (&[f64::NAN; 30][..], "got NaN"),
        (&[-1.0; 30][..], "got -1"),
        (&[f64::INFINITY; 30][..], "got inf"),
        (&[0.0; 30][..], "need 4 above 0, got 0"),
        (&few[..], "need 4 above 0, got 3"),
    ] {
        let error = sphere_weighted(points.axes(), weights, Method::ScGdk).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
    let error = sphere_weighted(points.axes(), &[1.0; 30], Method::Mle).unwrap_err();
    assert!(error.to_string().contains("need the points themselves"), "{error}");
}

#[test]
fn sphere_from_moments_alone() {
    for (name, points, why) in open_ended() {
        let error = sphere_from_moments(&Moments::<3>::from_points(points.axes()), Method::ScGdk)
            .unwrap_err();
        let text = error.to_string();
        // Moments do not remember which point it was.
        let why = if ["NaN", "inf"].contains(&why) { "finite" } else { why };
        assert!(text.contains("need") && text.contains(why), "{name}: {text}");
    }
    let fit = |points: [&[f64]; 3]| {
        sphere_from_moments(&Moments::<3>::from_points(points), Method::ScGdk)
    };
    expect_scales(|points| centre_of(fit(points)), false);
    expect_far_away(|points| centre_of(fit(points)));
}

#[test]
fn sphere_robust_against_more_than_outliers() {
    let fit = |points: [&[f64]; 3]| sphere_robust(points, Method::ScGdk).map(|robust| robust.fit);
    expect_refusals(fit);
    expect_scales(|points| centre_of(fit(points)), true);
    expect_far_away(|points| centre_of(fit(points)));
}

#[test]
fn sphere_many_of_one_bad_marker_or_of_two() {
    let good = cap(60, 90.0, 0.01).points(9);
    for method in
        [ManyMethod::SelfCalibrated, ManyMethod::Plain, ManyMethod::Unbiased { sigma: 0.01 }]
    {
        expect_refusals(|points| sphere_many(&[points], method));
        let fit = |points: [&[f64]; 3]| {
            sphere_many(&[points, points], method).map(|fit| fit.centre.coords)
        };
        if method != (ManyMethod::Unbiased { sigma: 0.01 }) {
            expect_scales(fit, false);
            expect_far_away(fit);
        }
    }
    let second =
        |points: [&[f64]; 3]| sphere_many(&[good.axes(), points], ManyMethod::SelfCalibrated);
    for (name, points, _) in open_ended() {
        // A second marker on a line still says something; the others do not.
        if !name.starts_with("collinear") {
            second(points.axes()).expect_err(name);
        }
    }
    let none = sphere_many::<Points>(&[], ManyMethod::SelfCalibrated).unwrap_err();
    assert!(none.to_string().contains("need at least 1, got 0"), "{none}");
}

#[test]
fn circle_in_space() {
    expect_refusals(circle);
    let flat = |points: [&[f64]; 3]| circle(points).map(|fit| fit.centre.coords);
    expect_scales(flat, true);
}

#[test]
fn plane_of_three_points_and_of_none() {
    expect_refusals(plane);
    expect_scales(|points| plane(points).map(|fit| fit.point.coords), true);
    let three = plane([&[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], &[5.0; 3]]).unwrap();
    assert_eq!(three.normal.direction.z, 1.0);
}

#[test]
fn cylinder_about_a_known_and_about_a_free_axis() {
    let known = CylinderAxis::Known(Vector3::z_axis());
    for axis in [known, CylinderAxis::Free] {
        expect_refusals(|points| cylinder(points, axis));
        expect_scales(|points| cylinder(points, axis).map(|fit| fit.point.coords), true);
    }
    let flat = cap(30, 90.0, 0.0).points(1).map(|x| Vector3::new(x.x, x.y, 0.0));
    let error = cylinder(flat.axes(), CylinderAxis::Free).unwrap_err();
    assert!(error.to_string().contains("got points in one plane"), "{error}");
    let five = cap(5, 90.0, 0.0).points(1);
    let error = cylinder(five.axes(), CylinderAxis::Free).unwrap_err();
    assert!(error.to_string().contains("need 6, got 5"), "{error}");
    let nowhere = nalgebra::Unit::new_unchecked(Vector3::repeat(f64::NAN));
    let error = cylinder(five.axes(), CylinderAxis::Known(nowhere)).unwrap_err();
    assert!(error.to_string().contains("axis: need finite"), "{error}");
}

#[test]
fn common_normal_of_several_markers() {
    expect_refusals(|points| common_normal(&[points]));
    expect_refusals(|points| common_normal(&[points, points]));
}

#[test]
fn an_uncertainty_too_small_for_a_number_is_rounded_up() {
    let points = cap(60, 90.0, 0.01).points(1).map(|x| x * 1e-300);
    assert!(sphere(points.axes(), Method::ScGdk).unwrap().standard_error() > 0.0);
    assert!(circle(points.axes()).unwrap().covariance.trace() > 0.0);
    assert!(cylinder(points.axes(), CylinderAxis::Free).unwrap().covariance.trace() > 0.0);
}
