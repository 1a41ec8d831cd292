use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

use super::trouble::{self, TroubleKind};
use super::*;
use crate::simulate::{Options as Staged, Performer, Routine, Simulation, simulate};
use crate::subject::{CentreKnown, JointKind};
use crate::trial::{Body, Origin};

fn sensors(routine: Routine, noise_m: f64, noise_deg: f64, seed: u64) -> Simulation {
    let options = Staged {
        routine,
        seconds: 45.0,
        rate_hz: 30.0,
        sensors: true,
        noise_m,
        orientation_noise_rad: noise_deg.to_radians(),
        seed,
        ..Staged::default()
    };
    simulate(&Performer::human(), &options).unwrap()
}

fn fitted(simulation: &Simulation) -> Fitted {
    fit(&simulation.trial.bodies, &Options::default()).unwrap()
}

/// The rms distance of played-back joints from the truth.
fn off_m(simulation: &Simulation, fitted: &Fitted, how: Playback) -> f64 {
    let played = playback(&fitted.subject, &simulation.trial, how).unwrap();
    let (mut square, mut count) = (0.0, 0.0);
    for (joint, track) in fitted.subject.joints.iter().zip(played.joints()) {
        let truth = simulation.truth.joint(&joint.name).unwrap();
        for (at, truth_m) in track.iter_m().zip(&simulation.truth.joint_positions_m) {
            square += (at.unwrap() - truth_m[truth]).norm_squared();
            count += 1.0;
        }
    }
    f64::sqrt(square / count)
}

#[test]
fn a_person_with_sensors_becomes_a_subject_exactly_without_noise() {
    let simulation = sensors(Routine::Rom, 0.0, 0.0, 1);
    let fitted = fitted(&simulation);
    let joints = &fitted.subject.joints;
    assert_eq!(joints.len(), simulation.truth.joints.len());
    assert!(joints.iter().all(|joint| joint.centre_known() == CentreKnown::Well), "{joints:#?}");
    assert!(joints.iter().all(|joint| joint.kind != JointKind::Fixed), "{joints:#?}");
    assert_eq!(fitted.subject.segments[0].name, "pelvis");
    let off_m = off_m(&simulation, &fitted, Playback::LeastSquares);
    assert!(off_m < 1e-9, "{off_m}");
    let again = crate::subject::Subject::from_json(&fitted.subject.to_json().unwrap()).unwrap();
    assert!(again.is_of_bodies());
    assert_eq!(again.segments, fitted.subject.segments);
}

#[test]
fn joints_stay_together_in_playback_and_what_is_discarded_is_said() {
    let simulation = sensors(Routine::Rom, 4e-3, 0.3, 2);
    let fitted = fitted(&simulation);
    let mut off = Vec::new();
    for how in [Playback::LeastSquares, Playback::Orientations] {
        let played = playback(&fitted.subject, &simulation.trial, how).unwrap();
        let mut widest_m: f64 = 0.0;
        let pose = |frame, segment| played.world_from_segment(frame, segment).unwrap();
        for frame in 0..played.frames() {
            for joint in &fitted.subject.joints {
                let by_parent = pose(frame, joint.parent) * joint.centre_in_parent_m;
                let by_child = pose(frame, joint.child) * joint.centre_in_child_m;
                widest_m = widest_m.max((by_parent - by_child).norm());
            }
        }
        assert!(widest_m < 1e-12, "{how:?}: {widest_m}");
        for (segment, moved_m) in played.evidence().marker_residual_m.iter().enumerate() {
            let is_kept = how == Playback::Orientations && segment == 0;
            let moved_m = moved_m.unwrap();
            assert!(is_kept == (moved_m == 0.0) && moved_m < 0.05, "{moved_m}");
        }
        let recorded = simulation.trial.bodies[fitted.bodies[3]].world_from_body(0).unwrap();
        let turned_rad = pose(0, 3).rotation.angle_to(&recorded.rotation);
        assert!((how == Playback::LeastSquares) == (turned_rad > 1e-6), "{turned_rad}");
        // As recorded, joints come apart by the noise.
        assert!(played.evidence().separations_m.iter().all(|gap| gap.unwrap() > 5e-3));
        off.push(off_m(&simulation, &fitted, how));
    }
    assert!(off[0] < 0.6 * off[1] && off[0] < 4e-3, "{off:?}");
}

/// Two bodies on a hinge that turns by 100 degrees and has a degree of play.
fn hinge_with_play() -> Vec<Body> {
    let (mut upper, mut lower) = (Body::new("upper"), Body::new("lower"));
    for k in 0..600 {
        let t = f64::from(k) * 0.02;
        let pose = Isometry3::new(
            Vector3::new(0.2 * t.sin(), 0.1 * t.cos(), 1.0),
            Vector3::new(0.1 * t.sin(), 0.2 * (0.7 * t).cos(), 0.0),
        );
        let play_rad = 0.5f64.to_radians();
        let turn = UnitQuaternion::from_euler_angles(
            50f64.to_radians() * (0.9 * t).sin(),
            play_rad * (2.3 * t).sin(),
            play_rad * (3.1 * t).cos(),
        );
        upper.push(Some(pose));
        let at = Isometry3::from_parts(Vector3::new(0.0, 0.0, -0.25).into(), turn);
        lower.push(Some(pose * at * Isometry3::translation(0.02, 0.0, -0.2)));
    }
    vec![upper, lower]
}

#[test]
fn a_hinge_with_a_degree_of_play_is_no_ball() {
    let joint = &fit(&hinge_with_play(), &Options::default()).unwrap().subject.joints[0];
    let degrees = joint.ranges_rad.map(|range_rad| range_rad.to_degrees().round());
    assert_eq!(degrees, [100.0, 1.0, 1.0]);
    assert_eq!(joint.kind, JointKind::Hinge);
}

#[test]
fn centres_are_within_their_error_bars() {
    let (mut inside, mut all) = (0, 0);
    for seed in 1..=4 {
        let simulation = sensors(Routine::ChickenWalk, 4e-3, 0.3, seed);
        let fitted = fitted(&simulation);
        let truth = &simulation.truth;
        for joint in &fitted.subject.joints {
            let true_joint = &truth.joints[truth.joint(&joint.name).unwrap()];
            let mount = truth.sensors[true_joint.parent].segment_from_sensor;
            let true_m = mount.inverse() * true_joint.centre_in_parent_m;
            let off = joint.centre_in_parent_m - true_m;
            let squared = off.dot(&(joint.covariance_m2.try_inverse().unwrap() * off));
            // 95 % of a chi-square of three.
            inside += usize::from(squared < 7.815);
            all += 1;
        }
    }
    assert!(inside * 100 >= all * 88, "{inside} of {all}");
}

/// The sensor on a segment moves by so much on it from a frame on.
fn slip(simulation: &mut Simulation, name: &str, from: usize, by_m: Vector3<f64>) {
    let body = simulation.trial.bodies.iter_mut().find(|body| body.name == name).unwrap();
    for frame in from..body.frames() {
        let pose = *body.world_from_body(frame).unwrap();
        body.set(frame, Some(pose * nalgebra::Translation3::from(by_m)), Origin::Measured);
    }
}

#[test]
fn a_slip_of_three_millimetres_is_found_and_nothing_where_there_is_none() {
    for (seed, name) in [(1, "left thigh"), (2, "right hand"), (3, "pelvis")] {
        let mut simulation = sensors(Routine::Rom, 4e-3, 0.3, seed);
        let clean = fitted(&simulation);
        let found = trouble::find(&clean.subject, &simulation.trial);
        assert_eq!(found, [], "{seed}");
        let by_m = Vector3::new(0.002, -0.002, 0.001);
        slip(&mut simulation, name, 600, by_m);
        let found = trouble::find(&fitted(&simulation).subject, &simulation.trial);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].body, name);
        assert!(found[0].frames.start.abs_diff(600) < 150, "{found:?}");
        let TroubleKind::Slip { shift_m, .. } = found[0].kind else { panic!("{found:?}") };
        assert!((shift_m - 0.003).abs() < 0.0015, "{shift_m}");
    }
}

#[test]
fn exchanged_names_are_put_right_and_silence_and_freezing_are_told() {
    let mut simulation = sensors(Routine::Rom, 4e-3, 0.3, 5);
    let truth = fitted(&simulation).subject;
    let bodies = &mut simulation.trial.bodies;
    let [a, b] = ["left hand", "right foot"]
        .map(|name| bodies.iter().position(|body| body.name == name).unwrap());
    for frame in 400..900 {
        let poses = [a, b].map(|body| bodies[body].world_from_body(frame).copied());
        bodies[a].set(frame, poses[1], Origin::Measured);
        bodies[b].set(frame, poses[0], Origin::Measured);
    }
    for frame in 100..130 {
        bodies[3].set(frame, None, Origin::Missing);
        let frozen = bodies[4].world_from_body(100).copied();
        bodies[4].set(frame, frozen, Origin::Measured);
    }
    let names = [bodies[3].name.clone(), bodies[4].name.clone()];
    let found = fitted(&simulation);
    let gap = |one: &crate::subject::Subject| {
        let off = one.joints.iter().zip(&truth.joints);
        off.map(|(a, b)| (a.centre_in_parent_m - b.centre_in_parent_m).norm()).fold(0.0, f64::max)
    };
    assert!(gap(&found.subject) < 2e-3, "{}", gap(&found.subject));
    let told: Vec<_> = trouble::find(&found.subject, &simulation.trial)
        .iter()
        .map(|trouble| (trouble.kind.name(), trouble.body.clone(), trouble.frames.clone()))
        .collect();
    assert!(told.contains(&("silent", names[0].clone(), 100..130)), "{told:?}");
    assert!(told.contains(&("frozen", names[1].clone(), 100..130)), "{told:?}");
    let is_told = |body: &str| told.contains(&("exchange", body.to_owned(), 400..900));
    assert!(is_told("left hand") || is_told("right foot"), "{told:?}");
}

#[test]
fn the_scale_of_the_document_is_found() {
    // Check 36: 56.5 cm apart, reported at 60.1 with 0.745 cm of noise: 0.94 and 0.7 cm.
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let (mut one, mut other) = (Body::new("one"), Body::new("other"));
    let reported_m = 0.565 / 0.94;
    for k in 0..2000 {
        let t = f64::from(k) * 0.03;
        let pose = Isometry3::new(
            Vector3::new(t.sin(), 0.3 * t.cos(), 1.0 + 0.2 * (2.0 * t).sin()),
            Vector3::new(0.5 * t, t.sin(), 0.0),
        );
        let noise: f64 = StandardNormal.sample(&mut random);
        one.push(Some(pose));
        let at = Point3::new(reported_m + 0.007 / 0.94 * noise, 0.0, 0.0);
        other.push(Some(pose * Isometry3::translation(at.x, at.y, at.z)));
    }
    let scale = scale_factor(&one, &other, 0.565).unwrap();
    assert!((scale.factor - 0.94).abs() < 3.0 * scale.factor_sd, "{scale:?}");
    assert!(scale.factor_sd < 5e-4 && (scale.noise_m - 0.007).abs() < 4e-4, "{scale:?}");
    assert!(scale_factor(&one, &other, -1.0).unwrap_err().to_string().contains("positive"));
    let error = scale_factor(&Body::new("a"), &other, 0.5).unwrap_err().to_string();
    assert_eq!(error, "bodies 'a' and 'other': need 2 frames that show both apart, got 0");
}

#[test]
fn the_tip_of_a_pointer_is_found_with_its_error_bar_and_outliers_are_left_out() {
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut normal = |sd: f64| -> Vector3<f64> {
        Vector3::from_fn(|_, _| sd * Distribution::<f64>::sample(&StandardNormal, &mut random))
    };
    let (tip, post) = (Point3::new(0.01, -0.02, 0.16), Point3::new(1.0, 0.4, -0.2));
    let mut poses = Vec::new();
    for k in 0..400 {
        let t = f64::from(k) * 0.05;
        let tilt = UnitQuaternion::from_euler_angles(0.5 * t.cos(), 0.4 * t.sin(), 0.1 * t);
        let rotation = tilt * UnitQuaternion::new(normal(0.002));
        let origin = post - tilt * tip.coords + normal(0.0003);
        poses.push(Some(Isometry3::from_parts(origin.coords.into(), rotation)));
    }
    let found = pivot(&poses, false).unwrap();
    assert_eq!(found.motion, crate::joint::PairMotion::Ball);
    let off_m = (found.tip_in_tool_m - tip).norm();
    assert!(off_m < 4.0 * found.tip_sd_m() && found.tip_sd_m() < 1e-4, "{off_m} {found:?}");
    for pose in poses.iter_mut().take(40).flatten() {
        pose.translation.vector.x += 0.1;
    }
    let robust = pivot(&poses, true).unwrap();
    assert_eq!(robust.left_out, 40);
    assert!((robust.tip_in_tool_m - tip).norm() < 2e-4);
    assert!((pivot(&poses, false).unwrap().tip_in_tool_m - tip).norm() > 5e-3);
    let error = pivot(&poses[..2], false).unwrap_err().to_string();
    assert_eq!(error, "pivot: need 3 poses of the tool, got 2");
}

#[test]
fn in_a_bent_field_the_error_bars_of_a_pointer_hold() {
    for (noise_m, noise_rad) in [(0.0, 0.0), (0.3e-3, 2e-3), (1e-3, 5e-3)] {
        let (trials, held) = (200, held_in_a_bent_field(200, noise_m, noise_rad));
        println!("{noise_m} m: tip and post within their 95 % ellipsoids: {held:?} of {trials}");
        assert!(held.iter().all(|held| *held >= trials * 85 / 100), "{noise_m}: {held:?}");
    }
}

/// How often the 95 % ellipsoids hold the tip and the post.
fn held_in_a_bent_field(trials: usize, noise_m: f64, noise_rad: f64) -> [usize; 2] {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(11);
    let mut any = |most: f64| -> Vector3<f64> {
        Vector3::from_fn(|_, _| most * random.random_range(-1.0..1.0))
    };
    // As wide as a normal distribution of that standard deviation.
    let (noise_m, noise_rad) = (3f64.sqrt() * noise_m, 3f64.sqrt() * noise_rad);
    let mut held = [0; 2];
    for _ in 0..trials {
        let (tip, post) = (Point3::from(any(0.1)), Point3::from(any(0.5)));
        // A displacement that grows with the distance from the source and its square.
        let linear = Matrix3::from_columns(&[any(0.03), any(0.03), any(0.03)]);
        let square = Matrix3::from_columns(&[any(0.06), any(0.06), any(0.06)]);
        let poses: Vec<_> = (0..600)
            .map(|k| {
                let t = f64::from(k) * 0.03;
                let tilt = UnitQuaternion::from_euler_angles(0.6 * t.cos(), 0.5 * t.sin(), 0.1 * t);
                let at = (post - tilt * tip.coords).coords;
                let bent = at + linear * at + square * at.component_mul(&at) + any(noise_m);
                let jitter = UnitQuaternion::new(any(noise_rad));
                Some(Isometry3::from_parts(bent.into(), tilt * jitter))
            })
            .collect();
        let found = pivot(&poses, false).unwrap();
        let offs = [found.tip_in_tool_m - tip, found.pivot_in_world_m - post];
        for (which, off) in offs.into_iter().enumerate() {
            let part: Matrix3<f64> =
                found.covariance_m2.fixed_view::<3, 3>(3 * which, 3 * which).into();
            // The 95 % ellipsoid.
            let distance2 = off.dot(&(part.try_inverse().unwrap() * off));
            held[which] += usize::from(distance2 <= 7.815);
        }
    }
    held
}

#[test]
fn refuses_one_sensor_sensors_that_never_move_and_a_hierarchy_in_a_cycle() {
    let bodies = &sensors(Routine::Rom, 4e-3, 0.3, 1).trial.bodies;
    let error = fit(&bodies[..1], &Options::default()).unwrap_err().to_string();
    assert_eq!(error, "bodies: need 2 with positions that are seen in 8 frames, got 1 of 1");
    let still: Vec<Body> = bodies
        .iter()
        .map(|body| {
            let mut still = Body::new(body.name.clone());
            (0..100).for_each(|_| still.push(body.world_from_body(0).copied()));
            still
        })
        .collect();
    let error = fit(&still, &Options::default()).unwrap_err().to_string();
    assert!(
        error.starts_with("bodies: need two that turn against each other about a point, got none"),
        "{error}"
    );
    let cycle = vec![Some(1), Some(2), Some(0)];
    let hierarchy = Hierarchy::Known(cycle);
    let error =
        fit(&bodies[..3], &Options { hierarchy, ..Options::default() }).unwrap_err().to_string();
    assert_eq!(error, "hierarchy: need a tree, got a cycle of parents");
    let root = Some("tail".to_owned());
    let error = fit(bodies, &Options { root, ..Options::default() }).unwrap_err().to_string();
    assert!(error.starts_with("root: need one of pelvis,"), "{error}");
}
