//! `condyle reproduce`: the experiments of a document run again, its figures beside ours.

mod args;
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

use args::{ReproduceArgs, usage};
use clap::Parser;
use condyle_page::terminal::progress::Progress;
use condyle_page::terminal::say;
use document::{Document, Experiment};
use folder::Folder;
use lab::{Effort, Lab};
use section::{Data, Section};

/// What was run, and what came of it.
struct Outcome {
    document: &'static Document,
    seed: u64,
    effort: Effort,
    sections: Vec<(&'static Experiment, Section)>,
}

/// Runs the experiments that the command line asks for, writes the page and its data, and prints every
/// figure beside ours.
///
/// # Errors
/// A recording cannot be read, or the page not be written.
pub fn main() -> anyhow::Result<ExitCode> {
    let args = ReproduceArgs::parse();
    let document = document::of(args.document);
    let chosen = chosen(document, &args.only, args.chapter).unwrap_or_else(|what| usage(&what));
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
