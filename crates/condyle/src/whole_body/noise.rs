//! How noisy markers and joints are: mostly what is known beforehand, since residuals cannot show soft tissue.

use super::gauss_newton::State;
use super::problem::Problem;
use super::tree::FrameNormal;

/// How far residuals may change what is assumed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NoiseRule {
    /// What is assumed counts for so many frames.
    pub prior_frames: f64,
    /// All frames together count for so many.
    pub data_frames: f64,
    pub min_m: f64,
    /// As many times what is assumed at most.
    pub max_factor: f64,
}

/// Estimates the noise of every marker and joint anew.
///
/// # Method
/// σ² = (n Σ w r² + 3 ν σ₀²) / (n Σ (3 − h) + 3 ν) over the frames that show the marker, with n = `data_frames`
/// over all frames, ν = `prior_frames`, r its residual, w the robust weight and h its leverage: the trace of
/// J H⁻¹ Jᵀ with the parameters held.
pub(super) fn update(
    problem: &mut Problem,
    state: &State,
    normals: &[FrameNormal],
    rule: &NoiseRule,
) {
    let (markers, joints) = (problem.model.markers.len(), problem.model.joints.len());
    let mut of_markers = vec![(0.0, 0.0); markers];
    let mut of_joints = vec![(0.0, 0.0); joints];
    let tempering = problem.tempering();
    for ((poses, normal), seen_m) in state.poses.iter().zip(normals).zip(&problem.observed_m) {
        let covariances = normal.covariances(&problem.structure);
        for (marker, (sum, freedom)) in of_markers.iter_mut().enumerate() {
            let Some(point) = problem.marker(seen_m, marker, poses, &state.parameters) else {
                continue;
            };
            let own = &covariances[problem.model.markers[marker].segment][0];
            let cross = point.arm.cross_matrix();
            let shift = own.fixed_view::<3, 3>(0, 0);
            let mixed = own.fixed_view::<3, 3>(0, 3);
            let turn = own.fixed_view::<3, 3>(3, 3);
            // trace of [I, -a×] C [I, -a×]ᵀ, with (-a×)ᵀ = a×.
            let spread =
                shift.trace() + 2.0 * (mixed * cross).trace() - (cross * turn * cross).trace();
            let leverage = tempering * point.robust / problem.sigma_m[marker].powi(2) * spread;
            *sum += point.robust * point.off.norm_squared();
            *freedom += 3.0 - leverage.clamp(0.0, 3.0);
        }
        for (joint, (sum, freedom)) in of_joints.iter_mut().enumerate() {
            let Some((point, child)) = problem.joint(joint, poses, &state.parameters) else {
                continue;
            };
            let parent = &covariances[problem.model.joints[joint].parent][0];
            let [own, with_parent] = &covariances[child];
            let cross = point.arm.cross_matrix();
            let of_parent = parent.fixed_view::<3, 3>(0, 0).trace()
                + 2.0 * (parent.fixed_view::<3, 3>(0, 3) * cross).trace()
                - (cross * parent.fixed_view::<3, 3>(3, 3) * cross).trace();
            let of_child = own.fixed_view::<3, 3>(0, 0).trace();
            let of_both = with_parent.fixed_view::<3, 3>(0, 0).trace()
                + (with_parent.fixed_view::<3, 3>(0, 3) * cross).trace();
            let spread = of_parent + of_child - 2.0 * of_both;
            let leverage = tempering * point.robust / problem.closure_m[joint].powi(2) * spread;
            *sum += point.robust * point.off.norm_squared();
            *freedom += 3.0 - leverage.clamp(0.0, 3.0);
        }
    }
    let share = rule.data_frames / problem.observed_m.len().max(1) as f64;
    let estimate = |(sum, freedom): (f64, f64), assumed_m: f64| {
        let prior = 3.0 * rule.prior_frames;
        let square = (share * sum + prior * assumed_m * assumed_m) / (share * freedom + prior);
        square.sqrt().clamp(rule.min_m.min(assumed_m), rule.max_factor * assumed_m)
    };
    for (marker, sums) in of_markers.into_iter().enumerate() {
        problem.sigma_m[marker] = estimate(sums, problem.model.markers[marker].sigma_m);
    }
    for (joint, sums) in of_joints.into_iter().enumerate() {
        problem.closure_m[joint] = estimate(sums, problem.model.joints[joint].closure_m);
    }
}
