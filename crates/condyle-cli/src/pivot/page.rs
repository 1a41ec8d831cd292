//! Calibrated pointers on the terminal, or as JSON.

use std::io::{self, Write};
use std::path::Path;

use condyle::joint::PairMotion;
use condyle::trackers::Pivot;
use serde_json::{Value, json};

use crate::terminal::{in_one_line, print_json, table};

const COLUMNS: [&str; 8] = [
    "recording",
    "verdict",
    "tip in tool, mm",
    "sd mm",
    "pivot, mm",
    "sd mm",
    "residual mm",
    "frames",
];

fn answer_json(path: &Path, answer: &anyhow::Result<Pivot>) -> Value {
    let file = path.display().to_string();
    let pivot = match answer {
        Ok(pivot) => pivot,
        Err(error) => return json!({ "file": file, "error": in_one_line(error) }),
    };
    // The tool's three coordinates first.
    let covariance = pivot.covariance_m2.row_iter();
    let axis = (pivot.motion == PairMotion::Hinge).then(|| pivot.axis_in_tool.as_slice());
    json!({
        "file": file,
        "error": null,
        "verdict": pivot.verdict(),
        "tip_in_tool_m": pivot.tip_in_tool_m.coords.as_slice(),
        "pivot_m": pivot.pivot_in_world_m.coords.as_slice(),
        "covariance_m2": covariance.map(|row| row.iter().copied().collect()).collect::<Vec<Vec<f64>>>(),
        "tip_sd_m": pivot.tip_sd_m(),
        "pivot_sd_m": pivot.pivot_sd_m(),
        "residual_m": pivot.residual_m,
        "worst_m": pivot.worst_m,
        "samples": pivot.samples,
        "left_out": pivot.left_out,
        "axis_in_tool": axis,
        "position_noise_m": pivot.noise.position_m,
        "orientation_noise_rad": pivot.noise.orientation_rad,
        "unexplained_m": pivot.unexplained_m,
    })
}

/// Prints the answers.
pub fn print(answers: &[(&Path, anyhow::Result<Pivot>)], is_json: bool) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if is_json {
        let all = answers.iter().map(|(path, answer)| answer_json(path, answer));
        return Ok(print_json(&all.collect::<Vec<_>>(), &mut out)?);
    }
    let mut rows = table::table(&COLUMNS, 2);
    for (path, answer) in answers {
        if let Ok(pivot) = answer {
            rows.add_row(row(path, pivot));
        }
    }
    if answers.iter().any(|(_, answer)| answer.is_ok()) {
        table::print(&rows, "", &mut out)?;
    }
    for (path, answer) in answers {
        if let Ok(pivot) = answer {
            advise(path, pivot, &mut out)?;
        }
    }
    Ok(())
}

fn row(path: &Path, pivot: &Pivot) -> Vec<String> {
    let millimetres = |length_m: f64| format!("{:.3}", length_m * 1e3);
    let point =
        |p: &nalgebra::Point3<f64>| [p.x, p.y, p.z].map(|v| format!("{:.2}", v * 1e3)).join(", ");
    vec![
        table::text(&path.file_name().unwrap_or_default().to_string_lossy()),
        pivot.verdict().to_owned(),
        point(&pivot.tip_in_tool_m),
        millimetres(pivot.tip_sd_m()),
        point(&pivot.pivot_in_world_m),
        millimetres(pivot.pivot_sd_m()),
        millimetres(pivot.residual_m),
        pivot.samples.to_string(),
    ]
}

/// A stray that noise does not explain is told of beyond this share of the tool's length.
const BENT: f64 = 5e-3;

/// What to do where the tip is not known, and what was left out.
fn advise(path: &Path, pivot: &Pivot, out: &mut impl Write) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = table::text(&name);
    match pivot.motion {
        PairMotion::Ball | PairMotion::Hinge if !pivot.is_fixed() => writeln!(
            out,
            "{name}: no point of the tool stays in one place: hold its tip still (or leave the rest out with --robust)"
        )?,
        PairMotion::Ball if pivot.unexplained_m > BENT * pivot.tip_in_tool_m.coords.norm() => {
            writeln!(
                out,
                "{name}: the tip strays by {:.1} mm, which the noise of the poses does not explain: a bent field or a tip that \
                 moved; error bars count it",
                pivot.unexplained_m * 1e3
            )?;
        }
        PairMotion::Ball => {}
        PairMotion::Hinge => writeln!(
            out,
            "{name}: turned about one axis only: the tip is known but for its place along it; tilt the tool to all sides"
        )?,
        PairMotion::None => writeln!(out, "{name}: the tool was not turned: its tip is not known")?,
    }
    if pivot.left_out > 0 {
        writeln!(out, "{name}: {} frames were left out as outliers", pivot.left_out)?;
    }
    Ok(())
}
