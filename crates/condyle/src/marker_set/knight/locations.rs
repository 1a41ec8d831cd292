//! Where on a segment a marker sits, and the 51 markers of Knight's Table 1.

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

/// Table 1 of Knight (2008), p. 88, in its order: name, segment, location.
pub const TABLE_1: [(&str, &str, &str); 51] = [
    ("RFHD", "Head", "anterior right top"),
    ("LFHD", "Head", "anterior left top"),
    ("RSHO", "Chest", "mid right top"),
    ("RFTShould", "Chest", "anterior right top"),
    ("RRRShould", "Chest", "posterior right top"),
    ("LSHO", "Chest", "mid left top"),
    ("LFTShould", "Chest", "anterior left top"),
    ("LRRShould", "Chest", "posterior left top"),
    ("CLAV", "Chest", "anterior mid top"),
    ("RUPA", "Upper Right Arm", "mid right"),
    ("LUPA", "Upper Left Arm", "mid left"),
    ("RELB", "Upper Right Arm", "mid right bottom"),
    ("LELB", "Upper Left Arm", "mid left bottom"),
    ("RARM", "Lower Right Arm", "mid right"),
    ("LARM", "Lower Left Arm", "mid left"),
    ("RWRB", "Lower Right Arm", "posterior right top"),
    ("RWRA", "Lower Right Arm", "anterior right bottom"),
    ("LWRB", "Lower Left Arm", "posterior left top"),
    ("LWRA", "Lower Left Arm", "anterior left bottom"),
    ("RFIN", "Right Hand", "mid right anterior"),
    ("LFIN", "Left Hand", "mid left posterior"),
    ("STRN", "Chest", "anterior mid bottom"),
    ("RTHI", "Upper Right Leg", "mid right top"),
    ("RGTR", "Upper Right Leg", "mid right top"),
    ("LTHI", "Upper Left Leg", "mid left"),
    ("LGTR", "Upper Left Leg", "mid left top"),
    ("RKNE", "Upper Right Leg", "mid right bottom"),
    ("LKNE", "Upper Left Leg", "mid left bottom"),
    ("RLEG", "Lower Right Leg", "mid right top"),
    ("RTIB", "Lower Right Leg", "mid right"),
    ("LLEG", "Lower Left Leg", "mid left"),
    ("LTIB", "Lower Left Leg", "mid left"),
    ("RANK", "Lower Right Leg", "mid right bottom"),
    ("LANK", "Lower Left Leg", "mid left bottom"),
    ("RMT5", "Right Foot", "anterior right top"),
    ("LMT5", "Left Foot", "anterior left top"),
    ("RTOE", "Right Foot", "anterior left top"),
    ("LTOE", "Left Foot", "anterior right top"),
    ("RHEE", "Right Foot", "posterior mid top"),
    ("LHEE", "Left Foot", "posterior mid top"),
    ("RBHD", "Head", "posterior mid right"),
    ("LBHD", "Head", "posterior mid left"),
    ("C7", "Chest", "posterior mid top"),
    ("R10", "Chest", "posterior right top"),
    ("RBAC", "Chest", "posterior right top"),
    ("T10", "Chest", "posterior mid"),
    ("RFWT", "Hips", "anterior right top"),
    ("LFWT", "Hips", "anterior left top"),
    ("RBWT", "Hips", "posterior mid top"),
    ("LBWT", "Hips", "posterior mid top"),
    ("RPelvis", "Hips", "posterior right mid"),
];

#[cfg(test)]
mod tests {
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
        let names: std::collections::HashSet<&str> = TABLE_1.iter().map(|row| row.0).collect();
        assert_eq!(names.len(), 51);
        for (name, segment, location) in TABLE_1 {
            Location::parse(location).unwrap();
            let place = Place::called(segment).unwrap();
            match knight().claim(&normal(name)) {
                Some(Claim::On(on, Some(_))) => assert_eq!(on, place, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
