//! What a folder was made from, so that a second run knows what is left to do.

use std::path::Path;
use std::{fs, io};

use anyhow::Context;
use condyle::format::ReadOptions;
use serde::{Deserialize, Serialize};

use super::{Batch, Outcome, lock, ours};
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
    /// How it went, once everything is written.
    #[serde(default)]
    outcome: Option<Outcome>,
    /// What was written, as it was then.
    #[serde(default)]
    written: Vec<Written>,
}

/// A file of results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Written {
    name: String,
    bytes: u64,
    content: String,
}

impl Written {
    fn read(folder: &Path, name: &str) -> io::Result<Self> {
        let bytes = fs::read(folder.join(name))?;
        Ok(Self { name: name.to_owned(), bytes: bytes.len() as u64, content: hash(&bytes) })
    }

    /// Whether the file is still what was written.
    fn is_whole(&self, folder: &Path) -> bool {
        let path = folder.join(&self.name);
        fs::metadata(path).is_ok_and(|metadata| metadata.len() == self.bytes)
            && Self::read(folder, &self.name).is_ok_and(|now| now == *self)
    }
}

fn hash(bytes: &[u8]) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(bytes))
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
    pub fn new(file: &Path, batch: &Batch) -> anyhow::Result<Self> {
        let Batch { options, reading, mot, weight_kg, .. } = batch;
        let name = || file.display().to_string();
        let bytes = fs::read(file).with_context(name)?;
        let path =
            fs::canonicalize(file).map_or_else(|_| name(), |path| path.display().to_string());
        Ok(Self {
            options: format!("{} {mot:?} {weight_kg:?}", options.key()?),
            reading: reading.clone(),
            file: path,
            content: hash(&bytes),
            outcome: None,
            written: Vec::new(),
        })
    }

    /// Says in the folder that a run is under way.
    ///
    /// What an earlier run wrote, and what one that was killed left half written, goes.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        for name in
            found(folder).and_then(|record| record.outcome).into_iter().flat_map(|o| o.outputs)
        {
            let is_plain = Path::new(&name).file_name() == Some(name.as_ref());
            if is_plain {
                let _ = fs::remove_file(folder.join(name));
            }
        }
        output::sweep(folder);
        self.write(folder)
    }

    /// Says that it is complete, once every file is on the disk.
    pub fn finish(mut self, folder: &Path, outcome: &Outcome) -> anyhow::Result<()> {
        let written = outcome.outputs.iter().map(|name| Written::read(folder, name));
        self.written =
            written.collect::<io::Result<_>>().with_context(|| folder.display().to_string())?;
        self.outcome = Some(outcome.clone());
        self.write(folder)
    }

    fn write(&self, folder: &Path) -> anyhow::Result<()> {
        ours(&folder.join(FILE))?.write(|out| Ok(serde_json::to_writer_pretty(out, self)?))
    }

    fn is_same(&self, other: &Self) -> bool {
        let inputs = |record: &Self| Self { outcome: None, written: Vec::new(), ..record.clone() };
        inputs(self) == inputs(other)
    }
}

/// The record in a folder, if there is one.
fn found(folder: &Path) -> Option<Record> {
    serde_json::from_str(&fs::read_to_string(folder.join(FILE)).ok()?).ok()
}

/// What is in a folder that a run would write to.
pub fn state(folder: &Path, wanted: &Record) -> anyhow::Result<State> {
    let is_empty = match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().all(|entry| entry.file_name() == lock::FILE),
        Err(_) if !folder.exists() => true,
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    if is_empty {
        return Ok(State::Free);
    }
    let Some(found) = found(folder) else {
        return Ok(State::Foreign("the folder holds files of another kind".into()));
    };
    if found.file != wanted.file {
        return Ok(State::Foreign(format!("its results are of another recording, {}", found.file)));
    }
    // Ours, but the recording, the options or the version changed: made again.
    if !found.is_same(wanted) {
        return Ok(State::Free);
    }
    // Emptied, cut or edited files are made again too.
    let is_whole = found.written.iter().all(|file| file.is_whole(folder));
    Ok(match found.outcome {
        Some(outcome) if is_whole && found.written.len() == outcome.outputs.len() => {
            State::UpToDate(Box::new(outcome))
        }
        _ => State::Free,
    })
}
