//! The edge to the user: files in and out, lines on the terminal, progress, interruption.

pub mod input;
pub mod interrupt;
pub mod output;
pub mod parallel;
pub mod progress;
pub mod say;
pub mod table;
pub mod usage;

use std::io::{self, Write};

/// What pages and tables write to.
pub type Out<'a> = &'a mut dyn Write;

/// The result of writing.
pub type Written = io::Result<()>;

/// An error in one line: the library's own says everything itself, others are spelled out with their causes.
pub fn in_one_line(error: &anyhow::Error) -> String {
    match error.downcast_ref::<condyle::Error>() {
        Some(error) => error.to_string(),
        None => format!("{error:#}"),
    }
}
