//! `condyle groups`: which markers belong together.

mod json;
mod page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use condyle::job::{self, FoundPlan};
use condyle::marker_set::{knight::Association, to_toml};
use condyle::trial::Note;
use condyle::{Error, Trial};

use crate::options::{PlanArgs, ReadingArgs};
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

use crate::terminal::input;
use crate::terminal::say;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle groups`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GroupsArgs {
    /// The recording; - reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    plan: PlanArgs,
    /// Write what was found to a file: OUT.toml is a plan, OUT.txt an association
    #[arg(long, value_name = "OUT", value_parser = plan_path)]
    write_plan: Option<PathBuf>,
    /// Overwrite OUT if it exists
    #[arg(long, short, requires = "write_plan")]
    force: bool,
    /// Print a JSON object (documented in docs/json.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingArgs,
}

fn plan_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml" | "txt") => Ok(path),
        _ => Err(format!("need a name that ends in .toml or .txt, got '{text}'")),
    }
}

/// Finds the segments of one recording and says them.
pub fn run(args: &GroupsArgs) -> anyhow::Result<ExitCode> {
    let output = args.write_plan.as_deref().map(|path| Output::at(path, args.force)).transpose()?;
    let progress = Progress::through_stages("reading");
    let trial = input::read(&args.file, &args.reading.options())?;
    progress.stage("finding segments");
    let found =
        job::plan(&trial, &args.plan.options()?).map_err(|error| error.with_path(&args.file))?;
    drop(progress);

    say::notes(&found.notes);
    if let (Some(path), Some(output)) = (&args.write_plan, output) {
        let text = as_text(path, &found, &trial)?;
        output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
        say::wrote(&path.display().to_string());
    }
    let mut out = anstream::stdout().lock();
    match args.json {
        true => json::print(&args.file, &found, &trial, &mut out)?,
        false => page::print(&found, &trial, &mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The file that the extension of its name asks for.
fn as_text(path: &Path, found: &FoundPlan, trial: &Trial) -> anyhow::Result<String> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return Ok(to_toml(&found.plan, trial));
    }
    let association = Association::template(trial);
    let (known, all) = (association.known(), association.pairs.len());
    if known == 0 {
        let what = format!(
            "an association needs labels of the 51 standard markers, got none among {all}: write a \
             .toml instead"
        );
        return Err(Error::cannot_hold(what).with_path(path).into());
    }
    if known < all {
        let text = format!("{known} of {all} labels have one, the others are 'unknown'");
        say::note(&Note::new("standard-names", text).to_string());
    }
    Ok(association.to_string())
}
