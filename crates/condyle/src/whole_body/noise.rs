//! How noisy markers and joints are: mostly what is known beforehand, since residuals cannot show soft tissue.

use super::gauss_newton::State;
use super::point::robust_weight;
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
    /// The fit is done when no point of the body moves farther than this.
    pub settled_m: f64,
}

impl NoiseRule {
    /// Where skin moves: mostly what is assumed.
    pub(super) const SKIN: Self = Self {
        prior_frames: 5.0,
        data_frames: 10.0,
        min_m: 1e-3,
        max_factor: 6.0,
        settled_m: 0.3e-3,
    };
    /// Where cameras saw joints: smoothed, residuals show a part of what strays.
    pub(super) const FILMED: Self =
        Self { prior_frames: 5.0, min_m: 1e-3, settled_m: 0.3e-3, ..Self::RIGID };
    /// Where markers are fixed to the bone: what residuals show.
    pub(super) const RIGID: Self = Self {
        prior_frames: 0.1,
        data_frames: 60.0,
        min_m: 2e-4,
        max_factor: 20.0,
        settled_m: 3e-5,
    };
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
    let mut of_markers = vec![Vec::new(); markers];
    let mut of_joints = vec![Vec::new(); joints];
    let tempering = problem.tempering();
    for (frame, (poses, normal)) in state.poses.iter().zip(normals).enumerate() {
        let frame_seen = problem.seen(frame);
        let covariances = normal.covariances(&problem.structure);
        for (marker, seen) in of_markers.iter_mut().enumerate() {
            let Some(point) = problem.marker(frame_seen, marker, poses, &state.parameters) else {
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
            seen.push((point.off.norm_squared(), tempering * spread));
        }
        for (joint, seen) in of_joints.iter_mut().enumerate() {
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
            seen.push((point.off.norm_squared(), tempering * spread));
        }
    }
    let share = rule.data_frames / problem.observed_m.len().max(1) as f64;
    // The weights depend on the noise: some rounds settle both. Leverages are those of the fit as it was.
    let estimate = |seen: &[(f64, f64)], assumed_m: f64, now_m: f64, prior_frames: f64| {
        let prior = 3.0 * prior_frames;
        let leverage = |(square, spread): &(f64, f64)| {
            (robust_weight(*square, now_m) * spread / (now_m * now_m)).clamp(0.0, 3.0)
        };
        let freedom: f64 = seen.iter().map(|seen| 3.0 - leverage(seen)).sum();
        let mut sigma_m = now_m;
        for _ in 0..ROUNDS {
            let sum: f64 =
                seen.iter().map(|(square, _)| robust_weight(*square, sigma_m) * square).sum();
            let square = (share * sum + prior * assumed_m * assumed_m) / (share * freedom + prior);
            sigma_m = square.sqrt().clamp(rule.min_m.min(assumed_m), rule.max_factor * assumed_m);
        }
        sigma_m
    };
    for (marker, seen) in of_markers.iter().enumerate() {
        let own = &problem.model.markers[marker];
        // What the user lets it count is no noise: it is taken out, and put back.
        let counts = own.weight.sqrt();
        let now_m = counts * problem.sigma_m[marker];
        let sigma_m = estimate(seen, own.sigma_m, now_m, rule.prior_frames);
        problem.sigma_m[marker] = sigma_m / counts;
    }
    for (joint, seen) in of_joints.iter().enumerate() {
        let (assumed_m, now_m) = (problem.model.joints[joint].closure_m, problem.closure_m[joint]);
        // Poses take up most of a joint's gap: what is left says little.
        let prior_frames = rule.prior_frames.max(MIN_CLOSURE_PRIOR);
        problem.closure_m[joint] = estimate(seen, assumed_m, now_m, prior_frames);
    }
}

/// What is assumed of a joint counts for so many frames at least.
const MIN_CLOSURE_PRIOR: f64 = 5.0;
/// Rounds of weighing residuals and estimating the noise.
const ROUNDS: usize = 5;
