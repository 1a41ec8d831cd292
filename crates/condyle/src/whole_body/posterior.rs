//! How well everything is known: covariances of joints in a frame, and where the information came from.

use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen, Vector3, Vector6};

use super::gauss_newton::Minimum;
use super::problem::{Problem, SegmentPose};
use super::rows::BlockKind;
use super::tree::FrameNormal;

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
}

/// The fit with everything that its covariance is made of.
#[derive(Debug, Clone)]
pub(super) struct Posterior {
    pub problem: Problem,
    pub minimum: Minimum,
}

impl Posterior {
    /// One of the frames that were fitted.
    pub(super) fn frame(&self, frame: usize) -> Frame<'_> {
        Frame { poses: &self.minimum.state.poses[frame], normal: &self.minimum.normals[frame] }
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
    /// following, and the part of the frame's own noise.
    fn gradient(
        &self,
        frame: Frame,
        joint: usize,
        direction: &Vector3<f64>,
    ) -> (DVector<f64>, f64) {
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
        let mut gradient = DVector::zeros(problem.model.parameters());
        let own = pose.rotation.transpose() * direction * half;
        for i in 0..3 {
            gradient[at + i] = own[i];
        }
        for (segment, node) in normal.nodes.iter().enumerate() {
            for (column, to) in node.columns.iter().zip(&problem.structure.columns[segment]) {
                gradient[*to] -= column.dot(&right[segment]);
            }
        }
        (gradient, right.iter().map(Vector6::norm_squared).sum())
    }

    /// The covariance of a joint in a frame, in the world.
    ///
    /// # Method
    /// With x the joint, θ the parameters and f the frame's poses, G = ∂x/∂θ − ∂x/∂f H⁻¹ ∂²E/∂f∂θ and
    /// Cov = G C Gᵀ + τ ∂x/∂f H⁻¹ ∂x/∂fᵀ: the second part is the frame's own noise, which counts fully.
    pub(super) fn joint_covariance_m2(&self, frame: Frame, joint: usize) -> Matrix3<f64> {
        let lower = self.minimum.factor.l_dirty();
        let mut white = Vec::new();
        let mut covariance = Matrix3::zeros();
        let tempering = self.problem.tempering();
        // The frame's part is a form in the direction: its matrix by polarisation.
        let own = |direction: &Vector3<f64>| self.gradient(frame, joint, direction).1;
        for i in 0..3 {
            let (mut gradient, noise) = self.gradient(frame, joint, &Vector3::ith(i, 1.0));
            lower.solve_lower_triangular_mut(&mut gradient);
            covariance[(i, i)] += tempering * noise;
            white.push(gradient);
        }
        for i in 0..3 {
            for j in 0..i {
                let both = own(&(Vector3::ith(i, 1.0) + Vector3::ith(j, 1.0)));
                let mixed = 0.5 * (tempering * both - covariance[(i, i)] - covariance[(j, j)]);
                covariance[(i, j)] = mixed;
                covariance[(j, i)] = mixed;
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                covariance[(i, j)] += white[i].dot(&white[j]);
            }
        }
        covariance
    }

    /// Where the information about a joint's least known direction in a frame came from.
    ///
    /// # Method
    /// The direction of the parameters that moves the joint along its least known direction v most easily is
    /// C Gᵀv. What the objective grows by along it, poses following, is a sum over residuals: those of
    /// markers and joints are motion, those of knowledge and posture are knowledge.
    pub(super) fn shares(&self, frame: Frame, joint: usize) -> Shares {
        let eigen = SymmetricEigen::new(self.joint_covariance_m2(frame, joint));
        let weakest: Vector3<f64> = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into();
        let (gradient, _) = self.gradient(frame, joint, &weakest);
        let step = self.minimum.factor.solve(&gradient);
        let total = gradient.dot(&step).max(f64::MIN_POSITIVE);
        let (known, of_frames) = self.known_along(&[step]);
        let rest = (total - of_frames.norm_squared()).max(f64::MIN_POSITIVE);
        let from_knowledge = (known.norm_squared() / rest).clamp(0.0, 1.0);
        Shares { from_motion: 1.0 - from_knowledge, from_knowledge }
    }

    /// The part of a joint's covariance in a frame that another recording of the same body would not share: the
    /// knowledge is the same there, and errs the same way.
    ///
    /// # Method
    /// With S = D + K for the information D of the motion and K of the knowledge, the estimate varies from
    /// recording to recording by C D Cᵀ, which is C − C K Cᵀ.
    pub(super) fn joint_sampling_m2(&self, frame: Frame, joint: usize) -> Matrix3<f64> {
        let steps: Vec<DVector<f64>> = (0..3)
            .map(|axis| {
                let (gradient, _) = self.gradient(frame, joint, &Vector3::ith(axis, 1.0));
                self.minimum.factor.solve(&gradient)
            })
            .collect();
        let (known, of_frames) = self.known_along(&steps);
        let shared = Matrix3::from_fn(|i, j| {
            known.column(i).dot(&known.column(j)) + of_frames.column(i).dot(&of_frames.column(j))
        });
        self.joint_covariance_m2(frame, joint) - shared
    }

    /// The standardised residuals of knowledge along steps of the parameters, poses following, a column a step;
    /// and those that define frames.
    fn known_along(&self, steps: &[DVector<f64>]) -> (DMatrix<f64>, DMatrix<f64>) {
        let (mut known, mut of_frames) = (Vec::new(), Vec::new());
        let parameters = &self.minimum.state.parameters;
        for row in &self.problem.rows.rows {
            let slope = row.at(parameters);
            let sd = self.problem.rows.sd(row);
            let root = self.problem.row_weight(row.block, slope.value / sd).sqrt() / sd;
            let along = |step: &DVector<f64>| -> f64 {
                root * slope.gradient.iter().map(|(at, d)| d * step[*at]).sum::<f64>()
            };
            match self.problem.rows.blocks[row.block].kind {
                BlockKind::Frame => of_frames.extend(steps.iter().map(along)),
                _ => known.extend(steps.iter().map(along)),
            }
        }
        for (normal, poses) in self.minimum.normals.iter().zip(&self.minimum.state.poses) {
            let structure = &self.problem.structure;
            let following: Vec<_> =
                steps.iter().map(|step| normal.following(structure, step.as_slice())).collect();
            for angle in &self.problem.model.angles {
                let Some((_, axis, weight)) = self.problem.angle(angle, poses) else { continue };
                for turned in &following {
                    let turn = |segment: usize| turned[segment].fixed_rows::<3>(3).dot(&axis);
                    known.push(weight.sqrt() * (turn(angle.parent) - turn(angle.child)));
                }
            }
        }
        let columns = steps.len();
        let matrix = |rows: Vec<f64>| DMatrix::from_row_slice(rows.len() / columns, columns, &rows);
        (matrix(known), matrix(of_frames))
    }

    /// The covariance of three parameters.
    pub(super) fn covariance_m2(&self, at: usize) -> Matrix3<f64> {
        let lower = self.minimum.factor.l_dirty();
        let columns = [0, 1, 2].map(|axis| {
            let mut unit = DVector::zeros(self.problem.model.parameters());
            unit[at + axis] = 1.0;
            lower.solve_lower_triangular_mut(&mut unit);
            unit
        });
        Matrix3::from_fn(|i, j| columns[i].dot(&columns[j]))
    }
}
