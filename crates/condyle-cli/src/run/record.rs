//! What a folder was made from, so that a second run knows what is left to do.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::{Outcome, RunArgs, ours};
use crate::terminal::output;

const FILE: &str = "run.json";

/// What results follow from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    condyle: String,
    /// The recording and, where one was given, the subject and the plan: path, bytes, time of change.
    inputs: Vec<(String, u64, u128)>,
    options: String,
    #[serde(default)]
    outcome: Option<Outcome>,
}

/// What is in a folder.
pub enum State {
    /// Nothing of interest, or what an unfinished run left behind.
    Free,
    /// The results of these very inputs.
    UpToDate(Box<Outcome>),
    /// Something else; why it is not ours to overwrite.
    Foreign(String),
}

impl Record {
    /// What the results of a recording follow from.
    pub fn of(file: &Path, args: &RunArgs) -> anyhow::Result<Self> {
        let inputs = [Some(file), args.subject.as_deref(), args.plan.plan.as_deref()];
        let inputs: anyhow::Result<Vec<_>> = inputs.into_iter().flatten().map(input).collect();
        let options =
            format!("{:?} {:?} {} {:?}", args.reading, args.plan.by, args.max_gap, args.smooth);
        let condyle = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { condyle, inputs: inputs?, options, outcome: None })
    }

    /// Says in the folder that a run is under way.
    ///
    /// What an earlier run wrote, and what one that was killed left half written, goes.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        let earlier = fs::read_to_string(folder.join(FILE)).ok();
        let earlier = earlier.and_then(|text| serde_json::from_str::<Self>(&text).ok());
        for name in earlier.and_then(|record| record.outcome).into_iter().flat_map(|o| o.outputs) {
            let is_plain = Path::new(&name).file_name() == Some(name.as_ref());
            if is_plain {
                let _ = fs::remove_file(folder.join(name));
            }
        }
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(output::PREFIX) && name.ends_with(output::SUFFIX) {
                let _ = fs::remove_file(entry.path());
            }
        }
        self.write(folder)
    }

    /// Says that it is complete.
    pub fn finish(mut self, folder: &Path, outcome: &Outcome) -> anyhow::Result<()> {
        self.outcome = Some(outcome.clone());
        self.write(folder)
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        ours(&folder.join(FILE))?.write(|out| Ok(serde_json::to_writer_pretty(out, self)?))
    }

    fn is_same(&self, other: &Self) -> bool {
        Self { outcome: None, ..self.clone() } == Self { outcome: None, ..other.clone() }
    }
}

fn input(path: &Path) -> anyhow::Result<(String, u64, u128)> {
    let name = || path.display().to_string();
    let metadata = fs::metadata(path).with_context(name)?;
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    // However it was typed.
    let path = fs::canonicalize(path).map_or_else(|_| name(), |path| path.display().to_string());
    Ok((path, metadata.len(), changed.map_or(0, |time| time.as_nanos())))
}

/// What is in a folder that a run would write to.
pub fn state(folder: &Path, wanted: &Record) -> anyhow::Result<State> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) if !folder.exists() => true,
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    if is_empty {
        return Ok(State::Free);
    }
    let text = fs::read_to_string(folder.join(FILE)).ok();
    let Some(found) = text.and_then(|text| serde_json::from_str::<Record>(&text).ok()) else {
        return Ok(State::Foreign("the folder holds files of another kind".into()));
    };
    if !found.is_same(wanted) {
        return Ok(State::Foreign(
            "its results are of another recording, or of other options or another version".into(),
        ));
    }
    Ok(match found.outcome {
        Some(outcome) if outcome.outputs.iter().all(|name| folder.join(name).is_file()) => {
            State::UpToDate(Box::new(outcome))
        }
        _ => State::Free,
    })
}
