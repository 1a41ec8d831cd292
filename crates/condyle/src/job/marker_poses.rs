//! Which markers of calibration recordings a subject is known by, for labelling others.

use std::collections::HashSet;

use super::recording::Recording;
use super::repair::Repair;
use crate::calibrate::own_label;
use crate::label;
use crate::marker_set;
use crate::plan::Plan;
use crate::subject::{MarkerPoses, Subject};
use crate::trial::Trial;

/// Poses of a performer's markers; of one who is alone all markers, on segments
/// or not.
pub(super) fn of_performer(
    subject: &Subject,
    plan: &Plan,
    recordings: &[(Recording, Vec<Repair>)],
) -> Option<MarkerPoses> {
    let first = &recordings.first()?.0.trial;
    let own: HashSet<&str> = subject
        .segments()
        .iter()
        .flat_map(|segment| segment.markers.iter().map(|marker| marker.label.as_str()))
        .collect();
    let computed = marker_set::computed(first);
    // Several without names were told apart by motion alone, and a recording without labels shows them all.
    let is_alone =
        plan.performers.len() == 1 || plan.performers.iter().all(|other| other.name.is_empty());
    let (mut labels, mut markers): (Vec<String>, Vec<usize>) = Default::default();
    for (index, marker) in first.markers.iter().enumerate() {
        let label = own_label(&marker.label, &subject.name);
        let is_free = is_alone && !marker.is_unlabelled() && !computed.contains(&index);
        // What slipped has the place and the name of another.
        let is_slip = |repair: &Repair| matches!(repair, Repair::MarkerSlipped { after, .. } if *after == marker.label);
        if recordings.iter().any(|(_, repairs)| repairs.iter().any(is_slip)) {
            continue;
        }
        if (is_free || own.contains(label.as_str())) && !labels.contains(&label) {
            labels.push(label);
            markers.push(index);
        }
    }
    let columns = |trial: &Trial| -> Vec<Option<usize>> {
        let column = |marker: &usize| {
            let label = &first.markers[*marker].label;
            trial.markers.iter().position(|other| other.label == *label)
        };
        markers.iter().map(column).collect()
    };
    let trials: Vec<(&Trial, Vec<Option<usize>>)> = recordings
        .iter()
        .map(|(recording, _)| (&recording.trial, columns(&recording.trial)))
        .collect();
    label::marker_poses(labels, &trials).ok()
}
