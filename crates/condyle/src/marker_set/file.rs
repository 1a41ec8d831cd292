//! A plan from a file, whichever of the three it is.

use std::fs;
use std::path::Path;

use super::knight::{self, Association, MarkerSetFile};
use super::plan_file;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::trial::{Note, Trial};

/// The most bytes that a plan has: more is no text that someone wrote.
const MOST_BYTES: u64 = 16 << 20;

/// Reads which markers of a recording are on which segment from a file.
///
/// The file is a plan in TOML, or Knight's association or marker-set file; its content tells which.
/// An association names a marker-set file, which is looked for beside it; `vicon512.txt` is Table 1
/// if it is not there.
///
/// # Errors
/// The file cannot be read or is none of the three; a line is wrong; no marker of the recording is
/// on any segment. Errors name file and line.
pub fn from_file(path: &Path, trial: &Trial) -> Result<(Plan, Vec<Note>)> {
    let text = read_text(path)?;
    from_text(&text, path.parent(), trial).map_err(|error| error.with_path(path))
}

/// As [`from_file`] for a text; `folder` is where a marker-set file that it names is looked for.
///
/// # Errors
/// As [`from_file`].
pub fn from_text(text: &str, folder: Option<&Path>, trial: &Trial) -> Result<(Plan, Vec<Note>)> {
    if !knight::is_one(text) {
        return plan_file::read(text, trial);
    }
    if !knight::is_association(text) {
        return knight::from_marker_set(&MarkerSetFile::parse(text)?, trial);
    }
    let association = Association::parse(text)?;
    let (set, note) = named_set(&association.marker_set, folder)?;
    let (plan, mut notes) = knight::from_association(&association, &set, trial)?;
    notes.extend(note);
    Ok((plan, notes))
}

/// The marker set that an association names.
fn named_set(name: &str, folder: Option<&Path>) -> Result<(MarkerSetFile, Option<Note>)> {
    let path = folder.unwrap_or(Path::new("")).join(name);
    if folder.is_some() && path.exists() {
        let set = MarkerSetFile::parse(&read_text(&path)?);
        return Ok((set.map_err(|error| error.with_path(&path))?, None));
    }
    let is_table_1 = Path::new(name)
        .file_name()
        .is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(knight::TABLE_1_FILE));
    if !is_table_1 {
        let what = format!("MARKERSET: need the file '{name}' beside this one, got none");
        return Err(ErrorKind::Argument(what).into());
    }
    let text = format!("{name} is not there: the built-in table of 51 markers is used");
    Ok((MarkerSetFile::table_1(), Some(Note::new("plan-marker-set", text))))
}

fn read_text(path: &Path) -> Result<String> {
    let read = || -> Result<String> {
        let length = fs::metadata(path)?.len();
        if length > MOST_BYTES {
            return Err(Error::malformed(format!(
                "need a text of at most {MOST_BYTES} bytes, got {length}"
            )));
        }
        String::from_utf8(fs::read(path)?).map_err(|error| {
            let valid = error.utf8_error().valid_up_to() as u64;
            Error::at_byte(valid, "need a text in UTF-8, got other bytes")
        })
    };
    read().map_err(|error| error.with_path(path))
}
