//! AMC, the motion half of Acclaim's pair: per frame one line of numbers for every bone.
//!
//! An AMC file moves the skeleton of an ASF file, see [`super::asf`] for what the numbers
//! mean. It states no rate: 120 Hz is assumed, as in the CMU and HDM05 libraries, and noted.

mod find;
mod frames;

pub use find::find_skeleton;

use crate::error::Result;
use crate::format::asf::{self, Rig};
use crate::format::{ReadOptions, joint_centres, text};
use crate::motion::Motion;
use crate::trial::{Format, Trial};

/// The rate of the CMU and HDM05 libraries.
const USUAL_RATE_HZ: f64 = 120.0;

/// Reads an AMC motion with its ASF skeleton.
///
/// # Errors
/// The skeleton or the motion is broken, or the motion has no frames.
pub fn read(bytes: &[u8], skeleton: &[u8], options: &ReadOptions) -> Result<Trial> {
    let file_bytes = bytes.len().saturating_add(skeleton.len());
    let rig = Rig::read(&text::decode(skeleton), options)?;
    let frames = frames::read(&text::decode(bytes), &rig, file_bytes)?;
    let mut trial = Trial::new(Format::Amc, 0.0);
    asf::describe_source(&mut trial, &rig, options);
    trial.notes.extend(rig.notes);
    trial.notes.extend(frames.notes);
    trial.rate_hz = match options.rate_hz.or(frames.rate_hz) {
        Some(rate_hz) => rate_hz,
        None => {
            trial.note("rate-assumed", "amc states no rate: 120 Hz assumed");
            USUAL_RATE_HZ
        }
    };
    trial.first_frame = frames.first_frame;
    trial.frames = frames.count;
    trial.motion = Some(Motion::new(rig.skeleton, frames.count, frames.values)?);
    joint_centres::fill(&mut trial, file_bytes);
    Ok(trial)
}

#[cfg(test)]
mod tests;
