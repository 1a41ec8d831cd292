//! The edge to the user: files written whole, lines on the terminal, progress, interruption.

mod hint;
mod interrupt;
pub mod output;
pub mod parallel;
pub mod progress;
pub mod say;
pub mod table;

use std::io::{self, Write};
use std::process::ExitCode;

/// What pages and tables write to.
pub type Out<'a> = &'a mut dyn Write;

/// The result of writing.
pub type Written = io::Result<()>;

/// An error in one line: the library's own says everything itself, others are spelled out with their causes.
pub fn in_one_line(error: &anyhow::Error) -> String {
    match error.downcast_ref::<condyle::Error>() {
        Some(error) => match hint::about(error) {
            Some(hint) => format!("{error}: {hint}"),
            None => error.to_string(),
        },
        None => format!("{error:#}"),
    }
}

/// How a program ends: its exit code; an error is said on standard error.
pub fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        // Whoever read our output has seen enough (`condyle info a.c3d | head`).
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say::error(&in_one_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
