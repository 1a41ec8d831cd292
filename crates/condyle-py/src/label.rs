//! Names for trajectories that have none.

use condyle::Trial as Recording;
use condyle::label::{self, Options};
use condyle::marker_set;
use condyle::subject::MarkerPoses;
use pyo3::prelude::*;
use serde_json::json;

use crate::error::{Answer, wrong};
use crate::subject::Subject;
use crate::trial::Trial;

/// The markers that bear a label of a marker set, in a frame where labels are right.
fn of_set(trial: &Recording, set: &str, frame: usize) -> Answer<MarkerPoses> {
    let is_of_set = |label: &str| marker_set::has_label(set, label);
    if is_of_set("").is_none() {
        let is_listed = |name: &&str| marker_set::has_label(name, "").is_some();
        let known: Vec<&str> = marker_set::built_in().filter(is_listed).collect();
        return Err(wrong(format!("set: need one of {}, got '{set}'", known.join(", "))));
    }
    let markers = trial.markers.iter().enumerate();
    let own = markers.filter(|(_, marker)| is_of_set(&marker.label) == Some(true));
    let own: Vec<usize> = own.map(|(index, _)| index).collect();
    Ok(label::labelled_pose(trial, &own, frame)?)
}

/// The recording with its labels, and who is who as JSON.
#[pyfunction]
#[pyo3(signature = (trial, subject=None, set=None, labelled_frame=None, anyway=false))]
pub fn label_tracks(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    subject: Option<&Bound<'_, Subject>>,
    set: Option<&str>,
    labelled_frame: Option<usize>,
    anyway: bool,
) -> Answer<(Trial, String)> {
    let trial = &trial.get().0;
    let mut options = Options::default();
    options.suggest = anyway;
    options.labelled_frame = labelled_frame;
    let poses = match (subject, set, labelled_frame) {
        (Some(subject), None, _) => subject.get().0.marker_poses.clone().ok_or_else(|| {
            wrong("subject: need one with marker poses, got one of an older version or of bodies")
        })?,
        (None, Some(set), Some(frame)) => of_set(trial, set, frame)?,
        _ => return Err(wrong("label: need subject, or set and labelled_frame")),
    };
    let (labelling, applied) = py.detach(|| {
        let labelling = label::label(trial, &poses, &options)?;
        let applied = label::apply(trial.clone(), &labelling);
        Ok::<_, condyle::Error>((labelling, applied))
    })?;
    let answer = json!({
        "fragments": labelling.fragments,
        "labels": labelling.labels,
        "rigid_pairs": labelling.agreement.rigid_pairs,
        "change_m": labelling.agreement.change_m,
        "is_same_subject": labelling.agreement.is_same_subject(),
        "joined": applied.joined,
        "left": applied.left,
    });
    Ok((Trial::new(applied.trial), answer.to_string()))
}
