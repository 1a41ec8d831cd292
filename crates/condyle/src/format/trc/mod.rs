//! TRC: the tab-separated marker table of Motion Analysis, OpenSim and many others.
//!
//! ```text
//! PathFileType  4  (X/Y/Z)  walk.trc
//! DataRate  CameraRate  NumFrames  NumMarkers  Units  OrigDataRate  OrigDataStartFrame  OrigNumFrames
//! 100       100         2          1           mm     100           1                   2
//! Frame#    Time        RASI
//!                       X1         Y1          Z1
//!
//! 1         0           12.5       980.1       33
//! 2         0.01
//! ```
//!
//! The reader takes what producers really write: spaces for tabs in the header, labels one, two or
//! three cells apart or absent, blank cells and `NaN` for gaps, ragged rows, wrong counts, a missing
//! sub-header or blank line. Where the header and the data disagree the data win. A sample at exactly
//! `0, 0, 0` counts as missing, since several vendors write gaps so. What was repaired becomes a note.
//!
//! The rate is `DataRate`, unless the time column is even and says otherwise by more than 1 %: each
//! row carries its own stamp, while `DataRate` is one number that tools copy along when they thin a
//! recording out. The file never says which way is up: a guess from the data is noted as one.

mod header;
mod rows;
mod write;

#[cfg(test)]
mod tests;

pub use write::write;

use crate::error::{ErrorKind, Result};
use crate::format::plausible::{self, UnitTrust};
use crate::format::{ReadOptions, table, text, timing};
use crate::trial::{Format, LengthUnit, Note, Trial};

use header::Header;

/// Reads a TRC file.
///
/// # Errors
/// The file is empty, or ends before the line with the labels; the message says which line was needed.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    let text = text::decode(bytes);
    let mut lines = (1..).zip(text.lines());
    let header = header::read(&mut lines)?;
    let mut trial = Trial::new(Format::Trc, 0.0);
    trial.notes.extend(header.notes());
    trial.source.declared_unit.clone_from(&header.unit);
    let usual = (LengthUnit::Millimetre, "millimetres");
    let declared = header.unit.as_deref().unwrap_or("");
    trial.source.unit = table::length_unit(declared, options, usual, &mut trial.notes);
    trial.source.up = options.up;

    let rows = rows::read(lines, &header, trial.source.unit, bytes.len())?;
    note_counts(&header, rows.markers.len(), rows.stamps_s.len(), &mut trial.notes);
    let timing = timing::timing(rows.stamps_s.iter().copied());
    trial.rate_hz = timing::choose_rate(options.rate_hz, header.rate_hz, &timing, &mut trial.notes);
    trial.start_s = timing.start_s(trial.rate_hz);
    trial.notes.extend(timing.notes);
    trial.notes.extend(rows.notes);
    trial.first_frame = rows.first_frame.unwrap_or(1);
    trial.frames = rows.stamps_s.len();
    trial.subjects = table::subjects(&rows.markers);
    trial.markers = rows.markers;
    let known = header.unit.as_deref().is_some_and(|unit| unit.parse::<LengthUnit>().is_ok());
    let trust = if known { UnitTrust::Declared } else { UnitTrust::Assumed };
    plausible::check(&mut trial, options, trust);
    Ok(trial)
}

fn note_counts(header: &Header, markers: usize, frames: usize, notes: &mut Vec<Note>) {
    for (declared, found, what) in
        [(header.markers, markers, "markers"), (header.frames, frames, "frames")]
    {
        if let Some(declared) = declared.filter(|&declared| declared != found as f64) {
            let text = format!("the header promises {declared} {what}, the data have {found}");
            notes.push(Note::new("wrong-count", text));
        }
    }
    if frames == 0 {
        notes.push(Note::new("no-frames", "there is no row of data after the header"));
    }
}
