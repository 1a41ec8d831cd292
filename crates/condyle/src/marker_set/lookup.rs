//! Labels that a file writes, looked up among those of a recording.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::label;
use crate::error::{Error, Result};
use crate::trial::edit::nearest;
use crate::trial::{Note, Trial};

/// How many close labels a message offers.
const SUGGESTIONS: usize = 3;

/// The labels of a recording.
pub(super) struct Labels<'a> {
    trial: &'a Trial,
    by_label: HashMap<&'a str, Vec<usize>>,
    /// By name without prefix, then by prefix.
    by_name: HashMap<&'a str, BTreeMap<&'a str, Vec<usize>>>,
    /// What was asked for and is not there: line, label.
    missing: Vec<(usize, String)>,
    is_claimed: Vec<bool>,
}

impl<'a> Labels<'a> {
    /// The labels of a trial, none of them claimed.
    pub(super) fn of(trial: &'a Trial) -> Self {
        let mut by_label: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_name: HashMap<&str, BTreeMap<&str, Vec<usize>>> = HashMap::new();
        for (index, marker) in trial.markers.iter().enumerate() {
            by_label.entry(&marker.label).or_default().push(index);
            let (prefix, name) = label::split(&marker.label);
            by_name.entry(name).or_default().entry(prefix).or_default().push(index);
        }
        let is_claimed = vec![false; trial.markers.len()];
        Self { trial, by_label, by_name, missing: Vec::new(), is_claimed }
    }

    /// Claims the markers that a label at a line of a file means.
    ///
    /// A label is looked up as it stands, then with the prefix, then among all names without
    /// prefix; `RKNE[2]` is the second marker of that label. A label that is not there gives no
    /// marker, and is kept for [`Labels::missing`].
    ///
    /// # Errors
    /// A name that several performers have, or a marker that is claimed already.
    pub(super) fn claim(
        &mut self,
        line: usize,
        prefix: Option<&str>,
        label: &str,
    ) -> Result<Vec<usize>> {
        let found = self.find(prefix, label).map_err(|what| Error::at_line(line, what))?;
        if found.is_empty() {
            self.missing.push((line, label.to_owned()));
        }
        for marker in &found {
            if std::mem::replace(&mut self.is_claimed[*marker], true) {
                let what = format!("marker '{label}': need it on one segment, got it again");
                return Err(Error::at_line(line, what));
            }
        }
        Ok(found)
    }

    fn find(&self, prefix: Option<&str>, label: &str) -> Result<Vec<usize>, String> {
        if let Some(found) = self.by_label.get(label) {
            return Ok(found.clone());
        }
        let (own_prefix, name) = label::split(label);
        let prefix = prefix.or(Some(own_prefix).filter(|prefix| !prefix.is_empty()));
        let named = self.by_name.get(name);
        match (named, prefix) {
            (Some(named), Some(prefix)) => {
                if let Some(found) = named.get(prefix) {
                    return Ok(found.clone());
                }
            }
            (Some(named), None) => {
                let mut of_all = named.iter();
                let (first, others) = (of_all.next(), of_all.next());
                return match (first, others) {
                    (Some((_, found)), None) => Ok(found.clone()),
                    _ => {
                        let prefixes: Vec<&str> = named.keys().copied().collect();
                        Err(format!(
                            "marker '{label}': need a prefix, got a name that several have: {}",
                            prefixes.join(", ")
                        ))
                    }
                };
            }
            (None, _) => {}
        }
        Ok(self.nth(prefix, label).into_iter().collect())
    }

    /// The marker that a label with a number in brackets means.
    fn nth(&self, prefix: Option<&str>, label: &str) -> Option<usize> {
        let (label, number) = label.strip_suffix(']')?.rsplit_once('[')?;
        let number: usize = number.parse().ok()?;
        let all = match self.by_label.get(label) {
            Some(all) => all.clone(),
            None if label.ends_with(']') => return None,
            None => self.find(prefix, label).ok()?,
        };
        all.get(number.checked_sub(1)?).copied()
    }

    /// What was asked for and is not there: a note each, for a marker may be missing in one of
    /// several recordings.
    ///
    /// # Errors
    /// One that a free label is so close to that it looks mistyped.
    pub(super) fn missing(self) -> Result<Vec<Note>> {
        let free: BTreeSet<&str> = (0..self.is_claimed.len())
            .filter(|marker| !self.is_claimed[*marker])
            .map(|marker| &self.trial.markers[marker])
            .filter(|marker| !marker.is_unlabelled())
            .map(|marker| label::split(&marker.label).1)
            .collect();
        let mut notes = Vec::new();
        for (line, label) in &self.missing {
            let name = label::split(label).1;
            let close = nearest(name, free.iter().copied(), SUGGESTIONS);
            if !close.is_empty() {
                let what = format!(
                    "marker: need a label of the recording, got '{label}'; close to it: {}",
                    close.join(", ")
                );
                return Err(Error::at_line(*line, what));
            }
            let text = format!("line {line}: the recording has no marker '{label}'");
            notes.push(Note::new("plan-marker", text));
        }
        Ok(notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};

    fn trial(labels: &[&str]) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.markers = labels.iter().map(|label| Marker::all_missing(*label, 0)).collect();
        trial
    }

    #[test]
    fn finds_labels_with_and_without_prefix_and_by_number() {
        let trial = trial(&["JOE:RKNE", "SUE:RKNE", "SUE:LKNE", "RTHI", "RTHI", "", ""]);
        let labels = Labels::of(&trial);
        assert_eq!(labels.find(None, "SUE:RKNE"), Ok(vec![1]));
        assert_eq!(labels.find(None, "SUE::RKNE"), Ok(vec![1]));
        assert_eq!(labels.find(Some("JOE"), "RKNE"), Ok(vec![0]));
        assert_eq!(labels.find(None, "LKNE"), Ok(vec![2]));
        assert_eq!(labels.find(None, "RTHI"), Ok(vec![3, 4]));
        assert_eq!(labels.find(None, "RTHI[2]"), Ok(vec![4]));
        assert_eq!(labels.find(None, "[1]"), Ok(vec![5]));
        assert_eq!(labels.find(None, "RTHI[3]"), Ok(vec![]));
        assert_eq!(labels.find(None, "RTHI[0]"), Ok(vec![]));
        assert!(labels.find(None, "RKNE").unwrap_err().ends_with("several have: JOE, SUE"));
    }

    #[test]
    fn a_mistyped_label_is_an_error_and_a_missing_one_a_note() {
        let trial = trial(&["RKNE", "LKNE", "SACR"]);
        let mut labels = Labels::of(&trial);
        assert_eq!(labels.claim(3, None, "RKNEE").unwrap(), []);
        let error = labels.missing().unwrap_err().to_string();
        assert!(error.starts_with("line 3: marker: need a label of the recording, got 'RKNEE'"));
        assert!(error.ends_with("close to it: RKNE, LKNE"), "{error}");
        let mut labels = Labels::of(&trial);
        for label in ["RKNE", "LKNE", "RKNEE"] {
            labels.claim(1, None, label).unwrap();
        }
        assert_eq!(
            labels.missing().unwrap()[0].text,
            "line 1: the recording has no marker 'RKNEE'"
        );
    }

    #[test]
    fn a_marker_is_claimed_once() {
        let trial = trial(&["JOE:RKNE"]);
        let mut labels = Labels::of(&trial);
        labels.claim(1, None, "RKNE").unwrap();
        let error = labels.claim(2, None, "JOE:RKNE").unwrap_err().to_string();
        assert_eq!(error, "line 2: marker 'JOE:RKNE': need it on one segment, got it again");
    }
}
