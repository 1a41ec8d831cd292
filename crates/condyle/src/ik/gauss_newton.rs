//! Damped Gauss-Newton over the joint angles, with limits in the step.

use nalgebra::Point3;

use super::method::Options;
use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;

/// The largest angle of one step.
const MOST_RAD: f64 = 0.7;
/// The damping to start with, as a share of the mean of the diagonal of JJᵀ, and how it changes.
const START: f64 = 1e-3;
const LESS: f64 = 0.15;
const MORE: f64 = 5.0;
const LEAST: f64 = 1e-14;
/// The least damping while tracking: a step of the angles moves no joint by more than about
/// 1/(2√share) times what is missing, near a singular pose too.
const STEADY: f64 = 1e-2;
const MOST: f64 = 1e3;

pub(super) fn solve(solver: &mut Solver, targets: &[Target], options: &Options) -> Reach {
    solver.freshen();
    let iterations = steps(solver, targets, options, options.max_iterations.min(200));
    Reach::of(solver.left(targets), iterations)
}

/// Steps until done, stuck or out of steps; their number. The pose is never worse than before.
///
/// # Method
/// Levenberg and Marquardt: Δθ = Jᵀ(JJᵀ + λ²I)⁻¹e with λ smaller after every step that helps and
/// larger after one that does not. Where a step would take joints outside their limits, these are
/// held there (their outward turn is taken from the Jacobian) and the step is found anew for the others.
pub(super) fn steps(
    solver: &mut Solver,
    targets: &[Target],
    options: &Options,
    most: usize,
) -> usize {
    let least = if options.restarts == 0 { STEADY } else { LEAST };
    // Who may start elsewhere does so soon; who tracks takes all that there is.
    let enough = if options.restarts == 0 { 1e-7 } else { 1e-4 };
    let mut damping = least.max(START);
    let mut error2 = squared(solver, targets);
    // Joints are held to their step from where the solve began, not from here.
    let moved_m = |solver: &Solver| match options.max_step_m.is_finite() {
        true => largest_move_m(&solver.pose.at_m, &solver.start_m),
        false => 0.0,
    };
    for step in 0..most {
        if options.is_met(solver.left(targets)) {
            return step;
        }
        solver.jacobian.unblock();
        // At most two rounds of holding joints at their limits.
        for _ in 0..3 {
            solver.build_jacobian(targets);
            solver.jacobian.square_up();
            solver.jacobian.damped_step(damping);
            solver.jacobian.limit_step(MOST_RAD);
            if !solver.take_step() {
                break;
            }
        }
        std::mem::swap(&mut solver.pose, &mut solver.trial);
        let now2 = squared(solver, targets);
        let is_too_far = moved_m(solver) > options.max_step_m;
        solver.is_held_back |= is_too_far && now2 < error2;
        if now2 < error2 && !is_too_far {
            let gained = 1.0 - now2 / error2;
            error2 = now2;
            damping = (damping * LESS).max(least);
            if gained < enough {
                return step + 1;
            }
        } else {
            std::mem::swap(&mut solver.pose, &mut solver.trial);
            damping *= MORE;
            if damping > MOST {
                return step + 1;
            }
        }
    }
    most
}

/// What Gauss-Newton makes smaller: squared distances, weighted, and angles over a bone's length.
fn squared(solver: &Solver, targets: &[Target]) -> f64 {
    let arm_m = solver.linkage.mean_length_m();
    let pose = &solver.pose;
    let of_targets: f64 = targets
        .iter()
        .map(|target| {
            let distance_m = (pose.at_m[target.joint] - target.at_m).norm();
            let angle_rad = target
                .world_from_bone
                .map_or(0.0, |wanted| pose.world_from_bone[target.joint].angle_to(&wanted));
            target.weight.powi(2) * (distance_m.powi(2) + (arm_m * angle_rad).powi(2))
        })
        .sum();
    let gaps = solver.linkage.closures.iter();
    of_targets
        + gaps.map(|[one, other]| (pose.at_m[*one] - pose.at_m[*other]).norm_squared()).sum::<f64>()
}

/// How far the joint that moved most is from where it was.
pub(super) fn largest_move_m(now_m: &[Point3<f64>], before_m: &[Point3<f64>]) -> f64 {
    now_m.iter().zip(before_m).map(|(now, before)| (now - before).norm()).fold(0.0, f64::max)
}
