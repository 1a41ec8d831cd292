//! The machine-readable form of `condyle groups`, documented in docs/json.md.

use std::path::Path;

use condyle::Trial;
use condyle::job::{FoundPlan, PlanDoubt};
use condyle::naming::{Naming, Side};
use condyle::plan::{ExcludedMarker, Performer, PlanOrigin, PlannedSegment};
use serde_json::{Value, json};

use crate::terminal::{Out, Written, print_json};

/// Prints one object.
pub fn print(path: &Path, found: &FoundPlan, trial: &Trial, out: Out) -> Written {
    let aside = |aside: &ExcludedMarker| {
        let label = &trial.markers[aside.marker].label;
        json!({ "label": label, "index": aside.marker, "reason": aside.reason.name() })
    };
    let performers = found.plan.performers.iter().enumerate();
    let performers = performers.map(|(index, performer)| {
        performer_json(performer, found.naming.get(index).and_then(Option::as_ref), trial)
    });
    let doubt = |doubt: &PlanDoubt| json!({ "what": doubt.what, "odds": doubt.odds, "alternatives": doubt.alternatives });
    let groups = json!({
        "path": path.to_string_lossy(),
        "by": name(&found.by),
        "performers": performers.collect::<Vec<_>>(),
        "set_aside": found.plan.excluded.iter().map(aside).collect::<Vec<_>>(),
        "doubts": found.doubts.iter().map(doubt).collect::<Vec<_>>(),
        "notes": found.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    print_json(&groups, out)
}

fn performer_json(performer: &Performer, naming: Option<&Naming>, trial: &Trial) -> Value {
    let name_of = |index: usize| performer.segments.get(index).map(|s| s.name.as_str());
    let marker_set = match &performer.origin {
        PlanOrigin::Names { marker_set } => Some(marker_set.as_str()),
        _ => None,
    };
    let segment = |(index, segment): (usize, &PlannedSegment)| {
        let named = naming.and_then(|naming| naming.segments.get(index)?.as_ref());
        let labels = segment.markers.iter().map(|m| trial.markers[*m].label.as_str());
        json!({
            "name": segment.name,
            "part": named.map(|named| named.part),
            "side": named.and_then(|named| side(named.side)),
            "confidence": named.map(|named| named.confidence),
            "side_confidence": named.map(|named| named.side_confidence),
            "parent": segment.parent.and_then(name_of),
            "joint": segment.joint_name,
            "rule": segment.joint_rule.name(),
            "markers": labels.collect::<Vec<_>>(),
            "marker_indices": segment.markers,
        })
    };
    json!({
        "name": performer.name,
        "found": name(&performer.origin),
        "marker_set": marker_set,
        "tree_known": performer.is_tree_known,
        "looks_like": naming.map(|naming| naming.creature.name()),
        "confidence": naming.map(|naming| naming.confidence),
        "segments": performer.segments.iter().enumerate().map(segment).collect::<Vec<_>>(),
    })
}

fn side(side: Side) -> Option<&'static str> {
    match side {
        Side::Left => Some("left"),
        Side::Right => Some("right"),
        Side::Unsaid => None,
    }
}

/// What told the segments, in a word.
fn name(origin: &PlanOrigin) -> &'static str {
    match origin {
        PlanOrigin::Names { .. } => "names",
        PlanOrigin::File => "file",
        PlanOrigin::Motion => "motion",
        PlanOrigin::Bodies => "bodies",
    }
}
