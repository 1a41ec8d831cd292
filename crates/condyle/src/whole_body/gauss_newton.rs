//! Minimising over everything at once: parameters of the body and poses of all frames.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, Rotation3, Vector3, Vector6};

use super::cholesky::blocked_cholesky;
use super::jitter;
use super::noise::{self, NoiseRule};
use super::problem::{Problem, Seen, SegmentPose};
use super::rows::BlockKind;
use super::tree::{FrameNormal, SharedNormal, subtract_explained};

/// A share of the diagonal that is added to it at first, and what it is multiplied by.
const DAMPING: f64 = 1e-3;
const DAMPING_FACTOR: f64 = 0.3;
const MAX_SHIFT_M: f64 = 0.06;
const MAX_TURN_RAD: f64 = 0.5;
const MIN_ITERATIONS: usize = 9;
const MAX_ITERATIONS: usize = 40;
/// Or when a step promises less than this: a tenth of a standard deviation in any direction.
const SETTLED_DECREMENT: f64 = 0.01;
/// A frame is posed when nothing shifts or turns by more than this, in metres and radians.
const POSED_M: f64 = 1e-4;
/// Noise is estimated from this iteration on: before, residuals are those of the start.
const FIRST_NOISE: usize = 4;

/// Parameters and poses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub parameters: Vec<f64>,
    /// For every frame the pose of every segment.
    pub poses: Vec<Vec<SegmentPose>>,
}

/// How the minimisation ended, with what the posterior is made of.
#[derive(Debug, Clone)]
pub(super) struct Minimum {
    pub state: State,
    pub iterations: usize,
    pub has_converged: bool,
    /// The factor of the information about the parameters.
    pub factor: Cholesky<f64, Dyn>,
    /// The eliminated normal equations of every frame.
    pub normals: Vec<FrameNormal>,
    /// What is left of the frames' gradient where noise of the poses is taken off.
    pub gain: Option<DMatrix<f64>>,
    /// The step of the parameters with which it ended without having settled: so far from a minimum it is, about.
    pub unsettled: Option<DVector<f64>>,
}

/// Minimises the objective; noise is estimated on the way.
///
/// `None` if the information is singular: something of the body is not observable and nothing is known of it.
pub(super) fn minimise(
    problem: &mut Problem,
    mut state: State,
    noise: &NoiseRule,
    fewest: usize,
) -> Option<Minimum> {
    let structure = problem.structure.clone();
    let structure = &structure;
    let mut shared = SharedNormal::new(structure.parameters);
    let mut normals = vec![FrameNormal::new(structure); problem.observed_m.len()];
    // Skin is fitted from a minimum without it: no step of that goes astray.
    let mut damping = if problem.sliding.is_some() { 0.0 } else { DAMPING };
    let (mut iterations, mut has_converged) = (0, false);
    let mut unsettled = None;
    while iterations < MAX_ITERATIONS && !has_converged {
        gather(problem, &state, damping, &mut normals, &mut shared)?;
        let factor = factor(&shared, damping)?;
        let mut step = factor.solve(&DVector::from_column_slice(&shared.gradient));
        step.neg_mut();
        // What the step promises, in squared standard deviations of whatever it moves.
        let decrement: f64 =
            -shared.gradient.iter().zip(step.iter()).map(|(g, s)| g * s).sum::<f64>();
        let farthest_m = limit(problem, &mut step);
        for (normal, poses) in normals.iter().zip(&mut state.poses) {
            let steps = normal.steps(structure, Some(step.as_slice()));
            poses.iter_mut().zip(&steps).for_each(|(pose, step)| pose.apply(step));
        }
        state.parameters.iter_mut().zip(step.iter()).for_each(|(value, step)| *value += step);
        iterations += 1;
        damping *= DAMPING_FACTOR;
        // Information that is taken off lets poses stray for a while, which is no noise of markers.
        let is_noise_shown = problem.sliding.is_none() && !problem.is_rigid_motion();
        if iterations >= FIRST_NOISE.min(fewest) && is_noise_shown {
            noise::update(problem, &state, &normals, noise);
        }
        let is_settled = farthest_m < noise.settled_m || decrement < SETTLED_DECREMENT;
        has_converged = iterations >= fewest && is_settled;
        unsettled = (!has_converged).then_some(step);
    }
    let gain = gather(problem, &state, 0.0, &mut normals, &mut shared)?;
    let factor = factor(&shared, 0.0)?;
    // Where knowledge or skin counts, error bars hold more than a last step.
    let unsettled = unsettled.filter(|_| problem.is_rigid_motion());
    Some(Minimum { state, iterations, has_converged, factor, normals, gain, unsettled })
}

/// The fewest iterations from a start that is not a minimum.
pub(super) const FROM_START: usize = MIN_ITERATIONS;

/// Poses alone, the body held: some steps for every frame.
pub(super) fn pose_frames(problem: &Problem, state: &mut State, steps: usize) {
    let mut normal = FrameNormal::new(&problem.structure);
    for (at_m, poses) in problem.observed_m.iter().zip(&mut state.poses) {
        let seen = Seen { at_m, signals: None };
        pose_frame(problem, &state.parameters, seen, poses, (&mut normal, steps));
    }
}

/// Poses one frame, the body held, by so many steps at most.
pub(super) fn pose_frame(
    problem: &Problem,
    parameters: &[f64],
    seen: Seen,
    poses: &mut [SegmentPose],
    (normal, steps): (&mut FrameNormal, usize),
) {
    for _ in 0..steps {
        problem.add_frame(seen, poses, parameters, normal, None);
        normal.eliminate(&problem.structure, DAMPING, false);
        let steps = normal.steps(&problem.structure, None);
        poses.iter_mut().zip(&steps).for_each(|(pose, step)| pose.apply(step));
        let farthest = steps.iter().map(|step| step.amax()).fold(0.0, f64::max);
        if farthest < POSED_M {
            break;
        }
    }
}

/// All normal equations, poses eliminated; returns what is left of the frames' gradient where noise is taken off.
fn gather(
    problem: &Problem,
    state: &State,
    damping: f64,
    normals: &mut [FrameNormal],
    shared: &mut SharedNormal,
) -> Option<Option<DMatrix<f64>>> {
    shared.clear();
    for (frame, (normal, poses)) in normals.iter_mut().zip(&state.poses).enumerate() {
        problem.add_frame(problem.seen(frame), poses, &state.parameters, normal, Some(shared));
        normal.eliminate(&problem.structure, damping, true);
    }
    subtract_explained(normals, &problem.structure, shared);
    if !problem.is_noise_taken_off {
        problem.add_knowledge(&state.parameters, shared, |_| true);
        return Some(None);
    }
    let of_frames = shared.clone();
    problem.add_knowledge(&state.parameters, shared, |kind| kind == BlockKind::Frame);
    let gain = jitter::take_off(problem, state, normals, shared, (&of_frames, damping == 0.0))?;
    problem.add_knowledge(&state.parameters, shared, |kind| kind != BlockKind::Frame);
    Some(Some(gain))
}

fn factor(shared: &SharedNormal, damping: f64) -> Option<Cholesky<f64, Dyn>> {
    let size = shared.parameters();
    let mut matrix = DMatrix::from_row_slice(size, size, &shared.matrix);
    for i in 0..size {
        matrix[(i, i)] *= 1.0 + damping;
    }
    blocked_cholesky(matrix)
}

/// Shortens a step that moves a point too far; returns how far the farthest goes.
fn limit(problem: &Problem, step: &mut DVector<f64>) -> f64 {
    let points = &step.as_slice()[problem.model.sizes..];
    let squares = points.chunks_exact(3).map(|p| p.iter().map(|v| v * v).sum::<f64>());
    let farthest_m = squares.fold(0.0, f64::max).sqrt();
    if farthest_m > MAX_SHIFT_M {
        *step *= MAX_SHIFT_M / farthest_m;
    }
    farthest_m
}

impl SegmentPose {
    pub(super) fn apply(&mut self, step: &Vector6<f64>) {
        let mut shift = Vector3::new(step[0], step[1], step[2]);
        let mut turn = Vector3::new(step[3], step[4], step[5]);
        // Poses follow the body: they may go farther than a point of it.
        let (far, wide) = (shift.norm() / (2.0 * MAX_SHIFT_M), turn.norm() / MAX_TURN_RAD);
        if far > 1.0 {
            shift /= far;
        }
        if wide > 1.0 {
            turn /= wide;
        }
        self.origin_m += shift;
        self.rotation = Rotation3::from_scaled_axis(turn).matrix() * self.rotation;
    }
}
