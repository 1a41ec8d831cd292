//! Smaller steps of a nearly straight chain, where the quick way would take joints too far.
//!
//! What a chain of length L lacks to full extension, δ, grows with the square of its bend: on one arc its
//! middle goes out by 0.61√(Lδ), many times δ. Leaving reach the chain would snap straight, coming back
//! it would snap open. Leaving, it may as well straighten over some frames, as it cannot reach anyway;
//! coming back, it bends in k waves instead of one arc, which shortens it as much with a k-th of the way.

use std::f64::consts::PI;

use nalgebra::{Point3, Vector3};

use super::super::gauss_newton::largest_move_m;
use super::super::linkage::Bone;
use super::super::method::Options;
use super::super::reach::Reach;
use super::super::solver::Solver;
use super::super::target::Target;
use super::super::turn::across;
use super::stretch;

/// Halvings of how far to straighten.
const HALVINGS: usize = 12;
/// Passes with balls: near full extension they are many, but few frames need them.
const PASSES: usize = 4000;
/// The balls as a share of the step that is allowed: the last half of a pass moves joints a little.
const BALL: f64 = 0.9995;

/// A pose within the largest step; `None` where there is none of this kind.
pub(super) fn solve(
    solver: &mut Solver,
    target: &Target,
    options: &Options,
    outside: bool,
) -> Option<Reach> {
    if solver.linkage.has_limits() {
        return None;
    }
    solver.is_stale = true;
    let steps = match outside {
        true => straighten(solver, target, options)?,
        false => wave(solver, target, options).or_else(|| within_balls(solver, target, options))?,
    };
    let end_m = solver.pose.at_m[target.joint];
    Some(Reach::of(((end_m - target.at_m).norm(), 0.0), steps))
}

/// Points at what is too far, as straight as the step allows; the passes that took.
fn straighten(solver: &mut Solver, target: &Target, options: &Options) -> Option<usize> {
    let Solver { linkage, pose, start_m, is_held_back, .. } = solver;
    let towards_m = target.at_m - start_m[0];
    if towards_m.norm() < linkage.bones.iter().map(|bone| bone.length_m).sum() {
        // Too near for a long bone, not too far.
        return None;
    }
    let mut place = |w: f64| {
        pose.at_m.copy_from_slice(start_m);
        stretch::place(&mut pose.at_m, &linkage.bones, &towards_m, w);
        largest_move_m(&pose.at_m, start_m) <= options.max_step_m
    };
    // A whole turn towards the target moves all of the chain: if that is too far, so is all else.
    if !place(1.0) {
        return None;
    }
    let (mut too_straight, mut allowed) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let w = 0.5 * (too_straight + allowed);
        if place(w) { allowed = w } else { too_straight = w }
    }
    place(allowed);
    *is_held_back = true;
    Some(HALVINGS + 2)
}

/// Bends in as few waves as the step allows; the passes that took.
fn wave(solver: &mut Solver, target: &Target, options: &Options) -> Option<usize> {
    let Solver { linkage, pose, start_m, .. } = solver;
    let bones = &linkage.bones[..];
    let mut passes = 0;
    for waves in 2..bones.len() {
        pose.at_m.copy_from_slice(start_m);
        bend(&mut pose.at_m, bones, target, waves);
        let stretched = stretch::towards(&mut pose.at_m, bones, &target.at_m, options.tolerance_m);
        passes += 1 + stretched.steps;
        if stretched.is_reached && largest_move_m(&pose.at_m, start_m) <= options.max_step_m {
            return Some(passes);
        }
    }
    None
}

/// Algorithm 1 with one more limit: before a joint is placed it is moved into the ball of the largest step
/// about where it was. What comes of it is a string pulled taut in a tube: a chain that has to straighten
/// at once keeps what bend it can where it was bent most. The passes that took.
fn within_balls(solver: &mut Solver, target: &Target, options: &Options) -> Option<usize> {
    let Solver { linkage, pose, start_m, .. } = solver;
    let bones = &linkage.bones[..];
    let base_m = start_m[0];
    let last = bones.len() - 1;
    let most_m = BALL * options.max_step_m;
    let clamped = |joint: usize, at_m: Point3<f64>| {
        let off_m = at_m - start_m[joint];
        let off = off_m.norm();
        if off > most_m { start_m[joint] + off_m * (most_m / off) } else { at_m }
    };
    let from = |at_m: Point3<f64>, to_m: Point3<f64>, length_m: f64| {
        let along_m = to_m - at_m;
        Some(at_m + along_m.try_normalize(1e-12)? * length_m)
    };
    pose.at_m.copy_from_slice(start_m);
    for pass in 1..=PASSES.min(options.max_iterations) {
        pose.at_m[last] = target.at_m;
        for joint in (1..last).rev() {
            let wanted_m = clamped(joint, pose.at_m[joint]);
            pose.at_m[joint] = from(pose.at_m[joint + 1], wanted_m, bones[joint + 1].length_m)?;
        }
        pose.at_m[0] = base_m;
        for (joint, bone) in bones.iter().enumerate().skip(1) {
            let wanted_m = clamped(joint, pose.at_m[joint]);
            pose.at_m[joint] = from(pose.at_m[joint - 1], wanted_m, bone.length_m)?;
        }
        if (pose.at_m[last] - target.at_m).norm() <= options.tolerance_m
            && largest_move_m(&pose.at_m, start_m) <= options.max_step_m
        {
            return Some(pass);
        }
    }
    None
}

/// Turns each bone to the side by A cos(πk s/L), s the way to its middle: joints go out on k half waves
/// of a sine, and the chain is shorter by LA²/4.
fn bend(at_m: &mut [Point3<f64>], bones: &[Bone], target: &Target, waves: usize) {
    let full_m: f64 = bones.iter().map(|bone| bone.length_m).sum();
    let far_m = target.at_m - at_m[0];
    let amplitude = (4.0 * (1.0 - far_m.norm() / full_m)).max(0.0).sqrt();
    // To the side to which it is bent already.
    let lean: Vector3<f64> = at_m.iter().map(|at| at - at_m[0]).sum();
    let side = (lean - far_m * (lean.dot(&far_m) / far_m.norm_squared()))
        .try_normalize(1e-9 * full_m)
        .unwrap_or_else(|| across(&far_m));
    let mut way_m = 0.0;
    let (mut from_m, mut before_m) = (at_m[0], at_m[0]);
    for (at, bone) in at_m.iter_mut().zip(bones).skip(1) {
        let middle = (way_m + 0.5 * bone.length_m) / full_m;
        way_m += bone.length_m;
        let along = (*at - before_m) / bone.length_m;
        before_m = *at;
        let turned = along + side * (amplitude * (PI * waves as f64 * middle).cos());
        from_m += turned.normalize() * bone.length_m;
        *at = from_m;
    }
}
