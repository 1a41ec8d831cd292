//! `condyle fill` for people: a row a marker, then the gaps that stay.

use condyle::Trial;
use condyle::fill::FilledGap;

use crate::terminal::say::printable;
use crate::terminal::table;
use crate::terminal::{Out, Written};

/// So many gaps that stay are spelled out.
const LISTED: usize = 12;

/// Prints what was filled and what was not.
pub fn print(gaps: &[FilledGap], trial: &Trial, out: Out) -> Written {
    if gaps.is_empty() {
        return writeln!(out, "no gaps");
    }
    let mut rows =
        table::table(&["marker", "methods", "gaps", "filled", "longest s", "error mm"], 2);
    for of_marker in gaps.chunk_by(|a, b| a.marker == b.marker) {
        let filled: Vec<&FilledGap> = of_marker.iter().filter(|gap| gap.is_filled).collect();
        let longest = of_marker.iter().map(|gap| gap.frames.len()).max().unwrap_or(0);
        let worst = filled.iter().filter_map(|gap| gap.predicted_error_m).reduce(f64::max);
        let mut methods: Vec<&str> = filled.iter().map(|gap| gap.method.name()).collect();
        methods.sort_unstable();
        methods.dedup();
        rows.add_row([
            table::text(&trial.markers[of_marker[0].marker].label),
            methods.join(" "),
            of_marker.len().to_string(),
            filled.len().to_string(),
            format!("{:.2}", longest as f64 / trial.rate_hz),
            worst.map_or_else(|| "-".to_owned(), |worst| format!("{:.1}", 1e3 * worst)),
        ]);
    }
    table::print(&rows, "  ", out)?;
    writeln!(out, "error mm: the largest predicted error of a gap, root mean square")?;
    let left: Vec<&FilledGap> = gaps.iter().filter(|gap| !gap.is_filled).collect();
    for gap in left.iter().take(LISTED) {
        let label = printable(&trial.markers[gap.marker].label);
        let first = trial.frame_number(gap.frames.start);
        let frames = gap.frames.len();
        writeln!(out, "not filled: {label}, {frames} frames from {first}: {}", gap.reason)?;
    }
    match left.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "not filled: {more} more"),
    }
}
