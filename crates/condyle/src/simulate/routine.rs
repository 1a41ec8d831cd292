//! What a performer does: the angles and the root at any time.

use std::f64::consts::TAU;

use nalgebra::Isometry3;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::acts::{RAMP_S, exercises, incommensurate, rom};
use super::gait::Walk;
use super::gestures::Gestures;
use super::leg::{self, height_above, reach_m};
use super::options::Options;
use super::performer::{Gait, Performer};
use super::standing::{Standing, Unrest};
use super::wave::{Wave, ramp};
use crate::error::{ErrorKind, Result};
use crate::trial::Event;

/// What is performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routine {
    /// Range of motion: every joint in all its degrees of freedom, all at once but for the legs,
    /// which take turns.
    #[default]
    Rom,
    /// Walking on a circle.
    Walk,
    /// One joint after the other in isolation: O'Brien's "exercise" (2000, section 4).
    Exercise,
    /// Walking with everything exaggerated: O'Brien's "chicken walk".
    ChickenWalk,
    /// Of a hand: opened and closed.
    Fist,
    /// Of a hand: fingers spread and brought together.
    Spread,
    /// Of a hand: one finger more every time.
    Count,
    /// Of a hand: as if it took hold of things of several sizes.
    Grasp,
    /// Of a hand: any posture within its limits.
    Random,
}

impl Routine {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Rom,
        Self::Walk,
        Self::Exercise,
        Self::ChickenWalk,
        Self::Fist,
        Self::Spread,
        Self::Count,
        Self::Grasp,
        Self::Random,
    ];
    /// Those of bodies.
    pub const OF_BODIES: [Self; 4] = [Self::Rom, Self::Walk, Self::Exercise, Self::ChickenWalk];
    /// Those of hands.
    pub const OF_HANDS: [Self; 5] =
        [Self::Fist, Self::Spread, Self::Count, Self::Grasp, Self::Random];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rom => "rom",
            Self::Walk => "walk",
            Self::Exercise => "exercise",
            Self::ChickenWalk => "chicken-walk",
            Self::Fist => "fist",
            Self::Spread => "spread",
            Self::Count => "count",
            Self::Grasp => "grasp",
            Self::Random => "random",
        }
    }
}

/// How straight a leg may get, as a share of its length.
const STRAIGHTEST: f64 = 0.998;
/// How gently the height of the root gives way to the reach of the legs, as a share of it.
const SOFTNESS: f64 = 0.004;

/// A routine made ready for a performer.
pub(super) struct Performance<'a> {
    performer: &'a Performer,
    first_angles: Vec<usize>,
    rest: Vec<f64>,
    reaches_m: Vec<f64>,
    kind: Kind<'a>,
    poses: Vec<Isometry3<f64>>,
}

enum Kind<'a> {
    InPlace(Standing<'a>),
    Gesturing { standing: Standing<'a>, gestures: Gestures },
    Walking { walk: Walk<'a>, gait: &'a Gait, waves: Vec<(usize, Wave)> },
}

impl<'a> Performance<'a> {
    /// # Errors
    /// The performer cannot perform the routine.
    pub(super) fn new(
        performer: &'a Performer,
        options: &Options,
        rng: &mut impl Rng,
    ) -> Result<Self> {
        let (routine, seconds) = (options.routine, options.seconds);
        let kind = match routine {
            Routine::Fist | Routine::Spread | Routine::Count | Routine::Grasp | Routine::Random => {
                if performer.digits.is_empty() {
                    return Err(ErrorKind::Argument(format!(
                        "routine {}: need a performer with fingers, got '{}'",
                        routine.name(),
                        performer.name
                    ))
                    .into());
                }
                let unrest = Unrest { shift: 0.6, crouch: 0.0, turn_rad: 0.9 };
                let ratio = options.end_joint_ratio;
                Kind::Gesturing {
                    standing: Standing::new(performer, Vec::new(), unrest, rng),
                    gestures: Gestures::new(performer, routine, ratio, seconds, rng),
                }
            }
            Routine::Rom => {
                let acts = rom(performer, seconds, rng);
                let unrest = Unrest { shift: 0.025, crouch: 0.025, turn_rad: 0.2 };
                Kind::InPlace(Standing::new(performer, acts, unrest, rng))
            }
            Routine::Exercise => {
                let acts = exercises(performer, seconds);
                let unrest = Unrest { shift: 0.008, crouch: 0.004, turn_rad: 0.04 };
                Kind::InPlace(Standing::new(performer, acts, unrest, rng))
            }
            Routine::Walk | Routine::ChickenWalk => {
                let gait = performer
                    .gait(routine)
                    .filter(|_| !performer.legs.is_empty())
                    .ok_or_else(|| {
                        ErrorKind::Argument(format!(
                            "routine {}: need a performer with legs and a [{}], got '{}'",
                            routine.name(),
                            routine.name(),
                            performer.name
                        ))
                    })?;
                let walk = Walk::new(performer, gait, rng.random())?;
                let waves = incommensurate(performer, &gait.driven, rng);
                Kind::Walking { walk, gait, waves }
            }
        };
        Ok(Self {
            performer,
            first_angles: performer.first_angles(),
            rest: performer.rest_angles(),
            reaches_m: performer.legs.iter().map(|leg| reach_m(performer, leg)).collect(),
            kind,
            poses: Vec::new(),
        })
    }

    /// The root's pose at a time; all angles are written into `angles_rad`.
    ///
    /// # Errors
    /// A foot is out of reach, or a joint would leave its range.
    pub(super) fn pose(&mut self, time_s: f64, angles_rad: &mut [f64]) -> Result<Isometry3<f64>> {
        let mut root = self.without_legs(time_s, angles_rad);
        self.performer.place(root, angles_rad, &mut self.poses);
        if !self.performer.legs.is_empty() {
            let raised_m = self.raised_m(time_s)?;
            root.translation.z += raised_m;
            self.poses.iter_mut().for_each(|pose| pose.translation.z += raised_m);
        }
        for leg in 0..self.performer.legs.len() {
            let (foot, lifted) = match &self.kind {
                Kind::InPlace(standing) | Kind::Gesturing { standing, .. } => {
                    (standing.world_from_foot(leg, time_s), standing.swings_free(leg, time_s))
                }
                Kind::Walking { walk, .. } => (walk.world_from_foot(leg, time_s), 0.0),
            };
            self.set_leg(leg, &foot, lifted, angles_rad)?;
        }
        Ok(root)
    }

    /// Root and angles as if legs could be of any length.
    fn without_legs(&self, time_s: f64, angles_rad: &mut [f64]) -> Isometry3<f64> {
        angles_rad.copy_from_slice(&self.rest);
        let mut add = |share: f64, waves: &[(usize, Wave)]| {
            for (index, wave) in waves {
                angles_rad[*index] += share * (wave.at(time_s) - self.rest[*index]);
            }
        };
        match &self.kind {
            Kind::Gesturing { standing, gestures } => {
                gestures.pose(time_s, angles_rad);
                standing.world_from_root(time_s)
            }
            Kind::InPlace(standing) => {
                standing.acts.iter().for_each(|act| add(act.share(time_s), &act.waves));
                standing.world_from_root(time_s)
            }
            Kind::Walking { walk, gait, waves } => {
                add(ramp(time_s, 0.0, RAMP_S), waves);
                for swing in &gait.swings {
                    let turn = TAU * swing.harmonic * (walk.cycle(time_s) - swing.phase);
                    angles_rad[self.first_angles[swing.segment] + swing.axis] =
                        swing.mean_rad + swing.amplitude_rad * turn.cos();
                }
                walk.world_from_root(time_s)
            }
        }
    }

    /// How much higher than planned the root is, so that all feet are within reach.
    fn raised_m(&self, time_s: f64) -> Result<f64> {
        match &self.kind {
            Kind::InPlace(standing) | Kind::Gesturing { standing, .. } => {
                let upright_m =
                    self.at_most(f64::INFINITY, |leg| standing.world_from_foothold(leg))?;
                Ok(upright_m - standing.crouch_m(time_s))
            }
            Kind::Walking { walk, .. } => {
                self.at_most(0.0, |leg| walk.world_from_foot(leg, time_s))
            }
        }
    }

    /// A rise, or as much of it as leaves all feet within reach.
    fn at_most(
        &self,
        rise_m: f64,
        world_from_foot: impl Fn(usize) -> Isometry3<f64>,
    ) -> Result<f64> {
        let mut least_m = rise_m;
        for (index, leg) in self.performer.legs.iter().enumerate() {
            let hip = self.poses[leg.segments[0]].translation.vector;
            let ankle = world_from_foot(index).translation.vector;
            let above_m = height_above(hip, ankle, STRAIGHTEST * self.reaches_m[index]);
            let above_m = above_m.ok_or_else(|| {
                ErrorKind::Undetermined(format!(
                    "{}: need the foot within reach, got it too far aside",
                    self.performer.segments[leg.segments[2]].name
                ))
            })?;
            least_m = gentle_minimum(least_m, above_m, SOFTNESS * self.reaches_m[index]);
        }
        Ok(least_m)
    }

    /// How long the shortest motion in place lasts.
    pub(super) fn shortest_act_s(&self) -> Option<f64> {
        let Kind::InPlace(standing) = &self.kind else { return None };
        let lengths_s = standing.acts.iter().map(|act| act.to_s - act.from_s);
        lengths_s.min_by(f64::total_cmp)
    }

    /// When feet strike and leave the ground while walking, up to a time.
    pub(super) fn events(&self, last_s: f64, subject: &str) -> Vec<Event> {
        let Kind::Walking { walk, .. } = &self.kind else { return Vec::new() };
        let contacts = walk.contacts(last_s).into_iter();
        let event = |(time_s, leg, label): (f64, usize, &str)| Event {
            label: label.to_owned(),
            context: self.performer.legs[leg].side.clone(),
            subject: subject.to_owned(),
            time_s,
        };
        contacts.map(event).collect()
    }

    /// Sets the angles of a leg: between what puts its foot down and what it does when lifted.
    fn set_leg(
        &self,
        leg: usize,
        world_from_foot: &Isometry3<f64>,
        lifted: f64,
        angles_rad: &mut [f64],
    ) -> Result<()> {
        let leg = &self.performer.legs[leg];
        let parent = self.performer.segments[leg.segments[0]].parent.unwrap_or(0);
        let grounded = leg::solve(self.performer, leg, &self.poses[parent], world_from_foot)?;
        for (segment, grounded) in leg.segments.iter().zip(grounded) {
            let first = self.first_angles[*segment];
            let count = self.performer.segments[*segment].joint.axes.len();
            for (angle, grounded) in angles_rad[first..first + count].iter_mut().zip(grounded) {
                *angle = grounded + lifted * (*angle - grounded);
            }
        }
        Ok(())
    }
}

/// The smaller of two, or somewhat less where they come near each other, without a kink.
fn gentle_minimum(a: f64, b: f64, softness: f64) -> f64 {
    let least = a.min(b);
    if softness > 0.0 {
        least - softness * (-(a - b).abs() / softness).exp().ln_1p()
    } else {
        least
    }
}
