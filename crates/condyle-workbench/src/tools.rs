//! Programs that are there or not.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// The oldest Node that the app is built with.
const NODE: u32 = 20;

/// The command of a program of npm's, by the name that it has on this system.
pub fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder).env("npm_config_fund", "false").env("npm_config_audit", "false");
    command
}

/// What a program says; `None` if it is not there or fails.
pub fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program, whose output is its own.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = format!("{command:?}");
    let status = command.status().with_context(|| name.clone())?;
    if !status.success() {
        bail!("{name}: {status}");
    }
    Ok(())
}

/// Why Node and npm will not do, if they will not.
pub fn why_no_node() -> Option<String> {
    let version = said(Command::new("node").arg("--version"));
    let major = version
        .as_deref()
        .and_then(|version| version.strip_prefix('v')?.split('.').next()?.parse::<u32>().ok());
    match (version, major) {
        (None, _) => Some(format!("need Node {NODE} and npm, got none: install them")),
        (Some(version), major) if major.is_none_or(|major| major < NODE) => {
            Some(format!("need Node {NODE} or newer, got {version}: install it"))
        }
        _ if said(npm(Path::new(".")).arg("--version")).is_none() => {
            Some("need npm beside Node, got none: install it".into())
        }
        _ => None,
    }
}
