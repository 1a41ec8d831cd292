//! Reading BVH.

use super::cursor::Cursor;
use super::{hierarchy, rows, unit};
use crate::error::Result;
use crate::format::{ReadOptions, frame_rate, joint_centres, text};
use crate::motion::Motion;
use crate::skeleton::Skeleton;
use crate::trial::{Axis, Format, LengthUnit, Note, Trial};

/// Reads a BVH file.
///
/// # Errors
/// The hierarchy is broken, or a channel value is not a number.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let text = text::decode(bytes);
    let mut notes = Vec::new();
    let unit = match options.unit {
        Some(unit) => unit,
        None => guessed_unit(&text, &mut notes)?,
    };
    let mut cursor = Cursor::new(&text);
    let skeleton = Skeleton::new(hierarchy::read(&mut cursor, unit, &mut notes)?)?;
    let rows = rows::read(&mut cursor, &skeleton, unit, &mut notes)?;

    let mut trial = Trial::new(Format::Bvh, 0.0);
    trial.notes = notes;
    trial.rate_hz = rate_hz(rows.frame_time.as_deref(), options, &mut trial);
    trial.frames = rows.frames;
    trial.source.unit = unit;
    trial.source.up = Some(options.up.unwrap_or(Axis::Y));
    trial.motion = Some(Motion::new(skeleton, rows.frames, rows.values)?);
    joint_centres::fill(&mut trial, bytes.len());
    Ok(trial)
}

/// Reads the hierarchy once in file units to see how large the skeleton is.
///
/// It is read again in the unit found, so that every offset is parsed exactly once in its unit.
fn guessed_unit(text: &str, notes: &mut Vec<Note>) -> Result<LengthUnit> {
    let joints = hierarchy::read(&mut Cursor::new(text), LengthUnit::Metre, &mut Vec::new())?;
    let (unit, size) = unit::guess(&Skeleton::new(joints)?);
    let text = format!(
        "bvh states no unit of length: {unit} assumed, as the skeleton at rest measures {size:.4} \
         (that is {:.4} m); name the unit if that is wrong",
        size * unit.metres()
    );
    notes.push(Note::new("units", text));
    Ok(unit)
}

fn rate_hz(frame_time: Option<&str>, options: &ReadOptions, trial: &mut Trial) -> f64 {
    if let Some(rate_hz) = options.rate_hz {
        return rate_hz;
    }
    let rate_hz = frame_time.and_then(frame_rate::from_period);
    if rate_hz.is_none() {
        let got = super::cursor::quoted(frame_time);
        let text = format!("Frame Time: need a positive number, got {got}: the rate is unknown");
        trial.note("rate-unknown", text);
    }
    rate_hz.unwrap_or(0.0)
}
