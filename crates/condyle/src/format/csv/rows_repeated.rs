//! Rows that a table holds twice: the time of the row before, and mostly its content.

use crate::statistics::median;
use crate::trial::Note;

use super::columns::Rows;

/// Where more than one row in this many has the time of another but not its content, the rows are not
/// copies: the table has a row for each sensor, or its clock stood still.
const ROWS_PER_CONTRADICTION: usize = 5;

/// Leaves out rows that have the time of the row before; without a time column, its frame number.
///
/// A clock so coarse that several rows fall on one tick says nothing about copies, so there they stay.
pub(super) fn left_out(mut rows: Rows) -> Rows {
    let clock = rows.clock();
    let mut kept: Vec<Option<usize>> = Vec::new();
    let (mut same, mut other) = (0, 0);
    let mut last: Option<usize> = None;
    for row in 0..clock.len() {
        match last.filter(|last| clock[row].is_some() && clock[*last] == clock[row]) {
            Some(last) if rows.is_same(last, row) => same += 1,
            Some(_) => other += 1,
            None => {
                last = Some(row);
                kept.push(last);
            }
        }
    }
    if same + other == 0 || kept.len() < 2 || is_coarse(&rows, &kept, other) {
        return rows;
    }
    let count = rows.frames;
    if other * ROWS_PER_CONTRADICTION > count {
        rows.notes.push(Note::new(
            "rows-repeated",
            format!(
                "{other} of {count} rows have the time of the row before and other content: kept as \
                 frames of their own, but a table needs all sensors of a frame in one row"
            ),
        ));
        return rows;
    }
    let mut text = format!("{same} rows repeat the row before, time and all: left out");
    if other > 0 {
        text = format!("{text}; {other} have its time but other content: the first is kept");
    }
    rows.notes.push(Note::new("rows-repeated", text));
    rows.rearranged(&kept)
}

/// Whether rows may share a time because the clock ticks too slowly for them.
fn is_coarse(rows: &Rows, kept: &[Option<usize>], other: usize) -> bool {
    let clock = rows.clock();
    let stamped: Vec<(usize, f64)> =
        kept.iter().flatten().filter_map(|row| Some((*row, clock[*row]?))).collect();
    let steps = stamped.windows(2).map(|pair| pair[1].1 - pair[0].1);
    let Some(usual) = median(steps.filter(|step| *step > 0.0)) else { return true };
    if usual > 2.0 * rows.clock_quantum(&stamped) {
        return false;
    }
    // On such a clock only copies among rows that otherwise change are told from a sensor at rest.
    let changes = stamped.windows(2).filter(|pair| !rows.is_same(pair[0].0, pair[1].0)).count();
    other > 0 || 2 * changes < stamped.len()
}
