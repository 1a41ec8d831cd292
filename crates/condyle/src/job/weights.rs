//! How much each marker is to count, as the user says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::de::DeTable;

use crate::error::{Error, Result};
use crate::plan::Performer;
use crate::subject::Subject;
use crate::tables;

/// How much markers count beside others, by their labels; 1 for all that are not named.
///
/// A marker of weight w is taken to be √w times as exact as it would be; with 0 it is not used at all.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MarkerWeights(BTreeMap<String, f64>);

impl MarkerWeights {
    /// Reads a file of weights: a line `LABEL = WEIGHT` a marker.
    ///
    /// ```
    /// use condyle::job::MarkerWeights;
    ///
    /// let weights = MarkerWeights::from_toml("LTHI = 0.3   # on a loose strap\n\"JOE:RWRB\" = 0\n")?;
    /// assert_eq!((weights.of("LTHI"), weights.of("JOE:LTHI"), weights.of("RTHI")), (0.3, 0.3, 1.0));
    /// # Ok::<(), condyle::Error>(())
    /// ```
    ///
    /// # Errors
    /// Text that is no TOML, or a weight that is no number from 0 up: the line, what was needed and what was found.
    pub fn from_toml(text: &str) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table = DeTable::parse(text).map_err(|error| {
            let what = error.message().replace('\n', "; ");
            let at = error.span().map_or(1, |span| tables::line(text, span.start));
            Error::at_line(at, format!("weights: need lines LABEL = WEIGHT, got {what}"))
        })?;
        let mut weights = BTreeMap::new();
        for (label, value) in table.into_inner() {
            let number = tables::number(value.get_ref());
            let Some(weight) = number.filter(|w| w.is_finite() && *w >= 0.0) else {
                let (label, found) = (label.get_ref(), &text[value.span()]);
                let what = format!("{label}: need a number from 0 up, got {found}");
                return Err(Error::at_line(tables::line(text, value.span().start), what));
            };
            weights.insert(label.into_inner().into_owned(), weight);
        }
        Ok(Self(weights))
    }

    /// Whether all markers count alike.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The weight of a marker, by its label or by what follows the performer's name in it.
    pub fn of(&self, label: &str) -> f64 {
        let own = || self.0.get(label.rsplit(':').next()?);
        self.0.get(label).or_else(own).copied().unwrap_or(1.0)
    }

    /// The weights of markers in a row; nothing where all count alike.
    pub(super) fn of_all(&self, labels: &[&str]) -> Vec<f64> {
        match self.is_empty() {
            true => Vec::new(),
            false => labels.iter().map(|label| self.of(label)).collect(),
        }
    }

    /// The labels that no marker has.
    pub(super) fn unknown(&self, labels: &[&str]) -> Vec<&str> {
        let is_there = |wanted: &str| {
            labels.iter().any(|l| *l == wanted || l.rsplit(':').next() == Some(wanted))
        };
        self.0.keys().map(String::as_str).filter(|label| !is_there(label)).collect()
    }

    /// Takes markers that are not used from a performer's segments.
    pub(super) fn leave_out(&self, performer: &mut Performer, labels: &[&str]) {
        for segment in &mut performer.segments {
            segment.markers.retain(|marker| labels.get(*marker).is_none_or(|l| self.of(l) > 0.0));
        }
    }

    /// Weighs the markers of a subject that was fitted before, besides its own weights.
    pub(super) fn apply(&self, subject: &mut Subject) {
        let name = subject.name.clone();
        let of = |label: &str| match name.is_empty() {
            true => self.of(label),
            false => self.of(&format!("{name}:{label}")),
        };
        for segment in &mut subject.segments {
            segment.markers.retain(|marker| of(&marker.label) > 0.0);
            segment.markers.iter_mut().for_each(|marker| marker.weight *= of(&marker.label));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MarkerWeights;

    #[test]
    fn says_the_line_of_a_weight_that_is_none() {
        for (text, wanted) in [
            ("LTHI = 1\nRTHI = -2\n", "line 2: RTHI: need a number from 0 up, got -2"),
            ("LTHI = \"heavy\"", "line 1: LTHI: need a number from 0 up, got \"heavy\""),
            ("A = 1\n\nB = nan", "line 3: B: need a number from 0 up, got nan"),
            ("A = 1\nB 2", "line 2: weights: need lines LABEL = WEIGHT"),
            ("A = 1\nA = 2", "line 2: weights: need lines LABEL = WEIGHT"),
        ] {
            let error = MarkerWeights::from_toml(text).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{error}");
        }
        assert!(MarkerWeights::from_toml("").unwrap().is_empty());
    }
}
