//! Which column of a table means what, and reading its rows accordingly.

use std::borrow::Cow;

use crate::error::Result;
use crate::format::table::{self, Cell, FrameNumbers, Tally};
use crate::format::{ReadOptions, text, timing};
use crate::trial::{Body, Channel, Format, LengthUnit, Marker, Note, Origin, Trial};

use super::cells;
use crate::format::rotation::{MatrixTally, RotationColumns};

/// The meaning of the columns.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Layout {
    pub frame: Option<usize>,
    pub time: Option<usize>,
    pub markers: Vec<MarkerColumns>,
    pub bodies: Vec<BodyColumns>,
    pub channels: Vec<ChannelColumn>,
}

/// Three columns, perhaps a fourth with the origin of each sample.
#[derive(Debug, PartialEq)]
pub(super) struct MarkerColumns {
    pub label: String,
    pub xyz: [usize; 3],
    pub unit: LengthUnit,
    pub origin: Option<usize>,
}

/// The columns of a body; without positions where the file has none.
#[derive(Debug, PartialEq)]
pub(super) struct BodyColumns {
    pub name: String,
    pub xyz: Option<[usize; 3]>,
    pub unit: LengthUnit,
    pub rotation: RotationColumns,
    pub origin: Option<usize>,
}

/// A column of plain numbers.
#[derive(Debug, PartialEq)]
pub(super) struct ChannelColumn {
    pub label: String,
    pub unit: String,
    pub column: usize,
}

/// What the rows hold.
#[derive(Default)]
pub(super) struct Rows {
    pub frames: usize,
    pub first_frame: Option<i64>,
    /// One frame number a row where there is a column of them, else empty.
    pub numbers: Vec<Option<f64>>,
    /// One stamp a row where there is a time column, else empty.
    pub stamps_s: Vec<Option<f64>>,
    /// How many rows were put in for those that the file lacks; they have no stamp.
    pub put_in: usize,
    pub markers: Vec<Marker>,
    pub bodies: Vec<Body>,
    pub channels: Vec<Channel>,
    pub notes: Vec<Note>,
}

impl Layout {
    /// The unit of length of the first marker or body.
    pub fn unit(&self) -> Option<LengthUnit> {
        let marker = self.markers.first().map(|marker| marker.unit);
        marker.or_else(|| self.bodies.first().map(|body| body.unit))
    }

    /// How many cells of a row are stored, a body counted for the memory it takes.
    pub fn columns(&self) -> usize {
        self.markers.len() * 3 + self.bodies.len() * 8 + self.channels.len()
    }

    /// Reads every line that has a number in it.
    pub fn read<'a>(
        &self,
        lines: impl Iterator<Item = &'a str> + Clone,
        delimiter: char,
        file_bytes: usize,
    ) -> Result<Rows> {
        let most_rows = lines.clone().filter(|line| !line.trim().is_empty()).count();
        table::check_size(most_rows, self.columns(), file_bytes)?;
        let mut rows = self.empty_rows(most_rows);
        let mut tally = Tally::default();
        let mut matrices = MatrixTally::default();
        let mut cells: Vec<Cow<str>> = Vec::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            cells::split(line, delimiter, &mut cells);
            if !cells.iter().any(|cell| text::number(cell).is_some()) {
                tally.skipped_rows += 1;
                continue;
            }
            let cell = |at: usize| cells.get(at).map_or("", |cell| cell.as_ref());
            rows.frames += 1;
            if let Some(at) = self.frame {
                rows.numbers.push(text::number(cell(at)));
            }
            if let Some(at) = self.time {
                rows.stamps_s.push(text::number(cell(at)));
            }
            for (columns, marker) in self.markers.iter().zip(&mut rows.markers) {
                let position =
                    tally.point(columns.xyz.map(|at| Cell::length_m(cell(at), columns.unit)));
                marker.push(position);
                if let Some(origin) = columns.origin.and_then(|at| origin(cell(at))) {
                    marker.set(marker.frames() - 1, position, origin);
                }
            }
            for (columns, body) in self.bodies.iter().zip(&mut rows.bodies) {
                let position = match columns.xyz {
                    Some(xyz) => tally.point(xyz.map(|at| Cell::length_m(cell(at), columns.unit))),
                    None => Some(nalgebra::Point3::origin()),
                };
                let number = |at| text::number(cell(at));
                let pose = position
                    .and_then(|p| columns.rotation.pose([p.x, p.y, p.z], number, &mut matrices));
                body.push(pose);
                if let Some(origin) = columns.origin.and_then(|at| origin(cell(at))) {
                    body.set(body.frames() - 1, pose, origin);
                }
            }
            for (columns, channel) in self.channels.iter().zip(&mut rows.channels) {
                // A channel has no way to say "missing" but NaN; a note goes with it.
                channel.raw.push(text::number(cell(columns.column)).unwrap_or(f64::NAN));
            }
        }
        rows.follow_numbers();
        rows.notes.extend(tally.notes());
        rows.notes.extend(matrices.notes());
        rows.notes.extend(table::note_blanks(&rows.channels));
        Ok(rows)
    }

    fn empty_rows(&self, most_rows: usize) -> Rows {
        let marker = |columns: &MarkerColumns| {
            let mut marker = Marker { label: columns.label.clone(), ..Marker::default() };
            marker.reserve(most_rows);
            marker
        };
        let body = |columns: &BodyColumns| {
            let mut body = Body::new(&columns.name);
            body.has_positions = columns.xyz.is_some();
            body.reserve(most_rows);
            body
        };
        let channel = |column: &ChannelColumn| {
            let values = Vec::with_capacity(most_rows);
            Channel::from_values(&column.label, &column.unit, 0.0, values)
        };
        Rows {
            numbers: Vec::with_capacity(if self.frame.is_some() { most_rows } else { 0 }),
            stamps_s: Vec::with_capacity(if self.time.is_some() { most_rows } else { 0 }),
            markers: self.markers.iter().map(marker).collect(),
            bodies: self.bodies.iter().map(body).collect(),
            channels: self.channels.iter().map(channel).collect(),
            ..Rows::default()
        }
    }
}

impl Rows {
    /// What counts the rows: their time stamps, else their frame numbers; empty if there are neither.
    pub fn clock(&self) -> &[Option<f64>] {
        if self.stamps_s.is_empty() { &self.numbers } else { &self.stamps_s }
    }

    /// The smallest step that the clock can show, given the rows that have it; frame numbers are exact.
    pub fn clock_quantum(&self, stamped: &[(usize, f64)]) -> f64 {
        match self.stamps_s.is_empty() || stamped.is_empty() {
            true => 0.0,
            false => timing::quantum_s(stamped),
        }
    }

    /// Whether two rows hold the same samples.
    pub fn is_same(&self, a: usize, b: usize) -> bool {
        let value = |channel: &Channel, row: usize| channel.raw.get(row).map(|raw| raw.to_bits());
        self.bodies.iter().all(|body| body.world_from_body(a) == body.world_from_body(b))
            && self.markers.iter().all(|marker| marker.position_m(a) == marker.position_m(b))
            && self.channels.iter().all(|channel| value(channel, a) == value(channel, b))
    }

    /// Other rows made of these: each that of a number, or one without any sample.
    pub fn rearranged(mut self, sources: &[Option<usize>]) -> Self {
        let pick = |stamps: &[Option<f64>]| -> Vec<Option<f64>> {
            if stamps.is_empty() {
                return Vec::new();
            }
            sources.iter().map(|row| stamps.get((*row)?).copied().flatten()).collect()
        };
        self.numbers = pick(&self.numbers);
        self.stamps_s = pick(&self.stamps_s);
        self.markers.iter_mut().for_each(|marker| *marker = marker.rearranged(sources));
        self.bodies.iter_mut().for_each(|body| *body = body.rearranged(sources));
        for channel in &mut self.channels {
            let value = |row: &Option<usize>| channel.raw.get((*row)?).copied();
            channel.raw = sources.iter().map(|row| value(row).unwrap_or(f64::NAN)).collect();
        }
        self.frames = sources.len();
        self.follow_numbers();
        self
    }

    /// Takes the first frame, and what is to be said about the others, from the frame numbers.
    fn follow_numbers(&mut self) {
        let mut numbers = FrameNumbers::default();
        self.numbers.iter().for_each(|number| numbers.push(*number));
        self.first_frame = numbers.first;
        self.notes.retain(|note| !["frame-numbers", "frame-step"].contains(&&*note.code));
        self.notes.extend(numbers.note());
    }

    /// A trial of these rows, with the rate that the header declares or the stamps show.
    pub fn into_trial(self, declared_hz: Option<f64>, options: &ReadOptions) -> Trial {
        let mut trial = Trial::new(Format::Csv, 0.0);
        let timing = timing::timing_with_holes(self.stamps_s.iter().copied(), self.put_in);
        trial.rate_hz =
            timing::choose_rate(options.rate_hz, declared_hz, &timing, &mut trial.notes);
        trial.start_s = timing.start_s(trial.rate_hz);
        trial.notes.extend(timing.notes);
        trial.notes.extend(self.notes);
        trial.first_frame = self.first_frame.unwrap_or(1);
        trial.frames = self.frames;
        trial.subjects = table::subjects(&self.markers);
        trial.markers = self.markers;
        trial.bodies = self.bodies;
        trial.channels = self.channels;
        trial.channels.iter_mut().for_each(|channel| channel.rate_hz = trial.rate_hz);
        trial.source.up = options.up;
        trial
    }
}

/// The origin that a word in a table names.
pub(super) fn origin(word: &str) -> Option<Origin> {
    Origin::ALL.into_iter().find(|origin| word.eq_ignore_ascii_case(origin.name()))
}
