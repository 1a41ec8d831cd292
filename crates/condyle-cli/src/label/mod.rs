//! `condyle label`: names for trajectories that have none.

mod json;
mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use condyle::Trial;
use condyle::label::{self, Options};
use condyle::marker_set::{self, PlanText};
use condyle::subject::MarkerPoses;
use condyle::trial::{Format, Note};

use crate::options::format::writable_format;
use crate::options::{ReadingArgs, read_subject};
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say, usage};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle label`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LabelArgs {
    /// The recording, in any format that can be read; - reads standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The subject that `condyle fit` wrote
    #[arg(long, value_name = "SUBJECT.json", required_unless_present = "set")]
    subject: Option<PathBuf>,
    /// The marker set instead, by its name or as a plan file; needs --labelled-frame
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "subject", requires = "labelled_frame")]
    set: Option<String>,
    /// The frame in which trajectories bear their labels: a position counted from 1
    #[arg(long, value_name = "N", requires = "set", value_parser = clap::value_parser!(u64).range(1..))]
    labelled_frame: Option<u64>,
    /// Where to write; the extension names the format
    #[arg(short, long, value_name = "OUT", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Suggest labels even if the subject does not seem to be the one recorded
    #[arg(long)]
    anyway: bool,
    /// Overwrite OUT if it exists
    #[arg(long, short)]
    force: bool,
    /// Print who is who as a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Labels one recording.
pub fn run(args: &LabelArgs) -> anyhow::Result<ExitCode> {
    let output = output(args)?;
    let progress = Progress::through_stages("reading");
    let trial = input::read(&args.input, &args.reading.options())?;
    let mut options = Options::default();
    options.suggest = args.anyway;
    options.labelled_frame = args.labelled_frame.map(|frame| frame as usize - 1);
    let (poses, mut notes) = known(args, &trial, &options)?;
    progress.stage("labelling");
    let at_fault = |error: condyle::Error| error.with_path(&args.input);
    let labelling = label::label(&trial, &poses, &options).map_err(at_fault)?;
    if !labelling.agreement.is_same_subject() {
        let text = "the subject does not fit the recording: its labels are suggestions";
        notes.push(Note::new("labels-suggested", text));
    }
    progress.stage("writing");
    let applied = label::apply(trial, &labelling);
    notes.splice(0..0, applied.trial.notes.iter().cloned());
    if let Some((path, format, output)) = output {
        let lost = output.write(|out| {
            let written = condyle::format::write(&applied.trial, format, out);
            Ok(written.map_err(|error| error.with_path(path))?)
        })?;
        notes.extend(lost);
    }
    drop(progress);
    say::notes(&notes);
    let mut out = anstream::stdout().lock();
    match args.json {
        true => json::print(args, &labelling, &applied, &notes, &mut out)?,
        false => page::print(&labelling, &applied, &mut out)?,
    }
    if let Some(path) = &args.output {
        let markers = applied.trial.markers.len();
        say::wrote(&format!("{}: {markers} markers", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Where to write, and in which format; checked before any work is done.
fn output(args: &LabelArgs) -> anyhow::Result<Option<(&Path, Format, Output)>> {
    let Some(path) = args.output.as_deref() else { return Ok(None) };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let format = writable_format(extension).unwrap_or_else(|what| {
        usage::exit::<LabelArgs>("label", &format!("extension of {}: {what}", path.display()))
    });
    Ok(Some((path, format, Output::at(path, args.force)?)))
}

/// What the markers are known by: a subject, or a labelled frame.
fn known(
    args: &LabelArgs,
    trial: &Trial,
    options: &Options,
) -> anyhow::Result<(MarkerPoses, Vec<Note>)> {
    if let Some(path) = &args.subject {
        let subject = read_subject(path)?;
        let Some(poses) = subject.marker_poses else {
            bail!(
                "{}: need a subject with marker poses, got one of an older version or of bodies: fit it again",
                path.display()
            );
        };
        return Ok((poses, Vec::new()));
    }
    let (set, frame) = (args.set.as_deref().unwrap_or(""), options.labelled_frame.unwrap_or(0));
    let (markers, notes) = markers_of_set(set, trial)?;
    let poses = label::labelled_pose(trial, &markers, frame);
    Ok((poses.map_err(|error| error.with_path(&args.input))?, notes))
}

/// The trajectories that bear a label of a marker set.
fn markers_of_set(set: &str, trial: &Trial) -> anyhow::Result<(Vec<usize>, Vec<Note>)> {
    let is_of_set = |label: &str| marker_set::has_label(set, label);
    if is_of_set("").is_some() {
        let markers = trial.markers.iter().enumerate();
        let own = markers.filter(|(_, marker)| is_of_set(&marker.label) == Some(true));
        return Ok((own.map(|(index, _)| index).collect(), Vec::new()));
    }
    let path = Path::new(set);
    if !path.is_file() {
        let known: Vec<&str> = marker_set::built_in()
            .filter(|name| marker_set::has_label(name, "").is_some())
            .collect();
        bail!("--set: need a file or one of {}, got '{set}'", known.join(", "));
    }
    let (plan, notes) = marker_set::from_text(&PlanText::read(path)?, trial)?;
    let segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    Ok((segments.flat_map(|segment| segment.markers.iter().copied()).collect(), notes))
}
