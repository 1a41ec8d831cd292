//! Joint angles of one pose after another, as a stream has them.

use nalgebra::UnitQuaternion;

use super::ZeroPose;
use super::convention::{self, Component, Convention};
use super::measure::{Frames, is_shown};
use crate::anatomy::Anatomy;
use crate::solve::{Pose, typical_turn_sds_rad};
use crate::subject::{Joint, Subject};

/// The angles of a subject's joints in one pose after another.
///
/// Those of a pose depend on it and, so that they do not jump, on the poses before; never on later ones. They are the
/// angles of [`super::joint_angles`] without smoothing. Nothing is allocated.
#[derive(Debug, Clone)]
pub struct PoseAngles {
    joints: Vec<JointInPose>,
    /// Whether angles are measured from a pose that was not given yet.
    needs_zero: bool,
}

/// The angles of one joint in the last pose.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct JointInPose {
    /// The joint's name, as the subject has it.
    pub name: String,
    /// What the three angles are.
    pub components: [Component; 3],
    /// The three angles; `None` where a segment was not placed, or its turn is hardly known.
    pub angles_rad: Option<[f64; 3]>,
    frames: Frames,
    sides: [usize; 2],
    /// The standard error of its turn in a frame that shows all markers.
    typical_rad: Option<f64>,
    previous: Option<[f64; 3]>,
}

impl JointInPose {
    /// How the three angles are defined.
    pub fn convention(&self) -> Convention {
        self.frames.convention
    }

    /// The pose in which they are zero.
    pub fn zero(&self) -> ZeroPose {
        self.frames.zero
    }
}

impl PoseAngles {
    /// No pose yet. With `has_zero_frame` there are no angles until [`PoseAngles::set_zero`] says where they begin.
    pub fn new(subject: &Subject, has_zero_frame: bool) -> Self {
        let anatomy = Anatomy::new(subject);
        let typical_rad = typical_turn_sds_rad(subject);
        let joint = |(index, joint): (usize, &Joint)| {
            let frames = Frames::new(subject, joint, &anatomy, has_zero_frame);
            JointInPose {
                name: joint.name.clone(),
                components: convention::components(&frames.convention, &joint.name),
                angles_rad: None,
                frames,
                sides: [joint.parent, joint.child],
                typical_rad: typical_rad[index],
                previous: None,
            }
        };
        Self {
            joints: subject.joints.iter().enumerate().map(joint).collect(),
            needs_zero: has_zero_frame,
        }
    }

    /// Makes a pose, that of a frame counted from 0, the zero of the joints that it shows.
    pub fn set_zero(&mut self, frame: usize, pose: &Pose) {
        for joint in &mut self.joints {
            joint.frames.set_zero(frame, &|segment| orientation(pose, segment));
        }
    }

    /// The angles in the next pose.
    pub fn push(&mut self, pose: &Pose) -> &[JointInPose] {
        for joint in &mut self.joints {
            let has_zero = !self.needs_zero || matches!(joint.frames.zero, ZeroPose::Frame(_));
            let sd_rad = pose.joint_turn_sd_rad(joint.sides).filter(|sd_rad| *sd_rad > 0.0);
            joint.angles_rad = match has_zero && is_shown(sd_rad, joint.typical_rad) {
                true => {
                    let world_from = |segment| orientation(pose, segment);
                    joint.frames.next_rad(&world_from, &mut joint.previous)
                }
                false => None,
            };
        }
        &self.joints
    }

    /// One entry a joint of the subject, in their order.
    pub fn joints(&self) -> &[JointInPose] {
        &self.joints
    }

    /// Takes over where the same joints of another fit of the same subject were, so that no angle jumps by a turn.
    pub fn continue_from(&mut self, before: &Self) {
        for joint in &mut self.joints {
            let is_same = |other: &&JointInPose| {
                other.name == joint.name && other.convention() == joint.convention()
            };
            joint.previous = before.joints.iter().find(is_same).and_then(|same| same.previous);
        }
    }
}

fn orientation(pose: &Pose, segment: usize) -> Option<UnitQuaternion<f64>> {
    Some(pose.world_from_segments.get(segment)?.as_ref()?.rotation)
}
