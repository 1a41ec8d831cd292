//! Markers to segments: by the names of their labels, or by a file that says so.
//!
//! | wanted | function |
//! |---|---|
//! | a plan from labels | [`recognise`]; of a recording, with what its samples show, [`recognise_trial`] |
//! | the marker sets that are known | [`built_in`] |
//! | the points that a model computed | [`computed()`]; what every point is, [`kinds`] |
//! | a plan from a file: TOML, or one of Knight's two | [`PlanText`], [`from_text`] |
//! | a plan as TOML, to be edited | [`to_toml`] |
//! | Knight's files themselves, and a template for a recording | [`knight`] |

mod behaviour;
mod body;
mod collect;
mod computed;
mod doubts;
mod excluded;
mod file;
mod kind;
pub mod knight;
mod label;
mod lookup;
#[cfg(test)]
mod made_up;
mod performers;
mod plan_file;
mod readings;
mod recognise;
mod rigid_bodies;
mod score;
mod sets;
mod table;
mod tree;
mod verdict;

use crate::plan::{ExcludedMarker, ExclusionReason};
use crate::trial::{Note, Trial};

pub use file::{PlanText, from_text};
pub use kind::{PointKind, kinds};
pub use label::Side;
pub use plan_file::write as to_toml;
pub use recognise::{
    GOOD_SHARE, PrefixRecognition, Recognition, Strength, WEAK_SHARE, recognise, recognise_trial,
};

/// The points of a recording that a model computed, in ascending order: joint centres, axes, angles.
pub fn computed(trial: &Trial) -> Vec<usize> {
    let groups = performers::groups(trial.markers.iter().map(|marker| marker.label.as_str()));
    let reasons = excluded::Survey::of_trial(trial, &groups).reasons;
    let is_computed = |marker: &usize| reasons[*marker] == Some(ExclusionReason::ModelOutput);
    (0..reasons.len()).filter(is_computed).collect()
}

/// The points of a recording that are no markers, by the file, their labels or their behaviour, and what is to be said
/// of the last.
pub(crate) fn no_markers(trial: &Trial) -> (Vec<ExcludedMarker>, Vec<Note>) {
    use ExclusionReason::{Combination, ModelOutput, NeverMoves};
    let mut plan = recognise_trial(trial).plan;
    plan.excluded.retain(|aside| matches!(aside.reason, Combination | ModelOutput | NeverMoves));
    let notes = doubts::no_markers(&plan, &trial.labels());
    (plan.excluded, notes)
}

/// The set of points that cameras saw without markers.
pub const KEYPOINTS: &str = "pose keypoints";

/// The part of the human body that a segment's name means, and its side: `left thigh`, `Upper Left Leg`.
pub fn body_part(name: &str) -> Option<(&'static str, Side)> {
    body::Place::called(name).map(body::Place::part)
}

/// Whether a label fits a pattern (`?` the side, `#` a number), and which side it says.
pub fn fits(pattern: &str, label: &str) -> Option<Side> {
    let name = label::split(label).1;
    let fit = |name: &str| label::fit(pattern, &label::normal(name));
    // What stands before a separator may be whose it is.
    let behind = |(at, c): (usize, char)| &name[at + c.len_utf8()..];
    let separators = name.char_indices().filter(|(_, c)| !c.is_alphanumeric());
    fit(name).or_else(|| separators.map(behind).find_map(fit))
}

/// Labels of one performer that differ in their side alone, left first.
pub(crate) fn side_pairs(labels: &[&str]) -> Vec<[usize; 2]> {
    let name = |label: &&str| {
        let (prefix, name) = label::split(label);
        (prefix.to_owned(), label::normal(name))
    };
    let names: Vec<(String, String)> = labels.iter().map(name).collect();
    let of_left = |(left, (prefix, name)): (usize, &(String, String))| {
        let other = (prefix.clone(), format!("R{}", name.strip_prefix('L')?));
        Some([left, names.iter().position(|name| *name == other)?])
    };
    names.iter().enumerate().filter_map(of_left).collect()
}

/// Where a part of the body stands, from the middle outwards: of two neighbours the later is the distal one.
pub(crate) fn outwards(part: &str) -> Option<usize> {
    body::PARTS.iter().position(|known| known.name == part)
}

/// The joint between two segments whose names mean neighbouring parts of the body: `left knee`.
pub fn joint_between(one: &str, other: &str) -> Option<String> {
    body::joint_between(body::Place::called(one)?, body::Place::called(other)?)
}

/// The parents of segments whose names all mean parts of one body, if they make one tree.
pub fn parents_by_name(names: &[&str]) -> Option<Vec<Option<usize>>> {
    let places: Vec<body::Place> =
        names.iter().map(|name| body::Place::called(name)).collect::<Option<_>>()?;
    let distinct: std::collections::BTreeSet<&body::Place> = places.iter().collect();
    let parents = body::parents(&places);
    let roots = parents.iter().filter(|parent| parent.is_none()).count();
    (distinct.len() == names.len() && roots == 1).then_some(parents)
}

/// Whether a label is one of a marker set that [`built_in`] names, whatever the case; nothing if there is no such set.
pub fn has_label(set: &str, label: &str) -> Option<bool> {
    let mut sets = sets::SETS.set.iter().chain([&sets::SETS.general]);
    let set = sets.find(|known| known.name.eq_ignore_ascii_case(set))?;
    let claim = set.claim(&label::normal(label::split(label).1));
    Some(claim.is_some_and(|claim| claim.place().is_some()))
}

/// The names of the marker sets that [`recognise`] knows.
pub fn built_in() -> impl Iterator<Item = &'static str> {
    let sets = sets::SETS.set.iter().chain([&sets::SETS.general]);
    sets.map(|set| set.name.as_str()).chain([rigid_bodies::NAME])
}
