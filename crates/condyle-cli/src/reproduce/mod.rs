//! `condyle reproduce`: handed to the laboratory, which is a program of its own.
//!
//! What reproduces documents is no part of the product, so the command runs `condyle-reproduce` as
//! Git and Cargo run theirs: from beside this program, or else from the path.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};
use clap::Args;

use crate::terminal::hand_over::become_program;

const PROGRAM: &str = "condyle-reproduce";

/// What is said to the laboratory.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// A document and options: condyle reproduce --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs the laboratory; its exit code.
///
/// # Errors
/// The laboratory is not there, or cannot be started.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<ExitCode> {
    let program = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().map(|condyle| condyle.with_file_name(&program)).ok();
    let found = beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(&program));
    match become_program(Command::new(found).args(&args.arguments)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
            "need the program {PROGRAM} beside condyle or on the path, got none: build it in \
             Condyle's repository with cargo build --release -p condyle-lab"
        ),
        code => code.context(PROGRAM),
    }
}
