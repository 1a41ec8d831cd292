//! Point tables with a small header of keys, as Mokka and similar tools export them.
//!
//! ```text
//! Frame number,3812
//! First frame,1
//! Point frequency,200
//! Analog frequency,200
//!
//! Time,RAsis,,,LAsis,,
//! s,mm,mm,mm,mm,mm,mm
//! ,X,Y,Z,X,Y,Z
//! 0,38.2,999.4,40.3,47.8,973.7,-202.4
//! ```

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::format::{ReadOptions, text};
use crate::trial::{LengthUnit, Note, Trial};

use super::cells;
use super::grouped;

const KEYS: [&str; 4] = ["frame number", "first frame", "point frequency", "analog frequency"];

/// Whether the first cell of a file is one of the keys.
pub(super) fn is_key(cell: &str) -> bool {
    KEYS.iter().any(|key| cell.eq_ignore_ascii_case(key))
}

pub(super) fn read(text: &str, bytes: usize, options: &ReadOptions) -> Result<Trial> {
    let delimiter = cells::delimiter(text);
    let mut keys: HashMap<String, f64> = HashMap::new();
    let mut head = grouped::Rows::default();
    let mut rows_from = None;
    for (at, line) in text.lines().enumerate() {
        let cells = cells::split_owned(line, delimiter);
        if head.names.is_empty() {
            let value = cells.get(1).and_then(|cell| text::number(cell));
            if cells[0].eq_ignore_ascii_case("time") {
                head.names = cells;
            } else if let Some(value) = value.filter(|_| is_key(&cells[0])) {
                keys.insert(cells[0].to_ascii_lowercase(), value);
            }
        } else if text::number(&cells[0]).is_some() {
            rows_from = Some(at);
            break;
        } else if cells[0].is_empty() && head.axes.is_empty() && cells.iter().any(|c| !c.is_empty())
        {
            head.axes = cells;
        } else if head.units.is_empty() {
            head.units = cells;
        }
    }
    let Some(rows_from) = rows_from else {
        return Err(Error::malformed(
            "point table: need rows under a line that starts with Time, got none",
        ));
    };
    let (mut layout, _) = grouped::layout(&head, 1, options.unit);
    layout.time = Some(0);
    let rows = layout.read(text.lines().skip(rows_from), delimiter, bytes)?;
    let mut trial = rows.into_trial(keys.get("point frequency").copied(), options);
    if let Some(first) = keys.get("first frame") {
        trial.first_frame = *first as i64;
    }
    if let Some(&frames) = keys.get("frame number").filter(|&&frames| frames != trial.frames as f64)
    {
        let text = format!("the header promises {frames} frames, the data have {}", trial.frames);
        trial.notes.push(Note::new("wrong-count", text));
    }
    trial.source.variant = "point table".to_owned();
    trial.source.unit = layout.unit().unwrap_or(LengthUnit::Millimetre);
    trial.source.declared_unit = head.units.get(1).cloned();
    Ok(trial)
}
