//! TOML texts into data, or the line that is wrong in them and why.
//!
//! The crate toml parses; what it parsed is handed to serde here. Its own deserializer takes every value apart by what it
//! is, written out anew for each type that is read: a tenth of the module for browsers. This one asks for what is wanted.

use std::fmt;
use std::vec;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use crate::error::{Error, Result};

/// Reads a text.
///
/// # Errors
/// What was needed and what was found, at its line.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    data(text, parsed(text)?)
}

/// Data from the table that a text is.
///
/// # Errors
/// As for [`read`].
pub(crate) fn data<T: DeserializeOwned>(text: &str, table: Spanned<DeTable<'_>>) -> Result<T> {
    let root = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
    T::deserialize(Value(&root)).map_err(|refusal| refused(text, refusal.byte, &refusal.what))
}

/// The table that a text is, its values with their places.
///
/// # Errors
/// The text is no TOML: why, at its line.
pub(crate) fn parsed(text: &str) -> Result<Spanned<DeTable<'_>>> {
    DeTable::parse(text)
        .map_err(|error| refused(text, error.span().map(|span| span.start), error.message()))
}

fn refused(text: &str, byte: Option<usize>, what: &str) -> Error {
    let what = what.trim().replace('\n', "; ");
    match byte {
        Some(byte) => Error::at_line(line(text, byte), what),
        None => Error::malformed(what),
    }
}

/// The line of a byte, counted from 1.
pub(crate) fn line(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count()
}

/// A number, whether it has a fraction or not.
pub(crate) fn number(value: &DeValue) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(number) => Some(integer(number)? as f64),
        _ => None,
    }
}

fn integer(number: &DeInteger) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Why a value is refused, and where it begins.
#[derive(Debug)]
struct Refusal {
    what: String,
    byte: Option<usize>,
}

impl Refusal {
    /// The same at a place, unless it has one.
    fn at(mut self, byte: usize) -> Self {
        self.byte.get_or_insert(byte);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}

impl serde::de::Error for Refusal {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Self { what: what.to_string(), byte: None }
    }
}

/// A value with its place.
#[derive(Clone, Copy)]
struct Value<'a>(&'a Spanned<DeValue<'a>>);

impl<'a> Value<'a> {
    fn start(self) -> usize {
        self.0.span().start
    }

    /// Not what is wanted.
    fn refused(self, wanted: &dyn Expected) -> Refusal {
        let found = match self.0.get_ref() {
            DeValue::String(text) => Unexpected::Str(text),
            DeValue::Integer(number) => match integer(number) {
                Some(number) => Unexpected::Signed(number),
                None => Unexpected::Other("integer out of range"),
            },
            DeValue::Float(number) => {
                Unexpected::Float(number.as_str().parse().unwrap_or(f64::NAN))
            }
            DeValue::Boolean(value) => Unexpected::Bool(*value),
            DeValue::Datetime(_) => Unexpected::Other("date"),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
        };
        Refusal::invalid_type(found, wanted).at(self.start())
    }

    fn text(self) -> Option<&'a str> {
        self.0.get_ref().as_str()
    }

    fn items(self) -> Option<Items<'a>> {
        let values = self.0.get_ref().as_array()?;
        Some(Items(values.iter().map(Value).collect::<Vec<_>>().into_iter()))
    }

    fn entries(self) -> Option<Entries<'a>> {
        let entries = self.0.get_ref().as_table()?.iter().map(|(key, value)| (key, Value(value)));
        Some(Entries { entries: entries.collect::<Vec<_>>().into_iter(), value: None })
    }
}

/// Asks for a kind of value where that kind alone will do.
macro_rules! wanted {
    ($($method:ident)* => |$value:ident, $visitor:ident| $found:expr, $visit:expr) => {
        $(fn $method<V: Visitor<'de>>(self, $visitor: V) -> Outcome<V::Value> {
            let $value = self;
            let Some($value) = $found else { return Err(self.refused(&$visitor)) };
            $visit.map_err(|refusal: Refusal| refusal.at(self.start()))
        })*
    };
}

type Outcome<T> = std::result::Result<T, Refusal>;

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Outcome<V::Value> {
        match self.0.get_ref() {
            DeValue::String(_) => self.deserialize_str(visitor),
            DeValue::Integer(_) => self.deserialize_i64(visitor),
            DeValue::Float(_) => self.deserialize_f64(visitor),
            DeValue::Boolean(_) => self.deserialize_bool(visitor),
            DeValue::Array(_) => self.deserialize_seq(visitor),
            DeValue::Table(_) => self.deserialize_map(visitor),
            DeValue::Datetime(_) => Err(self.refused(&visitor)),
        }
    }

    wanted!(deserialize_str deserialize_string deserialize_char deserialize_identifier
        => |value, visitor| value.text(), visitor.visit_str(value));
    wanted!(deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        => |value, visitor| value.0.get_ref().as_integer().and_then(integer),
        visitor.visit_i64(value));
    wanted!(deserialize_f32 deserialize_f64
        => |value, visitor| number(value.0.get_ref()), visitor.visit_f64(value));
    wanted!(deserialize_bool
        => |value, visitor| value.0.get_ref().as_bool(), visitor.visit_bool(value));
    wanted!(deserialize_seq
        => |value, visitor| value.items(), visitor.visit_seq(value));
    wanted!(deserialize_map
        => |value, visitor| value.entries(), visitor.visit_map(value));

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Outcome<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        match is_spanned(name) {
            true => visitor.visit_map(SpannedDeserializer::new(self, self.0.span())),
            false => self.deserialize_map(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Outcome<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Outcome<V::Value> {
        let Some(name) = self.text() else { return Err(self.refused(&visitor)) };
        let name: StrDeserializer<Refusal> = name.into_deserializer();
        visitor.visit_enum(name).map_err(|refusal| refusal.at(self.start()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Outcome<V::Value> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { bytes byte_buf unit unit_struct tuple_struct }
}

impl<'a> IntoDeserializer<'a, Refusal> for Value<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The values of an array.
struct Items<'a>(vec::IntoIter<Value<'a>>);

impl<'a> SeqAccess<'a> for Items<'a> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Outcome<Option<T::Value>> {
        let Some(value) = self.0.next() else { return Ok(None) };
        seed.deserialize(value).map(Some).map_err(|refusal| refusal.at(value.start()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The keys and values of a table.
struct Entries<'a> {
    entries: vec::IntoIter<(&'a Spanned<DeString<'a>>, Value<'a>)>,
    value: Option<Value<'a>>,
}

impl<'a> MapAccess<'a> for Entries<'a> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Outcome<Option<K::Value>> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        let name: StrDeserializer<Refusal> = key.get_ref().as_ref().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|refusal| refusal.at(key.span().start))
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Outcome<V::Value> {
        let value = self.value.take().ok_or_else(|| Refusal::custom("a value before its key"))?;
        seed.deserialize(value).map_err(|refusal| refusal.at(value.start()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Amount {
        Number(f64),
        Text(String),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Part {
        name: Spanned<String>,
        #[serde(default)]
        count: u32,
        at: Option<[f64; 3]>,
        sd: Option<Spanned<Amount>>,
        #[serde(default)]
        pairs: Vec<(String, bool)>,
        #[serde(default)]
        others: BTreeMap<String, f64>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct File {
        part: Vec<Part>,
    }

    fn refused(text: &str) -> String {
        read::<File>(text).unwrap_err().to_string()
    }

    #[test]
    fn texts_are_read_as_the_crates_own_deserializer_reads_them() {
        let text = "note = 1\n[[part]]\nname = \"a\"\ncount = 0x10\nat = [1, 2.5, -3e-1]\nsd = 4\n\
                    pairs = [[\"x\", true], [\"y\", false]]\n\
                    [[part]]\nname = 'b'\nsd = \"30 k\"\nothers = { u = 1, v = inf }\n";
        let ours: File = read(text).unwrap();
        assert_eq!(ours, toml::from_str(text).unwrap());
        assert_eq!(&text[ours.part[0].name.span()], "\"a\"");
        let sd = ours.part[1].sd.as_ref().unwrap();
        assert_eq!((sd.get_ref(), &text[sd.span()]), (&Amount::Text("30 k".into()), "\"30 k\""));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let is_at = |text: &str, line: usize, what: &str| {
            let message = refused(text);
            let ours = message.contains(&format!("line {line}")) && message.contains(what);
            assert!(ours, "{message}");
            let theirs = toml::from_str::<File>(text).unwrap_err();
            assert_eq!(line, super::line(text, theirs.span().unwrap().start), "{theirs}");
        };
        is_at("[[part]]\nname = 3\n", 2, "integer `3`, expected a string");
        is_at("[[part]]\nname = \"a\"\n\ncount = -1\n", 4, "integer `-1`, expected u32");
        is_at("[[part]]\nname = \"a\"\nat = [1, \"2\", 3]\n", 3, "expected f64");
        is_at("[[part]]\nname = \"a\"\nat = [1, 2]\n", 3, "length 2");
        is_at("[[part]]\nname = \"a\"\nsize = 2\n", 3, "unknown field `size`");
        is_at("\n[[part]]\ncount = 2\n", 2, "missing field `name`");
        is_at("\nnot toml", 2, "");
    }
}
