//! A recording with the labels that were found.

use std::collections::HashSet;

use super::Labelling;
use crate::note::Note;
use crate::trial::{Marker, Trial};

/// A recording whose trajectories bear the labels that were found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Relabelled {
    /// Markers by label, joined from their fragments, then what has no label, under the names it had.
    pub trial: Trial,
    /// How many markers were joined from several trajectories.
    pub joined: usize,
    /// How many trajectories have fragments without a label.
    pub left: usize,
}

/// Joins fragments of the same label to one trajectory; what has no label keeps its name and its samples.
///
/// A trajectory without a label whose name was given to another is called `*NAME` from then on, with a note.
pub fn apply(trial: Trial, labelling: &Labelling) -> Relabelled {
    let mut trial = trial;
    let mut rest = std::mem::take(&mut trial.markers);
    let mut named: Vec<Marker> = Vec::new();
    let mut joined = 0;
    for label in &labelling.labels {
        let is_own = |label_of: &Option<String>| label_of.as_ref() == Some(label);
        let own = || labelling.fragments.iter().filter(|fragment| is_own(&fragment.label));
        if own().next().is_none() {
            continue;
        }
        let mut marker = Marker::all_missing(label.as_str(), trial.frames);
        for fragment in own() {
            let from = &mut rest[fragment.track];
            for frame in fragment.first_frame..fragment.first_frame + fragment.frames {
                marker.copy_sample(frame, from, frame);
                from.set(frame, None, crate::trial::Origin::Missing);
            }
        }
        let tracks: HashSet<usize> = own().map(|fragment| fragment.track).collect();
        joined += usize::from(tracks.len() > 1);
        if let [track] = tracks.iter().collect::<Vec<_>>()[..] {
            marker.description.clone_from(&rest[*track].description);
        }
        named.push(marker);
    }
    // A trajectory that was empty before stays.
    let is_spent: HashSet<usize> = labelling
        .fragments
        .iter()
        .filter(|fragment| fragment.label.is_some())
        .map(|fragment| fragment.track)
        .filter(|track| rest[*track].missing_samples() == rest[*track].frames())
        .collect();
    let given: HashSet<String> = named.iter().map(|marker| marker.label.clone()).collect();
    let mut taken = given.clone();
    taken.extend(rest.iter().map(|marker| marker.label.clone()));
    let mut left = 0;
    for (track, mut marker) in rest.into_iter().enumerate() {
        if is_spent.contains(&track) {
            continue;
        }
        left += 1;
        if given.contains(&marker.label) {
            let old = marker.label.clone();
            while taken.contains(&marker.label) {
                marker.label.insert(0, '*');
            }
            let text = format!("{old} is the label of another trajectory: now {}", marker.label);
            trial.notes.push(Note::new("label-taken", text).about(old));
            taken.insert(marker.label.clone());
        }
        named.push(marker);
    }
    trial.markers = named;
    Relabelled { trial, joined, left }
}
