//! A remark about whatever was odd in a file, kept with the trial and shown in reports.

use std::fmt;

/// Something odd that was read, repaired or left out, in words a user can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// A stable short name: `zero-coordinates`.
    pub code: &'static str,
    /// What was found and what was done about it, lower case, no full stop.
    pub text: String,
}

impl Note {
    /// A note from its code and text.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}
