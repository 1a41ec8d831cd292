//! Command lines that are wrong in a way that only the work itself could see.

use std::process::ExitCode;

use clap::Args;
use clap::error::ErrorKind;

use super::say;

/// Says what is wrong; the exit code of a wrong command line.
pub fn wrong(text: &str) -> ExitCode {
    say::error(text);
    ExitCode::from(2)
}

/// Ends with the exit code for a wrong command line, and the usage of a command with these arguments.
pub fn exit<A: Args>(command: &'static str, what: &str) -> ! {
    let named = clap::Command::new(command).bin_name(format!("condyle {command}"));
    A::augment_args(named).error(ErrorKind::ValueValidation, what).exit()
}
