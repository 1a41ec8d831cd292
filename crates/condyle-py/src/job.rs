//! The main job, and its options as JSON.

use std::path::Path;

use condyle::job::{self, MarkerWeights, Options, Recording};
use condyle::marker_set::{self, PlanText};
use pyo3::prelude::*;
use serde_json::json;

use crate::error::Answer;
use crate::performance::Performance;
use crate::subject::Subject;
use crate::trial::{PlainNote, Trial, plain};

/// The options of the main job that JSON says, with a subject that was fitted before.
pub fn options(text: &str, subject: Option<&Subject>) -> Answer<Options> {
    let mut options: Options = serde_json::from_str(text)?;
    options.subject = subject.map(|subject| subject.0.clone());
    Ok(options)
}

/// The options of the main job where nothing is said, as JSON.
#[pyfunction]
pub fn default_options() -> Answer<String> {
    Ok(serde_json::to_string(&Options::default())?)
}

/// What results follow from besides the recording: options and version.
#[pyfunction]
#[pyo3(signature = (text, subject=None))]
pub fn key(text: &str, subject: Option<&Bound<'_, Subject>>) -> Answer<String> {
    Ok(options(text, subject.map(Bound::get))?.key()?)
}

/// A plan's file, and the marker-set file that it may name, as JSON.
#[pyfunction]
pub fn read_plan(path: &str) -> Answer<String> {
    Ok(serde_json::to_string(&PlanText::read(Path::new(path))?)?)
}

/// A file of marker weights as JSON.
#[pyfunction]
pub fn weights(text: &str, path: &str) -> Answer<String> {
    let weights = MarkerWeights::from_toml(text).map_err(|error| error.with_path(path.as_ref()))?;
    Ok(serde_json::to_string(&weights)?)
}

/// Finds the performers of a recording and their motion.
#[pyfunction]
#[pyo3(signature = (trial, name, text, subject=None))]
pub fn run(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    name: &str,
    text: &str,
    subject: Option<&Bound<'_, Subject>>,
) -> Answer<Performance> {
    let options = options(text, subject.map(Bound::get))?;
    let trial = &trial.get().0;
    let run = || job::run(Recording::new(name, trial.clone()), &options);
    Ok(Performance::new(py.detach(run)?))
}

/// Subjects, how their segments were found, and what is doubtful.
type Fitted = (Vec<Subject>, String, Vec<PlainNote>);

/// Fits every performer of calibration recordings.
#[pyfunction]
pub fn fit(py: Python<'_>, recordings: Vec<(String, Py<Trial>)>, text: &str) -> Answer<Fitted> {
    let options = options(text, None)?;
    let trials = recordings.iter();
    let recordings: Vec<Recording> =
        trials.map(|(name, trial)| Recording::new(name, trial.get().0.clone())).collect();
    let fitted = py.detach(|| job::fit(recordings, &options))?;
    let repaired = fitted.recordings.iter().flat_map(|(recording, repairs)| {
        let repairs = repairs.iter().filter_map(|repair| repair.note(&recording.trial));
        recording.trial.notes.iter().cloned().chain(repairs).collect::<Vec<_>>()
    });
    let knowledge = fitted.knowledge.iter().flatten().flat_map(job::KnowledgeReport::notes);
    let notes: Vec<_> = repaired.chain(fitted.notes.iter().cloned()).chain(knowledge).collect();
    let by = fitted.plan.map_or_else(|| "bodies".to_owned(), |found| found.by.name().to_owned());
    Ok((fitted.subjects.into_iter().map(Subject).collect(), by, plain(&notes)))
}

/// Which markers are on which segment: what told it, as TOML, as JSON, and what is doubtful.
#[pyfunction]
pub fn plan(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    text: &str,
) -> Answer<(String, String, String, Vec<PlainNote>)> {
    let options = options(text, None)?;
    let trial = &trial.get().0;
    let found = py.detach(|| job::plan(trial, &options))?;
    let label = |marker: &usize| trial.markers.get(*marker).map_or("", |own| own.label.as_str());
    let performers = found.plan.performers.iter().map(|performer| {
        let segments = performer.segments.iter().map(|segment| {
            json!({
                "name": segment.name,
                "parent": segment.parent.and_then(|p| performer.segments.get(p)).map(|p| &p.name),
                "joint": segment.joint_name,
                "markers": segment.markers.iter().map(label).collect::<Vec<_>>(),
            })
        });
        json!({ "name": performer.name, "segments": segments.collect::<Vec<_>>() })
    });
    let excluded = found.plan.excluded.iter();
    let excluded =
        excluded.map(|own| json!({ "marker": label(&own.marker), "why": own.reason.name() }));
    let answer = json!({
        "performers": performers.collect::<Vec<_>>(),
        "excluded": excluded.collect::<Vec<_>>(),
    });
    let toml = marker_set::to_toml(&found.plan, trial);
    Ok((found.by.name().to_owned(), toml, answer.to_string(), plain(&found.notes)))
}
