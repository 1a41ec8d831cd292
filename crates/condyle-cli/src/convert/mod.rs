//! `condyle convert`: read, edit, write.

mod edits;
mod frame_span;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use condyle::Trial;
use condyle::trial::{Axis, Channel, Format, LengthUnit, Note};
use serde_json::json;

use crate::options::ReadingArgs;
use crate::options::format::writable_format;
use crate::options::reading::rate_hz;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, print_json, say, table, usage};
use frame_span::{FrameSpan, frame_span};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle convert`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// The recording, in any format that can be read; - reads standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Where to write; the extension names the format; - writes standard output and needs --to
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The output format, instead of the extension of OUT
    #[arg(long, value_name = "FORMAT", value_parser = writable_format)]
    pub to: Option<Format>,
    /// Keep only these markers, in this order: names with or without prefix, * for any characters
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', help_heading = "Taking part")]
    pub markers: Vec<String>,
    /// Keep only these frames: positions counted from 1, both ends included, an end may be left
    /// out, a single one is one frame
    #[arg(long, value_name = "A:B", value_parser = frame_span, help_heading = "Taking part")]
    pub frames: Option<FrameSpan>,
    /// Resample to this many frames a second; samples between old ones count as filled (method below)
    #[arg(long, value_name = "HZ", value_parser = rate_hz, allow_negative_numbers = true, help_heading = "Changing")]
    pub rate: Option<f64>,
    /// Write lengths in this unit, where the format has a choice: m, dm, cm, mm, in, ft
    #[arg(long, value_name = "UNIT", help_heading = "Changing")]
    pub out_units: Option<LengthUnit>,
    /// Turn everything so that this axis is up: x, y, z, -x, -y, -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, help_heading = "Changing")]
    pub out_up: Option<Axis>,
    /// Overwrite OUT if it exists
    #[arg(long, short)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Print a summary of what was written as a JSON object on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Reads, edits and writes one recording.
pub fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let format =
        output_format(args).unwrap_or_else(|what| usage::exit::<ConvertArgs>("convert", &what));
    let is_stdout = args.output == Path::new(input::DASH);
    let output = if is_stdout { None } else { Some(Output::at(&args.output, args.force)?) };

    let progress = Progress::through_stages("reading");
    let trial = input::read(&args.input, &args.reading.options())?;
    progress.stage("editing");
    let trial = edits::apply(args, trial).map_err(|error| error.with_path(&args.input))?;
    progress.stage("writing");
    let lost = match output {
        Some(output) => output.write(|out| encode(&trial, format, out, &args.output))?,
        None => write_stdout(&trial, format)?,
    };
    drop(progress);

    let ignored = ignored_unit(args, format);
    let notes: Vec<Note> = trial.notes.iter().chain(&lost).chain(&ignored).cloned().collect();
    if !args.quiet {
        say::notes(&notes);
        if !is_stdout && !args.json {
            say::wrote(&in_words(&Held::of(&trial, format), args));
        }
    }
    if args.json {
        print_written(&trial, args, format, &notes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The format to write, or why there is none.
fn output_format(args: &ConvertArgs) -> Result<Format, String> {
    let is_stdout = args.output == Path::new(input::DASH);
    if is_stdout && args.json {
        return Err("--json: need a file as OUT, got - (both would go to standard output)".into());
    }
    if let Some(format) = args.to {
        return Ok(format);
    }
    let extension = args.output.extension().and_then(|extension| extension.to_str());
    match extension {
        _ if is_stdout => Err("OUT is -: need --to FORMAT".into()),
        Some(extension) => writable_format(extension).map_err(|what| {
            format!("extension of {}: {what} (or --to FORMAT)", args.output.display())
        }),
        None => Err(format!("{}: need an extension or --to FORMAT", args.output.display())),
    }
}

/// Says so when the format has no choice of units and another was asked for.
fn ignored_unit(args: &ConvertArgs, format: Format) -> Option<Note> {
    let unit = args.out_units.filter(|unit| *unit != LengthUnit::Metre)?;
    (format == Format::Csv).then(|| {
        let text = format!("csv is always in metres: --out-units {unit} was ignored");
        Note::new("units-ignored", text)
    })
}

fn encode(
    trial: &Trial,
    format: Format,
    out: &mut impl Write,
    path: &Path,
) -> anyhow::Result<Vec<Note>> {
    Ok(condyle::format::write(trial, format, out).map_err(|error| error.with_path(path))?)
}

/// Encodes into memory first, so that nothing is printed when the format cannot hold the trial.
fn write_stdout(trial: &Trial, format: Format) -> anyhow::Result<Vec<Note>> {
    let mut bytes = Vec::new();
    let lost = encode(trial, format, &mut bytes, Path::new("standard output"))?;
    let mut out = io::stdout().lock();
    out.write_all(&bytes)?;
    out.flush()?;
    Ok(lost)
}

/// What a format holds of a trial: what was written, not what was read.
struct Held {
    markers: usize,
    bodies: usize,
    joints: usize,
    channels: usize,
    frames: usize,
    rate_hz: f64,
}

impl Held {
    fn of(trial: &Trial, format: Format) -> Self {
        let mut held = Self {
            markers: trial.markers.len(),
            bodies: trial.bodies.len(),
            joints: 0,
            channels: trial.channels.len(),
            frames: trial.frames,
            rate_hz: trial.rate_hz,
        };
        match format {
            // A table of points has the origins of bodies where there is no marker.
            Format::Trc => {
                held.markers = if held.markers == 0 { held.bodies } else { held.markers };
                (held.bodies, held.channels) = (0, 0);
            }
            Format::Bvh => {
                let joints = |motion: &condyle::motion::Motion| motion.skeleton().joints().len();
                held.joints = trial.motion.as_ref().map_or(0, joints);
                (held.markers, held.bodies, held.channels) = (0, 0, 0);
            }
            Format::Csv => {
                let fits = |c: &&Channel| c.rate_hz == trial.rate_hz && c.raw.len() == trial.frames;
                held.channels = trial.channels.iter().filter(fits).count();
            }
            // An OpenSim table holds one kind of thing.
            Format::Sto => match (trial.channels.first(), held.markers) {
                (Some(first), _) => {
                    let (rows, rate_hz) = (first.raw.len(), first.rate_hz);
                    let fits = |c: &&Channel| c.raw.len() == rows && c.rate_hz == rate_hz;
                    held.channels = trial.channels.iter().filter(fits).count();
                    (held.frames, held.rate_hz) = (rows, rate_hz);
                    (held.markers, held.bodies) = (0, 0);
                }
                (None, 1..) => held.bodies = 0,
                (None, 0) => {}
            },
            _ => {}
        }
        held
    }
}

fn in_words(held: &Held, args: &ConvertArgs) -> String {
    let mut parts = Vec::new();
    for (count, what) in [
        (held.markers, "markers"),
        (held.bodies, "bodies"),
        (held.joints, "joints"),
        (held.channels, "channels"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let rate = match held.rate_hz > 0.0 {
        true => format!(" at {} Hz", table::number(held.rate_hz)),
        false => String::new(),
    };
    parts.push(format!("{} frames{rate}", held.frames));
    format!("{}: {}", args.output.display(), parts.join(", "))
}

/// Says what was written, for `--json`.
fn print_written(
    trial: &Trial,
    args: &ConvertArgs,
    format: Format,
    notes: &[Note],
) -> io::Result<()> {
    let held = Held::of(trial, format);
    let written = json!({
        "input": args.input.to_string_lossy(),
        "output": args.output.to_string_lossy(),
        "format": format.name(),
        "markers": held.markers,
        "rigid_bodies": held.bodies,
        "frames": held.frames,
        "rate_hz": Some(held.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    print_json(&written, &mut io::stdout().lock())
}
