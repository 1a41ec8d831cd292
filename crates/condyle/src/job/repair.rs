//! What is repaired in a recording, in which order, and what was done.

use serde::{Deserialize, Serialize};

use super::sides;
use crate::grouping::{exchange, relabel};
use crate::plan::Plan;
use crate::solve;
use crate::subject::Subject;
use crate::trial::{Axis, Note, Trial};

/// Something that was repaired in a recording, or seen and left alone.
///
/// The order is always the same. Exchanged labels come first, those that are so throughout before those that change: a gap filled between two different markers would hide
/// where they changed places. A subject is fitted next, to samples that were measured and to no others. Then gaps are
/// filled, for solving. The axis that points up is inferred last, from the solved trunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "repair", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Repair {
    /// Two labels changed places.
    LabelsExchanged {
        /// The labels.
        labels: [String; 2],
        /// The frame from which on, counted from 0.
        frame: usize,
        /// Whether they were exchanged back; if not, distances to their neighbours do not show that they should.
        is_undone: bool,
    },
    /// Two markers bear each other's labels in all frames: left for right, or front for back. Exchanged back.
    LabelsExchangedThroughout {
        /// The labels.
        labels: [String; 2],
    },
    /// Gaps were filled, or could not be.
    GapsFilled {
        /// How many were.
        gaps: usize,
        /// The samples in them.
        samples: usize,
        /// How many were not, of the performers' markers, where more than short ones were to be filled.
        left: usize,
    },
    /// The recording does not say which axis is up; the trunk of its performer does.
    UpInferred {
        /// The axis.
        up: Axis,
    },
}

impl Repair {
    /// What to say of it; nothing of filled gaps.
    pub fn note(&self, trial: &Trial) -> Option<Note> {
        match self {
            Self::LabelsExchanged { labels: [a, b], frame, is_undone } => {
                let what = if *is_undone {
                    "exchanged back"
                } else {
                    "left as they are, the distances to their neighbours do not tell"
                };
                let number = trial.frame_number(*frame);
                let text = format!("{a} and {b} change places at frame {number}: {what}");
                Some(Note::new("labels-exchanged", text).about(a).at_frame(*frame))
            }
            Self::LabelsExchangedThroughout { labels: [a, b] } => {
                let text =
                    format!("{a} and {b} bear each other's label in all frames: exchanged back");
                Some(Note::new("labels-exchanged", text).about(a))
            }
            Self::GapsFilled { .. } => None,
            Self::UpInferred { up } => {
                let text =
                    format!("the recording does not say which axis is up: {up}, by the trunk");
                Some(Note::new("up", text))
            }
        }
    }
}

/// Exchanges labels back that changed places.
///
/// `segments` are markers that keep their distances.
pub(super) fn exchange_back(trial: &mut Trial, segments: &[Vec<usize>]) -> Vec<Repair> {
    let markers: Vec<usize> = segments.iter().flatten().copied().collect();
    let throughout = sides::exchanged(trial, &markers);
    for pair in &throughout {
        (0..trial.frames).for_each(|frame| trial.exchange(frame, *pair));
    }
    let found = exchange::find(trial, &markers);
    let undone = relabel::undo(trial, &found, segments);
    let label = |marker: usize| trial.markers[marker].label.clone();
    let throughout = throughout
        .into_iter()
        .map(|pair| Repair::LabelsExchangedThroughout { labels: pair.map(label) });
    let repair = |(exchange, is_undone): (exchange::Exchange, bool)| Repair::LabelsExchanged {
        labels: exchange.markers.map(label),
        frame: exchange.frame,
        is_undone,
    };
    throughout.chain(undone.into_iter().map(repair)).collect()
}

/// The markers of every segment of a plan's performers, as far as another recording has them under the same labels.
pub(super) fn planned_segments(plan: &Plan, planned: &Trial, trial: &Trial) -> Vec<Vec<usize>> {
    let column = |marker: &usize| {
        let label = &planned.markers.get(*marker)?.label;
        match trial.markers.get(*marker) {
            Some(same) if same.label == *label => Some(*marker),
            _ => trial.markers.iter().position(|marker| marker.label == *label),
        }
    };
    let segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    segments.map(|segment| segment.markers.iter().filter_map(column).collect()).collect()
}

/// The markers of every segment of a subject, those that a recording has.
pub(super) fn subject_segments(subject: &Subject, trial: &Trial) -> Vec<Vec<usize>> {
    let Ok(columns) = solve::columns(subject, &trial.labels()) else { return Vec::new() };
    let mut columns = columns.into_iter();
    let take = |count: usize| columns.by_ref().take(count).flatten().collect();
    subject.segments.iter().map(|segment| segment.markers.len()).map(take).collect()
}
