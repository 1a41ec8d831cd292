//! `condyle solve`: where a calibrated subject's joints are in every frame of a recording.

mod json;
mod page;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use condyle::export::Export;
use condyle::job::{self, Recording};
use condyle::trial::LengthUnit;

use crate::options::{MotionArgs, ReadingArgs, read_subject, read_weights};
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The subject that `condyle fit` wrote
    #[arg(long, value_name = "SUBJECT.json")]
    subject: PathBuf,
    /// What to write, by extension: csv, trc, c3d, bvh, glb, mot, sto, parquet; may be repeated
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["json", "angles"],
        value_parser = PathBufValueParser::new().try_map(centres_path))]
    output: Vec<PathBuf>,
    /// Where to write the joint angles: csv (with velocities), mot or sto
    #[arg(long, value_name = "ANGLES.csv",
        value_parser = PathBufValueParser::new().try_map(angles_path))]
    angles: Option<PathBuf>,
    /// The unit of length for formats with a choice (bvh, trc): m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT")]
    out_units: Option<LengthUnit>,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long)]
    anyway: bool,
    /// How much markers count, besides the subject's own weights: a TOML file with a line LABEL = WEIGHT each
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Overwrite outputs that exist
    #[arg(long, short)]
    force: bool,
    /// Print how well it fits as a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Solves one recording.
pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let outputs = outputs(args)?;
    let progress = Progress::through_stages("reading");
    let mut options = job::Options::default();
    options.subject = Some(read_subject(&args.subject)?);
    options.accept_any_subject = args.anyway;
    if let Some(path) = &args.weights {
        options.weights = read_weights(path)?;
    }
    args.motion.apply(&mut options);
    let trial = input::read(&args.file, &args.reading.options())?;
    progress.stage("solving");
    let performance = job::run(Recording::new(args.file.display().to_string(), trial), &options)?;
    let Some(performer) = performance.performers.first() else {
        bail!("{}: need a performer, got none", args.file.display());
    };
    progress.stage("writing");
    let mut written = Vec::new();
    for (path, export, output) in outputs {
        let unit = args.out_units;
        let notes = output.write(|out| Ok(export.write(&performance, performer, unit, out)?))?;
        written.push((path, notes));
    }
    drop(progress);
    say::notes(&performance.all_notes());
    let mut out = anstream::stdout().lock();
    if args.json {
        json::print(&args.file, &performance, performer, &mut out)?;
    } else {
        page::print(&performance, performer, &mut out)?;
    }
    for (path, notes) in written {
        notes.iter().for_each(|note| say::note(&format!("{}: {note}", path.display())));
        let (joints, frames) = (performer.subject.joints().len(), performance.trial.frames);
        say::wrote(&format!("{}: {joints} joints, {frames} frames", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// All that is to be written, checked before any work is done.
fn outputs(args: &SolveArgs) -> anyhow::Result<Vec<(&Path, Export, Output)>> {
    let mut wanted: Vec<(&Path, Export)> = Vec::new();
    for path in &args.output {
        wanted.push((path, centres_export(path)?));
    }
    if let Some(path) = &args.angles {
        wanted.push((path, angles_export(path)?));
    }
    let mut seen = HashSet::new();
    if let Some((path, _)) = wanted.iter().find(|(path, _)| !seen.insert(*path)) {
        bail!("{}: need a file for each output, got it twice", path.display());
    }
    let of_model = |export| match export {
        Export::AnglesSto => args.motion.mot_export(),
        other => other,
    };
    let checked = |(path, export)| Ok((path, of_model(export), Output::at(path, args.force)?));
    wanted.into_iter().map(checked).collect()
}

/// What `-o` with this extension means.
fn centres_export(path: &Path) -> anyhow::Result<Export> {
    let extension = extension(path);
    let Some(export) = Export::from_extension(&extension) else {
        bail!("{}: need the extension {}, got '{extension}'", path.display(), Export::EXTENSIONS)
    };
    Ok(export)
}

/// What `--angles` with this extension means.
fn angles_export(path: &Path) -> anyhow::Result<Export> {
    match extension(path).as_str() {
        "csv" => Ok(Export::AnglesCsv),
        "mot" | "sto" => Ok(Export::AnglesSto),
        other => bail!("{}: need the extension csv, mot or sto, got '{other}'", path.display()),
    }
}

fn centres_path(path: PathBuf) -> anyhow::Result<PathBuf> {
    centres_export(&path).map(|_| path)
}

fn angles_path(path: PathBuf) -> anyhow::Result<PathBuf> {
    angles_export(&path).map(|_| path)
}

fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase()
}
