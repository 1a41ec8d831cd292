//! The machine-readable form of `condyle groups`, documented in docs/json.md.

use std::path::Path;

use condyle::Trial;
use condyle::job::FoundPlan;
use condyle::plan::{Performer, PlanOrigin};
use serde::Serialize;

use crate::terminal::{Out, Written};

#[derive(Serialize)]
struct GroupsJson<'a> {
    path: String,
    by: &'static str,
    performers: Vec<PerformerJson<'a>>,
    set_aside: Vec<AsideJson<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct PerformerJson<'a> {
    name: &'a str,
    found: &'static str,
    marker_set: Option<&'a str>,
    tree_known: bool,
    segments: Vec<SegmentJson<'a>>,
}

#[derive(Serialize)]
struct SegmentJson<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    joint: Option<&'a str>,
    rule: &'static str,
    markers: Vec<&'a str>,
    marker_indices: &'a [usize],
}

#[derive(Serialize)]
struct AsideJson<'a> {
    label: &'a str,
    index: usize,
    reason: &'static str,
}

/// Prints one object.
pub fn print(path: &Path, found: &FoundPlan, trial: &Trial, out: Out) -> Written {
    let label = |marker: usize| trial.markers[marker].label.as_str();
    let groups = GroupsJson {
        path: path.to_string_lossy().into_owned(),
        by: name(&found.by),
        performers: found.plan.performers.iter().map(|p| PerformerJson::of(p, trial)).collect(),
        set_aside: found
            .plan
            .set_aside
            .iter()
            .map(|aside| AsideJson {
                label: label(aside.marker),
                index: aside.marker,
                reason: aside.reason.name(),
            })
            .collect(),
        notes: found.notes.iter().map(ToString::to_string).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &groups)?;
    writeln!(out)
}

impl<'a> PerformerJson<'a> {
    fn of(performer: &'a Performer, trial: &'a Trial) -> Self {
        let name_of = |index: usize| performer.segments.get(index).map(|s| s.name.as_str());
        let marker_set = match &performer.origin {
            PlanOrigin::Names { marker_set } => Some(marker_set.as_str()),
            _ => None,
        };
        let segment = |segment: &'a condyle::plan::PlannedSegment| SegmentJson {
            name: &segment.name,
            parent: segment.parent.and_then(name_of),
            joint: segment.joint_name.as_deref(),
            rule: segment.joint_rule.name(),
            markers: segment.markers.iter().map(|m| trial.markers[*m].label.as_str()).collect(),
            marker_indices: &segment.markers,
        };
        Self {
            name: &performer.name,
            found: name(&performer.origin),
            marker_set,
            tree_known: performer.is_tree_known,
            segments: performer.segments.iter().map(segment).collect(),
        }
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
