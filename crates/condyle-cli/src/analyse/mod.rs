//! `condyle analyse`: the freedoms of a figure that follows a recording.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::figure::{
    Figure, FigureMotion, Follower, FreedomKind, TaylorWindow, fit_window, prediction_rms,
};
use condyle::format::figure_motion;
use condyle::job::{self, Recording};
use condyle::mannequin::Mannequin;
use condyle::trial::Note;
use nalgebra::Isometry3;

use crate::options::{MotionArgs, PlanArgs, ReadingArgs, read_subject};
use crate::solid_figure;
use crate::terminal::output::Output;
use crate::terminal::{input, say, table};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();
/// Joints of figure and subject so far apart belong to different bodies.
const APART_M: f64 = 0.03;

/// `condyle analyse`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyseArgs {
    /// The recording
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The figure, which condyle figure or condyle run --figure wrote
    #[arg(long, value_name = "F.atm")]
    figure: PathBuf,
    /// The subject that the figure was made for; without it one is fitted to the recording
    #[arg(long, value_name = "SUBJECT.json")]
    subject: Option<PathBuf>,
    /// A file that says which segment is which where names differ
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// The order of the polynomials
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=20))]
    order: u8,
    /// From when to when, in seconds
    #[arg(long, value_name = "T0:T1", value_parser = window)]
    window: [f64; 2],
    /// Where to write the motion
    #[arg(short, long, value_name = "M.motion")]
    output: PathBuf,
    /// Overwrite the motion if it exists
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    plan: PlanArgs,
    #[command(flatten)]
    motion: MotionArgs,
    #[command(flatten)]
    reading: ReadingArgs,
}

fn window(text: &str) -> Result<[f64; 2], String> {
    let both = text.split_once(':').and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
    let sound = both.filter(|[a, b]: &[f64; 2]| a.is_finite() && b.is_finite() && a < b);
    sound.ok_or_else(|| format!("need FROM:TO in seconds, got '{text}'"))
}

/// Follows, fits, writes.
pub fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let output = Output::at(&args.output, args.force)?;
    let figure = solid_figure::read(&args.figure, None)?.figure;
    let names = args.map.as_deref().map(read_map).transpose()?.unwrap_or_default();
    let trial = input::read(&args.file, &args.reading.options())?;
    let mut options = args.plan.options()?;
    args.motion.apply(&mut options);
    options.subject = args.subject.as_deref().map(read_subject).transpose()?;
    let recording = Recording::new(args.file.display().to_string(), trial);
    let performance = job::run(recording, &options)?;
    let performer = performance.performers.first().context("performers: need one, got none")?;
    let own = Mannequin::of_subject(&performer.subject, None)?;
    let mut notes = Vec::new();
    let places = places(&figure, &own, &names, &mut notes)?;
    let rate_hz = performance.trial.rate_hz;
    if rate_hz <= 0.0 {
        bail!("rate: need frames a second, got none");
    }
    let [from, to] = args.window;
    let until = to + (to - from);
    let mut follower = Follower::new(&figure);
    let mut samples: Vec<Vec<(f64, f64)>> = vec![Vec::new(); figure.freedom_count()];
    let mut left = vec![[0.0f64; 3]; figure.segments().len()];
    for frame in 0..performance.trial.frames {
        let time_s = performance.trial.time_s(frame);
        if time_s < from || time_s > until {
            continue;
        }
        let placed = own.placed(&performer.motion, frame);
        let poses: Vec<Option<Isometry3<f64>>> =
            places.iter().map(|at| at.and_then(|at| placed[at])).collect();
        let followed = follower.follow(&poses);
        for (own, value) in samples.iter_mut().zip(&followed.values) {
            own.extend(value.map(|value| (time_s, value)));
        }
        if time_s <= to {
            let residuals = followed.residual_rad.iter().zip(&followed.residual_m);
            for (left, (rad, m)) in left.iter_mut().zip(residuals) {
                *left = [left[0] + rad * rad, left[1] + m * m, left[2] + 1.0];
            }
        }
    }
    let mut windows = Vec::new();
    let header = ["freedom", "residual", "prediction error", "unit"];
    let mut rows = table::table(&header, 1);
    for (at, segment) in figure.segments().iter().enumerate() {
        for (freedom, of) in figure.freedoms_of(at).enumerate() {
            let (own, next): (Vec<_>, Vec<_>) =
                samples[of].iter().copied().partition(|(time_s, _)| *time_s <= to);
            let name = format!("{} {}", segment.name, freedom + 1);
            let Some(fit) = fit_window(&own, args.window, usize::from(args.order)) else {
                let text = format!("{name}: too few frames in the window show it");
                notes.push(Note::new("freedom-not-fitted", text));
                continue;
            };
            let window = TaylorWindow {
                segment: segment.name.clone(),
                freedom,
                span_s: args.window,
                centre_s: fit.centre_s,
                coefficients: fit.coefficients,
            };
            let is_turn = segment.joint.freedoms[freedom].kind == FreedomKind::Rotation;
            let (unit, factor) = if is_turn { ("deg", 1f64.to_degrees()) } else { ("mm", 1e3) };
            let ahead = prediction_rms(&window, &next);
            rows.add_row([
                name,
                format!("{:.3}", factor * fit.residual_rms),
                ahead.map_or_else(String::new, |rms| format!("{:.3}", factor * rms)),
                unit.to_owned(),
            ]);
            windows.push(window);
        }
        let [rad, m, count] = left[at];
        let [rad, m] = [rad, m].map(|sum| (sum / count.max(1.0)).sqrt());
        if rad.to_degrees() > 0.5 || m > 1e-3 {
            let text = format!(
                "{}: its freedoms leave {:.1} degrees and {:.1} mm of the motion (rms)",
                segment.name,
                rad.to_degrees(),
                m * 1e3
            );
            notes.push(Note::new("figure-residual", text));
        }
    }
    if windows.is_empty() {
        bail!("window: need frames that show the figure from {from} to {to} s, got none");
    }
    let motion = FigureMotion::new(figure.name.clone(), windows)?;
    output.write(|out| Ok(figure_motion::write(&motion, &figure, out)?))?;
    say::notes(&notes);
    table::print(&rows, "", &mut anstream::stdout())?;
    say::wrote(&args.output.display().to_string());
    Ok(ExitCode::SUCCESS)
}

/// For every segment of the figure that of the subject.
fn places(
    figure: &Figure,
    own: &Mannequin,
    names: &HashMap<String, String>,
    notes: &mut Vec<Note>,
) -> anyhow::Result<Vec<Option<usize>>> {
    let mut places = Vec::new();
    for segment in figure.segments() {
        let name = names.get(&segment.name).unwrap_or(&segment.name);
        let found = own.figure.find(name);
        match found {
            None => {
                let text =
                    format!("segment '{}' of the figure is not in the recording", segment.name);
                notes.push(Note::new("segment-not-found", text));
            }
            Some(at) => {
                let there = &own.figure.segments()[at].joint;
                let apart_m = (there.centre_m - segment.joint.centre_m).norm();
                if segment.parent.is_some() && apart_m > APART_M {
                    let text = format!(
                        "joint of '{}': {:.0} mm from where the subject at rest has it; was the figure made for it?",
                        segment.name,
                        apart_m * 1e3
                    );
                    notes.push(Note::new("figure-of-another", text));
                }
            }
        }
        places.push(found);
    }
    if places.iter().all(Option::is_none) {
        bail!("segments: need names that figure and recording share, got none (--map)");
    }
    Ok(places)
}

fn read_map(path: &Path) -> anyhow::Result<HashMap<String, String>> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let mut names = HashMap::new();
    for (line, own) in text.lines().enumerate() {
        let own = own.split('#').next().unwrap_or("").trim();
        if own.is_empty() {
            continue;
        }
        let Some((figure, recording)) = own.split_once('=') else {
            bail!("{}: line {}: need NAME = NAME, got '{own}'", name(), line + 1);
        };
        names.insert(figure.trim().to_owned(), recording.trim().to_owned());
    }
    Ok(names)
}
