//! The numbers after the header.

use super::header::{Element, Encoding, Header, Kind, Property};
use crate::error::{Error, Place, Result};
use crate::format::text::cut;

/// Numbers, one after the other.
pub(super) struct Values<'a> {
    bytes: &'a [u8],
    at: usize,
    encoding: Encoding,
    /// Where the rows begin, and the lines before them.
    start: (usize, usize),
    /// So many vertices there are, once they are known.
    vertices: Option<usize>,
}

impl<'a> Values<'a> {
    pub fn new(bytes: &'a [u8], header: &Header) -> Self {
        let start = (header.end, header.lines);
        Self { bytes, at: header.end, encoding: header.encoding, start, vertices: None }
    }

    pub fn set_vertices(&mut self, count: usize) {
        self.vertices = Some(count);
    }

    /// Where the next number is.
    pub fn place(&self) -> usize {
        self.at
    }

    /// So many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// An error at a place.
    pub fn error(&self, at: usize, what: String) -> Error {
        let place = match self.encoding {
            Encoding::Text => {
                // White space before a number belongs to the lines before it.
                let rest = &self.bytes[at..];
                let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let read = &self.bytes[self.start.0..at + blank];
                let lines = read.iter().filter(|byte| **byte == b'\n').count();
                Place::Line((self.start.1 + lines + 1) as u64)
            }
            _ => Place::Byte(at as u64),
        };
        Error::malformed(what).with_place(place)
    }

    /// Whether the file can hold so many rows.
    pub fn check_room(&self, element: &Element) -> Result<()> {
        let least = element.properties.iter().map(|own| own.least_size(self.encoding));
        // The last number may end with the file.
        let room = (self.left() + 1) / least.sum::<usize>().max(1);
        if element.properties.is_empty() && element.count > 0 || element.count > room {
            let what =
                format!("{}: need {} rows, got room for {room}", element.name, element.count);
            return Err(self.error(self.at, what));
        }
        Ok(())
    }

    fn word(&mut self) -> Result<&'a str> {
        let bytes = self.bytes;
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let start = self.at;
        while bytes.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        let word = &bytes[start..self.at];
        match std::str::from_utf8(word) {
            Ok(word) if !word.is_empty() => Ok(word),
            _ => {
                let got = cut(&String::from_utf8_lossy(word));
                Err(self.error(start, format!("number: need one, got '{got}'")))
            }
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let found = self.bytes[self.at..].first_chunk::<N>().copied();
        let Some(mut found) = found else {
            let what = format!("number: need {N} bytes, got {}", self.left());
            return Err(self.error(self.at, what));
        };
        self.at += N;
        if self.encoding == Encoding::Big {
            found.reverse();
        }
        Ok(found)
    }

    pub fn real(&mut self, kind: Kind) -> Result<f64> {
        if self.encoding == Encoding::Text {
            let start = self.at;
            let word = self.word()?;
            // As much of it as the file's kind holds.
            let value = match kind {
                Kind::F32 => word.parse::<f32>().map(f64::from),
                _ => word.parse::<f64>(),
            };
            let wrong = |_| self.error(start, format!("number: need one, got '{}'", cut(word)));
            return value.map_err(wrong);
        }
        Ok(match kind {
            Kind::I8 => f64::from(self.take::<1>()?[0] as i8),
            Kind::U8 => f64::from(self.take::<1>()?[0]),
            Kind::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Kind::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Kind::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Kind::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Kind::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Kind::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    /// How many items follow, as many as the file has room for.
    pub fn count(&mut self, kind: Kind, item: Kind) -> Result<usize> {
        let start = self.at;
        let count = self.real(kind)?;
        let least = if self.encoding == Encoding::Text { 2 } else { item.size() };
        let room = (self.left() + 1) / least;
        if !(0.0..=room as f64).contains(&count) || count.fract() != 0.0 {
            let what = format!("list: need a count of at most {room}, got {count}");
            return Err(self.error(start, what));
        }
        Ok(count as usize)
    }

    /// The index of a vertex.
    pub fn index(&mut self, kind: Kind, face: usize) -> Result<u32> {
        let start = self.at;
        let index = self.real(kind)?;
        let most = self.vertices.unwrap_or(u32::MAX as usize);
        if index.fract() != 0.0 || !(0.0..most as f64).contains(&index) {
            let last = most.saturating_sub(1);
            let what = format!("face {}: need vertices 0 to {last}, got {index}", face + 1);
            return Err(self.error(start, what));
        }
        Ok(index as u32)
    }

    pub fn skip(&mut self, property: &Property) -> Result<()> {
        match *property {
            Property::Scalar { kind, .. } => self.real(kind).map(drop),
            Property::List { count, item, .. } => {
                for _ in 0..self.count(count, item)? {
                    self.real(item)?;
                }
                Ok(())
            }
        }
    }
}
