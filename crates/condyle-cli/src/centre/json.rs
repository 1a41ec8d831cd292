//! The machine-readable form of `condyle centre`, documented in docs/json.md.

use condyle::subject::CentreKnown;
use serde_json::{Value, json};

use super::answer::{Answer, AnswerMarker};
use super::points::{self, Track};
use crate::terminal::{Out, Written, print_json};

/// Prints one object, or an array if methods were compared.
pub fn print(tracks: &[Track], answers: &[Answer], is_comparison: bool, out: Out) -> Written {
    let unit = points::are_in_metres(tracks).then_some("m");
    let soft_tissue_m = tracks.iter().map(|track| track.soft_tissue_m).reduce(f64::max);
    let answer = |answer| answer_json(answer, unit, soft_tissue_m);
    let answers: Vec<Value> = answers.iter().map(answer).collect();
    match answers.as_slice() {
        [answer] if !is_comparison => print_json(answer, out),
        answers => print_json(answers, out),
    }
}

fn answer_json(answer: &Answer, unit: Option<&str>, soft_tissue_m: Option<f64>) -> Value {
    let matrix = answer.covariance.map(|c| [0, 1, 2].map(|i| [0, 1, 2].map(|j| c[(i, j)])));
    json!({
        "shape": answer.shape,
        "method": answer.method,
        "error": answer.error,
        "centre": answer.centre.map(|centre| [centre.x, centre.y, centre.z]),
        "radius": answer.radius(),
        "radii": answer.radii,
        "radius_standard_error": answer.radius_standard_error,
        "sigma": answer.sigma,
        "covariance": matrix,
        "standard_error": answer.standard_error(),
        "verdict": answer.verdict.map(|verdict| verdict.name()),
        "centre_known": unit.and(answer.centre_known()).map(CentreKnown::name),
        "soft_tissue_m": unit.and(soft_tissue_m),
        "shortfall": answer.shortfall.map(|shortfall| shortfall.name()),
        "axis": answer.axis.map(|axis| <[f64; 3]>::from(axis.direction.into_inner())),
        "axis_standard_error_rad": answer.axis.map(|axis| axis.standard_error_rad),
        "coverage_rad": answer.coverage_rad,
        "samples": answer.samples,
        "smallest_eigenvalue": answer.smallest_eigenvalue,
        // Beyond all bounds is null: JSON has no infinity.
        "noise_ratio": answer.noise_ratio,
        "acceptance": answer.acceptance,
        // Where the radius is known: the noise by it.
        "known_radius": answer.calibrated.map(|own| own.radius),
        "known_radius_sigma": answer.calibrated.map(|own| own.radial_sigma),
        "known_radius_sigma_standard_error": answer.calibrated.map(|own| own.radial_standard_error),
        "known_radius_sigma_by_177": answer.calibrated.and_then(|own| own.trace_sigma),
        "converged": answer.converged,
        "rejected": answer.rejected,
        "unit": unit,
        "markers": answer.markers.iter().map(marker_json).collect::<Vec<_>>(),
    })
}

fn marker_json(AnswerMarker { label, agreement }: &AnswerMarker) -> Value {
    json!({
        "label": label,
        "radius": agreement.radius,
        "sigma": agreement.sigma,
        "off": agreement.off,
        "off_in_errors": agreement.off_in_errors,
        "agrees": agreement.is_round() && !agreement.is_elsewhere(),
    })
}
