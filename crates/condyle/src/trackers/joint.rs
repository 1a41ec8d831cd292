//! One joint of a subject of bodies: its centre, its error bar, and what to think of it.

use nalgebra::{Isometry3, Matrix3, Matrix6, Point3, Vector3};

use super::fit::rule;
use crate::calibrate::correlation::inflation;
use crate::calibrate::range::{Range, range};
use crate::centre::Verdict;
use crate::error::Result;
use crate::joint::{PairFit, PairMotion, PairSums, PoseNoise, Poses};
use crate::marker_set;
use crate::subject::advice::advice;
use crate::subject::{Joint, JointKind, JointMethod, Segment};

/// The two bodies of a joint.
pub(super) struct Sides<'a> {
    pub child: (&'a Poses, &'a PoseNoise),
    pub parent: (&'a Poses, &'a PoseNoise),
    /// Theirs, the child first.
    pub sums: PairSums,
    /// How far skin carries either, if it was said.
    pub skin_m: Option<f64>,
    /// Where the file says that the child hangs on its parent, in the child.
    pub stated_in_child_m: Option<Point3<f64>>,
}

/// What a file says of a joint that the motion does not show is believed to this.
const STATED_SD_M: f64 = 0.02;

/// How far skin carries a sensor of a person where it moves most.
const TYPICAL_SKIN_M: f64 = 5e-3;
/// Through a motion that is half of it, in the root mean square.
const THROUGH_MOTION: f64 = 0.5;
/// Skin that follows the motion hides in the fit, but not all of it: it is at most so many times the gap.
const HIDDEN_SKIN: f64 = 3.0;

/// Gaps may exceed what noise predicts by so much before the centre is said to wander.
const GAP_TOLERANCE: f64 = 1.15;
/// Only what is told better than this can have lost digits.
const MAX_REFINED_SD_M: f64 = 1e-3;
/// A centre that wanders with the motion counts as displaced so many times independently.
const INDEPENDENT_WANDERS: f64 = 4.0;
/// A centre with a larger standard error, as a share of the distance of the bodies, is not known.
const MAX_RELATIVE_SD: f64 = 0.15;

/// The part of the mean square of gaps that no number of frames averages out: what the noise of the poses does not
/// explain, or what follows the motion although noise would hide it.
pub(super) fn systematic_m2(residual_m2: f64, expected_m2: f64, slow_share: f64) -> f64 {
    let beyond_noise_m2 = residual_m2 - GAP_TOLERANCE.powi(2) * expected_m2;
    beyond_noise_m2.max(slow_share * residual_m2).max(0.0)
}

impl Sides<'_> {
    /// The joint between segments that stand at these places among the subject's.
    pub fn joint(
        &self,
        (parent, parent_segment): (usize, &Segment),
        (child, child_segment): (usize, &Segment),
    ) -> Result<(Joint, PairMotion)> {
        let rule = rule(self.child.1, self.parent.1);
        let mut fit = self.sums.fit(&rule)?;
        let is_exact = rule.measured_noise_rad.is_some_and(|noise| noise[0].max(noise[1]) < 1e-3);
        // Where what was told badly was weighed, it would be undone.
        if is_exact && fit.rank == 6 && fit.worst_sd_m() < MAX_REFINED_SD_M {
            fit.refine(&self.sums, self.child.0, self.parent.0);
        }
        let leftover = fit.leftover(self.child.0, self.parent.0);
        fit.residual_m = leftover.residual_m;
        let expected_m = self.expected_gap_m(&fit);
        let wander_m2 =
            systematic_m2(fit.residual_m.powi(2), expected_m.powi(2), leftover.slow_share);
        let again = inflation(leftover.correlation, leftover.samples as f64);
        let by_parts = marker_set::joint_between(&parent_segment.name, &child_segment.name);
        let skin_m = self.skin_m.unwrap_or(if by_parts.is_some() { TYPICAL_SKIN_M } else { 0.0 });
        // Of both bodies.
        let by_skin_m2 = 2.0 * (THROUGH_MOTION * skin_m).powi(2);
        let by_skin_m2 = by_skin_m2.min((HIDDEN_SKIN * fit.residual_m).powi(2));
        let covariance: Matrix6<f64> = told(&fit) * again
            + guessed(&fit)
            + fit.amplification * (wander_m2.max(by_skin_m2) / (3.0 * INDEPENDENT_WANDERS));
        let mut covariance_m2: Matrix3<f64> = covariance.fixed_view::<3, 3>(3, 3).into();
        let turned = self.turned();
        let rest = turned.as_ref().map_or_else(Default::default, |turned| turned.parent_from_child);
        let ranges_rad = turned.as_ref().map_or([0.0; 3], |turned| turned.ranges_rad);
        let main = turned.as_ref().filter(|turned| turned.ranges_rad[0] > 1f64.to_radians());
        let error_rad = self.child.1.orientation_rad.hypot(self.parent.1.orientation_rad);
        let kind = JointKind::from_ranges(&ranges_rad, error_rad);
        let is_known =
            verdict(&fit, &covariance_m2, self.sums.distance_m()) != Verdict::Insufficient;
        if (kind == JointKind::Fixed || !is_known)
            && let Some((in_child_m, in_parent_m)) = self.stated()
        {
            (fit.centre_in_child_m, fit.centre_in_parent_m) = (in_child_m, in_parent_m);
            covariance_m2 = Matrix3::identity() * STATED_SD_M.powi(2);
        }
        let (axis_in_parent, axis_in_child) = match kind {
            JointKind::Hinge => {
                let (p, c) = (fit.axis.in_parent.into_inner(), fit.axis.in_child.into_inner());
                (Some(p), Some(c))
            }
            _ => {
                let axis = main.map(|turned| turned.axes_in_parent[0]);
                (axis, axis.map(|axis| rest.inverse() * axis))
            }
        };
        let name = by_parts
            .unwrap_or_else(|| format!("{} to {}", parent_segment.name, child_segment.name));
        let mut joint = Joint {
            name,
            parent,
            child,
            kind,
            centre_in_parent_m: fit.centre_in_parent_m,
            centre_in_child_m: fit.centre_in_child_m,
            covariance_m2,
            frame_m2: Matrix3::zeros(),
            from_knowledge: 0.0,
            axis_in_parent,
            axis_in_child,
            flexion_axis: None,
            parent_from_child_rest: rest,
            range_rad: ranges_rad[0],
            ranges_rad,
            method: JointMethod::TwoSided,
            samples: fit.samples,
            gap_m: fit.residual_m,
            wander_m: wander_m2.sqrt(),
            advice: None,
        };
        joint.advice = advice(&joint, parent_segment, child_segment);
        Ok((joint, fit.motion))
    }

    /// The joint as the file has it, in the child and, on average, in the parent.
    fn stated(&self) -> Option<(Point3<f64>, Point3<f64>)> {
        let in_child_m = self.stated_in_child_m?;
        let (child, parent) = (self.child.0, self.parent.0);
        let frames = 0..child.frames().min(parent.frames());
        let places: Vec<Vector3<f64>> = frames
            .filter_map(|frame| {
                let at_m = child.isometry(frame)? * in_child_m;
                Some(parent.isometry(frame)?.inverse_transform_point(&at_m).coords)
            })
            .collect();
        let mean = places.iter().sum::<Vector3<f64>>() / places.len() as f64;
        (!places.is_empty()).then(|| (in_child_m, Point3::from(mean)))
    }

    /// What the gap would be from the noise of the poses alone.
    fn expected_gap_m(&self, fit: &PairFit) -> f64 {
        let of_child = self.child.1.square_m2(&fit.centre_in_child_m.coords);
        (of_child + self.parent.1.square_m2(&fit.centre_in_parent_m.coords)).sqrt()
    }

    fn turned(&self) -> Option<Range> {
        let poses = |poses: &Poses| -> Vec<Option<Isometry3<f64>>> {
            (0..poses.frames()).map(|frame| poses.isometry(frame)).collect()
        };
        range(&poses(self.child.0), &poses(self.parent.0))
    }
}

/// The part of the covariance that frames tell, which frames that are alike tell less of.
fn told(fit: &PairFit) -> Matrix6<f64> {
    fit.covariance_m2 - guessed(fit)
}

/// The part that is a guess: along the axis of a hinge, everything without motion.
fn guessed(fit: &PairFit) -> Matrix6<f64> {
    match fit.rank {
        6 => Matrix6::zeros(),
        5 => {
            let mut axis = nalgebra::Vector6::zeros();
            axis.fixed_rows_mut::<3>(0).copy_from(&fit.axis.in_child);
            axis.fixed_rows_mut::<3>(3).copy_from(&fit.axis.in_parent);
            let axis = axis / 2f64.sqrt();
            let variance = axis.dot(&(fit.covariance_m2 * axis));
            axis * axis.transpose() * variance
        }
        _ => fit.covariance_m2,
    }
}

fn verdict(fit: &PairFit, covariance_m2: &Matrix3<f64>, apart_m: f64) -> Verdict {
    let mut variances = covariance_m2.symmetric_eigenvalues();
    variances.as_mut_slice().sort_by(f64::total_cmp);
    let is_known = |axis: usize| variances[axis].max(0.0).sqrt() <= MAX_RELATIVE_SD * apart_m;
    match fit.motion {
        PairMotion::Ball if is_known(2) => Verdict::Ball,
        PairMotion::Ball | PairMotion::Hinge if is_known(1) => Verdict::Hinge,
        _ => Verdict::Insufficient,
    }
}
