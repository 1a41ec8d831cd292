//! The machine-readable form of `condyle solve`, documented in docs/json.md.

use std::path::Path;

use condyle::Trial;
use condyle::angles::JointAngles;
use condyle::job::{Performance, SolvedPerformer};
use condyle::solve::PlacedBy;
use condyle::trial::{Marker, Origin};
use serde_json::{Value, json};

use crate::terminal::{Out, Written, print_json};

/// Prints one object.
pub fn print(
    file: &Path,
    performance: &Performance,
    performer: &SolvedPerformer,
    out: Out,
) -> Written {
    let (trial, SolvedPerformer { subject, motion: solved, angles, .. }) =
        (&performance.trial, performer);
    let evidence = solved.evidence();
    let segments = subject.segments().iter().zip(solved.segments()).enumerate();
    let segments = segments.map(|(index, (segment, track))| {
        let frames = |placed| track.origin().frames_placed(placed);
        let mut report = json!({
            "name": segment.name,
            "frames_by_markers": frames(PlacedBy::ByMarkers),
            "frames_with_joints": frames(PlacedBy::WithJoints),
            "frames_twist_open": frames(PlacedBy::TwistOpen),
        });
        // A body is its only marker: how far playback moved it is what was discarded.
        if subject.is_of_bodies()
            && let Some(discarded_m) = evidence.marker_residual_m[index]
        {
            report["discarded_m"] = discarded_m.into();
        }
        report
    });
    let joints = subject.joints().iter().enumerate().map(|(index, joint)| {
        json!({
            "name": joint.name,
            "kind": joint.kind,
            "centre": joint.centre_known(),
            "sd_m": joint.worst_sd_m(),
            "from_motion": 1.0 - joint.from_knowledge,
            "from_knowledge": joint.from_knowledge,
            "frames": solved.joints()[index].frames_present(),
            "gap_m": evidence.separations_m[index],
            "bone_length_m": subject.bone_length_m(joint.child),
            "bone_sd_m": evidence.bone_sd_m[index],
            "angles": angles_json(&angles.joints[index], trial),
        })
    });
    let report = json!({
        "file": file.to_string_lossy(),
        "subject": subject.name,
        "frames": trial.frames,
        "rate_hz": Some(trial.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        "median_residual_m": evidence.residual_m,
        "filled_samples": trial.markers.iter().map(filled).sum::<usize>(),
        "segments": segments.collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
    });
    print_json(&report, out)
}

/// How many samples of a marker are estimates.
fn filled(marker: &Marker) -> usize {
    marker.origins().filter(|origin| matches!(origin, Origin::Filled | Origin::Predicted)).count()
}

fn angles_json(joint: &JointAngles, trial: &Trial) -> Value {
    json!({
        "convention": joint.convention.name(),
        "components": joint.components.each_ref().map(|component| component.name),
        "columns": joint.components.each_ref().map(|component| component.column.as_str()),
        "zero": joint.zero.in_words(trial),
        "centre": joint.centre_known,
        "range_rad": joint.range_rad,
        "near_gimbal_frames": joint.near_gimbal_frames(),
    })
}
