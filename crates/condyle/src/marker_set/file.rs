//! A plan from a file, whichever of the three it is.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::knight::{self, Association, MarkerSetFile};
use super::plan_file;
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::trial::{Note, Trial};

/// The most bytes that a plan has: more is no text that someone wrote.
const MOST_BYTES: u64 = 16 << 20;

/// The text of a plan, and of the marker-set file that an association names.
///
/// A plan is TOML, or Knight's association or marker-set file; its content tells which.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanText {
    /// The plan itself.
    pub text: String,
    /// The marker-set file that an association names, where there is one.
    pub marker_set: Option<String>,
    /// Where it was read, for messages.
    #[serde(skip)]
    pub path: Option<PathBuf>,
}

impl PlanText {
    /// Reads a plan, and the marker-set file beside it that it may name.
    ///
    /// # Errors
    /// A file that cannot be read, or that is no text.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_text(path)?;
        let mut marker_set = None;
        if knight::is_knight_file(&text)
            && knight::is_association(&text)
            && let Ok(association) = Association::parse(&text)
        {
            let beside = path.parent().unwrap_or(Path::new("")).join(&association.marker_set);
            if beside.exists() {
                marker_set = Some(read_text(&beside)?);
            }
        }
        Ok(Self { text, marker_set, path: Some(path.to_owned()) })
    }
}

impl From<&str> for PlanText {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

/// Which markers of a recording are on which segment, as a plan says.
///
/// An association names a marker-set file; `vicon512.txt` is Table 1 if its text is not given.
///
/// # Errors
/// The text is none of the three; a line is wrong; no marker of the recording is on any segment. Errors name file and
/// line.
pub fn from_text(plan: &PlanText, trial: &Trial) -> Result<(Plan, Vec<Note>)> {
    read_plan(plan, trial).map_err(|error| match &plan.path {
        Some(path) => error.with_path(path),
        None => error,
    })
}

fn read_plan(plan: &PlanText, trial: &Trial) -> Result<(Plan, Vec<Note>)> {
    let text = &plan.text;
    if !knight::is_knight_file(text) {
        return plan_file::read(text, trial);
    }
    if !knight::is_association(text) {
        return knight::from_marker_set(&MarkerSetFile::parse(text)?, trial);
    }
    let association = Association::parse(text)?;
    let (set, note) = named_set(&association.marker_set, plan)?;
    let (plan, mut notes) = knight::from_association(&association, &set, trial)?;
    notes.extend(note);
    Ok((plan, notes))
}

/// The marker set that an association names.
fn named_set(name: &str, plan: &PlanText) -> Result<(MarkerSetFile, Option<Note>)> {
    if let Some(text) = &plan.marker_set {
        let beside =
            plan.path.as_ref().and_then(|path| path.parent()).map(|folder| folder.join(name));
        let set = MarkerSetFile::parse(text);
        return Ok((set.map_err(|error| error.with_path(&beside.unwrap_or_default()))?, None));
    }
    let is_table_1 = Path::new(name)
        .file_name()
        .is_some_and(|file| file.to_string_lossy().eq_ignore_ascii_case(knight::TABLE_1_FILE));
    if !is_table_1 {
        let what = format!("MARKERSET: need the file '{name}' beside this one, got none");
        return Err(Error::argument(what));
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
