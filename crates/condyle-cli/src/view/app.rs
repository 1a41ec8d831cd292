//! Where the workbench is, which is built beside this program and not in it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

/// The variable that names its folder.
const VARIABLE: &str = "CONDYLE_WORKBENCH";
/// What it cannot do without.
const NEEDED: [&str; 5] = ["index.html", "app.js", "whole.js", "worker.js", "condyle_wasm.wasm"];

/// The folder of the app.
///
/// # Errors
/// There is none; the message says what builds it.
pub fn folder() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE).map(PathBuf::from) {
        if let Some(missing) = missing(&named) {
            bail!("{VARIABLE}: need a folder with {missing}, got {}", named.display());
        }
        return Ok(named);
    }
    let program = env::current_exe().and_then(fs::canonicalize).unwrap_or_default();
    let beside = program.parent().unwrap_or(Path::new(""));
    // Beside the folder that Cargo builds into, or where programs keep what they share.
    let places = ["../workbench", "../share/condyle/workbench", "workbench"];
    let found = places.iter().map(|place| beside.join(place)).find(|at| missing(at).is_none());
    match found {
        Some(folder) => Ok(folder),
        None => bail!(
            "the workbench is not built: in Condyle's repository, with Node 20 and its npm, \
             cargo run --release -p condyle-workbench builds it; {VARIABLE} names it where it is elsewhere"
        ),
    }
}

fn missing(folder: &Path) -> Option<&'static str> {
    NEEDED.into_iter().find(|name| !folder.join(name).is_file())
}
