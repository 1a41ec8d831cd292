use std::collections::BTreeSet;

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};

use super::*;
use crate::joint::Poses;
use crate::joint::{PairRule, PairSums};
use crate::simulate::{self, Simulation, simulate};
use crate::trial::Body;

/// A person with a sensor on every segment: 45 s at 30 Hz, joints moved by a share of their range.
fn sensors(noise_m: f64, orientation_noise_deg: f64, share: f64, seed: u64) -> Simulation {
    let mut person = simulate::Performer::human();
    for segment in &mut person.segments {
        for axis in &mut segment.joint.axes {
            let middle = 0.5 * (axis.rom_rad[0] + axis.rom_rad[1]);
            axis.rom_rad = axis.rom_rad.map(|end| middle + share * (end - middle));
        }
    }
    let options = simulate::Options {
        seconds: 45.0,
        rate_hz: 30.0,
        sensors: true,
        noise_m,
        orientation_noise_rad: orientation_noise_deg.to_radians(),
        seed,
        ..Default::default()
    };
    simulate(&person, &options).unwrap()
}

fn edges(parents: impl Iterator<Item = Option<usize>>) -> BTreeSet<[usize; 2]> {
    let pairs = parents.enumerate().filter_map(|(child, parent)| Some((child, parent?)));
    pairs.map(|(child, parent)| [child.min(parent), child.max(parent)]).collect()
}

fn inferred(bodies: &[Body], root: Option<usize>) -> Tree {
    let poses: Vec<Poses> = bodies.iter().map(Poses::from_body).collect();
    infer_from_pairs(&AllPairs::from_poses(&poses), root)
}

fn is_true(simulation: &Simulation) -> bool {
    let tree = inferred(&simulation.trial.bodies, None);
    // There is a body for every segment, in the same order.
    let truth = simulation.truth.segments.iter().map(|segment| segment.parent);
    edges(tree.parents.into_iter()) == edges(truth)
}

#[test]
fn sensors_hang_together_as_the_segments_they_sit_on() {
    // Check 33: all without noise and at 7 mm and 0.6°, with three tenths of the motion too.
    assert!(is_true(&sensors(0.0, 0.0, 1.0, 1)));
    for seed in 1..=3 {
        assert!(is_true(&sensors(7e-3, 0.6, 1.0, seed)), "full range, {seed}");
        assert!(is_true(&sensors(7e-3, 0.6, 0.3, seed)), "three tenths of the range, {seed}");
    }
}

#[test]
fn the_lengths_of_limbs_follow_from_the_joints() {
    // Check 31: exact without noise; at 4 mm and 0.3° at most 2 mm off, 0.6 mm on average.
    for (noise_m, noise_deg, most_m, mean_m) in [(0.0, 0.0, 1e-6, 1e-6), (4e-3, 0.3, 2e-3, 6e-4)] {
        let simulation = sensors(noise_m, noise_deg, 1.0, 1);
        let poses: Vec<Poses> = simulation.trial.bodies.iter().map(Poses::from_body).collect();
        let mut in_segment: Vec<Vec<(Point3<f64>, Point3<f64>)>> = vec![Vec::new(); poses.len()];
        for joint in &simulation.truth.joints {
            let sums = PairSums::from_poses(&poses[joint.child], &poses[joint.parent]);
            let fit = sums.fit(&PairRule::default()).unwrap();
            in_segment[joint.child].push((fit.centre_in_child_m, joint.centre_in_child_m));
            in_segment[joint.parent].push((fit.centre_in_parent_m, joint.centre_in_parent_m));
        }
        let mut off = Vec::new();
        for joints in in_segment {
            for (k, one) in joints.iter().enumerate() {
                for other in &joints[..k] {
                    let (found, truth) = ((one.0 - other.0).norm(), (one.1 - other.1).norm());
                    off.push((found - truth).abs());
                }
            }
        }
        let (worst, mean) =
            (off.iter().copied().fold(0.0, f64::max), off.iter().sum::<f64>() / off.len() as f64);
        println!(
            "{noise_m} m, {noise_deg}°: {} lengths, off by {worst:.2e} m at most, {mean:.2e} m on average",
            off.len()
        );
        assert!(worst <= most_m && mean <= mean_m, "{worst} {mean}");
    }
}

/// Bodies in a row, linked by joints halfway; frame by frame each turns against the one before it.
fn chain(count: usize, turn: f64) -> Vec<Body> {
    let mut bodies: Vec<Body> = (0..count).map(|k| Body::new(format!("body {k}"))).collect();
    for frame in 0..200 {
        let t = f64::from(frame) * 0.1;
        let mut pose = Isometry3::new(
            Vector3::new(0.3 * t, 0.0, 0.1 * t.sin()),
            Vector3::new(0.0, 0.2 * t, 0.3),
        );
        for (k, body) in bodies.iter_mut().enumerate() {
            body.push(Some(pose));
            let k = k as f64 + 1.0;
            let bend = UnitQuaternion::from_euler_angles(
                turn * (k * t).sin(),
                turn * (1.3 * k * t).cos(),
                0.5 * turn * (0.7 * t + k).sin(),
            );
            let half = Translation3::new(0.2, 0.0, 0.0);
            pose = pose * half * bend * half;
        }
    }
    bodies
}

#[test]
fn the_middle_of_a_chain_is_its_root_unless_another_is_named() {
    let bodies = chain(5, 0.5);
    let tree = inferred(&bodies, None);
    assert_eq!(tree.parents, [Some(1), Some(2), None, Some(2), Some(3)]);
    assert_eq!(tree.order, [2, 1, 3, 0, 4]);
    assert!(tree.loops.is_empty() && tree.edges.iter().all(|edge| !edge.is_doubtful));
    let tree = inferred(&bodies, Some(0));
    assert_eq!(tree.parents, [None, Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(inferred(&bodies, Some(9)), inferred(&bodies, None));
}

#[test]
fn bodies_that_do_not_move_against_each_other_hang_on_their_neighbours_and_are_doubtful() {
    let tree = inferred(&chain(4, 0.0), None);
    assert_eq!(edges(tree.parents.iter().copied()), BTreeSet::from([[0, 1], [1, 2], [2, 3]]));
    assert!(tree.edges.iter().all(|edge| edge.residual_m < 1e-6));
}

#[test]
fn a_closed_loop_is_reported() {
    // Four bars with parallel hinges: a parallelogram, whose last joint holds as well as the others.
    let mut bars: Vec<Body> = (0..4).map(|k| Body::new(format!("bar {k}"))).collect();
    for frame in 0..200 {
        let t = f64::from(frame) * 0.1;
        let world = Isometry3::new(
            Vector3::new(t, 0.1 * t.sin(), 0.0),
            Vector3::new(0.2 * t.sin(), 0.1, 0.3 * t),
        );
        let angle = 1.2 + 0.6 * (1.1 * t).sin();
        let side = Vector3::new(angle.cos(), angle.sin(), 0.0) * 0.3;
        let base = Vector3::new(0.4, 0.0, 0.0);
        let lean = Vector3::new(0.0, 0.0, angle);
        let at = |middle: Vector3<f64>, turn| Some(world * Isometry3::new(middle, turn));
        bars[0].push(at(0.5 * base, Vector3::zeros()));
        bars[1].push(at(base + 0.5 * side, lean));
        bars[2].push(at(0.5 * base + side, Vector3::zeros()));
        bars[3].push(at(0.5 * side, lean));
    }
    let tree = inferred(&bars, None);
    assert_eq!(tree.edges.len(), 3);
    assert!(!tree.loops.is_empty());
    assert!(tree.loops[0].residual_m < 1e-6, "{:?}", tree.loops);
}

#[test]
fn no_bodies_and_one() {
    assert_eq!(inferred(&[], None), Tree::default());
    let lone = inferred(&chain(1, 0.5), None);
    assert_eq!((lone.order, lone.parents), (vec![0], vec![None]));
}
