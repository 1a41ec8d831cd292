//! A body that is known, posed frame by frame.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::choose::Reading;
use super::gauss_newton::pose_frame;
use super::knowledge::Knowledge;
use super::model::Model;
use super::problem::{Problem, Seen, SegmentPose};
use super::rows::{Instances, Rows};
use super::tree::{FrameNormal, Structure};
use super::{Input, start};
use crate::error::{Error, Result};
use crate::marker_set::Side;
use crate::plan::{JointRule, Performer, PlanOrigin, PlannedSegment};
use crate::rigid::Traces;
use crate::subject::Subject;

/// What a frame counts for beside what is assumed of postures: their entries are for a whole recording.
///
/// This and the next were chosen on simulated keypoints, seeds 20 to 23: 10 and 5 mm give 25.3 mm, 2 and 30 mm 23.9, 1
/// and 40 mm 23.3. A knee that is bent by 100 degrees is pulled by less than one towards a walk's.
const EFFECTIVE_FRAMES: f64 = 1.0;
/// No point is trusted more than this.
const MIN_SIGMA_M: f64 = 0.04;
/// How far a foot or a hand with points of its own strays from its joint: detectors put all of them off together.
///
/// Held to its joint, a foot turns with every error of ankle and heel. Chosen on OpenCap's walk, 20 keypoints: at 2 mm
/// ankle angles correlate by 0.77 and 0.63 with the reference, at 60 by 0.89 and 0.88, at 150 by 0.90 and 0.91, but then
/// feet hold ankles no longer.
const END_SHIFT_M: f64 = 0.06;
/// How much the waist bends where hips are all that is seen of the pelvis, one standard deviation: two bones to one point
/// bend with every millimetre that the trunk seems too short. On OpenCap's walk pelvic tilt strays by 6 degrees with what
/// is assumed of markers (31), by 1.6 with this.
const WAIST_RAD: f64 = 0.22;
/// Points of a root that are so far from the line of its hips tell its tilt.
const OFF_LINE_M: f64 = 0.04;
/// A limb whose points are so far from where they should be is tried turned about itself, and taken if that leaves less
/// than this share.
const FLIP_M: f64 = 0.035;
const FLIP_GAIN: f64 = 0.8;
/// The same of one whose hinge is bent beyond its limit by this, as a sine.
const BENT_BACK: f64 = 0.15;
/// Steps of a frame that begins at another, and of one that does not.
const STEPS_NEAR: usize = 6;
const STEPS: usize = 20;

/// A subject whose segments are those of knowledge, ready to be posed.
pub struct Poser {
    problem: Problem,
    parameters: Vec<f64>,
    /// For every segment of the subject that of the model.
    segments: Vec<usize>,
}

/// A body in one frame.
#[derive(Debug, Clone)]
pub struct BodyPose(Vec<SegmentPose>);

/// No frames: a model is made of names.
struct Nothing;

impl Traces for Nothing {
    fn frames(&self) -> usize {
        0
    }

    fn position_m(&self, _: usize, _: usize) -> Option<Point3<f64>> {
        None
    }
}

/// How far the two sides of a joint may be apart.
fn closure_m(model: &Model, joint: usize) -> f64 {
    let this = &model.joints[joint];
    let is_end = |child: usize| {
        let is_limb = model.segments[child].side != Side::Unsaid;
        is_limb
            && model.segments.iter().all(|other| other.parent != Some(child))
            && model.markers_of(child).count() >= 2
    };
    if this.child.is_some_and(is_end) { END_SHIFT_M } else { this.closure_m }
}

/// Lets the waist bend less where the points of the root are on the line of its hips.
fn stiffen_waist(model: &mut Model, parameters: &[f64]) {
    let is_off_line = |marker: usize| {
        let at = model.marker_at(marker);
        parameters[at].hypot(parameters[at + 2]) > OFF_LINE_M
    };
    if model.markers_of(0).any(is_off_line) {
        return;
    }
    let is_next = |child: usize| {
        let segment = &model.segments[child];
        segment.parent == Some(0) && segment.side == Side::Unsaid
    };
    let next: Vec<bool> = (0..model.segments.len()).map(is_next).collect();
    for angle in model.angles.iter_mut().filter(|angle| next[angle.child]) {
        if angle.axes == [0, 2] {
            angle.sd = angle.sd.min(WAIST_RAD);
        }
    }
}

impl Poser {
    /// Finds the points of a subject among labels.
    ///
    /// # Errors
    /// The labels are not the subject's, or its segments are not those of the knowledge.
    pub fn new(subject: &Subject, labels: &[&str], knowledge: &Knowledge) -> Result<Self> {
        let columns = crate::solve::columns(subject, labels)?;
        let mut columns = columns.into_iter();
        let mut places: Vec<Option<(usize, Vector3<f64>, f64)>> = vec![None; labels.len()];
        let mut planned = Vec::new();
        for (index, segment) in subject.segments.iter().enumerate() {
            let mut markers = Vec::new();
            for (marker, column) in segment.markers.iter().zip(columns.by_ref()) {
                let Some(column) = column else { continue };
                let sigma_m = (segment.sigma_m / marker.weight.max(1e-6).sqrt()).max(MIN_SIGMA_M);
                places[column] = Some((index, marker.position_in_segment_m.coords, sigma_m));
                markers.push(column);
            }
            planned.push(PlannedSegment {
                name: segment.name.clone(),
                parent: segment.parent,
                markers,
                joint_name: None,
                joint_rule: JointRule::Auto,
            });
        }
        let performer = Performer {
            name: subject.name.clone(),
            origin: PlanOrigin::File,
            segments: planned,
            is_tree_known: true,
        };
        let input = Input { performer: &performer, labels, frames: &Nothing };
        let mut model = Model::new(&input, knowledge, &Reading::default());
        let segments = subject.segments.iter().map(|own| {
            let found = model.segments.iter().position(|segment| segment.name == own.name);
            found.ok_or_else(|| {
                let what =
                    format!("segment '{}': need one that bodies are known to have", own.name);
                Error::undetermined(what)
            })
        });
        let segments: Vec<usize> = segments.collect::<Result<_>>()?;
        let measured = vec![None; knowledge.sizes.len()];
        let instances = Instances { model: &model, knowledge, measured: &measured };
        let mut parameters = start::parameters(&instances, &Vec::new(), 1.0);
        let mut put = |at: usize, point: &Vector3<f64>| {
            parameters[at..at + 3].copy_from_slice(point.as_slice());
        };
        for (index, joint) in model.joints.iter().enumerate() {
            let own = subject.joints.iter().find(|own| own.name == joint.name);
            if let Some(own) = own {
                put(model.joint_at(index), &own.centre_in_parent_m.coords);
            }
        }
        for index in 0..model.markers.len() {
            let at = model.marker_at(index);
            let marker = &mut model.markers[index];
            let Some((segment, position_m, sigma_m)) = places[marker.column] else { continue };
            marker.segment = segments[segment];
            marker.sigma_m = sigma_m;
            put(at, &position_m);
        }
        stiffen_waist(&mut model, &parameters);
        let problem = Problem {
            structure: Structure::of(&model),
            rows: Rows::default(),
            observed_m: Vec::new(),
            effective_frames: EFFECTIVE_FRAMES,
            sigma_m: model.markers.iter().map(|marker| marker.sigma_m).collect(),
            closure_m: (0..model.joints.len()).map(|joint| closure_m(&model, joint)).collect(),
            skin_m: vec![0.0; model.markers.len()],
            camera_m: 0.0,
            sliding: None,
            is_noise_taken_off: false,
            model,
        };
        Ok(Self { problem, parameters, segments })
    }

    /// For every point of the body its place among the labels.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.problem.model.markers.iter().map(|marker| marker.column)
    }

    /// Poses the body so that its points are near where they should be, `None` where nothing is said of one; from
    /// another pose, if one is given. `None` where too little of the trunk is told.
    pub fn pose(
        &self,
        targets_m: &[Option<Vector3<f64>>],
        near: Option<&BodyPose>,
    ) -> Option<BodyPose> {
        let Self { problem, parameters, .. } = self;
        let (mut poses, steps) = match near {
            Some(near) => (near.0.clone(), STEPS_NEAR),
            None => {
                let weights = vec![1.0; targets_m.len()];
                (start::pose(&problem.model, &weights, parameters, targets_m)?, STEPS)
            }
        };
        let mut normal = FrameNormal::new(&problem.structure);
        let seen = Seen { at_m: targets_m, signals: None };
        pose_frame(problem, parameters, seen, &mut poses, (&mut normal, steps));
        if self.is_root_upside_down(&poses) {
            // Half a turn about the line of the hips, which leaves them where they are.
            poses[0].rotation *= Matrix3::from_diagonal(&Vector3::new(-1.0, 1.0, -1.0));
            pose_frame(problem, parameters, seen, &mut poses, (&mut normal, STEPS));
        }
        let mut cost = self.cost(&poses, targets_m);
        for (joint, this) in problem.model.joints.iter().enumerate() {
            let Some(child) = this.child.filter(|_| this.is_hinge) else { continue };
            let is_far = self.misfit_m2(&poses, targets_m, child) > FLIP_M * FLIP_M;
            if !is_far && !self.is_bent_back(&poses, child) {
                continue;
            }
            // Straight, a hinge bends the other way if the whole limb is turned about itself.
            let turned = self.turned_about_itself(&poses, joint);
            let again =
                start::pose(&problem.model, &vec![1.0; targets_m.len()], parameters, targets_m);
            for mut other in [Some(turned), again.filter(|_| near.is_some())].into_iter().flatten()
            {
                pose_frame(problem, parameters, seen, &mut other, (&mut normal, STEPS));
                let other_cost = self.cost(&other, targets_m);
                if other_cost < FLIP_GAIN * cost {
                    (poses, cost) = (other, other_cost);
                }
            }
        }
        Some(BodyPose(poses))
    }

    /// Whether the root points away from the trunk above it: postures are cosines, and take half a turn for none.
    fn is_root_upside_down(&self, poses: &[SegmentPose]) -> bool {
        let up = |segment: usize| poses[segment].rotation.column(2).into_owned();
        let mut above = self.problem.model.segments.iter().enumerate();
        above.any(|(index, segment)| {
            let is_next = segment.parent == Some(0) && segment.side == Side::Unsaid;
            is_next && up(0).dot(&up(index)) < 0.0
        })
    }

    /// What a pose costs: points, and postures.
    fn cost(&self, poses: &[SegmentPose], targets_m: &[Option<Vector3<f64>>]) -> f64 {
        let Self { problem, parameters, .. } = self;
        let seen = Seen { at_m: targets_m, signals: None };
        let points = (0..problem.model.markers.len())
            .filter_map(|marker| problem.marker(seen, marker, poses, parameters));
        let points = points.map(|point| (point.off.norm_squared() / point.sd_m.powi(2)).ln_1p());
        let angles = problem.model.angles.iter().filter_map(|angle| problem.angle(angle, poses));
        let angles = angles.map(|(residual, _, weight)| weight * residual * residual);
        EFFECTIVE_FRAMES * points.sum::<f64>() + angles.sum::<f64>()
    }

    /// Whether a hinge is bent beyond its limit.
    fn is_bent_back(&self, poses: &[SegmentPose], child: usize) -> bool {
        let mut limits = self.problem.model.angles.iter().filter(|angle| {
            angle.child == child && !matches!(angle.limit, super::knowledge::Limit::Near(_))
        });
        limits.any(|angle| {
            let residual = self.problem.angle(angle, poses).map_or(0.0, |(residual, ..)| residual);
            residual.abs() > BENT_BACK
        })
    }

    /// The largest square of the distance of a segment's points from where they should be.
    fn misfit_m2(
        &self,
        poses: &[SegmentPose],
        targets_m: &[Option<Vector3<f64>>],
        segment: usize,
    ) -> f64 {
        let model = &self.problem.model;
        let square_m2 = |point: usize| {
            let own_m = self.problem.point(&self.parameters, model.marker_at(point));
            let at_m = poses[segment].rotation * own_m + poses[segment].origin_m;
            targets_m[point].map_or(0.0, |target_m| (at_m - target_m).norm_squared())
        };
        model.markers_of(segment).map(square_m2).fold(0.0, f64::max)
    }

    /// The poses with the parent of a joint, and all that hangs on it, turned by half a turn about its long axis.
    fn turned_about_itself(&self, poses: &[SegmentPose], joint: usize) -> Vec<SegmentPose> {
        let segments = &self.problem.model.segments;
        let top = self.problem.model.joints[joint].parent;
        let (origin_m, axis) = (poses[top].origin_m, poses[top].rotation.column(2).into_owned());
        // Half a turn: 2 a aᵀ − 1.
        let half = axis * axis.transpose() * 2.0 - Matrix3::identity();
        let mut is_turned = vec![false; segments.len()];
        let mut all = poses.to_vec();
        for (index, pose) in all.iter_mut().enumerate() {
            is_turned[index] =
                index == top || segments[index].parent.is_some_and(|parent| is_turned[parent]);
            if is_turned[index] {
                pose.origin_m = origin_m + half * (pose.origin_m - origin_m);
                pose.rotation = half * pose.rotation;
            }
        }
        all
    }

    /// Where a point of the body is.
    pub fn point_m(&self, pose: &BodyPose, point: usize) -> Vector3<f64> {
        let segment = &pose.0[self.problem.model.markers[point].segment];
        let own_m = self.problem.point(&self.parameters, self.problem.model.marker_at(point));
        segment.rotation * own_m + segment.origin_m
    }

    /// The poses of the subject's segments, in its order, with every bone at its length.
    pub fn world_from_segments(&self, pose: &BodyPose) -> Vec<Isometry3<f64>> {
        let model = &self.problem.model;
        let mut chained: Vec<SegmentPose> = Vec::with_capacity(pose.0.len());
        for (segment, own) in model.segments.iter().zip(&pose.0) {
            let mut own = *own;
            if let (Some(parent), Some(joint)) = (segment.parent, segment.joint) {
                let parent = &chained[parent];
                let centre = self.problem.point(&self.parameters, model.joint_at(joint));
                own.origin_m = parent.rotation * centre + parent.origin_m;
            }
            chained.push(own);
        }
        self.segments.iter().map(|segment| chained[*segment].isometry()).collect()
    }
}
