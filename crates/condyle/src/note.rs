//! A remark about whatever was odd, kept with what it is about until it is printed.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Something odd that was read, repaired or left out, in words a user can act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Note {
    /// A stable short name: `zero-coordinates`. All are listed in docs/notes.md.
    pub code: Cow<'static, str>,
    /// What was found and what was done about it, lower case, no full stop.
    pub text: String,
    /// The marker, body, segment or joint that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The first frame that it is about, counted from 0, if it is about some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<usize>,
}

impl Note {
    /// A note from its code and text.
    pub fn new(code: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { code: code.into(), text: text.into(), about: None, frame: None }
    }

    /// A note on so many of something, where there are any: `3 rows without a number were skipped`.
    pub fn counted(count: usize, code: &'static str, text: &str) -> Option<Self> {
        (count > 0).then(|| Self::new(code, format!("{count} {text}")))
    }

    /// Says which marker, body, segment or joint it is about.
    #[must_use]
    pub fn about(self, name: impl Into<String>) -> Self {
        Self { about: Some(name.into()), ..self }
    }

    /// Says from which frame on, counted from 0.
    #[must_use]
    pub fn at_frame(self, frame: usize) -> Self {
        Self { frame: Some(frame), ..self }
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
