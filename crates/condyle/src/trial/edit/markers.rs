//! Keeping some of the markers, chosen by name.

use super::nearest::nearest;
use crate::error::{Error, Result};
use crate::trial::{Marker, Trial};

/// How many close names an error offers.
const SUGGESTIONS: usize = 3;

/// The trial with only the markers that the patterns name, in the order of the patterns.
///
/// A pattern is a label (`JOE:RTHI`), a name without its subject prefix (`RTHI`, of every subject
/// that has one), or either with `*` for any run of characters (`R*`). An exact label wins over a
/// name, a name over a wildcard, so `*12` finds the unlabelled trajectory of that name first. A
/// marker named twice is kept once. Everything but the markers stays.
///
/// # Errors
/// A pattern matches no marker; the message offers the nearest names.
pub fn with_markers<S: AsRef<str>>(mut trial: Trial, patterns: &[S]) -> Result<Trial> {
    let mut order = Vec::new();
    let mut is_kept = vec![false; trial.markers.len()];
    for pattern in patterns {
        for index in matches(&trial.markers, pattern.as_ref())? {
            if !std::mem::replace(&mut is_kept[index], true) {
                order.push(index);
            }
        }
    }
    let take = |index: usize| std::mem::take(&mut trial.markers[index]);
    trial.markers = order.into_iter().map(take).collect();
    Ok(trial)
}

/// The indices of the markers that a pattern names; at least one.
fn matches(markers: &[Marker], pattern: &str) -> Result<Vec<usize>> {
    let indices = |is_match: &dyn Fn(&Marker) -> bool| -> Vec<usize> {
        (0..markers.len()).filter(|&index| is_match(&markers[index])).collect()
    };
    let mut found = indices(&|marker| marker.label == pattern);
    if found.is_empty() {
        found = indices(&|marker| marker.name() == pattern);
    }
    if found.is_empty() && pattern.contains('*') {
        found =
            indices(&|marker| wildcard(pattern, &marker.label) || wildcard(pattern, marker.name()));
    }
    if found.is_empty() {
        return Err(Error::argument(unknown(markers, pattern)));
    }
    Ok(found)
}

fn unknown(markers: &[Marker], pattern: &str) -> String {
    let labels = markers.iter().map(|marker| marker.label.as_str());
    let names = markers.iter().map(Marker::name);
    let close = nearest(pattern, labels.chain(names), SUGGESTIONS);
    let hint = match (markers.len(), close.is_empty()) {
        (0, _) => "; the recording has no markers".to_owned(),
        (count, true) => format!("; none of the {count} labels is close to it"),
        (_, false) => format!("; close to it: {}", close.join(", ")),
    };
    format!("markers: need a label of the recording, got '{pattern}'{hint}")
}

/// Whether `text` is `pattern` with every `*` replaced by some run of characters.
fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| text.strip_prefix(head)) else {
        return false;
    };
    // Each middle part takes its first place: leaving the most text for the parts that follow.
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Format;
    use proptest::prelude::*;

    fn trial(labels: &[&str]) -> Trial {
        let mut trial = Trial::new(Format::Trc, 100.0);
        trial.markers = labels.iter().map(|label| Marker::all_missing(*label, 0)).collect();
        trial
    }

    fn kept(labels: &[&str], patterns: &[&str]) -> Vec<String> {
        let trial = with_markers(trial(labels), patterns).unwrap();
        trial.markers.into_iter().map(|marker| marker.label).collect()
    }

    #[test]
    fn takes_labels_names_and_wildcards_in_the_order_asked() {
        let labels = ["JOE:LKNE", "JOE:RKNE", "SUE:RKNE", "*12", "C12"];
        assert_eq!(kept(&labels, &["RKNE", "JOE:LKNE"]), ["JOE:RKNE", "SUE:RKNE", "JOE:LKNE"]);
        assert_eq!(kept(&labels, &["JOE:*"]), ["JOE:LKNE", "JOE:RKNE"]);
        assert_eq!(kept(&labels, &["*12"]), ["*12"]);
        assert_eq!(kept(&labels, &["*KNE", "RKNE"]).len(), 3);
    }

    #[test]
    fn offers_close_names_for_an_unknown_one() {
        let error = with_markers(trial(&["RKNE", "LKNE", "SACR"]), &["RKNEE"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "markers: need a label of the recording, got 'RKNEE'; close to it: RKNE, LKNE"
        );
    }

    #[test]
    fn says_so_when_there_are_no_markers() {
        let error = with_markers(trial(&[]), &["A"]).unwrap_err().to_string();
        assert!(error.ends_with("the recording has no markers"), "{error}");
    }

    proptest! {
        #[test]
        fn everything_is_the_identity(labels in prop::collection::vec("[A-Z:*]{0,5}", 1..20)) {
            let mut trial = Trial::new(Format::Trc, 100.0);
            trial.markers = labels.iter().map(|label| Marker::all_missing(label, 2)).collect();
            trial.frames = 2;
            // A marker whose label is itself `*` would be taken alone.
            prop_assume!(trial.markers.iter().all(|m| m.label != "*" && m.name() != "*"));
            prop_assert_eq!(with_markers(trial.clone(), &["*"]).unwrap(), trial);
        }

        #[test]
        fn a_wildcard_agrees_with_a_naive_matcher(pattern in "[ab*]{0,6}", text in "[ab]{0,8}") {
            prop_assert_eq!(wildcard(&pattern, &text), naive(pattern.as_bytes(), text.as_bytes()));
        }
    }

    fn naive(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some((b'*', rest)), None) => naive(rest, text),
            (Some((b'*', rest)), Some((_, tail))) => naive(rest, text) || naive(pattern, tail),
            (Some((p, rest)), Some((t, tail))) => p == t && naive(rest, tail),
            _ => false,
        }
    }
}
