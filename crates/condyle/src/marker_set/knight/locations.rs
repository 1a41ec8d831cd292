//! Where on a segment a marker sits.

use std::fmt;

/// Where on its segment a marker sits, as far as it is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Location {
    words: Vec<&'static str>,
}

/// The three directions; in each `mid` is possible too.
const DIRECTIONS: [[&str; 2]; 3] =
    [["anterior", "posterior"], ["left", "right"], ["top", "bottom"]];
const MID: &str = "mid";

impl Location {
    /// Reads words in any order: at most one of each direction, `mid` for any of them.
    ///
    /// # Errors
    /// What is wrong with the words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut is_said = [false; 3];
        for word in text.split_whitespace() {
            let lower = word.to_ascii_lowercase();
            let found = DIRECTIONS.iter().enumerate().find_map(|(index, pair)| {
                pair.iter().find(|known| **known == lower).map(|known| (index, *known))
            });
            match found {
                Some((index, known)) if !std::mem::replace(&mut is_said[index], true) => {
                    words.push(known);
                }
                None if lower == MID => words.push(MID),
                Some((_, known)) => return Err(format!("'{known}' contradicts a word before it")),
                None => {
                    return Err(format!(
                        "need anterior, posterior, left, right, top, bottom or mid, got '{word}'"
                    ));
                }
            }
        }
        if words.len() > DIRECTIONS.len() {
            return Err(format!("need at most 3 words, got {}", words.len()));
        }
        Ok(Self { words })
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::marker_set_file::{TABLE_1, Wand};
    use super::*;
    use crate::marker_set::body::Place;
    use crate::marker_set::label::normal;
    use crate::marker_set::sets::knight;
    use crate::marker_set::table::Claim;

    #[test]
    fn words_come_in_any_order_but_do_not_contradict_each_other() {
        assert_eq!(Location::parse("right mid top").unwrap().to_string(), "right mid top");
        assert_eq!(Location::parse("mid mid mid").unwrap().to_string(), "mid mid mid");
        assert!(Location::parse("").unwrap().is_empty());
        assert!(Location::parse("left right").unwrap_err().contains("contradicts"));
        assert!(Location::parse("mid left top mid").unwrap_err().contains("at most 3"));
        assert!(Location::parse("upper").unwrap_err().contains("got 'upper'"));
    }

    #[test]
    fn the_table_has_51_different_markers_and_reads_as_the_set_of_its_name_does() {
        let names: std::collections::HashSet<&str> =
            TABLE_1.wands.iter().map(|wand| wand.name.as_str()).collect();
        assert_eq!((names.len(), TABLE_1.declared), (51, 51));
        for Wand { name, segment, location, .. } in &TABLE_1.wands {
            assert!(!location.is_empty(), "{name}");
            let place = Place::called(segment).unwrap();
            match knight().claim(&normal(name)) {
                Some(Claim::On(on, Some(_))) => assert_eq!(on, place, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
