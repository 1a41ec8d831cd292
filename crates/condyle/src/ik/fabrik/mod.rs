//! Forward and backward reaching (FABRIK), with limits at every step.
//!
//! # Method
//! Inward from every target: each joint is moved along the line to the next to its bone's length
//! from it; where chains meet, to the weighted mean of what they propose. Then outward from the base
//! again. A limit moves the joint that is about to be placed into what is allowed first, so lengths
//! stay exact, and since the last pass is outward, every limit holds in the end.
//!
//! Beyond the document, unless [`Options::finish`] is off: near full extension, where FABRIK takes
//! hundreds of passes, the pose is stretched in one go (see `stretch`); where limits slow it down,
//! Gauss-Newton over the joint angles goes on from its pose; where both stall, other starts are tried.
//!
//! # Reference
//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*, sections 3.3 and 3.4,
//! Algorithms 1 to 3.

mod gentle;
mod quick;
mod restart;
mod stretch;
mod tree;

pub(super) use restart::Random;
pub(super) use tree::Inward;

use super::gauss_newton::{self, largest_move_m};
use super::method::Options;
use super::reach::Reach;
use super::solver::Solver;
use super::stall::Stall;
use super::target::Target;

/// Below this much progress a pass the finish takes over: halving the distance costs more than it.
const SLOW: f64 = 0.35;
/// Passes that are given to the pose before a finish may judge it.
const PATIENCE: usize = 2;
/// Passes that are given to one start.
const PASSES: usize = 8;
/// Newton steps that are given to one start.
const NEWTON: usize = 40;
/// The same where there is no other: steady damping takes small steps.
const NEWTON_TRACKING: usize = 200;

pub(super) fn solve(
    solver: &mut Solver,
    targets: &[Target],
    options: &Options,
    outside: bool,
) -> Reach {
    if solver.linkage.is_quick()
        && let [target] = targets
        && target.joint + 1 == solver.linkage.joints()
        && target.world_from_bone.is_none()
    {
        let reach = quick::solve(solver, target, options, outside);
        let passed = reach.iterations;
        if options.max_step_m.is_finite()
            && largest_move_m(&solver.pose.at_m, &solver.start_m) > options.max_step_m
        {
            if let Some(reach) = gentle::solve(solver, target, options, outside) {
                return Reach { iterations: reach.iterations + passed, ..reach };
            }
            solver.pose.at_m.copy_from_slice(&solver.start_m);
            solver.freshen();
            return finish_here(solver, targets, options, passed);
        }
        let is_done = outside || reach.distance_m <= options.tolerance_m;
        if is_done || !options.finish || !solver.linkage.has_limits() {
            return reach;
        }
        solver.freshen();
        return finish(solver, targets, options, reach.iterations);
    }
    solver.freshen();
    if options.finish && (options.restarts == 0 || options.max_step_m.is_finite()) {
        // Tracking: the least change of angles that comes nearest. Passes over joints at their limits
        // may lead far away; who is lost solves once with other starts.
        return finish_here(solver, targets, options, 0);
    }
    let iterations = passes(solver, targets, options, options.max_iterations);
    let reach = Reach::of(solver.left(targets), iterations);
    if is_met(&reach, options) || !options.finish {
        return reach;
    }
    if outside {
        return finish_here(solver, targets, options, iterations);
    }
    finish(solver, targets, options, iterations)
}

fn finish_here(
    solver: &mut Solver,
    targets: &[Target],
    options: &Options,
    mut iterations: usize,
) -> Reach {
    let most = if options.restarts == 0 { NEWTON_TRACKING } else { NEWTON };
    let most = most.min(options.max_iterations.saturating_sub(iterations));
    iterations += gauss_newton::steps(solver, targets, options, most);
    Reach::of(solver.left(targets), iterations)
}

fn is_met(reach: &Reach, options: &Options) -> bool {
    options.is_met((reach.distance_m, reach.angle_rad))
}

/// Passes over the tree until done, slow or stalled; their number.
fn passes(solver: &mut Solver, targets: &[Target], options: &Options, most: usize) -> usize {
    let mut stall = Stall::new(options.tolerance_m);
    let mut before_m = f64::INFINITY;
    let mut iterations = 0;
    while iterations < most.min(options.max_iterations) {
        let (distance_m, angle_rad) = solver.left(targets);
        if options.is_met((distance_m, angle_rad)) {
            break;
        }
        let is_slow = distance_m > (1.0 - SLOW) * before_m;
        if options.finish && iterations > PATIENCE && is_slow || stall.is_stuck(distance_m) {
            break;
        }
        before_m = distance_m;
        tree::pass(solver, targets);
        iterations += 1;
    }
    iterations
}

/// Gauss-Newton from here, then from other starts; the best pose found stays.
fn finish(
    solver: &mut Solver,
    targets: &[Target],
    options: &Options,
    mut iterations: usize,
) -> Reach {
    let mut reach = finish_here(solver, targets, options, iterations);
    iterations = reach.iterations;
    let mut random = Random::new(options.seed);
    let worth = |reach: &Reach| reach.distance_m + reach.angle_rad * options.tolerance_m;
    while !is_met(&reach, options)
        && reach.restarts < options.restarts
        && iterations < options.max_iterations
    {
        if reach.restarts == 0 {
            solver.best.copy_from(&solver.pose);
        }
        restart::elsewhere(solver, &mut random);
        let left = options.max_iterations - iterations;
        iterations += passes(solver, targets, options, left.min(PASSES));
        let here = finish_here(solver, targets, options, iterations);
        iterations = here.iterations;
        let restarts = reach.restarts + 1;
        if worth(&here) < worth(&reach) {
            solver.best.copy_from(&solver.pose);
            reach = here;
        }
        reach.restarts = restarts;
    }
    if reach.restarts > 0 {
        solver.pose.copy_from(&solver.best);
    }
    Reach { iterations, ..reach }
}
