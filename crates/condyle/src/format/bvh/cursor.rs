//! A place in a BVH file, moved token by token, whatever the line breaks.

use crate::error::Error;

/// A place in the text of a file.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next token, white space skipped; a brace is a token of its own.
    pub(super) fn token(&mut self) -> Option<&'a str> {
        self.skip_white();
        let rest = self.rest();
        let first = rest.chars().next()?;
        let length = if is_brace(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| c.is_whitespace() || is_brace(c)).unwrap_or(rest.len())
        };
        self.at += length;
        Some(&rest[..length])
    }

    /// The next token without moving on.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().token()
    }

    /// A name: the rest of the line up to a brace, or of a later line if this one is blank.
    ///
    /// Names may hold blanks: `JOINT Left Arm`.
    pub(super) fn name(&mut self) -> &'a str {
        self.skip_white();
        let rest = self.rest();
        let length = rest.find(|c| is_brace(c) || c == '\n' || c == '\r').unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_end()
    }

    /// Moves past a word in any letter case if it is next, whatever follows it.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        self.skip_white();
        let found =
            self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        if found {
            self.at += word.len();
        }
        found
    }

    /// The line of the next token, counted from 1.
    pub(super) fn line(&self) -> usize {
        let mut next = self.clone();
        next.skip_white();
        1 + self.text[..next.at].bytes().filter(|&b| b == b'\n').count()
    }

    /// An error at the next token.
    pub(super) fn error(&self, what: impl Into<String>) -> Error {
        Error::at_line(self.line(), what)
    }

    fn skip_white(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }
}

fn is_brace(c: char) -> bool {
    c == '{' || c == '}'
}

/// A token for an error message: quoted and not too long, or the end of the file.
pub(super) fn quoted(token: Option<&str>) -> String {
    match token {
        Some(token) => format!("'{}'", crate::format::text::cut(token)),
        None => "end of file".to_owned(),
    }
}
