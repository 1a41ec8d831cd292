//! `condyle info`: read every file, then one page, one table or one JSON array.

mod json;
mod page;
mod summary;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use condyle::Result;
use condyle::format::ReadOptions;

use crate::options::ReadingArgs;
use crate::terminal::progress::Progress;
use crate::terminal::{input, parallel, say};
use summary::Summary;

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// `condyle info`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InfoArgs {
    /// The recordings; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON array, an object a file (documented in docs/json.md)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// A file and what came of reading it.
pub struct Report {
    pub path: PathBuf,
    pub outcome: Result<Summary>,
}

/// Reads every file and says what is in it.
pub fn run(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let reports = read_all(&args.files, &args.reading.options());
    for error in reports.iter().filter_map(|report| report.outcome.as_ref().err()) {
        say::error(&error.to_string());
    }
    let is_all_good = reports.iter().all(|report| report.outcome.is_ok());
    let mut out = anstream::stdout();
    match reports.as_slice() {
        reports if args.json => json::print(reports, &mut out)?,
        [Report { path, outcome: Ok(summary) }] => {
            page::print(path, summary, &args.reading, &mut out)?;
        }
        // The line on standard error has said it all.
        [_] => {}
        reports => table::print(reports, &mut out)?,
    }
    out.flush()?;
    Ok(if is_all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads the files on as many threads as there are processors; the reports are in file order.
fn read_all(files: &[PathBuf], options: &ReadOptions) -> Vec<Report> {
    let progress = Progress::over("reading", files.len());
    parallel::map(files, |path| {
        let outcome = input::read(path, options).map(|trial| Summary::of(&trial));
        progress.advance();
        Report { path: path.clone(), outcome }
    })
}
