//! Markers that are on no segment, and why.

use std::collections::HashSet;

use super::computed::is_computed;
use super::performers::Group;
use crate::plan::{Plan, Reason, SetAside};
use crate::trial::Trial;

/// What can be said of markers before anyone has looked for segments.
pub(super) struct Survey {
    /// Whether a marker is seen in any frame.
    pub(super) is_seen: Vec<bool>,
    /// Why a marker cannot be on a segment, if its label says so.
    pub(super) reasons: Vec<Option<Reason>>,
}

impl Survey {
    /// Looks at every marker; the groups are those of its labels.
    pub(super) fn of(trial: &Trial, groups: &[Group]) -> Self {
        let is_seen = |marker: &crate::trial::Marker| marker.origins().any(|o| o.is_present());
        let is_position = trial.is_position();
        let mut reasons = vec![None; trial.markers.len()];
        for group in groups {
            let all: HashSet<String> = group.markers.iter().map(|(_, word)| word.clone()).collect();
            for (marker, word) in &group.markers {
                reasons[*marker] = match &trial.markers[*marker] {
                    this if this.is_unlabelled() || word.is_empty() => Some(Reason::Unlabelled),
                    _ if !is_position[*marker] || is_computed(word, &all) => {
                        Some(Reason::ModelOutput)
                    }
                    _ => None,
                };
            }
        }
        Self { is_seen: trial.markers.iter().map(is_seen).collect(), reasons }
    }

    /// Sets aside every marker that is on no segment of a plan.
    pub(super) fn set_rest_aside(&self, plan: &mut Plan) {
        let mut is_done = vec![false; self.reasons.len()];
        let placed = plan.performers.iter().flat_map(|performer| &performer.segments);
        let placed = placed.flat_map(|segment| &segment.markers);
        placed.chain(plan.set_aside.iter().map(|aside| &aside.marker)).for_each(|marker| {
            is_done[*marker] = true;
        });
        for marker in (0..self.reasons.len()).filter(|marker| !is_done[*marker]) {
            let reason = match self.reasons[marker] {
                Some(reason) => reason,
                None if self.is_seen[marker] => Reason::NotClaimed,
                None => Reason::NeverSeen,
            };
            plan.set_aside.push(SetAside { marker, reason });
        }
        plan.set_aside.sort_by_key(|aside| aside.marker);
    }
}
