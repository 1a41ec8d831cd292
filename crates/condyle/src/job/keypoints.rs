//! Recordings of keypoints in the main job: repaired, smoothed for the fit.

use std::ops::Range;

use super::Recording;
use super::repair::Repair;
use crate::keypoints;
use crate::marker_set::KEYPOINTS;
use crate::plan::{Performer, PlanOrigin};
use crate::subject::Subject;
use crate::swaps::Segments;
use crate::trial::Trial;

/// Whether a performer was recorded without markers.
pub(super) fn is_planned(performer: &Performer) -> bool {
    matches!(&performer.origin, PlanOrigin::Names { marker_set } if marker_set == KEYPOINTS)
}

/// Whether a subject was fitted to keypoints.
pub(super) fn is_of_keypoints(subject: &Subject) -> bool {
    subject.provenance.plan == KEYPOINTS
}

/// The markers of every performer, of the segments of all in a row.
pub(super) fn markers(performers: &[Performer], segments: &Segments) -> Vec<Vec<usize>> {
    let mut all = segments.markers.iter();
    let of_one = |performer: &Performer| {
        all.by_ref().take(performer.segments.len()).flatten().copied().collect()
    };
    performers.iter().map(of_one).collect()
}

/// Puts exchanged sides of one performer back and takes out what jumped.
pub(super) fn repair(trial: &mut Trial, performer: &str, markers: &[usize]) -> Vec<Repair> {
    let (plain, predicted): (Vec<usize>, Vec<usize>) =
        markers.iter().partition(|marker| !is_predicted(&trial.markers[**marker].label));
    let mut repairs = Vec::new();
    // Predicted points were made of keypoints as they were: they do not follow an exchange of those.
    if predicted.is_empty() {
        for exchanged in keypoints::put_back(trial, &plain) {
            let label = |marker: usize| trial.markers[marker].label.clone();
            repairs.push(Repair::SidesExchanged {
                pairs: exchanged.pairs.iter().map(|pair| pair.map(label)).collect(),
                frame: exchanged.frames.start,
                frames: exchanged.frames.len(),
            });
        }
    }
    for stretch in keypoints::find_bad(trial, markers) {
        repairs.push(Repair::BadStretch {
            performer: performer.to_owned(),
            frame: stretch.frames.start,
            frames: stretch.frames.len(),
            why: stretch.why,
        });
    }
    let jumped = keypoints::remove_jumps(trial, markers);
    if !jumped.is_empty() {
        let samples = jumped.iter().map(|(_, frames)| frames.len()).sum();
        repairs.push(Repair::JumpsRemoved { samples, points: jumped.len() });
    }
    repairs
}

/// The bad stretches of a performer.
pub(super) fn bad_stretches(repairs: &[Repair], name: &str) -> Vec<Range<usize>> {
    let of_repair = |repair: &Repair| match repair {
        Repair::BadStretch { performer, frame, frames, .. } if performer == name => {
            Some(*frame..frame + frames)
        }
        _ => None,
    };
    repairs.iter().filter_map(of_repair).collect()
}

/// The recordings with the points of a performer smoothed.
pub(super) fn smoothed(
    performer: &Performer,
    recordings: &[(Recording, Vec<Repair>)],
) -> Vec<(Recording, Vec<Repair>)> {
    let Some((first, _)) = recordings.first() else { return Vec::new() };
    let markers = performer.segments.iter().flat_map(|segment| &segment.markers);
    let labels: Vec<&str> = markers.map(|m| first.trial.markers[*m].label.as_str()).collect();
    let smooth = |(recording, repairs): &(Recording, Vec<Repair>)| {
        let own = recording.trial.markers.iter().enumerate();
        let own = own.filter(|(_, marker)| labels.contains(&marker.label.as_str()));
        let own: Vec<usize> = own.map(|(index, _)| index).collect();
        let trial = keypoints::smoothed_trial(&recording.trial, &own, &bad_stretches(repairs, &performer.name));
        (Recording { name: recording.name.clone(), trial }, Vec::new())
    };
    recordings.iter().map(smooth).collect()
}

/// How many independent frames recordings count for: keypoints stray for as long as the body moves one way.
///
/// Chosen on simulated keypoints, seeds 20 to 23: of 1.1 s best at 3, of 15 and 23 s at 8.
pub(super) fn independent_frames(recordings: &[(Recording, Vec<Repair>)]) -> f64 {
    let seconds = |(r, _): &(Recording, Vec<Repair>)| r.trial.frames as f64 / r.trial.rate_hz.max(1.0);
    let seconds: f64 = recordings.iter().map(seconds).sum();
    (FRAMES_A_SECOND * seconds).clamp(INDEPENDENT_FRAMES[0], INDEPENDENT_FRAMES[1])
}

const FRAMES_A_SECOND: f64 = 0.5;
const INDEPENDENT_FRAMES: [f64; 2] = [3.0, 10.0];

/// Whether a point was predicted from keypoints.
fn is_predicted(label: &str) -> bool {
    label.to_ascii_lowercase().ends_with("study")
}

/// A performer without the keypoints that anatomical points were predicted from: both are one piece of evidence.
pub(super) fn without_predicted_twice(performer: &Performer, trial: &Trial) -> Performer {
    let mut performer = performer.clone();
    let label = |marker: &usize| trial.markers[*marker].label.as_str();
    let mut all = performer.segments.iter().flat_map(|segment| &segment.markers);
    if !all.any(|marker| is_predicted(label(marker))) {
        return performer;
    }
    for segment in performer.segments.iter_mut().filter(|segment| segment.name != "head") {
        if segment.markers.iter().any(|marker| is_predicted(label(marker))) {
            segment.markers.retain(|marker| is_predicted(label(marker)));
        }
    }
    performer
}
