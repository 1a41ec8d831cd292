//! Cyclic coordinate descent: one joint at a time, from the effector in.

use nalgebra::{Unit, UnitQuaternion};

use super::limit::Swing;
use super::method::Options;
use super::pose::allowed;
use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;
use super::turn::turn_between;

/// Sweeps until done or stuck; several targets take turns within a sweep.
///
/// # Method
/// The bone is turned so that the effector comes to lie on the ray from its joint to the target; a
/// hinge turns about its own axis by the angle between the two as seen along it. Limits cut each turn.
///
/// # Reference
/// L.-C. T. Wang, C. C. Chen (1991), *A combined optimization method for solving the inverse kinematics
/// problem of mechanical manipulators*.
pub(super) fn solve(solver: &mut Solver, targets: &[Target], options: &Options) -> Reach {
    solver.iterate(targets, options, |solver| {
        targets.iter().for_each(|target| sweep(solver, target));
    })
}

fn sweep(solver: &mut Solver, target: &Target) {
    let Solver { linkage, pose, .. } = solver;
    if let Some(wanted) = &target.world_from_bone {
        let turn = pose.world_from_zero(linkage, target.joint).inverse() * wanted;
        pose.turn_to(linkage, target.joint, &turn);
    }
    let mut joint = target.joint;
    while joint > 0 {
        let bone = &linkage.bones[joint];
        let pivot_m = pose.at_m[bone.parent];
        let (end_m, goal_m) = (pose.at_m[target.joint] - pivot_m, target.at_m - pivot_m);
        let world_from_zero = pose.world_from_zero(linkage, joint);
        let old = world_from_zero * pose.zero_from_bone[joint];
        let by = match &bone.limit.swing {
            Swing::Hinge(hinge) => about(&(world_from_zero * hinge.axis), &end_m, &goal_m),
            _ => turn_between(&end_m, &goal_m),
        };
        let turn = allowed(linkage, joint, &(world_from_zero.inverse() * by * old));
        pose.zero_from_bone[joint] = turn;
        // What was really turned, which limits may have cut: all joints out to the effector with it.
        let by = world_from_zero * turn * old.inverse();
        let mut moved = target.joint;
        while moved != bone.parent {
            pose.at_m[moved] = pivot_m + by * (pose.at_m[moved] - pivot_m);
            moved = linkage.bones[moved].parent;
        }
        joint = bone.parent;
    }
    pose.forward(linkage);
}

/// The turn about an axis that brings one vector nearest to another.
fn about(
    axis: &Unit<nalgebra::Vector3<f64>>,
    from: &nalgebra::Vector3<f64>,
    to: &nalgebra::Vector3<f64>,
) -> UnitQuaternion<f64> {
    let from = from - axis.into_inner() * from.dot(axis);
    let angle = axis.dot(&from.cross(to)).atan2(from.dot(to));
    UnitQuaternion::from_axis_angle(axis, angle)
}
