//! `condyle centre` for people: one answer in full, or methods side by side.

use condyle::centre::{Verdict, acceptance};

use crate::centre_answer::Answer;
use crate::centre_points::Track;
use crate::info::{Out, Written};
use crate::say::printable;
use crate::table::{self, short};

/// Prints one answer in full, or a table of several.
pub fn print(tracks: &[Track], answers: &[Answer], out: Out) -> Written {
    match answers {
        [answer] => one(tracks, answer, out),
        answers => side_by_side(answers, out),
    }
}

fn one(tracks: &[Track], answer: &Answer, out: Out) -> Written {
    for track in tracks {
        let (source, label) = (printable(&track.source), printable(&track.label));
        let samples = track.axes()[0].len();
        writeln!(out, "{source}: {label}, {samples} samples")?;
    }
    for (name, value) in facts(answer) {
        writeln!(out, "  {name:<10} {value}")?;
    }
    Ok(())
}

fn facts(answer: &Answer) -> Vec<(&'static str, String)> {
    let mut facts = vec![("shape", answer.shape.to_owned()), ("method", answer.method.to_owned())];
    if let Some(centre) = answer.centre {
        let name = if ["plane", "cylinder"].contains(&answer.shape) { "point" } else { "centre" };
        facts.push((name, triple([centre.x, centre.y, centre.z])));
    }
    if let Some(error) = answer.standard_error() {
        facts.push(("", format!("± {} (standard error)", short(error))));
    }
    let radii: Vec<String> = answer.radii.iter().map(|radius| digits(*radius)).collect();
    if !radii.is_empty() {
        facts.push(("radius", radii.join(", ")));
    }
    if let Some(error) = answer.radius_standard_error {
        facts.push(("", format!("± {} (standard error)", short(error))));
    }
    facts.extend(answer.sigma.map(|sigma| ("noise", format!("{} an axis", short(sigma)))));
    facts.extend(answer.verdict.map(|verdict| ("verdict", explained(verdict).to_owned())));
    if let Some(axis) = answer.axis {
        facts.push(("axis", triple(axis.direction.into_inner().into())));
        let error = axis.standard_error_rad.to_degrees();
        facts.push(("", format!("± {} degrees (standard error)", short(error))));
    }
    if let Some(coverage) = answer.coverage_rad {
        facts.push(("coverage", format!("± {:.1} degrees", coverage.to_degrees())));
    }
    if let (Some(ratio), Some(word)) = (answer.noise_ratio, answer.acceptance) {
        facts.push(("noise/bend", format!("{}: {word}", short(ratio))));
    }
    if let (Some(coverage), Some(Verdict::Ball)) = (answer.coverage_rad, answer.verdict) {
        let needed = acceptance::sphere_samples_needed(coverage).ceil();
        facts.push(("enough", format!("{needed} samples make the centre as sure as one sample")));
    }
    if let Some(rejected) = answer.rejected {
        facts.push(("left out", format!("{rejected} samples as outliers")));
    }
    if !answer.converged {
        facts.push(("iteration", "did not come to rest".to_owned()));
    }
    facts
}

fn explained(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ball => "ball: the centre is determined in every direction",
        Verdict::Hinge => "hinge: the axis is determined, the place along it is not",
        Verdict::Insufficient => "insufficient: too little motion or too few samples",
    }
}

fn side_by_side(answers: &[Answer], out: Out) -> Written {
    let header = ["method", "verdict", "x", "y", "z", "radius", "sigma", "error"];
    let mut table = table::table(&header, 2);
    for answer in answers {
        let verdict = answer.verdict.map_or("-", |verdict| verdict.name());
        let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), digits);
        let small = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
        table.add_row([
            answer.method.to_owned(),
            verdict.to_owned(),
            number(answer.centre.map(|c| c.x)),
            number(answer.centre.map(|c| c.y)),
            number(answer.centre.map(|c| c.z)),
            number(answer.radius()),
            small(answer.sigma),
            small(answer.standard_error()),
        ]);
    }
    table::print(&table, "", out)
}

fn triple(values: [f64; 3]) -> String {
    values.map(digits).join("  ")
}

/// Six decimals: micrometres, if the points are in metres.
fn digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e9).contains(&value.abs()) {
        return format!("{value:.6e}");
    }
    format!("{value:.6}")
}
