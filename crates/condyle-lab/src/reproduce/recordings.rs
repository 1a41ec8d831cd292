//! Recordings for experiments: named on the command line, or known ones in the folder of `CONDYLE_DATA`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use condyle::Trial;
use condyle::format::{ReadOptions, read_path};
use condyle::job;
use condyle::plan::Performer;

/// The environment variable that names the folder.
pub const FOLDER: &str = "CONDYLE_DATA";
/// A dance, and the longest recording with a person's markers.
const KNOWN: [&str; 2] = ["c3dorg/sample_13/Dance1.c3d", "cmu/01_01.c3d"];

/// A recording and its main performer.
#[derive(Debug)]
pub struct Recording {
    /// The name of its file.
    pub name: String,
    /// What was recorded.
    pub trial: Trial,
    /// Who has the most segments in it.
    pub performer: Performer,
}

/// Reads the recordings that are named, or else the known ones that are there.
///
/// # Errors
/// A recording cannot be read, or no two segments are found in it.
pub fn read(named: &[PathBuf]) -> anyhow::Result<Vec<Recording>> {
    if !named.is_empty() {
        return named.iter().map(|path| recording(path)).collect();
    }
    let Some(folder) = std::env::var_os(FOLDER) else { return Ok(Vec::new()) };
    let known = KNOWN.map(|name| Path::new(&folder).join(name));
    known.iter().filter(|path| path.exists()).map(|path| recording(path)).collect()
}

fn recording(path: &Path) -> anyhow::Result<Recording> {
    let trial = read_path(path, &ReadOptions::default())?;
    let found =
        job::plan(&trial, &job::Options::default()).map_err(|error| error.with_path(path))?;
    let most = found.plan.performers.into_iter().max_by_key(|performer| performer.segments.len());
    let performer = most.with_context(|| format!("{}: got no performer", path.display()))?;
    if performer.segments.len() < 2 {
        bail!("{}: need two segments that move against each other, got one", path.display());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Recording { name, trial, performer })
}
