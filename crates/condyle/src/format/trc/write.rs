//! Writing TRC.

use std::fmt::Write as _;
use std::io::Write;

use nalgebra::Point3;

use crate::error::{Error, Result};
use crate::format::table::Labels;
use crate::format::{format_losses, text};
use crate::trial::{Body, Format, Marker, Note, Origin, Trial};

/// A point trajectory to write: a marker, or the origin of a body.
enum Column<'a> {
    Marker(&'a Marker),
    Body(&'a Body),
}

impl Column<'_> {
    fn label(&self) -> &str {
        match self {
            Self::Marker(marker) => &marker.label,
            Self::Body(body) => &body.name,
        }
    }

    fn position_m(&self, frame: usize) -> Option<Point3<f64>> {
        match self {
            Self::Marker(marker) => marker.position_m(frame),
            Self::Body(body) => body.position_m(frame),
        }
    }

    fn origin(&self, frame: usize) -> Origin {
        match self {
            Self::Marker(marker) => marker.origin(frame),
            Self::Body(body) => body.origin(frame),
        }
    }
}

/// Writes the markers of a trial as TRC, in the unit the trial came in; gaps are blank cells, and
/// every row ends in a tab.
///
/// A trial without markers but with bodies is written as the bodies' origins. Returns a note for
/// everything that TRC cannot hold.
///
/// # Errors
/// The trial has neither markers nor bodies with positions, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    let columns = columns(trial, &mut notes)?;
    let labels = labels(&columns, &mut notes);
    let unit = trial.source.unit;

    let mut line = String::from("PathFileType\t4\t(X/Y/Z)\ttrial.trc\n");
    line.push_str("DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t");
    line.push_str("OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n");
    let rate_hz = trial.rate_hz;
    // A string never fails to be written to.
    let _ = writeln!(
        line,
        "{rate_hz}\t{rate_hz}\t{frames}\t{markers}\t{unit}\t{rate_hz}\t{first}\t{frames}",
        frames = trial.frames,
        markers = columns.len(),
        first = trial.first_frame,
    );
    line.push_str("Frame#\tTime");
    for label in &labels {
        let _ = write!(line, "\t{label}\t\t");
    }
    line.push_str("\n\t");
    for number in 1..=columns.len() {
        let _ = write!(line, "\tX{number}\tY{number}\tZ{number}");
    }
    line.push_str("\n\n");
    out.write_all(line.as_bytes())?;

    let mut at_origin = 0;
    for frame in 0..trial.frames {
        line.clear();
        let _ = write!(line, "{}\t", trial.first_frame.saturating_add(frame as i64));
        if trial.rate_hz > 0.0 || frame == 0 {
            text::write_number(&mut line, trial.time_s(frame));
        }
        for column in &columns {
            let Some(position_m) = column.position_m(frame) else {
                line.push_str("\t\t\t");
                continue;
            };
            at_origin += usize::from(position_m == Point3::origin());
            for coordinate_m in position_m.iter() {
                line.push('\t');
                text::write_length(&mut line, *coordinate_m, unit);
            }
        }
        // OpenSim counts cells by the tabs after them: without this one a last empty cell is none.
        line.push_str("\t\n");
        out.write_all(line.as_bytes())?;
    }
    let text = "samples lie at exactly 0, 0, 0, which readers of TRC take for missing";
    notes.extend(Note::counted(at_origin, "zero-coordinates", text));
    Ok(notes)
}

fn columns<'a>(trial: &'a Trial, notes: &mut Vec<Note>) -> Result<Vec<Column<'a>>> {
    let mut columns: Vec<Column> = trial.markers.iter().map(Column::Marker).collect();
    let placed = trial.bodies.iter().filter(|body| body.has_positions);
    if columns.is_empty() {
        columns = placed.map(Column::Body).collect();
        if columns.is_empty() {
            return Err(Error::cannot_hold(
                "trc: need markers, or bodies with positions, got neither",
            ));
        }
        let count = columns.len();
        let text =
            format!("the origins of {count} bodies were written as markers, without rotations");
        notes.push(Note::new("bodies-as-markers", text));
    } else {
        notes.extend(lost(trial.bodies.len(), "bodies"));
    }
    notes.extend(lost(trial.channels.len(), "channels"));
    let origins =
        columns.iter().flat_map(|column| (0..trial.frames).map(|frame| column.origin(frame)));
    notes.extend(format_losses::origins(origins));
    // Lengths are written in the file's own unit, and so is whatever is no length.
    notes.extend(format_losses::quantities(&trial.is_position()));
    notes.extend(format_losses::notes(trial, Format::Trc));
    Ok(columns)
}

fn lost(count: usize, what: &str) -> Option<Note> {
    Note::counted(count, "not-written", &format!("{what} left out: TRC holds markers only"))
}

/// Labels that survive reading: no tabs or line ends, nothing blank around them, all different.
fn labels(columns: &[Column], notes: &mut Vec<Note>) -> Vec<String> {
    let mut unique = Labels::default();
    let mut cleaned = 0;
    let mut labels = Vec::with_capacity(columns.len());
    for (index, column) in columns.iter().enumerate() {
        let label: String =
            column.label().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut label = label.trim().to_owned();
        if label.is_empty() {
            label = format!("*{}", index + 1);
        }
        cleaned += usize::from(label != column.label());
        labels.push(unique.unique(&label));
    }
    let text = "labels with tabs, line ends, outer blanks or no text were changed";
    notes.extend(Note::counted(cleaned, "labels-changed", text));
    notes.extend(unique.note());
    labels
}
