//! `condyle ik`: joints that reach for targets.

mod model;
mod output;
mod targets;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use condyle::ik::{Method, Options, Outcome, Reach, Solver, Target};
use condyle::limbs::LimbMotion;
use nalgebra::Point3;
use serde::Serialize;

use crate::options::ReadingArgs;
use crate::terminal::progress::Progress;
use crate::terminal::{print_json, say, table};
use output::Motion;
use targets::Rows;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle ik`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct IkArgs {
    /// What moves: a chain or tree as JSON, a subject, a recording with a skeleton (bvh, asf, amc), a robot (urdf)
    #[arg(value_name = "CHAIN.json")]
    pub model: PathBuf,
    /// Where its effectors should be, one row a target: csv, json, or a recording; - reads a table from
    /// standard input
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
    /// With --track, no joint moves farther from row to row: it rather stays behind than jumps; never
    /// more than five times as far as the targets
    #[arg(long, value_name = "LENGTH", value_parser = positive, requires = "track")]
    max_step: Option<f64>,
    /// The joints that reach, by name or number, instead of the ends of the tree
    #[arg(long, value_name = "JOINT,...", value_delimiter = ',')]
    pub effectors: Vec<String>,
    /// Joints that stay where they are, of a subject or a recording's skeleton: it then hangs on the first,
    /// and its root goes along
    #[arg(long, value_name = "JOINT,...", value_delimiter = ',')]
    pub pin: Vec<String>,
    /// Where to write the positions of all joints: csv, trc or c3d; or a skeleton and its motion: bvh
    #[arg(short, long, value_name = "MOTION.csv")]
    output: Option<PathBuf>,
    /// Frames a second of what is written; those of the targets, or 100, if not given
    #[arg(long, value_name = "HZ", value_parser = positive)]
    rate: Option<f64>,
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
#[derive(Debug, Default, Serialize)]
struct Answer {
    reached: bool,
    outcome: &'static str,
    distance: f64,
    iterations: usize,
    restarts: usize,
    limits_active: usize,
    held_back: bool,
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
            held_back: reach.is_held_back,
            joints: joints_m.iter().map(|at| [at.x, at.y, at.z]).collect(),
        }
    }

    /// Nothing was wanted: all stays.
    fn without_target(joints_m: &[Point3<f64>]) -> Self {
        let joints = joints_m.iter().map(|at| [at.x, at.y, at.z]).collect();
        Self { outcome: NO_TARGET, joints, ..Self::default() }
    }
}

/// What is said of a row without any.
const NO_TARGET: &str = "no target";

/// Reaches for every target in turn.
pub fn run(args: &IkArgs) -> anyhow::Result<ExitCode> {
    let output = args.output.as_deref().map(|path| Motion::at(path, args.force)).transpose()?;
    let model = model::read(args)?;
    let Rows { rows, rate_hz } = targets::read(&args.targets, &model, &args.reading.options())?;
    let linkage = &model.linkage;
    let lengths: f64 = (1..linkage.joints()).map(|joint| linkage.length_m(joint)).sum();
    let usual = if args.track { Options::tracking() } else { Options::default() };
    let options = Options {
        method: args.method,
        tolerance_m: args.tolerance.unwrap_or(1e-6 * lengths),
        max_iterations: args.iterations,
        max_step_m: args.max_step.unwrap_or(f64::INFINITY),
        ..usual
    };
    let rest = Solver::new(linkage.clone());
    let pins: Vec<Target> = model::joints(&model, "pin", args.pin.get(1..).unwrap_or(&[]))?
        .into_iter()
        .map(|joint| Target::at(joint, rest.positions_m()[joint]))
        .collect();
    let mut solver = rest.clone();
    let mut answers: Vec<Answer> = Vec::with_capacity(rows.len());
    let is_skeleton = output.as_ref().is_some_and(Motion::is_skeleton);
    let mut moved = is_skeleton.then(|| LimbMotion::new(&model)).transpose()?;
    let progress = Progress::over("reaching", rows.len());
    // The first of a moving target may be far: other starts are wanted then, and only then.
    for mut row in rows {
        if !args.track {
            solver.clone_from(&rest);
        }
        if let Some(at_m) = row.base_m {
            solver.move_base(at_m)?;
        }
        let pinned = pins.iter().filter(|pin| row.targets.iter().all(|t| t.joint != pin.joint));
        let pinned: Vec<Target> = pinned.copied().collect();
        row.targets.extend(pinned);
        let answer = if row.targets.is_empty() && linkage.loops() == 0 {
            Answer::without_target(solver.positions_m())
        } else {
            let named = |error: condyle::Error| error.with_path(&args.model);
            let is_first = answers.iter().all(|answer| answer.outcome == NO_TARGET);
            let before = (args.track && is_first).then(|| solver.clone());
            let mut reach = solver.solve(&row.targets, &options).map_err(named)?;
            if let (Some(mut other), Outcome::Stalled) = (before, reach.outcome) {
                let anew = Options {
                    restarts: Options::default().restarts,
                    max_step_m: f64::INFINITY,
                    max_step_ratio: f64::INFINITY,
                    ..options
                };
                let again = other.solve(&row.targets, &anew).map_err(named)?;
                if again.distance_m < reach.distance_m {
                    (solver, reach) = (other, again);
                }
            }
            Answer::of(&reach, solver.positions_m())
        };
        answers.push(answer);
        if let Some(moved) = &mut moved {
            moved.push(&mut solver).map_err(|error| error.with_path(&args.model))?;
        }
        progress.advance();
    }
    drop(progress);
    if let Some(output) = output {
        let frames = answers.iter().map(|answer| answer.joints.as_slice());
        let rate_hz = args.rate.or(rate_hz).unwrap_or(100.0);
        let written = match moved {
            Some(moved) => output.write_skeleton(moved, rate_hz)?,
            None => output.write_points(&model.names, frames, rate_hz)?,
        };
        say::wrote(&written);
    }
    print(args.json, &answers)?;
    Ok(ExitCode::SUCCESS)
}

fn print(is_json: bool, answers: &[Answer]) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    if is_json {
        print_json(answers, &mut out)?;
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
