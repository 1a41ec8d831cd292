//! The association ("correlation") file: label of the recording = name of the standard set.

use std::fmt;

use super::marker_set_file::{TABLE_1, Wand};
use super::{count, marker_set_file};
use crate::error::{Error, Result};
use crate::marker_set::label;
use crate::marker_set::sets::knight;
use crate::trial::Trial;

/// Which marker of a recording is which marker of a standard set.
///
/// ```text
/// 46 WANDS
/// MARKERSET vicon512.txt
///
/// JOE:LSHN = LLEG Left shin
/// JOE:Root = unknown
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Association {
    /// How many markers the first line promises.
    pub declared: usize,
    /// The file that holds the standard set.
    pub marker_set: String,
    /// The markers, in file order.
    pub pairs: Vec<Pair>,
}

/// One line of an association.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The line it stands in, counted from 1; zero if it was not read.
    pub line: usize,
    /// The label in the recording.
    pub label: String,
    /// The name in the standard set; one that the set does not have leaves the marker out.
    pub standard: String,
    /// Free text.
    pub description: String,
}

/// The standard name that leaves a marker out.
const UNKNOWN: &str = "unknown";

/// What Knight calls the file of Table 1.
pub(in crate::marker_set) const TABLE_1_FILE: &str = "vicon512.txt";

impl Association {
    /// Reads an association.
    ///
    /// Labels may contain blanks, which the program that the format comes from does not allow.
    ///
    /// # Errors
    /// A line that is not as the format wants it, with its number.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = count::lines(text);
        let declared = count::first(&mut lines)?;
        let (number, line) = lines.next().unwrap_or((text.lines().count().max(1), ""));
        let marker_set = count::after(line, "MARKERSET").filter(|name| !name.is_empty());
        let marker_set = marker_set.ok_or_else(|| {
            Error::at_line(number, format!("need MARKERSET and a file name, got '{line}'"))
        })?;
        let pairs = lines.map(|(number, line)| pair(number, line)).collect::<Result<_>>()?;
        Ok(Self { declared, marker_set: marker_set.to_owned(), pairs })
    }

    /// A template from the labels of a recording ("Save Temp Correlation"): standard names where
    /// labels are alike, `unknown` elsewhere. Markers without a name are left out.
    pub fn template(trial: &Trial) -> Self {
        let pairs: Vec<Pair> = trial
            .markers
            .iter()
            .filter(|marker| !marker.is_unlabelled() && !label::split(&marker.label).1.is_empty())
            .map(|marker| {
                let standard = standard(&marker.label);
                Pair {
                    line: 0,
                    label: marker.label.clone(),
                    standard: standard.map_or(UNKNOWN, |wand| &wand.name).to_owned(),
                    description: standard.map_or(String::new(), |wand| wand.segment.clone()),
                }
            })
            .collect();
        Self { declared: pairs.len(), marker_set: TABLE_1_FILE.to_owned(), pairs }
    }

    /// How many of its markers are in Table 1.
    pub fn known(&self) -> usize {
        let is_known = |pair: &&Pair| TABLE_1.wands.iter().any(|wand| wand.name == pair.standard);
        self.pairs.iter().filter(is_known).count()
    }
}

/// The marker of Table 1 that a label means: `LLEG` of `JOE:LSHN`.
fn standard(label: &str) -> Option<&'static Wand> {
    TABLE_1.wand(&knight().first_spelling(&label::normal(label::split(label).1))?)
}

fn pair(number: usize, line: &str) -> Result<Pair> {
    let wrong = || {
        let needed = "need a label, =, and the name of a standard marker, as in 'JOE:RTHI = RTHI'";
        Error::at_line(number, format!("{needed}, got '{line}'"))
    };
    let (label, rest) = line.split_once('=').ok_or_else(wrong)?;
    let (label, rest) = (label.trim(), rest.trim());
    let (standard, description) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if label.is_empty() || standard.is_empty() {
        return Err(wrong());
    }
    Ok(Pair {
        line: number,
        label: label.to_owned(),
        standard: standard.to_owned(),
        description: description.trim().to_owned(),
    })
}

impl fmt::Display for Association {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} WANDS", self.declared)?;
        writeln!(f, "MARKERSET {}\n", marker_set_file::one_line(&self.marker_set))?;
        for pair in &self.pairs {
            let line = format!("{} = {} {}", pair.label, pair.standard, pair.description);
            writeln!(f, "{}", marker_set_file::one_line(&line))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker_set::made_up::trial;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_2008_parses() {
        let text = "46 WANDS\n\nMARKERSET vicon512.txt\n\nTestSubjectProdMS-V2:Root = unknown\n\
                    TestSubjectProdMS-V2:LFWT = LFWT\nTestSubjectProdMS-V2:LSHN = LLEG\n...\n";
        let association = Association::parse(text).unwrap();
        assert_eq!(association.declared, 46);
        assert_eq!(association.marker_set, "vicon512.txt");
        assert_eq!(association.pairs.len(), 3);
        assert_eq!(association.pairs[2].label, "TestSubjectProdMS-V2:LSHN");
        assert_eq!(
            (association.pairs[2].standard.as_str(), association.pairs[2].line),
            ("LLEG", 7)
        );
    }

    #[test]
    fn the_example_of_2005_parses() {
        let text = "42 WANDS\nMARKERSET vicon512.txt\n\nJOE::LBWT = LBWT Left back waist\n\
                    JOE::RFRM = RARM Right forearm\n...";
        let association = Association::parse(text).unwrap();
        assert_eq!((association.declared, association.pairs.len()), (42, 2));
        assert_eq!(association.pairs[1].description, "Right forearm");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, expected) in [
            ("", "line 1: need a count and WANDS, got the end of the file"),
            (
                "lots of WANDS",
                "line 1: need a count and WANDS, as in '51 WANDS', got 'lots of WANDS'",
            ),
            ("2 WANDS\n\nJOE:A = B", "line 3: need MARKERSET and a file name, got 'JOE:A = B'"),
            ("2 WANDS\nMARKERSET", "line 2: need MARKERSET and a file name, got 'MARKERSET'"),
            ("1 WANDS\nMARKERSET a\nRTHI RTHI", "line 3: need a label, =, and the name"),
            ("1 WANDS\nMARKERSET a\nRTHI =", "line 3: need a label, =, and the name"),
        ] {
            let error = Association::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_template_guesses_standard_names_and_aliases() {
        let labels = ["JOE:LSHN", "JOE:RFRM", "JOE:C7", "RFTShould", "JOE:tail", "*7", "r pelvis"];
        let trial = trial(&labels);
        let template = Association::template(&trial);
        let standard: Vec<&str> = template.pairs.iter().map(|p| p.standard.as_str()).collect();
        assert_eq!(standard, ["LLEG", "RARM", "C7", "RFTShould", "unknown", "RPelvis"]);
        assert_eq!((template.declared, template.known()), (6, 5));
        assert!(
            template.to_string().starts_with("6 WANDS\nMARKERSET vicon512.txt\n\nJOE:LSHN = LLEG")
        );
    }

    fn field() -> impl Strategy<Value = String> {
        "[!-<>-~]{1,8}".prop_filter("dots say nothing", |text| !text.trim_matches('.').is_empty())
    }

    proptest! {
        #[test]
        fn write_then_read_is_the_identity(
            declared in 0_usize..100,
            marker_set in field(),
            pairs in prop::collection::vec((field(), field(), "([a-z]{1,5}( [a-z]{1,5})?)?"), 0..9),
        ) {
            let pairs: Vec<Pair> = pairs.into_iter().enumerate()
                .map(|(i, (label, standard, description))| {
                    Pair { line: i + 4, label, standard, description }
                })
                .collect();
            let association = Association { declared, marker_set, pairs };
            prop_assert_eq!(Association::parse(&association.to_string()).unwrap(), association);
        }

        #[test]
        fn no_text_is_too_much(text in "(.|\n| WANDS|MARKERSET |=| ){0,80}") {
            let _ = Association::parse(&text);
            let _ = Association::parse(&format!("3 WANDS\nMARKERSET a\n{text}"));
        }
    }
}
