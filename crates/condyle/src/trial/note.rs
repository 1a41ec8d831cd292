//! A remark about whatever was odd in a file, kept with the trial and shown in reports.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Something odd that was read, repaired or left out, in words a user can act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// A stable short name: `zero-coordinates`.
    pub code: Cow<'static, str>,
    /// What was found and what was done about it, lower case, no full stop.
    pub text: String,
}

impl Note {
    /// A note from its code and text.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code: Cow::Borrowed(code), text: text.into() }
    }
}

#[cfg(test)]
impl Note {
    /// The code of a note that was made here, not read.
    pub(crate) fn static_code(&self) -> &'static str {
        match self.code {
            Cow::Borrowed(code) => code,
            Cow::Owned(_) => "",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}
