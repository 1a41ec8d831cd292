//! `condyle info`: read every file, then one page, one table or one JSON array.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use condyle::Result;
use condyle::format::ReadOptions;

use crate::args::InfoArgs;
use crate::progress::Progress;
use crate::summary::Summary;
use crate::{info_json, info_page, info_table, input, parallel, say};

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
        reports if args.json => info_json::print(reports, &mut out)?,
        [Report { path, outcome: Ok(summary) }] => {
            info_page::print(path, summary, &args.reading, &mut out)?;
        }
        // The line on standard error has said it all.
        [_] => {}
        reports => info_table::print(reports, &mut out)?,
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

/// What pages and tables write to.
pub type Out<'a> = &'a mut dyn Write;

/// The result of writing.
pub type Written = io::Result<()>;
