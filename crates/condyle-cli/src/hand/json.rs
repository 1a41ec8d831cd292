//! What `condyle hand --json` prints.

use condyle::Trial;
use condyle::hand::{Summary, Tracked};
use condyle::trial::Note;
use serde::Serialize;

use crate::terminal::print_json;

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    summary: Summary,
    notes: Vec<String>,
}

/// Prints what came of it.
pub fn print(tracked: &Tracked, trial: &Trial, notes: &[Note]) -> anyhow::Result<()> {
    let notes = notes.iter().map(ToString::to_string).collect();
    let answer = Answer { summary: tracked.summary(trial), notes };
    print_json(&answer, &mut std::io::stdout().lock())?;
    Ok(())
}
