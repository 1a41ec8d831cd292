//! What tables of numbers have in common: cells that may be missing, rows that may be odd, labels.

use std::collections::HashMap;

use nalgebra::Point3;

use crate::error::{Error, Result};
use crate::format::proportion::in_proportion;
use crate::format::{ReadOptions, text};
use crate::trial::{Channel, LengthUnit, Marker, Note};

/// More columns than any recording has; a line with more is not a table.
pub(super) const MAX_COLUMNS: usize = 200_000;

/// Refuses a table whose rows and columns would take memory far beyond the size of the file.
///
/// Ragged rows let a small file promise a huge table: a wide header over many nearly empty rows.
pub(super) fn check_size(rows: usize, columns: usize, file_bytes: usize) -> Result<()> {
    /// A number and its share of the origin of its sample.
    const CELL_BYTES: usize = 9;
    if columns > MAX_COLUMNS || !in_proportion(rows, columns, CELL_BYTES, file_bytes) {
        return Err(Error::malformed(format!(
            "table: {rows} rows of {columns} columns are far more cells than the file holds"
        )));
    }
    Ok(())
}

/// One cell that should hold a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Number(f64),
    Missing,
    Unreadable,
}

impl Cell {
    /// A cell that holds a length, in metres.
    pub fn length_m(text: &str, unit: LengthUnit) -> Self {
        match text::length_m(text, unit) {
            Some(length_m) => Self::Number(length_m),
            None if is_missing_word(text) => Self::Missing,
            None => Self::Unreadable,
        }
    }

    /// The number, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// Whether a cell is how programs spell a missing number: blank, `NaN`, `-nan(ind)`, `1.#QNAN`.
pub(super) fn is_missing_word(text: &str) -> bool {
    let word = text.trim().trim_start_matches(['-', '+']);
    let starts = |prefix: &str| {
        word.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    };
    word.is_empty()
        || starts("nan")
        || starts("1.#")
        || starts("inf")
        || ["na", "null", "none", "missing"].iter().any(|w| word.eq_ignore_ascii_case(w))
}

/// Counts of what was odd in the rows of a table.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub skipped_rows: usize,
    pub short_rows: usize,
    pub unreadable_cells: usize,
    pub partial_points: usize,
    pub zero_points: usize,
}

impl Tally {
    /// Three cells as a point: missing unless all three are numbers.
    pub fn point(&mut self, cells: [Cell; 3]) -> Option<Point3<f64>> {
        let numbers = cells.iter().filter(|cell| cell.value().is_some()).count();
        self.unreadable_cells += cells.iter().filter(|cell| **cell == Cell::Unreadable).count();
        if numbers == 1 || numbers == 2 {
            self.partial_points += 1;
        }
        match cells {
            [Cell::Number(x), Cell::Number(y), Cell::Number(z)] => Some(Point3::new(x, y, z)),
            _ => None,
        }
    }

    /// A note for each oddity that occurred.
    pub fn notes(&self) -> impl Iterator<Item = Note> {
        let short = "rows are shorter than the header; the rest is missing";
        let unreadable = "cells are neither numbers nor blank; taken as missing";
        let partial = "samples lack some of their coordinates; taken as missing";
        let zero = "samples at exactly 0, 0, 0 were taken as missing";
        let all = [
            Note::counted(self.skipped_rows, "rows-skipped", "rows without a number were skipped"),
            Note::counted(self.short_rows, "short-rows", short),
            Note::counted(self.unreadable_cells, "unreadable-cells", unreadable),
            Note::counted(self.partial_points, "partial-points", partial),
            Note::counted(self.zero_points, "zero-coordinates", zero),
        ];
        all.into_iter().flatten()
    }
}

/// A note if cells of channels hold no number.
pub(super) fn note_blanks(channels: &[Channel]) -> Option<Note> {
    let blanks = |channel: &Channel| channel.raw.iter().filter(|raw| raw.is_nan()).count();
    let counts = channels.iter().map(blanks).filter(|&blanks| blanks > 0);
    let (count, cells) = counts.fold((0, 0), |(count, cells), blanks| (count + 1, cells + blanks));
    let text = format!("cells of {count} channels hold no number; kept as NaN");
    Note::counted(cells, "blank-channel-cells", &text)
}

/// The unit of length: what the caller says, else what the file declares, else the usual one, with a note.
pub(super) fn length_unit(
    declared: &str,
    options: &ReadOptions,
    (usual, name): (LengthUnit, &str),
    notes: &mut Vec<Note>,
) -> LengthUnit {
    options.unit.or_else(|| declared.parse().ok()).unwrap_or_else(|| {
        let text = format!("unit of length '{declared}' is not known; {name} assumed");
        notes.push(Note::new("units", text));
        usual
    })
}

/// A note on frame numbers that are not consecutive.
pub(super) fn note_jumps(jumps: usize) -> Option<Note> {
    let text = format!("frame numbers jump {jumps} times: the frames are taken as consecutive");
    (jumps > 0).then(|| Note::new("frame-numbers", text))
}

/// Follows the frame numbers of a table.
#[derive(Debug, Default)]
pub(super) struct FrameNumbers {
    /// The number of the first row, counted back where only later rows have one.
    pub first: Option<i64>,
    rows: i64,
    previous: Option<i64>,
    step: Option<i64>,
    breaks: usize,
}

impl FrameNumbers {
    /// The number of the next row, where it has one.
    pub fn push(&mut self, number: Option<f64>) {
        // A cast saturates, so a silly number stays a number.
        let number = number.map(|value| value.round() as i64);
        if let (Some(previous), Some(number)) = (self.previous, number) {
            let step = number.saturating_sub(previous);
            if *self.step.get_or_insert(step) != step {
                self.breaks += 1;
            }
        }
        self.first = self.first.or(number.map(|number| number.saturating_sub(self.rows)));
        self.rows += 1;
        self.previous = number;
    }

    /// A note if the numbers do not count up one by one.
    pub fn note(&self) -> Option<Note> {
        let (code, what) = match (self.step, self.breaks) {
            (_, breaks @ 1..) => ("frame-numbers", format!("jump {breaks} times")),
            (Some(step), 0) if step != 1 => ("frame-step", format!("count by {step}")),
            _ => return None,
        };
        let text = format!("the frame numbers {what}; rows are taken as consecutive frames");
        Some(Note::new(code, text))
    }
}

/// Makes labels different from each other by adding `_2`, `_3` to those already taken.
#[derive(Debug, Default)]
pub(super) struct Labels {
    next_suffix: HashMap<String, usize>,
    /// How many labels had to be changed.
    pub renamed: usize,
}

impl Labels {
    /// The label itself, or with a suffix if it was given before.
    pub fn unique(&mut self, label: &str) -> String {
        let mut name = label.to_owned();
        let mut suffix = self.next_suffix.get(label).copied().unwrap_or(2);
        while self.next_suffix.contains_key(&name) {
            name = format!("{label}_{suffix}");
            suffix += 1;
        }
        if name != label {
            self.renamed += 1;
            self.next_suffix.insert(label.to_owned(), suffix);
        }
        self.next_suffix.insert(name.clone(), 2);
        name
    }

    /// A note if labels had to be changed.
    pub fn note(&self) -> Option<Note> {
        let text = "duplicate labels got a suffix _2, _3, …";
        Note::counted(self.renamed, "duplicate-labels", text)
    }
}

/// The subjects that the prefixes of labels name, in order.
pub(super) fn subjects(markers: &[Marker]) -> Vec<String> {
    let mut subjects: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for subject in markers.iter().filter_map(Marker::subject) {
        if seen.insert(subject) {
            subjects.push(subject.to_owned());
        }
    }
    subjects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_missing_from_unreadable() {
        for word in ["", " ", "NaN", "nan", "-nan(ind)", "1.#QNAN", "NAN"] {
            assert_eq!(Cell::length_m(word, LengthUnit::Metre), Cell::Missing, "{word}");
        }
        assert_eq!(Cell::length_m("abc", LengthUnit::Metre), Cell::Unreadable);
        assert_eq!(Cell::length_m("1,5", LengthUnit::Millimetre), Cell::Number(0.0015));
    }

    #[test]
    fn makes_labels_unique_without_meeting_existing_ones() {
        let mut labels = Labels::default();
        let names: Vec<_> = ["A", "A_2", "A", "A"].iter().map(|l| labels.unique(l)).collect();
        assert_eq!(names, ["A", "A_2", "A_3", "A_4"]);
        assert_eq!(labels.renamed, 2);
    }

    #[test]
    fn refuses_a_wide_header_over_many_empty_rows() {
        assert!(check_size(1_000_000, 100_000, 1_000_000).is_err());
        assert!(check_size(100_000, 123, 80_000_000).is_ok());
    }

    #[test]
    fn notes_frame_numbers_that_count_by_two() {
        let mut numbers = FrameNumbers::default();
        [1.0, 3.0, 5.0].iter().for_each(|&number| numbers.push(Some(number)));
        assert_eq!(numbers.note().unwrap().code, "frame-step");
    }
}
