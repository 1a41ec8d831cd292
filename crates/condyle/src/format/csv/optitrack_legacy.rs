//! OptiTrack exports before Motive (ARENA, Tracking Tools): the first cell of a row says its type.
//!
//! ```text
//! righthanded
//! rigidbody,"Rigid Body 1",1,3,x,y,z,…                    definition: name, ID, markers
//! frame,0,0.0,1,1,x,y,z,qx,qy,qz,qw,yaw,pitch,roll,…       bodies seen, then markers seen
//! rigidbody,0,0.0,"Rigid Body 1",1,0,3,…                   that frame's markers of one body
//! ```
//!
//! Metres, Y up. Version 1 calls a rigid body `trackable` and gives markers no ID. Left-handed files
//! are mirrored, z to -z, to make them right-handed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use crate::error::{Error, Result};
use crate::format::table::{self, Cell, FrameNumbers, Tally};
use crate::format::{ReadOptions, text};
use crate::trial::{Axis, Body, LengthUnit, Marker, Note, Trial, pose_from_wxyz};

use super::cells;
use super::columns::Rows;
use crate::format::rotation::mirrored_z;

/// Whether the first cell of a file is one that these exports start with.
pub(super) fn is_row_type(cell: &str) -> bool {
    ["comment", "righthanded", "lefthanded", "info"].iter().any(|t| cell.eq_ignore_ascii_case(t))
}

/// Everything collected on the way through the rows.
#[derive(Default)]
struct Collector {
    unit: LengthUnit,
    left_handed: bool,
    names: HashMap<i64, String>,
    /// By ID, in the order first seen.
    bodies: Vec<(i64, Body)>,
    body_at: HashMap<i64, usize>,
    markers: Vec<Marker>,
    marker_at: HashMap<String, usize>,
    extended: bool,
    frames: usize,
    stamps_s: Vec<Option<f64>>,
    numbers: FrameNumbers,
    tally: Tally,
    /// Samples stored, missing ones included, to keep them in proportion to the file.
    stored: usize,
    file_bytes: usize,
}

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let mut collector = Collector {
        unit: options.unit.unwrap_or_default(),
        file_bytes: bytes,
        ..Collector::default()
    };
    let mut row: Vec<Cow<str>> = Vec::new();
    // Markers in the frame rows repeat those of the extended rows, where there are any.
    collector.extended = text.lines().any(|line| {
        let is_body = line.starts_with("rigidbody") || line.starts_with("trackable");
        is_body && line.split(',').nth(2).is_some_and(|cell| cell.contains('.'))
    });
    for (at, line) in text.lines().enumerate() {
        cells::split(line, ',', &mut row);
        collector
            .row(&row)
            .map_err(|error| error.with_place(crate::error::Place::Line(at as u64 + 1)))?;
    }
    if collector.frames == 0 {
        return Err(Error::malformed("OptiTrack export: need at least one frame row, got none"));
    }
    let padded = (collector.markers.len() + 2 * collector.bodies.len()).saturating_mul(4);
    table::check_size(collector.frames, padded, bytes)?;
    Ok(collector.into_trial(options))
}

impl Collector {
    fn row(&mut self, row: &[Cow<str>]) -> Result<()> {
        let cell = |at: usize| row.get(at).map_or("", |cell| cell.as_ref());
        match cell(0).to_ascii_lowercase().as_str() {
            "lefthanded" => self.left_handed = true,
            "righthanded" => self.left_handed = false,
            "frame" => self.frame(row)?,
            // An extended row has the frame index where a definition has the name.
            "rigidbody" | "trackable"
                if text::number(cell(4)).is_some() && text::number(cell(3)).is_none() =>
            {
                self.extended_row(row)?;
            }
            "rigidbody" | "trackable" => {
                if let Some(id) = text::number(cell(2)) {
                    self.names.insert(id as i64, cell(1).to_owned());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn frame(&mut self, row: &[Cow<str>]) -> Result<()> {
        let number = |at: usize| row.get(at).and_then(|cell| text::number(cell));
        self.numbers.push(number(1));
        self.stamps_s.push(number(2));
        self.frames += 1;
        // A count is believed only as far as the row has cells.
        let count = |at: usize, width: usize| {
            let promised = number(at).unwrap_or(0.0).max(0.0) as usize;
            promised.min(row.len().saturating_sub(at + 1) / width)
        };
        let bodies = count(3, 11);
        for first in (0..bodies).map(|body| 4 + body * 11) {
            let Some(id) = number(first) else { continue };
            let pose = self.pose(|at| row.get(first + at).map_or("", |cell| cell.as_ref()));
            let index = *self.body_at.entry(id as i64).or_insert_with(|| {
                self.bodies.push((id as i64, Body::new("")));
                self.bodies.len() - 1
            });
            self.store(self.frames.saturating_sub(self.bodies[index].1.frames()) * 2)?;
            let body = &mut self.bodies[index].1;
            (body.frames()..self.frames - 1).for_each(|_| body.push(None));
            if body.frames() < self.frames {
                body.push(pose);
            }
        }
        let markers_at = 4 + bodies * 11;
        let named = number(markers_at + 4).is_some() && number(markers_at + 5).is_none();
        let width = if named { 5 } else { 4 };
        if self.extended && !named {
            return Ok(());
        }
        for first in (0..count(markers_at, width)).map(|marker| markers_at + 1 + marker * width) {
            let text = |at: usize| row.get(first + at).map_or("", |cell| cell.as_ref());
            let label = if named { text(4).to_owned() } else { format!("*{}", text(3)) };
            let position = self.point([text(0), text(1), text(2)]);
            self.push_marker(label, position)?;
        }
        Ok(())
    }

    /// The markers of one body in one frame: where the body expects them, then where they were seen.
    fn extended_row(&mut self, row: &[Cow<str>]) -> Result<()> {
        let cell = |at: usize| row.get(at).map_or("", |cell| cell.as_ref());
        let rest = row.len().saturating_sub(7);
        let promised = text::number(cell(6)).unwrap_or(0.0).max(0.0) as usize;
        let count = promised.min(rest / 8);
        // Each expected marker has x, y, z and from version 1.1 an ID; each seen one x, y, z; then
        // two numbers a marker and one for the body.
        let expected_width = if rest > count * 9 { 4 } else { 3 };
        for marker in 0..count {
            let first = 7 + count * expected_width + marker * 3;
            let position = self.point([cell(first), cell(first + 1), cell(first + 2)]);
            self.push_marker(format!("{}-Marker {}", cell(3), marker + 1), position)?;
        }
        Ok(())
    }

    fn point(&mut self, cells: [&str; 3]) -> Option<nalgebra::Point3<f64>> {
        let unit = self.unit;
        let mut position = self.tally.point(cells.map(|cell| Cell::length_m(cell, unit)))?;
        if self.left_handed {
            position.z = -position.z;
        }
        Some(position)
    }

    fn pose<'a>(&mut self, cell: impl Fn(usize) -> &'a str) -> Option<nalgebra::Isometry3<f64>> {
        let unit = self.unit;
        let p =
            self.tally.point([cell(1), cell(2), cell(3)].map(|cell| Cell::length_m(cell, unit)))?;
        let number = |at| text::number(cell(at));
        let (mut position, mut wxyz) =
            ([p.x, p.y, p.z], [number(7)?, number(4)?, number(5)?, number(6)?]);
        if self.left_handed {
            (position, wxyz) = mirrored_z(position, wxyz);
        }
        pose_from_wxyz(position, wxyz)
    }

    /// Puts a position into the current frame; the first one a frame wins.
    fn push_marker(
        &mut self,
        label: String,
        position: Option<nalgebra::Point3<f64>>,
    ) -> Result<()> {
        if self.frames == 0 {
            return Ok(());
        }
        let index = *self.marker_at.entry(label).or_insert_with_key(|label| {
            self.markers.push(Marker { label: label.clone(), ..Marker::default() });
            self.markers.len() - 1
        });
        self.store(self.frames.saturating_sub(self.markers[index].frames()))?;
        let marker = &mut self.markers[index];
        (marker.frames()..self.frames - 1).for_each(|_| marker.push(None));
        if marker.frames() < self.frames {
            marker.push(position);
        }
        Ok(())
    }

    /// Counts samples before they are stored.
    fn store(&mut self, samples: usize) -> Result<()> {
        self.stored = self.stored.saturating_add(samples);
        table::check_size(self.stored, 4, self.file_bytes)
    }

    fn into_trial(mut self, options: &ReadOptions) -> Trial {
        let mut notes = Vec::new();
        self.name_bodies(&mut notes);
        let mut bodies: Vec<Body> = self.bodies.into_iter().map(|(_, body)| body).collect();
        for body in &mut bodies {
            (body.frames()..self.frames).for_each(|_| body.push(None));
        }
        for marker in &mut self.markers {
            (marker.frames()..self.frames).for_each(|_| marker.push(None));
        }
        if self.left_handed {
            notes.push(Note::new("left-handed", "the file is left-handed; z was negated"));
        }
        notes.extend(self.numbers.note());
        notes.extend(self.tally.notes());
        let rows = Rows {
            frames: self.frames,
            first_frame: self.numbers.first,
            stamps_s: self.stamps_s,
            markers: self.markers,
            bodies,
            notes,
            ..Rows::default()
        };
        let mut trial = rows.into_trial(None, options);
        trial.source.variant = "OptiTrack before Motive".to_owned();
        trial.source.unit = self.unit;
        trial.source.up = options.up.or(Some(Axis::Y));
        trial
    }

    /// Names bodies by ID; by order where the IDs of frames and definitions do not agree.
    fn name_bodies(&mut self, notes: &mut Vec<Note>) {
        let defined: BTreeSet<i64> = self.names.keys().copied().collect();
        let seen: BTreeSet<i64> = self.bodies.iter().map(|(id, _)| *id).collect();
        let mut renumbered: HashMap<i64, i64> = HashMap::new();
        if !seen.is_subset(&defined) && seen.len() == defined.len() {
            renumbered.extend(seen.iter().copied().zip(defined.iter().copied()));
            notes.push(Note::new(
                "body-ids",
                "frames number their bodies otherwise than the definitions; matched in order",
            ));
        }
        for (id, body) in &mut self.bodies {
            let id = renumbered.get(id).unwrap_or(id);
            body.name = self.names.get(id).cloned().unwrap_or_else(|| format!("body {id}"));
        }
    }
}
