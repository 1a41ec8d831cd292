//! Words between white space, with `//` comments to the end of a line: what figures and their motions are written in.

use crate::error::{Error, Result};
use crate::format::text::{cut, number};

/// The words of a text, and where they are.
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The line of the word that was read last, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.line += rest[..blank].matches('\n').count();
            self.at += blank;
            let rest = &rest[blank..];
            if rest.is_empty() {
                return None;
            }
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let end = rest[..end].find("//").unwrap_or(end);
            self.at += end;
            return Some(&rest[..end]);
        }
    }

    /// The next word, left where it is.
    pub fn peek(&self) -> Option<&'a str> {
        Self { ..*self }.next()
    }

    /// What is left of the line: a name may have spaces.
    pub fn rest_of_line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += end;
        let line = &rest[..end];
        line[..line.find("//").unwrap_or(end)].trim()
    }

    /// An error at the word that was read last.
    pub fn wrong(&self, need: &str, got: Option<&str>) -> Error {
        let got = got.map_or("the end of the file".to_owned(), |got| format!("'{}'", cut(got)));
        Error::at_line(self.line, format!("{need}, got {got}"))
    }

    /// The next word, which must be this one.
    pub fn expect(&mut self, word: &str) -> Result<()> {
        match self.next() {
            Some(found) if found == word => Ok(()),
            found => Err(self.wrong(&format!("need {word}"), found)),
        }
    }

    /// A name to the end of the line.
    pub fn name(&mut self, of: &str) -> Result<String> {
        match self.rest_of_line() {
            "" => Err(self.wrong(&format!("{of}: need a name"), Some(""))),
            name => Ok(name.to_owned()),
        }
    }

    pub fn real(&mut self, of: &str) -> Result<f64> {
        let word = self.next();
        let value = word.and_then(number);
        value.ok_or_else(|| self.wrong(&format!("{of}: need a number"), word))
    }

    pub fn whole(&mut self, of: &str) -> Result<u32> {
        let word = self.next();
        let value = word.and_then(|word| word.parse().ok());
        value.ok_or_else(|| self.wrong(&format!("{of}: need a whole number"), word))
    }

    /// A count of words that the rest of the text has room for.
    pub fn count(&mut self, of: &str) -> Result<usize> {
        let count = self.whole(of)? as usize;
        let room = (self.text.len() - self.at).div_ceil(2);
        match count <= room {
            true => Ok(count),
            false => {
                let what = format!("{of}: need {count}, got room for {room}");
                Err(Error::at_line(self.line, what))
            }
        }
    }

    /// Three numbers after how many they are.
    pub fn vector(&mut self, of: &str) -> Result<[f64; 3]> {
        let dimension = self.whole(of)?;
        if dimension != 3 {
            let what = format!("{of}: need dimension 3, got {dimension}");
            return Err(Error::at_line(self.line, what));
        }
        Ok([self.real(of)?, self.real(of)?, self.real(of)?])
    }
}
