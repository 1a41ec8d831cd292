//! Who is in a recording: markers that share a prefix belong to one performer.

use std::collections::HashSet;

use super::collect::by_key;
use super::computed::is_computed;
use super::label;
use super::readings::{Reading, readings};
use super::recognise::WEAK_SHARE;
use super::verdict::Verdict;
use crate::trial::is_unlabelled;

/// The markers of one performer, under the names they have without its prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The prefix; empty if there is none.
    pub(super) prefix: String,
    /// Indices of markers with their names in normal spelling.
    pub(super) markers: Vec<(usize, String)>,
}

/// A prefix that ends in an underscore must be shared by this many labels: `R_` is a side, and
/// `ankle_left` has no prefix.
const FEWEST_UNDERSCORED: usize = 8;

/// The performers in order of appearance.
///
/// # Method
/// Colons, and underscores behind what many labels share, part performers from names. Where that leaves labels unknown,
/// or makes several performers, every other reading of what labels have in common is tried: the one that places most
/// labels on segments counts, then the one with fewest performers.
pub(super) fn groups<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<Group> {
    let labels: Vec<&str> = labels.collect();
    let usual = usual(&labels);
    let named: Vec<usize> = (0..labels.len()).filter(|at| !is_unlabelled(labels[*at])).collect();
    let of_usual = Merit::of(&usual);
    if usual.len() == 1 && of_usual.unknown == 0 || named.len() > MAX_READ {
        return usual;
    }
    let texts: Vec<&str> = named.iter().map(|at| labels[*at]).collect();
    let mut best = (of_usual, usual);
    for reading in readings(&texts) {
        let groups = read(&labels, &named, &reading);
        let merit = Merit::of(&groups);
        if merit.is_better_than(&best.0) {
            best = (merit, groups);
        }
    }
    best.1
}

/// More labels than this are read in the usual way only.
const MAX_READ: usize = 600;
/// Another reading places so many labels more.
const LEAST_GAIN: usize = 2;

/// How much a reading explains.
struct Merit {
    /// Different names that are on a segment.
    placed: usize,
    /// Names that mean nothing.
    unknown: usize,
    /// Performers that are recognised.
    performers: usize,
}

impl Merit {
    fn of(groups: &[Group]) -> Self {
        let mut merit = Self { placed: 0, unknown: 0, performers: 0 };
        for group in groups {
            let all: HashSet<String> = group.markers.iter().map(|(_, word)| word.clone()).collect();
            let is_name = |word: &&str| !word.is_empty() && !is_computed(word, &all);
            let mut words: Vec<&str> = all.iter().map(String::as_str).filter(is_name).collect();
            words.sort_unstable();
            let verdict = Verdict::on(&words);
            let places = verdict.places();
            let parts: HashSet<_> = places.iter().flatten().collect();
            let placed = places.iter().flatten().count();
            let known = verdict.claims.iter().flatten().count();
            merit.unknown += words.len() - known;
            if parts.len() > 1 && placed as f64 >= WEAK_SHARE * words.len() as f64 {
                merit.placed += placed;
                merit.performers += 1;
            }
        }
        merit
    }

    fn is_better_than(&self, other: &Self) -> bool {
        self.placed >= other.placed + LEAST_GAIN
            || self.placed >= other.placed
                && self.performers > 0
                && self.performers < other.performers
    }
}

/// The performers of one reading; labels without a name are nobody's.
fn read(labels: &[&str], named: &[usize], reading: &Reading) -> Vec<Group> {
    let mut of_label: Vec<(&str, String)> = labels.iter().map(|l| ("", label::normal(l))).collect();
    for ((at, prefix), word) in named.iter().zip(&reading.prefixes).zip(&reading.words) {
        of_label[*at] = (prefix, word.clone());
    }
    let keyed = of_label.into_iter().enumerate().map(|(at, (prefix, word))| (prefix, (at, word)));
    let group = |(prefix, markers): (&str, _)| Group { prefix: prefix.to_owned(), markers };
    by_key(keyed).into_iter().map(group).collect()
}

/// The performers by colons and underscores.
fn usual(labels: &[&str]) -> Vec<Group> {
    let labels: Vec<(&str, &str)> = labels.iter().map(|label| label::split(label)).collect();
    let heads: Vec<Option<&str>> = labels.iter().map(|(prefix, name)| head(prefix, name)).collect();
    let shared = by_key(heads.iter().flatten().map(|head| (*head, ())));
    let is_prefix: HashSet<&str> = shared
        .iter()
        .filter(|(_, all)| all.len() >= FEWEST_UNDERSCORED)
        .map(|(head, _)| *head)
        .collect();
    let named = labels.iter().zip(&heads).enumerate().map(|(marker, ((prefix, name), head))| {
        match head.filter(|head| is_prefix.contains(head)) {
            Some(head) => (head, (marker, label::normal(&name[head.len() + 1..]))),
            None => (*prefix, (marker, label::normal(name))),
        }
    });
    let group = |(prefix, markers): (&str, _)| Group { prefix: prefix.to_owned(), markers };
    by_key(named).into_iter().map(group).collect()
}

/// What stands before the first underscore, unless it is a side or a colon has said the prefix.
fn head<'a>(prefix: &str, name: &'a str) -> Option<&'a str> {
    let (head, rest) = name.split_once('_')?;
    let is_side = ["l", "r", "left", "right"].contains(&head.to_lowercase().as_str());
    (prefix.is_empty() && !head.is_empty() && !rest.is_empty() && !is_side).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(labels: &[&str]) -> Vec<(String, usize)> {
        let groups = groups(labels.iter().copied());
        groups.into_iter().map(|group| (group.prefix, group.markers.len())).collect()
    }

    #[test]
    fn a_colon_parts_performers() {
        let labels = ["JOE:RKNE", "SUE:RKNE", "JOE:LKNE", "*3"];
        let expected = [("JOE".to_owned(), 2), ("SUE".to_owned(), 1), (String::new(), 1)];
        assert_eq!(prefixes(&labels), expected);
    }

    #[test]
    fn an_underscore_does_so_only_where_many_share_it() {
        let mut labels: Vec<String> = (0..9).map(|i| format!("Actor_Hip{i}")).collect();
        labels.extend((0..9).map(|i| format!("R_TH{i}")));
        labels.push("knee_left".to_owned());
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert_eq!(prefixes(&labels), [("Actor".to_owned(), 9), (String::new(), 10)]);
    }
}
