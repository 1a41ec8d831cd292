//! Subjects from calibration recordings.

use super::options::Options;
use super::plan::{self, FoundPlan};
use super::repair::{self, Repair};
use super::whole_body::{self, KnowledgeReport, Outcome};
use super::{Recording, bodies, brevity, keypoints, marker_poses, slipped};
use crate::calibrate::Calibration;
use crate::error::{Error, Result};
use crate::plan::Performer;
use crate::subject::Subject;
use crate::swaps;
use crate::trackers::trouble;
use crate::trial::{Note, Trial};

/// Subjects that were fitted, and the recordings they were fitted to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fitted {
    /// The recordings with exchanged labels put right, each with what was repaired.
    pub recordings: Vec<(Recording, Vec<Repair>)>,
    /// One a performer.
    pub subjects: Vec<Subject>,
    /// For every subject what knowledge of bodies gave, where it was used.
    pub knowledge: Vec<Option<KnowledgeReport>>,
    /// How the segments were found; nothing where bodies were recorded.
    pub plan: Option<FoundPlan>,
    /// What is doubtful.
    pub notes: Vec<Note>,
}

/// A recording and the subjects that were fitted to it, and maybe to others too.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedRecording {
    /// The recording with exchanged labels put right.
    pub recording: Recording,
    /// What was repaired.
    pub repairs: Vec<Repair>,
    /// One a performer, with what knowledge of bodies gave, where it was used.
    pub subjects: Vec<(Subject, Option<KnowledgeReport>)>,
    /// What is doubtful about its segments and performers.
    pub notes: Vec<Note>,
    /// Whether other recordings had a say: then this one may show somebody else, which is looked at.
    pub is_subject_of_others: bool,
}

impl Fitted {
    /// Every recording by itself, ready to be solved.
    pub fn into_recordings(self) -> Vec<FittedRecording> {
        let Self { recordings, subjects, knowledge, notes, .. } = self;
        let is_subject_of_others = recordings.len() > 1;
        let subjects: Vec<_> = subjects.into_iter().zip(knowledge).collect();
        let alone = |(recording, repairs)| FittedRecording {
            recording,
            repairs,
            subjects: subjects.clone(),
            notes: notes.clone(),
            is_subject_of_others,
        };
        recordings.into_iter().map(alone).collect()
    }
}

/// Fits every performer of calibration recordings: several are of the same performers with the same markers, and the
/// first says which segments there are.
///
/// # Errors
/// No recording, no segments, no performer of the name that is asked for, or nothing that can be fitted.
pub fn fit(recordings: Vec<Recording>, options: &Options) -> Result<Fitted> {
    let Some(first) = recordings.first() else {
        return Err(Error::argument("recordings: need one, got none"));
    };
    if bodies::is_body_recording(&first.trial, options) {
        return fit_bodies(recordings, options);
    }
    let found = plan::plan_markers(&first.trial, options).and_then(|mut found| {
        let names: Vec<&str> = found.plan.performers.iter().map(|p| p.name.as_str()).collect();
        let chosen = chosen(&names, options.performer.as_deref())?;
        found.plan.performers =
            chosen.into_iter().map(|index| found.plan.performers[index].clone()).collect();
        let labels = first.trial.labels();
        for performer in &mut found.plan.performers {
            options.weights.leave_out(performer, &labels);
        }
        found.notes.extend(weights_unknown(&first.trial, options));
        found.notes.extend(sizes_of_several(&found.plan.performers, options));
        Ok(found)
    });
    let mut found = found.map_err(|error| first.at_fault(error))?;
    let segments: Vec<_> = recordings
        .iter()
        .map(|recording| repair::planned_segments(&found.plan, &first.trial, &recording.trial))
        .collect();
    let is_keypoints = found.plan.performers.iter().all(keypoints::is_planned);
    if is_keypoints {
        for performer in &found.plan.performers {
            let doubts = keypoints::check(performer, &first.trial);
            found.notes.extend(doubts.map_err(|error| first.at_fault(error))?);
        }
    }
    let mut recordings: Vec<(Recording, Vec<Repair>)> = recordings
        .into_iter()
        .zip(segments)
        .map(|(mut recording, segments)| {
            if is_keypoints {
                let performers = &found.plan.performers;
                let markers = keypoints::markers(performers, &segments);
                let both = performers.iter().zip(&markers);
                let repairs = both.flat_map(|(performer, markers)| {
                    keypoints::repair(&mut recording.trial, &performer.name, markers)
                });
                let repairs = repairs.collect();
                return (recording, repairs);
            }
            let mut repairs = repair::exchange_back(&mut recording.trial, &segments);
            repairs.extend(slipped::set_apart(&mut recording.trial, &segments.markers));
            (recording, repairs)
        })
        .collect();
    if is_keypoints {
        for (recording, repairs) in &recordings {
            for performer in &found.plan.performers {
                keypoints::check_repaired(&recording.trial, repairs, &performer.name)
                    .map_err(|error| recording.at_fault(error))?;
            }
        }
    }
    slipped::add_to_plan(&mut found.plan, &mut recordings);
    // Whose sizes a file of several performers has, nobody says.
    let is_alone = found.plan.performers.len() == 1;
    let fits = found.plan.performers.iter().map(|performer| {
        let fitted = fit_performer(performer, &mut recordings, options, is_alone);
        (performer.name.clone(), fitted)
    });
    let fits = fits.collect();
    let (fitted, left_out) = those_that_fit(fits)?;
    let (mut subjects, knowledge): (Vec<Subject>, _) = fitted.into_iter().unzip();
    for subject in &mut subjects {
        subject.marker_poses = marker_poses::of_performer(subject, &found.plan, &recordings);
    }
    let frames = recordings.iter().map(|(recording, _)| recording.trial.frames).sum();
    let rate_hz = recordings[0].0.trial.rate_hz;
    if let Some(note) = brevity::note(frames, rate_hz, &subjects) {
        // Before all else.
        for (recording, _) in &mut recordings {
            recording.trial.notes.insert(0, note.clone());
        }
    }
    let notes = found.notes.iter().cloned().chain(left_out).collect();
    Ok(Fitted { recordings, subjects, knowledge, plan: Some(found), notes })
}

/// A person from motion and knowledge where both can be had, anything else from its motion.
fn fit_performer(
    performer: &Performer,
    recordings: &mut [(Recording, Vec<Repair>)],
    options: &Options,
    is_alone: bool,
) -> Result<(Subject, Option<KnowledgeReport>)> {
    check_markers(performer, recordings)?;
    for _ in 0..swaps::MAX_EXCHANGES {
        match whole_body::fit(performer, recordings, options, is_alone)? {
            Outcome::Fitted(subject, report) => return Ok((*subject, Some(report))),
            Outcome::NotUsed(why) => {
                return Ok((fit_motion(performer, recordings, options, why)?, None));
            }
            Outcome::LabelsExchanged(pair) => {
                for (recording, repairs) in recordings.iter_mut() {
                    repairs.extend(repair::exchange_throughout(&mut recording.trial, &pair));
                }
            }
        }
    }
    let why = Some(whole_body::labels_tell_nothing());
    Ok((fit_motion(performer, recordings, options, why)?, None))
}

/// A performer from its motion alone, with why knowledge does not count.
fn fit_motion(
    performer: &Performer,
    recordings: &[(Recording, Vec<Repair>)],
    options: &Options,
    why: Option<Note>,
) -> Result<Subject> {
    let subject = fit_markers(performer, recordings, options)?;
    let mut subject = whole_body::refit(subject, recordings, options);
    subject.notes.extend(why);
    if !options.measured.is_empty() {
        let text = "measured sizes are not used: they count where knowledge of bodies does";
        subject.notes.push(Note::new("size-ignored", text));
    }
    Ok(subject)
}

/// Weights that no marker of a recording takes.
pub(super) fn weights_unknown(trial: &Trial, options: &Options) -> Option<Note> {
    let unknown = options.weights.unknown(&trial.labels()).join(", ");
    let text = || format!("weights of labels that the recording does not have: {unknown}");
    (!unknown.is_empty()).then(|| Note::new("weights-unknown", text()))
}

fn sizes_of_several(performers: &[Performer], options: &Options) -> Option<Note> {
    let is_ignored = performers.len() > 1 && !options.measured.is_empty();
    let text = "measured sizes are not used: there are several performers, name one of them";
    is_ignored.then(|| Note::new("size-ignored", text))
}

/// Whether every recording has the markers of a performer.
fn check_markers(performer: &Performer, recordings: &[(Recording, Vec<Repair>)]) -> Result<()> {
    let first = &recordings[0].0.trial;
    let markers = performer.segments.iter().flat_map(|segment| &segment.markers);
    let wanted: Vec<&str> = markers.map(|marker| first.markers[*marker].label.as_str()).collect();
    for (recording, _) in recordings {
        let labels = recording.trial.labels();
        let there = wanted.iter().filter(|label| labels.contains(label)).count();
        if 2 * there < wanted.len() {
            let what = format!(
                "markers: need those of the first recording, got {there} of {}: is it another performer or \
                 another marker set?",
                wanted.len()
            );
            return Err(recording.at_fault(Error::argument(what)));
        }
    }
    Ok(())
}

/// Feeds all recordings to one calibration; the markers of the later ones are found by their labels.
fn fit_markers(
    performer: &Performer,
    recordings: &[(Recording, Vec<Repair>)],
    options: &Options,
) -> Result<Subject> {
    let (first, _) = &recordings[0];
    let labels = first.trial.labels();
    let mut calibration = Calibration::new(performer, &labels)?;
    calibration.set_segment_frame(options.segment_frame);
    calibration.set_weights(&options.weights.of_all(&labels));
    let mut positions_m = vec![None; labels.len()];
    for (recording, _) in recordings {
        let trial = &recording.trial;
        let column = |label: &&str| trial.markers.iter().position(|marker| marker.label == *label);
        let columns: Vec<Option<usize>> = labels.iter().map(column).collect();
        calibration.begin_recording(recording.file_name());
        for frame in 0..trial.frames {
            for (position_m, column) in positions_m.iter_mut().zip(&columns) {
                *position_m = column.and_then(|column| trial.markers[column].position_m(frame));
            }
            calibration.push(&positions_m);
        }
    }
    calibration.fit().map_err(|error| first.at_fault(error))
}

fn fit_bodies(recordings: Vec<Recording>, options: &Options) -> Result<Fitted> {
    let first = &recordings[0];
    let names = bodies::performers(&first.trial);
    let lent: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen =
        chosen(&lent, options.performer.as_deref()).map_err(|error| first.at_fault(error))?;
    let fits = chosen.into_iter().map(|index| {
        let fitted = bodies::fit(&recordings, &names[index], options);
        (names[index].clone(), fitted.map(|subject| (subject, None)))
    });
    let (fitted, mut notes) = those_that_fit(fits.collect())?;
    let (subjects, knowledge): (Vec<Subject>, _) = fitted.into_iter().unzip();
    for recording in &recordings {
        let found = subjects.iter().map(|subject| trouble::find(subject, &recording.trial));
        let found = found.flat_map(|troubles| bodies::notes(&troubles, &recording.trial));
        notes.extend(found.map(|mut note| {
            if recordings.len() > 1 {
                note.text = format!("{}: {}", recording.name, note.text);
            }
            note
        }));
    }
    let recordings = recordings.into_iter().map(|recording| (recording, Vec::new())).collect();
    Ok(Fitted { recordings, subjects, knowledge, plan: None, notes })
}

/// One of several that cannot be fitted does not stop the others.
fn those_that_fit<T>(fits: Vec<(String, Result<T>)>) -> Result<(Vec<T>, Vec<Note>)> {
    let (mut subjects, mut notes, mut refused) = (Vec::new(), Vec::new(), None::<Error>);
    let is_several = fits.len() > 1;
    for (index, (name, fitted)) in fits.into_iter().enumerate() {
        match fitted {
            Ok(subject) => subjects.push(subject),
            Err(error) => {
                if is_several {
                    let name =
                        if name.is_empty() { format!("performer {}", index + 1) } else { name };
                    notes.push(Note::new("performer-left-out", format!("{name}: {error}")));
                }
                refused.get_or_insert(error);
            }
        }
    }
    match refused {
        Some(error) if subjects.is_empty() => Err(error),
        _ => Ok((subjects, notes)),
    }
}

/// Which of the performers are meant.
fn chosen(performers: &[&str], wanted: Option<&str>) -> Result<Vec<usize>> {
    let Some(name) = wanted else { return Ok((0..performers.len()).collect()) };
    if let Some(index) = performers.iter().position(|performer| *performer == name) {
        return Ok(vec![index]);
    }
    let what = match performers {
        [""] => "performer: need prefixes of names (JOE:...), got one performer without any".into(),
        _ => format!("performer: need one of {}, got '{name}'", performers.join(", ")),
    };
    Err(Error::argument(what).with_code("performer-unknown"))
}
