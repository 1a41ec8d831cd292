//! How errors of everything that the fit assumes move a joint: what is known of bodies, joints that give, cameras,
//! and skin that slides as joints turn.

use nalgebra::{DVector, Matrix3, Vector3, Vector6};

use super::posterior::{Frame, Posterior};
use super::rows::BlockKind;

/// Where errors of one standard deviation move a joint, in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    /// One for each error that all recordings of a performer share: of what is known beforehand, and of the way the
    /// skin slides under each marker.
    pub shared_m: Vec<Vector3<f64>>,
    /// The covariance by errors that are new in every recording: cameras, and joints that give.
    pub own_m2: Matrix3<f64>,
    /// The same of the frame in which the joint is.
    pub frame_m2: Matrix3<f64>,
}

impl Influence {
    /// The covariance of the joint.
    pub fn covariance_m2(&self) -> Matrix3<f64> {
        self.own_m2 + self.frame_m2 + squares(self.shared_m.iter().copied())
    }

    /// The covariance of the difference to another fit of the same performer in the same frame: what both share
    /// moves both.
    ///
    /// `None` if the fits were not made from the same markers and knowledge.
    pub fn difference_m2(&self, other: &Self) -> Option<Matrix3<f64>> {
        if self.shared_m.len() != other.shared_m.len() {
            return None;
        }
        let apart = self.shared_m.iter().zip(&other.shared_m).map(|(a, b)| a - b);
        Some(self.own_m2 + other.own_m2 + squares(apart))
    }
}

fn squares(moved_m: impl Iterator<Item = Vector3<f64>>) -> Matrix3<f64> {
    moved_m.map(|moved| moved * moved.transpose()).sum()
}

/// Sums over frames; a column for each axis of the joint.
struct Sums {
    /// For every angle: the sum of weight times change, and the sum of weights.
    angles: Vec<(Vector3<f64>, f64)>,
    /// For every marker and signal of its segment: what a displacement by the signal moves, a row for each axis of
    /// the segment.
    skin: Vec<Vec<Matrix3<f64>>>,
    own_m2: Matrix3<f64>,
    /// In how many frames every marker strays alike, and every joint.
    repeats: [Vec<f64>; 2],
}

/// A change of the parameters and of a frame's poses for each axis of the joint.
struct Change<'a> {
    frame: Frame<'a>,
    signals: &'a [Vec<f64>],
    parameters: Option<&'a [DVector<f64>; 3]>,
    poses: [Vec<Vector6<f64>>; 3],
}

impl Change<'_> {
    /// The change of a point of a segment that is a sum of parameters, each with its place and factor; a column for
    /// each axis.
    fn of_point(&self, segment: usize, parts: &[(usize, f64)], arm: &Vector3<f64>) -> Matrix3<f64> {
        let columns = [0, 1, 2].map(|axis| {
            let pose = &self.poses[axis][segment];
            let (shift, turn) = (pose.fixed_rows::<3>(0), pose.fixed_rows::<3>(3));
            let moved = shift + turn.cross(arm);
            match self.parameters {
                Some(steps) => {
                    let step =
                        |(at, factor): &(usize, f64)| steps[axis].fixed_rows::<3>(*at) * *factor;
                    let own: Vector3<f64> = parts.iter().map(step).sum();
                    moved + self.frame.poses[segment].rotation * own
                }
                None => moved,
            }
        });
        Matrix3::from_columns(&columns)
    }

    fn shift(&self, segment: usize) -> Matrix3<f64> {
        Matrix3::from_columns(
            &[0, 1, 2].map(|axis| self.poses[axis][segment].fixed_rows::<3>(0).into_owned()),
        )
    }

    fn turn_about(&self, segment: usize, axis: &Vector3<f64>) -> Vector3<f64> {
        let about = |poses: &Vec<Vector6<f64>>| poses[segment].fixed_rows::<3>(3).dot(axis);
        Vector3::from_fn(|i, _| about(&self.poses[i]))
    }
}

impl Posterior {
    /// How errors move a joint in a frame.
    ///
    /// # Method
    /// The estimate is linear in its errors. With C the inverse of the information, a residual with weight w whose
    /// change along the parameters, poses following, is J moves the joint x = Gθ by G C Jᵀ w times its error,
    /// and in the frame of the joint it also moves the poses. The errors: of a row of knowledge its
    /// standard deviation; of a posture one for the recording; of a joint's gap as many as frames count as
    /// independent, fewer where a joint gives way; of cameras one in every frame; of skin as
    /// [`Skin`](super::skin::Skin) has it. So the covariance is not that of the weights, which take frames and markers
    /// for independent witnesses of the skin. Of a fit that has not settled its last step is one more.
    ///
    /// # Reference
    /// P. J. Huber (1967), *The behavior of maximum likelihood estimates under nonstandard conditions*: the sandwich.
    pub(super) fn influence(&self, frame: Frame, joint: usize) -> Influence {
        let (problem, minimum) = (&self.problem, &self.minimum);
        let mut sums = Sums {
            angles: vec![(Vector3::zeros(), 0.0); problem.model.angles.len()],
            skin: problem
                .model
                .markers
                .iter()
                .map(|m| vec![Matrix3::zeros(); self.skin.count(m.segment)])
                .collect(),
            own_m2: Matrix3::zeros(),
            repeats: problem.repeats(),
        };
        let along = [0, 1, 2].map(|axis| self.gradient(frame, joint, &Vector3::ith(axis, 1.0)));
        let steps = along.each_ref().map(|(gradient, _)| minimum.factor.solve(gradient));
        // Of what frames say as much counts as noise left.
        let of_frames = match &minimum.gain {
            Some(gain) => steps.each_ref().map(|step| gain.tr_mul(step)),
            None => steps.clone(),
        };
        for (index, normal) in minimum.normals.iter().enumerate() {
            let along = of_frames.each_ref().map(|step| step.as_slice());
            let change = Change {
                frame: self.fitted_frame(index),
                signals: &self.skin.signals[index],
                poses: normal.following(&problem.structure, along),
                parameters: Some(&of_frames),
            };
            self.add(&change, &mut sums);
        }
        let structure = &problem.structure;
        let change = Change {
            frame,
            signals: &self.skin.signals_of(frame.poses),
            poses: along.each_ref().map(|(_, white)| frame.normal.unwhiten(structure, white)),
            parameters: None,
        };
        let own_m2 = std::mem::take(&mut sums.own_m2);
        self.add(&change, &mut sums);
        let mut shared_m = self.knowledge_along(&steps);
        shared_m.extend(
            sums.angles.iter().map(|(sum, weight)| sum / weight.sqrt().max(f64::MIN_POSITIVE)),
        );
        shared_m.extend(self.skin.errors(problem, &sums.skin));
        shared_m.extend(self.doubts_m(frame.poses, joint));
        if let Some(step) = &minimum.unsettled {
            shared_m.push(along.each_ref().map(|(gradient, _)| gradient.dot(step)).into());
        }
        Influence { shared_m, own_m2, frame_m2: sums.own_m2 }
    }

    /// Takes in the residuals of a frame.
    fn add(&self, change: &Change, sums: &mut Sums) {
        let (problem, parameters) = (&self.problem, &self.minimum.state.parameters);
        let (poses, tempering) = (change.frame.poses, problem.tempering());
        // The frame's own errors are those of one frame; in the parameters a frame stands for several.
        let is_own = change.parameters.is_none();
        let stands_for = if is_own { tempering } else { 1.0 };
        for (marker, sums_of_marker) in sums.skin.iter_mut().enumerate() {
            let seen = change.frame.seen;
            let Some(point) = problem.marker(seen, marker, poses, parameters) else { continue };
            let segment = problem.model.markers[marker].segment;
            let mut parts = vec![(problem.model.marker_at(marker), 1.0)];
            if let Some((sliding, signals)) = problem.slid(seen, marker) {
                let at = sliding.at[marker];
                parts.extend(signals.iter().enumerate().map(|(k, s)| (at + 3 * k, *s)));
            }
            let moved = change.of_point(segment, &parts, &point.arm);
            let weight = tempering * point.weight();
            let in_segment = poses[segment].rotation.transpose() * moved * weight;
            for (sum, signal) in sums_of_marker.iter_mut().zip(&change.signals[segment]) {
                *sum += in_segment * *signal;
            }
            let repeats = if is_own { 1.0 } else { sums.repeats[0][marker] };
            let noise = repeats * weight * weight * problem.noise_m(marker).powi(2) / point.robust;
            sums.own_m2 += moved.transpose() * moved * noise;
        }
        for joint in 0..problem.model.joints.len() {
            let Some((point, child)) = problem.joint(joint, poses, parameters) else { continue };
            let parent = problem.model.joints[joint].parent;
            let parts = [(problem.model.joint_at(joint), 1.0)];
            let moved = change.of_point(parent, &parts, &point.arm) - change.shift(child);
            let weight = tempering * point.weight();
            let repeats = if is_own { 1.0 } else { sums.repeats[1][joint] };
            sums.own_m2 += moved.transpose() * moved * (weight * stands_for * repeats);
        }
        for (angle, (sum, weights)) in problem.model.angles.iter().zip(&mut sums.angles) {
            let Some((_, axis, weight)) = problem.angle(angle, poses) else { continue };
            let moved =
                change.turn_about(angle.parent, &axis) - change.turn_about(angle.child, &axis);
            if is_own {
                sums.own_m2 += moved * moved.transpose() * (weight * stands_for);
            } else {
                *sum += moved * weight;
                *weights += weight;
            }
        }
    }

    /// What one standard deviation of every row of knowledge moves, as far off as that may be.
    fn knowledge_along(&self, steps: &[DVector<f64>; 3]) -> Vec<Vector3<f64>> {
        let problem = &self.problem;
        let is_known = |block: usize| problem.rows.blocks[block].kind != BlockKind::Frame;
        let rows = problem.rows.rows.iter().filter(|row| is_known(row.block));
        rows.map(|row| {
            let slope = row.at(&self.minimum.state.parameters);
            let sd = problem.rows.sd(row);
            let root = row.error * problem.row_weight(row.block, slope.value / sd).sqrt() / sd;
            let along = |step: &DVector<f64>| -> f64 {
                root * slope.gradient.iter().map(|(at, d)| d * step[*at]).sum::<f64>()
            };
            Vector3::from_fn(|axis, _| along(&steps[axis]))
        })
        .collect()
    }
}
