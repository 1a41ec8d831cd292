use nalgebra::{Rotation3, UnitQuaternion};
use proptest::prelude::*;

use super::*;
use crate::joint::{PairMotion, PairRule};
use nalgebra::Unit;

const CENTRE_IN_CHILD_M: [f64; 3] = [0.02, -0.31, 0.05];
const CENTRE_IN_PARENT_M: [f64; 3] = [-0.04, 0.22, 0.01];

/// Parent and child in every frame: the parent wanders, the child turns by `turn(frame)` about the joint.
fn poses(
    frames: usize,
    turn: impl Fn(f64) -> UnitQuaternion<f64>,
) -> Vec<(Isometry3<f64>, Isometry3<f64>)> {
    (0..frames)
        .map(|frame| {
            let t = frame as f64 * 0.05;
            let wander = Vector3::new(t, 2.0 + 0.3 * t.sin(), -t);
            let parent = Isometry3::new(wander, Vector3::new(0.5 * t.sin(), 0.3 * t, 0.2));
            let rotation = parent.rotation * turn(t);
            let joint = parent * Point3::from(CENTRE_IN_PARENT_M);
            let origin = joint - rotation * Vector3::from(CENTRE_IN_CHILD_M);
            (Isometry3::from_parts(origin.coords.into(), rotation), parent)
        })
        .collect()
}

fn ball(t: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(0.6 * t.sin(), 0.4 * (1.3 * t).cos(), 0.3 * (0.7 * t).sin())
}

fn sums(poses: &[(Isometry3<f64>, Isometry3<f64>)]) -> PairSums {
    let mut sums = PairSums::default();
    poses.iter().for_each(|(child, parent)| sums.push(child, parent));
    sums
}

#[test]
fn a_ball_joint_is_found_in_both_bodies() {
    let fit = sums(&poses(300, ball)).fit(&PairRule::default()).unwrap();
    assert_eq!((fit.motion, fit.samples), (PairMotion::Ball, 300));
    assert!((fit.centre_in_child_m - Point3::from(CENTRE_IN_CHILD_M)).norm() < 1e-12);
    assert!((fit.centre_in_parent_m - Point3::from(CENTRE_IN_PARENT_M)).norm() < 1e-12);
    assert!(fit.residual_m < 1e-7, "{}", fit.residual_m);
}

#[test]
fn the_singular_values_are_those_of_the_stacked_equations() {
    let poses = poses(40, ball);
    let mut stacked = nalgebra::DMatrix::zeros(3 * poses.len(), 6);
    for (k, (child, parent)) in poses.iter().enumerate() {
        let turn = |pose: &Isometry3<f64>| pose.rotation.to_rotation_matrix().into_inner();
        stacked.view_mut((3 * k, 0), (3, 3)).copy_from(&turn(child));
        stacked.view_mut((3 * k, 3), (3, 3)).copy_from(&-turn(parent));
    }
    let truth = stacked.singular_values();
    let fit = sums(&poses).fit(&PairRule::default()).unwrap();
    for (found, truth) in fit.singular_values.iter().zip(truth.iter()) {
        assert!((found - truth).abs() < 1e-10, "{found} {truth}");
    }
}

#[test]
fn a_hinge_has_an_axis_in_both_bodies_and_the_nearest_point_of_it() {
    let axis = Unit::new_normalize(Vector3::new(0.3, -0.2, 0.9));
    let tilt = UnitQuaternion::from_euler_angles(0.4, 0.1, -0.7);
    let turn = |t: f64| UnitQuaternion::from_axis_angle(&axis, 0.8 * t.sin()) * tilt;
    let fit = sums(&poses(300, turn)).fit(&PairRule::default()).unwrap();
    assert_eq!(fit.motion, PairMotion::Hinge);
    let in_child = tilt.inverse() * axis;
    assert!(fit.axis.in_parent.cross(&axis).norm() < 1e-9);
    assert!(fit.axis.in_child.cross(&in_child).norm() < 1e-9);
    // The two halves are one direction: they point the same way.
    assert!(fit.axis.in_parent.dot(&axis) * fit.axis.in_child.dot(&in_child) > 0.0);
    let off = fit.centre_in_parent_m - Point3::from(CENTRE_IN_PARENT_M);
    assert!((off - axis.into_inner() * off.dot(&axis)).norm() < 1e-9, "not on the axis");
    let along =
        fit.centre_in_child_m.coords.dot(&in_child) + fit.centre_in_parent_m.coords.dot(&axis);
    assert!(along.abs() < 1e-9, "not the nearest to both origins");
    assert!(fit.residual_m < 1e-7);
    assert!(fit.singular_values[5] < 1e-6 && fit.singular_values[4] > 1.0);
}

#[test]
fn bodies_that_do_not_turn_against_each_other_have_no_joint() {
    let fit = sums(&poses(50, |_| UnitQuaternion::identity())).fit(&PairRule::default()).unwrap();
    assert_eq!(fit.motion, PairMotion::None);
    assert!(fit.residual_m < 1e-7);
    assert!(fit.centre_in_child_m.coords.norm().is_finite());
}

#[test]
fn columns_blocks_and_frames_give_the_same_sums() {
    for frames in [1, 7, 128, 300] {
        let poses = poses(frames, ball);
        let hidden = |k: usize| k % 5 == 3;
        let seen: Vec<_> = poses.iter().enumerate().filter(|(k, _)| !hidden(*k)).collect();
        let mut first = PairSums::default();
        let mut second = PairSums::default();
        for (k, (child, parent)) in &seen {
            let part = if k % 2 == 0 { &mut first } else { &mut second };
            part.push(child, parent);
        }
        first.merge(&second);
        let child = Poses::from_frames(poses.iter().map(|pose| Some(pose.0)));
        let parent = poses.iter().enumerate().map(|(k, pose)| (!hidden(k)).then_some(pose.1));
        let columns = PairSums::from_poses(&child, &Poses::from_frames(parent));
        assert_eq!(columns.samples(), seen.len());
        let gap = (columns.m - first.m).norm()
            + (columns.child_d - first.child_d).norm()
            + (columns.parent_d - first.parent_d).norm()
            + (columns.square - first.square).abs();
        assert!(gap < 1e-10 * frames as f64, "{gap}");
    }
}

#[test]
fn the_residual_of_the_sums_is_that_of_the_frames() {
    let mut poses = poses(200, ball);
    for (k, (child, _)) in poses.iter_mut().enumerate() {
        child.translation.vector.x += 0.01 * (k as f64 * 1.7).sin();
    }
    let fit = sums(&poses).fit(&PairRule::default()).unwrap();
    let square: f64 = poses
        .iter()
        .map(|(child, parent)| {
            (child * fit.centre_in_child_m - parent * fit.centre_in_parent_m).norm_squared()
        })
        .sum();
    let truth = (square / poses.len() as f64).sqrt();
    assert!((fit.residual_m - truth).abs() < 1e-9, "{} {truth}", fit.residual_m);
}

#[test]
fn one_frame_is_not_enough_and_infinite_poses_are_refused() {
    let rule = PairRule::default();
    let error = sums(&poses(1, ball)).fit(&rule).unwrap_err();
    assert_eq!(error.to_string(), "joint: need 2 frames in which both bodies are seen, got 1");
    let mut endless = PairSums::default();
    let pose = Isometry3::new(Vector3::repeat(f64::NAN), Vector3::repeat(f64::NAN));
    endless.push(&pose, &pose);
    endless.push(&pose, &pose);
    assert!(endless.fit(&rule).unwrap_err().to_string().contains("finite"));
}

proptest! {
    #[test]
    fn exchanging_the_bodies_exchanges_the_answer(
        tilt in prop::array::uniform3(-1.0..1.0f64),
        noise in 0.0..0.01f64,
    ) {
        let tilt = UnitQuaternion::from_rotation_matrix(&Rotation3::new(Vector3::from(tilt)));
        let mut poses = poses(60, |t| ball(t) * tilt);
        poses.iter_mut().enumerate().for_each(|(k, pose)| {
            pose.0.translation.vector.z += noise * (k as f64 * 2.3).cos();
        });
        let sums = sums(&poses);
        let (there, back) = (sums.fit(&PairRule::default()).unwrap(), sums.swapped().fit(&PairRule::default()).unwrap());
        prop_assert!((there.centre_in_child_m - back.centre_in_parent_m).norm() < 1e-9);
        prop_assert!((there.centre_in_parent_m - back.centre_in_child_m).norm() < 1e-9);
        prop_assert!((there.residual_m - back.residual_m).abs() < 1e-9);
    }

    #[test]
    fn moving_the_world_changes_nothing(
        shift in prop::array::uniform3(-5.0..5.0f64),
        turn in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let world = Isometry3::new(Vector3::from(shift), Vector3::from(turn));
        let here = poses(60, ball);
        let there: Vec<_> = here.iter().map(|(c, p)| (world * c, world * p)).collect();
        let (here, there) = (sums(&here).fit(&PairRule::default()).unwrap(), sums(&there).fit(&PairRule::default()).unwrap());
        prop_assert!((here.centre_in_child_m - there.centre_in_child_m).norm() < 1e-10);
        prop_assert!((here.centre_in_parent_m - there.centre_in_parent_m).norm() < 1e-10);
    }
}
