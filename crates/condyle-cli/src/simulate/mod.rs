//! `condyle simulate`: a recording made up, and the truth behind it.

pub mod args;
mod truth;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use condyle::Trial;
use condyle::hand::performer_of;
use condyle::simulate::{Performer, Simulation, simulate};
use condyle::trial::{Body, Format, Note};
use serde_json::{Value, json};

use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{print_json, say, table};
use args::SimulateArgs;

/// The files of one simulation.
struct Files {
    recording: PathBuf,
    joints: PathBuf,
    poses: PathBuf,
    truth: PathBuf,
    /// With cameras alone.
    rays: Option<PathBuf>,
}

impl Files {
    fn of(folder: &Path, args: &SimulateArgs) -> Self {
        let format = args.format();
        Self {
            recording: folder.join("recording").with_extension(format.name()),
            joints: folder.join("truth_joints.csv"),
            poses: folder.join("truth_poses.csv"),
            truth: folder.join("truth.json"),
            rays: (args.disturbances.cameras > 0).then(|| folder.join("rays.csv")),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.recording, &self.joints, &self.poses, &self.truth];
        files.into_iter().chain(&self.rays).map(PathBuf::as_path)
    }
}

/// Simulates and writes, or prints a description.
pub fn run(args: &SimulateArgs) -> anyhow::Result<ExitCode> {
    if let Some(description) = args.describe {
        io::stdout().write_all(description.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(folder) = &args.output else { bail!("need a folder to write in: -o DIR") };
    let files = Files::of(folder, args);
    check(folder, &files, args.force)?;

    let progress = Progress::through_stages("simulating");
    let performer = performer(&args.performer)?;
    let simulation = simulate(&performer, &args.options())?;
    progress.stage("writing");
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let notes = write(&simulation, &performer, args, &files)?;
    drop(progress);

    let notes: Vec<Note> = simulation.trial.notes.iter().chain(&notes).cloned().collect();
    if !args.quiet {
        say::notes(&notes);
        if !args.json {
            say::wrote(&in_words(&simulation, folder, &files));
        }
    }
    if args.json {
        let written = summary(&simulation, &performer, args, &files, &notes);
        print_json(&written, &mut io::stdout().lock())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses before any work what would be refused after it.
fn check(folder: &Path, files: &Files, is_forced: bool) -> anyhow::Result<()> {
    match fs::metadata(folder) {
        Ok(metadata) if !metadata.is_dir() => {
            bail!("{}: need a folder to write in, got a file", folder.display())
        }
        Ok(_) => files.all().try_for_each(|p| Output::at(p, is_forced).map(drop)),
        Err(_) => Ok(()),
    }
}

/// The performer of a name, or else of a file.
fn performer(name: &str) -> anyhow::Result<Performer> {
    if let Some(performer) = Performer::built_in(name) {
        return Ok(performer);
    }
    if let Some(performer) = performer_of(name)? {
        return Ok(performer);
    }
    let path = Path::new(name);
    let named = |error: condyle::Error| error.with_path(path);
    let text = fs::read_to_string(path).with_context(|| {
        let built_in = Performer::BUILT_IN.join(", ");
        format!("{name}: need {built_in} or a description in TOML")
    })?;
    if let Some(performer) = performer_of(&text).map_err(named)? {
        return Ok(performer);
    }
    Ok(Performer::from_toml(&text).map_err(named)?)
}

fn write(
    simulation: &Simulation,
    performer: &Performer,
    args: &SimulateArgs,
    files: &Files,
) -> anyhow::Result<Vec<Note>> {
    let Simulation { trial, truth, rays } = simulation;
    let joints = simulation.joint_trial();
    let poses = poses_of(simulation);
    let encode = |trial: &Trial, format: Format, path: &Path| {
        Output::at(path, args.force)?.write(|out| {
            Ok(condyle::format::write(trial, format, out).map_err(|error| error.with_path(path))?)
        })
    };
    let notes = encode(trial, args.format(), &files.recording)?;
    encode(&joints, Format::Csv, &files.joints)?;
    encode(&poses, Format::Csv, &files.poses)?;
    if let Some(path) = &files.rays {
        Output::at(path, args.force)?.write(|out| {
            let written = condyle::format::rays::write(rays, trial, out);
            Ok(written.map_err(|error| error.with_path(path))?)
        })?;
    }
    Output::at(&files.truth, args.force)?
        .write(|out| Ok(print_json(&truth::json(truth, trial, performer, args), out)?))?;
    Ok(notes)
}

/// Where every segment is, as if each were a sensor.
fn poses_of(Simulation { trial, truth, .. }: &Simulation) -> Trial {
    let mut poses = Trial::new(Format::Csv, trial.rate_hz);
    poses.frames = trial.frames;
    poses.bodies = truth
        .segments
        .iter()
        .enumerate()
        .map(|(index, segment)| {
            let mut body = Body::new(&segment.name);
            truth.world_from_segment.iter().for_each(|poses| body.push(Some(poses[index])));
            body
        })
        .collect();
    poses
}

fn in_words(simulation: &Simulation, folder: &Path, files: &Files) -> String {
    let Simulation { trial, truth, rays } = simulation;
    let tracks = match trial.bodies.len() {
        0 => format!("{} markers", trial.markers.len()),
        bodies => format!("{bodies} sensors"),
    };
    let name = files.recording.file_name().unwrap_or_default().to_string_lossy();
    format!(
        "{}: {name} ({tracks}, {} frames at {} Hz), truth_joints.csv ({} joints), \
         truth_poses.csv ({} segments), truth.json{}",
        folder.display(),
        trial.frames,
        table::number(trial.rate_hz),
        truth.joints.len(),
        truth.segments.len(),
        match &files.rays {
            Some(_) => format!(", rays.csv ({} rays)", rays.len()),
            None => String::new(),
        }
    )
}

fn summary(
    simulation: &Simulation,
    performer: &Performer,
    args: &SimulateArgs,
    files: &Files,
    notes: &[Note],
) -> Value {
    let Simulation { trial, truth, rays } = simulation;
    let tracks = trial.markers.len() + trial.bodies.len();
    let hidden: usize = truth.hidden.iter().flatten().map(|gap| gap.len()).sum();
    json!({
        "output": args.output.as_deref().unwrap_or(Path::new("")).to_string_lossy(),
        "recording": files.recording.to_string_lossy(),
        "format": args.format().name(),
        "performer": performer.name,
        "routine": args.routine.name(),
        "seed": args.seed,
        "markers": trial.markers.len(),
        "rigid_bodies": trial.bodies.len(),
        "segments": truth.segments.len(),
        "joints": truth.joints.len(),
        "frames": trial.frames,
        "rate_hz": trial.rate_hz,
        "missing_fraction": hidden as f64 / (tracks * trial.frames).max(1) as f64,
        "swaps": truth.swaps.len(),
        "rays": rays.len(),
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
