//! Labels that a file writes, looked up among those of a recording.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{doubts, label};
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
    /// A label is looked up with the prefix, then as it stands, then among all names without
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
        match self.nth(prefix, label) {
            Some(marker) => Ok(vec![marker]),
            None => self.all(prefix, label),
        }
    }

    /// The marker that a label with a number in brackets means.
    fn nth(&self, prefix: Option<&str>, label: &str) -> Option<usize> {
        let (label, number) = label.strip_suffix(']')?.rsplit_once('[')?;
        let number: usize = number.parse().ok()?;
        self.all(prefix, label).ok()?.get(number.checked_sub(1)?).copied()
    }

    /// All markers of a label.
    fn all(&self, prefix: Option<&str>, label: &str) -> Result<Vec<usize>, String> {
        let of = |prefix: &str, name: &str| self.by_name.get(name)?.get(prefix);
        let (own_prefix, name) = label::split(label);
        let found = prefix
            .and_then(|prefix| of(prefix, label))
            .or_else(|| self.by_label.get(label))
            .or_else(|| of(own_prefix, name));
        if let Some(found) = found {
            return Ok(found.clone());
        }
        let named = self.by_name.get(name).filter(|_| prefix.is_none() && own_prefix.is_empty());
        let mut of_all = named.into_iter().flatten();
        match (of_all.next(), of_all.next()) {
            (None, _) => Ok(Vec::new()),
            (Some((_, found)), None) => Ok(found.clone()),
            (Some((first, _)), Some((second, _))) => Err(format!(
                "marker '{label}': need a prefix, got a name that several have: {first}, {second}"
            )),
        }
    }

    /// A note on what was asked for and is not there: a marker may be missing in one of several
    /// recordings.
    ///
    /// # Errors
    /// One that a free label is so close to that it looks mistyped.
    pub(super) fn missing(self) -> Result<Option<Note>> {
        let free: BTreeSet<&str> = (0..self.is_claimed.len())
            .filter(|marker| !self.is_claimed[*marker])
            .map(|marker| &self.trial.markers[marker])
            .filter(|marker| !marker.is_unlabelled())
            .map(|marker| label::split(&marker.label).1)
            .collect();
        // Where more are missing it is another recording, and comparing them all takes long.
        for (line, label) in self.missing.iter().take(doubts::LISTED) {
            let close = nearest(label::split(label).1, free.iter().copied(), SUGGESTIONS);
            if !close.is_empty() {
                let what = format!(
                    "marker: need a label of the recording, got '{label}'; close to it: {}",
                    close.join(", ")
                );
                return Err(Error::at_line(*line, what));
            }
        }
        let labels = self.missing.iter().map(|(line, label)| format!("'{label}' (line {line})"));
        let (count, listed) = (self.missing.len(), doubts::listed(labels));
        let text = format!("{count} of the file's markers are not in the recording: {listed}");
        Ok((!self.missing.is_empty()).then(|| Note::new("plan-marker", text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marker_set::made_up::trial;

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
        assert_eq!(labels.find(Some("JOE"), "RTHI"), Ok(vec![3, 4]));
        assert_eq!(labels.find(Some("JOE"), "LKNE"), Ok(vec![]));
        assert_eq!(labels.find(None, "RTHI[3]"), Ok(vec![]));
        assert_eq!(labels.find(None, "RTHI[0]"), Ok(vec![]));
        assert!(labels.find(None, "RKNE").unwrap_err().ends_with("several have: JOE, SUE"));
    }

    #[test]
    fn a_prefix_comes_before_the_same_label_without_one() {
        let trial = trial(&["A", "JOE:A", "A[1]"]);
        let labels = Labels::of(&trial);
        assert_eq!(labels.find(Some("JOE"), "A"), Ok(vec![1]));
        assert_eq!(labels.find(None, "A"), Ok(vec![0]));
        assert_eq!(labels.find(None, "A[1]"), Ok(vec![0]));
        assert_eq!(labels.find(None, "A[1][1]"), Ok(vec![2]));
    }

    #[test]
    fn a_mistyped_label_is_an_error_and_a_missing_one_a_note() {
        let trial = trial(&["RKNE", "LKNE", "SACR"]);
        let mut labels = Labels::of(&trial);
        assert!(labels.claim(3, None, "RKNEE").unwrap().is_empty());
        let error = labels.missing().unwrap_err().to_string();
        assert!(error.starts_with("line 3: marker: need a label of the recording, got 'RKNEE'"));
        assert!(error.ends_with("close to it: RKNE, LKNE"), "{error}");
        let mut labels = Labels::of(&trial);
        for label in ["RKNE", "LKNE", "RKNEE"] {
            labels.claim(1, None, label).unwrap();
        }
        let note = labels.missing().unwrap().unwrap();
        assert_eq!(note.text, "1 of the file's markers are not in the recording: 'RKNEE' (line 1)");
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
