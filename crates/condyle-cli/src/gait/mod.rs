//! `condyle gait`: events, strides, angles over the cycle, scores.

mod json;
mod page;
mod shared;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::Trial;
use condyle::gait::{self, EventsFrom, MeanCycle, PerformerGait};
use condyle::job::Performance;
use condyle::trial::Note;
use serde_json::Value;

use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::terminal::output::{Output, check_folder};
use crate::terminal::prefixes::prefixes;
use crate::terminal::{files, in_one_line, print_json, say};
pub use json::{Pooled, RecordingGait, answer, pooled};
pub use shared::performers;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle gait`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GaitArgs {
    /// The recordings; a folder stands for the C3D and TRC files in it and in its folders
    #[arg(required = true, value_name = "IN")]
    files: Vec<PathBuf>,
    /// Fit a subject to each recording by itself, also where several are of one performer
    #[arg(long)]
    each: bool,
    /// Use this subject, which condyle fit or condyle run wrote, for the angles, instead of fitting one to each
    #[arg(long, value_name = "S.json", conflicts_with_all = ["plan", "by", "height_m", "knee_width_mm",
        "ankle_width_mm", "elbow_width_mm", "wrist_width_mm", "leg_length_mm"])]
    subject: Option<PathBuf>,
    /// Where events come from, as explained below
    #[arg(long, value_name = "WHERE", value_enum, default_value_t)]
    events: Events,
    /// A reference for the gait profile score: a table with the columns of cycles.csv
    #[arg(long, value_name = "N.csv")]
    norm: Option<PathBuf>,
    /// Write gait.json, cycles.csv, centres.csv and cycles.parquet into this folder; it is made if there is none
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Overwrite files in DIR
    #[arg(long, short)]
    force: bool,
    /// Print a JSON array, an object a recording and one a performer (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Where events come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Events {
    /// The file's where it has some, else markers, with plates where a foot is alone on one.
    #[default]
    Auto,
    /// The file's.
    File,
    /// Force plates.
    Plates,
    /// Feet and pelvis.
    Markers,
}

/// Analyses every recording.
pub fn run(args: &GaitArgs) -> anyhow::Result<ExitCode> {
    let from = match args.events {
        Events::Auto => EventsFrom::Auto,
        Events::File => EventsFrom::File,
        Events::Plates => EventsFrom::Plates,
        Events::Markers => EventsFrom::Markers,
    };
    let norm = args.norm.as_deref().map(norm_text).transpose()?;
    let reference = norm.as_deref().map(gait::from_csv).transpose()?.unwrap_or_default();
    let mut options = args.plan.options()?;
    args.motion.apply(&mut options);
    options.subject = args.subject.as_deref().map(read_subject).transpose()?;
    if let Some(folder) = &args.output {
        if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
            bail!("{}: need a folder to write in, got a file", folder.display());
        }
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        check_folder(folder).with_context(|| folder.display().to_string())?;
    }
    let output = args.output.as_deref().unwrap_or(Path::new(""));
    let paths: Vec<PathBuf> =
        files::recordings(&args.files, output)?.into_iter().map(|found| found.path).collect();
    let results = shared::performances(&paths, &args.reading.options(), &options, args.each);
    let mut recordings = Vec::new();
    let mut is_good = true;
    for (file, result) in paths.iter().zip(results) {
        match result {
            Ok(solved) => {
                let recording = one(file, solved, from);
                for note in &recording.all_notes() {
                    say::note(&format!("{}: {note}", file.display()));
                }
                recordings.push(recording);
            }
            Err(error) => {
                is_good = false;
                say::error(&in_one_line(&error));
            }
        }
    }
    if recordings.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let together = pooled(&recordings);
    let found = answer(&recordings, &together, &reference);
    if let Some(folder) = &args.output {
        for (name, bytes) in files(&found, &together)? {
            let path = folder.join(name);
            Output::at(&path, args.force)?.write(|out| Ok(out.write_all(&bytes)?))?;
            say::wrote(&path.display().to_string());
        }
    }
    let mut out = anstream::stdout().lock();
    match args.json {
        true => print_json(&found, &mut out)?,
        false => page::print(&recordings, &together, &reference, &mut out)?,
    }
    out.flush()?;
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(file: &Path, solved: shared::Solved, from: EventsFrom) -> RecordingGait {
    let shared::Solved { trial, performance, performer } = solved;
    let name = file.display().to_string();
    let found = of_recording(&name, &trial, performance.as_ref().ok(), from);
    let mut found = RecordingGait { performer, ..found };
    found.notes.extend(performance.err().map(|why| Note::new("no-angles", why)));
    found
}

/// The gait of everybody in a recording.
pub fn of_recording(
    name: &str,
    trial: &Trial,
    performance: Option<&Performance>,
    from: EventsFrom,
) -> RecordingGait {
    let clock = |performers, notes| RecordingGait {
        recording: name.to_owned(),
        performer: 0,
        first_frame: trial.first_frame,
        start_s: trial.start_s,
        rate_hz: trial.rate_hz,
        performers,
        notes,
    };
    match gait::of_performance(trial, performance, from) {
        Ok(performers) => clock(performers, Vec::new()),
        Err(why) => clock(Vec::new(), vec![Note::new("no-feet", format!("no gait: {why}"))]),
    }
}

/// The mean cycles of a performer's recordings.
pub fn mean_cycles<'a>(of: impl IntoIterator<Item = &'a PerformerGait>) -> Vec<MeanCycle> {
    let cycles: Vec<_> =
        of.into_iter().flat_map(|performer| performer.cycles.iter().cloned()).collect();
    gait::means(&cycles)
}

/// The text of a reference, when it is one.
pub fn norm_text(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    gait::from_csv(&text).map_err(|error| error.with_path(path))?;
    Ok(text)
}

/// The files of an answer by their names: gait.json, and tables of mean cycles for everybody who has some.
pub fn files(answer: &Value, pooled: &[Pooled]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut json = serde_json::to_vec_pretty(answer)?;
    json.push(b'\n');
    let mut files = vec![("gait.json".to_owned(), json)];
    let names: Vec<&str> = pooled.iter().map(|own| own.name.as_str()).collect();
    for (own, prefix) in pooled.iter().zip(prefixes(&names)) {
        if !own.cycles.is_empty() {
            let table = gait::to_csv(&own.cycles).into_bytes();
            files.push((format!("{prefix}cycles.csv"), table));
        }
        if !own.centres.is_empty() {
            let table = gait::centres_to_csv(&own.centres).into_bytes();
            files.push((format!("{prefix}centres.csv"), table));
        }
        #[cfg(feature = "parquet")]
        if !own.cycles.is_empty() || !own.centres.is_empty() {
            let mut table = Vec::new();
            condyle::export::write_gait_cycles(&own.cycles, &own.centres, &mut table)?;
            files.push((format!("{prefix}cycles.parquet"), table));
        }
    }
    Ok(files)
}
