//! `condyle run`: from recordings to everything that people use next.

mod exports;
mod folders;
mod lock;
mod outcome;
mod record;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use condyle::export::Export;
use condyle::format::ReadOptions;
use condyle::job::{self, Recording};
use condyle::trial::Note;
use serde::{Deserialize, Serialize};

use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::report::{self, Results};
use crate::terminal::output::Output;
use crate::terminal::prefixes::prefixes;
use crate::terminal::progress::Progress;
use crate::terminal::{in_one_line, input, parallel, say};
use lock::FolderLock;
pub use outcome::Outcome;
use record::{Record, State};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle run`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArgs {
    /// The recordings; a folder stands for the C3D and TRC files in it
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where the folders of the recordings go; it is made if there is none
    #[arg(short, long, value_name = "DIR", default_value = "condyle-out")]
    pub output: PathBuf,
    /// Use this subject, which condyle fit or condyle run wrote, instead of fitting one
    #[arg(long, value_name = "SUBJECT.json", conflicts_with_all = ["plan", "by", "height_m", "knee_width_mm",
        "ankle_width_mm", "elbow_width_mm", "wrist_width_mm", "leg_length_mm"])]
    pub subject: Option<PathBuf>,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long, requires = "subject")]
    pub anyway: bool,
    /// What the person weighs, for the masses of model.osim, in kilograms [default: 70]
    #[arg(long, value_name = "KG", value_parser = weight_kg, allow_negative_numbers = true)]
    pub weight_kg: Option<f64>,
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
        reading: args.reading.options(),
        exports: ExportOptions { mot: args.motion.mot_export(), weight_kg: args.weight_kg },
        is_forced: args.force,
        show,
    };
    run_batch(&recordings(&args.files)?, &args.output, &batch)
}

/// Runs recordings, each into a folder of its own.
pub fn run_batch(files: &[PathBuf], output: &Path, batch: &Batch) -> anyhow::Result<ExitCode> {
    if fs::metadata(output).is_ok_and(|metadata| !metadata.is_dir()) {
        bail!("{}: need a folder to write in, got a file", output.display());
    }
    let folders = folders::of(files, output);
    let jobs: Vec<(&PathBuf, PathBuf)> = files.iter().zip(folders).collect();
    let progress = Progress::over("recordings", jobs.len());
    let outcomes = parallel::map(&jobs, |(file, folder)| {
        let start = Instant::now();
        let result = one(file, folder, batch);
        let outcome = result.map(|(outcome, notes)| {
            // Of many recordings the table says how many remarks there are.
            if jobs.len() == 1 && batch.show != Show::Nothing {
                say::notes(&notes);
            }
            outcome
        });
        let mut outcome = outcome.unwrap_or_else(|error| {
            let why = about(file, &in_one_line(&error));
            say::error(&why);
            Outcome::failed(file, why)
        });
        outcome.seconds = start.elapsed().as_secs_f64();
        progress.advance();
        outcome
    });
    drop(progress);
    if batch.show != Show::Nothing {
        outcome::print(&outcomes, batch.show == Show::Json)?;
    }
    let is_good = outcomes.iter().all(|outcome| outcome.error.is_none());
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The recordings that are meant: each once, and those in a folder in the order of their names.
fn recordings(files: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = Vec::new();
    for path in files {
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let is_recording = |path: &PathBuf| {
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            path.is_file() && (extension == "c3d" || extension == "trc")
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut within: Vec<PathBuf> = paths.filter(is_recording).collect();
        if within.is_empty() {
            bail!("{}: need C3D or TRC files in the folder, got none", path.display());
        }
        within.sort();
        found.append(&mut within);
    }
    let mut seen = HashSet::new();
    found.retain(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    Ok(found)
}

fn weight_kg(text: &str) -> Result<f64, String> {
    let kg = text.parse::<f64>().ok().filter(|kg| (1.0..=500.0).contains(kg));
    kg.ok_or_else(|| format!("need 1 to 500 kilograms, got '{text}'"))
}

/// An error with the recording that it is about, unless it says so itself.
fn about(file: &Path, error: &str) -> String {
    let name = file.display().to_string();
    if error.contains(&name) { error.to_owned() } else { format!("{name}: {error}") }
}

/// Reads, solves and writes one recording.
fn one(file: &Path, folder: &Path, batch: &Batch) -> anyhow::Result<(Outcome, Vec<Note>)> {
    let record = Record::new(file, batch)?;
    if let Some(outcome) = done(folder, &record, batch.is_forced)? {
        return Ok((outcome.skipped(), Vec::new()));
    }
    let trial = input::read(file, &batch.reading)?;
    let recording = Recording::new(file.display().to_string(), trial);
    let performance = job::run(recording, &batch.options)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut results = Results::of(&name, &performance);

    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let _held = FolderLock::hold(folder)?;
    // Another run may have done it meanwhile.
    if let Some(outcome) = done(folder, &record, batch.is_forced)? {
        return Ok((outcome.skipped(), Vec::new()));
    }
    record.begin(folder)?;
    let mut outputs = Vec::new();
    let mut writer = exports::Writer { folder, options: &batch.exports, outputs: &mut outputs };
    let performers = &performance.performers;
    let names: Vec<&str> = performers.iter().map(|p| p.subject.name.as_str()).collect();
    for (index, (performer, prefix)) in performers.iter().zip(prefixes(&names)).enumerate() {
        writer.performer(&performance, performer, &prefix, &mut results.performers[index])?;
    }
    writer.recording(&performance)?;
    writer.gait(&name, &performance)?;
    writer.write(report::RESULTS, |out| Ok(serde_json::to_writer(out, &results)?))?;
    let page = report::page(&results);
    writer.write(report::REPORT, |out| Ok(std::io::Write::write_all(out, page.as_bytes())?))?;
    let outcome = Outcome::of(file, folder, &results, outputs);
    record.finish(folder, &outcome)?;
    Ok((outcome, results.notes().cloned().collect()))
}

/// The results of these very inputs, where they are there; an error where something else is.
fn done(folder: &Path, record: &Record, is_forced: bool) -> anyhow::Result<Option<Box<Outcome>>> {
    match record::state(folder, record)? {
        State::UpToDate(outcome) if !is_forced => Ok(Some(outcome)),
        State::Foreign(why) if !is_forced => {
            bail!("{}: {why}: need --force to overwrite it", folder.display())
        }
        _ => Ok(None),
    }
}

/// A file of ours in a folder of ours: written whole, over what was there.
fn ours(path: &Path) -> anyhow::Result<Output> {
    Output::at(path, true)
}
