//! Algorithm 1 on a chain, free or with cones about the bone before: positions alone, no frames.

use nalgebra::{Point3, Vector3};

use super::super::linkage::Bone;
use super::super::method::Options;
use super::super::reach::Reach;
use super::super::solver::Solver;
use super::super::stall::Stall;
use super::super::target::Target;
use super::super::turn::across;
use super::{PATIENCE, SLOW, stretch};

pub(super) fn solve(
    solver: &mut Solver,
    target: &Target,
    options: &Options,
    outside: bool,
) -> Reach {
    match solver.linkage.has_limits() {
        false => run::<false>(solver, target, options, outside),
        true => run::<true>(solver, target, options, outside),
    }
}

fn run<const LIMITED: bool>(
    solver: &mut Solver,
    target: &Target,
    options: &Options,
    outside: bool,
) -> Reach {
    let bones = &solver.linkage.bones;
    let first = solver.pose.world_from_bone[0] * bones[1].zero_in_parent();
    let at_m = solver.pose.at_m.as_mut_slice();
    let goal_m = target.at_m;
    let distance = |at_m: &[Point3<f64>]| (at_m[at_m.len() - 1] - goal_m).norm();
    solver.is_stale = true;
    if outside && options.shortcut && !LIMITED && is_too_far(bones, at_m, &goal_m) {
        point_straight(at_m, bones, &goal_m);
        return Reach::of((distance(at_m), 0.0), 1);
    }
    let mut distance_m = distance(at_m);
    let mut iterations = 0;
    let mut stall = Stall::new(options.tolerance_m);
    while distance_m > options.tolerance_m && iterations < options.max_iterations {
        if stall.is_stuck(distance_m) {
            break;
        }
        inward::<LIMITED>(at_m, bones, &goal_m);
        outward::<LIMITED>(at_m, bones, &first);
        iterations += 1;
        let before_m = distance_m;
        distance_m = distance(at_m);
        let is_slow = distance_m > (1.0 - SLOW) * before_m && distance_m > options.tolerance_m;
        if options.finish && !outside && is_slow && iterations > PATIENCE {
            let stretched = stretch::towards(at_m, bones, &goal_m, options.tolerance_m);
            if stretched.is_reached && LIMITED {
                // What was stretched must still be within the cones.
                outward::<LIMITED>(at_m, bones, &first);
            }
            iterations += stretched.steps;
            distance_m = distance(at_m);
            if LIMITED && distance_m > options.tolerance_m && iterations > 12 {
                break;
            }
        }
    }
    Reach::of((distance_m, 0.0), iterations)
}

fn is_too_far(bones: &[Bone], at_m: &[Point3<f64>], goal_m: &Point3<f64>) -> bool {
    (goal_m - at_m[0]).norm() > bones.iter().map(|bone| bone.length_m).sum()
}

/// Step 1 of Algorithm 1: every bone points at the target.
fn point_straight(at_m: &mut [Point3<f64>], bones: &[Bone], goal_m: &Point3<f64>) {
    let direction = (goal_m - at_m[0]).normalize();
    let mut from_m = at_m[0];
    for (at, bone) in at_m.iter_mut().zip(bones).skip(1) {
        from_m += direction * bone.length_m;
        *at = from_m;
    }
}

/// 1/|v| with the division and the root side by side; not finite where there is no direction.
#[inline(always)]
fn reciprocal_norm(v: &Vector3<f64>) -> f64 {
    let square = v.norm_squared();
    (1.0 / square) * square.sqrt()
}

/// Stage 1: from the target in. The base itself is not moved: stage 2 begins there anyway.
fn inward<const LIMITED: bool>(at_m: &mut [Point3<f64>], bones: &[Bone], goal_m: &Point3<f64>) {
    let mut next_m = *goal_m;
    let mut after: Option<Vector3<f64>> = None;
    let Some((last, before)) = at_m.split_last_mut() else { return };
    *last = next_m;
    for (index, at) in before.iter_mut().enumerate().skip(1).rev() {
        // The bone from `at` to the joint after it, pointing outward.
        let along_m = next_m - *at;
        let scale = reciprocal_norm(&along_m);
        let mut direction =
            if scale.is_finite() { along_m * scale } else { after.unwrap_or_else(Vector3::z) };
        if LIMITED {
            if let (Some(after), Some(limit)) = (&after, bones.get(index + 2)) {
                direction = in_cone(&direction, after, limit);
            }
            after = Some(direction);
        }
        next_m -= direction * bones[index + 1].length_m;
        *at = next_m;
    }
}

/// Stage 2: from the base out.
fn outward<const LIMITED: bool>(at_m: &mut [Point3<f64>], bones: &[Bone], first: &Vector3<f64>) {
    let mut from_m = at_m[0];
    let mut before = *first;
    for (at, bone) in at_m.iter_mut().zip(bones).skip(1) {
        let along_m = *at - from_m;
        let scale = reciprocal_norm(&along_m);
        let mut direction = if scale.is_finite() { along_m * scale } else { before };
        if LIMITED {
            direction = in_cone(&direction, &before, bone);
        }
        before = direction;
        from_m += direction * bone.length_m;
        *at = from_m;
    }
}

/// The direction nearest to a wanted one within a bone's cone about another.
#[inline(always)]
fn in_cone(wanted: &Vector3<f64>, about: &Vector3<f64>, bone: &Bone) -> Vector3<f64> {
    let along = wanted.dot(about);
    if along >= bone.cone_cos {
        return *wanted;
    }
    let side = wanted - about * along;
    let side = match side.norm_squared() {
        square if square > 1e-24 => side * (1.0 / square.sqrt()),
        _ => across(about),
    };
    about * bone.cone_cos + side * bone.cone_sin
}
