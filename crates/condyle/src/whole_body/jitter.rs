//! Noise of poses looks like motion: the information that it makes up is taken off.

use nalgebra::{Cholesky, DMatrix, DVector, Rotation3, Vector3, Vector6};

use super::gauss_newton::State;
use super::problem::{Problem, Seen, SegmentPose};
use super::tree::{FrameNormal, SharedNormal, subtract_explained};

/// What noise makes up is measured to so many standard deviations of its own error.
const DOUBT: f64 = 2.0;
/// It is found too small, by so much at most: poses are turned by the errors that they have about a centre that is off,
/// whose lever holds them better than the right one does. Along hinges of simulated dogs, where all is noise, half of the
/// information and more is found to be, and less than a fifth where a joint did turn. Where skin slides, few
/// frames count, and error bars are wide as it is.
const FOUND_TOO_SMALL: f64 = 2.0;
/// Turns beyond this are no small errors, and tell no more than this does.
const MAX_TURN_RAD: f64 = 1.0;

/// Takes the information that noise of the poses makes up off the normal equations of the parameters, which hold what
/// frames say and what defines the frames of segments; returns the gain A of its method.
///
/// # Method
/// Eliminated poses leave of a frame what its rotations tell of the body. These are not those of the body but f + δ,
/// with the covariance H⁻¹ of the frame's own block, so that the information S is too large by N: along the axis of a
/// hinge nothing turned, and all of S is N. It is measured by turning the poses by errors of that covariance once more,
/// there and back, the residuals as they are: N = ½ (S(f + δ) + S(f − δ)) − S(f).
///
/// The gradient g then has the mean (S − N)(θ − θ₀) and the covariance S: with A = (S − N) S⁻¹ it says as much as the
/// gradient A g of the information A S Aᵀ. Directions in which less is left than N may be off by say nothing: most of what
/// they seem to tell is noise, and what is left of it is wrong where noise is not small.
///
/// # Reference
/// W. A. Fuller (1987), *Measurement error models*, 2.2: normal equations whose moments have those of the errors taken
/// off. V. P. Godambe (1960), *An optimum property of regular maximum likelihood estimation*: the information of an
/// estimating equation.
pub(super) fn take_off(
    problem: &Problem,
    state: &State,
    normals: &[FrameNormal],
    shared: &mut SharedNormal,
    (of_frames, is_final): (&SharedNormal, bool),
) -> Option<DMatrix<f64>> {
    let size = shared.parameters();
    let mut turned = normals.to_vec();
    let mut jittered = SharedNormal::new(size);
    for sign in [1.0, -1.0] {
        for (frame, normal) in turned.iter_mut().enumerate() {
            let (poses, at_m) = turned_frame(problem, state, frame, &normals[frame], sign);
            let seen = Seen { at_m: &at_m, ..problem.seen(frame) };
            problem.add_frame(seen, &poses, &state.parameters, normal, Some(&mut jittered));
            normal.eliminate(&problem.structure, 0.0, true);
        }
        subtract_explained(&turned, &problem.structure, &mut jittered);
    }
    let whole = |shared: &SharedNormal| {
        let lower = |i: usize, j: usize| shared.matrix[i.max(j) * size + i.min(j)];
        DMatrix::from_fn(size, size, lower)
    };
    let noise = 0.5 * whole(&jittered) - whole(of_frames);
    let lower = Cholesky::new(whole(shared))?.unpack();
    // L⁻¹ N L⁻ᵀ.
    let half = lower.solve_lower_triangular(&noise)?;
    let mut shares = lower.solve_lower_triangular(&half.transpose())?;
    shares = 0.5 * (&shares + shares.transpose());
    let eigen = shares.symmetric_eigen();
    let too_small = if problem.is_rigid_motion() { FOUND_TOO_SMALL } else { 1.0 };
    let sure = too_small * (1.0 + DOUBT * (2.0 / normals.len().max(1) as f64).sqrt());
    let left = eigen.eigenvalues.map(|share| (1.0 - sure * share).clamp(0.0, 1.0));
    let axes = &lower * &eigen.eigenvectors;
    let back = eigen.eigenvectors.transpose();
    let inverse = lower.solve_lower_triangular(&DMatrix::identity(size, size))?;
    let gain = &axes * DMatrix::from_diagonal(&left) * back * inverse;
    // A step by the curvature: what is left of the information is less, and steps by that may overshoot.
    let counted = if is_final { left.map(|left| left * left) } else { left };
    let information = &axes * DMatrix::from_diagonal(&counted) * axes.transpose();
    let gradient = &gain * DVector::from_column_slice(&shared.gradient);
    shared.matrix.copy_from_slice(information.transpose().as_slice());
    shared.gradient.copy_from_slice(gradient.as_slice());
    Some(gain)
}

/// A frame whose segments are turned by errors as large as their own, joints and residuals as they are.
fn turned_frame(
    problem: &Problem,
    state: &State,
    frame: usize,
    normal: &FrameNormal,
    sign: f64,
) -> (Vec<SegmentPose>, Vec<Option<Vector3<f64>>>) {
    let mut signs =
        Signs(0x9e37_79b9_7f4a_7c15 ^ (frame as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let white: Vec<Vector6<f64>> =
        normal.nodes.iter().map(|_| Vector6::from_fn(|_, _| signs.next())).collect();
    // The frame's own block has its weight in it.
    let size = sign * problem.tempering().sqrt();
    let errors = normal.unwhiten(&problem.structure, &white);
    let before = &state.poses[frame];
    let mut poses = before.clone();
    for (segment, error) in errors.iter().enumerate() {
        let turn = error.fixed_rows::<3>(3) * size;
        let turn = turn * (MAX_TURN_RAD / turn.norm().max(MAX_TURN_RAD));
        poses[segment].rotation =
            Rotation3::from_scaled_axis(turn).matrix() * before[segment].rotation;
        let Some(joint) = problem.model.segments[segment].joint else { continue };
        let parent = problem.model.joints[joint].parent;
        let centre = problem.point(&state.parameters, problem.model.joint_at(joint));
        let was_m = before[parent].rotation * centre + before[parent].origin_m;
        let is_m = poses[parent].rotation * centre + poses[parent].origin_m;
        poses[segment].origin_m = before[segment].origin_m + is_m - was_m;
    }
    let seen = problem.observed_m[frame].iter().enumerate().map(|(index, seen_m)| {
        let segment = problem.model.markers[index].segment;
        let own = problem.point(&state.parameters, problem.model.marker_at(index));
        let place = |pose: &SegmentPose| pose.rotation * own + pose.origin_m;
        seen_m.map(|seen_m| seen_m + place(&poses[segment]) - place(&before[segment]))
    });
    let seen = seen.collect();
    (poses, seen)
}

/// Plus and minus one, as if by chance: xorshift64*.
struct Signs(u64);

impl Signs {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 63;
        if high == 1 { 1.0 } else { -1.0 }
    }
}
