//! `condyle solve`: where a calibrated subject's joints are in every frame of a recording.

mod page;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use condyle::Trial;
use condyle::angles::{self, Angles, JointAngles, Smoothing, Zero};
use condyle::solve::{self, SolvedMotion};
use condyle::subject::Subject;
use condyle::trackers::Playback;
use condyle::trackers::trouble::Trouble;
use condyle::trial::{LengthUnit, Note};
use serde::Serialize;

use crate::exchanges;
use crate::exports::{Export, Solution};
use crate::options::ReadingArgs;
use crate::pipeline;
use crate::terminal::input;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::say;

use crate::trackers;

const EXAMPLES: &str = "\
Examples:
  condyle solve walk.c3d --subject joe.json -o joints.csv    joint centres
  condyle solve walk.c3d --subject joe.json -o walk.glb -o walk.bvh --angles walk.mot
  condyle solve walk.c3d --subject joe.json -o with-joints.c3d
  condyle solve walk.c3d --subject joe.json --json           how well it fits

Outputs, by extension (docs/exports.md):
  csv   joint centres: frame, time_s and x, y, z of every joint in metres, in the recording's axes
  trc   joint centres with y up in millimetres, for OpenSim
  c3d   the recording itself, with the joint centres as further points
  bvh   a skeleton and its motion, y up, in metres (--out-units cm for centimetres)
  glb   the same as binary glTF, with bones to look at: Blender, three.js and others open it
  mot   joint angles in OpenSim's table, degrees; sto too
  parquet  joint centres and angles in columns
Where a joint could not be placed a field is empty (csv, trc, parquet), a point is invalid (c3d), an
angle is NaN (mot); a skeleton is held as it was (bvh, glb), and a note says for how many frames.

Each frame is solved by itself; bones keep their lengths. Angles: docs/angles.md.
Exit code: 0 if the recording was solved, 1 if not, 2 if the command line is wrong.";

/// A median residual above this, and above so many times that of the calibration, is somebody else.
const MAX_RESIDUAL_M: f64 = 0.015;
const MAX_RELATIVE_RESIDUAL: f64 = 4.0;
/// One above these is said.
const DOUBTFUL_M: f64 = 0.005;
const DOUBTFUL: f64 = 3.0;

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
        value_parser = PathBufValueParser::new().try_map(Export::path))]
    output: Vec<PathBuf>,
    /// Where to write the joint angles: csv (with velocities), mot or sto
    #[arg(long, value_name = "ANGLES.csv",
        value_parser = PathBufValueParser::new().try_map(Export::angles_path))]
    angles: Option<PathBuf>,
    /// Let all angles be zero in this frame, counted from 1: a person who stands still
    #[arg(long, value_name = "FRAME", value_parser = clap::value_parser!(u64).range(1..))]
    zero_frame: Option<u64>,
    /// Smooth the angles by a Butterworth filter without lag: its cutoff (6 is usual for gait), auto (of each
    /// joint, by cross-validation) or off
    #[arg(long, value_name = "HZ", default_value = "off", value_parser = crate::options::reading::smoothing)]
    smooth: Smoothing,
    /// The unit of length for formats with a choice (bvh, trc): m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT")]
    out_units: Option<LengthUnit>,
    /// Solve even if the subject does not seem to be the one recorded
    #[arg(long)]
    anyway: bool,
    /// Of bodies with poses: keep their orientations and let positions give way, as O'Brien (2000) does
    #[arg(long)]
    keep_orientations: bool,
    /// Overwrite outputs that exist
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
    let outputs = outputs(args)?;
    let progress = Progress::through_stages("reading");
    let subject = read_subject(&args.subject)?;
    let mut trial = input::read(&args.file, &args.reading.options())?;
    progress.stage("solving");
    let segments = exchanges::segments_of_subject(&subject, &trial);
    let (straight, exchanged) = exchanges::undone(&trial, &segments);
    let (solved, troubles) = solved(&subject, &straight, args)?;
    let name = || args.file.display().to_string();
    if !args.anyway {
        check_performer(&subject, &args.subject, &solved).with_context(name)?;
    }
    let stood_up = pipeline::stand_up(&mut trial, [(&subject, &solved)].into_iter());
    let angles = angles_of(&subject, &trial, &solved, args)?;
    progress.stage("writing");
    let solution = Solution {
        subject: &subject,
        trial: &trial,
        solved: &solved,
        angles: &angles,
        unit: args.out_units,
    };
    let mut written = Vec::new();
    for (path, export, output) in outputs {
        let notes = output.write(|out| Ok(export.write(&solution, out)?))?;
        written.push((path, notes));
    }
    drop(progress);
    trial.notes.iter().for_each(|note| say::note(&note.to_string()));
    exchanged
        .iter()
        .chain(&stood_up)
        .chain(&doubts(&subject, &solved))
        .for_each(|note| say::note(note));
    trackers::in_words(&troubles, trial.rate_hz).iter().for_each(|note| say::note(note));
    let mut out = anstream::stdout().lock();
    if args.json {
        print_json(&solution, args, &mut out)?;
    } else {
        page::print(&subject, &trial, &solved, &mut out)?;
    }
    for (path, notes) in written {
        notes.iter().for_each(|note| say::note(&format!("{}: {note}", path.display())));
        let (joints, frames) = (subject.joints.len(), trial.frames);
        say::wrote(&format!("{}: {joints} joints, {frames} frames", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The motion, by markers or by bodies, and what went wrong with the latter.
fn solved(
    subject: &Subject,
    trial: &Trial,
    args: &SolveArgs,
) -> anyhow::Result<(SolvedMotion, Vec<Trouble>)> {
    if subject.is_of_bodies() {
        let how = match args.keep_orientations {
            true => Playback::Orientations,
            false => Playback::LeastSquares,
        };
        return trackers::solve(subject, trial, &args.file, how);
    }
    let solved = solve::solve_trial(subject, trial).map_err(|error| error.with_path(&args.file))?;
    Ok((solved, Vec::new()))
}

/// All that is to be written, checked before any work is done.
fn outputs(args: &SolveArgs) -> anyhow::Result<Vec<(&Path, Export, Output)>> {
    let mut wanted: Vec<(&Path, Export)> = Vec::new();
    for path in &args.output {
        wanted.push((path, Export::at(path)?));
    }
    if let Some(path) = &args.angles {
        wanted.push((path, Export::angles_at(path)?));
    }
    let mut seen = HashSet::new();
    if let Some((path, _)) = wanted.iter().find(|(path, _)| !seen.insert(*path)) {
        bail!("{}: need a file for each output, got it twice", path.display());
    }
    let checked = |(path, export)| Ok((path, export, Output::at(path, args.force)?));
    wanted.into_iter().map(checked).collect()
}

fn angles_of(
    subject: &Subject,
    trial: &Trial,
    solved: &SolvedMotion,
    args: &SolveArgs,
) -> anyhow::Result<Angles> {
    let zero_frame = args.zero_frame.map(|frame| frame as usize - 1);
    if let Some(frame) = zero_frame.filter(|frame| *frame >= trial.frames) {
        bail!("--zero-frame: need one of {} frames, got {}", trial.frames, frame + 1);
    }
    let options =
        angles::Options { zero_frame, smoothing: args.smooth, ..angles::Options::default() };
    let angles = angles::of(subject, solved, trial.rate_hz, &options);
    let missing = |joint: &&JointAngles| !matches!(joint.zero, Zero::Frame(_));
    if let Some(joint) = angles.joints.iter().find(missing).filter(|_| zero_frame.is_some()) {
        bail!("--zero-frame: need a frame that shows every joint, got one without {}", joint.name);
    }
    Ok(angles)
}

/// Reads a subject file.
pub fn read_subject(path: &Path) -> anyhow::Result<Subject> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(Subject::from_json(&text).map_err(|error| error.with_path(path))?)
}

/// Refuses a subject whose segments do not have the shape of those recorded.
pub fn check_performer(
    subject: &Subject,
    path: &Path,
    solved: &SolvedMotion,
) -> anyhow::Result<()> {
    let Some(residual_m) = solved.evidence().residual_m else {
        bail!(
            "need three markers of one segment, or a body, in some frame, got none: nothing can be placed"
        )
    };
    let usual_m = usual_m(subject);
    let limit_m = (MAX_RELATIVE_RESIDUAL * usual_m).max(MAX_RESIDUAL_M);
    if residual_m > limit_m {
        bail!(
            "{} are {:.0} mm (median) from where {} has them, {:.0} mm when it was fitted: is it \
             another performer, or were they moved? fit it again, or use --anyway",
            if subject.is_of_bodies() { "bodies" } else { "markers" },
            residual_m * 1e3,
            path.display(),
            usual_m * 1e3
        );
    }
    Ok(())
}

/// How far its markers were off when the subject was fitted: the median over segments.
fn usual_m(subject: &Subject) -> f64 {
    if subject.is_of_bodies() {
        // Playback moves a body by about the gaps of its joints.
        return subject.joints.iter().map(|joint| joint.gap_m).fold(0.0, f64::max);
    }
    let mut known: Vec<f64> = subject.segments.iter().map(|segment| segment.sigma_m).collect();
    known.sort_by(f64::total_cmp);
    known.get(known.len() / 2).copied().unwrap_or(0.0)
}

/// What does not fit the subject well, short of being somebody else.
pub fn doubts(subject: &Subject, solved: &SolvedMotion) -> Vec<String> {
    let mut doubts = Vec::new();
    let (usual_m, residual_m) = (usual_m(subject), solved.evidence().residual_m.unwrap_or(0.0));
    if residual_m > (DOUBTFUL * usual_m).max(DOUBTFUL_M) {
        let text = format!(
            "{} are {:.0} mm (median) from where the subject has them, {:.0} mm when it was \
             fitted: another performer of much the same size?",
            if subject.is_of_bodies() { "bodies" } else { "markers" },
            residual_m * 1e3,
            usual_m * 1e3
        );
        doubts.push(Note::new("subject-doubtful", text).to_string());
    }
    let markers = subject.segments.iter().flat_map(|segment| &segment.markers);
    for (marker, residual_m) in markers.zip(&solved.evidence().marker_residual_m) {
        let residual_m = residual_m.unwrap_or(0.0);
        if residual_m > (DOUBTFUL * marker.rms_m).max(MAX_RESIDUAL_M) {
            let text = format!(
                "{} is {:.0} mm (median) from where the subject has it, {:.0} mm when it was fitted",
                marker.label,
                residual_m * 1e3,
                marker.rms_m * 1e3
            );
            doubts.push(Note::new("marker-moved", text).to_string());
        }
    }
    doubts
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
    /// Of bodies: how far playback moved them, and so what it discarded.
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded_m: Option<f64>,
}

#[derive(Serialize)]
struct JointReport<'a> {
    name: &'a str,
    frames: usize,
    gap_m: Option<f64>,
    bone_length_m: Option<f64>,
    bone_sd_m: Option<f64>,
    angles: AnglesReport<'a>,
}

#[derive(Serialize)]
struct AnglesReport<'a> {
    convention: String,
    components: [&'a str; 3],
    columns: [&'a str; 3],
    zero: String,
    range_rad: Option<[[f64; 2]; 3]>,
    near_gimbal_frames: usize,
}

fn angles_report(joint: &JointAngles) -> AnglesReport<'_> {
    AnglesReport {
        convention: joint.convention.name(),
        components: joint.components.each_ref().map(|component| component.name),
        columns: joint.components.each_ref().map(|component| component.column.as_str()),
        zero: joint.zero.in_words(),
        range_rad: joint.range_rad,
        near_gimbal_frames: joint.near_gimbal_frames(),
    }
}

fn print_json(of: &Solution<'_>, args: &SolveArgs, out: &mut impl Write) -> io::Result<()> {
    let Solution { subject, trial, solved, angles, .. } = *of;
    let report = Report {
        file: args.file.to_string_lossy().into_owned(),
        subject: subject.name.clone(),
        frames: trial.frames,
        rate_hz: Some(trial.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        median_residual_m: solved.evidence().residual_m,
        segments: subject
            .segments
            .iter()
            .zip(solved.segments())
            .enumerate()
            .map(|(index, (segment, track))| (index, segment, track.origin().placed_frames()))
            .map(|(index, segment, placed)| SegmentReport {
                name: &segment.name,
                frames_by_markers: placed.by_markers,
                frames_with_joints: placed.with_joints,
                frames_twist_open: placed.twist_open,
                // A body is its only marker.
                discarded_m: match subject.is_of_bodies() {
                    true => solved.evidence().marker_residual_m[index],
                    false => None,
                },
            })
            .collect(),
        joints: subject
            .joints
            .iter()
            .enumerate()
            .map(|(index, joint)| JointReport {
                name: &joint.name,
                frames: solved.joints()[index].placed_frames().total(),
                gap_m: solved.evidence().gaps_m[index],
                bone_length_m: subject.bone_length_m(joint.child),
                bone_sd_m: solved.evidence().bone_sd_m[index],
                angles: angles_report(&angles.joints[index]),
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report).map_err(io::Error::from)?;
    writeln!(out)
}
