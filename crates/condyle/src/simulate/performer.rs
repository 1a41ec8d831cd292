//! An articulated performer: segments, joints, markers, and how it walks.

use std::collections::BTreeMap;

use nalgebra::{Isometry3, Point3, Unit, UnitQuaternion, Vector3};

use super::describe;
use crate::error::Result;
use crate::statistics::centroid;

const HUMAN: &str = include_str!("human.toml");
const DOG: &str = include_str!("dog.toml");
const ARM: &str = include_str!("arm.toml");

/// What can perform: a person, an animal, a machine.
///
/// At rest, with every angle zero, the axes of all segments are parallel to those of the world: x
/// forward, y to the left, z up. The origin of a segment is its joint to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Performer {
    /// Its name: `human`.
    pub name: String,
    /// The segments, parents before children; the first is the only root.
    pub segments: Vec<Segment>,
    /// The marker set that is worn if no other is asked for.
    pub marker_set: String,
    /// Whether the root never moves: a machine bolted to the floor.
    pub is_fixed: bool,
    /// The legs it stands and walks on; none for one that does not stand on legs.
    pub legs: Vec<Leg>,
    /// How it walks, if it can.
    pub walk: Option<Gait>,
    /// How it walks with everything exaggerated, if it can.
    pub chicken_walk: Option<Gait>,
    /// The routine of discrete motions; if empty every joint has its turn.
    pub exercises: Vec<Exercise>,
    /// The digits of a hand, the index first and the thumb last; none of whoever has no hands.
    pub digits: Vec<Digit>,
}

/// A finger or thumb: which angles of the performer move it.
#[derive(Debug, Clone, PartialEq)]
pub struct Digit {
    /// Its name: `index`.
    pub name: String,
    /// The index of the angle that turns it aside.
    pub abduction: usize,
    /// That of the flexion of its base.
    pub flexion: usize,
    /// That of the flexion that its other joints follow.
    pub drive: usize,
    /// The others.
    pub followers: Vec<Follower>,
    /// The marker of its tip among those of its last segment's sites, which a closed hand hides.
    pub tip_segment: usize,
}

/// A joint that bends in proportion to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Follower {
    /// The index of its angle.
    pub angle: usize,
    /// How many times as far as the other it bends.
    pub ratio: f64,
}

impl Digit {
    /// Whether its end joint follows: that of a thumb drives.
    pub(super) fn is_finger(&self) -> bool {
        self.followers.iter().any(|follower| follower.angle > self.drive)
    }
}

/// A rigid part of a performer.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Its name: `left thigh`.
    pub name: String,
    /// The index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// Where its joint is in the parent's frame, in metres; for the root, where it stands in the
    /// world.
    pub joint_in_parent_m: Point3<f64>,
    /// The joint to the parent; the root's has no axes.
    pub joint: Joint,
    /// Where markers may be, whatever the set.
    pub sites: Vec<Site>,
    /// How much its skin moves, as a share of what is asked for.
    pub skin: f64,
}

/// How a segment moves against its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name: `left hip`.
    pub name: String,
    /// The rotations `R = R1 R2 R3`, the first being the one next to the parent.
    pub axes: Vec<JointAxis>,
}

/// One rotation of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis {
    /// The axis, in the frame that the rotations before it leave.
    pub direction: Unit<Vector3<f64>>,
    /// The smallest and the largest angle that the joint allows.
    pub range_rad: [f64; 2],
    /// The smallest and the largest angle that routines use.
    pub rom_rad: [f64; 2],
    /// The angle when nothing is asked of it.
    pub rest_rad: f64,
}

/// What a joint allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// Rotation about one axis.
    Hinge,
    /// Rotation about two axes that meet.
    Universal,
    /// Rotation about three axes that meet.
    Ball,
}

/// A place for a marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// Where it is in the segment's frame, in metres.
    pub in_segment_m: Point3<f64>,
    /// Its label in each marker set that has it.
    pub labels: BTreeMap<String, String>,
}

/// Three joints, and the two points of the foot that touch the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Leg {
    /// The side, for events: `Left`.
    pub side: String,
    /// The segments that follow hip, knee and ankle: thigh, shank and foot.
    pub segments: [usize; 3],
    /// Where the foot touches the ground first, in its own frame.
    pub heel_in_foot_m: Point3<f64>,
    /// Where the foot leaves the ground last, in its own frame.
    pub ball_in_foot_m: Point3<f64>,
    /// When in the cycle it strikes the ground, 0 to 1.
    pub phase: f64,
}

/// How a performer walks.
#[derive(Debug, Clone, PartialEq)]
pub struct Gait {
    /// How fast it goes.
    pub speed_m_s: f64,
    /// From one strike of a foot to the next.
    pub cycle_s: f64,
    /// The share of the cycle that a foot is on the ground.
    pub stance: f64,
    /// The radius of the circle that it walks on; infinite for a straight line.
    pub turn_radius_m: f64,
    /// How high a foot is lifted.
    pub lift_m: f64,
    /// How far a foot goes outwards when lifted.
    pub spread_m: f64,
    /// How far the toes point up when the heel strikes.
    pub strike_rad: f64,
    /// How far the toes point down when they leave the ground.
    pub toe_off_rad: f64,
    /// How far the toes hang down when the foot is highest.
    pub hang_rad: f64,
    /// Half of how much the root rises and falls, twice a cycle.
    pub bob_m: f64,
    /// Half of how much the root goes sideways, once a cycle.
    pub sway_m: f64,
    /// How much lower than upright it goes.
    pub crouch_m: f64,
    /// How far the root leans forward.
    pub lean_rad: f64,
    /// Half of how much the root turns about the vertical.
    pub yaw_rad: f64,
    /// Half of how much the root tilts sideways.
    pub roll_rad: f64,
    /// What swings with the cycle.
    pub swings: Vec<Swing>,
    /// Segments whose joints go through their range meanwhile.
    pub driven: Vec<usize>,
}

/// An angle that swings with the cycle: `mean + amplitude cos(2 pi harmonic (cycle - phase))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Swing {
    /// The segment whose joint it is.
    pub segment: usize,
    /// Which of the joint's axes.
    pub axis: usize,
    /// The angle that it swings about.
    pub mean_rad: f64,
    /// Half of the swing.
    pub amplitude_rad: f64,
    /// When in the cycle it is largest, 0 to 1.
    pub phase: f64,
    /// How many times a cycle.
    pub harmonic: f64,
}

/// One motion of the exercise routine.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercise {
    /// What is done: `roll the head`.
    pub name: String,
    /// The segments whose joints go through their range.
    pub driven: Vec<usize>,
    /// How high the feet go, one after the other; zero to keep them on the ground.
    pub high_step_m: f64,
}

impl Performer {
    /// The names of the performers that need no description.
    pub const BUILT_IN: [&'static str; 3] = ["human", "dog", "arm"];

    /// A person of 1.75 m with fifteen segments.
    ///
    /// Its marker sets are `clusters` (three or four markers on every segment), `cmu41` and
    /// `plug-in-gait`, which have one to seven.
    pub fn human() -> Self {
        Self::described(HUMAN)
    }

    /// A dog of 0.57 m at the withers with seventeen segments.
    pub fn dog() -> Self {
        Self::described(DOG)
    }

    /// A robot arm bolted to a table: three hinges and a ball.
    pub fn arm() -> Self {
        Self::described(ARM)
    }

    /// The performer with a name of [`Performer::BUILT_IN`].
    pub fn built_in(name: &str) -> Option<Self> {
        Self::description(name).map(Self::described)
    }

    /// The description in TOML of a performer with a name of [`Performer::BUILT_IN`].
    pub fn description(name: &str) -> Option<&'static str> {
        let all = Self::BUILT_IN.into_iter().zip([HUMAN, DOG, ARM]);
        all.into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
    }

    /// Reads a description in TOML, which docs/performer.md explains.
    ///
    /// # Errors
    /// The text is not such a description; the error says the line and what was needed.
    pub fn from_toml(text: &str) -> Result<Self> {
        describe::performer(text)
    }

    /// From a description of our own.
    fn described(text: &'static str) -> Self {
        match Self::from_toml(text) {
            Ok(performer) => performer,
            Err(error) => unreachable!("the tests read it: {error}"),
        }
    }

    /// The same performer in another size; it walks in the same time.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        for segment in &mut self.segments {
            segment.joint_in_parent_m.coords *= factor;
            segment.sites.iter_mut().for_each(|site| site.in_segment_m.coords *= factor);
        }
        for leg in &mut self.legs {
            leg.heel_in_foot_m.coords *= factor;
            leg.ball_in_foot_m.coords *= factor;
        }
        for gait in self.walk.iter_mut().chain(&mut self.chicken_walk) {
            for length in [
                &mut gait.speed_m_s,
                &mut gait.turn_radius_m,
                &mut gait.lift_m,
                &mut gait.spread_m,
                &mut gait.bob_m,
                &mut gait.sway_m,
                &mut gait.crouch_m,
            ] {
                *length *= factor;
            }
        }
        self.exercises.iter_mut().for_each(|exercise| exercise.high_step_m *= factor);
        self
    }

    /// The names of the marker sets, in alphabetical order.
    pub fn marker_sets(&self) -> Vec<&str> {
        let labels = self.segments.iter().flat_map(|segment| &segment.sites);
        let mut sets: Vec<&str> =
            labels.flat_map(|site| site.labels.keys().map(String::as_str)).collect();
        sets.sort_unstable();
        sets.dedup();
        sets
    }

    /// How many angles describe its posture.
    pub fn angle_count(&self) -> usize {
        self.segments.iter().map(|segment| segment.joint.axes.len()).sum()
    }

    /// The angles when nothing is asked of any joint.
    pub(super) fn rest_angles(&self) -> Vec<f64> {
        let axes = self.segments.iter().flat_map(|segment| &segment.joint.axes);
        axes.map(|axis| axis.rest_rad).collect()
    }

    /// How large it is: the distance from its root to the farthest joint or marker at rest.
    pub(super) fn size_m(&self) -> f64 {
        let mut poses = Vec::new();
        self.place(Isometry3::identity(), &self.rest_angles(), &mut poses);
        let reaches = |(segment, pose): (&Segment, &Isometry3<f64>)| {
            let sites = segment.sites.iter().map(|site| (pose * site.in_segment_m).coords.norm());
            sites.fold(pose.translation.vector.norm(), f64::max)
        };
        self.segments.iter().zip(&poses).map(reaches).fold(0.0, f64::max)
    }

    /// Where the ankles are at rest, seen from the root.
    pub(super) fn ankles_at_rest(&self) -> Vec<Vector3<f64>> {
        let mut poses = Vec::new();
        self.place(Isometry3::identity(), &self.rest_angles(), &mut poses);
        self.legs.iter().map(|leg| poses[leg.segments[2]].translation.vector).collect()
    }

    /// For every segment, the index of the first angle of its joint.
    pub(super) fn first_angles(&self) -> Vec<usize> {
        let mut next = 0;
        let first = |segment: &Segment| {
            next += segment.joint.axes.len();
            next - segment.joint.axes.len()
        };
        self.segments.iter().map(first).collect()
    }

    /// Where every segment is, for a pose of the root and the angles of all joints in order.
    pub(super) fn place(
        &self,
        world_from_root: Isometry3<f64>,
        angles_rad: &[f64],
        world_from_segments: &mut Vec<Isometry3<f64>>,
    ) {
        world_from_segments.clear();
        let mut rest = angles_rad;
        for segment in &self.segments {
            let (own, others) = rest.split_at(segment.joint.axes.len());
            rest = others;
            let world_from_segment = match segment.parent {
                Some(parent) => world_from_segments[parent] * segment.parent_from_segment(own),
                None => world_from_root,
            };
            world_from_segments.push(world_from_segment);
        }
    }
}

impl Segment {
    /// The middle of the places for markers; the origin if there are none.
    pub(super) fn middle_m(&self) -> Point3<f64> {
        centroid(self.sites.iter().map(|site| site.in_segment_m)).unwrap_or_default()
    }

    /// The segment's pose in its parent for the angles of its joint.
    pub(super) fn parent_from_segment(&self, angles_rad: &[f64]) -> Isometry3<f64> {
        let rotation = self.joint.rotation(angles_rad);
        Isometry3::from_parts(self.joint_in_parent_m.coords.into(), rotation)
    }
}

impl Joint {
    /// What it allows.
    pub fn kind(&self) -> JointKind {
        match self.axes.len() {
            0 => JointKind::Fixed,
            1 => JointKind::Hinge,
            2 => JointKind::Universal,
            _ => JointKind::Ball,
        }
    }

    /// The rotation for its angles.
    pub(super) fn rotation(&self, angles_rad: &[f64]) -> UnitQuaternion<f64> {
        let turns = self.axes.iter().zip(angles_rad);
        turns.fold(UnitQuaternion::identity(), |rotation, (axis, angle_rad)| {
            rotation * UnitQuaternion::from_axis_angle(&axis.direction, *angle_rad)
        })
    }
}

impl JointKind {
    /// The name in small letters, as descriptions spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Hinge => "hinge",
            Self::Universal => "universal",
            Self::Ball => "ball",
        }
    }
}
