//! What a folder was made from, so that a second run knows what is left to do.

use std::ffi::OsStr;
use std::path::Path;
use std::{fs, io};

use anyhow::Context;
use condyle::format::{self, ReadOptions};
use condyle::trial::Format;
use serde::{Deserialize, Serialize};

use super::lock::{self, FolderLock};
use super::{Batch, ExportOptions, Outcome, ours};
use crate::terminal::files::RECORD as FILE;
use crate::terminal::output;

/// What results follow from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The options of the job with the version of the library, as it serialises them.
    options: String,
    /// What files are written with.
    exports: ExportOptions,
    /// What the caller knows better than the file, but for its skeleton.
    reading: ReadOptions,
    /// The recording, however it was typed.
    file: String,
    /// A hash of its content.
    content: String,
    /// A hash of the skeleton that an AMC motion is read with, wherever it is.
    skeleton: Option<String>,
    /// Hashes of all recordings that its subject was fitted to, in their order; nothing if it was this one alone.
    #[serde(default)]
    together: Vec<String>,
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
    /// The results of this recording, whose subject was fitted to other recordings than now.
    OtherSiblings,
    /// Something else; why it is not ours to overwrite.
    Foreign(String),
}

impl Record {
    /// What the results of a recording follow from.
    pub fn new(file: &Path, batch: &Batch) -> anyhow::Result<Self> {
        // All fields: one that comes in later must be said to matter, or not to.
        let Batch { options, reading, exports, is_each: _, is_forced: _, show: _ } = batch;
        let name = || file.display().to_string();
        let bytes = fs::read(file).with_context(name)?;
        let path =
            fs::canonicalize(file).map_or_else(|_| name(), |path| path.display().to_string());
        Ok(Self {
            options: options.key()?,
            exports: exports.clone(),
            reading: ReadOptions { skeleton: None, ..reading.clone() },
            file: path,
            content: hash(&bytes),
            skeleton: skeleton(file, &bytes, reading).map(|bytes| hash(&bytes)),
            together: Vec::new(),
            outcome: None,
            written: Vec::new(),
        })
    }

    /// The records of recordings that share a subject: each follows from all of them.
    pub fn share(records: &mut [Self]) {
        if records.len() > 1 {
            let together: Vec<String> = records.iter().map(|own| own.content.clone()).collect();
            records.iter_mut().for_each(|own| own.together.clone_from(&together));
        }
    }

    /// Says in the folder that a run is under way, and returns whether the folder was ours before.
    ///
    /// What an earlier run wrote, and what one that was killed left, goes.
    pub fn begin(&self, folder: &Path, held: &FolderLock) -> anyhow::Result<bool> {
        let name = || folder.display().to_string();
        let earlier = found(folder);
        let was_ours = earlier.is_some();
        let recorded = earlier.and_then(|record| record.outcome).map(|outcome| outcome.outputs);
        remove(folder, &recorded.unwrap_or_default());
        remove(folder, &held.announced().with_context(name)?);
        output::sweep(folder);
        self.write(folder)?;
        held.forget().with_context(name)?;
        Ok(was_ours)
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

/// Removes what a run wrote that cannot go on: a part of the results is none.
///
/// The record, which calls nothing done, stays in a folder that was ours before: so it is ours again.
pub fn abandon(folder: &Path, held: &FolderLock, was_ours: bool) {
    remove(folder, &held.announced().unwrap_or_default());
    // What is not forgotten is removed once more by the next run.
    let _ = held.forget();
    if !was_ours {
        let _ = fs::remove_file(folder.join(FILE));
    }
}

/// Removes files of ours; what cannot be removed is not called done either.
fn remove(folder: &Path, names: &[String]) {
    for name in names {
        let is_plain = Path::new(name).file_name() == Some(name.as_ref());
        if is_plain {
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// The content of the skeleton that a motion is read with; one that is not there is said when it is read.
fn skeleton(file: &Path, bytes: &[u8], reading: &ReadOptions) -> Option<Vec<u8>> {
    let beside = || {
        let is_motion = format::sniff(bytes).is_ok_and(|format| format == Format::Amc);
        is_motion.then(|| format::amc::find_skeleton(file).ok()).flatten()
    };
    fs::read(reading.skeleton.clone().or_else(beside)?).ok()
}

/// How the run went whose results a folder holds.
pub fn outcome(folder: &Path) -> Option<Outcome> {
    found(folder)?.outcome
}

/// The record in a folder, if there is one.
fn found(folder: &Path) -> Option<Record> {
    serde_json::from_str(&fs::read_to_string(folder.join(FILE)).ok()?).ok()
}

/// Whether a folder holds nothing, but for a lock and files that a killed run had not finished.
fn is_empty(folder: &Path) -> anyhow::Result<bool> {
    let is_of_a_run = |name: &OsStr| name == lock::FILE || output::is_temporary(name);
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().all(|entry| is_of_a_run(&entry.file_name()))),
        Err(_) if !folder.exists() => Ok(true),
        Err(error) => Err(error).with_context(|| folder.display().to_string()),
    }
}

/// What is in a folder that a run would write to.
pub fn state(folder: &Path, wanted: &Record) -> anyhow::Result<State> {
    // A run writes its record before everything else and removes it after everything else, so it is looked for first;
    // another run may have begun between the two looks.
    let mut record = found(folder);
    if record.is_none() {
        if is_empty(folder)? {
            return Ok(State::Free);
        }
        record = found(folder);
    }
    let Some(found) = record else {
        return Ok(State::Foreign("the folder holds files of another kind".into()));
    };
    if found.file != wanted.file {
        return Ok(State::Foreign(format!("its results are of another recording, {}", found.file)));
    }
    // Ours, but the recording, the options or the version changed: made again.
    if !found.is_same(wanted) {
        let together = wanted.together.clone();
        let is_by_siblings = Record { together, ..found }.is_same(wanted);
        return Ok(if is_by_siblings { State::OtherSiblings } else { State::Free });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Show;
    use condyle::export::Export;
    use condyle::job;
    use condyle::trial::{Axis, LengthUnit};

    fn batch() -> Batch {
        Batch {
            options: job::Options::default(),
            reading: ReadOptions::default(),
            exports: ExportOptions {
                norm: None,
                mot: Export::AnglesSto,
                weight_kg: None,
                urdf: false,
                mujoco: false,
                physics: false,
                figure: false,
                segments: false,
            },
            is_each: false,
            is_forced: false,
            show: Show::Table,
        }
    }

    /// One struct a field, with this field changed. All fields must be here: the literal has no `..`.
    macro_rules! each_changed {
        ($of:ident, $usual:expr, { $($field:ident: $value:expr),* $(,)? }) => {{
            let all = $of { $($field: $value),* };
            [$((stringify!($field), $of { $field: all.$field.clone(), ..$usual })),*]
        }};
    }

    #[test]
    fn every_option_of_reading_and_writing_means_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let [file, asf] = ["a.trc", "b.asf"].map(|name| folder.path().join(name));
        fs::write(&file, "PathFileType").unwrap();
        fs::write(&asf, "skeleton").unwrap();
        let usual = Record::new(&file, &batch()).unwrap();
        let reading = each_changed!(ReadOptions, ReadOptions::default(), {
            point_set: Some("mediapipe".into()),
            unit: Some(LengthUnit::Inch),
            up: Some(Axis::Y),
            rate_hz: Some(50.0),
            skeleton: Some(asf),
            keep_invalid: true,
            columns: Some(vec!["x".to_owned()]),
            is_left_handed: true,
            scale: Some(1.1),
        });
        for (field, reading) in reading {
            let record = Record::new(&file, &Batch { reading, ..batch() }).unwrap();
            assert!(!record.is_same(&usual), "{field}");
        }
        let exports = each_changed!(ExportOptions, batch().exports, {
            mot: Export::AnglesSto2392,
            weight_kg: Some(55.0),
            urdf: true,
            mujoco: true,
            physics: true,
            figure: true,
            segments: true,
            norm: Some(String::new()),
        });
        for (field, exports) in exports {
            let record = Record::new(&file, &Batch { exports, ..batch() }).unwrap();
            assert!(!record.is_same(&usual), "{field}");
        }
        let forced = Batch { is_forced: true, show: Show::Nothing, ..batch() };
        assert!(Record::new(&file, &forced).unwrap().is_same(&usual));
    }

    #[test]
    fn a_run_killed_before_its_record_was_there_leaves_the_folder_free() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.trc");
        fs::write(&file, "PathFileType").unwrap();
        let wanted = Record::new(&file, &batch()).unwrap();
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(out.join(lock::FILE), "").unwrap();
        fs::write(out.join(".condyle-x7Qz2a.tmp"), "{").unwrap();
        assert!(matches!(state(&out, &wanted).unwrap(), State::Free));
        fs::write(out.join("letter.txt"), "theirs").unwrap();
        assert!(matches!(state(&out, &wanted).unwrap(), State::Foreign(_)));
    }

    #[test]
    fn another_sibling_means_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.trc", "b.trc", "c.trc"].map(|name| folder.path().join(name));
        let record = |file: &Path| Record::new(file, &batch()).unwrap();
        files.iter().for_each(|file| fs::write(file, file.display().to_string()).unwrap());
        let together = |count: usize| {
            let mut records: Vec<Record> = files[..count].iter().map(|file| record(file)).collect();
            Record::share(&mut records);
            records.swap_remove(0)
        };
        assert!(together(1).is_same(&record(&files[0])));
        assert!(together(2).is_same(&together(2)));
        assert!(!together(2).is_same(&together(1)) && !together(3).is_same(&together(2)));
        // As an earlier run left it.
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        together(2).write(&out).unwrap();
        assert!(matches!(state(&out, &together(3)).unwrap(), State::OtherSiblings));
        fs::write(&files[0], "other").unwrap();
        assert!(matches!(state(&out, &together(3)).unwrap(), State::Free));
    }

    #[test]
    fn a_skeleton_beside_a_motion_counts_by_its_content_and_not_by_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let [amc, beside, other] =
            ["02_01.amc", "02.asf", "mine.asf"].map(|name| folder.path().join(name));
        fs::write(&amc, ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n").unwrap();
        let with = |skeleton: Option<&Path>| {
            let skeleton = skeleton.map(Path::to_owned);
            let reading = ReadOptions { skeleton, ..ReadOptions::default() };
            Record::new(&amc, &Batch { reading, ..batch() }).unwrap()
        };
        fs::write(&beside, ":version 1.10\n").unwrap();
        fs::write(&other, ":version 1.10\n").unwrap();
        let found = with(None);
        assert!(found.skeleton.is_some());
        assert!(with(Some(&other)).is_same(&found));
        fs::write(&beside, ":version 1.10\n:name other\n").unwrap();
        assert!(!with(None).is_same(&found));
    }
}
