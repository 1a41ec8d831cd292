//! The motion of a subject through a trial: joints and segments in columns, and how well they fit.

use nalgebra::{Isometry3, Point3};

use super::evidence::Tally;
use super::{Evidence, PointTrack, Pose, SegmentTrack, Solver};
use crate::error::Result;
use crate::subject::Subject;
use crate::trial::Trial;

/// The motion of a subject: every joint and every segment in every frame.
///
/// Joints and segments are in the subject's order, and each has exactly [`SolvedMotion::frames`] values.
#[derive(Debug, Clone, PartialEq)]
pub struct SolvedMotion {
    frames: usize,
    joints: Vec<PointTrack>,
    /// The standard error of every joint in every frame; 0 where it was not placed.
    joint_sds_m: Vec<Vec<f64>>,
    /// The standard error of every joint's turn in every frame; 0 where it is not known.
    joint_turn_sds_rad: Vec<Vec<f64>>,
    /// Parent and child of every joint.
    sides: Vec<[usize; 2]>,
    segments: Vec<SegmentTrack>,
    evidence: Evidence,
}

impl SolvedMotion {
    /// No frame yet, with room for some.
    pub fn with_room(subject: &Subject, frames: usize) -> Self {
        let mut motion = Self {
            frames: 0,
            joints: vec![PointTrack::default(); subject.joints.len()],
            joint_sds_m: vec![Vec::new(); subject.joints.len()],
            joint_turn_sds_rad: vec![Vec::new(); subject.joints.len()],
            sides: subject.joints.iter().map(|joint| [joint.parent, joint.child]).collect(),
            segments: vec![SegmentTrack::default(); subject.segments.len()],
            evidence: Evidence::none(subject),
        };
        motion.joints.iter_mut().for_each(|track| track.reserve(frames));
        motion.joint_sds_m.iter_mut().for_each(|sds_m| sds_m.reserve_exact(frames));
        motion.joint_turn_sds_rad.iter_mut().for_each(|sds_rad| sds_rad.reserve_exact(frames));
        motion.segments.iter_mut().for_each(|track| track.reserve(frames));
        motion
    }

    /// Appends a frame. What a pose does not hold, or holds as a number that is not finite, is missing.
    pub fn push(&mut self, pose: &Pose) {
        self.frames += 1;
        let placed = |segment: usize| pose.placed.get(segment).copied().unwrap_or_default();
        for (index, (track, sides)) in self.joints.iter_mut().zip(&self.sides).enumerate() {
            let turn_sd_rad = pose.joint_turn_sd_rad(*sides).filter(|sd_rad| sd_rad.is_finite());
            self.joint_turn_sds_rad[index].push(turn_sd_rad.unwrap_or(0.0));
            let sides = sides.map(placed).into_iter().filter(|side| side.is_present());
            let position_m = pose.joints_m.get(index).copied().flatten();
            track.push(position_m, sides.min().unwrap_or_default());
            let sd_m = pose.joint_sds_m.get(index).copied().filter(|sd_m| sd_m.is_finite());
            let is_placed = track.position_m(self.frames - 1).is_some();
            self.joint_sds_m[index].push(sd_m.filter(|_| is_placed).unwrap_or(0.0));
        }
        for (index, track) in self.segments.iter_mut().enumerate() {
            let pose = pose.world_from_segments.get(index).copied().flatten();
            track.push(pose, placed(index));
        }
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Every joint through the frames.
    pub fn joints(&self) -> &[PointTrack] {
        &self.joints
    }

    /// Every segment through the frames.
    pub fn segments(&self) -> &[SegmentTrack] {
        &self.segments
    }

    /// The centre of a joint in a frame; `None` where it was not placed, or there is no such frame or joint.
    pub fn joint_m(&self, frame: usize, joint: usize) -> Option<Point3<f64>> {
        self.joints.get(joint)?.position_m(frame)
    }

    /// The standard error of a joint in a frame along its worst direction, of its centre and of the frame's pose
    /// together; `None` where it was not placed, or there is no such frame or joint.
    pub fn joint_sd_m(&self, frame: usize, joint: usize) -> Option<f64> {
        self.joint_m(frame, joint).map(|_| self.joint_sds_m[joint][frame])
    }

    /// The standard error of the turn of a joint in a frame along its worst direction, in radians: what the frame's
    /// markers leave open of its angles. `None` where one of its segments was not placed, or nothing is known of it.
    pub fn joint_turn_sd_rad(&self, frame: usize, joint: usize) -> Option<f64> {
        let sd_rad = self.joint_turn_sds_rad.get(joint)?.get(frame).copied();
        sd_rad.filter(|sd_rad| *sd_rad > 0.0)
    }

    /// The pose of a segment in a frame; `None` where it was not placed, or there is no such frame or segment.
    pub fn world_from_segment(&self, frame: usize, segment: usize) -> Option<Isometry3<f64>> {
        self.segments.get(segment)?.world_from_segment(frame)
    }

    /// How well the frames fit the subject.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    pub(crate) fn with_evidence(self, evidence: Evidence) -> Self {
        Self { evidence, ..self }
    }
}

/// Poses a subject in every frame of a trial.
///
/// # Errors
/// The trial does not show the subject's markers.
pub fn solve_trial(subject: &Subject, trial: &Trial) -> Result<SolvedMotion> {
    let solver = Solver::new(subject, &trial.labels())?;
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut tally = Tally::new(subject);
    let mut motion = SolvedMotion::with_room(subject, trial.frames);
    let mut variances_m2 = vec![0.0; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        trial.variances_m2(frame, &mut variances_m2);
        solver.solve_estimated(&positions_m, &variances_m2, &mut pose);
        tally.add(|joint| solver.measured_joint_m(joint, &pose), pose.residuals_m());
        motion.push(&pose);
    }
    Ok(motion.with_evidence(tally.finish(subject)))
}
