//! How well everything is known: covariances of joints in a frame, and where the information came from.

use nalgebra::{DVector, Matrix3, SymmetricEigen, Vector3, Vector6};

use super::doubt::Doubt;
use super::gauss_newton::{self, Minimum};
use super::problem::{Problem, Seen, SegmentPose};
use super::rows::BlockKind;
use super::skin::Skin;
use super::tree::{FrameNormal, SharedNormal};

/// Where the information about a joint's least known direction came from; the shares add up to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// From markers and joints that move.
    pub from_motion: f64,
    /// From what is known of bodies: landmarks, lengths, rules, postures.
    pub from_knowledge: f64,
}

/// A frame that is posed, its normal equations eliminated.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub poses: &'a [SegmentPose],
    pub normal: &'a FrameNormal,
    /// The markers as they were seen.
    pub seen: Seen<'a>,
}

/// Steps of a frame that is posed again.
const POSE_STEPS: usize = 8;

/// The fit with everything that its covariance is made of.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    pub problem: Problem,
    pub minimum: Minimum,
    pub skin: Skin,
    /// Where other readings of the recording have the joints.
    pub doubts: Vec<Doubt>,
    /// The frames posed as if skin did not slide, which is how any other frame is posed; `None` where the fit did.
    posed: Option<(Vec<Vec<SegmentPose>>, Vec<FrameNormal>)>,
}

impl Posterior {
    pub(super) fn new(problem: Problem, minimum: Minimum) -> Self {
        let skin = Skin::new(&problem.model, &minimum.state.poses);
        Self { problem, minimum, skin, doubts: Vec::new(), posed: None }
    }

    /// Of a fit with skin.
    pub(super) fn with_skin(
        problem: Problem,
        minimum: Minimum,
        skin: Skin,
        doubts: Vec<Doubt>,
    ) -> Self {
        let mut state = minimum.state.clone();
        gauss_newton::pose_frames(&problem, &mut state, POSE_STEPS);
        let mut shared = SharedNormal::new(problem.structure.parameters);
        let normals = problem.observed_m.iter().zip(&state.poses).map(|(at_m, poses)| {
            let mut normal = FrameNormal::new(&problem.structure);
            let seen = Seen { at_m, signals: None };
            problem.add_frame(seen, poses, &state.parameters, &mut normal, Some(&mut shared));
            normal.eliminate(&problem.structure, 0.0, true);
            normal
        });
        let normals = normals.collect();
        Self { problem, minimum, skin, doubts, posed: Some((state.poses, normals)) }
    }

    /// The poses of the frames.
    pub(super) fn poses(&self) -> &[Vec<SegmentPose>] {
        self.posed.as_ref().map_or(&self.minimum.state.poses, |(poses, _)| poses)
    }

    /// One of the frames as it was fitted.
    pub(super) fn fitted_frame(&self, frame: usize) -> Frame<'_> {
        Frame {
            poses: &self.minimum.state.poses[frame],
            normal: &self.minimum.normals[frame],
            seen: self.problem.seen(frame),
        }
    }

    /// One of the frames that were fitted.
    pub(super) fn frame(&self, frame: usize) -> Frame<'_> {
        let Some((poses, normals)) = &self.posed else { return self.fitted_frame(frame) };
        let seen = Seen { at_m: &self.problem.observed_m[frame], signals: None };
        Frame { poses: &poses[frame], normal: &normals[frame], seen }
    }

    /// A joint in a frame: the mean of its two sides.
    pub(super) fn joint_m(&self, poses: &[SegmentPose], joint: usize) -> Vector3<f64> {
        let this = &self.problem.model.joints[joint];
        let state = &self.minimum.state;
        let centre = self.problem.point(&state.parameters, self.problem.model.joint_at(joint));
        let of_parent = poses[this.parent].rotation * centre + poses[this.parent].origin_m;
        this.child.map_or(of_parent, |child| 0.5 * (of_parent + poses[child].origin_m))
    }

    /// The gradient of a joint's coordinate along a direction: over the parameters with the frame's poses
    /// following, and over the frame's poses, M⁻¹ of it for the factor M of the frame's own block.
    pub(super) fn gradient(
        &self,
        frame: Frame,
        joint: usize,
        direction: &Vector3<f64>,
    ) -> (DVector<f64>, Vec<Vector6<f64>>) {
        let (problem, state) = (&self.problem, &self.minimum.state);
        let this = &problem.model.joints[joint];
        let at = problem.model.joint_at(joint);
        let pose = &frame.poses[this.parent];
        let arm = pose.rotation * problem.point(&state.parameters, at);
        let half = if this.child.is_some() { 0.5 } else { 1.0 };
        let mut right = vec![Vector6::zeros(); problem.model.segments.len()];
        let turn = arm.cross(direction);
        for i in 0..3 {
            right[this.parent][i] = half * direction[i];
            right[this.parent][3 + i] = half * turn[i];
            if let Some(child) = this.child {
                right[child][i] = half * direction[i];
            }
        }
        let normal = frame.normal;
        normal.whiten(&problem.structure, &mut right);
        let mut gradient = DVector::zeros(problem.structure.parameters);
        let own = pose.rotation.transpose() * direction * half;
        for i in 0..3 {
            gradient[at + i] = own[i];
        }
        for (segment, node) in normal.nodes.iter().enumerate() {
            for (column, to) in node.columns.iter().zip(&problem.structure.columns[segment]) {
                gradient[*to] -= column.dot(&right[segment]);
            }
        }
        (gradient, right)
    }

    /// The covariance of a joint in a frame, in the world.
    pub(super) fn joint_covariance_m2(&self, frame: Frame, joint: usize) -> Matrix3<f64> {
        self.influence(frame, joint).covariance_m2()
    }

    /// Where the information about a joint's least known direction in a frame came from, by its covariance there.
    ///
    /// # Method
    /// The direction of the parameters that moves the joint along its least known direction v most easily is
    /// C Gᵀv. What the objective grows by along it, poses following, is a sum over residuals: those of
    /// markers and joints are motion, those of knowledge and posture are knowledge.
    pub(super) fn shares(
        &self,
        frame: Frame,
        joint: usize,
        covariance_m2: &Matrix3<f64>,
    ) -> Shares {
        let eigen = SymmetricEigen::new(*covariance_m2);
        let weakest: Vector3<f64> = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into();
        let (gradient, _) = self.gradient(frame, joint, &weakest);
        let step = self.minimum.factor.solve(&gradient);
        let total = gradient.dot(&step).max(f64::MIN_POSITIVE);
        let (known, of_frames) = self.known_along(&step);
        let rest = (total - of_frames).max(f64::MIN_POSITIVE);
        let from_knowledge = (known / rest).clamp(0.0, 1.0);
        Shares { from_motion: 1.0 - from_knowledge, from_knowledge }
    }

    /// The information of knowledge along a step of the parameters, poses following; and that of what defines frames.
    fn known_along(&self, step: &DVector<f64>) -> (f64, f64) {
        let (mut known, mut of_frames) = (0.0, 0.0);
        let parameters = &self.minimum.state.parameters;
        for row in &self.problem.rows.rows {
            let slope = row.at(parameters);
            let sd = self.problem.rows.sd(row);
            let weight = self.problem.row_weight(row.block, slope.value / sd) / (sd * sd);
            let along: f64 = slope.gradient.iter().map(|(at, d)| d * step[*at]).sum();
            match self.problem.rows.blocks[row.block].kind {
                BlockKind::Frame => of_frames += weight * along * along,
                _ => known += weight * along * along,
            }
        }
        for (normal, poses) in self.minimum.normals.iter().zip(&self.minimum.state.poses) {
            let [following] = normal.following(&self.problem.structure, [step.as_slice()]);
            for angle in &self.problem.model.angles {
                let Some((_, axis, weight)) = self.problem.angle(angle, poses) else { continue };
                let turn = |segment: usize| following[segment].fixed_rows::<3>(3).dot(&axis);
                known += weight * (turn(angle.parent) - turn(angle.child)).powi(2);
            }
        }
        (known, of_frames)
    }

    /// A size of the body in metres, and the standard deviation of its logarithm.
    pub(super) fn size(&self, size: usize) -> (f64, f64) {
        let mut unit = DVector::zeros(self.problem.structure.parameters);
        unit[size] = 1.0;
        let variance = self.minimum.factor.solve(&unit)[size];
        (self.minimum.state.parameters[size].exp(), variance.max(0.0).sqrt())
    }

    /// The covariance of three parameters.
    pub(super) fn covariance_m2(&self, at: usize) -> Matrix3<f64> {
        // Nothing before them has a part in it.
        let rest = self.problem.structure.parameters - at;
        let lower = self.minimum.factor.l_dirty().view((at, at), (rest, rest));
        let columns = [0, 1, 2].map(|axis| {
            let mut unit = DVector::zeros(rest);
            unit[axis] = 1.0;
            lower.solve_lower_triangular_mut(&mut unit);
            unit
        });
        Matrix3::from_fn(|i, j| columns[i].dot(&columns[j]))
    }
}
