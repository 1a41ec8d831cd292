//! The rows of a TRC file: frame number, time, three cells a marker.

use std::collections::HashSet;

use nalgebra::Point3;

use crate::error::Result;
use crate::format::table::{self, Cell, FrameNumbers, Tally};
use crate::format::text;
use crate::trial::{LengthUnit, Marker, Note};

use super::header::Header;

/// What the rows hold.
pub(super) struct Rows {
    pub first_frame: Option<i64>,
    pub stamps_s: Vec<Option<f64>>,
    pub markers: Vec<Marker>,
    pub notes: Vec<Note>,
}

/// The cells of a line: between tabs if it has any, else between spaces.
pub(super) fn cells(line: &str) -> impl Iterator<Item = &str> {
    let tabbed = line.contains('\t');
    line.split(move |c: char| if tabbed { c == '\t' } else { c.is_ascii_whitespace() })
        .filter(move |cell| tabbed || !cell.is_empty())
        .map(str::trim)
}

/// Whether a line has a number anywhere: frame number and time may be blank.
fn is_row(line: &str) -> bool {
    cells(line).any(|cell| text::number(cell).is_some())
}

/// The extent of the data, found by a first walk over the rows.
#[derive(Default)]
struct Extent {
    rows: usize,
    /// Cells up to the last filled one, in the longest row.
    columns: usize,
    /// Whether every row that goes beyond the labels does so by whole markers.
    in_triples: bool,
}

/// Reads the rows in two walks over the text: the first finds the extent, the second the samples.
pub(super) fn read<'a>(
    lines: impl Iterator<Item = (usize, &'a str)> + Clone,
    header: &Header,
    unit: LengthUnit,
    file_bytes: usize,
) -> Result<Rows> {
    let mut tally = Tally::default();
    let labelled = header.labels.len() * 3;
    let extent = measure(lines.clone(), labelled, &mut tally);
    let mut notes = Vec::new();
    let extra = extent.columns.saturating_sub(labelled);
    let mut labels = header.labels.clone();
    if extra > 0 && extent.in_triples {
        labels.resize(labels.len() + extra / 3, String::new());
    } else if extra > 0 {
        let text =
            format!("rows have up to {extra} columns beyond the labels, not in threes; ignored");
        notes.push(Note::new("extra-columns", text));
    }
    table::check_size(extent.rows, labels.len() * 3, file_bytes)?;
    name_unlabelled(&mut labels, &mut notes);

    let mut markers: Vec<Marker> =
        labels.into_iter().map(|label| Marker::from_positions(label, std::iter::empty())).collect();
    markers.iter_mut().for_each(|marker| marker.reserve(extent.rows));
    let mut stamps_s = Vec::with_capacity(extent.rows);
    let mut numbers = FrameNumbers::default();
    for (_, line) in lines.filter(|(_, line)| is_row(line)) {
        let mut cells = cells(line);
        numbers.push(cells.next().and_then(text::number));
        stamps_s.push(cells.next().and_then(text::number));
        let mut short = false;
        for (index, marker) in markers.iter_mut().enumerate() {
            let mut next = || cells.next().map(|cell| Cell::length_m(cell, unit));
            let cells = [next(), next(), next()];
            short |= index * 3 < labelled && cells.iter().any(Option::is_none);
            let position_m = tally.point(cells.map(|cell| cell.unwrap_or(Cell::Missing)));
            let is_zero = position_m == Some(Point3::origin());
            tally.zero_points += usize::from(is_zero);
            marker.push(position_m.filter(|_| !is_zero));
        }
        tally.short_rows += usize::from(short);
    }
    notes.extend(numbers.note());
    notes.extend(tally.notes());
    Ok(Rows { first_frame: numbers.first, stamps_s, markers, notes })
}

fn measure<'a>(
    lines: impl Iterator<Item = (usize, &'a str)>,
    labelled: usize,
    tally: &mut Tally,
) -> Extent {
    let mut extent = Extent { in_triples: true, ..Extent::default() };
    let mut before_rows = true;
    for (_, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        if !is_row(line) {
            // The sub-header X1 Y1 Z1 stands before the first row and is no oddity.
            tally.skipped_rows += usize::from(!before_rows);
            before_rows = false;
            continue;
        }
        before_rows = false;
        let filled = cells(line).skip(2).enumerate().filter(|(_, cell)| !cell.is_empty());
        let columns = filled.last().map_or(0, |(at, _)| at + 1);
        extent.rows += 1;
        extent.columns = extent.columns.max(columns);
        extent.in_triples &= columns <= labelled || (columns - labelled).is_multiple_of(3);
    }
    extent
}

/// Gives `*1`, `*2`, … to markers without a label, as vendors do.
fn name_unlabelled(labels: &mut [String], notes: &mut Vec<Note>) {
    let taken: HashSet<String> = labels.iter().filter(|label| !label.is_empty()).cloned().collect();
    let mut free = (1..).map(|number| format!("*{number}")).filter(|name| !taken.contains(name));
    let mut named = 0;
    for label in labels.iter_mut().filter(|label| label.is_empty()) {
        *label = free.next().unwrap_or_default();
        named += 1;
    }
    let text = "markers have no label; they are named *1, *2, …";
    notes.extend(Note::counted(named, "unlabelled-markers", text));
}
