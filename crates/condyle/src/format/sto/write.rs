//! Writing OpenSim tables.

use std::io::Write;

use super::header::CellType;
use super::{RADIANS_PER_DEGREE, TIME};
use crate::error::{Error, Result, check_finite};
use crate::format::table::Labels;
use crate::format::{format_losses, text};
use crate::trial::{Body, Channel, Format, LengthUnit, Marker, Note, Trial};

/// Writes the trial's channels as a table; failing channels its markers, failing those its bodies.
///
/// A table has one rate and one type of cell: what does not fit is named in the notes.
///
/// # Errors
/// The trial has neither channels, markers nor bodies, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    write_with(trial, &[], out)
}

/// The same with remarks in the header, each a line that starts with `#`.
///
/// # Errors
/// As [`write()`].
pub fn write_with(trial: &Trial, remarks: &[String], out: &mut impl Write) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    let table = choose(trial, &mut notes)?;
    let mut text = header(trial, &table, remarks);
    text.push_str(TIME);
    let mut renamed = false;
    let mut unique = Labels::default();
    for (index, label) in table.labels(trial).enumerate() {
        text.push('\t');
        let mut plain = label.trim().replace(char::is_control, "_");
        renamed |= plain != label || plain.is_empty();
        if plain.is_empty() {
            plain = format!("column_{}", index + 1);
        }
        text.push_str(&unique.unique(&plain));
    }
    notes.extend(unique.note());
    if renamed {
        notes.push(Note::new(
            "labels",
            "labels that are empty or hold tabs or control characters were changed",
        ));
    }
    text.push('\n');
    let times = trial.channels.iter().find(|channel| is_time(channel, table.rows));
    for row in 0..table.rows {
        let even_s = || match table.rate_hz > 0.0 {
            true => trial.start_s + row as f64 / table.rate_hz,
            false => trial.start_s,
        };
        let stamp_s = times.map(|times| times.raw[row]).filter(|stamp_s| stamp_s.is_finite());
        text::write_number(&mut text, stamp_s.unwrap_or_else(even_s));
        table.write_row(&mut text, trial, row);
        text.push('\n');
        out.write_all(text.as_bytes())?;
        text.clear();
    }
    out.write_all(text.as_bytes())?;
    Ok(notes)
}

/// What goes into the table.
struct Table<'a> {
    cell_type: CellType,
    channels: Vec<&'a Channel>,
    rows: usize,
    rate_hz: f64,
    /// Whether angles are written in degrees; `None` where no channel is an angle.
    in_degrees: Option<bool>,
}

fn is_time(channel: &Channel, rows: usize) -> bool {
    channel.label.eq_ignore_ascii_case(TIME) && channel.unit == "s" && channel.raw.len() == rows
}

fn is_angle(channel: &Channel) -> bool {
    channel.unit == "rad" || channel.unit == "rad/s"
}

fn choose<'a>(trial: &'a Trial, notes: &mut Vec<Note>) -> Result<Table<'a>> {
    let mut table = Table {
        cell_type: CellType::Scalar,
        channels: Vec::new(),
        rows: trial.frames,
        rate_hz: trial.rate_hz,
        in_degrees: None,
    };
    let signals = || {
        let is_signal = |c: &&Channel| !is_time(c, trial.frames);
        trial.channels.iter().filter(is_signal)
    };
    let mut lost = Vec::new();
    if let Some(first) = signals().next() {
        (table.rows, table.rate_hz) = (first.raw.len(), first.rate_hz);
        let end_s = trial.start_s + table.rows as f64 / table.rate_hz;
        check_finite(
            "sto",
            [table.rate_hz].into_iter().chain((table.rate_hz > 0.0).then_some(end_s)),
        )?;
        let fits = |c: &&Channel| c.raw.len() == table.rows && c.rate_hz == table.rate_hz;
        table.channels = signals().filter(fits).collect();
        let other = signals().count() - table.channels.len();
        lost.extend([(other, "channels of another rate or length")]);
        lost.extend([(trial.markers.len(), "markers"), (trial.bodies.len(), "rigid bodies")]);
        let angles = table.channels.iter().filter(|channel| is_angle(channel));
        table.in_degrees =
            angles.map(|c| c.scale == RADIANS_PER_DEGREE).reduce(|one, other| one || other);
    } else if !trial.markers.is_empty() {
        table.cell_type = CellType::Vec3;
        lost.push((trial.bodies.len(), "rigid bodies"));
        notes.extend(format_losses::origins(trial.markers.iter().flat_map(Marker::origins)));
        // Lengths are written in the file's own unit, and so is whatever is no length.
        notes.extend(format_losses::quantities(&trial.is_position()));
    } else if !trial.bodies.is_empty() {
        table.cell_type = CellType::Quaternion;
        let positions = trial.bodies.iter().filter(|body| body.has_positions).count();
        lost.push((positions, "positions of rigid bodies"));
        let origins = |body: &'a Body| (0..body.frames()).map(|frame| body.origin(frame));
        notes.extend(format_losses::origins(trial.bodies.iter().flat_map(origins)));
    } else {
        return Err(Error::cannot_hold(
            "sto holds channels, markers or rigid bodies; this recording has none",
        ));
    }
    let lost = lost.iter().filter(|(count, _)| *count > 0);
    notes.extend(lost.map(|(count, what)| {
        Note::new("not-written", format!("this sto table cannot hold {count} {what}"))
    }));
    notes.extend(format_losses::notes(trial, Format::Sto));
    Ok(table)
}

fn header(trial: &Trial, table: &Table<'_>, remarks: &[String]) -> String {
    let columns = 1 + table.labels(trial).count();
    let mut text = String::new();
    // Version 1 is what every OpenSim reads; cells of several numbers came with version 3.
    if table.cell_type == CellType::Scalar {
        text.push_str("Coordinates\nversion=1\n");
    } else {
        text.push_str(&format!("DataType={}\nversion=3\n", table.cell_type.name()));
    }
    text.push_str(&format!("nRows={}\nnColumns={columns}\n", table.rows));
    if let Some(in_degrees) = table.in_degrees {
        text.push_str(if in_degrees { "inDegrees=yes\n" } else { "inDegrees=no\n" });
    }
    if table.rate_hz > 0.0 {
        text.push_str("DataRate=");
        text::write_number(&mut text, table.rate_hz);
        text.push('\n');
    }
    let declared = trial.source.declared_unit.as_deref();
    if table.cell_type == CellType::Vec3 {
        let unit = trial.source.unit;
        // The file's own spelling if it means that unit.
        let spelt = declared.filter(|spelt| spelt.parse() == Ok(unit));
        if spelt.is_some() || unit != LengthUnit::Metre {
            text.push_str(&format!("Units={}\n", spelt.unwrap_or(unit.symbol())));
        }
    }
    for remark in remarks {
        text.push_str(&format!("# {}\n", remark.replace(char::is_control, " ")));
    }
    text.push_str("endheader\n");
    text
}

impl<'a> Table<'a> {
    fn labels<'b>(&'b self, trial: &'b Trial) -> impl Iterator<Item = &'b str> {
        let (markers, bodies): (&[Marker], &[Body]) = match self.cell_type {
            CellType::Scalar => (&[], &[]),
            CellType::Vec3 => (&trial.markers, &[]),
            CellType::Quaternion => (&[], &trial.bodies),
        };
        let channels = self.channels.iter().map(|channel| channel.label.as_str());
        let markers = markers.iter().map(|marker| marker.label.as_str());
        channels.chain(markers).chain(bodies.iter().map(|body| body.name.as_str()))
    }

    fn write_row(&self, out: &mut String, trial: &Trial, row: usize) {
        match self.cell_type {
            CellType::Scalar => {
                for channel in &self.channels {
                    out.push('\t');
                    let stored =
                        Some(self.stored(channel, row)).filter(|stored| stored.is_finite());
                    text::write_number(out, stored.unwrap_or(f64::NAN));
                }
            }
            CellType::Vec3 => {
                trial.markers.iter().for_each(|m| write_marker(out, m, row, trial.source.unit));
            }
            CellType::Quaternion => trial.bodies.iter().for_each(|b| write_body(out, b, row)),
        }
    }

    /// The number to store: what the file had, or the value in the table's angle unit.
    fn stored(&self, channel: &Channel, row: usize) -> f64 {
        let raw = channel.raw[row];
        let is_plain = channel.offset == 0.0 && channel.scale == 1.0;
        let is_degrees = channel.offset == 0.0 && channel.scale == RADIANS_PER_DEGREE;
        let writes_degrees = is_angle(channel) && self.in_degrees == Some(true);
        if (is_plain && !writes_degrees) || (is_degrees && writes_degrees) {
            return raw;
        }
        let value = (raw - channel.offset) * channel.scale;
        if writes_degrees { value / RADIANS_PER_DEGREE } else { value }
    }
}

fn write_marker(out: &mut String, marker: &Marker, row: usize, unit: LengthUnit) {
    out.push('\t');
    let Some(position_m) = marker.position_m(row) else {
        out.push_str("NaN,NaN,NaN");
        return;
    };
    for (axis, &coordinate_m) in position_m.iter().enumerate() {
        out.push_str(if axis > 0 { "," } else { "" });
        text::write_length(out, coordinate_m, unit);
    }
}

fn write_body(out: &mut String, body: &Body, row: usize) {
    out.push('\t');
    let Some(pose) = body.world_from_body(row) else {
        out.push_str("NaN,NaN,NaN,NaN");
        return;
    };
    let q = pose.rotation.quaternion();
    for (index, part) in [q.w, q.i, q.j, q.k].into_iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        text::write_number(out, part);
    }
}
