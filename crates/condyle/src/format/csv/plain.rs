//! Reading the plain layout, and tables of unknown layout.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::format::table::{self, MAX_COLUMNS};
use crate::format::{ReadOptions, text, timing};
use crate::trial::{LengthUnit, Note, Trial};

use super::cells;
use super::columns::{self, ChannelColumn, Layout, Rows};
use super::header::{self, Header};
use super::spelling::{self, Respelled};
use super::{numbered, rows_missing, rows_repeated, time_column};

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
        None => top
            .header
            .as_ref()
            .map(|own| own.iter().map(|cell| cells::name(cell).to_owned()).collect()),
    };
    // A table without a header has only numbers to go by.
    let is_nameless = named.is_none();
    let sensors = named.as_ref().and_then(|cells| numbered::plain_names(cells));
    if sensors.is_some() && options.unit.is_none() {
        let text = "the table states no unit: its trackers usually give centimetres";
        notes.push(Note::new("unit-assumed", text));
    }
    let usual = sensors.as_ref().map(|_| LengthUnit::Centimetre);
    let respelled = sensors.or(named).map(|cells| (spelling::respelled(&cells), cells));
    let mut header = match &respelled {
        Some((plain, _)) => header::layout(&plain.cells, options.unit.or(usual)),
        None => Header { layout: headerless(top.columns), ..Header::default() },
    };
    let skipped = "lines around the header were skipped";
    notes.extend(Note::counted(top.skipped, "lines-skipped", skipped));
    drop_text_columns(&mut header.layout, lines.clone(), delimiter, &mut notes);
    let Header { layout, rate, states_unit, incomplete, unknown, time_unit } = header;
    let known = !layout.markers.is_empty() || !layout.bodies.is_empty();
    let mut rows = layout.read(lines.clone(), delimiter, bytes)?;
    if let Some(unit) = time_unit {
        notes.extend(time_column::to_seconds(&mut rows.stamps_s, unit));
    }
    if rows.frames == 0 {
        if !known {
            return Err(Error::malformed("csv: need at least one row with a number, got none"));
        }
        notes.push(Note::new("no-frames", "there is no row of data after the header"));
    }
    if let Some((plain, names)) = respelled.as_ref().filter(|_| known) {
        notes.extend(about_channels(names, plain, &incomplete, &unknown, &layout));
    }
    if !known {
        let count = layout.channels.len();
        let text = match is_nameless {
            true => {
                format!("the table has no header; all {count} numeric columns became channels")
            }
            false => format!(
                "no column is named like a marker or a body; all {count} numeric columns became \
                 channels"
            ),
        };
        notes.push(Note::new("unknown-layout", text));
    }
    let stated = rate.and_then(|at| first_number(lines, delimiter, at));
    let mut trial = match stated {
        Some(rate_hz) => with_stated_rate(rows, rate_hz, options),
        None => {
            let rows = rows_repeated::left_out(rows);
            rows_missing::put_in(rows, layout.columns(), bytes).into_trial(None, options)
        }
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

/// Notes about columns that became channels though they may be meant for more.
fn about_channels(
    names: &[String],
    plain: &Respelled,
    incomplete: &[usize],
    unknown: &[usize],
    layout: &Layout,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if let [first, ..] = incomplete {
        let text = format!(
            "{} columns are parts of markers or bodies that are not whole, the first is '{}'; they \
             became channels",
            incomplete.len(),
            names[*first]
        );
        notes.push(Note::new("incomplete-groups", text));
    }
    if let [first, ..] = plain.unstated[..] {
        let text = format!(
            "{} columns such as '{}' are angles in an order that is not stated: they became channels \
             (NAME_ezyx1 and so on states it)",
            plain.unstated.len(),
            names[first]
        );
        notes.push(Note::new("rotation-convention", text));
    }
    let is_channel =
        |at: &&usize| layout.channels.binary_search_by_key(*at, |channel| channel.column).is_ok();
    let unknown: Vec<&str> =
        unknown.iter().filter(is_channel).map(|at| names[*at].as_str()).collect();
    let text = format!("columns are taken as channels: {}", first_few(&unknown));
    notes.extend(Note::counted(unknown.len(), "columns-unknown", &text));
    notes
}

/// The first names of a list.
fn first_few(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{shown}{more}")
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
    let neutral = |cell: &str| table::is_missing_word(cell) || columns::origin(cell).is_some();
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
    let labels: Vec<&str> = dropped.iter().map(String::as_str).collect();
    let text = format!("columns without numbers were left out: {}", first_few(&labels));
    notes.extend(Note::counted(dropped.len(), "text-columns", &text));
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
