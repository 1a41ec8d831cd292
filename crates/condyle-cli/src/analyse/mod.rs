//! `condyle analyse`: the freedoms of a figure that follows a recording.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::figure::FreedomKind;
use condyle::format::figure_motion;
use condyle::job::{self, Recording};
use condyle::mannequin::{AnalysisOptions, analyse};

use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::solid_figure;
use crate::terminal::output::Output;
use crate::terminal::{input, say, table};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle analyse`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The figure, which condyle figure or condyle run --figure wrote
    #[arg(long, value_name = "F.atm")]
    figure: PathBuf,
    /// The subject that the figure was made for; without it one is fitted to the recording
    #[arg(long, value_name = "SUBJECT.json")]
    subject: Option<PathBuf>,
    /// A file that says which segment is which where names differ
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// The order of the polynomials
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=20))]
    order: u8,
    /// From when to when, in seconds
    #[arg(long, value_name = "T0:T1", value_parser = window)]
    window: [f64; 2],
    /// Where to write the motion
    #[arg(short, long, value_name = "M.motion")]
    output: PathBuf,
    /// Overwrite the motion if it exists
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

fn window(text: &str) -> Result<[f64; 2], String> {
    let both = text.split_once(':').and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    let sound = both.filter(|[a, b]: &[f64; 2]| a.is_finite() && b.is_finite() && a < b);
    sound.ok_or_else(|| format!("need FROM:TO in seconds, got '{text}'"))
}

/// Follows, fits, writes.
pub fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let output = Output::at(&args.output, args.force)?;
    let figure = solid_figure::read(&args.figure, None)?.figure;
    let names = args.map.as_deref().map(read_map).transpose()?.unwrap_or_default();
    let trial = input::read(&args.file, &args.reading.options())?;
    let mut options = args.plan.options()?;
    args.motion.apply(&mut options);
    options.subject = args.subject.as_deref().map(read_subject).transpose()?;
    let recording = Recording::new(args.file.display().to_string(), trial);
    let performance = job::run(recording, &options)?;
    let performer = performance.performers.first().context("performers: need one, got none")?;
    let options = AnalysisOptions { window_s: args.window, order: usize::from(args.order), names };
    let found = analyse(&figure, &performance, performer, &options)?;
    let header = ["freedom", "residual", "prediction error", "unit"];
    let mut rows = table::table(&header, 1);
    for own in &found.freedoms {
        let is_turn = own.kind == FreedomKind::Rotation;
        let (unit, factor) = if is_turn { ("deg", 1f64.to_degrees()) } else { ("mm", 1e3) };
        rows.add_row([
            format!("{} {}", own.segment, own.freedom + 1),
            format!("{:.3}", factor * own.residual),
            own.prediction.map_or_else(String::new, |rms| format!("{:.3}", factor * rms)),
            unit.to_owned(),
        ]);
    }
    output.write(|out| Ok(figure_motion::write(&found.motion, &figure, out)?))?;
    say::notes(&found.notes);
    table::print(&rows, "", &mut anstream::stdout())?;
    say::wrote(&args.output.display().to_string());
    Ok(ExitCode::SUCCESS)
}

fn read_map(path: &Path) -> anyhow::Result<HashMap<String, String>> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let mut names = HashMap::new();
    for (line, own) in text.lines().enumerate() {
        let own = own.split('#').next().unwrap_or("").trim();
        if own.is_empty() {
            continue;
        }
        let Some((figure, recording)) = own.split_once('=') else {
            bail!("{}: line {}: need NAME = NAME, got '{own}'", name(), line + 1);
        };
        names.insert(figure.trim().to_owned(), recording.trim().to_owned());
    }
    Ok(names)
}
