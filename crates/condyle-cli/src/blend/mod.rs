//! `condyle blend`: one motion after another, without a jump.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use condyle::Trial;
use condyle::blend::blend;
use condyle::format::{self, gltf};
use condyle::job::{self, Recording};
use condyle::resample::resample;
use condyle::rig::Rig;
use condyle::subject::Subject;
use condyle::trial::{Axis, Format, edit};
use nalgebra::Unit;

use crate::options::{ReadingArgs, read_subject};
use crate::terminal::output::Output;
use crate::terminal::{input, say};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle blend`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BlendArgs {
    /// The first motion: a BVH or AMC file, or a recording that is solved
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The second, of the same skeleton
    #[arg(value_name = "B")]
    second: PathBuf,
    /// How long it takes to pass over, in seconds
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    over: f64,
    /// Where to write the motion: .bvh or .glb
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Of recordings: the subject of both
    #[arg(long, value_name = "SUBJECT.json")]
    subject: Option<PathBuf>,
    /// Overwrite the motion if it exists
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.0..=3600.0).contains(value));
    value.ok_or_else(|| format!("need 0 to 3600 seconds, got '{text}'"))
}

/// Reads both, blends, writes.
pub fn run(args: &BlendArgs) -> anyhow::Result<ExitCode> {
    let extension = args.output.extension().and_then(|own| own.to_str()).unwrap_or("");
    let is_gltf = match extension.to_ascii_lowercase().as_str() {
        "bvh" => false,
        "glb" => true,
        _ => bail!("{}: need .bvh or .glb", args.output.display()),
    };
    let output = Output::at(&args.output, args.force)?;
    let mut subject = args.subject.as_deref().map(read_subject).transpose()?;
    let first = moving(&args.first, args, &mut subject)?;
    let second = moving(&args.second, args, &mut subject)?;
    let rate_hz = first.rate_hz;
    let second = resample(second, rate_hz).with_context(|| args.second.display().to_string())?;
    let frames = (args.over * rate_hz).round() as usize;
    let (Some(one), Some(other)) = (&first.motion, &second.motion) else {
        bail!("blend: need two motions, got none");
    };
    let own = blend(one, other, frames, &Unit::new_unchecked(Axis::Y.direction()))?;
    let (from_s, to_s) = (own.passage.start as f64 / rate_hz, own.passage.end as f64 / rate_hz);
    let mut blended = Trial::new(first.source.format, rate_hz);
    blended.frames = own.motion.frames();
    blended.source.up = Some(Axis::Y);
    blended.motion = Some(own.motion);
    let frames = blended.frames;
    output.write(|out| {
        let written = match is_gltf {
            true => gltf::write(&blended, out),
            false => format::write(&blended, Format::Bvh, out),
        };
        written.map(drop).map_err(Into::into)
    })?;
    say::wrote(&format!(
        "{}: {frames} frames at {rate_hz} Hz, passing over from {from_s:.2} to {to_s:.2} s",
        args.output.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The motion of a file, y up: its own, or that of the subject in it. The subject of the first serves the second.
fn moving(path: &Path, args: &BlendArgs, subject: &mut Option<Subject>) -> anyhow::Result<Trial> {
    let trial = input::read(path, &args.reading.options())?;
    let name = || path.display().to_string();
    if trial.rate_hz <= 0.0 || !trial.rate_hz.is_finite() {
        bail!("{}: need frames a second, got none (--assume-rate)", name());
    }
    if trial.motion.is_some() {
        return match trial.source.up {
            None | Some(Axis::Y) => Ok(trial),
            Some(_) => edit::with_up(trial, Axis::Y).with_context(name),
        };
    }
    let mut options = job::Options::default();
    options.subject = subject.clone();
    let performance = job::run(Recording::new(name(), trial), &options)?;
    let performer = performance.performers.first();
    let performer =
        performer.with_context(|| format!("{}: performers: need one, got none", name()))?;
    let rig = Rig::new(&performer.subject, &performance.trial, &performer.motion)?;
    subject.get_or_insert_with(|| performer.subject.clone());
    Ok(rig.into_trial(&performance.trial))
}
