//! `condyle groups` for people: a table a performer, then what is on no segment.

use condyle::Trial;
use condyle::job::FoundPlan;
use condyle::plan::{ExclusionReason, Performer, PlanOrigin, PlannedSegment};

use crate::terminal::say::printable;
use crate::terminal::table;
use crate::terminal::{Out, Written};

/// How many labels of markers set aside are spelled out for a reason.
const LABELS_SET_ASIDE: usize = 12;

/// How many doubts are spelled out.
const DOUBTS: usize = 5;

/// Why markers are set aside, in the order in which it matters.
const REASONS: [ExclusionReason; 7] = [
    ExclusionReason::NotClaimed,
    ExclusionReason::MovesAlone,
    ExclusionReason::NeverMoves,
    ExclusionReason::Combination,
    ExclusionReason::NeverSeen,
    ExclusionReason::Unlabelled,
    ExclusionReason::ModelOutput,
];

/// Prints every performer and what is left.
pub fn print(found: &FoundPlan, trial: &Trial, out: Out) -> Written {
    for performer in &found.plan.performers {
        print_performer(performer, trial, out)?;
    }
    for reason in REASONS {
        let asides = found.plan.excluded.iter().filter(|aside| aside.reason == reason);
        let labels: Vec<String> =
            asides.map(|aside| table::text(&trial.markers[aside.marker].label)).collect();
        if !labels.is_empty() {
            let listed = &labels[..labels.len().min(LABELS_SET_ASIDE)];
            let more = if labels.len() > listed.len() { " …" } else { "" };
            let (why, count) = (explained(reason), labels.len());
            writeln!(out, "set aside, {why}: {count}: {}{more}", listed.join(" "))?;
        }
    }
    let listed = found.doubts.iter().take(DOUBTS);
    for doubt in listed {
        let (what, instead) = (printable(&doubt.what), doubt.alternatives.join(", or "));
        writeln!(out, "doubtful, {:.1} to one: {what}; or {}", doubt.odds, printable(&instead))?;
    }
    if found.doubts.len() > DOUBTS {
        writeln!(out, "and {} that are less doubtful (--json)", found.doubts.len() - DOUBTS)?;
    }
    Ok(())
}

fn print_performer(performer: &Performer, trial: &Trial, out: Out) -> Written {
    let name = if performer.name.is_empty() { "performer" } else { &performer.name };
    let markers: usize = performer.segments.iter().map(|segment| segment.markers.len()).sum();
    let segments = performer.segments.len();
    let how = in_words(&performer.origin);
    writeln!(out, "{}: {segments} segments, {markers} markers, {how}", printable(name),)?;
    let mut rows = table::table(&["segment", "parent", "joint", "markers"], 4);
    for segment in &performer.segments {
        rows.add_row([
            table::text(&segment.name),
            parent(performer, segment),
            segment.joint_name.as_deref().map_or_else(|| "-".to_owned(), table::text),
            labels(performer, segment, trial),
        ]);
    }
    table::print(&rows, "  ", out)
}

fn parent(performer: &Performer, segment: &PlannedSegment) -> String {
    match segment.parent.and_then(|parent| performer.segments.get(parent)) {
        Some(parent) => table::text(&parent.name),
        None if performer.is_tree_known => "-".to_owned(),
        None => "?".to_owned(),
    }
}

/// The labels of a segment, without the prefix that names the performer.
fn labels(performer: &Performer, segment: &PlannedSegment, trial: &Trial) -> String {
    let short = |marker: &usize| {
        let label = &trial.markers[*marker].label;
        let rest = label.strip_prefix(&performer.name).filter(|_| !performer.name.is_empty());
        table::text(rest.map_or(label, |rest| rest.trim_start_matches([':', '_'])))
    };
    segment.markers.iter().map(short).collect::<Vec<_>>().join(" ")
}

/// Why a marker is on no segment, in words.
fn explained(reason: ExclusionReason) -> &'static str {
    match reason {
        ExclusionReason::ModelOutput => "a model computed it",
        ExclusionReason::Unlabelled => "it has no name",
        ExclusionReason::NeverSeen => "never seen",
        ExclusionReason::NotClaimed => "no segment claims it",
        ExclusionReason::MovesAlone => "it moves alone",
        ExclusionReason::NeverMoves => "it never moves",
        ExclusionReason::Combination => "it is a constant combination of others",
    }
}

/// How the segments of a performer were found, in a word or two.
fn in_words(origin: &PlanOrigin) -> String {
    match origin {
        PlanOrigin::Names { marker_set } => format!("by names: {marker_set}"),
        PlanOrigin::File => "from a file".to_owned(),
        PlanOrigin::Motion => "by motion".to_owned(),
        PlanOrigin::Bodies => "bodies with poses".to_owned(),
    }
}
