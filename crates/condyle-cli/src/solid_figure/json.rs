//! A figure as JSON.

use condyle::figure::Figure;
use condyle::trial::Note;
use serde_json::json;

use crate::terminal::print_json;

/// Prints masses, moments and freedoms of every segment.
pub fn print(figure: &Figure, height_m: f64, notes: &[Note]) -> anyhow::Result<()> {
    let answer = json!({
        "segments": figure.summary(),
        "mass_kg": figure.mass_kg(),
        "height_m": height_m,
        "notes": notes,
    });
    Ok(print_json(&answer, &mut anstream::stdout())?)
}
