//! The marker-set file: the segment of every marker of a standard set, and where on it.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::count;
use super::locations::Location;
use crate::error::{Error, Result};

/// A standard set of markers.
///
/// ```text
/// 51 WANDS
///
/// WAND RFHD
/// SEGMENT Head
/// LENGTH 0.0
/// anterior right top
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerSetFile {
    /// How many markers the first line promises.
    pub declared: usize,
    /// The markers, in file order.
    pub wands: Vec<Wand>,
}

/// A marker of a standard set; it may stand off the body on a stick.
#[derive(Debug, Clone, PartialEq)]
pub struct Wand {
    /// The standard name.
    pub name: String,
    /// The segment it is on; it may contain blanks.
    pub segment: String,
    /// The length of the stick, in the figure's unit; zero for a marker on the skin.
    pub length: f64,
    /// Where on the segment.
    pub location: Location,
}

/// Table 1 of Knight (2008), p. 88, in its order.
pub(super) static TABLE_1: LazyLock<MarkerSetFile> =
    LazyLock::new(|| match MarkerSetFile::parse(include_str!("vicon512.txt")) {
        Ok(table) => table,
        Err(error) => unreachable!("the tests read it: {error}"),
    });

impl MarkerSetFile {
    /// Table 1: the 51 markers that Knight's files use.
    pub fn table_1() -> Self {
        TABLE_1.clone()
    }

    /// Reads a marker set.
    ///
    /// # Errors
    /// A line that is not as the format wants it, with its number; a marker without a segment, or
    /// one that is there twice.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = count::lines(text);
        let declared = count::first(&mut lines)?;
        let mut wands: Vec<Wand> = Vec::new();
        let mut names = std::collections::HashSet::new();
        let mut started_at = 0;
        for (number, line) in lines {
            let at = |what: String| Error::at_line(number, what);
            if let Some(name) = count::after(line, "WAND") {
                check(wands.last(), started_at)?;
                if name.is_empty() || name.contains(char::is_whitespace) {
                    return Err(at(format!("WAND: need a name in one word, got '{name}'")));
                }
                if !names.insert(name) {
                    return Err(at(format!("WAND {name}: need every name once, got it twice")));
                }
                let (segment, location) = (String::new(), Location::default());
                wands.push(Wand { name: name.to_owned(), segment, length: 0.0, location });
                started_at = number;
                continue;
            }
            let Some(wand) = wands.last_mut() else {
                return Err(at(format!("need WAND and a name, got '{line}'")));
            };
            if let Some(segment) = count::after(line, "SEGMENT") {
                segment.clone_into(&mut wand.segment);
            } else if let Some(length) = count::after(line, "LENGTH") {
                let length = length.parse::<f64>().ok().filter(|length| length.is_finite());
                wand.length =
                    length.ok_or_else(|| at(format!("LENGTH: need a number, got '{line}'")))?;
            } else {
                wand.location = Location::parse(line).map_err(|what| {
                    at(format!("need WAND, SEGMENT, LENGTH or a location: {what}"))
                })?;
            }
        }
        check(wands.last(), started_at)?;
        Ok(Self { declared, wands })
    }

    /// The marker with a standard name, letter case ignored.
    pub fn wand(&self, name: &str) -> Option<&Wand> {
        self.wands.iter().find(|wand| wand.name.eq_ignore_ascii_case(name))
    }

    /// All markers by their names, each in the form that `form` gives it.
    pub(super) fn by_name(&self, form: impl Fn(&str) -> String) -> HashMap<String, &Wand> {
        self.wands.iter().rev().map(|wand| (form(&wand.name), wand)).collect()
    }
}

/// A marker whose description has ended must have a segment.
fn check(wand: Option<&Wand>, line: usize) -> Result<()> {
    match wand.filter(|wand| wand.segment.is_empty()) {
        None => Ok(()),
        Some(wand) => {
            let what = format!("WAND {}: need SEGMENT and a name, got none", wand.name);
            Err(Error::at_line(line, what))
        }
    }
}

/// A text with what would end its line, or make it start elsewhere, as single blanks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for MarkerSetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} WANDS", self.declared)?;
        for wand in &self.wands {
            writeln!(f, "\nWAND {}", one_line(&wand.name))?;
            writeln!(f, "SEGMENT {}", one_line(&wand.segment))?;
            writeln!(f, "LENGTH {:?}", wand.length)?;
            if !wand.location.is_empty() {
                writeln!(f, "{}", wand.location)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_2005_parses() {
        let text = "51 WANDS\n\nWAND RFHD\nSEGMENT Head\nLENGTH 0.0\nanterior right top\n\n\
                    WAND LFHD\nSEGMENT Head\nLENGTH 0.0  \nanterior left top  \n  \nWAND RSHO  \n\
                    SEGMENT Chest  \nLENGTH 0.0  \nright mid top  \n...\n";
        let set = MarkerSetFile::parse(text).unwrap();
        assert_eq!((set.declared, set.wands.len()), (51, 3));
        let wand = set.wand("rsho").unwrap();
        assert_eq!((wand.segment.as_str(), wand.length), ("Chest", 0.0));
        assert_eq!(wand.location.to_string(), "right mid top");
    }

    #[test]
    fn table_1_is_written_with_51_wands_and_read_back() {
        let table = MarkerSetFile::table_1();
        let text = table.to_string();
        assert!(
            text.starts_with(
                "51 WANDS\n\nWAND RFHD\nSEGMENT Head\nLENGTH 0.0\nanterior right top\n"
            )
        );
        assert_eq!(MarkerSetFile::parse(&text).unwrap(), table);
        assert_eq!(table.wands.len(), table.declared);
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, expected) in [
            ("1 WANDS\nSEGMENT Head", "line 2: need WAND and a name, got 'SEGMENT Head'"),
            ("1 WANDS\nWAND A B", "line 2: WAND: need a name in one word, got 'A B'"),
            ("1 WANDS\nWAND A\nLENGTH 1", "line 2: WAND A: need SEGMENT and a name, got none"),
            (
                "1 WANDS\nWAND A\nSEGMENT x\nLENGTH one",
                "line 4: LENGTH: need a number, got 'LENGTH one'",
            ),
            (
                "1 WANDS\nWAND A\nSEGMENT x\nnowhere",
                "line 4: need WAND, SEGMENT, LENGTH or a location",
            ),
            ("2 WANDS\nWAND A\nSEGMENT x\nWAND A", "line 4: WAND A: need every name once"),
        ] {
            let error = MarkerSetFile::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    proptest! {
        #[test]
        fn write_then_read_is_the_identity(
            declared in 0_usize..100,
            wands in prop::collection::btree_map(
                "[A-Z][A-Za-z0-9]{0,6}",
                ("[A-Z][a-z]{1,5}( [A-Z][a-z]{1,5})?", -1.0e3..1.0e3, 0_usize..51),
                0..9,
            ),
        ) {
            let wand = |(name, (segment, length, row)): (String, (String, f64, usize))| {
                Wand { name, segment, length, location: TABLE_1.wands[row].location.clone() }
            };
            let set = MarkerSetFile { declared, wands: wands.into_iter().map(wand).collect() };
            prop_assert_eq!(MarkerSetFile::parse(&set.to_string()).unwrap(), set);
        }

        #[test]
        fn no_text_is_too_much(text in "(.|\n|WAND |SEGMENT |LENGTH |mid |left |1){0,80}") {
            let _ = MarkerSetFile::parse(&text);
            let _ = MarkerSetFile::parse(&format!("3 WANDS\n{text}"));
        }
    }
}
