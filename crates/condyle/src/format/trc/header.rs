//! The five lines above the data of a TRC file.

use crate::error::{Error, Result};
use crate::format::{table, text};
use crate::trial::Note;

use super::rows::cells;

/// What the header says.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// The order of the axes as line 1 spells it: `(X/Y/Z)`.
    axes: Option<String>,
    pub rate_hz: Option<f64>,
    pub frames: Option<f64>,
    pub markers: Option<f64>,
    pub unit: Option<String>,
    /// The labels in column order; empty where a marker has none.
    pub labels: Vec<String>,
}

impl Header {
    pub fn notes(&self) -> Option<Note> {
        let axes = self.axes.as_deref().filter(|axes| !axes.eq_ignore_ascii_case("(X/Y/Z)"))?;
        Some(Note::new(
            "axis-order",
            format!("the file states its axes as {axes}, not (X/Y/Z); columns are read as x, y, z"),
        ))
    }
}

/// Reads up to and including the line with the labels; the sub-header is left to the rows.
pub(super) fn read<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Header> {
    let mut header = Header::default();
    let mut filled = lines.by_ref().filter(|(_, line)| !line.trim().is_empty());
    let mut last = 0;
    let mut next = |wanted: &str| {
        let found = filled.next();
        let line = found.map_or(last + 1, |(line, _)| line);
        last = line;
        let what = || format!("need {wanted}, got the end of the file");
        found.ok_or_else(|| Error::at_line(line, what()))
    };

    let mut keys = next("the line PathFileType")?;
    if starts_with(keys.1, "PathFileType") {
        header.axes = axes(keys.1);
        keys = next("the line DataRate, CameraRate, NumFrames, NumMarkers, Units")?;
    }
    if !starts_with(keys.1, "DataRate") {
        return Err(unexpected(keys, "DataRate, CameraRate, NumFrames, NumMarkers, Units"));
    }
    let values = next("the values of DataRate, CameraRate, NumFrames, NumMarkers, Units")?;
    header.take_values(keys.1, values.1);
    let labels = next("the line Frame#, Time and the labels")?;
    if !starts_with(labels.1, "Frame") {
        return Err(unexpected(labels, "Frame#, Time and the labels"));
    }
    header.labels = split_labels(labels.1)?;
    Ok(header)
}

impl Header {
    /// Pairs names with values: by tabs if that gives as many of both, else by white space, since
    /// some producers double the tabs.
    fn take_values(&mut self, keys: &str, values: &str) {
        let keys: Vec<&str> = keys.split_whitespace().collect();
        let tabbed: Vec<&str> = values.trim_end().split('\t').map(str::trim).collect();
        let values =
            if tabbed.len() == keys.len() { tabbed } else { values.split_whitespace().collect() };
        for (key, value) in keys.into_iter().zip(values) {
            match key.to_ascii_lowercase().as_str() {
                "datarate" => self.rate_hz = text::number(value),
                "numframes" => self.frames = text::number(value),
                "nummarkers" => self.markers = text::number(value),
                "units" => self.unit = Some(value.to_owned()),
                _ => {}
            }
        }
    }
}

fn starts_with(line: &str, word: &str) -> bool {
    line.trim_start().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

fn unexpected((line, found): (usize, &str), wanted: &str) -> Error {
    Error::at_line(line, format!("need the line {wanted}, got '{}'", text::cut(found.trim())))
}

fn axes(line: &str) -> Option<String> {
    let open = line.find('(')?;
    let close = line[open..].find(')')? + open;
    Some(line[open..=close].to_owned())
}

/// The labels after `Frame#` and `Time`.
///
/// Three cells apart is the rule, and then a blank in a label's place is a marker without a name.
/// Any other spacing is read as the filled cells in order.
fn split_labels(line: &str) -> Result<Vec<String>> {
    let mut labels: Vec<&str> = cells(line).skip(2).take(table::MAX_COLUMNS + 1).collect();
    if labels.len() > table::MAX_COLUMNS {
        return Err(Error::malformed(format!(
            "labels: need at most {} columns, got more",
            table::MAX_COLUMNS
        )));
    }
    while labels.last().is_some_and(|label| label.is_empty()) {
        labels.pop();
    }
    let three_apart = labels.iter().enumerate().all(|(at, label)| at % 3 == 0 || label.is_empty());
    let step = if three_apart { 3 } else { 1 };
    let picked = labels.iter().step_by(step).filter(|label| three_apart || !label.is_empty());
    Ok(picked.map(|&label| label.to_owned()).collect())
}
