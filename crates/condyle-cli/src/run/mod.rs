//! `condyle run`: from recordings to everything that people use next.

mod exports;
mod folders;
mod outcome;
mod record;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use condyle::angles::Smoothing;
use condyle::fill;
use condyle::subject::Subject;

use crate::options::ReadingArgs;
use crate::pipeline::{self, Performance};
use crate::planning::{By, PlanArgs};
use crate::report::{self, Results};
use crate::solve;
use crate::terminal::input;
use crate::terminal::output::Output;
use crate::terminal::parallel;
use crate::terminal::progress::Progress;
use crate::terminal::say;
use crate::trackers;
pub use exports::prefixes;
pub use outcome::Outcome;
use record::{Record, State};

const EXAMPLES: &str = "\
Examples:
  condyle run dance.c3d                               into condyle-out/dance
  condyle run *.c3d -o results                        many at once, on all processors
  condyle run recordings -o results                   those of a folder
  condyle run walk*.c3d --subject joe.json -o results with a skeleton that was fitted before
  condyle run walk.c3d --json | jq '.[].outputs'

A folder for every recording, with
  report.html      what was found and how far to trust it; opens in a browser, needs no network
  subject.json     the performer's skeleton, for condyle solve and --subject
  joints.csv       where every joint is in every frame, in metres
  joints.trc       the same for OpenSim and others
  angles.csv       joint angles and their rates, in degrees; angles.mot the same for OpenSim
  skeleton.bvh     the skeleton and its motion for animation; skeleton.glb the same as glTF
  motion.parquet   joints and angles in columns, for data people
  with-joints.c3d  the recording with the joints added as points
  markers.trc      its markers, y up, for OpenSim; of sensors bodies.csv, their poses as recorded
  results.json     what the report shows, for programs and condyle report

Gaps up to --max-gap are bridged by a cubic and marked as filled; longer ones stay. Recordings
whose results are up to date are skipped; nothing that condyle run did not write is overwritten
without --force. Of several performers in a recording the files begin with a name or a number.
Exit code: 0 if all went well, 1 if some recordings failed, 2 if the command line is wrong, 130 if
interrupted: run it again to go on.";

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
    #[arg(long, value_name = "SUBJECT.json", conflicts_with_all = ["plan", "by"])]
    pub subject: Option<PathBuf>,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long, requires = "subject")]
    pub anyway: bool,
    /// Bridge gaps up to so many seconds; 0 for none
    #[arg(long, value_name = "S", default_value_t = fill::MAX_GAP_S, value_parser = gap_s, allow_negative_numbers = true)]
    pub max_gap: f64,
    /// Smooth the angles by a Butterworth filter without lag: auto (a cutoff for each joint, by cross-validation),
    /// a cutoff in hertz (6 is usual for gait) or off; nothing else is smoothed
    #[arg(long, value_name = "HZ", default_value = "auto", value_parser = crate::options::reading::smoothing)]
    pub smooth: Smoothing,
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
    pub reading: ReadingArgs,
}

fn gap_s(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=10.0).contains(value));
    value.ok_or_else(|| format!("need 0 to 10 seconds, got '{text}'"))
}

/// Runs every recording.
pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let subject = match &args.subject {
        Some(path) => Some((path.as_path(), solve::read_subject(path)?)),
        None => None,
    };
    if fs::metadata(&args.output).is_ok_and(|metadata| !metadata.is_dir()) {
        bail!("{}: need a folder to write in, got a file", args.output.display());
    }
    let files = recordings(&args.files)?;
    let folders = folders::of(&files, &args.output);
    let jobs: Vec<(&PathBuf, PathBuf)> = files.iter().zip(folders).collect();
    let progress = Progress::over("recordings", jobs.len());
    let outcomes = parallel::map(&jobs, |(file, folder)| {
        let start = Instant::now();
        let result = one(file, folder, subject.as_ref(), args);
        let outcome = result.map(|(outcome, notes)| {
            // Of many recordings the table says how many remarks there are.
            if jobs.len() == 1 && !args.quiet {
                notes.iter().for_each(|note| say::note(note));
            }
            outcome
        });
        let mut outcome = outcome.unwrap_or_else(|error| {
            let why = about(file, &crate::terminal::in_one_line(&error));
            say::error(&why);
            Outcome::failed(file, why)
        });
        outcome.seconds = start.elapsed().as_secs_f64();
        progress.advance();
        outcome
    });
    drop(progress);
    if !args.quiet {
        outcome::print(&outcomes, args.json)?;
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

/// An error with the recording that it is about, unless it says so itself.
fn about(file: &Path, error: &str) -> String {
    let name = file.display().to_string();
    if error.contains(&name) { error.to_owned() } else { format!("{name}: {error}") }
}

/// Reads, bridges, fits, solves and writes one recording.
fn one(
    file: &Path,
    folder: &Path,
    subject: Option<&(&Path, Subject)>,
    args: &RunArgs,
) -> anyhow::Result<(Outcome, Vec<String>)> {
    let record = Record::of(file, args)?;
    match record::state(folder, &record)? {
        State::UpToDate(outcome) if !args.force => {
            return Ok((outcome.skipped(), Vec::new()));
        }
        State::Foreign(why) if !args.force => {
            bail!("{}: {why}: need --force to overwrite it", folder.display())
        }
        _ => {}
    }
    let mut trial = input::read(file, &args.reading.options())?;
    let is_free = subject.is_none() && args.plan.plan.is_none() && args.plan.by == By::Auto;
    if trial.motion.is_some() && is_free && !trackers::is_one(&trial, args.plan.by) {
        bail!(
            "{}: need markers that were recorded, got a skeleton that moves already: condyle convert writes it in \
             other formats, condyle plot draws it, --by motion looks for segments among its joints all the same",
            file.display()
        );
    }
    let bridged = fill::bridge(&mut trial, args.max_gap);
    let performance = match subject {
        Some((path, subject)) => {
            pipeline::known(&trial, file, subject, (!args.anyway).then_some(*path))?
        }
        None => pipeline::fitted(&trial, file, &args.plan)?,
    };
    let Performance { performers, notes } = performance;
    let lent: Vec<_> = performers.iter().map(|p| (&p.subject, &p.solved)).collect();
    let stood_up = pipeline::stand_up(&mut trial, lent.iter().copied());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut results = Results::of(&name, &trial, &lent, bridged, args.max_gap);
    results.notes.extend(notes.into_iter().chain(stood_up));

    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    record.begin(folder)?;
    let mut outputs = Vec::new();
    let smoothing = args.smooth;
    let mut writer = exports::Writer { folder, smoothing, outputs: &mut outputs };
    let names: Vec<&str> = performers.iter().map(|p| p.subject.name.as_str()).collect();
    for (index, (performed, prefix)) in performers.iter().zip(prefixes(&names)).enumerate() {
        writer.performer(&trial, performed, &prefix, &mut results.performers[index])?;
    }
    writer.recording(&trial, &performers)?;
    writer.write(report::RESULTS, |out| Ok(serde_json::to_writer(out, &results)?))?;
    let page = report::page(&results);
    writer.write(report::REPORT, |out| Ok(std::io::Write::write_all(out, page.as_bytes())?))?;
    let outcome = Outcome::of(file, folder, &results, outputs);
    record.finish(folder, &outcome)?;
    Ok((outcome, results.notes().map(str::to_owned).collect()))
}

/// A file of ours in a folder of ours: written whole, over what was there.
fn ours(path: &Path) -> anyhow::Result<Output> {
    Output::at(path, true)
}
