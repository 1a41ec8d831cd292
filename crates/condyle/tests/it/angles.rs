//! Joint angles: signs, sides, zeros, continuity, and beside those of others.

use crate::fitted;
use crate::recordings;
use condyle::angles::{Convention, Options, ZeroPose, joint_angles};
use condyle::cardan::Sequence;
use condyle::format::{self, ReadOptions};
use condyle::marker_set;
use condyle::simulate::{Performer, Simulation};
use condyle::solve::SolvedMotion;
use condyle::subject::Subject;
use nalgebra::{Point3, UnitQuaternion, Vector3};

fn person(performer: &Performer) -> (Simulation, Subject, SolvedMotion) {
    fitted::simulated(performer, 6.0, 0.0)
}

#[test]
fn knee_flexion_of_both_sides_is_that_of_the_simulator() {
    let (simulation, subject, solved) = person(&Performer::human());
    let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
    let truth = &simulation.truth;
    // The plane of the iliac spines of the simulated pelvis falls by 15 mm on 170 mm from back to front.
    let tilt_rad = 0.015f64.atan2(0.17);
    let knees = [("left knee", 0.0), ("right knee", 0.0)];
    for (name, offset_rad) in
        knees.into_iter().chain([("left hip", tilt_rad), ("right hip", tilt_rad)])
    {
        let joint = angles.joint(name).unwrap();
        assert_eq!(joint.components[0].name, "flexion");
        assert_eq!(joint.zero, ZeroPose::Anatomical);
        let index = truth.joints[truth.joint(name).unwrap()].angles.start;
        // The simulator's axes are not quite the anatomical ones: compare how the angle changes.
        let pairs: Vec<(f64, f64)> = (0..joint.angles_rad.len())
            .map(|frame| (joint.angles_rad[frame].unwrap()[0], truth.angles_rad[frame][index]))
            .collect();
        let mean =
            |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / pairs.len() as f64;
        let (a, b) = (mean(|p| p.0), mean(|p| p.1));
        let rms = (pairs.iter().map(|p| (p.0 - a - p.1 + b).powi(2)).sum::<f64>()
            / pairs.len() as f64)
            .sqrt();
        assert!(rms.to_degrees() < 1.0, "{name} {}", rms.to_degrees());
        assert!(
            (a - b - offset_rad).abs().to_degrees() < 1.0,
            "{name} {} {}",
            a.to_degrees(),
            b.to_degrees()
        );
    }
}

#[test]
fn abduction_and_rotation_have_the_same_sign_on_both_sides() {
    let (simulation, subject, solved) = person(&Performer::human());
    let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
    let truth = &simulation.truth;
    // The simulator turns left hips about forward, then down; right ones about backward, then up.
    for name in ["left hip", "right hip"] {
        let joint = angles.joint(name).unwrap();
        let first = truth.joints[truth.joint(name).unwrap()].angles.start;
        let slope = |ours: usize, theirs: usize| {
            let pair = |f: usize| {
                (joint.angles_rad[f].unwrap()[ours], truth.angles_rad[f][first + theirs])
            };
            let frames = joint.angles_rad.len();
            let mean = (0..frames).map(pair).fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
            let mean = (mean.0 / frames as f64, mean.1 / frames as f64);
            let centred = |f: usize| (pair(f).0 - mean.0, pair(f).1 - mean.1);
            let products = (0..frames)
                .map(centred)
                .fold((0.0, 0.0), |s, p| (s.0 + p.0 * p.1, s.1 + p.1 * p.1));
            products.0 / products.1
        };
        // The simulator's second angle is abduction, its third external rotation, on both sides.
        assert!((slope(1, 1) + 1.0).abs() < 0.1, "{name} adduction {}", slope(1, 1));
        assert!((slope(2, 2).abs() - 1.0).abs() < 0.1, "{name} rotation {}", slope(2, 2));
    }
}

#[test]
fn a_zero_frame_is_zero() {
    let (mut simulation, subject, solved) = person(&Performer::human());
    let options = Options { zero_frame: Some(17), ..Options::default() };
    let angles = joint_angles(&subject, &solved, 50.0, &options);
    for joint in &angles.joints {
        assert_eq!(joint.zero, ZeroPose::Frame(17));
        let at_zero = joint.angles_rad[17].unwrap();
        let turned = match joint.convention {
            Convention::Isb { sequence, .. } => sequence.rotation(at_zero).angle(),
            Convention::SwingTwist => Vector3::from(at_zero).norm(),
        };
        assert!(turned < 1e-6, "{} {at_zero:?}", joint.name);
    }
    // In words by the recording's own numbers.
    simulation.trial.first_frame = 301;
    assert_eq!(angles.joints[0].zero.in_words(&simulation.trial), "pose in frame 318");
}

#[test]
fn angles_never_jump_and_have_ranges_and_rates() {
    for performer in [Performer::human(), Performer::dog(), Performer::arm()] {
        let (_, subject, solved) = person(&performer);
        let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
        for joint in &angles.joints {
            let range = joint.range_rad.unwrap();
            for (frame, pair) in joint.angles_rad.windows(2).enumerate() {
                let (before, after) = (pair[0].unwrap(), pair[1].unwrap());
                let near = joint.near_gimbal.iter().any(|near| near.contains(&frame));
                for i in 0..3 {
                    let step = (after[i] - before[i]).abs();
                    assert!(
                        near || step < 0.5,
                        "{} {} frame {frame}: {step}",
                        performer.name,
                        joint.name
                    );
                    assert!((range[i][0]..=range[i][1]).contains(&before[i]));
                }
            }
            assert!(joint.velocities_rad_s.iter().all(Option::is_some), "{}", joint.name);
        }
    }
}

#[test]
fn a_joint_that_begins_turned_round_is_not_turned_round_ever_after() {
    let (simulation, subject, _) = person(&Performer::human());
    let knee = subject.joints().iter().find(|joint| joint.name == "left knee").unwrap();
    let child = knee.child;
    // The shank is turned by nearly half a turn at first, in steps that angles follow.
    for axis in [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()] {
        let solved = fitted::changed(&simulation.trial, &subject, |frame, pose| {
            let left_rad = (2.8 - 0.1 * frame as f64).max(0.0);
            if let Some(world) = &mut pose.world_from_segments[child] {
                world.rotation *= UnitQuaternion::from_axis_angle(&axis, left_rad);
            }
        });
        let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
        let knee = angles.joints.iter().find(|joint| joint.name == "left knee").unwrap();
        for angles_rad in knee.angles_rad[60..].iter().flatten() {
            assert!(angles_rad.iter().all(|angle| angle.abs() < 2.6), "{axis:?}: {angles_rad:?}");
        }
    }
}

#[test]
fn a_frame_without_a_segment_has_no_angle_and_a_rate_is_its_slope() {
    let (simulation, subject, _) = person(&Performer::human());
    let knee = subject.joints().iter().find(|joint| joint.name == "left knee").unwrap();
    let solved = fitted::changed(&simulation.trial, &subject, |frame, pose| {
        if frame == 40 {
            pose.world_from_segments[knee.child] = None;
        }
    });
    let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
    let joint = angles.joint("left knee").unwrap();
    assert!(joint.angles_rad[40].is_none() && joint.velocities_rad_s[40].is_none());
    assert!(joint.angles_rad[41].is_some());
    let flexion = |frame: usize| joint.angles_rad[frame].unwrap()[0];
    let slope = (flexion(101) - flexion(99)) * 25.0;
    let rate = joint.velocities_rad_s[100].unwrap()[0];
    assert!((rate - slope).abs() < 0.05 * (1.0 + slope.abs()), "{rate} {slope}");
    // A world that turns changes no angle.
    let turn = UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0);
    let turned = fitted::changed(&simulation.trial, &subject, |_, pose| {
        for pose in pose.world_from_segments.iter_mut().flatten() {
            *pose = turn * *pose;
        }
    });
    let again = joint_angles(&subject, &turned, 50.0, &Options::default());
    let difference = again.joint("left knee").unwrap().angles_rad[100].unwrap()[0] - flexion(100);
    assert!(difference.abs() < 1e-9);
}

#[test]
fn a_segment_without_a_name_swings_and_twists_about_its_mean_pose() {
    let (simulation, subject, solved) = person(&Performer::human());
    let mut segments = subject.segments().to_vec();
    let numbered = segments.iter_mut().enumerate();
    numbered.for_each(|(index, segment)| segment.name = format!("thing {index}"));
    let subject = Subject::new("", segments, subject.joints().to_vec()).unwrap();
    let angles = joint_angles(&subject, &solved, 50.0, &Options::default());
    for (joint, known) in angles.joints.iter().zip(subject.joints()) {
        assert_eq!(joint.convention, Convention::SwingTwist);
        assert_eq!(joint.zero, ZeroPose::MeanPose);
        // Together they are the whole turn away from the mean.
        let [parent, child] = [known.parent, known.child]
            .map(|segment| solved.world_from_segment(33, segment).unwrap());
        let turned =
            known.parent_from_child_rest.inverse() * parent.rotation.inverse() * child.rotation;
        let [twist, x, z] = joint.angles_rad[33].unwrap();
        let swing = UnitQuaternion::from_scaled_axis(Vector3::new(x, 0.0, z));
        let together = swing * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), twist);
        assert!((together.angle() - turned.angle()).abs() < 1e-6, "{}", joint.name);
    }
    let words = angles.in_words(&simulation.trial);
    assert!(words[0].contains("swing-twist") && words[0].contains("mean pose"), "{}", words[0]);
}

#[test]
fn an_arm_that_is_lifted_sideways_is_elevated_not_flexed() {
    // Wu 2005: 90 degrees of abduction is elevation 90 in the plane 0.
    for abduction in [30f64, 90.0] {
        let right = UnitQuaternion::from_scaled_axis(Vector3::x() * -abduction.to_radians());
        let [plane, elevation, rotation] = Sequence::YXY.angles(&right, [0.0, -0.5, 0.0]);
        assert!(plane.abs() < 1e-9 && rotation.abs() < 1e-9);
        assert!((-elevation.to_degrees() - abduction).abs() < 1e-9);
    }
    let point = Point3::new(0.0, -1.0, 0.0);
    let lifted = UnitQuaternion::from_scaled_axis(Vector3::x() * -90f64.to_radians()) * point;
    assert!((lifted - Point3::new(0.0, 0.0, 1.0)).norm() < 1e-12, "to the right");
}

/// Pearson's correlation, and the difference of the ranges in degrees.
fn compare(ours: &[f64], theirs: &[f64]) -> (f64, f64) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(ours), mean(theirs));
    let product: f64 = ours.iter().zip(theirs).map(|(x, y)| (x - a) * (y - b)).sum();
    let square = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let range = |values: &[f64]| {
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        high - values.iter().copied().fold(f64::MAX, f64::min)
    };
    (product / (square(ours, a) * square(theirs, b)).sqrt(), range(ours) - range(theirs))
}

#[test]
fn knee_flexion_agrees_with_plug_in_gait() {
    let Some(folder) = recordings::folder() else { return };
    let path = folder.join("pycgm/Movement_trial.c3d");
    if !path.is_file() {
        eprintln!("skipped: no {}", path.display());
        return;
    }
    let trial = format::read_path(&path, &ReadOptions::default()).unwrap();
    let plan = marker_set::recognise_trial(&trial).plan;
    let (subject, solved) = fitted::fitted(&trial, &plan.performers[0]);
    let found = joint_angles(&subject, &solved, trial.rate_hz, &Options::default());
    for (joint, label) in [("left knee", "LKneeAngles"), ("right knee", "RKneeAngles")] {
        let knee = found.joint(joint).unwrap();
        let theirs = trial.marker(label).unwrap();
        let unit = trial.source.unit.metres();
        let (ours, theirs): (Vec<f64>, Vec<f64>) = (0..trial.frames)
            .filter_map(|frame| {
                // Degrees, stored where other points have lengths.
                let theirs = theirs.position_m(frame)?.x / unit;
                Some((knee.angles_rad[frame]?[0].to_degrees(), theirs))
            })
            .unzip();
        let (correlation, wider) = compare(&ours, &theirs);
        eprintln!(
            "{joint}: {} frames, correlation {correlation:.4}, range wider by {wider:.1} degrees",
            ours.len()
        );
        assert!(ours.len() > 100 && correlation > 0.98, "{joint} {correlation}");
    }
}
