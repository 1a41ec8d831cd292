use std::f64::consts::PI;

use nalgebra::{Isometry3, Matrix4, Point3, Rotation3, Translation3, Unit, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::solid::{RoundCone, Solid};

fn direction(random: &mut impl Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0f64));
        if v.norm() > 0.1 {
            return v.normalize();
        }
    }
}

fn segment(name: usize, parent: Option<usize>, joint: Joint) -> Segment {
    let ends_m = [joint.centre_m, joint.centre_m + Vector3::new(0.0, 0.3, 0.1)];
    let cone = RoundCone { ends_m, radii_m: [0.05, 0.03] };
    let solid = Solid::try_from(cone.tetrahedra(8).unwrap()).unwrap();
    let mass = solid.mass_properties(DENSITY_KG_M3);
    Segment { name: format!("s{name}"), parent, solid, mass, joint }
}

/// A figure of any shape: joints with none to three rotations, about axes at right angles or not, and slides.
fn random_figure(random: &mut impl Rng, segments: usize, is_square: bool) -> Figure {
    let own = (0..segments).map(|at| {
        let parent = at.checked_sub(1).map(|last| random.random_range(0..=last));
        let centre_m = Point3::from(direction(random) * random.random_range(0.0..1.0));
        let turn = Rotation3::from_scaled_axis(direction(random) * random.random_range(0.0..3.0));
        let mut axes: Vec<Vector3<f64>> = match is_square {
            true => (0..3).map(|axis| turn * Vector3::ith(axis, 1.0)).collect(),
            false => (0..3).map(|_| direction(random)).collect(),
        };
        if random.random_bool(0.5) {
            axes.swap(0, 1);
        }
        let turns = random.random_range(0..=3);
        let slides = random.random_range(0..=2);
        let freedom = |kind, axis: &Vector3<f64>| Freedom {
            kind,
            axis: Unit::new_normalize(*axis),
            limits: [-3.0, 3.0],
            value: 0.1,
        };
        let mut freedoms: Vec<Freedom> =
            axes[..turns].iter().map(|axis| freedom(FreedomKind::Rotation, axis)).collect();
        freedoms.extend(axes[..slides].iter().map(|axis| freedom(FreedomKind::Translation, axis)));
        segment(at, parent, Joint { name: format!("j{at}"), centre_m, freedoms })
    });
    Figure::new("random", own.collect()).unwrap()
}

fn by_matrices(figure: &Figure, values: &[f64]) -> Vec<Matrix4<f64>> {
    let mut all: Vec<Matrix4<f64>> = Vec::new();
    for (at, segment) in figure.segments().iter().enumerate() {
        let p = segment.joint.centre_m.coords;
        let mut turn = Matrix4::identity();
        let mut d = Vector3::zeros();
        for (freedom, of) in segment.joint.freedoms.iter().zip(figure.freedoms_of(at)) {
            match freedom.kind {
                FreedomKind::Rotation => {
                    let own = Rotation3::from_axis_angle(&freedom.axis, values[of]);
                    turn *= own.to_homogeneous();
                }
                FreedomKind::Translation => d += freedom.axis.into_inner() * values[of],
            }
        }
        let own = Translation3::from(p + d).to_homogeneous()
            * turn
            * Translation3::from(-p).to_homogeneous();
        all.push(segment.parent.map_or(own, |parent| all[parent] * own));
    }
    all
}

#[test]
fn a_pose_is_the_product_of_its_matrices() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..100 {
        let segments = random.random_range(1..20);
        let figure = random_figure(&mut random, segments, round % 2 == 0);
        let values: Vec<f64> =
            (0..figure.freedom_count()).map(|_| random.random_range(-2.9..2.9)).collect();
        let mut pose = figure.rest_pose();
        figure.pose(&values, &mut pose);
        assert_eq!(pose.clamped, 0);
        let mut vertices_m = Vec::new();
        pose.vertices_m(&figure, &mut vertices_m);
        let mut moved = vertices_m.iter();
        let expected = by_matrices(&figure, &values);
        for (at, expected) in expected.iter().enumerate() {
            let off = pose.figure_from_rest[at].to_homogeneous() - expected;
            assert!(off.amax() < 1e-12, "{off}");
            for vertex_m in figure.segments()[at].solid.vertices_m() {
                let off = moved.next().unwrap() - expected.transform_point(vertex_m);
                assert!(off.amax() < 1e-12);
            }
        }
    }
}

#[test]
fn a_freedom_outside_its_limits_is_held_and_counted() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let figure = random_figure(&mut random, 6, true);
    let count = figure.freedom_count();
    let (mut far, mut at_limit) = (figure.rest_pose(), figure.rest_pose());
    figure.pose(&vec![5.0; count], &mut far);
    figure.pose(&vec![3.0; count], &mut at_limit);
    assert_eq!((far.clamped, at_limit.clamped), (count, 0));
    assert_eq!(far.figure_from_rest, at_limit.figure_from_rest);
    // Without values the figure has its own.
    let mut own = figure.rest_pose();
    figure.pose(&[], &mut own);
    figure.pose(&figure.values(), &mut far);
    assert_eq!(own.figure_from_rest, far.figure_from_rest);
}

#[test]
fn the_printed_increments_agree_for_single_axes_and_drift() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let hinge = |at: usize, random: &mut ChaCha8Rng| Joint {
        name: format!("j{at}"),
        centre_m: Point3::new(0.0, 0.3 * at as f64, 0.0),
        freedoms: vec![Freedom {
            kind: FreedomKind::Rotation,
            axis: Unit::new_normalize(direction(random)),
            limits: [-PI, PI],
            value: 0.0,
        }],
    };
    let segments =
        (0..5).map(|at| segment(at, at.checked_sub(1), hinge(at, &mut random))).collect();
    let figure = Figure::new("hinges", segments).unwrap();
    let mut printed = IncrementalPose::new(&figure);
    let mut pose = figure.rest_pose();
    let mut values = vec![0.0; 5];
    let mut off = Vec::new();
    for frame in 1..=20_000 {
        for (at, value) in values.iter_mut().enumerate() {
            *value = (0.01 * (at + 1) as f64 * f64::from(frame)).sin();
        }
        printed.step(&figure, &values);
        if frame == 100 || frame == 20_000 {
            figure.pose(&values, &mut pose);
            let expected = pose.figure_from_rest[4].to_homogeneous();
            off.push((printed.figure_from_rest()[4] - expected).amax());
        }
    }
    // The same at first; then nothing keeps axes of length one and turns at right angles.
    assert!(off[0] < 1e-12, "{off:?}");
    assert!(off[1] > 1e3 * off[0], "{off:?}");
}

#[test]
fn angles_come_back_from_the_motion_that_they_made() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for round in 0..40 {
        let figure = random_figure(&mut random, 8, round % 2 == 0);
        let mut follower = Follower::new(&figure);
        let mut pose = figure.rest_pose();
        let speeds: Vec<f64> =
            (0..figure.freedom_count()).map(|_| random.random_range(0.2..1.0)).collect();
        for frame in 0..200 {
            let values: Vec<f64> = speeds
                .iter()
                .map(|speed| 0.1 + 0.9 * (0.02 * speed * f64::from(frame)).sin())
                .collect();
            figure.pose(&values, &mut pose);
            let poses: Vec<Option<Isometry3<f64>>> =
                pose.figure_from_rest.iter().copied().map(Some).collect();
            let followed = follower.follow(&poses);
            // Axes that are nearly on one line say little; what they make together is told all the same.
            let worst_rad = followed.residual_rad.iter().copied().fold(0.0, f64::max);
            let worst_m = followed.residual_m.iter().copied().fold(0.0, f64::max);
            assert!(worst_rad < 1e-7 && worst_m < 1e-9, "{worst_rad} {worst_m}");
            if round % 2 == 0 {
                for (value, expected) in followed.values.iter().zip(&values) {
                    assert!((value.unwrap() - expected).abs() < 1e-6);
                }
            }
        }
    }
}

#[test]
fn what_a_joint_cannot_do_is_left() {
    let joint = Joint {
        name: "hinge".into(),
        centre_m: Point3::new(0.1, 0.2, 0.3),
        freedoms: vec![Freedom {
            kind: FreedomKind::Rotation,
            axis: Vector3::z_axis(),
            limits: [-1.0, 1.0],
            value: 0.0,
        }],
    };
    let figure = Figure::new("one", vec![segment(0, None, joint)]).unwrap();
    let centre = figure.segments()[0].joint.centre_m.coords;
    let turn = Rotation3::from_scaled_axis(Vector3::z() * 0.4)
        * Rotation3::from_scaled_axis(Vector3::x() * 0.05);
    let moved = Isometry3::translation(0.0, 0.02, 0.0)
        * Isometry3::from(Translation3::from(centre))
        * Isometry3::from_parts(Translation3::identity(), turn.into())
        * Isometry3::from(Translation3::from(-centre));
    let followed = Follower::new(&figure).follow(&[Some(moved)]);
    assert!((followed.values[0].unwrap() - 0.4).abs() < 1e-9);
    assert!((followed.residual_rad[0] - 0.05).abs() < 1e-9);
    assert!((followed.residual_m[0] - 0.02).abs() < 1e-12);
    assert_eq!(Follower::new(&figure).follow(&[None]).values, [None]);
}

#[test]
fn polynomials_up_to_the_order_come_back() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..200 {
        let order = random.random_range(0..=8usize);
        let from: f64 = random.random_range(-5.0..5.0);
        let span_s = [from, from + random.random_range(0.3..3.0)];
        let centre_s = 0.5 * (span_s[0] + span_s[1]);
        let half: f64 = 0.5 * (span_s[1] - span_s[0]);
        let coefficients: Vec<f64> =
            (0..=order).map(|i| random.random_range(-1.0..1.0) / half.powi(i as i32)).collect();
        let window = TaylorWindow {
            segment: "s".into(),
            freedom: 0,
            span_s,
            centre_s,
            coefficients: coefficients.clone(),
        };
        let time = |i: usize| span_s[0] + 2.0 * half * i as f64 / 60.0;
        let samples: Vec<(f64, f64)> = (0..=60).map(|i| (time(i), window.value(time(i)))).collect();
        let fit = fit_window(&samples, span_s, order).unwrap();
        for (i, (found, given)) in fit.coefficients.iter().zip(&coefficients).enumerate() {
            let off = (found - given).abs() * half.powi(i as i32);
            assert!(off < 1e-9, "{off}");
        }
        assert!(fit.residual_rms < 1e-12);
        assert!(prediction_rms(&window, &samples).unwrap() < 1e-15);
    }
    assert!(fit_window(&[(0.0, 1.0), (1.0, 2.0)], [0.0, 1.0], 2).is_none());
    assert!(fit_window(&[(0.5, 1.0); 9], [0.0, 1.0], 1).is_none());
}

#[test]
fn a_motion_holds_its_nearest_end_between_windows() {
    let window = |from: f64, to: f64, a: [f64; 2]| TaylorWindow {
        segment: "s1".into(),
        freedom: 0,
        span_s: [from, to],
        centre_s: from,
        coefficients: a.to_vec(),
    };
    let motion =
        FigureMotion::new("f", vec![window(3.0, 4.0, [5.0, 0.0]), window(0.0, 1.0, [0.0, 2.0])]);
    let motion = motion.unwrap();
    assert_eq!(motion.span_s(), Some([0.0, 4.0]));
    let freedom = Freedom {
        kind: FreedomKind::Translation,
        axis: Vector3::x_axis(),
        limits: [-9.0, 9.0],
        value: 0.0,
    };
    let joint = Joint { freedoms: vec![freedom], ..Joint::default() };
    let segments = vec![segment(0, None, Joint::default()), segment(1, Some(0), joint)];
    let figure = Figure::new("f", segments).unwrap();
    let at = |time_s: f64| {
        let mut values = Vec::new();
        motion.values(&figure, time_s, &mut values).unwrap();
        values[0]
    };
    assert_eq!([-1.0, 0.5, 1.5, 2.5, 9.0].map(at), [0.0, 1.0, 2.0, 5.0, 5.0]);
    let overlap = vec![window(0.0, 2.0, [0.0; 2]), window(1.0, 3.0, [0.0; 2])];
    assert!(FigureMotion::new("f", overlap).unwrap_err().to_string().contains("windows apart"));
    let other = TaylorWindow { freedom: 7, ..window(0.0, 1.0, [0.0; 2]) };
    let other = FigureMotion::new("f", vec![other]).unwrap();
    assert!(other.values(&figure, 0.0, &mut Vec::new()).is_err());
}

#[test]
fn arrays_have_as_many_coefficients_as_choices_with_repetition() {
    // By the recursion with sums from 0.
    let by_sum = |order: u64, variables: u64| -> u64 {
        let mut counts = vec![1u64; order as usize + 1];
        for _ in 0..variables {
            let mut sum = 0;
            counts = counts
                .iter()
                .map(|count| {
                    sum += count;
                    sum
                })
                .collect();
        }
        counts[order as usize]
    };
    for order in 0..12 {
        for variables in 0..12 {
            assert_eq!(coefficient_count(order, variables), Some(by_sum(order, variables)));
        }
    }
    assert_eq!(coefficient_count(6, 3), Some(84));
    assert_eq!(coefficient_count(u64::MAX, 5), None);
}
