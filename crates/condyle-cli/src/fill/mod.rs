//! `condyle fill`: the gaps of a recording, filled.

mod json;
mod page;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use condyle::Trial;
use condyle::fill::{self, KnownBesides, Method};
use condyle::job;
use condyle::trial::{CameraRay, Format, Note};

use crate::options::format::writable_format;
use crate::options::reading::not_negative;
use crate::options::{ReadingArgs, read_subject};
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{input, say, usage};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle fill`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FillArgs {
    /// The recording; - reads standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write; the extension names the format: c3d, csv, trc, sto
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// How, as explained below
    #[arg(long, default_value = "auto", value_name = "METHOD",
        value_parser = PossibleValuesParser::new(Method::ALL.map(Method::name))
            .try_map(|name| name.parse::<Method>()))]
    method: Method,
    /// Leave longer gaps as they are; without it all gaps are filled
    #[arg(long, value_name = "S", value_parser = not_negative, allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// Whose markers these are, for --method ukf: a subject that `condyle fit` wrote
    #[arg(long, value_name = "S.json")]
    subject: Option<PathBuf>,
    /// What single cameras saw, for --method ukf: frame,camera,marker,ox,oy,oz,dx,dy,dz
    #[arg(long, value_name = "R.csv")]
    rays: Option<PathBuf>,
    /// Overwrite OUT if it exists
    #[arg(long, short)]
    force: bool,
    /// Print what came of every gap as a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Fills the gaps of one recording.
pub fn run(args: &FillArgs) -> anyhow::Result<ExitCode> {
    let format =
        output_format(&args.output).unwrap_or_else(|what| usage::exit::<FillArgs>("fill", &what));
    if args.method != Method::Ukf && (args.subject.is_some() || args.rays.is_some()) {
        usage::exit::<FillArgs>("fill", "--subject and --rays: need --method ukf");
    }
    let output = Output::at(&args.output, args.force)?;
    let progress = Progress::through_stages("reading");
    let mut trial = input::read(&args.input, &args.reading.options())?;
    let mut job = job::Options::default();
    job.subject = args.subject.as_deref().map(read_subject).transpose()?;
    progress.stage("looking for exchanged labels");
    // A gap filled between two different markers would hide where they changed places.
    let (repairs, unchecked) = match job::exchange_labels_back(&mut trial, &job) {
        Ok(repairs) => (repairs, None),
        Err(why) => (Vec::new(), Some(Note::new("labels-unchecked", why.to_string()))),
    };
    progress.stage("filling");
    let options = fill::Options {
        method: args.method,
        max_gap_s: args.max_gap.unwrap_or(fill::Options::default().max_gap_s),
        ..fill::Options::default()
    };
    let rays = match &args.rays {
        Some(path) => rays(path, &trial)?,
        None => Vec::new(),
    };
    let gaps = match args.method {
        Method::Ukf => {
            let subject = job.subject.as_ref();
            let besides = KnownBesides { subject, rays: &rays, ..KnownBesides::default() };
            fill::fill_by_prediction(&mut trial, &options, &besides)
        }
        _ => fill::fill(&mut trial, &options),
    };
    let gaps = gaps.map_err(|error| error.with_path(&args.input))?;
    progress.stage("writing");
    let lost = output.write(|out| {
        let written = condyle::format::write(&trial, format, out);
        Ok(written.map_err(|error| error.with_path(&args.output))?)
    })?;
    drop(progress);

    let exchanged = repairs.iter().filter_map(|repair| repair.note(&trial));
    let read = trial.notes.iter().cloned();
    let notes: Vec<Note> = read.chain(unchecked).chain(exchanged).chain(lost).collect();
    say::notes(&notes);
    let mut out = anstream::stdout().lock();
    match args.json {
        true => json::print(args, &gaps, &trial, &notes, &mut out)?,
        false => page::print(&gaps, &trial, &mut out)?,
    }
    out.flush()?;
    let filled = gaps.iter().filter(|gap| gap.is_filled).count();
    say::wrote(&format!("{}: {filled} of {} gaps filled", args.output.display(), gaps.len()));
    Ok(ExitCode::SUCCESS)
}

fn rays(path: &Path, trial: &Trial) -> anyhow::Result<Vec<CameraRay>> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(condyle::format::rays::read(&bytes, trial).map_err(|error| error.with_path(path))?)
}

/// The format to write, or why there is none.
fn output_format(path: &Path) -> Result<Format, String> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let Some(extension) = extension else {
        return Err(format!("{}: need the extension c3d, csv, trc or sto", path.display()));
    };
    match writable_format(extension) {
        Ok(format @ (Format::C3d | Format::Csv | Format::Trc | Format::Sto)) => Ok(format),
        _ => Err(format!(
            "extension of {}: need c3d, csv, trc or sto, which hold markers, got '{extension}'",
            path.display()
        )),
    }
}
