//! Reading OpenSim tables.

use super::columns::{Quantity, quantity};
use super::header::{self, CellType, Header};
use super::{RADIANS_PER_DEGREE, TIME};
use crate::error::{Error, Result};
use crate::format::proportion::{POINT_BYTES, POSE_BYTES, in_proportion};
use crate::format::{ReadOptions, table, text, timing};
use crate::trial::{Body, Channel, Format, LengthUnit, Marker, Note, Trial, pose_from_wxyz};
use nalgebra::Point3;

/// More columns than any table has; keeps memory small whatever the label line holds.
const MOST_COLUMNS: usize = 100_000;

/// Reads an STO or MOT table.
///
/// # Errors
/// The header has no end, there are no labels, no row is whole, or a cell is not a number.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Trial> {
    let text = text::decode(bytes);
    let header = header::read(&text)?;
    let mut trial = Trial::new(Format::Sto, 0.0);
    trial.source.variant = header.cell_type.name().to_owned();
    trial.source.unit =
        options.unit.or(header.unit.as_ref().map(|(_, unit)| *unit)).unwrap_or(LengthUnit::Metre);
    trial.source.declared_unit = header.unit.as_ref().map(|(spelt, _)| spelt.clone());
    trial.source.up = options.up;

    let mut lines = text
        .lines()
        .enumerate()
        .skip(header.lines)
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line));
    let Some((_, label_line)) = lines.next() else {
        return Err(Error::malformed("table: need a line of labels after endheader, got none"));
    };
    let mut table = Table::new(label_line.trim_end(), &header, trial.source.unit, bytes.len())?;
    table.read_rows(lines.peekable(), &mut trial)?;
    table.note_counts(&header, &mut trial);
    table.finish(&header, options, &mut trial);
    Ok(trial)
}

/// One column other than the time.
enum Column {
    Scalar(Vec<f64>),
    Vec3(Marker),
    Quaternion(Body),
}

struct Table<'a> {
    labels: Vec<&'a str>,
    /// Which column is the time.
    time: Option<usize>,
    columns: Vec<Column>,
    /// The times of the rows, where there is such a column.
    times_s: Vec<f64>,
    rows: usize,
    unit: LengthUnit,
    file_bytes: usize,
}

/// Splits a line into cells: at tabs where it has any, else at blanks.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let by_tab = line.contains('\t');
    let tabbed = line.split('\t').map(str::trim).filter(move |_| by_tab);
    let blank = line.split_whitespace().filter(move |_| !by_tab);
    tabbed.chain(blank)
}

impl<'a> Table<'a> {
    fn new(
        label_line: &'a str,
        header: &Header,
        unit: LengthUnit,
        file_bytes: usize,
    ) -> Result<Self> {
        let count = cells(label_line).take(MOST_COLUMNS + 1).count();
        if count > MOST_COLUMNS {
            let what = format!("labels: need at most {MOST_COLUMNS}, got more");
            return Err(Error::malformed(what));
        }
        let labels: Vec<&str> = cells(label_line).collect();
        let time = labels.iter().position(|label| label.eq_ignore_ascii_case(TIME));
        let column = |label: &&str| match header.cell_type {
            CellType::Scalar => Column::Scalar(Vec::new()),
            CellType::Vec3 => {
                Column::Vec3(Marker { label: (*label).to_owned(), ..Marker::default() })
            }
            CellType::Quaternion => {
                let mut body = Body::new(*label);
                body.has_positions = false;
                Column::Quaternion(body)
            }
        };
        let is_data = |index: &usize| Some(*index) != time;
        let columns =
            (0..labels.len()).filter(is_data).map(|index| column(&labels[index])).collect();
        Ok(Self { labels, time, columns, times_s: Vec::new(), rows: 0, unit, file_bytes })
    }

    fn read_rows<'b>(
        &mut self,
        mut lines: std::iter::Peekable<impl Iterator<Item = (usize, &'b str)>>,
        trial: &mut Trial,
    ) -> Result<()> {
        let mut left_out = Vec::new();
        let mut short = 0_usize;
        let mut long = 0_usize;
        while let Some((number, line)) = lines.next() {
            let count = cells(line).count();
            let is_last = lines.peek().is_none();
            if count < self.labels.len() || (is_last && self.is_cut(line)) {
                short += 1;
                left_out.extend(left_out.is_empty().then_some((number, count)));
                continue;
            }
            long += usize::from(cells(line).skip(self.labels.len()).any(|cell| !cell.is_empty()));
            self.push_row(number, line)?;
        }
        if let Some(&(number, count)) = left_out.first() {
            let need = self.labels.len();
            if self.rows == 0 {
                return Err(Error::at_line(number, format!("row: need {need} cells, got {count}")));
            }
            let text = format!(
                "{short} rows are not whole and are left out, the first at line {number}: \
                 {count} of {need} cells"
            );
            trial.note("rows-left-out", text);
        }
        let text = "rows have more cells than there are labels";
        trial.notes.extend(Note::counted(long, "cells-ignored", text));
        Ok(())
    }

    /// Whether a row holds something that is no number: a file cut there.
    fn is_cut(&self, line: &str) -> bool {
        let parts = match self.columns.first() {
            Some(Column::Vec3(_)) => 3,
            Some(Column::Quaternion(_)) => 4,
            _ => 1,
        };
        cells(line).take(self.labels.len()).enumerate().any(|(index, cell)| {
            let parts = if Some(index) == self.time { 1 } else { parts };
            !is_blank(cell)
                && (cell.split(',').count() != parts
                    || cell.split(',').any(|part| !is_blank(part) && text::number(part).is_none()))
        })
    }

    fn push_row(&mut self, line_number: usize, line: &str) -> Result<()> {
        let cell_bytes = match self.columns.first() {
            Some(Column::Vec3(_)) => POINT_BYTES,
            Some(Column::Quaternion(_)) => POSE_BYTES,
            _ => size_of::<f64>(),
        };
        if !in_proportion(self.rows + 1, self.columns.len(), cell_bytes, self.file_bytes) {
            let what = "table: need numbers in its cells, got nearly all blank";
            return Err(Error::at_line(line_number, what));
        }
        let refuse = |label: &str, cell: &str| {
            let shown = text::cut(cell);
            Error::at_line(line_number, format!("column {label}: need a number, got '{shown}'"))
        };
        let mut column = self.columns.iter_mut();
        for (index, (cell, label)) in cells(line).zip(&self.labels).enumerate() {
            if Some(index) == self.time {
                self.times_s.push(text::number(cell).ok_or_else(|| refuse(label, cell))?);
                continue;
            }
            let Some(column) = column.next() else { break };
            match column {
                // A channel has no way to say "missing" but NaN; a note goes with it.
                Column::Scalar(values) if is_blank(cell) => values.push(f64::NAN),
                Column::Scalar(values) => {
                    values.push(text::number(cell).ok_or_else(|| refuse(label, cell))?);
                }
                Column::Vec3(marker) => {
                    let unit = self.unit;
                    let parts = parts(cell, |part| text::length_m(part, unit));
                    marker.push(parts.map_err(|()| refuse(label, cell))?.map(Point3::from));
                }
                Column::Quaternion(body) => {
                    let wxyz = parts(cell, text::number).map_err(|()| refuse(label, cell))?;
                    body.push(wxyz.and_then(|wxyz| pose_from_wxyz([0.0; 3], wxyz)));
                }
            }
        }
        self.rows += 1;
        Ok(())
    }

    fn note_counts(&self, header: &Header, trial: &mut Trial) {
        let claims = [
            ("wrong-count", "rows", header.rows, self.rows),
            ("column-count", "columns", header.columns, self.labels.len()),
        ];
        for (code, what, declared, found) in claims {
            if let Some(declared) = declared.filter(|declared| *declared != found as f64) {
                trial.note(code, format!("the header says {declared} {what}, there are {found}"));
            }
        }
    }

    fn finish(mut self, header: &Header, options: &ReadOptions, trial: &mut Trial) {
        let in_degrees = degrees(header, trial);
        self.times_s.shrink_to_fit();
        let timing = timing::timing(self.times_s.iter().copied().map(Some));
        trial.frames = self.rows;
        trial.rate_hz =
            timing::choose_rate(options.rate_hz, header.rate_hz, &timing, &mut trial.notes);
        trial.start_s = timing.start_s(trial.rate_hz);
        // Where the caller knows the rate better, the times are judged by their own.
        let own_hz = options.rate_hz.and(timing.rate_hz).unwrap_or(trial.rate_hz);
        let uneven_s = timing.uneven_s(&self.times_s, own_hz);
        trial.notes.extend(timing.notes);
        let data_labels = self.labels.iter().enumerate().filter(|(i, _)| Some(*i) != self.time);
        for ((_, &label), column) in data_labels.zip(self.columns) {
            match column {
                Column::Scalar(raw) => {
                    let mut channel = Channel::from_values(label, "", trial.rate_hz, raw);
                    set_unit(&mut channel, in_degrees);
                    trial.channels.push(channel);
                }
                Column::Vec3(marker) => trial.markers.push(marker),
                Column::Quaternion(body) => trial.bodies.push(body),
            }
        }
        trial.notes.extend(table::note_blanks(&trial.channels));
        if let Some(uneven_s) = uneven_s {
            let text = format!(
                "the times are not evenly spaced, by up to {:.3} ms: they are kept as a channel",
                uneven_s * 1000.0
            );
            trial.note("time-not-uniform", text);
            trial.channels.push(Channel::from_values(TIME, "s", trial.rate_hz, self.times_s));
        }
        if header.cell_type == CellType::Vec3 && header.unit.is_none() && options.unit.is_none() {
            trial.note("units", "the table states no unit of length: metres assumed");
        }
    }
}

/// Whether angles are in degrees; `None` where the table need not hold angles at all.
fn degrees(header: &Header, trial: &mut Trial) -> Option<bool> {
    if header.cell_type != CellType::Scalar {
        return None;
    }
    if header.in_degrees.is_none() && !header.has_version {
        trial.note(
            "degrees-assumed",
            "the header has neither version nor inDegrees, as SIMM wrote it: angles taken as degrees",
        );
        return Some(true);
    }
    if header.in_degrees == Some(true) {
        trial.note(
            "angles-by-name",
            "without the model, columns count as angles by their names: all but translations \
             (_tx, _ty, _tz), forces, points and muscles",
        );
    }
    header.in_degrees
}

fn set_unit(channel: &mut Channel, in_degrees: Option<bool>) {
    let Some(in_degrees) = in_degrees else { return };
    let (unit, is_angle) = match quantity(&channel.label) {
        Quantity::Angle => ("rad", true),
        Quantity::AngleSpeed => ("rad/s", true),
        Quantity::Length => ("m", false),
        Quantity::Other => ("", false),
    };
    channel.unit = unit.to_owned();
    if is_angle && in_degrees {
        channel.scale = RADIANS_PER_DEGREE;
    }
}

fn is_blank(cell: &str) -> bool {
    let cell = cell.trim().trim_start_matches(['-', '+']);
    cell.is_empty() || ["nan", "inf", "infinity"].iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// The numbers of a cell `a,b,c`; `None` if it is blank or one of them is.
fn parts<const N: usize>(
    cell: &str,
    read: impl Fn(&str) -> Option<f64>,
) -> Result<Option<[f64; N]>, ()> {
    let cell = cell.trim_start_matches("~[").trim_end_matches(']');
    if is_blank(cell) {
        return Ok(None);
    }
    let mut values = [0.0; N];
    let mut found = 0;
    let mut has_hole = false;
    for part in cell.split(',') {
        let value = values.get_mut(found).ok_or(())?;
        found += 1;
        if is_blank(part) {
            has_hole = true;
        } else {
            *value = read(part).ok_or(())?;
        }
    }
    if found == N { Ok((!has_hole).then_some(values)) } else { Err(()) }
}
