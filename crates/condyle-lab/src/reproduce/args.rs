//! The command line of `condyle reproduce`.

use std::path::PathBuf;

use clap::error::ErrorKind as Usage;
use clap::{CommandFactory, Parser};

const EXAMPLES: &str = include_str!("help.txt").trim_ascii_end();

/// Re-run the experiments of a document, its figures beside ours, on one page
#[derive(Debug, Parser)]
#[command(name = "condyle reproduce", bin_name = "condyle reproduce", version)]
#[command(max_term_width = 100, after_help = EXAMPLES)]
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

/// Ends with the exit code for a wrong command line, which only the work itself could see.
pub fn usage(what: &str) -> ! {
    ReproduceArgs::command().error(Usage::ValueValidation, what).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        ReproduceArgs::command().debug_assert();
    }
}
