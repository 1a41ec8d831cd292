//! The physics of a motion: centre of mass, momentum and energy, with no force plate.
//!
//! | file | holds |
//! |---|---|
//! | `state` | bodies that move: their centre of mass, momentum and energy in a frame |
//! | `doubt` | how far off a centre of mass may be, by its masses and by the joints |
//! | `flight` | gravity from the centre of mass in free flight |
//! | `plates` | the force that the motion needs, beside the force that plates measured |
//! | `table` | all of it as a table |
//!
//! Masses are those of a table for people ([`crate::opensim::PARTS`]); of others nobody knows them, and a figure
//! ([`crate::mannequin`]) takes them by density.

mod doubt;
mod flight;
mod plates;
mod state;
mod table;

use nalgebra::{Isometry3, Vector3};

use doubt::Doubt;
pub use flight::{Flight, Gravity};
pub use plates::PlateComparison;
pub use state::{Moving, State};

use crate::error::{Error, ErrorKind, Result};
use crate::job::SolvedPerformer;
use crate::mannequin::Mannequin;
use crate::opensim::Linkage;
use crate::solid::MassProperties;
use crate::trial::Trial;

/// What falls, falls with this, in metres a second squared (the standard gravity of the CGPM 1901).
pub const GRAVITY_M_S2: f64 = 9.806_65;

/// The physics of a performer in every frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Physics {
    /// What the performer weighs.
    pub mass_kg: f64,
    /// `None` where segments are not placed.
    pub states: Vec<Option<State>>,
    /// The share of the mass that is placed in every frame.
    pub placed: Vec<f64>,
    /// A name for every body, as far as they have names.
    names: Vec<String>,
    bodies: Vec<MassProperties>,
    /// For every frame where every body is.
    world_from_bodies: Vec<Vec<Option<Isometry3<f64>>>>,
    /// What is doubtful of every body; empty where masses are known.
    doubts: Vec<Doubt>,
    /// For every frame how high its lowest marker is, where all segments are placed.
    lowest_m: Vec<Option<f64>>,
    rate_hz: f64,
    up: Option<Vector3<f64>>,
}

impl Physics {
    /// The physics of a person; [`crate::opensim::USUAL_WEIGHT_KG`] if nobody says the weight.
    ///
    /// # Errors
    /// The performer is no person, or too few of its segments are recognised: nobody knows the masses.
    pub fn of_person(
        trial: &Trial,
        performer: &SolvedPerformer,
        weight_kg: Option<f64>,
    ) -> Result<Self> {
        let linkage = Linkage::new(trial, performer, weight_kg);
        if !linkage.has_masses_of_people {
            let text = "masses: need a person whose segments are recognised, got none".to_owned();
            return Err(Error::from(ErrorKind::Undetermined(text)));
        }
        let bodies: Vec<MassProperties> = linkage
            .masses
            .iter()
            .map(|body| MassProperties {
                volume_m3: 0.0,
                mass_kg: body.kg,
                centroid_m: body.centre_m,
                centre_of_mass_m: body.centre_m,
                inertia_kg_m2: body.inertia_kg_m2,
            })
            .collect();
        let up = trial.source.up.map(|axis| axis.direction());
        let pose =
            |frame: usize, segment: usize| performer.motion.world_from_segment(frame, segment);
        let mut own = Self::of_bodies(&bodies, trial.frames, trial.rate_hz, up, pose);
        own.doubts = doubt::of_person(&performer.subject);
        own.lowest_m = up.map_or_else(Vec::new, |up| lowest_m(performer, trial.frames, &up));
        own.names = names(performer);
        Ok(own)
    }

    /// The physics of anybody: of people with the masses of a table, of all others with those of their figure.
    ///
    /// # Errors
    /// Neither is there: too few segments of a person are recognised, or a subject has no figure.
    pub fn of_performer(
        trial: &Trial,
        performer: &SolvedPerformer,
        weight_kg: Option<f64>,
    ) -> Result<Self> {
        Self::of_person(trial, performer, weight_kg).or_else(|error| {
            let own = Mannequin::of_subject(&performer.subject, weight_kg)?;
            match own.has_masses_of_people {
                true => Err(error),
                false => Ok(Self::of_figure(trial, performer, &own)),
            }
        })
    }

    /// The physics of anybody whose figure has masses, such as a dog's by density.
    pub fn of_figure(trial: &Trial, performer: &SolvedPerformer, figure: &Mannequin) -> Self {
        let segments = figure.figure.segments().iter().zip(&figure.figure_from_segments);
        let bodies: Vec<MassProperties> =
            segments.map(|(segment, rest)| segment.mass.moved(&rest.inverse())).collect();
        let up = trial.source.up.map(|axis| axis.direction());
        let pose =
            |frame: usize, segment: usize| performer.motion.world_from_segment(frame, segment);
        let mut own = Self::of_bodies(&bodies, trial.frames, trial.rate_hz, up, pose);
        own.lowest_m = up.map_or_else(Vec::new, |up| lowest_m(performer, trial.frames, &up));
        own.names = names(performer);
        own
    }

    /// The physics of bodies whose poses are known, at a constant rate; without an axis that points up there is no
    /// potential energy.
    pub fn of_bodies(
        bodies: &[MassProperties],
        frames: usize,
        rate_hz: f64,
        up: Option<Vector3<f64>>,
        world_from_body: impl Fn(usize, usize) -> Option<Isometry3<f64>>,
    ) -> Self {
        let mass_kg: f64 = bodies.iter().map(|body| body.mass_kg).sum();
        let world_from_bodies: Vec<Vec<Option<Isometry3<f64>>>> = (0..frames)
            .map(|frame| (0..bodies.len()).map(|body| world_from_body(frame, body)).collect())
            .collect();
        let poses = |frame: usize| -> Option<Vec<Isometry3<f64>>> {
            world_from_bodies.get(frame)?.iter().copied().collect()
        };
        let share = |frame: usize| {
            let placed = world_from_bodies[frame].iter().zip(bodies);
            let placed = placed.filter(|(pose, _)| pose.is_some());
            placed.map(|(_, body)| body.mass_kg).sum::<f64>() / mass_kg
        };
        let state = |frame: usize| {
            let now = poses(frame)?;
            // At an end, or beside a frame without poses, there is no velocity.
            let around = frame.checked_sub(1).and_then(poses).zip(poses(frame + 1));
            let around = around.as_ref().map(|(before, after)| [&before[..], &after[..]]);
            Some(State::new(bodies, &now, around, rate_hz, up))
        };
        Self {
            mass_kg,
            states: (0..frames).map(state).collect(),
            placed: (0..frames).map(share).collect(),
            names: (1..=bodies.len()).map(|at| format!("body {at}")).collect(),
            bodies: bodies.to_vec(),
            doubts: Vec::new(),
            lowest_m: Vec::new(),
            rate_hz,
            up,
            world_from_bodies,
        }
    }

    /// How far off the centre of mass may be in a frame, a standard error an axis: in all, and by the table of masses
    /// alone. `None` where masses are not from a table, or segments are not placed.
    pub fn centre_of_mass_sd_m(&self, frame: usize) -> Option<[f64; 2]> {
        if self.doubts.is_empty() {
            return None;
        }
        let poses: Option<Vec<Isometry3<f64>>> =
            self.world_from_bodies.get(frame)?.iter().copied().collect();
        let own = doubt::of_centre(&self.bodies, &self.doubts, &poses?);
        Some([own.masses + own.joints, own.masses].map(|own| (own.sum() / 3.0).sqrt()))
    }

    /// The physics of one body in a frame; `None` where it is not placed.
    pub fn body_state(&self, frame: usize, body: usize) -> Option<State> {
        let own = std::slice::from_ref(self.bodies.get(body)?);
        let pose = |frame: usize| self.world_from_bodies.get(frame).and_then(|all| all[body]);
        let around = frame.checked_sub(1).and_then(pose).zip(pose(frame + 1));
        let around = around.map(|(before, after)| [[before], [after]]);
        let around = around.as_ref().map(|[before, after]| [&before[..], &after[..]]);
        Some(State::new(own, &[pose(frame)?], around, self.rate_hz, self.up))
    }
}

fn names(performer: &SolvedPerformer) -> Vec<String> {
    performer.subject.segments().iter().map(|segment| segment.name.clone()).collect()
}

/// How high the lowest marker of a performer is, as its skeleton has them, where all segments are placed.
fn lowest_m(performer: &SolvedPerformer, frames: usize, up: &Vector3<f64>) -> Vec<Option<f64>> {
    let lowest = |frame: usize| {
        let mut lowest_m = f64::INFINITY;
        for (at, segment) in performer.subject.segments().iter().enumerate() {
            let pose = performer.motion.world_from_segment(frame, at)?;
            for marker in &segment.markers {
                let at_m = pose * marker.position_in_segment_m;
                lowest_m = lowest_m.min(at_m.coords.dot(up));
            }
        }
        lowest_m.is_finite().then_some(lowest_m)
    };
    (0..frames).map(lowest).collect()
}

#[cfg(test)]
mod tests;
