//! Meshes as text.

use std::io::Write;

use super::check::{self, Places};
use super::keyword::{ALL, Keyword};
use super::{Mesh, Rows, neighbours};
use crate::error::{Error, Result};
use crate::format::text::write_number;
use crate::note::Note;

/// What files begin with.
const FIRST: &[u8] = b"MeshVersionFormatted";
/// Fields of other names that are named in a note.
const NAMED: usize = 8;

/// The words of a file between white space and comments.
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    pub fn from(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    #[inline]
    pub fn next(&mut self) -> Option<&'a [u8]> {
        let bytes = self.bytes;
        let mut at = self.at;
        loop {
            match bytes.get(at)? {
                b'#' => at += bytes[at..].iter().position(|b| *b == b'\n')?,
                byte if byte.is_ascii_whitespace() => at += 1,
                _ => break,
            }
        }
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() && bytes[at] != b'#' {
            at += 1;
        }
        self.at = at;
        Some(&bytes[start..at])
    }

    fn peek(&self) -> Option<&'a [u8]> {
        Words::from(self.bytes, self.at).next()
    }

    /// The line of the word that was read last, from 1.
    pub fn line(&self) -> usize {
        1 + self.bytes[..self.at].iter().filter(|b| **b == b'\n').count()
    }

    fn wrong(&self, what: &str, got: Option<&[u8]>) -> Error {
        let got = got.map_or("the end of the file".to_owned(), |word| {
            format!("'{}'", crate::format::text::cut(&String::from_utf8_lossy(word)))
        });
        Error::at_line(self.line(), format!("{what}, got {got}"))
    }

    #[inline]
    fn real(&mut self, is_single: bool) -> Result<f64> {
        let word = self.next();
        let text = word.and_then(|word| std::str::from_utf8(word).ok());
        let value = text.and_then(|text| match is_single {
            true => text.parse::<f32>().ok().map(f64::from),
            false => text.parse::<f64>().ok(),
        });
        value
            .filter(|value| value.is_finite())
            .ok_or_else(|| self.wrong("number: need a finite one", word))
    }

    #[inline]
    fn integer(&mut self) -> Result<i32> {
        let word = self.next();
        let value = word.and_then(integer);
        value.ok_or_else(|| self.wrong("number: need a whole one of 32 bits", word))
    }

    /// A count of rows that the rest of the file has room for: a number and a space for every column.
    fn count(&mut self, keyword: &str, columns: usize) -> Result<usize> {
        let word = self.next();
        let text = word.and_then(|word| std::str::from_utf8(word).ok());
        let count = text.and_then(|text| text.parse::<u64>().ok());
        let count = count.ok_or_else(|| self.wrong(&format!("{keyword}: need a count"), word))?;
        let room = (self.bytes.len() - self.at) as u64 / (2 * columns.max(1) as u64);
        if count > room {
            let what = format!("{keyword}: need {count} rows, got room for at most {room}");
            return Err(Error::at_line(self.line(), what));
        }
        Ok(count as usize)
    }
}

/// A whole number; the standard library's way takes three times as long.
#[inline]
fn integer(word: &[u8]) -> Option<i32> {
    let (is_negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let mut value = 0i64;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    i32::try_from(if is_negative { -value } else { value }).ok()
}

pub(super) fn is_mesh(head: &[u8]) -> bool {
    Words::from(head, 0).next() == Some(FIRST)
}

pub(super) fn read(bytes: &[u8]) -> Result<(Mesh, Vec<Note>)> {
    let mut words = Words::from(bytes, 0);
    let first = words.next();
    if first != Some(FIRST) {
        return Err(words.wrong("mesh: need MeshVersionFormatted", first));
    }
    let version = words.integer()?;
    if !(1..=3).contains(&version) {
        let what = format!("version: need 1, 2 or 3, got {version}");
        return Err(Error::at_line(words.line(), what));
    }
    let (mut mesh, mut notes, mut starts) = (Mesh::default(), Vec::new(), Vec::new());
    let mut unknown: Vec<String> = Vec::new();
    let mut has_dimension = false;
    while let Some(word) = words.next() {
        if word == b"End" {
            break;
        }
        if word == b"Dimension" {
            let dimension = words.integer()?;
            if dimension != 3 {
                let what = format!("dimension: need 3, got {dimension}");
                return Err(Error::at_line(words.line(), what));
            }
            has_dimension = true;
            continue;
        }
        let Some(keyword) = Keyword::from_name(word) else {
            if integer(word).is_some() || std::str::from_utf8(word).is_ok_and(is_number) {
                return Err(words.wrong("field: need its name", Some(word)));
            }
            unknown.push(crate::format::text::cut(&String::from_utf8_lossy(word)));
            while words.peek().is_some_and(|next| std::str::from_utf8(next).is_ok_and(is_number)) {
                words.next();
            }
            continue;
        };
        if !has_dimension && keyword == Keyword::Vertices {
            let what = "mesh: need Dimension before Vertices, got none";
            return Err(Error::at_line(words.line(), what));
        }
        if mesh.fields.contains_key(&keyword) {
            let what = format!("{}: need it once, got it twice", keyword.name());
            return Err(Error::at_line(words.line(), what));
        }
        let rows = field(&mut words, keyword, version == 1, &mut starts)?;
        mesh.fields.insert(keyword, rows);
    }
    if !unknown.is_empty() {
        let named = unknown.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let text = format!("{} fields of other names were skipped: {named}", unknown.len());
        notes.push(Note::new("mesh-fields-skipped", text));
    }
    let places = Places::Lines { bytes, starts: &starts };
    check::check(&mut mesh, &places)?;
    neighbours::check(&mut mesh, &places, &mut notes)?;
    Ok((mesh, notes))
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

fn field(
    words: &mut Words,
    keyword: Keyword,
    is_single: bool,
    starts: &mut Vec<(Keyword, usize, usize)>,
) -> Result<Rows> {
    let integers = keyword.integers().len();
    let mut reals = keyword.reals();
    let count = words.count(keyword.name(), reals + integers)?;
    if keyword == Keyword::Colors {
        let components = words.integer()?;
        if components != 3 && components != 4 {
            let what = format!("Colors: need 3 or 4 components, got {components}");
            return Err(Error::at_line(words.line(), what));
        }
        reals = components as usize;
    }
    starts.push((keyword, words.at, reals + integers));
    let mut rows = Rows {
        reals: Vec::with_capacity(count * reals),
        integers: Vec::with_capacity(count * integers),
        count,
    };
    for _ in 0..count {
        for _ in 0..reals {
            rows.reals.push(words.real(is_single)?);
        }
        for _ in 0..integers {
            rows.integers.push(words.integer()?);
        }
    }
    Ok(rows)
}

pub(super) fn write(mesh: &Mesh, out: &mut impl Write) -> Result<()> {
    let is_single = mesh.is_single();
    let version = if is_single { 1 } else { 2 };
    let mut text = format!("MeshVersionFormatted {version}\nDimension 3\n");
    for keyword in ALL {
        let Some(rows) = mesh.fields.get(&keyword) else { continue };
        let reals = rows.reals.len().checked_div(rows.count).unwrap_or(keyword.reals());
        let integers = keyword.integers().len();
        text.push_str(&format!("\n{}\n{}", keyword.name(), rows.count));
        if keyword == Keyword::Colors {
            text.push_str(&format!(" {reals}"));
        }
        if keyword == Keyword::NeighborAtTetrahedronFaces {
            text.push_str("\n# Face f is opposite vertex f.");
        }
        if keyword == Keyword::NeighborAtTriangleEdges {
            text.push_str("\n# Edge f is opposite vertex f.");
        }
        text.push('\n');
        for row in 0..rows.count {
            for real in &rows.reals[row * reals..(row + 1) * reals] {
                match is_single {
                    // Nine digits at most say which of the numbers of single precision it is.
                    true => push_single(&mut text, *real as f32),
                    false => write_number(&mut text, *real),
                }
                text.push(' ');
            }
            for integer in &rows.integers[row * integers..(row + 1) * integers] {
                push_integer(&mut text, *integer);
                text.push(' ');
            }
            text.pop();
            text.push('\n');
            if text.len() > 1 << 16 {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
        }
    }
    text.push_str("\nEnd\n");
    Ok(out.write_all(text.as_bytes())?)
}

fn push_single(text: &mut String, value: f32) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format(value);
    text.push_str(digits.strip_suffix(".0").unwrap_or(digits));
}

fn push_integer(text: &mut String, value: i32) {
    let mut digits = [0u8; 11];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        text.push('-');
    }
    text.push_str(std::str::from_utf8(&digits[at..]).unwrap_or_default());
}
