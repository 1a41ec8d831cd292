//! `condyle scale`: the scale of a tracking system.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::trackers::scale_factor;
use condyle::trial::{Body, Note};
use serde_json::json;

use crate::options::ReadingArgs;
use crate::terminal::{input, print_json, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle scale`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ScaleArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How far apart the sensors are, in millimetres
    #[arg(long, value_name = "MM", value_parser = positive_mm, allow_negative_numbers = true)]
    distance_mm: f64,
    /// The two bodies; not needed where there are two
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1..)]
    bodies: Vec<String>,
    /// Print a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Distances that vary more than this share are not those of a rigid thing.
const NOT_RIGID: f64 = 0.05;
/// Factors of tracking systems.
const LIKELY: std::ops::Range<f64> = 0.5..2.0;

fn positive_mm(text: &str) -> Result<f64, String> {
    let length_mm = text.parse::<f64>().ok().filter(|mm| mm.is_finite() && *mm > 0.0);
    length_mm.ok_or_else(|| format!("need a positive number of millimetres, got '{text}'"))
}

/// Compares the recorded distance with the true one.
pub fn run(args: &ScaleArgs) -> anyhow::Result<ExitCode> {
    let trial = input::read(&args.file, &args.reading.options())?;
    say::notes(&trial.notes);
    let file = || args.file.display().to_string();
    let [one, other] = pair(&trial.bodies, &args.bodies).with_context(file)?;
    let scale = scale_factor(one, other, args.distance_mm * 1e-3).with_context(file)?;
    if scale.noise_m > NOT_RIGID * scale.factor * scale.mean_m {
        let text = format!(
            "the distance varies by {:.0} mm about its mean of {:.0}: are the two fixed to one rigid thing?",
            scale.noise_m / scale.factor * 1e3,
            scale.mean_m * 1e3
        );
        say::note(&Note::new("not-rigid", text).to_string());
    }
    if !LIKELY.contains(&scale.factor) {
        let text = format!(
            "a factor of {:.3e}: is the distance in millimetres, and are units right (--units)?",
            scale.factor
        );
        say::note(&Note::new("scale-unlikely", text).to_string());
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let answer = json!({
            "factor": scale.factor,
            "factor_sd": scale.factor_sd,
            "recorded_mean_m": scale.mean_m,
            "recorded_least_m": scale.extremes_m[0],
            "recorded_most_m": scale.extremes_m[1],
            "noise_m": scale.noise_m,
            "samples": scale.samples,
        });
        print_json(&answer, &mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mm = |length_m: f64| format!("{:.2}", length_m * 1e3);
    writeln!(out, "scale {:.5} ± {:.5} (standard error)", scale.factor, scale.factor_sd)?;
    writeln!(
        out,
        "recorded {} mm in the mean, {} to {}, over {} frames; noise {} mm, scaled",
        mm(scale.mean_m),
        mm(scale.extremes_m[0]),
        mm(scale.extremes_m[1]),
        scale.samples,
        mm(scale.noise_m)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The two bodies that are meant.
fn pair<'a>(bodies: &'a [Body], names: &[String]) -> anyhow::Result<[&'a Body; 2]> {
    let find = |name: &String| {
        let found = bodies.iter().find(|body| body.name == *name);
        let known: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
        found.with_context(|| format!("--bodies: need two of {}, got '{name}'", known.join(", ")))
    };
    match (names, bodies) {
        ([one, other], _) => Ok([find(one)?, find(other)?]),
        ([], [one, other]) => Ok([one, other]),
        ([], _) => bail!("need two bodies, got {}: say which with --bodies A,B", bodies.len()),
        _ => bail!("--bodies: need two, got {}", names.len()),
    }
}
