//! What `condyle hand --json` prints.

use condyle::Trial;
use condyle::hand::{Assignment, Followed};
use condyle::trial::Note;
use serde_json::{Map, Value, json};

use crate::terminal::print_json;

/// Prints what came of it.
pub fn print(
    followed: &Followed,
    trial: &Trial,
    assignment: &Assignment,
    notes: &[Note],
) -> anyhow::Result<()> {
    let label = |column: &Option<usize>| {
        column.and_then(|column| trial.markers.get(column)).map(|marker| marker.label.as_str())
    };
    let mut markers = Map::new();
    for (marker, column) in followed.model.markers.iter().zip(&assignment.palm) {
        markers.insert(marker.name.clone(), json!(label(column)));
    }
    let mut lost = Map::new();
    for (index, finger) in followed.model.fingers.iter().enumerate() {
        markers.insert(finger.tip.clone(), json!(label(&assignment.tips[index])));
        let gaps = followed.lost(index);
        lost.insert(
            finger.name.clone(),
            json!({
                "gaps": gaps.gaps,
                "longest_s": gaps.longest_frames as f64 / trial.rate_hz.max(1e-9),
                "predicted_error_mm": gaps.predicted_error_m * 1e3,
            }),
        );
    }
    let [limits, repairs] = followed.limits_and_repairs();
    let value = json!({
        "side": followed.model.side.name(),
        "markers": Value::Object(markers),
        "frames": followed.poses.len(),
        "frames_posed": followed.frames_posed(),
        "limits_active": limits,
        "repaired_intradigital": repairs,
        "lost": Value::Object(lost),
        "tip_residual_mm": followed.tip_residual_m().map(|rms_m| rms_m * 1e3),
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    print_json(&value, &mut std::io::stdout().lock())?;
    Ok(())
}
