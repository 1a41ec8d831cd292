//! Gaps filled.

use condyle::fill::{self, FilledGap, KnownBesides, Method};
use condyle::format::rays;
use condyle::job::{self, Options};
use condyle::trial::Note;
use condyle::{Trial as Recording, predict};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::{Answer, wrong};
use crate::subject::Subject;
use crate::trial::{PlainNote, Trial, plain};

/// What came of gaps, as JSON.
pub fn gaps(gaps: &[FilledGap], trial: &Recording) -> String {
    let one = |gap: &FilledGap| {
        json!({
            "marker": trial.markers.get(gap.marker).map(|marker| &marker.label),
            "first_frame": gap.frames.start,
            "frames": gap.frames.len(),
            "method": gap.method.name(),
            "reason": gap.reason,
            "predicted_error_m": gap.predicted_error_m,
            "is_filled": gap.is_filled,
        })
    };
    Value::Array(gaps.iter().map(one).collect()).to_string()
}

/// The recording with its gaps filled, what came of each, and notes; labels that changed places are put back first.
#[pyfunction]
#[pyo3(signature = (trial, method, max_gap_s=None, subject=None, rays_csv=None))]
pub fn fill_gaps(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    method: &str,
    max_gap_s: Option<f64>,
    subject: Option<&Bound<'_, Subject>>,
    rays_csv: Option<&[u8]>,
) -> Answer<(Trial, String, Vec<PlainNote>)> {
    let method: Method = method.parse().map_err(wrong)?;
    if method != Method::Ukf && (subject.is_some() || rays_csv.is_some()) {
        return Err(wrong(format!("subject and rays: need method ukf, got '{method}'")));
    }
    let mut trial = trial.get().0.clone();
    let mut job = Options::default();
    job.subject = subject.map(|subject| subject.get().0.clone());
    let usual = fill::Options::default();
    let options =
        fill::Options { method, max_gap_s: max_gap_s.unwrap_or(usual.max_gap_s), ..usual };
    let rays = match rays_csv {
        Some(bytes) => rays::read(bytes, &trial)?,
        None => Vec::new(),
    };
    let (trial, gaps, notes) = py.detach(|| {
        // A gap filled between two different markers would hide where they changed places.
        let notes = match job::exchange_labels_back(&mut trial, &job) {
            Ok(repairs) => repairs.iter().filter_map(|repair| repair.note(&trial)).collect(),
            Err(why) => vec![Note::new("labels-unchecked", why.to_string())],
        };
        let gaps = match method {
            Method::Ukf => {
                let subject = job.subject.as_ref();
                let options_of_predictor = predict::Options::default();
                let besides = KnownBesides { subject, rays: &rays, options: options_of_predictor };
                fill::fill_by_prediction(&mut trial, &options, &besides)
            }
            _ => fill::fill(&mut trial, &options),
        };
        gaps.map(|gaps| (trial, gaps, notes))
    })?;
    let text = self::gaps(&gaps, &trial);
    Ok((Trial::new(trial), text, plain(&notes)))
}
