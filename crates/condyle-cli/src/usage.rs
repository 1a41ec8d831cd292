//! A command line that is wrong in a way that only its parts together show.

use std::process::ExitCode;

use crate::say;

/// Says what is wrong; the exit code of a wrong command line.
pub fn wrong(text: &str) -> ExitCode {
    say::error(text);
    ExitCode::from(2)
}
