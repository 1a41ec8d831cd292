//! `condyle report`: a page about a run, from the results that it kept.

mod angles;
mod compare;
mod gait;
mod gap_map;
mod joints;
mod moving;
mod page;
mod physics;
mod results;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use crate::terminal::output::Output;
use crate::terminal::say;
use crate::terminal::usage;

pub use gait::GaitResult;
pub use page::{page, picture};
pub use physics::{PhysicsResult, PlatesResult};
pub use results::{
    AngleResult, BadStretchResult, ExchangedResult, JointResult, PerformerResult, Results,
};

/// What a run calls its results.
pub const RESULTS: &str = "results.json";
/// What a picture of the figure is called.
pub const PICTURE: &str = "figure.svg";
/// What a report is called.
pub const REPORT: &str = "report.html";

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// A folder that `condyle run` wrote, or its results.json; two with --compare
    #[arg(value_name = "DIR", required = true, num_args = 1..=2)]
    folders: Vec<PathBuf>,
    /// Put two runs side by side
    #[arg(long)]
    compare: bool,
    /// Where to write the page; report.html in the folder if not said
    #[arg(short, long, value_name = "PAGE.html")]
    output: Option<PathBuf>,
    /// Overwrite the page if it exists
    #[arg(long, short)]
    force: bool,
}

/// Writes a report.
pub fn run(args: &ReportArgs) -> anyhow::Result<ExitCode> {
    let path = match (&args.output, args.folders.as_slice(), args.compare) {
        (_, [_], true) => return Ok(usage::wrong("--compare: need two folders, got one")),
        (_, [_, _], false) => {
            return Ok(usage::wrong("need one folder, got two: did you mean --compare?"));
        }
        (None, [_, _], true) => return Ok(usage::wrong("--compare: need -o PAGE.html")),
        (Some(path), _, _) => path.clone(),
        (None, folders, _) => folder_of(&folders[0]).join(REPORT),
    };
    // The report of a run is ours to make again.
    let output = Output::at(&path, args.force || args.output.is_none())?;
    let results = args.folders.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let html = match results.as_slice() {
        [one] => page(one),
        [one, other, ..] => {
            let names = [0, 1].map(|i| folder_of(&args.folders[i]).display().to_string());
            compare::page([(&names[0], one), (&names[1], other)])
        }
        [] => bail!("need a folder"),
    };
    output.write(|out| Ok(out.write_all(html.as_bytes())?))?;
    say::wrote(&path.display().to_string());
    Ok(ExitCode::SUCCESS)
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(path) }
}

fn read(path: &Path) -> anyhow::Result<Results> {
    let path = if path.is_dir() { path.join(RESULTS) } else { path.to_owned() };
    let name = || path.display().to_string();
    let what = "need the folder of a recording that condyle run wrote, or its results.json";
    let text = fs::read_to_string(&path).with_context(|| format!("{}: {what}", path.display()))?;
    let version = serde_json::from_str::<serde_json::Value>(&text)
        .with_context(|| format!("{}: {what}", path.display()))?;
    let version = version.get("version").and_then(serde_json::Value::as_u64);
    if version != Some(u64::from(results::VERSION)) {
        let got = version.map_or_else(|| "none".to_owned(), |version| version.to_string());
        bail!("{}: version: need {}, got {got}: run it again", name(), results::VERSION);
    }
    serde_json::from_str(&text).with_context(name)
}
