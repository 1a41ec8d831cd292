//! `condyle hand`: from a hand's back and finger tips to all of its joints.

mod calibrate;
mod json;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use condyle::export::HandExport;
use condyle::hand::{Method, Model, Options, Side, Which, track};
use condyle::trial::Note;

use crate::options::ReadingArgs;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle hand`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HandArgs {
    #[command(subcommand)]
    command: Option<HandCommand>,
    /// The recording, in any format that can be read
    #[arg(value_name = "RECORDING", required = true)]
    input: Option<PathBuf>,
    /// Where to write: csv, trc, c3d, bvh, glb or parquet
    #[arg(short, long, value_name = "OUT.csv", required = true)]
    output: Option<PathBuf>,
    #[command(flatten)]
    hand: WhichArgs,
    /// The model that `condyle hand calibrate` wrote, or one of your own
    #[arg(long, value_name = "MODEL.toml")]
    model: Option<PathBuf>,
    /// How fingers are posed: closed, fabrik, document, unlimited
    #[arg(long, value_name = "METHOD", default_value = "closed", value_parser = method)]
    method: Method,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print what came of it as a JSON object (documented in docs/hand.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// What else can be done.
#[derive(Debug, Subcommand)]
enum HandCommand {
    /// Fit a model of a hand to recordings in which it opens, closes and spreads
    Calibrate(calibrate::CalibrateArgs),
}

/// Which hand, and which markers.
#[derive(Debug, Args)]
pub struct WhichArgs {
    /// left, right or auto: by how the fingers bend
    #[arg(long, value_name = "SIDE", default_value = "auto", value_parser = side)]
    side: SideArg,
    /// Three markers on the back, then the tips of thumb, index, middle, ring and little finger
    #[arg(long, value_name = "A,B,C,T,I,M,R,L", value_delimiter = ',')]
    markers: Vec<String>,
    /// From the wrist to the tip of the middle finger, if that was measured
    #[arg(long, value_name = "MM")]
    hand_length_mm: Option<f64>,
}

/// A side, or none said.
#[derive(Debug, Clone, Copy)]
struct SideArg(Option<Side>);

fn side(name: &str) -> Result<SideArg, String> {
    match name {
        "auto" => Ok(SideArg(None)),
        _ => name
            .parse()
            .map(|side| SideArg(Some(side)))
            .map_err(|_| format!("need left, right or auto, got '{name}'")),
    }
}

fn method(name: &str) -> Result<Method, String> {
    let found = Method::ALL.into_iter().find(|method| method.name() == name);
    found.ok_or_else(|| format!("need {}, got '{name}'", Method::ALL.map(Method::name).join(", ")))
}

impl WhichArgs {
    fn words(&self) -> Which {
        Which {
            side: self.side.0,
            markers: self.markers.clone(),
            hand_length_m: self.hand_length_mm.map(|mm| mm * 1e-3),
        }
    }
}

/// Follows a hand, or calibrates one.
pub fn run(args: &HandArgs) -> anyhow::Result<ExitCode> {
    if let Some(HandCommand::Calibrate(args)) = &args.command {
        return calibrate::run(args);
    }
    let (Some(path), Some(output)) = (&args.input, &args.output) else {
        bail!("need a recording and a file to write: -o OUT.csv")
    };
    let (kind, target) = (kind(output)?, Output::at(output, args.force)?);
    let progress = Progress::through_stages("reading");
    let trial = input::read(path, &args.reading.options())?;
    let model = args.model.as_deref().map(model).transpose()?;
    progress.stage("following");
    let options = Options { method: args.method, ..Options::default() };
    let tracked = track(&trial, model, &args.hand.words(), options);
    let tracked = tracked.map_err(|error| error.with_path(path))?;
    progress.stage("writing");
    let followed = &tracked.followed;
    let lost = target.write(|out| {
        Ok(kind.write(followed, &trial, out).map_err(|error| error.with_path(output))?)
    })?;
    drop(progress);
    let notes: Vec<Note> =
        [&trial.notes, &tracked.notes, &lost].into_iter().flatten().cloned().collect();
    say::notes(&notes);
    if args.json {
        json::print(&tracked, &trial, &notes)?;
    }
    let posed = followed.frames_posed();
    say::wrote(&format!(
        "{}: {} hand, {} joints, {posed} of {} frames",
        output.display(),
        followed.model.side,
        followed.model.joint_names().len(),
        trial.frames
    ));
    Ok(ExitCode::SUCCESS)
}

fn model(path: &Path) -> anyhow::Result<Model> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(Model::from_toml(&text).map_err(|error| error.with_path(path))?)
}

/// What a file of this name holds.
fn kind(path: &Path) -> anyhow::Result<HandExport> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    HandExport::from_extension(extension).with_context(|| {
        let wanted = HandExport::EXTENSIONS;
        format!("{}: need {wanted} to write, got '{extension}'", path.display())
    })
}
