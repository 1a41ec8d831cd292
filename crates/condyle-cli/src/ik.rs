//! `condyle ik`: joints that reach for targets.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use condyle::ik::{Method, Model, Options, Outcome, Reach, Solver, Target};
use nalgebra::Point3;
use serde::Serialize;

use crate::args::ReadingArgs;
use crate::ik_output::Motion;
use crate::progress::Progress;
use crate::{ik_model, ik_targets, say, table};

const EXAMPLES: &str = "\
Examples:
  condyle ik chain.json targets.csv                          a line a target
  condyle ik chain.json targets.csv --method ccd --json      for programs
  condyle ik hand.json tips.csv --track -o hand.csv          follow moving targets, write the motion
  condyle ik walk.bvh feet.csv --effectors LeftFoot,RightFoot --track -o walk.trc
  condyle ik joe.json hand.csv --effectors right_wrist       a subject that condyle fit wrote

chain.json: {\"joints\": [[x,y,z], ...], \"limits\": [null, 45, ...]}, base first; a limit is for the bone
that begins at the joint: null, a cone in degrees, or an object (docs/ik.md has all kinds, trees and
loops). targets.csv: x,y,z of every effector, one row a target, in the same unit.

Methods: fabrik (the default, limits at every step), arc (closed form, no limits), ccd, jt, pinv, dls,
svd-dls, sdls, triangulation, two-link, ftl, smc, gauss-newton.

Outcomes: reached, stalled (limits in the way, or a slow method), unreachable (no pose reaches).
Exit code: 0 if every target was tried, whatever came of it, 1 if not, 2 if the command line is wrong.";

/// `condyle ik`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct IkArgs {
    /// What moves: a chain or tree as JSON, a subject, or a recording with a skeleton (bvh, asf, amc)
    #[arg(value_name = "CHAIN.json")]
    pub model: PathBuf,
    /// Where its effectors should be, one row a target; - reads standard input
    #[arg(value_name = "TARGETS.csv")]
    targets: PathBuf,
    /// How
    #[arg(long, value_name = "METHOD", default_value = "fabrik", value_parser = method)]
    method: Method,
    /// How near is near enough, in the unit of the file; a millionth of all bones if not given
    #[arg(long, value_name = "LENGTH", value_parser = positive)]
    tolerance: Option<f64>,
    /// No more passes than this for one target
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    iterations: usize,
    /// Reach from where the last target left the joints, and stay near: for targets that move
    #[arg(long)]
    track: bool,
    /// With --track, no joint moves farther from row to row: it rather stays behind than jumps
    #[arg(long, value_name = "LENGTH", value_parser = positive, requires = "track")]
    max_step: Option<f64>,
    /// The joints that reach, by name or number, instead of the ends of the tree
    #[arg(long, value_name = "JOINT,...", value_delimiter = ',')]
    pub effectors: Vec<String>,
    /// Where to write the positions of all joints: csv, trc or c3d
    #[arg(short, long, value_name = "MOTION.csv")]
    output: Option<PathBuf>,
    /// Frames a second of what is written
    #[arg(long, value_name = "HZ", default_value_t = 100.0, value_parser = positive)]
    rate: f64,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print a JSON array, an object a target (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

fn method(name: &str) -> Result<Method, String> {
    name.parse::<Method>().map_err(|error| error.to_string())
}

fn positive(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("need a positive number, got '{text}'"))
}

/// One target's answer.
#[derive(Debug, Serialize)]
struct Answer {
    reached: bool,
    outcome: &'static str,
    distance: f64,
    iterations: usize,
    restarts: usize,
    limits_active: usize,
    joints: Vec<[f64; 3]>,
}

impl Answer {
    fn of(reach: &Reach, joints_m: &[Point3<f64>]) -> Self {
        Self {
            reached: reach.is_reached(),
            outcome: reach.outcome.name(),
            distance: reach.distance_m,
            iterations: reach.iterations,
            restarts: reach.restarts,
            limits_active: reach.limits_active,
            joints: joints_m.iter().map(|at| [at.x, at.y, at.z]).collect(),
        }
    }
}

/// Reaches for every target in turn.
pub fn run(args: &IkArgs) -> anyhow::Result<ExitCode> {
    let output = args.output.as_deref().map(|path| Motion::at(path, args.force)).transpose()?;
    let Model { linkage, names, effectors } = ik_model::read(args)?;
    let rows = ik_targets::read(&args.targets, effectors.len())?;
    let lengths: f64 = (1..linkage.joints()).map(|joint| linkage.length_m(joint)).sum();
    let usual = if args.track { Options::tracking() } else { Options::default() };
    let options = Options {
        method: args.method,
        tolerance_m: args.tolerance.unwrap_or(1e-6 * lengths),
        max_iterations: args.iterations,
        max_step_m: args.max_step.unwrap_or(f64::INFINITY),
        ..usual
    };
    let rest = Solver::new(linkage);
    let mut solver = rest.clone();
    let mut answers = Vec::with_capacity(rows.len());
    let mut targets: Vec<Target> = Vec::new();
    let progress = Progress::over("reaching", rows.len());
    for (index, row) in rows.iter().enumerate() {
        if !args.track {
            solver.clone_from(&rest);
        }
        targets.clear();
        targets.extend(effectors.iter().zip(row).map(|(joint, at)| Target::at(*joint, *at)));
        // The first of a moving target may be far: only then other starts are wanted.
        let first =
            Options { restarts: Options::default().restarts, max_step_m: f64::INFINITY, ..options };
        let options = if index == 0 { first } else { options };
        let reach =
            solver.solve(&targets, &options).map_err(|error| error.with_path(&args.model))?;
        answers.push(Answer::of(&reach, solver.positions_m()));
        progress.advance();
    }
    drop(progress);
    if let Some(output) = output {
        let frames = answers.iter().map(|answer| answer.joints.as_slice());
        let written = output.write(&names, frames, args.rate)?;
        say::wrote(&written);
    }
    print(args.json, &answers)?;
    Ok(ExitCode::SUCCESS)
}

fn print(is_json: bool, answers: &[Answer]) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    if is_json {
        serde_json::to_writer_pretty(&mut out, answers)?;
        writeln!(out)?;
        return Ok(out.flush()?);
    }
    for (part, answers) in answers.chunks(table::ROWS_AT_ONCE).enumerate() {
        let header = ["target", "outcome", "distance", "iterations", "at limits"];
        let mut rows = table::table(&header, 2);
        for (index, answer) in answers.iter().enumerate() {
            rows.add_row([
                (part * table::ROWS_AT_ONCE + index + 1).to_string(),
                answer.outcome.to_owned(),
                table::short(answer.distance),
                answer.iterations.to_string(),
                answer.limits_active.to_string(),
            ]);
        }
        table::print(&rows, "", &mut out)?;
    }
    let reached = answers.iter().filter(|answer| answer.outcome == Outcome::Reached.name()).count();
    writeln!(out, "{reached} of {} targets reached", answers.len())?;
    Ok(out.flush()?)
}
