//! A calibrated performer, as docs/subject.md has it in JSON.

use condyle::subject;
use pyo3::prelude::*;

use crate::error::Answer;

/// A calibrated performer.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Subject(pub subject::Subject);

#[pymethods]
impl Subject {
    /// Reads a subject file's text.
    #[staticmethod]
    fn from_json(text: &str) -> Answer<Self> {
        Ok(Self(subject::Subject::from_json(text)?))
    }

    /// Its file's text.
    fn to_json(&self) -> Answer<String> {
        Ok(self.0.to_json()?)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Of every joint the worst standard error and how well its centre is known.
    fn certainties(&self) -> Vec<(f64, &'static str)> {
        let joints = self.0.joints().iter();
        joints.map(|joint| (joint.worst_sd_m(), joint.centre_known().name())).collect()
    }

    /// The length of the bone to every joint from the joint before it, where there is one.
    fn bone_lengths(&self) -> Vec<Option<f64>> {
        let joints = self.0.joints().iter();
        joints.map(|joint| self.0.bone_length_m(joint.child)).collect()
    }
}
