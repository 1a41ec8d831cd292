//! The library's error as an exception: `condyle.Error`, with its kind, code, path and place.

use condyle::error::Place;
use condyle::{Error, ErrorKind};
use pyo3::PyErr;
use pyo3::prelude::*;

/// What a function here gives.
pub type Answer<T> = Result<T, Failure>;

/// Why there is no answer: the library's error, or Python's.
pub enum Failure {
    /// The library's.
    Ours(Error),
    /// Python's.
    Python(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Self {
        Self::Ours(kind.into())
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Ours(Error::argument(format!("options: {error}")))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Python(error) => error,
            Failure::Ours(error) => Python::attach(|py| raise(py, &error).unwrap_or_else(|e| e)),
        }
    }
}

/// An argument that makes no sense.
pub fn wrong(what: impl Into<String>) -> Failure {
    Failure::Ours(Error::argument(what))
}

fn raise(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let kind = match error.kind() {
        ErrorKind::Io(_) => "io",
        ErrorKind::Empty => "empty",
        ErrorKind::NotRecognised(_) => "not-recognised",
        ErrorKind::Malformed(_) => "malformed",
        ErrorKind::CannotHold(_) => "cannot-hold",
        ErrorKind::Undetermined(_) => "undetermined",
        ErrorKind::Argument(_) => "argument",
        _ => "other",
    };
    let errno = match error.kind() {
        ErrorKind::Io(error) => error.raw_os_error(),
        _ => None,
    };
    let place = error.place().map(|place| match place {
        Place::Byte(byte) => ("byte", byte),
        Place::Line(line) => ("line", line),
    });
    let path = error.path().map(|path| path.display().to_string());
    let make = py.import("condyle._errors")?.getattr("make")?;
    let made = make.call1((error.to_string(), kind, error.code(), path, place, errno))?;
    Ok(PyErr::from_value(made))
}
