//! A solved subject as others use it: a skeleton that moves, joint centres as points.

mod centres;
mod names;
mod play;
mod rest;

use std::fmt;

use nalgebra::{Point3, UnitQuaternion, Vector3};

pub use centres::{centre_labels, joint_centres, with_joint_centres};

use crate::anatomy::Anatomy;
use crate::error::Result;
use crate::motion::Motion;
use crate::order;
use crate::skeleton::{Joint, JointChannel, Skeleton};
use crate::solve::SolvedMotion;
use crate::statistics::centroid;
use crate::subject::Subject;
use crate::trial::edit::Turn;
use crate::trial::{Axis, Note, Trial};

/// A subject's motion as a skeleton with constant bones: y up, metres.
///
/// Joint `i` of the skeleton is where segment `i` of the subject hangs on its parent, and turns with it; end
/// sites follow. All joint frames are parallel to the world at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Rig {
    /// The skeleton and its motion.
    pub motion: Motion,
    /// The pose that the skeleton has at rest.
    pub rest: RestPose,
    /// The axis of the recording that became y.
    pub up: Axis,
    /// For every segment in how many frames it could not be placed and was held as it was.
    pub held_frames: Vec<usize>,
    /// What had to be supposed or held.
    pub notes: Vec<Note>,
}

/// The pose of a skeleton at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestPose {
    /// A person upright who faces +z, legs straight, arms out to the sides, palms forward.
    T,
    /// The mean pose of the calibration, turned as the root is in its first frame.
    Mean,
}

impl fmt::Display for RestPose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::T => "T-pose",
            Self::Mean => "mean pose of the calibration",
        })
    }
}

/// The axis along which the trunk of a solved subject points up, on average: for recordings that do not say which
/// it is. `None` if the subject has no trunk that names and joints show.
pub fn up_by_trunk(subject: &Subject, solved: &SolvedMotion) -> Option<Axis> {
    rest::up_by_trunk(&Anatomy::new(subject), solved)
}

impl Rig {
    /// The motion of a subject in a trial, from where [`crate::solve::solve_trial`] has its segments.
    ///
    /// Bones have the lengths of the subject. Where a segment could not be placed it keeps the angles to its
    /// parent that it had last, or will have first; [`Rig::held_frames`] counts them.
    ///
    /// # Errors
    /// A joint of the subject whose parent does not come before its child among the segments.
    pub fn new(subject: &Subject, trial: &Trial, solved: &SolvedMotion) -> Result<Self> {
        let anatomy = Anatomy::new(subject);
        let mut notes = Vec::new();
        let up = trial.source.up.or_else(|| rest::up_by_trunk(&anatomy, solved));
        let up = up.unwrap_or_else(|| {
            let text = "the recording does not say which axis is up: y is taken for it";
            notes.push(Note::new("up", text));
            Axis::Y
        });
        let turn = Turn::between(up, Axis::Y);
        let (rest, rest_from_segment) = rest::pose(subject, &anatomy, solved, &turn);
        let anchors_m: Vec<Point3<f64>> =
            (0..subject.segments.len()).map(|segment| anchor_m(subject, segment)).collect();
        let skeleton = skeleton(subject, &rest_from_segment, &anchors_m)?;
        let (values, held_frames) =
            play::values(subject, solved, &rest_from_segment, &anchors_m, &turn);
        let motion = Motion::new(skeleton, solved.frames(), values)?;
        notes.extend(held_note(subject, &held_frames));
        Ok(Self { motion, rest, up, held_frames, notes })
    }

    /// The rig as a trial that holds a motion, for writers of BVH and glTF, on the clock of `trial`.
    pub fn into_trial(self, trial: &Trial) -> Trial {
        let mut rigged = Trial::new(trial.source.format, trial.rate_hz);
        rigged.frames = self.motion.frames();
        rigged.source.up = Some(Axis::Y);
        rigged.motion = Some(self.motion);
        rigged.notes = self.notes;
        rigged
    }
}

/// Segments named in a note at most.
const MOST_NAMED: usize = 4;

/// Where the skeleton stands still because nothing shows it.
fn held_note(subject: &Subject, held_frames: &[usize]) -> Option<Note> {
    let mut held: Vec<(&str, usize)> = subject
        .segments
        .iter()
        .zip(held_frames)
        .filter(|(_, frames)| **frames > 0)
        .map(|(segment, frames)| (segment.name.as_str(), *frames))
        .collect();
    order::by_key(&mut held, |(_, frames)| std::cmp::Reverse(*frames));
    let named = held.iter().take(MOST_NAMED).map(|(name, frames)| format!("{name} in {frames}"));
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match held.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more segments"),
    };
    (!held.is_empty()).then(|| {
        let text = format!(
            "frames that do not show a segment keep its last pose in the animation: {named}{more}; tables are empty there"
        );
        Note::new("segments-not-placed", text)
    })
}

/// The point of a segment that its joint of the skeleton is at: its own joint, or the middle of a root's joints.
fn anchor_m(subject: &Subject, segment: usize) -> Point3<f64> {
    if let Some(joint) = subject.joint_of(segment) {
        return joint.centre_in_child_m;
    }
    let below: Vec<_> = subject.joints.iter().filter(|joint| joint.parent == segment).collect();
    // The hips of a person rather than the middle of hips and spine: what animators call the root.
    let is_sided = |name: &str| name.starts_with("left") || name.starts_with("right");
    let sided: Vec<_> = below
        .iter()
        .copied()
        .filter(|joint| is_sided(&subject.segments[joint.child].name))
        .collect();
    let chosen = if sided.len() > 1 { sided } else { below };
    centroid(chosen.iter().map(|joint| joint.centre_in_parent_m)).unwrap_or_default()
}

const TURNS: [JointChannel; 3] =
    [JointChannel::Rotation(2), JointChannel::Rotation(0), JointChannel::Rotation(1)];
const MOVES: [JointChannel; 3] =
    [JointChannel::Translation(0), JointChannel::Translation(1), JointChannel::Translation(2)];

/// The joints at rest, then an end for every segment that nothing hangs on.
fn skeleton(
    subject: &Subject,
    rest_from_segment: &[UnitQuaternion<f64>],
    anchors_m: &[Point3<f64>],
) -> Result<Skeleton> {
    let names = names::bones(subject);
    let mut joints = Vec::with_capacity(subject.segments.len());
    for (index, name) in names.iter().enumerate() {
        let own = subject.joint_of(index);
        let offset_m = own.map_or_else(Vector3::zeros, |joint| {
            rest_from_segment[joint.parent] * (joint.centre_in_parent_m - anchors_m[joint.parent])
        });
        let mut joint = Joint::new(name.clone(), own.map(|joint| joint.parent), offset_m);
        joint.channels = match own {
            Some(_) => TURNS.to_vec(),
            None => MOVES.iter().chain(&TURNS).copied().collect(),
        };
        joints.push(joint);
    }
    for (index, name) in names.iter().enumerate() {
        if subject.joints.iter().all(|joint| joint.parent != index)
            && let Some(end) = rest::end_m(subject, index, &anchors_m[index])
        {
            let offset_m = rest_from_segment[index] * end;
            joints.push(Joint::new(format!("{name}_End"), Some(index), offset_m));
        }
    }
    Skeleton::new(joints)
}
