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
use condyle::{ErrorKind, Trial};

use crate::options::{PlanArgs, ReadingArgs};
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

use crate::terminal::input;
use crate::terminal::say;

const EXAMPLES: &str = "\
Examples:
  condyle groups walk.c3d                            segments and their markers
  condyle groups walk.c3d --by names                 by the names of the markers, come what may
  condyle groups walk.c3d --write-plan walk.toml     a plan to be edited
  condyle groups walk.c3d --plan walk.toml           what an edited plan says
  condyle groups walk.c3d --write-plan walk.txt      an association file of Knight's (\"WANDS\")
  condyle groups walk.c3d --json | jq '.performers[].segments[].name'

By names: 30 marker sets are known, from Plug-in Gait to numbered clusters, with prefixes and in any
spelling (R_Knee, r.knee, RightKnee). A set is recognised well if it and common anatomical names
place 7 labels in 10, weakly if they place 5; with fewer nothing is said. Points that a model
computed (joint centres, angles, forces) are set aside. By motion: markers that keep their distances
are one segment. Without --by, names are taken if they are recognised well, motion if not.
docs/plan.md explains all of it, and the files.
Exit code: 0 if segments were found, 1 if not, 2 if the command line is wrong.";

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
        return Err(condyle::Error::from(ErrorKind::CannotHold(what)).with_path(path).into());
    }
    if known < all {
        let text = format!("{known} of {all} labels have one, the others are 'unknown'");
        say::note(&Note::new("standard-names", text).to_string());
    }
    Ok(association.to_string())
}
