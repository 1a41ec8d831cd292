//! `condyle run`: from recordings to everything that people use next.

mod batch;
mod exports;
mod folders;
mod index;
mod lock;
mod outcome;
mod record;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use condyle::export::Export;
use condyle::format::ReadOptions;
use condyle::job;
use serde::{Deserialize, Serialize};

use crate::gait;
use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::terminal::files;
use crate::terminal::output::Output;
pub use batch::run_batch;
pub use outcome::Outcome;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// The recordings; a folder stands for the C3D and TRC files in it and in its folders
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where the folders of the recordings go; it is made if there is none
    #[arg(short, long, value_name = "DIR", default_value = "condyle-out")]
    pub output: PathBuf,
    /// Use this subject, which condyle fit or condyle run wrote, instead of fitting one
    #[arg(long, value_name = "SUBJECT.json", conflicts_with_all = ["plan", "by", "height_m", "knee_width_mm",
        "ankle_width_mm", "elbow_width_mm", "wrist_width_mm", "leg_length_mm"])]
    pub subject: Option<PathBuf>,
    /// Fit a subject to each recording by itself, also where several are of one performer
    #[arg(long)]
    pub each: bool,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long, requires = "subject")]
    pub anyway: bool,
    /// What the person weighs, for the masses of model.osim, physics.csv and figure.atm, in kilograms [default: 70]
    #[arg(long, value_name = "KG", value_parser = weight_kg, allow_negative_numbers = true)]
    pub weight_kg: Option<f64>,
    /// A reference for gait: a table with the columns of cycles.csv, for scores and beside the curves of the report
    #[arg(long, value_name = "N.csv")]
    pub norm: Option<PathBuf>,
    /// Write the subject as a robot too: subject.urdf, and joint positions in qpos.csv
    #[arg(long)]
    pub urdf: bool,
    /// Write the subject for MuJoCo too: subject.mjcf.xml, and joint positions in qpos.csv
    #[arg(long)]
    pub mujoco: bool,
    /// Write the centre of mass, momentum and energy of people too: physics.csv
    #[arg(long)]
    pub physics: bool,
    /// Write a solid figure too: figure.atm with its meshes, figure.glb, which moves, and physics.csv
    #[arg(long)]
    pub figure: bool,
    /// Write the same for every segment too: physics-segments.csv, a row a frame and segment; physics.csv comes with it
    #[arg(long)]
    pub segments: bool,
    /// What the points of a NumPy array (.npy, frames x points x 3) are: coco17, halpe26, body25, mediapipe, opencap20
    #[arg(long, value_name = "SET")]
    pub set: Option<String>,
    /// Frames a second, where the recording does not say it: arrays, tables without time
    #[arg(long, value_name = "HZ", value_parser = crate::options::reading::rate_hz, conflicts_with = "assume_rate",
        allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Overwrite what is in the folders of the recordings, and do what is up to date again
    #[arg(long, short)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Print a JSON array, an object a recording (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub plan: PlanArgs,
    #[command(flatten)]
    pub motion: MotionArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// What recordings are run with.
pub struct Batch {
    pub options: job::Options,
    pub reading: ReadOptions,
    pub exports: ExportOptions,
    /// Whether every recording gets a subject of its own.
    pub is_each: bool,
    pub is_forced: bool,
    pub show: Show,
}

/// What files are written with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportOptions {
    /// How coordinates for OpenSim are written.
    pub mot: Export,
    /// What the person weighs.
    pub weight_kg: Option<f64>,
    /// Whether there is a robot as URDF, and one for MuJoCo.
    #[serde(default)]
    pub urdf: bool,
    #[serde(default)]
    pub mujoco: bool,
    /// Whether there is a table of physics.
    #[serde(default)]
    pub physics: bool,
    /// The text of a reference for gait.
    #[serde(default)]
    pub norm: Option<String>,
    /// Whether there is a solid figure.
    #[serde(default)]
    pub figure: bool,
    /// Whether there is a table of physics of every segment.
    #[serde(default)]
    pub segments: bool,
}

/// What is printed of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// A table, and the notes of a single recording.
    Table,
    /// A JSON array instead.
    Json,
    /// Errors alone.
    Nothing,
}

/// Runs every recording.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let mut options = args.plan.options()?;
    args.motion.apply(&mut options);
    options.subject = args.subject.as_deref().map(read_subject).transpose()?;
    options.accept_any_subject = args.anyway;
    let show = match (args.quiet, args.json) {
        (true, _) => Show::Nothing,
        (_, true) => Show::Json,
        _ => Show::Table,
    };
    let batch = Batch {
        options,
        reading: ReadOptions {
            point_set: args.set.clone(),
            rate_hz: args.rate.or(args.reading.assume_rate),
            ..args.reading.options()
        },
        exports: ExportOptions {
            mot: args.motion.mot_export(),
            weight_kg: args.weight_kg,
            urdf: args.urdf,
            mujoco: args.mujoco,
            physics: args.physics,
            norm: args.norm.as_deref().map(gait::norm_text).transpose()?,
            figure: args.figure,
            segments: args.segments,
        },
        is_each: args.each,
        is_forced: args.force,
        show,
    };
    run_batch(&files::recordings(&args.files, &args.output)?, &args.output, &batch)
}

fn weight_kg(text: &str) -> Result<f64, String> {
    let kg = text.parse::<f64>().ok().filter(|kg| (1.0..=500.0).contains(kg));
    kg.ok_or_else(|| format!("need 1 to 500 kilograms, got '{text}'"))
}

/// A file of ours in a folder of ours: written whole, over what was there.
fn ours(path: &Path) -> anyhow::Result<Output> {
    Output::at(path, true)
}
