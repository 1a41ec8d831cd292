//! Other programs that do a command's work.

use std::io;
use std::process::{Command, ExitCode};

/// This process becomes the other program, so that signals reach it.
#[cfg(unix)]
pub fn become_program(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// The other program is waited for; its exit code.
#[cfg(not(unix))]
pub fn become_program(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
