//! Writing the plain layout.

use std::fmt::Write as _;
use std::io::Write;

use crate::error::{Error, Result};
use crate::format::table::Labels;
use crate::format::{format_losses, text, timing};
use crate::trial::{Body, Channel, Format, LengthUnit, Marker, Note, Origin, Trial};

use super::cells::push_name;
use super::header::{RATE_NAME, channel_cell};

/// Writes a trial in the plain layout: metres, the recording's own axes, all digits.
///
/// Points that are angles, forces, moments or powers are written in the file's own unit.
/// Channels are written where they run at the rate of the frames. Returns a note for everything
/// that is left out.
///
/// # Errors
/// The trial has no marker, no body and no such channel, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    let channels: Vec<&Channel> =
        trial.channels.iter().filter(|c| at_frame_rate(trial, c)).collect();
    // Channels alone are told from text by their numbers, so a table of them needs a row.
    let held = !channels.is_empty() && trial.frames > 0;
    if trial.markers.is_empty() && trial.bodies.is_empty() && !held {
        return Err(Error::cannot_hold(
            "csv: need markers, bodies or channels at the rate of the frames, got none",
        ));
    }
    let left_out = trial.channels.len() - channels.len();
    let text = "channels left out: they do not run at the rate of the frames";
    notes.extend(Note::counted(left_out, "not-written", text));
    notes.extend(format_losses::notes(trial, Format::Csv));
    let is_position = trial.is_position();
    notes.extend(format_losses::quantities(&is_position));
    let states_rate = !stamps_tell_rate(trial);
    let mut line = header(trial, &channels, states_rate, &mut notes);
    out.write_all(line.as_bytes())?;

    // A point that is no place is not in metres: the number that the file stores is written.
    let unit = |is_position| if is_position { LengthUnit::Metre } else { trial.source.unit };
    let markers: Vec<(&Marker, LengthUnit, bool)> = trial
        .markers
        .iter()
        .zip(is_position)
        .map(|(marker, is_position)| (marker, unit(is_position), has_made_up(marker.origins())))
        .collect();
    let bodies: Vec<(&Body, bool)> = trial
        .bodies
        .iter()
        .map(|body| (body, has_made_up((0..body.frames()).map(|frame| body.origin(frame)))))
        .collect();
    for frame in 0..trial.frames {
        line.clear();
        // A string never fails to be written to.
        let _ = write!(line, "{},", trial.first_frame.saturating_add(frame as i64));
        if trial.rate_hz > 0.0 || frame == 0 {
            text::write_number(&mut line, trial.time_s(frame));
        }
        if states_rate {
            push_number(&mut line, Some(trial.rate_hz));
        }
        for (marker, unit, with_origin) in &markers {
            let position_m = marker.position_m(frame);
            for axis in 0..3 {
                line.push(',');
                if let Some(position_m) = position_m {
                    text::write_length(&mut line, position_m[axis], *unit);
                }
            }
            push_origin(&mut line, *with_origin, marker.origin(frame));
        }
        for (body, with_origin) in &bodies {
            let pose = body.world_from_body(frame);
            if body.has_positions {
                let position_m = pose.map(|pose| pose.translation.vector);
                (0..3).for_each(|axis| push_number(&mut line, position_m.map(|p| p[axis])));
            }
            let q = pose.map(|pose| pose.rotation.quaternion());
            let wxyz = q.map(|q| [q.w, q.i, q.j, q.k]);
            (0..4).for_each(|part| push_number(&mut line, wxyz.map(|q| q[part])));
            push_origin(&mut line, *with_origin, body.origin(frame));
        }
        for channel in &channels {
            push_number(&mut line, channel.value(frame).filter(|value| value.is_finite()));
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(notes)
}

fn at_frame_rate(trial: &Trial, channel: &Channel) -> bool {
    channel.rate_hz == trial.rate_hz && channel.raw.len() == trial.frames
}

/// Whether a reader gets the rate back from the time stamps.
fn stamps_tell_rate(trial: &Trial) -> bool {
    let stamps_s = (0..trial.frames).map(|frame| Some(trial.time_s(frame)));
    timing::timing(stamps_s).rate_hz.unwrap_or(0.0) == trial.rate_hz
}

fn has_made_up(mut origins: impl Iterator<Item = Origin>) -> bool {
    origins.any(|origin| matches!(origin, Origin::Filled | Origin::Predicted))
}

fn push_number(line: &mut String, number: Option<f64>) {
    line.push(',');
    if let Some(number) = number {
        text::write_number(line, number);
    }
}

fn push_origin(line: &mut String, wanted: bool, origin: Origin) {
    if wanted {
        line.push(',');
        line.push_str(origin.name());
    }
}

fn header(
    trial: &Trial,
    channels: &[&Channel],
    states_rate: bool,
    notes: &mut Vec<Note>,
) -> String {
    let mut line = String::from("frame,time_s");
    if states_rate {
        let _ = write!(line, ",{RATE_NAME}");
    }
    let mut cleaned = 0;
    let mut push = |name: &str, components: &[&str]| {
        for component in components {
            line.push(',');
            push_name(&mut line, &format!("{name}_{component}"));
        }
    };
    let mut names = Labels::default();
    for marker in &trial.markers {
        let label = names.unique(&clean(&marker.label, &mut cleaned));
        push(&label, &["x", "y", "z"]);
        if has_made_up(marker.origins()) {
            push(&label, &["origin"]);
        }
    }
    let mut body_names = Labels::default();
    for body in &trial.bodies {
        let name = clean(&body.name, &mut cleaned);
        // Beside a marker of the same name, columns without a position would read as its rotation.
        let name = if body.has_positions {
            body_names.unique(&name)
        } else {
            let free = names.unique(&name);
            body_names.unique(&free)
        };
        if body.has_positions {
            push(&name, &["x", "y", "z"]);
        }
        push(&name, &["qw", "qx", "qy", "qz"]);
        if has_made_up((0..body.frames()).map(|frame| body.origin(frame))) {
            push(&name, &["origin"]);
        }
    }
    let mut channel_names = Labels::default();
    for channel in channels {
        let label = channel_names.unique(&clean(&channel.label, &mut cleaned));
        let unit = clean(&channel.unit, &mut cleaned);
        let cell = channel_cell(&label, &unit).unwrap_or_else(|| {
            cleaned += 1;
            format!("{label} value")
        });
        line.push(',');
        push_name(&mut line, &cell);
    }
    line.push('\n');
    let text = "labels or units that a header cannot hold were changed";
    notes.extend(Note::counted(cleaned, "labels-changed", text));
    notes.extend([names, body_names, channel_names].iter().filter_map(Labels::note));
    line
}

fn clean(label: &str, cleaned: &mut usize) -> String {
    let clean: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    *cleaned += usize::from(clean != label);
    clean
}
