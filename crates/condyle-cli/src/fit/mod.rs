//! `condyle fit`: from calibration recordings to a subject file.

mod page;

use std::borrow::Borrow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::Trial;
use condyle::calibrate::{Calibration, FrameRule};
use condyle::plan::Performer;
use condyle::subject::Subject;

use crate::exchanges;
use crate::options::ReadingArgs;
use crate::planning::{self, PlanArgs};
use crate::run::prefixes;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

use crate::terminal::input;
use crate::terminal::say;
use crate::trackers;

const EXAMPLES: &str = "\
Examples:
  condyle fit rom.c3d -o joe.json                   segments by marker names, or by their motion
  condyle fit rom1.c3d rom2.c3d -o joe.json         several calibration trials of one performer
  condyle fit dog.c3d --plan dog.toml -o dog.json   from a file (condyle groups --write-plan)
  condyle fit sensors.csv -o joe.json               bodies with poses (docs/trackers.md)
  condyle fit rom.c3d --json | jq '.joints[].name'

A calibration trial moves every joint about all its axes, 30 degrees or more. The table says how far
to trust each centre: sd is its standard error along the worst direction, gap how far its two
segments put it apart, and what to do about joints that did not move enough.

A recording with several performers gives a file each: joe.json becomes joe-NAME.json.
Exit code: 0 if a subject was fitted, 1 if not, 2 if the command line is wrong.";

/// `condyle fit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FitArgs {
    /// Calibration recordings of the same performer with the same markers
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write the subject
    #[arg(short, long, value_name = "SUBJECT.json", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Only this performer, of several
    #[arg(long, value_name = "NAME")]
    performer: Option<String>,
    /// How the pose of a segment is found: from all of its markers, or from three as Knight (2008) does
    #[arg(long, value_name = "RULE", default_value = "all")]
    frames: FrameChoice,
    /// Overwrite the subject file if it exists
    #[arg(long, short)]
    force: bool,
    /// Print the subject as JSON, an array for several performers (documented in docs/subject.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum FrameChoice {
    /// Every marker that is seen, by its weight
    All,
    /// The three that span the largest triangle: noisier, to reproduce the document
    Triads,
}

impl FrameChoice {
    fn rule(self) -> FrameRule {
        match self {
            Self::All => FrameRule::AllMarkers,
            Self::Triads => FrameRule::Triads,
        }
    }
}

/// Fits every performer of the recordings.
pub fn run(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::through_stages("reading");
    let mut trials = Vec::new();
    for path in &args.files {
        trials.push((path, input::read(path, &args.reading.options())?));
    }
    let (first_path, first) = &trials[0];
    if trackers::is_one(first, args.plan.by) {
        progress.stage("fitting");
        return bodies(args, &lent(&trials), &progress);
    }
    progress.stage("finding segments");
    let found = planning::plan(first, first_path, &args.plan)?;
    let all = &found.plan.performers;
    let names: Vec<&str> = all.iter().map(|performer| performer.name.as_str()).collect();
    let chosen = chosen(&names, args.performer.as_deref())
        .with_context(|| first_path.display().to_string())?;
    let performers: Vec<&Performer> = chosen.into_iter().map(|index| &all[index]).collect();
    let names: Vec<&str> = performers.iter().map(|performer| performer.name.as_str()).collect();
    let outputs = outputs(args, &names)?;
    progress.stage("fitting");
    let mut notes = Vec::new();
    let mut straight = Vec::new();
    for (path, trial) in &trials {
        let segments = exchanges::segments_of(&performers, trial);
        let (undone, exchanged) = exchanges::undone(trial, &segments);
        straight.push((*path, undone));
        notes.extend(trial.notes.iter().map(ToString::to_string).chain(exchanged));
    }
    let mut subjects = Vec::new();
    for performer in &performers {
        subjects.push(fit(performer, &lent(&straight), args.frames.rule())?);
    }
    drop(progress);

    notes.iter().for_each(|note| say::note(note));
    found.notes.iter().for_each(|note| say::note(note));
    hand_over(&subjects, outputs, args)
}

/// Writes the subjects where they are wanted, and shows them.
fn hand_over(
    subjects: &[Subject],
    outputs: Vec<Option<(PathBuf, Output)>>,
    args: &FitArgs,
) -> anyhow::Result<ExitCode> {
    for (subject, output) in subjects.iter().zip(outputs) {
        let text = subject.to_json()?;
        if let Some((path, output)) = output {
            output.write(|out| Ok(writeln!(out, "{text}")?))?;
            let (segments, joints) = (subject.segments.len(), subject.joints.len());
            say::wrote(&format!("{}: {segments} segments, {joints} joints", path.display()));
        }
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        print_json(subjects, &mut out)?;
    } else {
        for subject in subjects {
            page::print(subject, &mut out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Fits the performers that wear the bodies of the recordings.
fn bodies(
    args: &FitArgs,
    trials: &[(&Path, &Trial)],
    progress: &Progress,
) -> anyhow::Result<ExitCode> {
    let (first_path, first) = trials[0];
    let performers = trackers::performers(first);
    let names: Vec<&str> = performers.iter().map(String::as_str).collect();
    let chosen = chosen(&names, args.performer.as_deref())
        .with_context(|| first_path.display().to_string())?;
    let names: Vec<&str> = chosen.into_iter().map(|index| names[index]).collect();
    let outputs = outputs(args, &names)?;
    let mut notes: Vec<String> =
        trials.iter().flat_map(|(_, trial)| trial.notes.iter().map(ToString::to_string)).collect();
    let mut subjects = Vec::new();
    for name in names {
        let subject = trackers::fit(trials, name, args.plan.by, &args.plan.bodies)?.subject;
        for (path, trial) in trials {
            let troubles = condyle::trackers::trouble::find(&subject, trial);
            let said = trackers::in_words(&troubles, trial.rate_hz);
            // Where there are several it says which.
            notes.extend(said.into_iter().map(|note| match trials.len() {
                1 => note,
                _ => format!("{}: {note}", path.display()),
            }));
        }
        subjects.push(subject);
    }
    progress.stage("writing");
    notes.iter().for_each(|note| say::note(note));
    hand_over(&subjects, outputs, args)
}

/// Which of the performers to fit.
fn chosen(performers: &[&str], wanted: Option<&str>) -> anyhow::Result<Vec<usize>> {
    match wanted {
        None if performers.is_empty() => {
            bail!("need segments, got none: try --by motion, or --plan FILE")
        }
        None => Ok((0..performers.len()).collect()),
        Some(name) => match performers.iter().position(|performer| *performer == name) {
            Some(index) => Ok(vec![index]),
            None if performers == [""] => {
                bail!(
                    "--performer: need prefixes of names (JOE:...), got one performer without any"
                )
            }
            None => bail!("--performer: need one of {}, got '{name}'", performers.join(", ")),
        },
    }
}

/// One output a performer, checked before any work is done.
fn outputs(args: &FitArgs, names: &[&str]) -> anyhow::Result<Vec<Option<(PathBuf, Output)>>> {
    let Some(path) = &args.output else { return Ok(names.iter().map(|_| None).collect()) };
    let mut outputs = Vec::new();
    for prefix in prefixes(names) {
        let path = match names.len() {
            1 => path.clone(),
            _ => named(path, prefix.trim_end_matches('-')),
        };
        let output = Output::at(&path, args.force)?;
        outputs.push(Some((path, output)));
    }
    Ok(outputs)
}

/// `joe.json` for a performer: `joe-ANNA.json`.
fn named(path: &Path, performer: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}-{performer}{}", extension.unwrap_or_default()))
}

fn lent<'a, T: Borrow<Trial>>(trials: &'a [(&PathBuf, T)]) -> Vec<(&'a Path, &'a Trial)> {
    trials.iter().map(|(path, trial)| (path.as_path(), trial.borrow())).collect()
}

/// Feeds all trials to one calibration; the markers of the later ones are found by their labels.
pub fn fit(
    performer: &Performer,
    trials: &[(&Path, &Trial)],
    rule: FrameRule,
) -> anyhow::Result<Subject> {
    let [(first_path, first), ..] = trials else { bail!("need a recording, got none") };
    let labels = first.labels();
    let mut calibration = Calibration::new(performer, &labels)?;
    calibration.set_frame_rule(rule);
    let mut positions_m = vec![None; labels.len()];
    let wanted: Vec<usize> =
        performer.segments.iter().flat_map(|segment| segment.markers.iter().copied()).collect();
    for (path, trial) in trials {
        let columns: Vec<Option<usize>> = labels
            .iter()
            .map(|label| trial.markers.iter().position(|marker| marker.label == *label))
            .collect();
        let there = wanted.iter().filter(|marker| columns[**marker].is_some()).count();
        if 2 * there < wanted.len() {
            bail!(
                "{}: need the markers of {}, got {there} of {}: is it another performer or another \
                 marker set?",
                path.display(),
                first_path.display(),
                wanted.len()
            );
        }
        calibration.begin_recording(path.file_name().unwrap_or_default().to_string_lossy());
        for frame in 0..trial.frames {
            for (position_m, column) in positions_m.iter_mut().zip(&columns) {
                *position_m = column.and_then(|column| trial.markers[column].position_m(frame));
            }
            calibration.push(&positions_m);
        }
    }
    Ok(calibration.fit().map_err(|error| error.with_path(first_path))?)
}

fn print_json(subjects: &[Subject], out: &mut impl Write) -> io::Result<()> {
    let texts: Vec<String> = subjects.iter().filter_map(|subject| subject.to_json().ok()).collect();
    match texts.as_slice() {
        [one] => writeln!(out, "{one}"),
        several => writeln!(out, "[\n{}\n]", several.join(",\n")),
    }
}
