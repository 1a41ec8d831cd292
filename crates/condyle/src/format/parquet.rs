//! Apache Parquet: a table in columns, for pandas, Polars, DuckDB and the like. Written, not read.
//!
//! Columns: `frame` (64-bit integer), `time_s`, then `NAME_x`, `NAME_y`, `NAME_z` in metres of every marker and
//! `LABEL [UNIT]` (`LABEL` without a unit) of every channel at the rate of the frames, all doubles; null where there is no value.
//!
//! The file's metadata say what no column can: `condyle.units`, `condyle.up` (an axis, or empty), `condyle.events` (a
//! JSON array of `label`, `context`, `subject`, `time_s`), `condyle.error_bars` and `condyle.conventions` (lines).
//!
//! Without compression: numbers of a recording hardly shrink.
//!
//! # Reference
//! The Apache Software Foundation, *Apache Parquet format*.

use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::table::Labels;
use crate::error::{Error, ErrorKind, Result};
use crate::trial::{Axis, Channel, Marker, Note, Trial};

/// Frames that are written together.
const ROWS: usize = 1 << 16;

/// A column of numbers.
enum Column<'a> {
    Frame,
    Time,
    Coordinate(&'a Marker, usize),
    Channel(&'a Channel),
}

/// Writes markers and channels as a table, a row a frame; returns notes on what was left out.
///
/// # Errors
/// The trial has neither markers nor channels at the rate of the frames, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    write_with(trial, &[], out)
}

/// The same with lines on what the columns mean.
pub(crate) fn write_with(
    trial: &Trial,
    conventions: &[String],
    out: &mut impl Write,
) -> Result<Vec<Note>> {
    let mut names = Labels::default();
    let mut columns =
        vec![("frame".to_owned(), Column::Frame), ("time_s".to_owned(), Column::Time)];
    for marker in &trial.markers {
        let label = names.unique(&marker.label);
        for (axis, letter) in ["x", "y", "z"].iter().enumerate() {
            columns.push((format!("{label}_{letter}"), Column::Coordinate(marker, axis)));
        }
    }
    let fits = |c: &&Channel| c.rate_hz == trial.rate_hz && c.raw.len() == trial.frames;
    for channel in trial.channels.iter().filter(fits) {
        let label = match channel.unit.as_str() {
            "" => channel.label.clone(),
            unit => format!("{} [{unit}]", channel.label),
        };
        let label = names.unique(&label);
        columns.push((label, Column::Channel(channel)));
    }
    if columns.len() == 2 {
        return Err(Error::cannot_hold(
            "parquet: need markers or channels at the rate of the frames, got none",
        ));
    }
    let mut notes: Vec<Note> = names.note().into_iter().collect();
    let lost = trial.channels.iter().filter(|channel| !fits(channel)).count() + trial.bodies.len();
    if lost > 0 {
        let text = format!("{lost} channels of another rate and rigid bodies left out");
        notes.push(Note::new("not-written", text));
    }
    let bytes = table(trial, &columns, conventions).map_err(cannot_hold)?;
    out.write_all(&bytes)?;
    Ok(notes)
}

/// What no column can say.
fn metadata(trial: &Trial, conventions: &[String]) -> Vec<KeyValue> {
    let events: Vec<_> = trial
        .events
        .iter()
        .map(|event| {
            serde_json::json!({
                "label": event.label,
                "context": event.context,
                "subject": event.subject,
                "time_s": event.time_s,
            })
        })
        .collect();
    let pair = |key: &str, value: String| KeyValue::new(format!("condyle.{key}"), value);
    vec![
        pair("units", "positions in metres, times in seconds, others in brackets".to_owned()),
        pair("up", trial.source.up.map_or("", Axis::symbol).to_owned()),
        pair("events", serde_json::Value::Array(events).to_string()),
        pair(
            "error_bars",
            "columns that end in _sd_m, or in sd [deg]: one standard deviation".to_owned(),
        ),
        pair("conventions", conventions.join("\n")),
    ]
}

/// A column of a table that is no recording; all columns are as long, and no cell is empty.
pub(crate) enum Cells<'a> {
    Texts(Vec<&'a str>),
    Counts(Vec<i64>),
    Numbers(Vec<f64>),
}

/// Writes such a table, with lines on what its columns mean.
///
/// # Errors
/// Writing fails.
pub(crate) fn write_cells(
    columns: &[(&str, Cells<'_>)],
    conventions: &str,
    out: &mut impl Write,
) -> Result<()> {
    let bytes = cells(columns, conventions).map_err(cannot_hold)?;
    Ok(out.write_all(&bytes)?)
}

fn cannot_hold(error: ParquetError) -> ErrorKind {
    ErrorKind::CannotHold(format!("parquet: {}", error.to_string().to_lowercase()))
}

fn cells(columns: &[(&str, Cells<'_>)], conventions: &str) -> Result<Vec<u8>, ParquetError> {
    let field = |(name, column): &(&str, Cells<'_>)| {
        let (physical, logical) = match column {
            Cells::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Cells::Counts(_) => (Physical::INT64, None),
            Cells::Numbers(_) => (Physical::DOUBLE, None),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let conventions = KeyValue::new("condyle.conventions".to_owned(), conventions.to_owned());
    let properties = WriterProperties::builder()
        .set_created_by(concat!("condyle ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![conventions]))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (_, column) in columns {
        let Some(mut writer) = group.next_column()? else { continue };
        match column {
            Cells::Texts(texts) => {
                let texts: Vec<ByteArray> =
                    texts.iter().map(|text| ByteArray::from(*text)).collect();
                writer.typed::<ByteArrayType>().write_batch(&texts, None, None)?
            }
            Cells::Counts(counts) => writer.typed::<Int64Type>().write_batch(counts, None, None)?,
            Cells::Numbers(numbers) => {
                writer.typed::<DoubleType>().write_batch(numbers, None, None)?
            }
        };
        writer.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn table(
    trial: &Trial,
    columns: &[(String, Column<'_>)],
    conventions: &[String],
) -> Result<Vec<u8>, ParquetError> {
    let field = |(name, column): &(String, Column<'_>)| {
        let (physical, repetition) = match column {
            Column::Frame => (Physical::INT64, Repetition::REQUIRED),
            _ => (Physical::DOUBLE, Repetition::OPTIONAL),
        };
        Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("recording").with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("condyle ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_dictionary_enabled(false)
        .set_key_value_metadata(Some(metadata(trial, conventions)))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    for start in (0..trial.frames).step_by(ROWS) {
        let rows = start..(start + ROWS).min(trial.frames);
        let mut group = writer.next_row_group()?;
        for (_, column) in columns {
            write_column(trial, column, rows.clone(), &mut group)?;
        }
        group.close()?;
    }
    writer.into_inner()
}

fn write_column(
    trial: &Trial,
    column: &Column<'_>,
    rows: Range<usize>,
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    if let Column::Frame = column {
        let first = trial.first_frame;
        let frames: Vec<i64> = rows.map(|frame| first.saturating_add(frame as i64)).collect();
        writer.typed::<Int64Type>().write_batch(&frames, None, None)?;
        return writer.close();
    }
    let value = |frame: usize| match column {
        Column::Frame => None,
        Column::Time => {
            (trial.rate_hz > 0.0).then(|| trial.time_s(frame)).filter(|time_s| time_s.is_finite())
        }
        Column::Coordinate(marker, axis) => marker.position_m(frame).map(|p| p[*axis]),
        Column::Channel(channel) => channel.value(frame).filter(|value| value.is_finite()),
    };
    let levels: Vec<i16> = rows.clone().map(|frame| i16::from(value(frame).is_some())).collect();
    let values: Vec<f64> = rows.filter_map(value).collect();
    writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
    writer.close()
}
