//! Sequential Monte Carlo: many poses, moved at random, weighed by how near they come, drawn anew.

use nalgebra::{UnitQuaternion, Vector3};

use super::fabrik::Random;
use super::method::Options;
use super::pose::{Pose, allowed};
use super::reach::Reach;
use super::solver::{Solver, left};
use super::target::Target;

/// The poses. Empty until the method is first asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Particles {
    turns: Vec<UnitQuaternion<f64>>,
    drawn: Vec<UnitQuaternion<f64>>,
    weights: Vec<f64>,
}

const COUNT: usize = 96;
/// The first spread of a joint, and how it shrinks with the distance that is left.
const START_RAD: f64 = 0.5;

/// Generations until done or out of iterations.
///
/// # Method
/// The state is every joint's turn; only forward kinematics is used, and limits cut each sample. A
/// generation moves every particle by normal turns, weighs it by exp(-d²/2s²) with s half the
/// median distance, and draws systematically. The spread follows the best distance over the reach,
/// so the search narrows as it comes near. The best pose is kept throughout.
///
/// # Reference
/// N. Courty, E. Arnaud (2008), *Inverse kinematics using sequential Monte Carlo methods*. The document
/// names it without parameters; these are ours.
pub(super) fn solve(solver: &mut Solver, targets: &[Target], options: &Options) -> Reach {
    solver.freshen();
    let joints = solver.linkage.joints();
    let mut random = Random::new(options.seed);
    let reach_m: f64 = solver.linkage.bones.iter().map(|bone| bone.length_m).sum();
    let mut particles = std::mem::take(&mut solver.particles);
    particles.turns.clear();
    for _ in 0..COUNT {
        particles.turns.extend_from_slice(&solver.pose.zero_from_bone);
    }
    particles.drawn.clone_from(&particles.turns);
    particles.weights.clear();
    particles.weights.resize(COUNT, 1.0);
    solver.best.copy_from(&solver.pose);
    let mut best = solver.left(targets);
    let worth = |(distance_m, angle_rad): (f64, f64)| distance_m + angle_rad * reach_m;
    let mut iterations = 0;
    while iterations < options.max_iterations.min(3000) && !options.is_met(best) {
        let spread_rad = START_RAD * (worth(best) / reach_m).min(1.0);
        for (index, turns) in particles.turns.chunks_exact_mut(joints).enumerate() {
            // The first particle is the best pose so far, moved like the others.
            if index == 0 {
                turns.copy_from_slice(&solver.best.zero_from_bone);
            }
            move_by(solver, turns, spread_rad, &mut random);
            let here = left(&solver.linkage, &solver.trial, targets);
            particles.weights[index] = worth(here);
            if worth(here) < worth(best) {
                best = here;
                solver.best.copy_from(&solver.trial);
            }
        }
        draw(&mut particles, joints, &mut random);
        iterations += 1;
    }
    solver.pose.copy_from(&solver.best);
    solver.particles = particles;
    Reach::of(best, iterations)
}

/// Moves one particle and poses it in the trial.
fn move_by(
    solver: &mut Solver,
    turns: &mut [UnitQuaternion<f64>],
    spread_rad: f64,
    random: &mut Random,
) {
    let Solver { linkage, pose, trial, .. } = solver;
    place_base(pose, trial);
    for (joint, turn) in turns.iter_mut().enumerate().take(linkage.joints()).skip(1) {
        let by = Vector3::from_fn(|_, _| spread_rad * normal(random));
        *turn = allowed(linkage, joint, &(UnitQuaternion::from_scaled_axis(by) * *turn));
        let turn = *turn;
        let world_from_zero = trial.world_from_zero(linkage, joint);
        trial.set(linkage, joint, &world_from_zero, turn);
    }
}

fn place_base(pose: &Pose, trial: &mut Pose) {
    trial.at_m[0] = pose.at_m[0];
    trial.world_from_bone[0] = pose.world_from_bone[0];
    trial.length_m.copy_from_slice(&pose.length_m);
}

/// Irwin-Hall: the sum of three even numbers is near enough to normal for a proposal.
fn normal(random: &mut Random) -> f64 {
    2.0 * (random.unit() + random.unit() + random.unit() - 1.5)
}

/// Draws the next generation by weight, systematically.
fn draw(particles: &mut Particles, joints: usize, random: &mut Random) {
    let Particles { turns, drawn, weights } = particles;
    let least = weights.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let mean = weights.iter().sum::<f64>() / weights.len() as f64;
    let s = 0.5 * (mean - least).max(1e-300);
    weights.iter_mut().for_each(|d| *d = (-0.5 * ((*d - least) / s).powi(2)).exp());
    let total: f64 = weights.iter().sum();
    let step = total / weights.len() as f64;
    let mut at = step * random.unit();
    let (mut source, mut sum) = (0, weights[0]);
    for slot in drawn.chunks_exact_mut(joints) {
        while at > sum && source + 1 < weights.len() {
            source += 1;
            sum += weights[source];
        }
        slot.copy_from_slice(&turns[source * joints..(source + 1) * joints]);
        at += step;
    }
    std::mem::swap(turns, drawn);
}
