//! Markers that slipped: what they are before and after are two markers of one segment.

use std::collections::BTreeMap;

use super::Recording;
use super::repair::Repair;
use crate::plan::Plan;
use crate::slips;
use crate::trial::{Marker, Origin, Trial};

/// Gives what a marker has after a slip a trajectory of its own.
pub(super) fn set_apart(trial: &mut Trial, segments: &[Vec<usize>]) -> Vec<Repair> {
    let markers: Vec<usize> = segments.iter().flatten().copied().collect();
    // Where every marker that slipped is by now, and how often it did.
    let mut now: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut repairs = Vec::new();
    for slip in slips::find(trial, &markers) {
        let (column, times) = now.get(&slip.marker).copied().unwrap_or((slip.marker, 0));
        let label = trial.markers[slip.marker].label.clone();
        let after = match times {
            0 => format!("{label}_slipped"),
            _ => format!("{label}_slipped{}", times + 1),
        };
        let mut later = Marker::all_missing(&after, trial.frames);
        for frame in slip.frame..trial.frames {
            later.copy_sample(frame, &trial.markers[column], frame);
            trial.markers[column].set(frame, None, Origin::Missing);
        }
        now.insert(slip.marker, (trial.markers.len(), times + 1));
        trial.markers.push(later);
        let slips::Slip { frame, shift_m, strength, .. } = slip;
        repairs.push(Repair::MarkerSlipped { label, after, frame, shift_m, strength });
    }
    repairs
}

/// The labels before and after of every marker that slipped.
fn before_and_after(repairs: &[Repair]) -> impl Iterator<Item = [String; 2]> + '_ {
    repairs.iter().filter_map(|repair| match repair {
        Repair::MarkerSlipped { label, after, .. } => Some([label.clone(), after.clone()]),
        _ => None,
    })
}

/// The labels of all markers that slipped, before and after.
pub(super) fn labels(repairs: &[Repair]) -> Vec<String> {
    before_and_after(repairs).flatten().collect()
}

/// Puts what slipped in any recording into the plan, which counts the markers of the first.
pub(super) fn add_to_plan(plan: &mut Plan, recordings: &mut [(Recording, Vec<Repair>)]) {
    let slipped: Vec<[String; 2]> =
        recordings.iter().flat_map(|(_, repairs)| before_and_after(repairs)).collect();
    let Some((first, _)) = recordings.first_mut() else { return };
    let trial = &mut first.trial;
    for [label, after] in slipped {
        let find = |trial: &Trial, label: &str| trial.markers.iter().position(|m| m.label == label);
        let Some(before) = find(trial, &label) else { continue };
        let column = find(trial, &after).unwrap_or_else(|| {
            trial.markers.push(Marker::all_missing(&after, trial.frames));
            trial.markers.len() - 1
        });
        let segments = plan.performers.iter_mut().flat_map(|performer| &mut performer.segments);
        for segment in segments.filter(|segment| segment.markers.contains(&before)) {
            if !segment.markers.contains(&column) {
                segment.markers.push(column);
            }
        }
    }
}
