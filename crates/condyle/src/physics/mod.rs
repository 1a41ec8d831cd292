//! The physics of a motion: centre of mass, momentum and energy, with no force plate.
//!
//! | file | holds |
//! |---|---|
//! | `state` | bodies that move: their centre of mass, momentum and energy in a frame |
//! | `flight` | gravity from the centre of mass in free flight |
//! | `table` | all of it as a table |
//!
//! Masses are those of a table for people ([`crate::opensim::PARTS`]); of others nobody knows them, and a figure
//! ([`crate::mannequin`]) takes them by density.

mod flight;
mod state;
mod table;

use nalgebra::{Isometry3, Vector3};

pub use flight::Flight;
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
        Ok(Self::of_bodies(&bodies, trial.frames, trial.rate_hz, up, pose))
    }

    /// The physics of anybody whose figure has masses, such as a dog's by density.
    pub fn of_figure(trial: &Trial, performer: &SolvedPerformer, figure: &Mannequin) -> Self {
        let segments = figure.figure.segments().iter().zip(&figure.figure_from_segments);
        let bodies: Vec<MassProperties> =
            segments.map(|(segment, rest)| segment.mass.moved(&rest.inverse())).collect();
        let up = trial.source.up.map(|axis| axis.direction());
        let pose =
            |frame: usize, segment: usize| performer.motion.world_from_segment(frame, segment);
        Self::of_bodies(&bodies, trial.frames, trial.rate_hz, up, pose)
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
        let poses = |frame: usize| -> Option<Vec<Isometry3<f64>>> {
            (0..bodies.len()).map(|body| world_from_body(frame, body)).collect()
        };
        let share = |frame: usize| {
            let placed = (0..bodies.len()).filter(|body| world_from_body(frame, *body).is_some());
            placed.map(|body| bodies[body].mass_kg).sum::<f64>() / mass_kg
        };
        let state = |frame: usize| {
            let now = poses(frame)?;
            // At an end, or beside a frame without poses, there is no velocity.
            let around = frame.checked_sub(1).and_then(poses).zip(poses(frame + 1));
            let around = around.filter(|_| frame + 1 < frames);
            let around = around.as_ref().map(|(before, after)| [&before[..], &after[..]]);
            Some(State::new(bodies, &now, around, rate_hz, up))
        };
        Self {
            mass_kg,
            states: (0..frames).map(state).collect(),
            placed: (0..frames).map(share).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
