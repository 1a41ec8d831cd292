//! What a performer does: the angles and the root at any time.

use std::f64::consts::TAU;

use nalgebra::Isometry3;
use rand::{Rng, RngExt};

use super::gait::Walk;
use super::leg::{self, height_above, reach_m};
use super::performer::{Gait, Performer};
use super::standing::{Act, Standing, Unrest};
use super::wave::{Wave, ramp};
use crate::error::{ErrorKind, Result};
use crate::trial::Event;

/// What is performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
}

impl Routine {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rom, Self::Walk, Self::Exercise, Self::ChickenWalk];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rom => "rom",
            Self::Walk => "walk",
            Self::Exercise => "exercise",
            Self::ChickenWalk => "chicken-walk",
        }
    }
}

/// How long a joint takes to begin and to end a motion.
const RAMP_S: f64 = 1.0;
/// How straight a leg may get, as a share of its length.
const STRAIGHTEST: f64 = 0.998;
/// How gently the height of the root gives way to the reach of the legs, as a share of it.
const SOFTNESS: f64 = 0.004;
/// How often joints go through their range.
const EXERCISE_HZ: f64 = 0.55;
/// How long a leg's turn lasts, about.
const TURN_S: f64 = 7.0;
/// How far a knee that nothing else moves is bent in a lifted leg, as a share of its range.
const LIFTED_KNEE: f64 = 0.3;

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
    Walking { walk: Walk<'a>, gait: &'a Gait, waves: Vec<(usize, Wave)> },
}

impl<'a> Performance<'a> {
    /// # Errors
    /// The performer cannot perform the routine.
    pub(super) fn new(
        performer: &'a Performer,
        routine: Routine,
        seconds: f64,
        rng: &mut impl Rng,
    ) -> Result<Self> {
        let kind = match routine {
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
        angles_rad.copy_from_slice(&self.rest);
        let root = match &self.kind {
            Kind::InPlace(standing) => {
                for act in &standing.acts {
                    let share = act.share(time_s);
                    for (index, wave) in &act.waves {
                        angles_rad[*index] += share * (wave.at(time_s) - self.rest[*index]);
                    }
                }
                let mut root = standing.world_from_root(time_s);
                if !self.performer.legs.is_empty() {
                    let feet = |leg| standing.world_from_foothold(leg);
                    let height_m = self.height_m(root, angles_rad, f64::INFINITY, feet)?;
                    root.translation.z = height_m - standing.crouch_m(time_s);
                }
                root
            }
            Kind::Walking { walk, gait, waves } => {
                let cycle = walk.cycle(time_s);
                for swing in &gait.swings {
                    let turn = TAU * swing.harmonic * (cycle - swing.phase);
                    angles_rad[self.first_angles[swing.segment] + swing.axis] =
                        swing.mean_rad + swing.amplitude_rad * turn.cos();
                }
                let share = ramp(time_s, 0.0, RAMP_S);
                for (index, wave) in waves {
                    angles_rad[*index] += share * (wave.at(time_s) - self.rest[*index]);
                }
                let mut root = walk.world_from_root(time_s);
                let feet = |leg| walk.world_from_foot(leg, time_s);
                root.translation.z = self.height_m(root, angles_rad, root.translation.z, feet)?;
                root
            }
        };
        self.performer.place(root, angles_rad, &mut self.poses);
        for leg in 0..self.performer.legs.len() {
            let (foot, lifted) = match &self.kind {
                Kind::InPlace(standing) => {
                    (standing.world_from_foot(leg, time_s), standing.swings_free(leg, time_s))
                }
                Kind::Walking { walk, .. } => (walk.world_from_foot(leg, time_s), 0.0),
            };
            self.set_leg(leg, &foot, lifted, angles_rad)?;
        }
        Ok(root)
    }

    /// How high the root is: as high as wanted, as far as all feet can be reached from there.
    fn height_m(
        &self,
        root: Isometry3<f64>,
        angles_rad: &[f64],
        wanted_m: f64,
        world_from_foot: impl Fn(usize) -> Isometry3<f64>,
    ) -> Result<f64> {
        let mut poses = Vec::with_capacity(self.performer.segments.len());
        self.performer.place(root, angles_rad, &mut poses);
        let mut least_m = wanted_m - root.translation.z;
        for (index, leg) in self.performer.legs.iter().enumerate() {
            let hip = poses[leg.segments[0]].translation.vector;
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
        Ok(root.translation.z + least_m)
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

/// Waves through the range of the joints of some segments that never repeat together.
fn incommensurate(
    performer: &Performer,
    segments: &[usize],
    rng: &mut impl Rng,
) -> Vec<(usize, Wave)> {
    let first = performer.first_angles();
    let mut waves = Vec::new();
    for segment in segments {
        for (axis, range) in performer.segments[*segment].joint.axes.iter().enumerate() {
            let index = first[*segment] + axis;
            // Multiples of the golden ratio spread evenly over the band.
            let spread = (index as f64 * 0.618_033_988_75).fract();
            let wave = Wave::through(range, 0.24 + 0.2 * spread, rng.random());
            waves.push((index, wave));
        }
    }
    waves
}

fn rom(performer: &Performer, seconds: f64, rng: &mut impl Rng) -> Vec<Act> {
    let in_legs: Vec<usize> = performer.legs.iter().flat_map(|leg| leg.segments).collect();
    let others: Vec<usize> =
        (1..performer.segments.len()).filter(|segment| !in_legs.contains(segment)).collect();
    let act = |from_s: f64, to_s: f64, waves, lifted| Act {
        from_s,
        to_s,
        ramp_s: RAMP_S.min((to_s - from_s) / 4.0),
        waves,
        lifted,
        high_step_m: 0.0,
    };
    let mut acts = vec![act(0.0, seconds, incommensurate(performer, &others, rng), Vec::new())];
    let legs = performer.legs.len();
    if legs > 0 {
        let rounds = (seconds / (TURN_S * legs as f64)).round().max(1.0);
        let turns = rounds as usize * legs;
        let turn_s = seconds / turns as f64;
        for turn in 0..turns {
            let leg = turn % legs;
            let waves = incommensurate(performer, &performer.legs[leg].segments, rng);
            let from_s = turn as f64 * turn_s;
            acts.push(act(from_s, from_s + turn_s, waves, vec![leg]));
        }
    }
    acts
}

fn exercises(performer: &Performer, seconds: f64) -> Vec<Act> {
    let first = performer.first_angles();
    let script: Vec<(Vec<usize>, f64)> = match performer.exercises.as_slice() {
        [] => (1..performer.segments.len()).map(|segment| (vec![segment], 0.0)).collect(),
        script => script.iter().map(|step| (step.driven.clone(), step.high_step_m)).collect(),
    };
    let turn_s = seconds / script.len().max(1) as f64;
    let act = |(turn, (driven, high_step_m)): (usize, (Vec<usize>, f64))| {
        let from_s = turn as f64 * turn_s;
        // The first two axes make a circle, the third goes along at half the pace.
        let roll = [(1.0, 0.25), (1.0, 0.0), (0.5, 0.1)];
        let mut waves = Vec::new();
        for segment in &driven {
            let axes = performer.segments[*segment].joint.axes.iter().zip(roll).enumerate();
            waves.extend(axes.map(|(axis, (range, (pace, phase)))| {
                // Phases count from the act's beginning.
                let frequency_hz = pace * EXERCISE_HZ;
                let phase = phase - frequency_hz * from_s;
                (first[*segment] + axis, Wave::through(range, frequency_hz, phase))
            }));
        }
        let is_lifted = |leg: &usize| {
            performer.legs[*leg].segments.iter().any(|segment| driven.contains(segment))
        };
        let lifted: Vec<usize> = (0..performer.legs.len()).filter(is_lifted).collect();
        for leg in &lifted {
            let shank = performer.legs[*leg].segments[1];
            if !driven.contains(&shank) {
                let [least, most] = performer.segments[shank].joint.axes[0].rom_rad;
                waves.push((first[shank], Wave::constant(least + LIFTED_KNEE * (most - least))));
            }
        }
        Act {
            from_s,
            to_s: from_s + turn_s,
            ramp_s: RAMP_S.min(turn_s / 4.0),
            waves,
            lifted,
            high_step_m,
        }
    };
    script.into_iter().enumerate().map(act).collect()
}
