//! A performer of a stream in the frame that came last.

use nalgebra::{Isometry3, Point3};

use super::{Certainty, Frame};
use crate::angles::{Component, PoseAngles};
use crate::error::Result;
use crate::job::Options;
use crate::solve::{PlacedBy, Pose, Solver};
use crate::subject::Subject;
use crate::trackers::Player;

/// A performer of a stream in the frame that came last.
#[derive(Debug, Clone)]
pub struct LivePerformer {
    subject: Subject,
    placer: Placer,
    pose: Pose,
    angles: PoseAngles,
    certainties: Vec<Certainty>,
}

/// What places a subject in a frame.
#[derive(Debug, Clone)]
enum Placer {
    Markers(Solver),
    Sensors(Box<Player>),
}

/// A joint in the frame that came last.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LiveJoint<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its centre in the world; `None` where neither of its segments is placed.
    pub position_m: Option<Point3<f64>>,
    /// What its three angles are.
    pub components: &'a [Component; 3],
    /// Its three angles; `None` where one of its segments is not placed.
    pub angles_rad: Option<[f64; 3]>,
    /// Its kind, and how well its centre is known.
    pub certainty: Certainty,
}

/// A segment in the frame that came last.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LiveSegment<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its pose; `None` where it is not placed.
    pub world_from_segment: Option<Isometry3<f64>>,
    /// How it was placed.
    pub placed: PlacedBy,
}

impl LivePerformer {
    /// A subject whose markers or sensors are among these names.
    pub(super) fn new(
        subject: Subject,
        names: &[&str],
        options: &Options,
        certainties: Vec<Certainty>,
    ) -> Result<Self> {
        let (placer, pose) = match subject.is_of_bodies() {
            true => {
                let player = Player::new(&subject, names, options.playback)?;
                let pose = player.pose();
                (Placer::Sensors(Box::new(player)), pose)
            }
            false => {
                let solver = Solver::new(&subject, names)?;
                let pose = solver.pose();
                (Placer::Markers(solver), pose)
            }
        };
        let angles = PoseAngles::new(&subject, options.zero_frame.is_some());
        Ok(Self { subject, placer, pose, angles, certainties })
    }

    /// Its skeleton, as the last calibration has it.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Where everything is, in the subject's order.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its joint angles, in the subject's order.
    pub fn angles(&self) -> &PoseAngles {
        &self.angles
    }

    /// For every joint its kind and how well its centre is known, in the subject's order.
    pub fn certainties(&self) -> &[Certainty] {
        &self.certainties
    }

    /// Every joint: where it is, its angles, and how sure that is.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = LiveJoint<'_>> {
        self.subject.joints.iter().enumerate().map(|(index, joint)| {
            let angles = &self.angles.joints()[index];
            LiveJoint {
                name: &joint.name,
                position_m: self.pose.joints_m[index],
                components: &angles.components,
                angles_rad: angles.angles_rad,
                certainty: self.certainties[index],
            }
        })
    }

    /// Every segment.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = LiveSegment<'_>> {
        self.subject.segments.iter().enumerate().map(|(index, segment)| LiveSegment {
            name: &segment.name,
            world_from_segment: self.pose.world_from_segments[index],
            placed: self.pose.placed[index],
        })
    }

    /// Places it in a frame, some of whose markers are estimates with these variances.
    pub(super) fn push(&mut self, frame: Frame<'_>, variances_m2: &[f64]) {
        self.place(frame, variances_m2);
        self.angles.push(&self.pose);
    }

    /// Makes its pose in a frame the zero of all angles.
    pub(super) fn set_zero(&mut self, number: usize, frame: Frame<'_>) {
        self.place(frame, &[]);
        self.angles.set_zero(number, &self.pose);
    }

    /// Goes on where an earlier fit of the same performer was.
    pub(super) fn continue_from(&mut self, before: &Self) {
        self.angles.continue_from(&before.angles);
    }

    fn place(&mut self, frame: Frame<'_>, variances_m2: &[f64]) {
        match (&mut self.placer, frame) {
            (Placer::Markers(solver), Frame::Markers(positions_m)) => {
                solver.solve_estimated(positions_m, variances_m2, &mut self.pose);
            }
            (Placer::Sensors(player), Frame::Sensors(poses)) => player.play(poses, &mut self.pose),
            // The stream takes in no others.
            _ => {}
        }
    }
}
