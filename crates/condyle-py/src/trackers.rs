//! Sensors with six degrees of freedom: pointers, and the scale of a system.

use condyle::trackers;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays;
use crate::error::{Answer, wrong};
use crate::trial::Trial;

/// The tip of a tool that was turned about it, from its poses n × 7, as JSON.
#[pyfunction]
pub fn pivot(poses: PyReadonlyArray2<'_, f64>, robust: bool) -> Answer<String> {
    let own = trackers::pivot(&arrays::poses(&poses)?, robust)?;
    let (tip, pivot) = (own.tip_in_tool_m, own.pivot_in_world_m);
    let answer = json!({
        "tip_in_tool_m": [tip.x, tip.y, tip.z],
        "pivot_in_world_m": [pivot.x, pivot.y, pivot.z],
        "tip_sd_m": own.tip_sd_m(),
        "pivot_sd_m": own.pivot_sd_m(),
        "residual_m": own.residual_m,
        "worst_m": own.worst_m,
        "samples": own.samples,
        "left_out": own.left_out,
        "verdict": own.verdict(),
        "unexplained_m": own.unexplained_m,
    });
    Ok(answer.to_string())
}

/// What lengths are to be multiplied by, from two bodies at a known distance, as JSON.
#[pyfunction]
pub fn scale(trial: &Bound<'_, Trial>, bodies: [String; 2], distance_m: f64) -> Answer<String> {
    let trial = &trial.get().0;
    let body = |name: &String| {
        let all = &trial.bodies;
        all.iter().find(|body| body.name == *name).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|body| body.name.as_str()).collect();
            wrong(format!("bodies: need any of {}; got '{name}'", names.join(", ")))
        })
    };
    let own = trackers::scale_factor(body(&bodies[0])?, body(&bodies[1])?, distance_m)?;
    let answer = json!({
        "factor": own.factor,
        "factor_sd": own.factor_sd,
        "mean_m": own.mean_m,
        "noise_m": own.noise_m,
        "extremes_m": own.extremes_m,
        "samples": own.samples,
    });
    Ok(answer.to_string())
}
