//! The one error type of the library: what went wrong, in which file, at which place.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be read, written, fitted or solved.
///
/// Displays, also in debug form, as `path: place: what was needed and what was found`, lower case, no full stop: that
/// is what a `main` that returns it prints.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    code: Option<&'static str>,
    path: Option<PathBuf>,
    place: Option<Place>,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file has no bytes at all.
    #[error("the file is empty (0 bytes)")]
    Empty,
    /// No reader knows this content.
    #[error("{0}")]
    NotRecognised(String),
    /// The content breaks its format in a way that leaves nothing to read.
    #[error("{0}")]
    Malformed(String),
    /// The output format cannot hold what the trial has.
    #[error("{0}")]
    CannotHold(String),
    /// The data leave the answer open.
    #[error("{0}")]
    Undetermined(String),
    /// An argument makes no sense for this trial.
    #[error("{0}")]
    Argument(String),
}

/// Where in the file it went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Byte offset from the start of the file, counted from 0.
    Byte(u64),
    /// Line of a text file, counted from 1.
    Line(u64),
}

impl Error {
    /// A malformed file, with no place known yet.
    pub fn malformed(what: impl Into<String>) -> Self {
        ErrorKind::Malformed(what.into()).into()
    }

    /// An argument that makes no sense.
    pub fn argument(what: impl Into<String>) -> Self {
        ErrorKind::Argument(what.into()).into()
    }

    /// Data that leave the answer open.
    pub fn undetermined(what: impl Into<String>) -> Self {
        ErrorKind::Undetermined(what.into()).into()
    }

    /// What the output format cannot hold.
    pub fn cannot_hold(what: impl Into<String>) -> Self {
        ErrorKind::CannotHold(what.into()).into()
    }

    /// Content that no reader knows.
    pub fn not_recognised(what: impl Into<String>) -> Self {
        ErrorKind::NotRecognised(what.into()).into()
    }

    /// A malformed file at a line counted from 1.
    pub fn at_line(line: usize, what: impl Into<String>) -> Self {
        Self::malformed(what).with_place(Place::Line(line as u64))
    }

    /// A malformed file at a byte counted from 0.
    pub fn at_byte(byte: u64, what: impl Into<String>) -> Self {
        Self::malformed(what).with_place(Place::Byte(byte))
    }

    /// Gives it a stable short name that a program can act on, unless it has one: `asf-missing`.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code.get_or_insert(code);
        self
    }

    /// Names the file, unless a file is already named.
    #[must_use]
    pub fn with_path(mut self, path: &Path) -> Self {
        self.0.path.get_or_insert_with(|| path.to_path_buf());
        self
    }

    /// Names the place, unless a place is already named.
    #[must_use]
    pub fn with_place(mut self, place: Place) -> Self {
        self.0.place.get_or_insert(place);
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// A stable short name, where there is something that a program, or its user, could do about it. All are listed
    /// in docs/notes.md.
    pub fn code(&self) -> Option<&'static str> {
        self.0.code
    }

    /// The file, if it is known.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The place in the file, if it is known.
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, code: None, path: None, place: None }))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        ErrorKind::Io(error).into()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            write!(f, "{}: ", path.display())?;
        }
        match self.0.place {
            Some(Place::Byte(byte)) => write!(f, "byte {byte}: ")?,
            Some(Place::Line(line)) => write!(f, "line {line}: ")?,
            None => {}
        }
        self.0.kind.fmt(f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// Refuses numbers that are not finite, for what has no mark for them.
#[cfg(any(feature = "formats", feature = "skeleton"))]
pub(crate) fn check_finite(what: &str, numbers: impl IntoIterator<Item = f64>) -> Result<()> {
    match numbers.into_iter().find(|number| !number.is_finite()) {
        Some(number) => {
            Err(Error::cannot_hold(format!("{what}: need finite numbers, got {number}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_path_then_place_then_cause() {
        let error = Error::at_line(3, "frames: need 3, got 2").with_path(Path::new("a.trc"));
        assert_eq!(error.to_string(), "a.trc: line 3: frames: need 3, got 2");
    }

    #[test]
    fn keeps_the_first_place_it_was_given() {
        let error = Error::at_byte(7, "x").with_place(Place::Byte(9));
        assert_eq!(error.place(), Some(Place::Byte(7)));
    }
}
