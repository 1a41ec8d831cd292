//! Labels for markers that have none: trajectories of a recording are given the names that a subject's markers have.
//!
//! [`label`] says which fragment of which trajectory is which marker, or that it cannot tell; [`apply`] makes a
//! recording of the answer.

mod abstain;
mod agreement;
mod apply;
mod assign;
mod body_shape;
mod chirality;
mod decide;
mod given_others;
mod key_frame;
mod mirror;
mod pose;
mod recording;
mod scores;
#[cfg(test)]
mod tests;
mod tracklet;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::subject::MarkerPoses;
use crate::trial::Trial;

pub use agreement::Agreement;
pub use apply::{Relabelled, apply};
use body_shape::{OTHER_SUBJECT, SAME_SUBJECT};
use recording::Question;

/// With fewer labels distances do not tell who is who.
const MIN_LABELS: usize = 4;

/// What is known besides the subject.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Options {
    /// A frame, counted from 0, in which trajectories that bear a label of the subject bear the right one.
    pub labelled_frame: Option<usize>,
    /// Whether labels are wanted even if the subject is somebody else, or its markers sit elsewhere.
    pub suggest: bool,
}

/// Why a fragment has its label, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// It is where the label should be, as its neighbours have it.
    NeighboursFit,
    /// It has the label in the frame that is labelled.
    LabelledFrame,
    /// No label explains it well enough.
    NoLabelFits,
    /// Other labels explain it, or it and its neighbours, nearly as well.
    OtherLabelsFit,
    /// The subject does not fit: somebody else's label, a suggestion.
    OtherSubject,
}

/// A stretch of a trajectory without a gap.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Fragment {
    /// The index of the trajectory in the recording.
    pub track: usize,
    /// The first frame, counted from 0.
    pub first_frame: usize,
    /// How many frames.
    pub frames: usize,
    /// Which marker it is, by the subject's label.
    pub label: Option<String>,
    /// How sure the label is, from 0 to 1; 0 without a label.
    pub confidence: f64,
    /// Why it has its label, or none.
    pub reason: Reason,
}

/// Who is who in a recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Labelling {
    /// Every fragment, in the order of trajectories and of time.
    pub fragments: Vec<Fragment>,
    /// The labels that were looked for.
    pub labels: Vec<String>,
    /// How well the recording agrees with the subject.
    pub agreement: Agreement,
}

/// Gives names to trajectories without names, or with wrong ones, and to their fragments.
///
/// # Method
/// Distances between markers and the sides on which they sit, as the subject's calibration had them, first in some
/// frames by themselves (max-product on the graph of near markers), then over the whole recording, again and again;
/// no label is given twice at a time, none where another would do nearly as well. Names that the trajectories
/// have, their order, gravity and speed are not used. A mirror image is never taken for the subject.
///
/// # Errors
/// Fewer than four labels, no trajectory, a labelled frame that is not there; unless `suggest`, a subject
/// that does not fit: the distances that are constant in the recording are not those of the subject.
pub fn label(trial: &Trial, subject: &MarkerPoses, options: &Options) -> Result<Labelling> {
    let labels = subject.labels();
    let known = |index: usize| subject.poses_m().iter().any(|pose| pose[index].is_some());
    let seen = (0..labels.len()).filter(|index| known(*index)).count();
    if seen < MIN_LABELS {
        let what = format!("labels: need {MIN_LABELS} with a position, got {seen}");
        return Err(Error::undetermined(what).with_code("labels-few"));
    }
    let tracklets = tracklet::cut(trial);
    if tracklets.is_empty() {
        let what = "trajectories: need one with a position, got none";
        return Err(Error::undetermined(what).with_code("tracks-none"));
    }
    let mut given = vec![None; tracklets.len()];
    if let Some(frame) = options.labelled_frame {
        for (given, tracklet) in given.iter_mut().zip(&tracklets) {
            let name = trial.markers[tracklet.track].name();
            if (tracklet.first..tracklet.end()).contains(&frame) {
                *given = labels.iter().position(|label| label == name);
            }
        }
    }
    let looks = tracklet::looks(&tracklets, trial.frames, trial.rate_hz);
    let mut question = Question {
        tracklets: &tracklets,
        looks: &looks,
        given: &given,
        labels: labels.len(),
        poses: subject.poses_m(),
        frames: trial.frames,
        rate_hz: trial.rate_hz,
        tolerance: SAME_SUBJECT,
    };
    let (mut verdicts, agreement) = recording::solve(&question);
    let is_same = agreement.is_same_subject();
    if !is_same && !options.suggest {
        return Err(does_not_fit(&agreement));
    }
    if !is_same {
        question.tolerance = OTHER_SUBJECT;
        (verdicts, _) = recording::solve(&question);
    }
    let fragment = |(index, verdict): (usize, abstain::Verdict)| {
        let tracklet = &tracklets[index];
        let (confidence, reason) = match verdict.label {
            Some(_) if given[index].is_some() => (1.0, Reason::LabelledFrame),
            // Half of them may be wrong.
            Some(_) if !is_same => (verdict.confidence / 2.0, Reason::OtherSubject),
            _ => (verdict.confidence, verdict.reason),
        };
        Fragment {
            track: tracklet.track,
            first_frame: tracklet.first,
            frames: tracklet.frames(),
            label: verdict.label.map(|label| labels[label].clone()),
            confidence,
            reason,
        }
    };
    let fragments = verdicts.into_iter().enumerate().map(fragment).collect();
    Ok(Labelling { fragments, labels: labels.to_vec(), agreement })
}

fn does_not_fit(agreement: &Agreement) -> Error {
    let pairs = agreement.rigid_pairs;
    let got = match agreement.change_m {
        Some(change_m) if pairs > 0 => {
            format!("{:.0} mm apart (median of {pairs})", change_m * 1e3)
        }
        Some(change_m) => format!("none, and the steadiest {:.0} mm apart", change_m * 1e3),
        None => format!("{pairs} constant distances between markers that could be named"),
    };
    let what = format!(
        "subject: need constant distances that are those of the recording, got {got}: another performer, other \
         marker places, or another marker set"
    );
    Error::undetermined(what).with_code("subject-does-not-fit")
}

/// The one pose of a frame, counted from 0, in which some trajectories bear their labels.
///
/// # Errors
/// No such frame, or two trajectories of one label.
pub fn labelled_pose(trial: &Trial, markers: &[usize], frame: usize) -> Result<MarkerPoses> {
    if frame >= trial.frames {
        let what =
            format!("labelled frame: need one of {}, got number {}", trial.frames, frame + 1);
        return Err(Error::argument(what));
    }
    let labelled = markers.iter().filter_map(|index| {
        let marker = trial.markers.get(*index)?;
        Some((marker.name().to_owned(), marker.position_m(frame)?))
    });
    let (labels, pose): (Vec<String>, Vec<_>) =
        labelled.map(|(label, position_m)| (label, Some(position_m))).unzip();
    MarkerPoses::new(labels, vec![pose])
}

/// Poses of labelled markers for a subject: every recording comes with the trajectory of every label.
///
/// # Errors
/// A label twice.
pub fn marker_poses(
    labels: Vec<String>,
    recordings: &[(&Trial, Vec<Option<usize>>)],
) -> Result<MarkerPoses> {
    let frames: usize = recordings.iter().map(|(trial, _)| trial.frames).sum();
    let place = |mut frame: usize| {
        recordings.iter().find_map(|recording| match frame < recording.0.frames {
            true => Some((recording, frame)),
            false => {
                frame -= recording.0.frames;
                None
            }
        })
    };
    let pose = |frame: usize| -> pose::Pose {
        let Some(((trial, columns), frame)) = place(frame) else {
            return vec![None; labels.len()];
        };
        let position_m = |column: &Option<usize>| trial.markers[(*column)?].position_m(frame);
        columns.iter().map(position_m).collect()
    };
    let seen = |frame: usize| {
        place(frame).map_or(0, |((trial, columns), frame)| {
            let is_seen = |column: &&usize| trial.markers[**column].origin(frame).is_present();
            columns.iter().flatten().filter(is_seen).count()
        })
    };
    let poses_m = pose::choose(frames, seen, pose);
    MarkerPoses::new(labels, poses_m)
}
