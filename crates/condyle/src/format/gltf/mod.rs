//! glTF 2.0 in one binary file (`.glb`): an animated skeleton that any viewer shows. Written, not read.
//!
//! # What the file holds
//! - One node a joint, y up, metres; at rest a joint's axes are parallel to the world's. A root that moves freely
//!   stands on the ground at rest.
//! - A mesh of octahedra, one a bone, skinned to the joints: without one most programs show nothing.
//! - One animation with a key a frame: the rotation of every joint that turns, the translation of every joint
//!   that moves. Between keys programs interpolate on the shortest way.
//! - Numbers are 32-bit: 0.001 mm within 10 m.
//!
//! # Reference
//! The Khronos Group 2021, *glTF 2.0 specification*.

mod binary;
mod bones;
mod document;
mod schema;
mod skin;
mod solids;

use std::io::Write;

pub use skin::{SkinnedSurface, write_skin};
pub use solids::{FigureFrames, write_figure};

use crate::error::Result;
use crate::format::format_losses;
use crate::trial::{Axis, Format, Note, Trial, edit};

/// Frames a second where the recording does not say.
const DEFAULT_RATE_HZ: f64 = 30.0;

/// Writes the trial's motion as a binary glTF file; returns notes on what could not be held.
///
/// # Errors
/// The trial has no skeleton, it would be longer than the 4 GiB that the format can count, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    let turned;
    let trial = match trial.source.up {
        Some(Axis::Y) => trial,
        Some(up) => {
            let text = format!("gltf has y up: the skeleton was turned to bring {up} there");
            notes.push(Note::new("turned", text));
            turned = edit::with_up(trial.clone(), Axis::Y)?;
            &turned
        }
        None => {
            notes.push(Note::new("up", "gltf has y up: it is taken to be so"));
            trial
        }
    };
    notes.extend(format_losses::notes(trial, Format::Gltf));
    let Some(motion) = &trial.motion else {
        return Err(format_losses::no_skeleton(trial, Format::Gltf));
    };
    let mut rate_hz = trial.rate_hz;
    if rate_hz <= 0.0 {
        rate_hz = DEFAULT_RATE_HZ;
        let text = format!("the rate is unknown: the animation has {rate_hz} frames a second");
        notes.push(Note::new("rate-unknown", text));
    }
    let (root, bytes) = document::of(motion, rate_hz, &trial.notes)?;
    binary::write(&root, &bytes, out)?;
    Ok(notes)
}

#[cfg(test)]
mod tests;
