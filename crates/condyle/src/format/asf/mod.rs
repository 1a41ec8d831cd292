//! ASF, the skeleton half of Acclaim's pair.
//!
//! # What the file means
//! - `:units length L`: one unit is `0.0254 / L` metres, as the CMU and HDM05 libraries use it.
//! - A bone has a direction and a length in the world's axes at rest, and axes `C` of its own in
//!   which it turns: its local rotation is `C * M * C⁻¹`, where `M` applies the `dof` rotations in
//!   the order listed (`rx ry rz` is `Rz * Ry * Rx`). `axis a b c XYZ` gives `C` alike.
//! - The joint of a bone sits where the bone starts, at its parent's end, and has the bone's name;
//!   a bone without children gets an end site `<bone>_End` where it ends.
//! - A bone's translation adds to its start, in its axes; the root's adds to `:root position`.
//! - Y is up by convention.

mod parse;
mod rig;

pub(in crate::format) use rig::Rig;

use crate::error::Result;
use crate::format::{ReadOptions, text};
use crate::motion::Motion;
use crate::trial::{Axis, Format, LengthUnit, Trial};

/// Reads an ASF skeleton on its own: a trial without frames whose motion has the rest skeleton.
///
/// # Errors
/// The skeleton is broken.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let rig = Rig::read(&text::decode(bytes), options)?;
    let mut trial = Trial::new(Format::Asf, options.rate_hz.unwrap_or(0.0));
    describe_source(&mut trial, &rig, options);
    trial.notes.extend(rig.notes);
    trial.motion = Some(Motion::new(rig.skeleton, 0, Vec::new())?);
    trial.note("skeleton-only", "a skeleton at rest: its motion is in an AMC file");
    Ok(trial)
}

/// Records what the skeleton says about units and axes.
///
/// No unit of length that people use is Acclaim's own, so what is written back is in centimetres,
/// the custom of animators, unless the caller named a unit.
pub(in crate::format) fn describe_source(trial: &mut Trial, rig: &Rig, options: &ReadOptions) {
    trial.source.unit = options.unit.unwrap_or(LengthUnit::Centimetre);
    trial.source.declared_unit = Some(rig.declared_unit.clone());
    trial.source.up = Some(options.up.unwrap_or(Axis::Y));
}
