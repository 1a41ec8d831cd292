//! The main job: a recording and options in; the repaired recording and its solved performers out.
//!
//! ```
//! use condyle::{job, simulate};
//!
//! # let options = simulate::Options { seconds: 2.0, rate_hz: 50.0, ..Default::default() };
//! # let trial = simulate::simulate(&simulate::Performer::human(), &options)?.trial;
//! let performance = job::run(trial, &job::Options::default())?;
//! for performer in &performance.performers {
//!     for joint in performer.subject.joints() {
//!         println!("{}: known to {:.0} mm", joint.name, 1e3 * joint.worst_sd_m());
//!     }
//! }
//! # Ok::<(), condyle::Error>(())
//! ```
//!
//! Every command, binding and page is a shell over these functions: the same options give the same answer.
//!
//! | wanted | function |
//! |---|---|
//! | all of it, for one recording | [`run`] |
//! | all of it, for several recordings of one performer | [`fit`], then [`FittedRecording::solve`] for each |
//! | which recordings are of one performer | [`Likeness::groups`] |
//! | a subject from one or several calibration recordings | [`fit`] |
//! | which markers are on which segment | [`plan`](plan()) |
//! | labels that changed places put back, and nothing else | [`exchange_labels_back`] |

mod bodies;
mod brevity;
mod checks;
mod filling;
mod fit;
mod keypoints;
mod kind;
mod likeness;
mod marker_poses;
mod measured;
mod moved_clusters;
mod options;
mod plan;
mod plan_doubts;
mod recording;
mod repair;
mod resting;
mod slipped;
mod spikes;
mod straight;
mod subject_check;
mod weights;
mod whole_body;

pub use bodies::is_body_recording;
pub use filling::{Fill, MAX_FILL_ERROR_M};
pub use fit::{Fitted, FittedRecording, fit};
pub use kind::RecordingKind;
pub use likeness::{Difference, Likeness};
pub use measured::Measured;
pub use options::{KnowledgeChoice, Options, SegmentsBy};
pub(crate) use plan::plan_labels;
pub use plan::{FoundPlan, plan};
pub use plan_doubts::PlanDoubt;
pub use recording::Recording;
pub use repair::{Repair, exchange_labels_back};
pub use weights::MarkerWeights;
pub use whole_body::KnowledgeReport;

use crate::angles::{self, Angles, ZeroPose};
use crate::error::{Error, Result};
use crate::fill::FilledGap;
use crate::orientation;
use crate::rig;
use crate::solve::{self, SolvedMotion};
use crate::subject::{CentreKnown, Subject};
use crate::trackers::{self, trouble};
use crate::trial::{Note, Origin, Trial};
use crate::whole_body::Check;
pub use crate::whole_body::SoftTissue;

/// A recording and what was found in it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Performance {
    /// The recording as it was solved: labels exchanged back, gaps filled, the axis that points up known.
    pub trial: Trial,
    /// What was repaired, in this order.
    pub repairs: Vec<Repair>,
    /// What came of the gaps of the performers' markers: of every one, or, where only short ones are bridged, of those.
    pub gaps: Vec<FilledGap>,
    /// Everyone in it.
    pub performers: Vec<SolvedPerformer>,
    /// What is doubtful about its segments and performers.
    pub notes: Vec<Note>,
}

/// A performer of a recording, and its motion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SolvedPerformer {
    /// Its skeleton and markers, with how sure all that is.
    pub subject: Subject,
    /// Where it is in every frame.
    pub motion: SolvedMotion,
    /// Its joint angles in every frame.
    pub angles: Angles,
    /// What knowledge of bodies gave, where it was used.
    pub knowledge: Option<KnowledgeReport>,
    /// Whether it looks like a person; nothing of anybody else.
    pub checks: Vec<Check>,
    /// What is doubtful about it.
    pub notes: Vec<Note>,
}

impl Performance {
    /// The recording with its gaps as they were.
    pub fn trial_with_gaps(&self) -> Trial {
        let mut trial = self.trial.clone();
        for gap in self.gaps.iter().filter(|gap| gap.is_filled) {
            let marker = &mut trial.markers[gap.marker];
            gap.frames.clone().for_each(|frame| marker.set(frame, None, Origin::Missing));
        }
        trial
    }

    /// Everything worth saying: about the file, the repairs, the segments and every performer.
    pub fn all_notes(&self) -> Vec<Note> {
        let repairs = self.repairs.iter().filter_map(|repair| repair.note(&self.trial));
        let performers = self.performers.iter().flat_map(|performer| &performer.notes);
        self.trial
            .notes
            .iter()
            .cloned()
            .chain(repairs)
            .chain(self.notes.iter().chain(performers).cloned())
            .collect()
    }
}

/// Finds the performers of a recording and their motion.
///
/// # Method
/// Segments by names, motion or a file; exchanged labels back; markers that slipped set apart; every performer's
/// subject from measured samples, unless one is given; gaps filled; every frame solved; the axis that points up;
/// angles. The order is explained
/// at [`Repair`].
///
/// # Errors
/// No segments are found, nothing of them can be fitted, or the recording does not show the subject that was given.
pub fn run(recording: impl Into<Recording>, options: &Options) -> Result<Performance> {
    let recording = recording.into();
    let fitted = match &options.subject {
        Some(subject) => with_subject(recording, subject, options),
        None => fit(vec![recording], options)?.into_recordings().pop(),
    };
    fitted.ok_or_else(|| Error::argument("recordings: need one, got none"))?.solve(options)
}

/// A recording made ready for a subject that was fitted before.
fn with_subject(
    mut recording: Recording,
    subject: &Subject,
    options: &Options,
) -> Option<FittedRecording> {
    let mut subject = subject.clone();
    options.weights.apply(&mut subject);
    let segments = repair::subject_segments(&subject, &recording.trial);
    let repairs = match keypoints::is_of_keypoints(&subject) {
        true => {
            let markers = segments.markers.concat();
            keypoints::repair(&mut recording.trial, &subject.name, &markers)
        }
        false => {
            let mut repairs = repair::exchange_back(&mut recording.trial, &segments);
            repairs.extend(slipped::set_apart(&mut recording.trial, &segments.markers));
            repairs
        }
    };
    let notes = fit::weights_unknown(&recording.trial, options).into_iter().collect();
    let subjects = vec![(subject, None)];
    Some(FittedRecording { recording, repairs, subjects, notes, is_subject_of_others: true })
}

impl FittedRecording {
    /// The motion of its performers.
    ///
    /// # Errors
    /// Nothing can be placed, or the recording does not show the subject that was fitted to others.
    pub fn solve(self, options: &Options) -> Result<Performance> {
        let Self { mut recording, mut repairs, subjects, mut notes, is_subject_of_others } = self;
        let known = subjects.iter().map(|(subject, _)| subject);
        let (filled, gaps) = filling::fill_gaps(&mut recording.trial, known, &repairs, options);
        repairs.extend(filled);
        let mut solved = Vec::new();
        for (subject, knowledge) in subjects {
            let trial = &recording.trial;
            match solve_subject(&subject, trial, &repairs, options, is_subject_of_others) {
                Ok((motion, notes)) => solved.push((subject, knowledge, motion, notes)),
                // One of several that cannot be solved does not stop the others.
                Err(error) if !is_subject_of_others && !solved.is_empty() => {
                    let text = format!("{}: {error}", subject.name);
                    notes.push(Note::new("performer-left-out", text));
                }
                Err(error) => return Err(recording.at_fault(error)),
            }
        }
        let up_by_trunk =
            || solved.iter().find_map(|(subject, _, motion, _)| rig::up_by_trunk(subject, motion));
        if recording.trial.source.up.is_none()
            && let Some(up) = up_by_trunk()
        {
            recording.trial.source.up = Some(up);
            repairs.push(Repair::UpInferred { up });
        }
        if recording.trial.source.up.is_none()
            && let Some(up) = orientation::up_by_floor(&recording.trial)
        {
            recording.trial.source.up = Some(up);
            recording.trial.source.up_is_guessed = true;
            let text = format!(
                "the recording does not say which axis is up, nor does its trunk: {up} guessed, the only one along which \
                 nothing is below zero"
            );
            notes.push(Note::new("up", text));
        }
        let mut performers = Vec::new();
        for (subject, knowledge, motion, mut notes) in solved {
            notes.extend(knowledge.iter().flat_map(KnowledgeReport::notes));
            let checks = match &knowledge {
                Some(knowledge) => knowledge.checks.clone(),
                None => checks::checks(&subject, &motion, &recording.trial),
            };
            notes.extend(checks::notes(&checks));
            notes.extend(checks::hyperextension(&subject, &motion, &recording.trial));
            let angles = joint_angles(&subject, &motion, &recording.trial, options)?;
            performers.push(SolvedPerformer { subject, motion, angles, knowledge, checks, notes });
        }
        Ok(Performance { trial: recording.trial, repairs, gaps, performers, notes })
    }
}

/// The motion of one subject, and what is doubtful about it.
fn solve_subject(
    subject: &Subject,
    trial: &Trial,
    repairs: &[Repair],
    options: &Options,
    is_subject_of_others: bool,
) -> Result<(SolvedMotion, Vec<Note>)> {
    let mut notes = subject.notes.clone();
    let motion = if subject.is_of_bodies() {
        if options.subject.is_some() {
            // Of what was fitted to, the fit has said it.
            notes.extend(bodies::notes(&trouble::find(subject, trial), trial));
        }
        trackers::playback(subject, trial, options.playback)?
    } else if keypoints::is_of_keypoints(subject) {
        let bad = keypoints::bad_stretches(repairs, &subject.name);
        crate::keypoints::solve_trial(subject, trial, &bad)?
    } else {
        solve::solve_trial(subject, trial)?
    };
    if is_subject_of_others {
        // Keypoints may be one a segment: that they fit says nothing of whose they are.
        let is_told =
            !keypoints::is_of_keypoints(subject) || motion.evidence().residual_m.is_some();
        if !options.accept_any_subject && is_told {
            subject_check::check(subject, &motion)?;
        }
        notes.extend(subject_check::doubts(subject, &motion));
        if !subject.is_of_bodies() && !keypoints::is_of_keypoints(subject) {
            notes.extend(moved_clusters::notes(subject, trial));
        }
    }
    notes.extend(undetermined(subject));
    let far_m = match keypoints::is_of_keypoints(subject) {
        true => FAR_KEYPOINTS_M,
        false => NOT_RIGID_M,
    };
    notes.extend(not_rigid(&motion, far_m));
    Ok((motion, notes))
}

fn joint_angles(
    subject: &Subject,
    motion: &SolvedMotion,
    trial: &Trial,
    options: &Options,
) -> Result<Angles> {
    let zero_frame = options.zero_frame;
    if let Some(frame) = zero_frame.filter(|frame| *frame >= trial.frames) {
        let what =
            format!("zero frame: need one of {} frames, got number {}", trial.frames, frame + 1);
        return Err(Error::argument(what).with_code("zero-frame"));
    }
    let angle_options =
        angles::Options { zero_frame, smoothing: options.smoothing, ..angles::Options::default() };
    let angles = angles::joint_angles(subject, motion, trial.rate_hz, &angle_options);
    let missing = angles.joints.iter().find(|joint| !matches!(joint.zero, ZeroPose::Frame(_)));
    if let Some(joint) = missing.filter(|_| zero_frame.is_some()) {
        let what =
            format!("zero frame: need one that shows every joint, got one without {}", joint.name);
        return Err(Error::argument(what).with_code("zero-frame"));
    }
    Ok(angles)
}

/// A caution where most joints are guesses.
fn undetermined(subject: &Subject) -> Option<Note> {
    let unknown = subject.joints.iter().filter(|joint| joint.centre_known() == CentreKnown::Barely);
    let (count, all) = (unknown.count(), subject.joints.len());
    (2 * count > all).then(|| {
        let text = format!(
            "{count} of {all} centres of joints are barely known, to more than 25 mm; fit the skeleton to a \
             recording in which they move, and use it here"
        );
        Note::new("joints-undetermined", text)
    })
}

/// Markers so far from their segments, in the median, are on no segment.
const NOT_RIGID_M: f64 = 0.02;
/// The same of keypoints, which stray by 15 to 30 mm and feet together by more.
const FAR_KEYPOINTS_M: f64 = 0.06;

fn not_rigid(motion: &SolvedMotion, far_m: f64) -> Option<Note> {
    let residual_m = motion.evidence().residual_m.filter(|residual_m| *residual_m > far_m)?;
    let text = format!(
        "markers are {:.0} mm (median) from where their segments have them: are the labels right?",
        residual_m * 1e3
    );
    Some(Note::new("not-rigid", text))
}
