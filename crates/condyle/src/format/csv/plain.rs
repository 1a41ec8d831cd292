//! Reading the plain layout, and tables of unknown layout.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::format::table::{self, MAX_COLUMNS};
use crate::format::{ReadOptions, text, timing};
use crate::trial::{LengthUnit, Note, Trial};

use super::cells;
use super::columns::{ChannelColumn, Layout, Rows};
use super::header::{self, Header};
use super::numbered;

/// The part of the rows that decides what a column holds; a file is rarely odder further down.
const COUNTED_ROWS: usize = 10_000;

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let delimiter = cells::delimiter(text);
    let top = find_header(text, delimiter)?;
    let lines = text.lines().skip(top.rows_from).filter(|line| !is_comment(line));
    let mut notes = Vec::new();
    let named = match &options.columns {
        Some(names) if names.len() != top.columns => {
            return Err(Error::malformed(format!(
                "columns: need {} names, got {}",
                top.columns,
                names.len()
            )));
        }
        Some(names) => Some(names.clone()),
        None => top.header.clone(),
    };
    let sensors = named.as_ref().and_then(|cells| numbered::plain_names(cells));
    if sensors.is_some() && options.unit.is_none() {
        let text =
            "the table states no unit: its trackers usually give centimetres (--units says better)";
        notes.push(Note::new("unit-assumed", text));
    }
    let usual = sensors.as_ref().map(|_| LengthUnit::Centimetre);
    let named = sensors.or(named);
    let mut header = match &named {
        Some(cells) => header::layout(cells, options.unit.or(usual)),
        None => Header { layout: headerless(top.columns), ..Header::default() },
    };
    if top.skipped > 0 {
        notes.push(Note::new(
            "lines-skipped",
            format!("{} lines around the header were skipped", top.skipped),
        ));
    }
    drop_text_columns(&mut header.layout, lines.clone(), delimiter, &mut notes);
    let Header { layout, rate, states_unit, incomplete } = header;
    let known = !layout.markers.is_empty() || !layout.bodies.is_empty();
    let rows = layout.read(lines.clone(), delimiter, bytes)?;
    if rows.frames == 0 {
        if !known {
            return Err(Error::malformed("csv: need at least one row with a number, got none"));
        }
        notes.push(Note::new("no-frames", "there is no row of data after the header"));
    }
    if let (true, Some(names), [first, ..]) = (known, &named, &incomplete[..]) {
        notes.push(Note::new(
            "incomplete-groups",
            format!(
                "{} columns are parts of markers or bodies that are not whole, the first is '{}'; \
                 they became channels",
                incomplete.len(),
                names[*first]
            ),
        ));
    }
    if !known {
        notes.push(Note::new(
            "unknown-layout",
            format!(
                "no column is named like a marker or a body; all {} numeric columns became channels",
                layout.channels.len()
            ),
        ));
    }
    let stated = rate.and_then(|at| first_number(lines, delimiter, at));
    let mut trial = match stated {
        Some(rate_hz) => with_stated_rate(rows, rate_hz, options),
        None => rows.into_trial(None, options),
    };
    trial.source.variant = if known { "plain" } else { "unknown columns" }.to_owned();
    trial.source.unit = layout.unit().unwrap_or(options.unit.unwrap_or(LengthUnit::Metre));
    if states_unit {
        trial.source.declared_unit = Some(trial.source.unit.symbol().to_owned());
    }
    notes.append(&mut trial.notes);
    trial.notes = notes;
    Ok(trial)
}

/// The rate column is only written where time stamps are too coarse, so the stamps have no say.
fn with_stated_rate(rows: Rows, rate_hz: f64, options: &ReadOptions) -> Trial {
    let start_s = timing::timing(rows.stamps_s.iter().copied()).start_s(rate_hz);
    let rows = Rows { stamps_s: Vec::new(), ..rows };
    let mut trial = rows.into_trial(Some(rate_hz), options);
    trial.start_s = start_s;
    trial
}

/// What stands above the rows.
struct Top {
    header: Option<Vec<String>>,
    rows_from: usize,
    /// The width of the first row.
    columns: usize,
    skipped: usize,
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Finds the first row of numbers; the header is the line above it with the most filled cells.
fn find_header(text: &str, delimiter: char) -> Result<Top> {
    let mut top = Top { header: None, rows_from: 0, columns: 0, skipped: 0 };
    let mut best = 0;
    let mut buffer: Vec<Cow<str>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || is_comment(line) {
            continue;
        }
        cells::split(line, delimiter, &mut buffer);
        if buffer.len() > MAX_COLUMNS {
            return Err(Error::at_line(
                at + 1,
                format!("columns: need at most {MAX_COLUMNS}, got more"),
            ));
        }
        if is_numeric(&buffer) {
            top.columns = buffer.len();
            top.rows_from = at;
            return Ok(top);
        }
        let filled = buffer.iter().filter(|cell| !cell.is_empty()).count();
        top.skipped += usize::from(top.header.is_some() || filled == 0);
        if filled > best {
            best = filled;
            top.header = Some(buffer.iter().map(|cell| cell.clone().into_owned()).collect());
            top.rows_from = at + 1;
        }
    }
    Ok(top)
}

/// Whether most of the filled cells are numbers; words for missing count for neither side.
fn is_numeric(cells: &[Cow<str>]) -> bool {
    let numbers = cells.iter().filter(|cell| text::number(cell).is_some()).count();
    let neutral = |cell: &str| {
        table::is_missing_word(cell)
            || ["measured", "filled", "predicted"].iter().any(|w| cell.eq_ignore_ascii_case(w))
    };
    let words = cells.iter().filter(|c| text::number(c).is_none() && !neutral(c)).count();
    numbers > words
}

fn headerless(columns: usize) -> Layout {
    let channel = |column: usize| ChannelColumn {
        label: format!("column_{}", column + 1),
        unit: String::new(),
        column,
    };
    Layout { channels: (0..columns).map(channel).collect(), ..Layout::default() }
}

/// Leaves out columns that hold words, or nothing at all.
fn drop_text_columns<'a>(
    layout: &mut Layout,
    lines: impl Iterator<Item = &'a str>,
    delimiter: char,
    notes: &mut Vec<Note>,
) {
    let mut counts = vec![(0usize, 0usize); layout.channels.len()];
    let mut buffer: Vec<Cow<str>> = Vec::new();
    for line in lines.take(COUNTED_ROWS) {
        cells::split(line, delimiter, &mut buffer);
        for (channel, (numbers, words)) in layout.channels.iter().zip(&mut counts) {
            let cell = buffer.get(channel.column).map_or("", |cell| cell.as_ref());
            if text::number(cell).is_some() {
                *numbers += 1;
            } else if !table::is_missing_word(cell) {
                *words += 1;
            }
        }
    }
    let mut counts = counts.into_iter();
    let mut dropped: Vec<String> = Vec::new();
    layout.channels.retain(|channel| {
        let (numbers, words) = counts.next().unwrap_or_default();
        let numeric = numbers > 0 && numbers >= words;
        if !numeric {
            dropped.push(channel.label.clone());
        }
        numeric
    });
    if !dropped.is_empty() {
        let shown = dropped.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let more = if dropped.len() > 5 { ", …" } else { "" };
        notes.push(Note::new(
            "text-columns",
            format!("{} columns without numbers were left out: {shown}{more}", dropped.len()),
        ));
    }
}

fn first_number<'a>(
    lines: impl Iterator<Item = &'a str>,
    delimiter: char,
    column: usize,
) -> Option<f64> {
    let mut buffer: Vec<Cow<str>> = Vec::new();
    for line in lines {
        cells::split(line, delimiter, &mut buffer);
        if let Some(number) = buffer.get(column).and_then(|cell| text::number(cell)) {
            return Some(number);
        }
    }
    None
}
