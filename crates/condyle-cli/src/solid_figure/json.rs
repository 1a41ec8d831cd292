//! A figure as JSON.

use condyle::figure::{Figure, FreedomKind};
use condyle::trial::Note;
use serde_json::{Value, json};

use crate::terminal::print_json;

/// Prints masses, moments and freedoms of every segment.
pub fn print(figure: &Figure, height_m: f64, notes: &[Note]) -> anyhow::Result<()> {
    let segments: Vec<Value> = figure
        .segments()
        .iter()
        .map(|own| {
            let principal = own.mass.principal_axes();
            let axes: Vec<[f64; 3]> = principal
                .axes
                .matrix()
                .column_iter()
                .map(|axis| [axis[0], axis[1], axis[2]])
                .collect();
            let freedoms: Vec<Value> = own
                .joint
                .freedoms
                .iter()
                .map(|freedom| {
                    let is_turn = freedom.kind == FreedomKind::Rotation;
                    let in_words = |value: f64| if is_turn { value.to_degrees() } else { value };
                    json!({
                        "kind": if is_turn { "rotation" } else { "translation" },
                        "unit": if is_turn { "deg" } else { "m" },
                        "axis": [freedom.axis.x, freedom.axis.y, freedom.axis.z],
                        "from": in_words(freedom.limits[0]),
                        "to": in_words(freedom.limits[1]),
                        "value": in_words(freedom.value),
                    })
                })
                .collect();
            let centre = own.mass.centre_of_mass_m;
            let moments = principal.moments_kg_m2;
            json!({
                "name": own.name,
                "parent": own.parent.map(|at| &figure.segments()[at].name),
                "mass_kg": own.mass.mass_kg,
                "volume_m3": own.mass.volume_m3,
                "centre_of_mass_m": [centre.x, centre.y, centre.z],
                "principal_moments_kgm2": [moments.x, moments.y, moments.z],
                "principal_axes": axes,
                "freedoms": freedoms,
            })
        })
        .collect();
    let answer = json!({
        "segments": segments,
        "mass_kg": figure.mass_kg(),
        "height_m": height_m,
        "notes": notes,
    });
    Ok(print_json(&answer, &mut anstream::stdout())?)
}
