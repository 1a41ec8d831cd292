//! Gait, as JSON with the words of docs/json.md.

use condyle::gait::{
    self, CentreCycle, Cycle, EventsFrom, GaitEvent, MeanCycle, Parameter, PerformerGait,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::{Answer, wrong};
use crate::performance::Performance;
use crate::trial::Trial;

fn performer(own: &PerformerGait) -> Value {
    let event = |event: &GaitEvent| {
        json!({
            "side": event.side,
            "kind": event.kind,
            "time_s": event.time_s,
            "source": event.source,
            "sd_s": event.sd_s,
        })
    };
    let stride = |own: &gait::Stride| {
        json!({
            "side": own.side,
            "start_s": own.start_s,
            "end_s": own.end_s,
            "off_s": own.off_s,
            "opposite_strike_s": own.opposite_strike_s,
            "opposite_off_s": own.opposite_off_s,
        })
    };
    let parameter = |own: &Parameter| {
        json!({
            "name": own.name,
            "side": own.side,
            "value": own.value,
            "unit": own.unit,
            "sd": own.sd,
            "strides": own.strides,
        })
    };
    let cycle = |own: &Cycle| json!({ "side": own.side, "joint": own.joint, "angle": own.angle, "values_deg": own.values_deg });
    let centre = |own: &CentreCycle| json!({ "side": own.side, "joint": own.joint, "axis": own.axis, "values_m": own.values_m });
    json!({
        "name": own.name,
        "kind": own.gait.kind,
        "events": own.gait.events.iter().map(event).collect::<Vec<_>>(),
        "strides": own.gait.strides.iter().map(stride).collect::<Vec<_>>(),
        "parameters": own.gait.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "cycles": own.cycles.iter().map(cycle).collect::<Vec<_>>(),
        "centres": own.centres.iter().map(centre).collect::<Vec<_>>(),
        "means_csv": gait::to_csv(&gait::means(&own.cycles)),
        "notes": own.gait.notes,
    })
}

/// The gait of everybody in a recording, with angles over the cycle where it is solved.
#[pyfunction]
#[pyo3(signature = (trial, performance, events))]
pub fn gait_of(
    py: Python<'_>,
    trial: &Bound<'_, Trial>,
    performance: Option<&Bound<'_, Performance>>,
    events: &str,
) -> Answer<String> {
    let from: EventsFrom = serde_json::from_value(json!(events)).map_err(|_| {
        wrong(format!("events: need auto, file, plates or markers, got '{events}'"))
    })?;
    let trial = &trial.get().0;
    let solved = performance.map(|performance| &performance.get().found);
    let all = py.detach(|| gait::of_performance(trial, solved, from))?;
    Ok(Value::Array(all.iter().map(performer).collect()).to_string())
}

fn read(csv: &[String]) -> Answer<Vec<MeanCycle>> {
    let mut all = Vec::new();
    for text in csv {
        all.extend(gait::from_csv(text)?);
    }
    Ok(all)
}

/// Checks tables of mean cycles, and gives them as one.
#[pyfunction]
pub fn gait_means(csv: Vec<String>) -> Answer<String> {
    Ok(gait::to_csv(&read(&csv)?))
}

/// The gait profile score of mean cycles against a reference: name, side, degrees.
#[pyfunction]
pub fn gait_scores(csv: &str, reference: &str) -> Answer<Vec<(String, Option<&'static str>, f64)>> {
    let scores = gait::scores(&gait::from_csv(csv)?, &gait::from_csv(reference)?);
    let one = |own: gait::Score| (own.name, own.side.map(gait::Side::name), own.value_deg);
    Ok(scores.into_iter().map(one).collect())
}
