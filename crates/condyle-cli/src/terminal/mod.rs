//! The edge to the user: files in and out, lines on the terminal, progress, wrong command lines.

pub mod files;
pub mod hand_over;
pub mod input;
pub mod prefixes;
pub mod usage;

use std::io;

use serde::Serialize;

pub use condyle_page::terminal::{
    Out, Written, exit_code, in_one_line, output, parallel, progress, say, table,
};

/// Prints JSON on lines of its own.
pub fn print_json(value: &(impl Serialize + ?Sized), out: Out) -> Written {
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)
}
