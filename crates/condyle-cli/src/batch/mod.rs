//! `condyle batch`: handed to Python, where clusters and object stores are.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Args;

use crate::terminal::hand_over::become_program;

/// What is said to Python.
#[derive(Debug, Args)]
pub struct BatchArgs {
    /// Recordings and options: condyle batch --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs `python -m condyle.batch`; its exit code.
///
/// # Errors
/// There is no Python, or it has no condyle.
pub fn run(args: &BatchArgs) -> anyhow::Result<ExitCode> {
    let wanted = env::var_os("CONDYLE_PYTHON")
        .map_or_else(|| ["python3", "python"].map(OsString::from).to_vec(), |python| vec![python]);
    let has_condyle = |python: &&OsString| {
        let mut import = Command::new(python);
        import.args(["-c", "import condyle.batch"]).stderr(Stdio::null()).stdin(Stdio::null());
        import.status().is_ok_and(|status| status.success())
    };
    let Some(python) = wanted.iter().find(has_condyle) else {
        let tried: Vec<_> = wanted.iter().map(|python| python.to_string_lossy()).collect();
        bail!(
            "need Python with condyle, got none as {}: pip install 'condyle[cluster]', or name a Python by CONDYLE_PYTHON",
            tried.join(" or ")
        );
    };
    let mut command = Command::new(python);
    command.args(["-m", "condyle.batch"]).args(&args.arguments);
    become_program(&mut command).context("python")
}
