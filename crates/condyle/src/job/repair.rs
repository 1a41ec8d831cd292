//! What is repaired in a recording, in which order, and what was done.

use serde::{Deserialize, Serialize};

use super::bodies;
use super::options::Options;
use super::plan::plan_markers;
use super::resting::{self, Rests};
use super::{spikes, straight};
use crate::error::Result;
use crate::grouping::exchange;
use crate::plan::Plan;
use crate::solve;
use crate::subject::Subject;
use crate::swaps::{self, Segments};
use crate::trial::{Axis, Note, Trial};

/// Something that was repaired in a recording, or seen and left alone.
///
/// The order is always the same. Markers that lie on the floor are left out, or they would seem to be others. Exchanged
/// labels come next, those that are so throughout before those that change: a
/// gap filled between two different markers would hide where they changed places. Markers that slipped become two. A
/// subject is fitted next, to samples that were measured and to no others. Then gaps are filled, for solving. The axis
/// that points up is inferred last, from the solved trunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "repair", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Repair {
    /// Labels changed places.
    LabelsExchanged {
        /// The labels, two or more: each bore the next one's marker, the last the first one's.
        labels: Vec<String>,
        /// The first frame, counted from 0.
        frame: usize,
        /// How many frames; 0 where they were left as they are, as the motion does not show until when.
        frames: usize,
        /// Whether they were exchanged back.
        is_undone: bool,
    },
    /// Markers bear each other's labels in all frames: left for right, front for back, or a whole limb. Exchanged back.
    LabelsExchangedThroughout {
        /// The labels, in pairs.
        pairs: Vec<[String; 2]>,
    },
    /// A marker rests while its segment goes on: it fell off, or the last place where it was seen is repeated. Its
    /// samples are taken out.
    MarkerRests {
        /// Its label.
        label: String,
        /// The first frame, counted from 0.
        frame: usize,
        /// How many frames.
        frames: usize,
        /// Whether the samples repeat to the last digit.
        is_held: bool,
    },
    /// Samples of markers jump away for a frame or two and come back. They are taken out.
    SpikesRemoved {
        /// The labels of the markers.
        labels: Vec<String>,
        /// How many samples.
        samples: usize,
        /// The frame of the first one, counted from 0.
        frame: usize,
    },
    /// Samples of markers are on a straight line between two others: a program joined the ends of a gap. They are taken out.
    LinesRemoved {
        /// The labels of the markers.
        labels: Vec<String>,
        /// How many samples.
        samples: usize,
        /// The frame of the first one, counted from 0.
        frame: usize,
    },
    /// A marker slipped on its segment and stayed there: before and after are two markers.
    MarkerSlipped {
        /// Its label.
        label: String,
        /// The label of what it is afterwards.
        after: String,
        /// The first frame after it, counted from 0.
        frame: usize,
        /// How far it slipped, in metres.
        shift_m: f64,
        /// How sure, as a logarithm of odds: how much likelier its motion is with the slip than without.
        strength: f64,
    },
    /// Keypoints of the two sides were taken for each other: exchanged back.
    SidesExchanged {
        /// The labels, left and right.
        pairs: Vec<[String; 2]>,
        /// The first frame, counted from 0.
        frame: usize,
        /// How many frames.
        frames: usize,
    },
    /// Keypoints are where no body can be: left as they are, and not used to fit.
    BadStretch {
        /// Whose, as its labels say; empty if they do not.
        performer: String,
        /// The first frame, counted from 0.
        frame: usize,
        /// How many frames.
        frames: usize,
        /// Why, in words.
        why: String,
    },
    /// Keypoints repeated the frame before for a while: samples taken out.
    FrozenRemoved {
        /// How many.
        samples: usize,
        /// Of how many points.
        points: usize,
    },
    /// Keypoints jumped: samples taken out.
    JumpsRemoved {
        /// How many.
        samples: usize,
        /// Of how many points.
        points: usize,
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
            Self::LabelsExchanged { labels, frame, frames, is_undone } => {
                let (last, others) = labels.split_last()?;
                let who = format!("{} and {last}", others.join(", "));
                let number = trial.frame_number(*frame);
                let text = match is_undone {
                    true => format!(
                        "{who} bear each other's labels in frames {number} to {}: exchanged back",
                        trial.frame_number(frame + frames.saturating_sub(1))
                    ),
                    false => format!(
                        "{who} change places at frame {number}: left as they are, the motion does not tell \
                         until when"
                    ),
                };
                Some(Note::new("labels-exchanged", text).about(&labels[0]).at_frame(*frame))
            }
            Self::LabelsExchangedThroughout { pairs } => {
                let who: Vec<String> = pairs.iter().map(|[a, b]| format!("{a} and {b}")).collect();
                let who = who.join(", ");
                let text = format!("{who} bear each other's label in all frames: exchanged back");
                Some(Note::new("labels-exchanged", text).about(&pairs.first()?[0]))
            }
            Self::MarkerRests { label, frame, frames, is_held } => {
                let how = match is_held {
                    true => "repeats one place",
                    false => "stays on one spot",
                };
                let text = format!(
                    "{label} {how} in frames {} to {} while its neighbours move: not on the body, left out there",
                    trial.frame_number(*frame),
                    trial.frame_number(frame + frames.saturating_sub(1))
                );
                Some(Note::new("marker-rests", text).about(label).at_frame(*frame))
            }
            Self::SpikesRemoved { labels, samples, frame } => {
                let who = listed(labels);
                let plural = if *samples == 1 { "sample jumps" } else { "samples jump" };
                let text = format!(
                    "{samples} {plural} away and back within a frame or two, of {who}, from frame {} on: left out",
                    trial.frame_number(*frame)
                );
                Some(Note::new("marker-spikes", text).about(labels.first()?).at_frame(*frame))
            }
            Self::LinesRemoved { labels, samples, frame } => {
                let text = format!(
                    "{samples} samples of {} are on straight lines while their neighbours are not, from frame {} on: \
                     gaps that were joined, left out",
                    listed(labels),
                    trial.frame_number(*frame)
                );
                Some(Note::new("marker-lines", text).about(labels.first()?).at_frame(*frame))
            }
            Self::MarkerSlipped { label, after, frame, shift_m, strength } => {
                let text = format!(
                    "{label} slips by {:.0} mm at frame {} ({:.2} s; log odds {strength:.0}): \
                     before and after are two markers, the second is {after}",
                    shift_m * 1e3,
                    trial.frame_number(*frame),
                    trial.time_s(*frame)
                );
                Some(Note::new("marker-slipped", text).about(label).at_frame(*frame))
            }
            Self::SidesExchanged { pairs, frame, frames } => {
                let who: Vec<String> = pairs.iter().map(|[l, r]| format!("{l} and {r}")).collect();
                let text = format!(
                    "{} are exchanged in frames {} to {}: put back",
                    who.join(", "),
                    trial.frame_number(*frame),
                    trial.frame_number(frame + frames.saturating_sub(1))
                );
                let first = pairs.first().map_or("", |pair| pair[0].as_str());
                Some(Note::new("sides-exchanged", text).about(first).at_frame(*frame))
            }
            Self::BadStretch { frame, frames, why, .. } => {
                let text = format!(
                    "frames {} to {} are not to be trusted: {why}",
                    trial.frame_number(*frame),
                    trial.frame_number(frame + frames.saturating_sub(1))
                );
                Some(Note::new("bad-stretch", text).at_frame(*frame))
            }
            Self::FrozenRemoved { samples, points } => {
                let text = format!(
                    "{samples} samples of {points} keypoints repeat the frame before for a while: left out"
                );
                Some(Note::new("keypoints-frozen", text))
            }
            Self::JumpsRemoved { samples, points } => {
                let text = format!("{samples} samples of {points} keypoints jump: left out");
                Some(Note::new("keypoints-jump", text))
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

/// Up to four labels, or the first two and how many more.
fn listed(labels: &[String]) -> String {
    match labels {
        [all @ .., last] if labels.len() <= 4 && !all.is_empty() => {
            format!("{} and {last}", all.join(", "))
        }
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
        all => all.join(", "),
    }
}

/// Exchanges labels back that changed places, as [`run`](super::run) does before anything else.
///
/// For whoever repairs a recording and solves nothing: gaps must be filled after this.
///
/// # Errors
/// The segments of the recording, within which markers keep their distances, are not found.
pub fn exchange_labels_back(trial: &mut Trial, options: &Options) -> Result<Vec<Repair>> {
    if bodies::is_body_recording(trial, options) {
        return Ok(Vec::new());
    }
    let segments = match &options.subject {
        Some(subject) => subject_segments(subject, trial),
        None => planned_segments(&plan_markers(trial, options)?.plan, trial, trial),
    };
    Ok(exchange_back(trial, &segments))
}

/// Takes out what is not on the body, and exchanges labels back that changed places.
///
/// `segments` are markers that keep their distances.
pub(super) fn exchange_back(trial: &mut Trial, segments: &Segments) -> Vec<Repair> {
    let markers = segments.markers.concat();
    let lines = straight::take_out(trial, segments);
    let mut rests = resting::take_out(trial, segments, Rests::Obvious);
    let throughout = swaps::put_back_throughout(trial, segments);
    let swaps = swaps::put_back(trial, &markers);
    rests.extend(resting::take_out(trial, segments, Rests::All));
    rests.extend(spikes::take_out(trial, segments));
    // What still jumps crosswise.
    let left = exchange::find(trial, &markers);
    let label = |marker: usize| trial.markers[marker].label.clone();
    let pairs: Vec<[String; 2]> = throughout.into_iter().map(|pair| pair.map(label)).collect();
    let throughout =
        (!pairs.is_empty()).then_some(Repair::LabelsExchangedThroughout { pairs }).into_iter();
    let undone = swaps.into_iter().map(|swap| Repair::LabelsExchanged {
        labels: swap.markers.iter().copied().map(label).collect(),
        frame: swap.frames.start,
        frames: swap.frames.len(),
        is_undone: true,
    });
    let left = left.into_iter().map(|exchange| Repair::LabelsExchanged {
        labels: exchange.markers.map(label).to_vec(),
        frame: exchange.frame,
        frames: 0,
        is_undone: false,
    });
    lines.into_iter().chain(rests).chain(throughout).chain(undone).chain(left).collect()
}

/// Exchanges two labels in all frames.
pub(super) fn exchange_throughout(trial: &mut Trial, pair: &[String; 2]) -> Option<Repair> {
    let column = |label: &String| trial.markers.iter().position(|marker| marker.label == *label);
    let columns = [column(&pair[0])?, column(&pair[1])?];
    (0..trial.frames).for_each(|frame| trial.exchange(frame, columns));
    Some(Repair::LabelsExchangedThroughout { pairs: vec![pair.clone()] })
}

/// The segments of a plan's performers, as far as another recording has their markers under the same labels.
pub(super) fn planned_segments(plan: &Plan, planned: &Trial, trial: &Trial) -> Segments {
    let column = |marker: &usize| {
        let label = &planned.markers.get(*marker)?.label;
        match trial.markers.get(*marker) {
            Some(same) if same.label == *label => Some(*marker),
            _ => trial.markers.iter().position(|marker| marker.label == *label),
        }
    };
    let mut all = Segments::default();
    for performer in &plan.performers {
        let first = all.markers.len();
        for segment in &performer.segments {
            all.parents.push(segment.parent.map(|parent| first + parent));
            all.markers.push(segment.markers.iter().filter_map(column).collect());
        }
    }
    all
}

/// The segments of a subject, with the markers that a recording has.
pub(super) fn subject_segments(subject: &Subject, trial: &Trial) -> Segments {
    let Ok(columns) = solve::columns(subject, &trial.labels()) else { return Segments::default() };
    let mut columns = columns.into_iter();
    let take = |count: usize| columns.by_ref().take(count).flatten().collect();
    let markers = subject.segments.iter().map(|segment| segment.markers.len()).map(take).collect();
    let mut parents = vec![None; subject.segments.len()];
    subject.joints.iter().for_each(|joint| parents[joint.child] = Some(joint.parent));
    Segments { markers, parents }
}
