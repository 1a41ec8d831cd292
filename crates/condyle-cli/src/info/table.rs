//! Several files: one row a file.

use super::summary::Summary;
use crate::info::Report;
use crate::terminal::{Out, Written, table};

const HEADER: [&str; 12] = [
    "file",
    "format",
    "markers",
    "bodies",
    "frames",
    "Hz",
    "s",
    "missing %",
    "units",
    "up",
    "analog",
    "notes",
];

/// Prints the table; a file that could not be read is a row too.
pub fn print(reports: &[Report], out: Out) -> Written {
    let mut rows = table::table(&HEADER, 2);
    for report in reports {
        let path = table::text(&report.path.to_string_lossy());
        rows.add_row(match &report.outcome {
            Ok(summary) => row(path, summary),
            Err(_) => unreadable(path),
        });
    }
    table::print(&rows, "", out)
}

fn row(path: String, summary: &Summary) -> Vec<String> {
    let [missing, samples] = summary.missing_samples();
    vec![
        path,
        summary.format.to_owned(),
        summary.count_of_markers().to_string(),
        summary.bodies.len().to_string(),
        summary.frames.to_string(),
        table::known(summary.rate_hz),
        table::known(summary.duration_s),
        table::percent(missing, samples),
        summary.unit.to_owned(),
        summary.up.unwrap_or("?").to_owned(),
        summary.channels.len().to_string(),
        summary.notes.len().to_string(),
    ]
}

fn unreadable(path: String) -> Vec<String> {
    let mut row = vec!["-".to_owned(); HEADER.len()];
    row[0] = path;
    row[1] = "error".to_owned();
    row
}
