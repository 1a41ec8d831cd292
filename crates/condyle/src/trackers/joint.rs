//! One joint of a subject of bodies: its centre, its error bar, and what to think of it.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use crate::calibrate::edge::{EdgeFit, from_both};
use crate::calibrate::range::range;
use crate::calibrate::two_sided::{Side, Supposed};
use crate::centre::Verdict;
use crate::centre::soft_tissue::THROUGH_MOTION;
use crate::error::{Error, Result};
use crate::joint::{PairRule, PairSums, PoseNoise, Poses};
use crate::marker_set;
use crate::plan::JointRule;
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
/// Skin that follows the motion hides in the fit, but not all of it: it is at most so many times the gap.
const MAX_SKIN_TO_SEPARATION: f64 = 3.0;

/// Orientations less noisy than this bend no answer.
const LEAST_NOISE_RAD: f64 = 1e-3;

impl Sides<'_> {
    /// The joint between segments that stand at these places among the subject's, and whether the motion tells it.
    pub fn joint(
        &self,
        (parent, parent_segment): (usize, &Segment),
        (child, child_segment): (usize, &Segment),
    ) -> Result<(Joint, bool)> {
        let by_parts = marker_set::joint_between(&parent_segment.name, &child_segment.name);
        let skin_m = self.skin_m.unwrap_or(if by_parts.is_some() { TYPICAL_SKIN_M } else { 0.0 });
        let poses = [self.child.0, self.parent.0].map(isometries);
        let fit = self.fit(&poses, skin_m)?;
        let turned = range(&poses[0], &poses[1]);
        let rest = turned.as_ref().map_or_else(Default::default, |turned| turned.parent_from_child);
        let ranges_rad = turned.as_ref().map_or([0.0; 3], |turned| turned.ranges_rad);
        let main = turned.as_ref().filter(|turned| turned.ranges_rad[0] > 1f64.to_radians());
        let error_rad = self.child.1.orientation_rad.hypot(self.parent.1.orientation_rad);
        let kind = JointKind::from_ranges(&ranges_rad, error_rad);
        let (mut in_parent_m, mut covariance_m2) = (fit.centre_m, fit.covariance_m2);
        let mut in_child_m = fit.centre_in_child_m.unwrap_or_default();
        let is_known = fit.verdict != Verdict::Insufficient;
        if (kind == JointKind::Fixed || !is_known)
            && let Some(stated) = self.stated()
        {
            (in_child_m, in_parent_m) = stated;
            covariance_m2 = Matrix3::identity() * STATED_SD_M.powi(2);
        }
        let of_hinge = fit.axis.filter(|_| kind == JointKind::Hinge);
        let axis_in_parent = of_hinge.or_else(|| main.map(|turned| turned.axes_in_parent[0]));
        let name = by_parts
            .unwrap_or_else(|| format!("{} to {}", parent_segment.name, child_segment.name));
        let mut joint = Joint {
            kind,
            covariance_m2,
            axis_in_parent,
            axis_in_child: axis_in_parent.map(|axis| rest.inverse() * axis),
            parent_from_child_rest: rest,
            range_rad: ranges_rad[0],
            ranges_rad,
            method: JointMethod::TwoSided,
            samples: fit.samples,
            separation_m: fit.separation_m,
            wander_m: fit.wander_m,
            ..Joint::new(name, [parent, child], in_parent_m, in_child_m)
        };
        joint.advice = advice(&joint, parent_segment, child_segment);
        Ok((joint, is_known))
    }

    /// The fit of markers, of bodies whose origins are what is known of them: the joint is supposed to be nearest to both.
    fn fit(&self, poses: &[Vec<Option<Isometry3<f64>>>; 2], skin_m: f64) -> Result<EdgeFit> {
        let separation_m = self.sums.fit(&PairRule::default())?.residual_m;
        // Of either body.
        let slide_m =
            (THROUGH_MOTION * skin_m).min(MAX_SKIN_TO_SEPARATION * separation_m / 2f64.sqrt());
        let noises = [self.child.1, self.parent.1];
        let sides = [0, 1].map(|which: usize| {
            let noise = noises[which];
            let shown_rad = Some(noise.orientation_rad).filter(|rad| *rad > LEAST_NOISE_RAD);
            Side {
                world_from_segment: &poses[which],
                sights: &[],
                sigma_m2: 0.0,
                noise_doubt: 0.0,
                mean_in_segment_m: Point3::origin(),
                orientation_rad2: Matrix3::identity() * shown_rad.unwrap_or(0.0).powi(2),
                mean_m2: noise.position_m.powi(2),
                skin_orientation_rad2: Matrix3::zeros(),
                skin_mean_m2: slide_m.powi(2) / 3.0,
                prior_in_segment_m: Point3::origin(),
            }
        });
        let distance_m = self.sums.distance_m();
        // Half the distance, of the joint in either body. That it is near both origins is no knowledge of skin.
        let sd_m = distance_m / 2f64.sqrt();
        let supposed = Supposed { sd_m, share_against_skin: 0.0, distance_m };
        from_both(&sides, supposed, JointRule::Auto).ok_or_else(|| {
            let seen = self.sums.samples();
            let what = format!("joint: need 4 frames in which both bodies are seen, got {seen}");
            Error::undetermined(what)
        })
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
}

fn isometries(poses: &Poses) -> Vec<Option<Isometry3<f64>>> {
    (0..poses.frames()).map(|frame| poses.isometry(frame)).collect()
}
