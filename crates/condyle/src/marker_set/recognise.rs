//! Which marker set a recording uses, told by its labels.

use std::collections::{BTreeMap, HashSet};

use super::body::{self, Covered, Place};
use super::doubts;
use super::excluded::Survey;
use super::performers::{self, Group};
use super::rigid_bodies;
use super::table::Claim;
use super::verdict::Verdict;
use crate::plan::{ExcludedMarker, ExclusionReason, Performer, Plan, PlanOrigin};
use crate::trial::{Note, Trial};

/// A performer whose labels are placed to this share is recognised well.
pub const GOOD_SHARE: f64 = 0.7;

/// Below this share nothing is said to be recognised: it could be chance.
pub const WEAK_SHARE: f64 = 0.5;

/// What the labels of a recording say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recognition {
    /// The segments of every performer that was recognised.
    pub plan: Plan,
    /// Everyone whose labels share a prefix, recognised or not.
    pub performers: Vec<PrefixRecognition>,
    /// What is doubtful, and what matches nothing.
    pub notes: Vec<Note>,
}

/// How well the labels of one prefix were recognised.
#[derive(Debug, Clone, PartialEq)]
pub struct PrefixRecognition {
    /// The prefix of the labels; empty if they have none.
    pub name: String,
    /// The marker set that explains them best, if any does.
    pub marker_set: Option<&'static str>,
    /// How much better its score is than that of the second best set, 0 to 1.
    pub margin: f64,
    /// How sure that is.
    pub strength: Strength,
    /// How many of its labels are markers: they have a name and no model computed them.
    pub labels: usize,
    /// How many of these are on a segment by name, seen or not.
    pub placed: usize,
}

/// How sure a recognition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// Fewer than half of the labels are known: nothing was made of them.
    None,
    /// At least half of the labels are known.
    Weak,
    /// At least seven in ten labels are known.
    Good,
}

impl PrefixRecognition {
    /// The share of labels that are on a segment.
    pub fn share(&self) -> f64 {
        share(self.placed, self.labels)
    }
}

impl Recognition {
    /// The share of all labels of markers that are on a segment.
    pub fn share(&self) -> f64 {
        let sum = |count: fn(&PrefixRecognition) -> usize| self.performers.iter().map(count).sum();
        share(sum(|performer| performer.placed), sum(|performer| performer.labels))
    }

    /// Whether names alone will do: somebody is recognised well, nobody weakly, and what no set
    /// knows (props, machines) is less than half of the recording.
    pub fn is_good(&self) -> bool {
        let has = |strength| self.performers.iter().any(|p| p.strength == strength);
        !self.plan.performers.is_empty()
            && has(Strength::Good)
            && !has(Strength::Weak)
            && self.share() >= WEAK_SHARE
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Places markers on segments by their labels.
///
/// Every prefix (`JOE:`) is a performer. Points that a model computed and trajectories without a name are set aside;
/// parts of the body without a marker are left out. [`recognise_trial`] knows more: what was never seen.
///
/// # Method
/// A set's score is the harmonic mean of the share of labels it knows and the share of its own
/// markers that are there; the best score names the set, if it is 0.5 or more. What it leaves over,
/// or everything if no set was worn, goes by anatomical names that mean the same everywhere. A
/// performer is recognised if at least half of its labels ([`WEAK_SHARE`]) end up on two segments
/// or more, and recognised well from [`GOOD_SHARE`] on.
pub fn recognise(labels: &[&str]) -> Recognition {
    let groups = performers::groups(labels.iter().copied());
    recognise_surveyed(labels, &groups, &Survey::of_labels(labels, &groups))
}

/// The same for the labels of a recording: its samples show which markers are never seen, and its file may say which
/// points are no positions. Both are set aside.
pub fn recognise_trial(trial: &Trial) -> Recognition {
    let labels = trial.labels();
    let groups = performers::groups(labels.iter().copied());
    recognise_surveyed(&labels, &groups, &Survey::of_trial(trial, &groups))
}

fn recognise_surveyed(labels: &[&str], groups: &[Group], survey: &Survey) -> Recognition {
    let mut found = Recognition::default();
    if !as_rigid_bodies(labels, survey, &mut found) {
        for group in groups {
            place(group, labels, survey, &mut found);
        }
    }
    survey.set_rest_aside(&mut found.plan);
    found.notes.extend(doubts::no_markers(&found.plan, labels));
    found
}

/// Takes the whole recording as rigid bodies if most labels say so.
fn as_rigid_bodies(labels: &[&str], survey: &Survey, found: &mut Recognition) -> bool {
    let markers = 0..labels.len();
    let named: Vec<usize> = markers.filter(|marker| survey.reasons[*marker].is_none()).collect();
    let body_of = |marker: &usize| rigid_bodies::body(labels[*marker]);
    let placed = named.iter().filter(|marker| body_of(marker).is_some()).count();
    if placed == 0 || share(placed, named.len()) < GOOD_SHARE {
        return false;
    }
    let seen = named.iter().filter(|marker| survey.is_seen[**marker]);
    let segments =
        rigid_bodies::segments(seen.filter_map(|marker| Some((body_of(marker)?, *marker))));
    let is_tree_known = segments.len() == 1;
    let origin = PlanOrigin::Names { marker_set: rigid_bodies::NAME.to_owned() };
    if !segments.is_empty() {
        let name = String::new();
        found.plan.performers.push(Performer { name, origin, segments, is_tree_known });
    }
    found.performers.push(PrefixRecognition {
        name: String::new(),
        marker_set: Some(rigid_bodies::NAME),
        margin: 1.0,
        strength: Strength::Good,
        labels: named.len(),
        placed,
    });
    true
}

/// Places the markers of one prefix.
fn place(group: &Group, labels: &[&str], survey: &Survey, found: &mut Recognition) {
    let is_candidate = |(marker, _): &&(usize, String)| survey.reasons[*marker].is_none();
    let candidates: Vec<(usize, &str)> =
        group.markers.iter().filter(is_candidate).map(|(m, word)| (*m, word.as_str())).collect();
    if !candidates.iter().any(|(marker, _)| survey.is_seen[*marker]) {
        return;
    }
    let words: Vec<&str> = candidates.iter().map(|(_, word)| *word).collect();
    let verdict = Verdict::on(&words);
    let places = verdict.places();
    let computed = verdict.claims.iter().filter(|claim| **claim == Some(Claim::Computed)).count();
    let mut recognised = PrefixRecognition {
        name: group.prefix.clone(),
        marker_set: None,
        margin: 0.0,
        strength: Strength::None,
        labels: candidates.len() - computed,
        placed: places.iter().flatten().count(),
    };
    recognised.strength = strength(&recognised, &places);
    if recognised.strength == Strength::None {
        recognised.placed = 0;
        let all = candidates.iter().map(|(marker, _)| *marker).collect::<Vec<_>>();
        found.notes.extend(doubts::unknown(&recognised, &all, labels));
        found.performers.push(recognised);
        return;
    }
    recognised.marker_set = Some(verdict.name);
    recognised.margin = verdict.margin;
    let mut covered: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for ((&(marker, _), place), claim) in candidates.iter().zip(&places).zip(&verdict.claims) {
        match place {
            Some(place) if survey.is_seen[marker] => {
                covered.entry(*place).or_default().push(marker);
            }
            Some(_) => {}
            None if claim.is_some() => {
                let reason = ExclusionReason::ModelOutput;
                found.plan.excluded.push(ExcludedMarker { marker, reason });
            }
            None => unknown.push(marker),
        }
    }
    let covered: Vec<Covered> = covered
        .into_iter()
        .map(|(place, markers)| Covered { place, name: place.name(), markers })
        .collect();
    let natural_root = covered.first().map(|first| first.name.clone()).unwrap_or_default();
    // Keypoints are joints: two hips and what is between them and the shoulders place the pelvis.
    let is_keypoints = verdict.name == super::KEYPOINTS;
    let least_of_root = if is_keypoints { 1 } else { body::MARKERS_OF_A_ROOT };
    let performer = Performer {
        name: group.prefix.clone(),
        origin: PlanOrigin::Names { marker_set: verdict.name.to_owned() },
        segments: body::segments(covered, least_of_root),
        is_tree_known: true,
    };
    found.notes.extend(doubts::weak(&recognised));
    found.notes.extend(doubts::ambiguous(&recognised, verdict.rival));
    found.notes.extend(doubts::unknown(&recognised, &unknown, labels));
    found.notes.extend(doubts::root(&performer, &natural_root));
    if !performer.segments.is_empty() {
        found.plan.performers.push(performer);
    }
    found.performers.push(recognised);
}

fn strength(recognised: &PrefixRecognition, places: &[Option<Place>]) -> Strength {
    let parts: HashSet<Place> = places.iter().flatten().copied().collect();
    match recognised.share() {
        _ if parts.len() < 2 => Strength::None,
        share if share >= GOOD_SHARE => Strength::Good,
        share if share >= WEAK_SHARE => Strength::Weak,
        _ => Strength::None,
    }
}

#[cfg(test)]
mod spellings;
#[cfg(test)]
mod tests;
