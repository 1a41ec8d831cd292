//! The machine-readable form of `condyle fill`, documented in docs/json.md.

use condyle::Trial;
use condyle::fill::FilledGap;
use condyle::trial::Note;
use serde_json::json;

use super::FillArgs;
use crate::terminal::{Out, Written, print_json};

/// Prints one object.
pub fn print(
    args: &FillArgs,
    gaps: &[FilledGap],
    trial: &Trial,
    notes: &[Note],
    out: Out,
) -> Written {
    let gap = |gap: &FilledGap| {
        json!({
            "marker": trial.markers[gap.marker].label,
            "first_frame": trial.frame_number(gap.frames.start),
            "frames": gap.frames.len(),
            "method": gap.method.name(),
            "reason": gap.reason,
            "predicted_error_m": gap.predicted_error_m,
            "filled": gap.is_filled,
        })
    };
    let filled = json!({
        "input": args.input.to_string_lossy(),
        "output": args.output.to_string_lossy(),
        "gaps": gaps.iter().map(gap).collect::<Vec<_>>(),
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    print_json(&filled, out)
}
