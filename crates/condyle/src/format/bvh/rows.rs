//! The `MOTION` half of a BVH file.

use super::cursor::{Cursor, quoted};
use crate::error::{Error, Result};
use crate::format::text;
use crate::skeleton::{JointChannel, Skeleton};
use crate::trial::{LengthUnit, Note};

/// What stands after the word `MOTION`.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The frame time in the file's own digits.
    pub(super) frame_time: Option<String>,
    /// How many whole frames there are.
    pub(super) frames: usize,
    /// Channel values in metres and radians.
    pub(super) values: Vec<f64>,
}

/// Reads the two header lines and all channel values.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    skeleton: &Skeleton,
    unit: LengthUnit,
    notes: &mut Vec<Note>,
) -> Result<Rows> {
    let mut declared = None;
    let mut rows = Rows::default();
    loop {
        if cursor.eat("Frames") {
            cursor.eat(":");
            declared = cursor.token();
        } else if cursor.eat("Frame") && cursor.eat("Time") {
            cursor.eat(":");
            rows.frame_time = cursor.token().map(str::to_owned);
        } else {
            break;
        }
    }
    let channels: Vec<JointChannel> =
        skeleton.joints().iter().flat_map(|joint| joint.channels.iter().copied()).collect();
    rows.values = values(cursor, &channels, unit, notes)?;
    if let Some(frames) = rows.values.len().checked_div(channels.len()) {
        rows.frames = frames;
        let odd = rows.values.len() % channels.len();
        if odd != 0 {
            let need = channels.len();
            let text = format!("the last row has {odd} of {need} numbers and is left out");
            notes.push(Note::new("truncated", text));
            rows.values.truncate(frames * channels.len());
        }
    }
    rows.values.shrink_to_fit();
    let declared_frames = declared.and_then(text::number);
    if declared_frames != Some(rows.frames as f64) {
        let declared = quoted(declared);
        let text = format!("Frames: says {declared}, there are {} whole rows", rows.frames);
        notes.push(Note::new("wrong-count", text));
    }
    Ok(rows)
}

/// Reads numbers to the end of the file, wherever the lines break.
fn values(
    cursor: &Cursor<'_>,
    channels: &[JointChannel],
    unit: LengthUnit,
    notes: &mut Vec<Note>,
) -> Result<Vec<f64>> {
    let mut values = Vec::new();
    let mut odd_lines = 0_usize;
    let mut not_a_number: Option<(usize, &str)> = None;
    let first_line = cursor.line();
    let mut next_channel = channels.iter().cycle();
    for (line, row) in cursor.rest().trim_start().lines().enumerate() {
        let before = values.len();
        for token in row.split_whitespace() {
            if let Some((line, token)) = not_a_number {
                let got = quoted(Some(token));
                return Err(Error::at_line(
                    line,
                    format!("channel value: need a number, got {got}"),
                ));
            }
            let Some(channel) = next_channel.next() else {
                notes.push(Note::new(
                    "no-channels",
                    "the joints have no channels: rows are ignored",
                ));
                return Ok(values);
            };
            let value = match channel {
                JointChannel::Translation(_) => text::length_m(token, unit),
                JointChannel::Rotation(_) => text::number(token).map(f64::to_radians),
            };
            match value {
                Some(value) => values.push(value),
                // A file cut inside its last number; anything after it makes it an error.
                None => not_a_number = Some((first_line + line, token)),
            }
        }
        let count = values.len() - before;
        odd_lines += usize::from(count != 0 && count != channels.len());
    }
    if odd_lines > 0 {
        let text = format!(
            "{odd_lines} lines do not hold the {} numbers of a frame: numbers are taken in reading order",
            channels.len()
        );
        notes.push(Note::new("row-length", text));
    }
    Ok(values)
}
