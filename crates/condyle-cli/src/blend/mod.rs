//! `condyle blend`: one motion after another, without a jump.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use condyle::blend::{Blended, recordings};
use condyle::format::{self, gltf};
use condyle::job::Recording;
use condyle::trial::Format;

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
    let subject = args.subject.as_deref().map(read_subject).transpose()?;
    let [first, second] = [&args.first, &args.second].map(|path| {
        let trial = input::read(path, &args.reading.options())?;
        if trial.rate_hz <= 0.0 || !trial.rate_hz.is_finite() {
            bail!("{}: need frames a second, got none (--assume-rate)", path.display());
        }
        Ok(Recording::new(path.display().to_string(), trial))
    });
    let Blended { trial: blended, passage } = recordings(first?, second?, args.over, subject)?;
    let rate_hz = blended.rate_hz;
    let (from_s, to_s) = (passage.start as f64 / rate_hz, passage.end as f64 / rate_hz);
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
