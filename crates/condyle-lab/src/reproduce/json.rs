//! What was found, for programs.

use std::io;

use serde_json::json;

use super::Outcome;
use condyle_page::terminal::{Out, Written};

/// Prints one JSON object; the page is the first of the files.
pub fn print(outcome: &Outcome, files: &[String], out: Out) -> Written {
    let sections = outcome.sections.iter().map(|(experiment, section)| {
        json!({ "name": experiment.name, "title": experiment.title, "lines": section.lines })
    });
    let report = json!({
        "document": outcome.document.name,
        "seed": outcome.seed,
        "full": outcome.effort.is_full,
        "trials": outcome.effort.trials,
        "files": files,
        "sections": sections.collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
    writeln!(out)
}
