//! Recordings of keypoints in the main job: repaired, smoothed for the fit.

use std::ops::Range;

use nalgebra::Matrix3;

use super::Recording;
use super::repair::Repair;
use crate::error::{Error, Result};
use crate::keypoints;
use crate::marker_set::{self, KEYPOINTS, Side};
use crate::plan::{Performer, PlanOrigin};
use crate::subject::Subject;
use crate::swaps::Segments;
use crate::trial::{Note, Trial};

/// Whether a performer was recorded without markers.
pub(super) fn is_planned(performer: &Performer) -> bool {
    matches!(&performer.origin, PlanOrigin::Names { marker_set } if marker_set == KEYPOINTS)
}

/// Whether a subject was fitted to keypoints.
pub(super) fn is_of_keypoints(subject: &Subject) -> bool {
    subject.provenance.plan == KEYPOINTS
}

/// Why a recording of joints under their names is none of a body, where there are too few to be taken for one.
pub(super) fn too_few(trial: &Trial) -> Option<Error> {
    let labels: Vec<&str> = trial.markers.iter().map(|marker| marker.name()).collect();
    let are_joints = !labels.is_empty() && labels.iter().all(|label| keypoints::is_of_joint(label));
    let what = format!("keypoints: {NEEDED}, got {} alone", labels.join(", "));
    are_joints.then(|| Error::undetermined(what).with_code("keypoints-few"))
}

/// What tells how a body stands.
const NEEDED: &str = "need both hips, or one and their middle, and a shoulder, the neck or both knees, to tell how the \
                      pelvis stands";

/// Refuses what cannot be one person in space, or shows too little of one; says what is doubtful.
pub(super) fn check(performer: &Performer, trial: &Trial) -> Result<Vec<Note>> {
    let markers = performer.segments.iter().flat_map(|segment| &segment.markers);
    let markers: Vec<usize> = markers.copied().collect();
    let found = |patterns: &[&str]| -> Vec<(Side, &str)> {
        let labels = markers.iter().map(|m| trial.markers[*m].label.as_str());
        let side = |label: &str| patterns.iter().find_map(|p| marker_set::fits(p, label));
        labels.filter_map(|label| Some((side(label)?, label))).collect()
    };
    let hips = found(&["?HIP", "?HJCSTUDY", "HIP", "MIDHIP", "PELVIS", "HIPSCENTER"]);
    let above = found(&["?SHOULDER", "NECK", "?SHOULDERSTUDY"]);
    let knees = found(&["?KNEE", "?KNEESTUDY"]);
    // Two names of one hip are one hip.
    let has_two = |found: &[(Side, &str)]| found.iter().any(|(side, _)| *side != found[0].0);
    if !has_two(&hips) || (above.is_empty() && !has_two(&knees)) {
        let or_none = |labels: &[(Side, &str)]| match labels {
            [] => "none".to_owned(),
            _ => labels.iter().map(|(_, label)| *label).collect::<Vec<_>>().join(", "),
        };
        let what = format!(
            "keypoints: {NEEDED}, got of hips {}, above them {}, of knees {}, in all {} points",
            or_none(&hips),
            or_none(&above),
            or_none(&knees),
            markers.len()
        );
        return Err(Error::undetermined(what).with_code("keypoints-few"));
    }
    let segments: Vec<&[usize]> = performer.segments.iter().map(|s| &s.markers[..]).collect();
    let mut notes = keypoints::check(trial, &segments)?;
    if above.is_empty() {
        let text = "no shoulder and no neck: how the pelvis is tilted nothing shows, it stands over the thighs; angles \
                    of hips are to be taken with that";
        notes.push(Note::new("pelvis-tilt-assumed", text));
    }
    Ok(notes)
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
    let frozen = keypoints::remove_frozen(trial, markers);
    if !frozen.is_empty() {
        let samples = frozen.iter().map(|(_, frames)| frames.len()).sum();
        repairs.push(Repair::FrozenRemoved { samples, points: frozen.len() });
    }
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
    let mut bad = keypoints::find_bad(trial, markers);
    bad.extend(keypoints::frozen_stretches(&frozen, markers.len(), trial.frames));
    let bad = keypoints::joined_stretches(bad);
    let frames: Vec<Range<usize>> = bad.iter().map(|stretch| stretch.frames.clone()).collect();
    for stretch in bad {
        repairs.push(Repair::BadStretch {
            performer: performer.to_owned(),
            frame: stretch.frames.start,
            frames: stretch.frames.len(),
            why: stretch.why,
        });
    }
    let jumped = keypoints::remove_jumps(trial, markers, &frames);
    if !jumped.is_empty() {
        let samples = jumped.iter().map(|(_, frames)| frames.len()).sum();
        repairs.push(Repair::JumpsRemoved { samples, points: jumped.len() });
    }
    repairs
}

/// In shorter recordings one leap makes all frames bad, and says nothing of who was filmed.
const TELLING_S: f64 = 2.0;

/// Refuses recordings in which no frame is good.
pub(super) fn check_repaired(trial: &Trial, repairs: &[Repair], name: &str) -> Result<()> {
    let bad = bad_stretches(repairs, name);
    let is_good = |frame: &usize| bad.iter().all(|range| !range.contains(frame));
    let is_short = trial.frames as f64 <= TELLING_S * trial.rate_hz;
    if is_short || bad.is_empty() || (0..trial.frames).any(|frame| is_good(&frame)) {
        return Ok(());
    }
    let why = repairs.iter().find_map(|repair| match repair {
        Repair::BadStretch { performer, why, .. } if performer == name => Some(why.as_str()),
        _ => None,
    });
    let what = format!(
        "keypoints: need frames in which points move as those of one body, got none: {}; are points of two people \
         mixed?",
        why.unwrap_or_default()
    );
    Err(Error::undetermined(what).with_code("keypoints-mixed"))
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
        let trial = keypoints::smoothed_trial(
            &recording.trial,
            &own,
            &bad_stretches(repairs, &performer.name),
        );
        (Recording { name: recording.name.clone(), trial }, Vec::new())
    };
    recordings.iter().map(smooth).collect()
}

/// How many independent frames recordings count for: keypoints stray for as long as the body moves one way.
///
/// Chosen on simulated keypoints, seeds 20 to 23: of 1.1 s best at 3, of 15 and 23 s at 8.
pub(super) fn independent_frames(recordings: &[(Recording, Vec<Repair>)]) -> f64 {
    let seconds =
        |(r, _): &(Recording, Vec<Repair>)| r.trial.frames as f64 / r.trial.rate_hz.max(1.0);
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

/// How far the points of detectors are from the joints of a person's model, beyond what the fit assumes of any keypoint:
/// one standard deviation a coordinate, in metres.
///
/// Of OpenCap's walk, one person: root mean squares of 30, 18, 20, 40, 21 and 28 mm, less what the fit has.
const DETECTOR_OFFSETS_M: [(&str, f64); 6] = [
    ("hip", 0.026),
    ("knee", 0.010),
    ("ankle", 0.013),
    ("shoulder", 0.037),
    ("elbow", 0.015),
    ("wrist", 0.024),
];

/// Whether a point is one that detectors find beside the joints of the limbs: the recording is a detector's own.
fn is_of_detector(label: &str) -> bool {
    ["NOSE", "NECK", "?EYE", "?EAR", "MIDHIP"]
        .iter()
        .any(|pattern| marker_set::fits(pattern, label).is_some())
}

/// Adds what is known of detectors to the error bars of a subject that was fitted to their points, or to points that
/// were predicted from them: a prediction does not remove what is common to all of its sources.
pub(super) fn widen(subject: &mut Subject) {
    let mut labels = subject.segments.iter().flat_map(|s| &s.markers).map(|m| m.label.as_str());
    if !labels.any(|label| is_predicted(label) || is_of_detector(label)) {
        return;
    }
    for joint in &mut subject.joints {
        let offset = DETECTOR_OFFSETS_M.iter().find(|(name, _)| joint.name.ends_with(name));
        if let Some((_, sd_m)) = offset {
            joint.covariance_m2 += Matrix3::from_diagonal_element(sd_m * sd_m);
        }
    }
}
