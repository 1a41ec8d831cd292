//! What a folder was made from, so that a second run knows what is left to do.

use std::fs;
use std::path::Path;

use anyhow::Context;
use condyle::format::ReadOptions;
use condyle::job;
use serde::{Deserialize, Serialize};

use super::{Outcome, ours};
use crate::terminal::output;

const FILE: &str = "run.json";

/// What results follow from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The options of the job with the version of the library, as it serialises them.
    options: String,
    /// What the caller knows better than the file.
    reading: ReadOptions,
    /// The recording, however it was typed.
    file: String,
    /// A hash of its content.
    content: String,
    #[serde(default)]
    outcome: Option<Outcome>,
}

/// What is in a folder.
pub enum State {
    /// Nothing of interest, what an unfinished run left behind, or results of ours that are out of date.
    Free,
    /// The results of these very inputs.
    UpToDate(Box<Outcome>),
    /// Something else; why it is not ours to overwrite.
    Foreign(String),
}

impl Record {
    /// What the results of a recording follow from.
    pub fn new(file: &Path, reading: &ReadOptions, options: &job::Options) -> anyhow::Result<Self> {
        let name = || file.display().to_string();
        let bytes = fs::read(file).with_context(name)?;
        let path =
            fs::canonicalize(file).map_or_else(|_| name(), |path| path.display().to_string());
        Ok(Self {
            options: options.key()?,
            reading: reading.clone(),
            file: path,
            content: format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes)),
            outcome: None,
        })
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
    if found.file != wanted.file {
        return Ok(State::Foreign(format!("its results are of another recording, {}", found.file)));
    }
    // Ours, but the recording, the options or the version changed: made again.
    if !found.is_same(wanted) {
        return Ok(State::Free);
    }
    Ok(match found.outcome {
        Some(outcome) if outcome.outputs.iter().all(|name| folder.join(name).is_file()) => {
            State::UpToDate(Box::new(outcome))
        }
        _ => State::Free,
    })
}
