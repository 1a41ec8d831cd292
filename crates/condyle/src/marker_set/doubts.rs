//! What a recognition by names is not sure of, in words.

use super::recognise::{PrefixRecognition, Strength};
use crate::plan::{ExclusionReason, Performer, Plan};
use crate::trial::Note;

/// How many of many things a note spells out.
pub(super) const LISTED: usize = 8;

/// The first few of many things.
pub(super) fn listed(mut all: impl Iterator<Item = String>) -> String {
    let first: Vec<String> = all.by_ref().take(LISTED).collect();
    let more = if all.next().is_some() { ", …" } else { "" };
    first.join(", ") + more
}

fn whose(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name}: ") }
}

/// Points that behave like no markers.
pub(crate) fn no_markers(plan: &Plan, labels: &[&str]) -> Vec<Note> {
    let of = |reason: ExclusionReason| {
        let asides = plan.excluded.iter().filter(move |aside| aside.reason == reason);
        asides.map(|aside| labels[aside.marker].to_owned()).collect::<Vec<String>>()
    };
    let mut notes = Vec::new();
    let mut say = |code: &'static str, what: &str, labels: Vec<String>| {
        if !labels.is_empty() {
            let text =
                format!("{} of the points {what}: {}", labels.len(), listed(labels.into_iter()));
            notes.push(Note::new(code, text));
        }
    };
    say("points-never-seen", "are never seen, or too seldom", of(ExclusionReason::NeverSeen));
    say(
        "points-never-move",
        "never move and are taken for references, not markers",
        of(ExclusionReason::NeverMoves),
    );
    say(
        "points-combined",
        "are constant combinations of others and are taken for virtual, not markers",
        of(ExclusionReason::Combination),
    );
    notes
}

/// The set explains few labels.
pub(super) fn weak(recognised: &PrefixRecognition) -> Option<Note> {
    (recognised.strength == Strength::Weak).then(|| {
        let set = recognised.marker_set.unwrap_or_default();
        let (placed, labels) = (recognised.placed, recognised.labels);
        let whose = whose(&recognised.name);
        let text = format!("{whose}{set} explains only {placed} of {labels} labels");
        Note::new("marker-set-weak", text)
    })
}

/// Another set explains as many.
pub(super) fn ambiguous(recognised: &PrefixRecognition, rival: Option<&str>) -> Option<Note> {
    let (whose, set) = (whose(&recognised.name), recognised.marker_set?);
    let text = format!("{whose}taken as {set}, but {} explains the labels as well", rival?);
    Some(Note::new("marker-set-ambiguous", text))
}

/// Some labels mean nothing to anybody.
pub(super) fn unknown(
    recognised: &PrefixRecognition,
    unknown: &[usize],
    labels: &[&str],
) -> Option<Note> {
    if unknown.is_empty() {
        return None;
    }
    let unknown_labels = unknown.iter().map(|marker| labels[*marker].to_owned());
    let text = format!(
        "{}{} of {} labels match no known marker: {}",
        whose(&recognised.name),
        unknown.len(),
        recognised.labels,
        listed(unknown_labels)
    );
    Some(Note::new("labels-unknown", text))
}

/// The root is not what it naturally is.
pub(super) fn root(performer: &Performer, natural: &str) -> Option<Note> {
    let root = performer.segments.first().filter(|root| root.name != natural)?;
    let whose = whose(&performer.name);
    let text =
        format!("{whose}the root is the {}: the {natural} has fewer than 3 markers", root.name);
    Some(Note::new("root-moved", text))
}
