//! Another explanation of a recording that is not much less likely: error bars reach to where it has the joints.

use nalgebra::Vector3;

use super::problem::SegmentPose;
use super::result::Fitted;

/// Less likely explanations do not count.
const MIN_ODDS: f64 = 0.02;

/// Where another explanation has every joint, from where this one has it, in the axes of the joint's parent.
///
/// # Method
/// Of two explanations with the odds o of the other one, and joints d apart, the first is off by 0 or by d: its mean
/// square error is d dᵀ o / (1 + o), beside what either has by itself. `off_m` is d √(o / (1 + o)).
///
/// # Reference
/// J. A. Hoeting, D. Madigan, A. E. Raftery, C. T. Volinsky (1999), *Bayesian model averaging: a tutorial*: the variance
/// over models. Named from memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Doubt {
    off_m: Vec<Vector3<f64>>,
}

impl Fitted {
    /// Takes in that another fit of the same joints and frames may be the right one, with such odds.
    pub(super) fn doubt(&mut self, other: &Self, odds: f64) {
        let joints = self.posterior.problem.model.joints.len();
        let is_same = other.posterior.problem.model.joints.len() == joints;
        if odds < MIN_ODDS || !is_same || self.frames != other.frames {
            return;
        }
        let share = (odds / (1.0 + odds)).sqrt();
        let off_m = (0..joints).map(|joint| {
            let parent = self.posterior.problem.model.joints[joint].parent;
            let both = self.posterior.poses().iter().zip(other.posterior.poses());
            let apart_m = both.map(|(own, others)| {
                let apart_m =
                    other.posterior.joint_m(others, joint) - self.posterior.joint_m(own, joint);
                own[parent].rotation.transpose() * apart_m
            });
            apart_m.sum::<Vector3<f64>>() * (share / self.frames.len().max(1) as f64)
        });
        let off_m = off_m.collect();
        self.posterior.doubts.push(Doubt { off_m });
    }
}

impl super::posterior::Posterior {
    /// What other explanations move a joint by, in the world.
    pub(super) fn doubts_m<'a>(
        &'a self,
        poses: &'a [SegmentPose],
        joint: usize,
    ) -> impl Iterator<Item = Vector3<f64>> + 'a {
        let parent = self.problem.model.joints[joint].parent;
        self.doubts.iter().map(move |doubt| poses[parent].rotation * doubt.off_m[joint])
    }
}
