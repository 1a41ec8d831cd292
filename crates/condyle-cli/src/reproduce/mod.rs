//! `condyle reproduce`: the experiments of a document run again, its figures beside ours.

mod aristidou_2010;
mod document;
mod folder;
mod html;
mod json;
mod knight_2008;
mod lab;
mod obrien_2000;
mod recordings;
mod section;
mod statistics;
mod text;

use std::io::Write;
use std::process::ExitCode;

use crate::terminal::progress::Progress;
use crate::terminal::say;
use crate::terminal::usage;
use clap::Args;
use document::{Document, Experiment};
use folder::Folder;
use lab::{Effort, Lab};
use section::{Data, Section};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  condyle reproduce knight-2008             a minute; writes knight-2008/knight-2008.html
  condyle reproduce knight-2008 --full      the whole range of the thesis, many minutes
  condyle reproduce knight-2008 --only accuracy,speed -o table
  condyle reproduce knight-2008 --only thinning --recording dance.c3d -o dance
  condyle reproduce aristidou-2010 --chapter 3
  condyle reproduce knight-2008 --json | jq '.sections[].lines[] | select(.verdict == \"fails\")'

Documents:
  aristidou-2010  A. Aristidou, Tracking and Modelling Motion for Biomechanical Analysis
                  (PhD, 2010); --chapter 3 is inverse kinematics; recordings are those of
                  CONDYLE_DATA
  knight-2008     J. K. Knight, Rotation Points From Motion Capture Data Using a Closed Form
                  Solution (PhD, 2008), with the worked examples of its draft of 2005
  obrien-2000     J. F. O'Brien and others, Automatic Joint Parameter Estimation from Magnetic
                  Motion Capture Data (Graphics Interface 2000)

Every figure is printed beside the document's with a verdict: reproduced, not reproduced (and why),
misprint (and the correction holds), holds or fails for what is wanted of our own methods,
undecided where more trials are needed. The page needs no network; the data behind every chart
is a CSV file beside it. The same seed gives the same numbers, but for the timings.
Exit code: 0 if the page was written, whatever it says, 1 if not, 2 if the command line is wrong.";

/// `condyle reproduce`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// The document
    #[arg(value_name = "DOCUMENT")]
    pub document: DocumentName,
    /// The folder to write the page and its data to, instead of one of the document's name
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write into a folder that is not empty, over files of the same names
    #[arg(long, short)]
    pub force: bool,
    /// The whole range of the document and more trials: many minutes
    #[arg(long)]
    pub full: bool,
    /// So many trials of everything, instead of each experiment's own number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub trials: Option<u32>,
    /// Only these experiments, by the names of their headings in --json
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub only: Vec<String>,
    /// A recording for the experiments that need one, instead of those known in the folder that
    /// CONDYLE_DATA names; may be given several times
    #[arg(long, value_name = "FILE")]
    pub recording: Vec<PathBuf>,
    /// Only the experiments of this chapter, where the document is run by chapters
    #[arg(long, value_name = "N")]
    pub chapter: Option<u32>,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Print a JSON object on standard output (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
}

/// A document that can be re-run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DocumentName {
    #[value(name = "aristidou-2010")]
    Aristidou2010,
    #[value(name = "knight-2008")]
    Knight2008,
    #[value(name = "obrien-2000")]
    Obrien2000,
}

/// What was run, and what came of it.
pub struct Outcome {
    pub document: &'static Document,
    pub seed: u64,
    pub effort: Effort,
    pub sections: Vec<(&'static Experiment, Section)>,
}

/// Runs the experiments, writes the page and its data, and prints every figure beside ours.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<ExitCode> {
    let document = document::of(args.document);
    let chosen = chosen(document, &args.only, args.chapter)
        .unwrap_or_else(|what| usage::exit::<ReproduceArgs>("reproduce", &what));
    let folder = args.output.as_deref().unwrap_or(document.name.as_ref());
    let folder = Folder::at(folder, args.force)?;
    let needs_recordings = chosen.iter().any(|(_, experiment)| experiment.needs_recordings);
    let recordings = match needs_recordings {
        true => recordings::read(&args.recording)?,
        false => Vec::new(),
    };
    let trials = args.trials.map(|trials| trials as usize);
    let effort = Effort { is_full: args.full, trials, recordings: recordings.into() };
    let sections = run_all(&chosen, args.seed, &effort);
    let outcome = Outcome { document, seed: args.seed, effort, sections };
    let files = write(&folder, &outcome)?;

    let mut out = anstream::stdout();
    match args.json {
        true => json::print(&outcome, &files, &mut out)?,
        false => text::print(&outcome, &mut out)?,
    }
    out.flush()?;
    if !args.json {
        let page = folder.file(&format!("{}.html", document.name));
        let beside = match files.len() - 1 {
            0 => String::new(),
            count => format!(", its data beside it in {count} files"),
        };
        say::wrote(&format!("{}{beside}", page.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// All experiments, or those asked for; each keeps its number.
fn chosen(
    document: &'static Document,
    only: &[String],
    chapter: Option<u32>,
) -> Result<Vec<(u64, &'static Experiment)>, String> {
    let names = || document.experiments.iter().map(|experiment| experiment.name);
    if let Some(unknown) = only.iter().find(|name| !names().any(|known| known == name.as_str())) {
        let known: Vec<&str> = names().collect();
        return Err(format!("--only: need any of {}; got '{unknown}'", known.join(", ")));
    }
    let is_chosen = |name: &str| only.is_empty() || only.iter().any(|chosen| chosen == name);
    let is_of_chapter = |of: Option<u32>| chapter.is_none() || chapter == of;
    if let Some(chapter) =
        chapter.filter(|_| !document.experiments.iter().any(|e| is_of_chapter(e.chapter)))
    {
        return Err(format!(
            "--chapter: {} has no experiments of chapter {chapter}",
            document.name
        ));
    }
    let numbered = (0..).zip(document.experiments).filter(|(_, e)| is_of_chapter(e.chapter));
    Ok(numbered.filter(|(_, experiment)| is_chosen(experiment.name)).collect())
}

fn run_all(
    chosen: &[(u64, &'static Experiment)],
    seed: u64,
    effort: &Effort,
) -> Vec<(&'static Experiment, Section)> {
    let steps = chosen.iter().map(|(_, experiment)| lab::steps(&(experiment.loads)(effort)));
    let progress = Progress::over("starting", steps.sum::<usize>().max(2));
    let run = |(number, experiment): &(u64, &'static Experiment)| {
        progress.stage(experiment.name);
        let effort = effort.clone();
        let lab = Lab { seed, effort, experiment: *number, progress: &progress };
        (*experiment, (experiment.run)(&lab))
    };
    chosen.iter().map(run).collect()
}

/// Writes the page and every data file; their names, the page's first.
fn write(folder: &Folder, outcome: &Outcome) -> anyhow::Result<Vec<String>> {
    let page = format!("{}.html", outcome.document.name);
    folder.write(&page, &html::page(outcome))?;
    let mut files = vec![page];
    for (_, section) in &outcome.sections {
        let charted = section.charts.iter().map(Data::from);
        for data in charted.chain(section.data.iter().cloned()) {
            let name = format!("{}.csv", data.name);
            folder.write(&name, &data.csv())?;
            files.push(name);
        }
    }
    Ok(files)
}
