//! `condyle fit`: from calibration recordings to a subject file.

mod page;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use condyle::calibrate::SegmentFrame;
use condyle::job::{self, KnowledgeReport, Recording};
use condyle::subject::Subject;
use condyle::trial::Note;

use crate::options::{PlanArgs, ReadingArgs};
use crate::terminal::output::{Output, check_folder_of};
use crate::terminal::prefixes::prefixes;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

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
    fn rule(self) -> SegmentFrame {
        match self {
            Self::All => SegmentFrame::AllMarkers,
            Self::Triads => SegmentFrame::Triads,
        }
    }
}

/// Fits every performer of the recordings.
pub fn run(args: &FitArgs) -> anyhow::Result<ExitCode> {
    // What the files are called is known only when the performers are.
    args.output.as_deref().map(check_folder_of).transpose()?;
    let progress = Progress::through_stages("reading");
    let mut options = args.plan.options()?;
    options.performer.clone_from(&args.performer);
    options.segment_frame = args.frames.rule();
    let mut recordings = Vec::new();
    for path in &args.files {
        let trial = input::read(path, &args.reading.options())?;
        recordings.push(Recording::new(path.display().to_string(), trial));
    }
    progress.stage("fitting");
    let fitted = job::fit(recordings, &options)?;
    let names: Vec<&str> = fitted.subjects.iter().map(|subject| subject.name.as_str()).collect();
    let outputs = outputs(args, &names)?;
    drop(progress);
    for (recording, repairs) in &fitted.recordings {
        let trial = &recording.trial;
        say::notes(&trial.notes);
        say::notes(&repairs.iter().filter_map(|repair| repair.note(trial)).collect::<Vec<Note>>());
    }
    say::notes(&fitted.notes);
    let knowledge = fitted.knowledge.iter().flatten();
    say::notes(&knowledge.flat_map(KnowledgeReport::notes).collect::<Vec<Note>>());
    hand_over(&fitted.subjects, outputs, args)
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
            let (segments, joints) = (subject.segments().len(), subject.joints().len());
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

/// One output a performer.
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

fn print_json(subjects: &[Subject], out: &mut impl Write) -> io::Result<()> {
    let texts: Vec<String> = subjects.iter().filter_map(|subject| subject.to_json().ok()).collect();
    match texts.as_slice() {
        [one] => writeln!(out, "{one}"),
        several => writeln!(out, "[\n{}\n]", several.join(",\n")),
    }
}
