//! What a PLY file says of itself.

use crate::error::{Error, Result};
use crate::format::text::cut;

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

impl Encoding {
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "ascii",
            Self::Little => "binary_little_endian",
            Self::Big => "binary_big_endian",
        }
    }
}

/// The kind of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub fn is_whole(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A column of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Property {
    Scalar { name: String, kind: Kind },
    List { name: String, count: Kind, item: Kind },
}

impl Property {
    pub fn name(&self) -> &str {
        match self {
            Self::Scalar { name, .. } | Self::List { name, .. } => name,
        }
    }

    /// So many bytes at least.
    pub fn least_size(&self, encoding: Encoding) -> usize {
        match (encoding, self) {
            // A digit and a space.
            (Encoding::Text, _) => 2,
            (_, Self::Scalar { kind, .. }) => kind.size(),
            (_, Self::List { count, .. }) => count.size(),
        }
    }
}

/// A kind of row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

/// The header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Where the rows begin, and on which line.
    pub end: usize,
    pub lines: usize,
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut header = Self { encoding: Encoding::Text, elements: Vec::new(), end: 0, lines: 0 };
        let mut has_format = false;
        loop {
            let rest = &bytes[header.end..];
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                let what = "header: need end_header, got the end of the file";
                return Err(Error::at_line(header.lines + 1, what));
            };
            header.end += length + 1;
            header.lines += 1;
            let line = String::from_utf8_lossy(&rest[..length]);
            let wrong =
                |need: &str| Error::at_line(header.lines, format!("{need}, got '{}'", cut(&line)));
            let words: Vec<&str> = line.split_whitespace().collect();
            if header.lines == 1 {
                if words != ["ply"] {
                    return Err(wrong("header: need ply"));
                }
                continue;
            }
            match words[..] {
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, _] => {
                    let known = [Encoding::Text, Encoding::Little, Encoding::Big];
                    let found = known.into_iter().find(|encoding| encoding.name() == name);
                    header.encoding = found.ok_or_else(|| wrong("format: need ascii or binary"))?;
                    has_format = true;
                }
                ["element", name, count] => {
                    let count = count.parse().map_err(|_| wrong("element: need a count"))?;
                    if header.elements.iter().any(|own| own.name == name) {
                        return Err(wrong("element: need it once"));
                    }
                    let name = name.to_owned();
                    header.elements.push(Element { name, count, properties: Vec::new() });
                }
                ["property", ref words @ ..] => {
                    let kind = |name: &str| Kind::from_name(name);
                    let property = match *words {
                        ["list", count, item, name] => {
                            let count = kind(count).filter(|count| count.is_whole());
                            count.zip(kind(item)).map(|(count, item)| Property::List {
                                name: name.to_owned(),
                                count,
                                item,
                            })
                        }
                        [of, name] => {
                            kind(of).map(|kind| Property::Scalar { name: name.to_owned(), kind })
                        }
                        _ => None,
                    };
                    let property = property.ok_or_else(|| wrong("property: need kind and name"))?;
                    let element = header.elements.last_mut();
                    let element = element.ok_or_else(|| wrong("property: need an element"))?;
                    element.properties.push(property);
                }
                ["end_header"] if has_format => return Ok(header),
                ["end_header"] => return Err(wrong("header: need a format")),
                _ => return Err(wrong("header: need a word of it")),
            }
        }
    }
}
