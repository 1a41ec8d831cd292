//! `condyle solve`: where a calibrated subject's joints are in every frame of a recording.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::Trial;
use condyle::solve::{self, Solved};
use condyle::subject::Subject;
use condyle::trial::{Format, Marker};
use serde::Serialize;

use crate::args::{ReadingArgs, writable_format};
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, say, solve_page};

const EXAMPLES: &str = "\
Examples:
  condyle solve walk.c3d --subject joe.json -o joints.csv
  condyle solve walk.c3d --subject joe.json -o joints.trc    joint centres as points: trc, c3d
  condyle solve walk.c3d --subject joe.json --json           how well it fits

joints.csv has frame, time_s and x, y, z of every joint in metres, in the recording's axes; a field is
empty where a joint could not be placed. Each frame is solved by itself; bones keep their lengths.
Exit code: 0 if the recording was solved, 1 if not, 2 if the command line is wrong.";

/// A median residual above this, and above so many times that of the calibration, is somebody else.
const MAX_RESIDUAL_M: f64 = 0.015;
const MAX_RELATIVE_RESIDUAL: f64 = 4.0;

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
    /// Where to write the joints: csv, trc or c3d
    #[arg(short, long, value_name = "JOINTS.csv", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long)]
    anyway: bool,
    /// Overwrite the output if it exists
    #[arg(long, short)]
    force: bool,
    /// Print how well it fits as a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Solves one recording.
pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let format = args.output.as_deref().map(output_format).transpose()?;
    let output = args.output.as_deref().map(|path| Output::at(path, args.force)).transpose()?;
    let progress = Progress::through_stages("reading");
    let subject = read_subject(&args.subject)?;
    let trial = input::read(&args.file, &args.reading.options())?;
    progress.stage("solving");
    let solved = solve::trial(&subject, &trial).map_err(|error| error.with_path(&args.file))?;
    let name = || args.file.display().to_string();
    if !args.anyway {
        check_performer(&subject, &args.subject, &solved).with_context(name)?;
    }
    if let (Some(output), Some(format)) = (output, format) {
        progress.stage("writing");
        output.write(|out| match format {
            Format::Csv => Ok(write_csv(&subject, &trial, &solved, out)?),
            format => {
                let joints = as_markers(&subject, &trial, &solved);
                let lost = condyle::format::write(&joints, format, out)?;
                lost.iter().for_each(|note| say::note(&note.to_string()));
                Ok(())
            }
        })?;
    }
    drop(progress);
    trial.notes.iter().for_each(|note| say::note(&note.to_string()));
    let mut out = anstream::stdout().lock();
    if args.json {
        print_json(&subject, &trial, &solved, args, &mut out)?;
    } else {
        solve_page::print(&subject, &trial, &solved, &mut out)?;
    }
    if let Some(path) = &args.output {
        let (joints, frames) = (subject.joints.len(), trial.frames);
        say::wrote(&format!("{}: {joints} joints, {frames} frames", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

fn output_format(path: &Path) -> anyhow::Result<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match writable_format(extension) {
        Ok(format @ (Format::Csv | Format::Trc | Format::C3d)) => Ok(format),
        _ => bail!("{}: need the extension csv, trc or c3d, got '{extension}'", path.display()),
    }
}

/// Reads a subject file.
pub fn read_subject(path: &Path) -> anyhow::Result<Subject> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(Subject::from_json(&text).map_err(|error| error.with_path(path))?)
}

/// Refuses a subject whose segments do not have the shape of those recorded.
pub fn check_performer(subject: &Subject, path: &Path, solved: &Solved) -> anyhow::Result<()> {
    let Some(residual_m) = solved.residual_m else {
        bail!("need three markers of one segment in some frame, got none: nothing can be placed")
    };
    let mut known: Vec<f64> = subject.segments.iter().map(|segment| segment.sigma_m).collect();
    known.sort_by(f64::total_cmp);
    let usual_m = known[known.len() / 2];
    let limit_m = (MAX_RELATIVE_RESIDUAL * usual_m).max(MAX_RESIDUAL_M);
    if residual_m > limit_m {
        bail!(
            "markers are {:.0} mm (median) from where {} has them, {:.0} mm when it was fitted: is it \
             another performer, or were markers moved? fit it again, or use --anyway",
            residual_m * 1e3,
            path.display(),
            usual_m * 1e3
        );
    }
    Ok(())
}

/// `frame,time_s` and three columns a joint, in metres.
pub fn write_csv(
    subject: &Subject,
    trial: &Trial,
    solved: &Solved,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "frame,time_s")?;
    for joint in &subject.joints {
        let name = column_name(&joint.name);
        write!(out, ",{name}_x,{name}_y,{name}_z")?;
    }
    writeln!(out)?;
    for (frame, joints_m) in solved.joints_m.iter().enumerate() {
        let time_s = if trial.rate_hz > 0.0 { frame as f64 / trial.rate_hz } else { 0.0 };
        write!(out, "{},{}", frame + 1, trial.start_s + time_s)?;
        for joint_m in joints_m {
            match joint_m {
                Some(p) => write!(out, ",{},{},{}", p.x, p.y, p.z)?,
                None => write!(out, ",,,")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name that needs no quotes in a table.
pub fn column_name(name: &str) -> String {
    name.chars().map(|c| if c == ',' || c == '"' || c.is_control() { '_' } else { c }).collect()
}

/// The joints as the markers of a trial of their own.
pub fn as_markers(subject: &Subject, trial: &Trial, solved: &Solved) -> Trial {
    let mut joints = Trial::new(trial.source.format, trial.rate_hz);
    joints.source.unit = trial.source.unit;
    joints.source.up = trial.source.up;
    joints.first_frame = trial.first_frame;
    joints.start_s = trial.start_s;
    joints.frames = trial.frames;
    for (index, joint) in subject.joints.iter().enumerate() {
        let positions_m = solved.joints_m.iter().map(|frame| frame[index]);
        joints.markers.push(Marker::from_positions(joint.name.clone(), positions_m));
    }
    joints
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    subject: String,
    frames: usize,
    rate_hz: Option<f64>,
    median_residual_m: Option<f64>,
    segments: Vec<SegmentReport<'a>>,
    joints: Vec<JointReport<'a>>,
}

#[derive(Serialize)]
struct SegmentReport<'a> {
    name: &'a str,
    frames_by_markers: usize,
    frames_with_joints: usize,
    frames_twist_open: usize,
}

#[derive(Serialize)]
struct JointReport<'a> {
    name: &'a str,
    frames: usize,
    gap_m: Option<f64>,
    bone_length_m: Option<f64>,
    bone_sd_m: Option<f64>,
}

fn print_json(
    subject: &Subject,
    trial: &Trial,
    solved: &Solved,
    args: &SolveArgs,
    out: &mut impl Write,
) -> io::Result<()> {
    let report = Report {
        file: args.file.to_string_lossy().into_owned(),
        subject: subject.name.clone(),
        frames: trial.frames,
        rate_hz: Some(trial.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        median_residual_m: solved.residual_m,
        segments: subject
            .segments
            .iter()
            .zip(&solved.placed)
            .map(|(segment, placed)| SegmentReport {
                name: &segment.name,
                frames_by_markers: placed.by_markers,
                frames_with_joints: placed.with_joints,
                frames_twist_open: placed.twist_open,
            })
            .collect(),
        joints: subject
            .joints
            .iter()
            .enumerate()
            .map(|(index, joint)| JointReport {
                name: &joint.name,
                frames: solved.joints_m.iter().filter(|frame| frame[index].is_some()).count(),
                gap_m: solved.gaps_m[index],
                bone_length_m: subject.bone_length_m(joint.child),
                bone_sd_m: solved.bone_sd_m[index],
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
    writeln!(out)
}
