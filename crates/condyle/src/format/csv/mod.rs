//! CSV: OptiTrack and Vicon exports, and Condyle's own plain layout.
//!
//! The delimiter may be a comma, a semicolon or a tab. The layout is recognised by content:
//!
//! | first cell | layout |
//! |---|---|
//! | `Format Version` | OptiTrack Motive |
//! | `comment`, `righthanded`, `lefthanded`, `info` | OptiTrack before Motive (ARENA, Tracking Tools) |
//! | `Trajectories`, `Model Outputs`, `Devices`, `Joints`, `Segments`, `Objects` alone | Vicon Nexus |
//! | `Frame number`, `First frame`, `Point frequency` | point table with a small header (Mokka) |
//! | counts and a name such as `…-empivot.txt` | point sets of the course 600.455 at Johns Hopkins |
//! | anything else | plain |
//!
//! # The plain layout
//!
//! One header line, one line a frame, metres in the recording's own axes, empty cells for missing:
//!
//! ```text
//! frame,time_s,RASI_x,RASI_y,RASI_z,tool_x,tool_y,tool_z,tool_qw,tool_qx,tool_qy,tool_qz,EMG [V]
//! 1,0,0.1,0.98,0.03,0.5,0.5,1.2,1,0,0,0,0.003
//! 2,0.01,,,,0.5,0.5,1.2,1,0,0,0,0.004
//! ```
//!
//! - A marker is `name_x, name_y, name_z`; a body adds `_qw, _qx, _qy, _qz` (scalar first) or a matrix
//!   row by row, `_r11, _r12, … _r33`, or angles in degrees about moving axes in the order that the names
//!   say, `_ezyx1, _ezyx2, _ezyx3`; a sensor without positions has the rotation alone. Numbered sensors,
//!   `w1,x1,y1,z1,…,loc1_x,loc1_y,loc1_z`, are known too, in centimetres.
//! - `name_origin` (`measured`, `filled`, `predicted`, `missing`) follows where some sample was
//!   filled or predicted.
//! - Any other column of numbers is a channel at the rate of the frames, its unit in brackets.
//! - `rate_hz` after `time_s` states the rate where the time stamps alone would not give it back
//!   exactly, as with a single frame.
//!
//! Names for the columns can be given instead of the header ([`ReadOptions::columns`]). When reading,
//! `.x`, ` X` and the like do for `_x`, `NAME.position.x` and the like for the parts of a body, `time` or
//! `t` for `time_s`, `time_ms` is brought to seconds, and the frame and time columns may be absent. A unit
//! in the header (`lhip_x_mm`, `lhip_x [mm]`) is honoured; without one, lengths are metres. Bare `x, y, z`
//! is a marker `point`. A table with no marker and no body in it gives channels and a note. The plain
//! layout says neither unit nor which way is up. A table without a column `time_s` whose metres would make
//! a body of impossible size, or sensors impossibly far apart, is read in the metric unit that fits, and up
//! is guessed, with a note. Repeated rows are left out, and missing ones put in as missing frames.

mod body_unit;
mod cells;
mod columns;
mod counted;
mod devices;
mod grouped;
mod header;
mod mokka;
mod motive;
mod numbered;
mod optitrack_legacy;
mod plain;
mod repeated;
mod rows_missing;
mod rows_repeated;
mod spelling;
mod time_column;
mod vicon;
mod write;

#[cfg(test)]
mod messy_tests;
#[cfg(test)]
mod motive_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vendor_tests;

pub use write::write;

use crate::error::{ErrorKind, Result};
use crate::format::cloud::MARKERS_NEEDED;
use crate::format::plausible::{self, UnitTrust};
use crate::format::{ReadOptions, text};
use crate::trial::Trial;

/// Reads a CSV file of any of the layouts above.
///
/// # Errors
/// The file is empty, has no row of numbers, or breaks the layout it announces.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    let text = text::decode(bytes);
    let first_line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let first_cell =
        first_line.split([',', ';', '\t']).next().unwrap_or("").trim().trim_matches('"');
    let read = if first_cell.eq_ignore_ascii_case("format version") {
        motive::read
    } else if optitrack_legacy::is_row_type(first_cell) {
        optitrack_legacy::read
    } else if vicon::is_title(first_line) {
        vicon::read
    } else if counted::is_first_line(first_line) {
        counted::read
    } else if mokka::is_key(first_cell) {
        mokka::read
    } else {
        plain::read
    };
    let mut trial = read(&text, bytes.len(), options)?;
    // What we write has this column and metres; other plain tables have metres by convention only.
    let is_ours = first_line.contains(",time_s,");
    let trust = if is_ours { UnitTrust::Certain } else { UnitTrust::Declared };
    let is_points = trial.source.variant == "counted points";
    if !is_points {
        plausible::check(&mut trial, options, trust);
    }
    // Enough markers have had their say.
    if trial.source.variant == "plain" && !is_ours && trial.markers.len() < MARKERS_NEEDED {
        body_unit::check(&mut trial, options);
    }
    trial.notes.extend(repeated::note(&trial.bodies));
    Ok(trial)
}
