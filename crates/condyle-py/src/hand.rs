//! Hands: a model calibrated, and the joints of a hand in every frame.

use condyle::export::HandExport;
use condyle::hand::{Followed, How, Method, Model, Options, Side, Tracked, Which};
use condyle::{hand, trial};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrays;
use crate::error::{Answer, wrong};
use crate::trial::{PlainNote, Trial, plain};

/// A hand that was followed through a recording.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct HandTrack {
    tracked: Tracked,
    trial: trial::Trial,
}

impl HandTrack {
    fn followed(&self) -> &Followed {
        &self.tracked.followed
    }

    fn joint(&self, joint: usize) -> Answer<usize> {
        let count = self.followed().model.joint_names().len();
        match joint < count {
            true => Ok(joint),
            false => Err(wrong(format!("joint: need one below {count}, got {joint}"))),
        }
    }
}

#[pymethods]
impl HandTrack {
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.followed().model.joint_names()
    }

    /// The model's file.
    fn model(&self) -> String {
        self.followed().model.to_toml()
    }

    #[getter]
    fn notes(&self) -> Vec<PlainNote> {
        plain(&self.tracked.notes)
    }

    /// What came of it, as JSON.
    fn summary(&self) -> Answer<String> {
        Ok(serde_json::to_string(&self.tracked.summary(&self.trial))?)
    }

    /// Where a joint is, frames × 3; NaN where the hand is not placed.
    fn positions<'py>(&self, py: Python<'py>, joint: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let joint = self.joint(joint)?;
        let rows = self.followed().poses.iter().map(|pose| {
            let own = &pose.joints[joint];
            (own.how != How::Unplaced).then(|| own.position_m.into())
        });
        arrays::optional_rows(py, rows)
    }

    /// How far a joint is bent and spread, frames × 2 in radians; NaN where it has no such angle.
    fn angles<'py>(&self, py: Python<'py>, joint: usize) -> Answer<Bound<'py, PyArray2<f64>>> {
        let joint = self.joint(joint)?;
        let rows = self.followed().poses.iter().map(|pose| {
            let own = &pose.joints[joint];
            Some([own.flexion_rad, own.abduction_rad].map(|angle| angle.unwrap_or(f64::NAN)))
        });
        arrays::optional_rows(py, rows)
    }

    /// How a joint was found in every frame.
    fn how(&self, joint: usize) -> Answer<Vec<&'static str>> {
        let joint = self.joint(joint)?;
        Ok(self.followed().poses.iter().map(|pose| pose.joints[joint].how.name()).collect())
    }

    /// In which frames the hand is placed.
    fn placed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let poses = self.followed().poses.iter();
        PyArray1::from_vec(py, poses.map(|pose| pose.is_placed()).collect())
    }

    /// The bytes of a file in a format, and what it cannot hold.
    fn write<'py>(
        &self,
        py: Python<'py>,
        format: &str,
    ) -> Answer<(Bound<'py, PyBytes>, Vec<PlainNote>)> {
        let export = HandExport::from_extension(format).ok_or_else(|| {
            wrong(format!("format: need {}, got '{format}'", HandExport::EXTENSIONS))
        })?;
        let mut bytes = Vec::new();
        let notes = py.detach(|| export.write(self.followed(), &self.trial, &mut bytes))?;
        Ok((PyBytes::new(py, &bytes), plain(&notes)))
    }
}

fn which(side: &str, markers: Vec<String>, hand_length_m: Option<f64>) -> Answer<Which> {
    let side = match side {
        "auto" => None,
        _ => Some(
            side.parse::<Side>()
                .map_err(|_| wrong(format!("side: need left, right or auto, got '{side}'")))?,
        ),
    };
    Ok(Which { side, markers, hand_length_m })
}

/// A model from recordings, as TOML; how well each finger is known, as JSON; what is doubtful.
#[pyfunction]
#[pyo3(signature = (recordings, side, markers, hand_length_m, tips_alone))]
pub fn calibrate_hand(
    py: Python<'_>,
    recordings: Vec<(String, Py<Trial>)>,
    side: &str,
    markers: Vec<String>,
    hand_length_m: Option<f64>,
    tips_alone: bool,
) -> Answer<(String, String, Vec<PlainNote>)> {
    let which = which(side, markers, hand_length_m)?;
    let trials = recordings.iter();
    let recordings: Vec<(String, trial::Trial)> =
        trials.map(|(name, trial)| (name.clone(), trial.get().0.clone())).collect();
    let (own, note) = py.detach(|| hand::calibrate_recordings(&recordings, &which, tips_alone))?;
    let fingers = hand::FINGERS.iter().zip(&own.fingers).map(|(name, finger)| {
        json!({
            "name": name,
            "base_sd_m": finger.base_sd_m,
            "length_sds_m": finger.length_sds_m,
            "markers_rms_m": finger.markers_rms_m,
        })
    });
    let evidence = json!({
        "side": own.model.side.name(),
        "hand_length_m": own.model.hand_length_m,
        "frames": own.frames,
        "fingers": fingers.collect::<Vec<_>>(),
    });
    Ok((own.model.to_toml(), evidence.to_string(), plain(note.as_slice())))
}

/// Checks a model's file.
#[pyfunction]
pub fn check_hand(text: &str) -> Answer<String> {
    Ok(Model::from_toml(text)?.to_toml())
}

/// Follows a hand through a recording, by a model's text or one calibrated on the recording.
#[pyfunction]
#[pyo3(signature = (trial, model, side, markers, hand_length_m, method))]
pub fn track_hand(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    model: Option<&str>,
    side: &str,
    markers: Vec<String>,
    hand_length_m: Option<f64>,
    method: &str,
) -> Answer<HandTrack> {
    let which = which(side, markers, hand_length_m)?;
    let method = Method::ALL.into_iter().find(|own| own.name() == method).ok_or_else(|| {
        let names = Method::ALL.map(Method::name).join(", ");
        wrong(format!("method: need {names}; got '{method}'"))
    })?;
    let model = model.map(Model::from_toml).transpose()?;
    let trial = trial.get().0.clone();
    let options = Options { method, ..Options::default() };
    let tracked = py.detach(|| hand::track(&trial, model, &which, options))?;
    Ok(HandTrack { tracked, trial })
}
