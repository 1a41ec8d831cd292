//! One recording after another, as one motion.

use condyle::blend::{Blended, recordings};
use condyle::job::Recording;
use pyo3::prelude::*;

use crate::error::Answer;
use crate::subject::Subject;
use crate::trial::Trial;

/// The motion, and the frames of the passage: the first, and the first after it.
#[pyfunction]
#[pyo3(signature = (first, second, over_s, subject=None))]
pub fn blend(
    py: Python<'_>,
    first: (String, Py<Trial>),
    second: (String, Py<Trial>),
    over_s: f64,
    subject: Option<&Bound<'_, Subject>>,
) -> Answer<(Trial, (usize, usize))> {
    let [first, second] =
        [first, second].map(|(name, trial)| Recording::new(name, trial.get().0.clone()));
    let subject = subject.map(|subject| subject.get().0.clone());
    let Blended { trial, passage } = py.detach(|| recordings(first, second, over_s, subject))?;
    Ok((Trial::new(trial), (passage.start, passage.end)))
}
