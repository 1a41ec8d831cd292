//! A recording and the name it goes by.

use std::path::Path;

use crate::error::Error;
use crate::trial::Trial;

/// A recording and the name it goes by in messages and in the subject's provenance.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Its path, or any other name; may be empty.
    pub name: String,
    /// What it holds.
    pub trial: Trial,
}

impl Recording {
    /// A recording under a name.
    pub fn new(name: impl Into<String>, trial: Trial) -> Self {
        Self { name: name.into(), trial }
    }

    /// The name without folders.
    pub fn file_name(&self) -> String {
        let name = Path::new(&self.name).file_name();
        name.map_or_else(|| self.name.clone(), |name| name.to_string_lossy().into_owned())
    }

    /// An error that says which recording it is about.
    pub(super) fn at_fault(&self, error: Error) -> Error {
        if self.name.is_empty() { error } else { error.with_path(Path::new(&self.name)) }
    }
}

impl From<Trial> for Recording {
    fn from(trial: Trial) -> Self {
        Self::new("", trial)
    }
}
