//! Recordings for experiments: named on the command line, or known ones in the folder of `CONDYLE_DATA`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use condyle::format::{ReadOptions, read_path};
use condyle::plan::{Performer, Plan};
use condyle::{Trial, grouping, marker_set, topology};

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
    let most = plan(&trial)
        .map_err(|error| error.with_path(path))?
        .performers
        .into_iter()
        .max_by_key(|performer| performer.segments.len());
    let mut performer = most.with_context(|| format!("{}: got no performer", path.display()))?;
    if performer.segments.len() < 2 {
        bail!("{}: need two segments that move against each other, got one", path.display());
    }
    if !performer.is_tree_known {
        topology::infer_performer(&trial, &mut performer, &topology::Options::default())?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Recording { name, trial, performer })
}

/// The segments by the names of the markers, or by their motion where the names say too little.
fn plan(trial: &Trial) -> condyle::Result<Plan> {
    let named = marker_set::recognise(trial);
    if named.is_good() {
        return Ok(named.plan);
    }
    let computed = marker_set::computed(trial);
    let only = (0..trial.markers.len()).filter(|marker| !computed.contains(marker)).collect();
    let options = grouping::Options { only: Some(only), ..grouping::Options::default() };
    Ok(grouping::with_evidence(trial, &options)?.plan)
}
