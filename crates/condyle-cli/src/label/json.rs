//! Who is who, for programs.

use condyle::label::{Fragment, Labelling, Relabelled};
use condyle::trial::Note;
use serde_json::json;

use super::LabelArgs;
use crate::terminal::{Out, Written, print_json};

/// Prints every fragment with its label.
pub fn print(
    args: &LabelArgs,
    labelling: &Labelling,
    applied: &Relabelled,
    notes: &[Note],
    out: Out,
) -> Written {
    let track = |fragment: &Fragment| {
        json!({
            "track": fragment.track,
            "first_frame": applied.trial.frame_number(fragment.first_frame),
            "frames": fragment.frames,
            "label": fragment.label,
            "confidence": fragment.confidence,
            "reason": fragment.reason,
        })
    };
    let agreement = &labelling.agreement;
    let answer = json!({
        "input": args.input.to_string_lossy(),
        "output": args.output.as_ref().map(|path| path.to_string_lossy()),
        "is_same_subject": agreement.is_same_subject(),
        "rigid_pairs": agreement.rigid_pairs,
        "change_m": agreement.change_m,
        "joined": applied.joined,
        "left": applied.left,
        "tracks": labelling.fragments.iter().map(track).collect::<Vec<_>>(),
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    print_json(&answer, out)
}
