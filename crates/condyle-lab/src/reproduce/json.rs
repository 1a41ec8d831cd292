//! What was found, for programs.

use std::io;

use serde::Serialize;

use super::Outcome;
use super::section::Line;
use condyle_page::terminal::{Out, Written};

#[derive(Serialize)]
struct Report<'a> {
    document: &'static str,
    seed: u64,
    full: bool,
    trials: Option<usize>,
    /// The page first.
    files: &'a [String],
    sections: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'static str,
    title: &'static str,
    lines: &'a [Line],
}

/// Prints one JSON object.
pub fn print(outcome: &Outcome, files: &[String], out: Out) -> Written {
    let mut sections = Vec::new();
    for (experiment, section) in &outcome.sections {
        let lines = section.lines.as_slice();
        sections.push(Part { name: experiment.name, title: experiment.title, lines });
    }
    let report = Report {
        document: outcome.document.name,
        seed: outcome.seed,
        full: outcome.effort.is_full,
        trials: outcome.effort.trials,
        files,
        sections,
    };
    serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
    writeln!(out)
}
