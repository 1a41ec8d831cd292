//! The machine-readable form of `condyle centre`, documented in docs/json.md.

use condyle::subject::CentreKnown;
use serde::Serialize;

use super::answer::{Answer, AnswerMarker};
use super::points::{self, Track};
use crate::terminal::{Out, Written};

#[derive(Serialize)]
struct AnswerJson<'a> {
    shape: &'a str,
    method: &'a str,
    error: Option<&'a str>,
    centre: Option<[f64; 3]>,
    radius: Option<f64>,
    radii: &'a [f64],
    radius_standard_error: Option<f64>,
    sigma: Option<f64>,
    covariance: Option<[[f64; 3]; 3]>,
    standard_error: Option<f64>,
    verdict: Option<&'a str>,
    centre_known: Option<&'static str>,
    soft_tissue_m: Option<f64>,
    shortfall: Option<&'a str>,
    axis: Option<[f64; 3]>,
    axis_standard_error_rad: Option<f64>,
    coverage_rad: Option<f64>,
    samples: usize,
    smallest_eigenvalue: Option<f64>,
    noise_ratio: Option<f64>,
    acceptance: Option<&'a str>,
    converged: bool,
    rejected: Option<usize>,
    unit: Option<&'static str>,
    markers: Vec<MarkerJson<'a>>,
}

#[derive(Serialize)]
struct MarkerJson<'a> {
    label: &'a str,
    radius: f64,
    sigma: f64,
    off: f64,
    off_in_errors: f64,
    agrees: bool,
}

/// Prints one object, or an array if methods were compared.
pub fn print(tracks: &[Track], answers: &[Answer], is_comparison: bool, out: Out) -> Written {
    let unit = points::are_in_metres(tracks).then_some("m");
    let soft_tissue_m = tracks.iter().map(|track| track.soft_tissue_m).reduce(f64::max);
    let answer = |answer| AnswerJson {
        unit,
        centre_known: unit.and(Answer::centre_known(answer)).map(CentreKnown::name),
        soft_tissue_m: unit.and(soft_tissue_m),
        ..AnswerJson::of(answer)
    };
    let answers: Vec<AnswerJson> = answers.iter().map(answer).collect();
    match answers.as_slice() {
        [answer] if !is_comparison => serde_json::to_writer_pretty(&mut *out, answer)?,
        answers => serde_json::to_writer_pretty(&mut *out, answers)?,
    }
    writeln!(out)
}

impl<'a> AnswerJson<'a> {
    fn of(answer: &'a Answer) -> Self {
        Self {
            shape: answer.shape,
            method: answer.method,
            error: answer.error.as_deref(),
            centre: answer.centre.map(|centre| [centre.x, centre.y, centre.z]),
            radius: answer.radius(),
            radii: &answer.radii,
            radius_standard_error: answer.radius_standard_error,
            sigma: answer.sigma,
            covariance: answer
                .covariance
                .map(|c| [0, 1, 2].map(|row| [0, 1, 2].map(|column| c[(row, column)]))),
            standard_error: answer.standard_error(),
            verdict: answer.verdict.map(|verdict| verdict.name()),
            shortfall: answer.shortfall.map(|shortfall| shortfall.name()),
            axis: answer.axis.map(|axis| axis.direction.into_inner().into()),
            axis_standard_error_rad: answer.axis.map(|axis| axis.standard_error_rad),
            coverage_rad: answer.coverage_rad,
            samples: answer.samples,
            smallest_eigenvalue: answer.smallest_eigenvalue,
            // Beyond all bounds is null: JSON has no infinity.
            noise_ratio: answer.noise_ratio.filter(|ratio| ratio.is_finite()),
            acceptance: answer.acceptance,
            converged: answer.converged,
            rejected: answer.rejected,
            unit: None,
            centre_known: None,
            soft_tissue_m: None,
            markers: answer.markers.iter().map(MarkerJson::of).collect(),
        }
    }
}

impl<'a> MarkerJson<'a> {
    fn of(marker: &'a AnswerMarker) -> Self {
        let agreement = &marker.agreement;
        Self {
            label: &marker.label,
            radius: agreement.radius,
            sigma: agreement.sigma,
            off: agreement.off,
            off_in_errors: agreement.off_in_errors,
            agrees: agreement.is_round() && !agreement.is_elsewhere(),
        }
    }
}
