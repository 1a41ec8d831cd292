//! `condyle centre` for people: one answer in full, or methods side by side.

use condyle::centre::{Verdict, acceptance};
use condyle::subject::CentreKnown;

use super::answer::Answer;
use super::notes::why;
use super::points::{self, Track};
use crate::terminal::say::printable;
use crate::terminal::table::{self, short};
use crate::terminal::{Out, Written};

/// Prints one answer in full, or a table of several.
pub fn print(tracks: &[Track], answers: &[Answer], out: Out) -> Written {
    match answers {
        [answer] => one(tracks, answer, out),
        answers => {
            side_by_side(answers, out)?;
            writeln!(out, "lengths {}", unit(tracks))
        }
    }
}

fn one(tracks: &[Track], answer: &Answer, out: Out) -> Written {
    for track in tracks {
        let (source, label) = (printable(&track.source), printable(&track.label));
        let samples = track.axes()[0].len();
        writeln!(out, "{source}: {label}, {samples} samples")?;
    }
    for (name, value) in facts(answer, tracks) {
        writeln!(out, "  {name:<10} {value}")?;
    }
    writeln!(out, "  {:<10} {}", "lengths", unit(tracks))
}

fn unit(tracks: &[Track]) -> &'static str {
    match points::are_in_metres(tracks) {
        true => "in metres",
        false => "in the unit of the table",
    }
}

fn facts(answer: &Answer, tracks: &[Track]) -> Vec<(&'static str, String)> {
    let is_in_metres = points::are_in_metres(tracks);
    let slide_m = tracks.iter().map(|track| track.soft_tissue_m).fold(0.0, f64::max);
    let mut facts = vec![("shape", answer.shape.to_owned()), ("method", answer.method.to_owned())];
    if let Some(centre) = answer.centre {
        let name = if ["plane", "cylinder"].contains(&answer.shape) { "point" } else { "centre" };
        facts.push((name, triple([centre.x, centre.y, centre.z])));
    }
    if let Some(error) = answer.standard_error() {
        facts.push(("", format!("± {} (standard error)", short(error))));
    }
    if is_in_metres && slide_m > 0.0 && answer.verdict.is_some() {
        let text = format!("{} at most, which the error counts", short(slide_m));
        facts.push(("skin", text));
    }
    if !answer.radii.is_empty() {
        facts.push(("radius", digits(&answer.radii).join(", ")));
    }
    if let Some(error) = answer.radius_standard_error {
        facts.push(("", format!("± {} (standard error)", short(error))));
    }
    facts.extend(answer.sigma.map(|sigma| ("noise", format!("{} an axis", short(sigma)))));
    if let Some(own) = answer.calibrated {
        let (sigma, error) = (short(own.radial_sigma), short(own.radial_standard_error));
        facts.push((
            "",
            format!("{sigma} ± {error} an axis by the known radius of {}", short(own.radius)),
        ));
        let error = short(own.trace_variance_standard_error.sqrt());
        let by_trace = own.trace_sigma.map_or_else(|| "less than none".to_owned(), short);
        facts.push((
            "",
            format!(
                "{by_trace} by the mean square, Knight's (177), which cannot tell less than {error}"
            ),
        ));
    }
    facts.extend(
        answer.verdict.map(|verdict| ("verdict", explained(verdict, answer, is_in_metres))),
    );
    if let Some(axis) = answer.axis {
        facts.push(("axis", triple(axis.direction.into_inner().into())));
        let error = axis.standard_error_rad.to_degrees();
        facts.push(("", format!("± {} degrees (standard error)", short(error))));
    }
    if let Some(coverage) = answer.coverage_rad {
        facts.push(("coverage", format!("± {:.1} degrees", coverage.to_degrees())));
    }
    if let (Some(ratio), Some(word)) = (answer.noise_ratio, answer.acceptance) {
        let share = short(100.0 * ratio.sqrt());
        let text =
            format!("{word}: the noise is {share} % of the least spread, which it is told by");
        facts.push(("accepted", if ratio.is_finite() { text } else { word.to_owned() }));
    }
    if let (Some(coverage), Some(Verdict::Ball)) = (answer.coverage_rad, answer.verdict) {
        let needed = acceptance::sphere_samples_needed(coverage).ceil();
        let text = format!("from {needed} samples on the centre errs less than a single sample");
        facts.push(("needed", text));
    }
    if let Some(rejected) = answer.rejected {
        facts.push(("left out", format!("{rejected} samples as outliers")));
    }
    if !answer.converged {
        facts.push(("iteration", "did not come to rest".to_owned()));
    }
    facts
}

fn explained(verdict: Verdict, answer: &Answer, is_in_metres: bool) -> String {
    match verdict {
        Verdict::Ball if is_in_metres => {
            let known = answer.centre_known().map_or("barely", CentreKnown::name);
            format!("ball: the centre is {known} known")
        }
        Verdict::Ball => "ball: the centre is determined in every direction".into(),
        Verdict::Hinge => "hinge: the axis is determined, the place along it is not".into(),
        Verdict::Insufficient => format!("insufficient: {}", why(answer)),
    }
}

fn side_by_side(answers: &[Answer], out: Out) -> Written {
    let header = ["method", "verdict", "x", "y", "z", "radius", "sigma", "error"];
    let mut table = table::table(&header, 2);
    for answer in answers {
        let verdict = answer.verdict.map_or("-", |verdict| verdict.name());
        let number =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| digits(&[v]).join(""));
        let [x, y, z] = match answer.centre {
            Some(centre) => triple_of(centre.coords.into()),
            None => [(); 3].map(|()| "-".to_owned()),
        };
        let small = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
        table.add_row([
            answer.method.to_owned(),
            verdict.to_owned(),
            x,
            y,
            z,
            number(answer.radius()),
            small(answer.sigma),
            small(answer.standard_error()),
        ]);
    }
    table::print(&table, "", out)
}

fn triple(values: [f64; 3]) -> String {
    triple_of(values).join("  ")
}

fn triple_of(values: [f64; 3]) -> [String; 3] {
    let mut written = digits(&values).into_iter();
    [(); 3].map(|()| written.next().unwrap_or_default())
}

/// Six decimals: micrometres, if the points are in metres; powers of ten where the largest of the
/// numbers does not suit that.
fn digits(values: &[f64]) -> Vec<String> {
    let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let is_plain = largest == 0.0 || (1e-3..1e9).contains(&largest);
    // What rounds to nothing has no sign.
    let written = |value: &f64| match is_plain {
        true if value.abs() < 5e-7 => format!("{:.6}", 0.0),
        true => format!("{value:.6}"),
        false => format!("{value:.6e}"),
    };
    values.iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_are_written_alike_and_nothing_has_no_sign() {
        assert_eq!(triple([0.25, -1e-9, 0.0001]), "0.250000  0.000000  0.000100");
        assert_eq!(triple([1e-5, 0.0, 2e-6]), "1.000000e-5  0.000000e0  2.000000e-6");
    }
}
