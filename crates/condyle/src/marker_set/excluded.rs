//! Markers that are on no segment, and why.

use std::collections::HashSet;

use super::behaviour;
use super::computed::is_computed;
use super::performers::Group;
use crate::order;
use crate::plan::{ExcludedMarker, ExclusionReason, Plan};
use crate::trial::{Marker, Trial, is_unlabelled};

/// What can be said of markers before anyone has looked for segments.
pub(super) struct Survey {
    /// Whether a marker is seen in any frame.
    pub(super) is_seen: Vec<bool>,
    /// Why a marker cannot be on a segment, if its label says so.
    pub(super) reasons: Vec<Option<ExclusionReason>>,
    /// Why a marker that nothing claims is none, if its positions say so.
    behaviour: Vec<Option<ExclusionReason>>,
}

impl Survey {
    /// What labels alone say: every marker may be seen. The groups are those of the labels.
    pub(super) fn of_labels(labels: &[&str], groups: &[Group]) -> Self {
        let mut reasons = vec![None; labels.len()];
        for group in groups {
            let all: HashSet<String> = group.markers.iter().map(|(_, word)| word.clone()).collect();
            for (marker, word) in &group.markers {
                reasons[*marker] = match word {
                    word if word.is_empty() || is_unlabelled(labels[*marker]) => {
                        Some(ExclusionReason::Unlabelled)
                    }
                    word if is_computed(word, &all) => Some(ExclusionReason::ModelOutput),
                    _ => None,
                };
            }
        }
        let behaviour = vec![None; labels.len()];
        Self { is_seen: vec![true; labels.len()], reasons, behaviour }
    }

    /// The same, with what only a recording shows: what is never seen, and what its file says is no position.
    pub(super) fn of_trial(trial: &Trial, groups: &[Group]) -> Self {
        let mut survey = Self::of_labels(&trial.labels(), groups);
        let is_seen = |marker: &Marker| marker.origins().any(|origin| origin.is_present());
        survey.is_seen = trial.markers.iter().map(is_seen).collect();
        for (reason, is_position) in survey.reasons.iter_mut().zip(trial.is_position()) {
            if !is_position {
                reason.get_or_insert(ExclusionReason::ModelOutput);
            }
        }
        let is_open =
            |(reason, is_seen): (&Option<ExclusionReason>, &bool)| reason.is_none() && *is_seen;
        let is_open: Vec<bool> = survey.reasons.iter().zip(&survey.is_seen).map(is_open).collect();
        survey.behaviour = behaviour::reasons(trial, &is_open);
        survey
    }

    /// Sets aside every marker that is on no segment of a plan.
    pub(super) fn set_rest_aside(&self, plan: &mut Plan) {
        let mut is_done = vec![false; self.reasons.len()];
        let placed = plan.performers.iter().flat_map(|performer| &performer.segments);
        let placed = placed.flat_map(|segment| &segment.markers);
        placed.chain(plan.excluded.iter().map(|aside| &aside.marker)).for_each(|marker| {
            is_done[*marker] = true;
        });
        for marker in (0..self.reasons.len()).filter(|marker| !is_done[*marker]) {
            let reason = match self.reasons[marker] {
                Some(reason) => reason,
                None if self.is_seen[marker] => {
                    self.behaviour[marker].unwrap_or(ExclusionReason::NotClaimed)
                }
                None => ExclusionReason::NeverSeen,
            };
            plan.excluded.push(ExcludedMarker { marker, reason });
        }
        order::by_key(&mut plan.excluded, |aside| aside.marker);
    }
}
