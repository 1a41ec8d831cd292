//! Angles of made-up poses: signs, sides, zeros, continuity.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::*;
use crate::calibrate::Calibration;
use crate::cardan::Sequence;
use crate::simulate::{self, Performer, simulate};
use crate::solve;

/// A simulated person who does a range of motion, calibrated without noise.
fn person(performer: &Performer) -> (simulate::Simulation, Subject, Solved) {
    let options = simulate::Options { seconds: 6.0, rate_hz: 50.0, ..simulate::Options::default() };
    let simulation = simulate(performer, &options).unwrap();
    let trial = &simulation.trial;
    let planned = &simulation.truth.plan.performers[0];
    let mut calibration = Calibration::new(planned, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::trial(&subject, trial).unwrap();
    (simulation, subject, solved)
}

/// The pose of every segment when the simulator's angles are these: all zero is upright, palms inwards.
fn posed(solved: &mut Solved, frame: usize, segment: usize, turned: UnitQuaternion<f64>) {
    let poses = &mut solved.world_from_segments[frame];
    if let Some(pose) = poses[segment].as_mut() {
        *pose = Isometry3::from_parts(Translation3::identity(), turned * pose.rotation);
    }
}

#[test]
fn knee_flexion_of_both_sides_is_that_of_the_simulator() {
    let (simulation, subject, solved) = person(&Performer::human());
    let angles = of(&subject, &solved, 50.0, &Options::default());
    let truth = &simulation.truth;
    for (name, sign) in
        [("left knee", 1.0), ("right knee", 1.0), ("left hip", 1.0), ("right hip", 1.0)]
    {
        let joint = angles.joint(name).unwrap();
        assert_eq!(joint.components[0].name, "flexion");
        assert_eq!(joint.zero, Zero::Anatomical);
        let index = truth.joints[truth.joint(name).unwrap()].angles.start;
        // The simulator's axes are not quite the anatomical ones: compare how the angle changes.
        let pairs: Vec<(f64, f64)> = (0..joint.angles_rad.len())
            .map(|frame| {
                (joint.angles_rad[frame].unwrap()[0], sign * truth.angles_rad[frame][index])
            })
            .collect();
        let mean =
            |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / pairs.len() as f64;
        let (a, b) = (mean(|p| p.0), mean(|p| p.1));
        let rms = (pairs.iter().map(|p| (p.0 - a - p.1 + b).powi(2)).sum::<f64>()
            / pairs.len() as f64)
            .sqrt();
        assert!(rms.to_degrees() < 1.0, "{name} {}", rms.to_degrees());
        assert!((a - b).abs().to_degrees() < 5.0, "{name} {} {}", a.to_degrees(), b.to_degrees());
    }
}

#[test]
fn abduction_and_rotation_have_the_same_sign_on_both_sides() {
    let (simulation, subject, solved) = person(&Performer::human());
    let angles = of(&subject, &solved, 50.0, &Options::default());
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
    let (_, subject, solved) = person(&Performer::human());
    let options = Options { zero_frame: Some(17), ..Options::default() };
    let angles = of(&subject, &solved, 50.0, &options);
    for joint in &angles.joints {
        assert_eq!(joint.zero, Zero::Frame(17));
        let at_zero = joint.angles_rad[17].unwrap();
        let turned = match joint.convention {
            Convention::Isb { sequence, .. } => sequence.rotation(at_zero).angle(),
            Convention::SwingTwist => Vector3::from(at_zero).norm(),
        };
        assert!(turned < 1e-6, "{} {at_zero:?}", joint.name);
    }
}

#[test]
fn angles_never_jump_and_have_ranges_and_rates() {
    for performer in [Performer::human(), Performer::dog(), Performer::arm()] {
        let (_, subject, solved) = person(&performer);
        let angles = of(&subject, &solved, 50.0, &Options::default());
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
fn a_frame_without_a_segment_has_no_angle_and_a_rate_is_its_slope() {
    let (_, subject, mut solved) = person(&Performer::human());
    let knee = subject.joints.iter().find(|joint| joint.name == "left knee").unwrap();
    solved.world_from_segments[40][knee.child] = None;
    let angles = of(&subject, &solved, 50.0, &Options::default());
    let joint = angles.joint("left knee").unwrap();
    assert!(joint.angles_rad[40].is_none() && joint.velocities_rad_s[40].is_none());
    assert!(joint.angles_rad[41].is_some());
    let flexion = |frame: usize| joint.angles_rad[frame].unwrap()[0];
    let slope = (flexion(101) - flexion(99)) * 25.0;
    let rate = joint.velocities_rad_s[100].unwrap()[0];
    assert!((rate - slope).abs() < 0.05 * (1.0 + slope.abs()), "{rate} {slope}");
    // A world that turns changes no angle.
    let turn = UnitQuaternion::from_euler_angles(0.4, -1.0, 2.0);
    let mut turned = solved.clone();
    for frame in 0..turned.world_from_segments.len() {
        (0..subject.segments.len()).for_each(|segment| posed(&mut turned, frame, segment, turn));
    }
    let again = of(&subject, &turned, 50.0, &Options::default());
    let difference = again.joint("left knee").unwrap().angles_rad[100].unwrap()[0] - flexion(100);
    assert!(difference.abs() < 1e-9);
}

#[test]
fn a_segment_without_a_name_swings_and_twists_about_its_mean_pose() {
    let (_, mut subject, solved) = person(&Performer::human());
    subject.segments.iter_mut().for_each(|segment| segment.name = "thing".to_owned());
    let angles = of(&subject, &solved, 50.0, &Options::default());
    for (joint, known) in angles.joints.iter().zip(&subject.joints) {
        assert_eq!(joint.convention, Convention::SwingTwist);
        assert_eq!(joint.zero, Zero::MeanPose);
        // Together they are the whole turn away from the mean.
        let poses = &solved.world_from_segments[33];
        let (parent, child) = (poses[known.parent].unwrap(), poses[known.child].unwrap());
        let turned =
            known.parent_from_child_rest.inverse() * parent.rotation.inverse() * child.rotation;
        let [twist, x, z] = joint.angles_rad[33].unwrap();
        let swing = UnitQuaternion::from_scaled_axis(Vector3::new(x, 0.0, z));
        let together = swing * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), twist);
        assert!((together.angle() - turned.angle()).abs() < 1e-6, "{}", joint.name);
    }
    let words = angles.in_words();
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
