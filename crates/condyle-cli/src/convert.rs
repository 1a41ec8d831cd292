//! `condyle convert`: read, edit, write.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use condyle::Trial;
use condyle::trial::{Channel, Format, LengthUnit, Note};
use serde::Serialize;

use crate::args::{ConvertArgs, usage, writable_format};
use crate::output::Output;
use crate::progress::Progress;
use crate::{edits, input, say, table};

/// What was written, for `--json`.
#[derive(Serialize)]
struct Written {
    input: String,
    output: String,
    format: &'static str,
    markers: usize,
    rigid_bodies: usize,
    frames: usize,
    rate_hz: Option<f64>,
    notes: Vec<String>,
}

/// Reads, edits and writes one recording.
pub fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let format = output_format(args).unwrap_or_else(|what| usage("convert", &what));
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
    let notes: Vec<String> =
        trial.notes.iter().chain(&lost).chain(&ignored).map(ToString::to_string).collect();
    if !args.quiet {
        notes.iter().for_each(|note| say::note(note));
        if !is_stdout && !args.json {
            say::wrote(&in_words(&Held::of(&trial, format), args));
        }
    }
    if args.json {
        print_json(&trial, args, format, notes)?;
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

fn print_json(
    trial: &Trial,
    args: &ConvertArgs,
    format: Format,
    notes: Vec<String>,
) -> anyhow::Result<()> {
    let held = Held::of(trial, format);
    let written = Written {
        input: args.input.to_string_lossy().into_owned(),
        output: args.output.to_string_lossy().into_owned(),
        format: format.name(),
        markers: held.markers,
        rigid_bodies: held.bodies,
        frames: held.frames,
        rate_hz: Some(held.rate_hz).filter(|rate_hz| *rate_hz > 0.0),
        notes,
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &written).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
