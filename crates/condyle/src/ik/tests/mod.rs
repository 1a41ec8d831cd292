//! Laws and corner cases over all methods.

mod bad_input;
mod chains;
mod limits;
mod models;
mod stuck;
mod trees;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::*;
use crate::ik::fabrik::Random;

/// Joints a metre apart, straight up.
fn straight(joints: usize) -> Vec<Point3<f64>> {
    (0..joints).map(|i| Point3::new(0.0, 0.0, i as f64)).collect()
}

/// The same, bent a little more at every joint.
fn bent(joints: usize) -> Vec<Point3<f64>> {
    let mut at_m = vec![Point3::origin()];
    for i in 1..joints {
        let angle = 0.15 * i as f64;
        let along = Vector3::new(angle.sin(), 0.4 * angle.cos(), angle.cos()).normalize();
        at_m.push(at_m[i - 1] + along);
    }
    at_m
}

fn direction(random: &mut Random) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| 2.0 * random.unit() - 1.0);
        if (0.1..1.0).contains(&v.norm()) {
            return v.normalize();
        }
    }
}

fn any_turn(random: &mut Random) -> UnitQuaternion<f64> {
    let axis = direction(random);
    UnitQuaternion::from_scaled_axis(axis * (1.5 * random.unit()))
}

/// The largest relative error of a bone's length.
fn length_error(solver: &Solver) -> f64 {
    let linkage = solver.linkage();
    let at_m = solver.positions_m();
    (1..linkage.joints())
        .map(|joint| {
            let parent = linkage.parent(joint).unwrap();
            ((at_m[joint] - at_m[parent]).norm() / linkage.length_m(joint) - 1.0).abs()
        })
        .fold(0.0, f64::max)
}
