//! `condyle pivot`: the tip of a tracked pointer.

mod page;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::Trial;
use condyle::rigid::{Pair, Shape, place};
use condyle::trackers::{self, Pivot};
use condyle::trial::Body;
use nalgebra::{Isometry3, Point3};

use crate::options::ReadingArgs;
use crate::terminal::input;

use crate::terminal::say;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle pivot`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PivotArgs {
    /// Recordings of the tool being turned about its tip
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The tool: a body, or three or more markers (* for any characters); not needed where there is one body
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tool: Vec<String>,
    /// What it is seen from instead of the world: a body, or three or more markers
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    reference: Vec<String>,
    /// A file with the markers of the reference in the axes that are wanted
    #[arg(long, value_name = "FILE", requires = "reference")]
    reference_shape: Option<PathBuf>,
    /// Leave out frames in which the tip is far off: before and after the turning
    #[arg(long)]
    robust: bool,
    /// Print a JSON array, an object a recording (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Finds the tip in every recording.
pub fn run(args: &PivotArgs) -> anyhow::Result<ExitCode> {
    let options = args.reading.options();
    let shape = match &args.reference_shape {
        Some(path) => Some(input::read(path, &options)?),
        None => None,
    };
    let mut answers: Vec<(&Path, anyhow::Result<Pivot>)> = Vec::new();
    for path in &args.files {
        let answer = input::read(path, &options).map_err(anyhow::Error::from).and_then(|trial| {
            if args.files.len() == 1 {
                say::notes(&trial.notes);
            }
            one(&trial, shape.as_ref(), args).with_context(|| path.display().to_string())
        });
        match &answer {
            Err(error) => say::error(&crate::terminal::in_one_line(error)),
            Ok(pivot) if pivot.verdict() != "ball" => {
                let (path, got) = (path.display(), pivot.verdict());
                say::error(&format!("{path}: need turns about one point, got verdict {got}"));
            }
            Ok(_) => {}
        }
        answers.push((path, answer));
    }
    page::print(&answers, args.json)?;
    let is_good = answers
        .iter()
        .all(|(_, answer)| answer.as_ref().is_ok_and(|pivot| pivot.verdict() == "ball"));
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one(trial: &Trial, shape: Option<&Trial>, args: &PivotArgs) -> anyhow::Result<Pivot> {
    let tool = match (args.tool.as_slice(), trial.bodies.as_slice()) {
        ([], [one]) => poses(one, trial.frames),
        ([], []) => bail!("need --tool: three markers, since there is no body"),
        ([], bodies) => {
            let names: Vec<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
            bail!("need --tool: a body ({}) or three markers", names.join(", "))
        }
        (names, _) => named(trial, names, None).context("--tool")?,
    };
    let seen = match args.reference.as_slice() {
        [] => tool,
        names => {
            let reference = named(trial, names, shape).context("--reference")?;
            let both = tool.into_iter().zip(reference);
            both.map(|(tool, reference)| Some(reference?.inverse() * tool?)).collect()
        }
    };
    Ok(trackers::pivot(&seen, args.robust)?)
}

type Poses = Vec<Option<Isometry3<f64>>>;

fn poses(body: &Body, frames: usize) -> Poses {
    (0..frames).map(|frame| body.world_from_body(frame).copied()).collect()
}

/// The poses of a body of that name, or of the rigid thing that carries the markers.
fn named(trial: &Trial, names: &[String], shape: Option<&Trial>) -> anyhow::Result<Poses> {
    if let [name] = names
        && let Some(body) = trial.bodies.iter().find(|body| body.name == *name)
    {
        return Ok(poses(body, trial.frames));
    }
    let markers = matching(trial, names);
    if markers.len() < 3 {
        bail!("need a body or three markers, got {} of '{}'", markers.len(), names.join(","));
    }
    let points_m: Vec<Point3<f64>> = match shape {
        Some(shape) => {
            let of = |marker: &usize| {
                let label = &trial.markers[*marker].label;
                let twin = shape.marker(label).and_then(|twin| twin.position_m(0));
                twin.with_context(|| format!("--reference-shape: need marker '{label}', got none"))
            };
            markers.iter().map(of).collect::<anyhow::Result<_>>()?
        }
        None => {
            let learnt = Shape::learn(trial, &markers);
            let learnt = learnt.context("need three markers seen together, got none")?;
            learnt.points_in_segment_m
        }
    };
    let pose = |frame: usize| {
        let pairs = markers.iter().zip(&points_m).filter_map(|(marker, point)| {
            let in_world_m = trial.markers[*marker].position_m(frame)?;
            Some(Pair { in_segment_m: *point, in_world_m, weight: 1.0 })
        });
        Some(place(pairs)?.world_from_segment)
    };
    Ok((0..trial.frames).map(pose).collect())
}

/// The markers that the names mean, in the order of the recording.
fn matching(trial: &Trial, names: &[String]) -> Vec<usize> {
    let fits = |label: &str, name: &String| match name.split_once('*') {
        Some((head, tail)) => {
            label.len() >= head.len() + tail.len()
                && label.starts_with(head)
                && label.ends_with(tail)
        }
        None => label == name,
    };
    let is_meant = |marker: &usize| {
        let marker = &trial.markers[*marker];
        names.iter().any(|name| fits(&marker.label, name) || fits(marker.name(), name))
    };
    (0..trial.markers.len()).filter(is_meant).collect()
}
