//! Ways to read the labels of a recording: what is common to them is set aside, and what is left are names.
//!
//! Programs and people put something around the names of markers: the subject, a trial, a number, `_raw`. Which part of
//! a label that is shows in what labels have in common, not in a list of cases.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::label;

/// Whose every label is, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    /// For every label, the prefix that its performer has; empty if there is none.
    pub(super) prefixes: Vec<String>,
    /// For every label, the name in normal spelling.
    pub(super) words: Vec<String>,
}

/// A label without what is around its name.
type Parts = (String, String);

/// A prefix of one of several performers is shared by so many labels at least.
const FEWEST_SHARED: usize = 4;
/// Separators from the start, or the end, that may end a prefix.
const MAX_SEPARATORS: usize = 4;
/// An end that so many of the labels have is common to them: others are points of a model.
const COMMON_SHARE: f64 = 0.8;
/// A common end without a separator has so many letters at least: `L` and `1` say something.
const SHORTEST_END: usize = 2;

/// All readings of labels that have something in common, those that take least away first.
pub(super) fn readings(labels: &[&str]) -> Vec<Reading> {
    let whole: Vec<Parts> = labels.iter().map(|l| (String::new(), l.trim().to_owned())).collect();
    let mut heads = vec![whole];
    heads.extend(common_start(labels));
    heads.extend((1..=MAX_SEPARATORS).filter_map(|nth| shared(labels, |l| nth_separator(l, nth))));
    heads.extend(shared(labels, last_separator));
    heads.extend(shared(labels, after_number));
    heads.extend(numbered(labels));
    heads.extend((1..=MAX_SEPARATORS).filter_map(|nth| shared_tail(labels, nth)));
    let mut all: Vec<Vec<Parts>> = Vec::new();
    for parts in heads {
        let ends = [common_end(&parts), common_last_token(&parts), numbered_end(&parts)];
        all.push(parts);
        all.extend(ends.into_iter().flatten());
    }
    let mut known = HashSet::new();
    let mut readings = Vec::new();
    for parts in &all {
        let words: Vec<String> = parts.iter().map(|(_, name)| label::normal(name)).collect();
        let mut spellings = vec![words.clone()];
        spellings.extend(SIDES.iter().filter_map(|side| side_in_front(&words, side)));
        for words in spellings {
            let prefixes: Vec<String> = parts.iter().map(|(prefix, _)| prefix.clone()).collect();
            if known.insert((prefixes.clone(), words.clone())) {
                readings.push(Reading { prefixes, words });
            }
        }
    }
    readings
}

fn is_separator(c: char) -> bool {
    !c.is_alphanumeric()
}

/// A prefix as a name: without what separates it.
fn named(prefix: &str) -> String {
    prefix.trim_matches(is_separator).to_owned()
}

/// What all labels begin with, whether or not a separator ends it; and one letter less, which may be a side.
fn common_start(labels: &[&str]) -> Vec<Vec<Parts>> {
    let Some(first) = labels.first() else { return Vec::new() };
    let start = labels.iter().fold(*first, |start, label| common_prefix(start, label));
    let letters: Vec<usize> = start.char_indices().map(|(at, _)| at).chain([start.len()]).collect();
    let cuts = letters.iter().rev().take(2).filter(|cut| **cut > 0);
    let parts = |cut: &usize| {
        let split = |label: &&str| (named(&label[..*cut]), label[*cut..].trim().to_owned());
        let parts: Vec<Parts> = labels.iter().map(split).collect();
        parts.iter().all(|(_, name)| !name.is_empty()).then_some(parts)
    };
    if labels.len() < FEWEST_SHARED { Vec::new() } else { cuts.filter_map(parts).collect() }
}

fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    &a[..same.map(|(a, _)| a.len_utf8()).sum()]
}

/// Cuts labels where `cut` says if enough of them have the same before it; others stay whole.
fn shared(labels: &[&str], cut: impl Fn(&str) -> Option<usize>) -> Option<Vec<Parts>> {
    let split =
        |label: &&str| cut(label).map(|cut| (named(&label[..cut]), label[cut..].trim().to_owned()));
    shared_owners(labels, labels.iter().map(split).collect())
}

/// The same with whose a label is behind its name, from the n-th separator on: `RTHI@S01`, `RTHI (Joe)`.
fn shared_tail(labels: &[&str], nth: usize) -> Option<Vec<Parts>> {
    let split = |label: &&str| {
        let cut = nth_separator(label, nth)?;
        let name = label[..cut].trim_end_matches(is_separator).trim();
        (!name.is_empty()).then(|| (named(&label[cut..]), name.to_owned()))
    };
    shared_owners(labels, labels.iter().map(split).collect())
        .filter(|parts| have_names_in_common(parts))
}

/// Whether half of the names are there of two owners: `_Ann` and `_Bob` are, `_Medial` and `_study` are none.
fn have_names_in_common(parts: &[Parts]) -> bool {
    let mut owners: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (owner, name) in parts.iter().filter(|(owner, _)| !owner.is_empty()) {
        owners.entry(name).or_default().insert(owner);
    }
    let common = owners.values().filter(|owners| owners.len() > 1).count();
    common > 0 && 2 * common >= owners.len()
}

/// The labels in two parts where enough of them are the same person's; others stay whole.
fn shared_owners(labels: &[&str], split: Vec<Option<Parts>>) -> Option<Vec<Parts>> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for (owner, _) in split.iter().flatten() {
        *counts.entry(owner.clone()).or_default() += 1;
    }
    let is_shared = |(owner, _): &Parts| {
        let is_side = ["l", "r", "left", "right"].contains(&owner.to_lowercase().as_str());
        counts[owner] >= FEWEST_SHARED && !is_side
    };
    let whole = |label: &str| (String::new(), label.trim().to_owned());
    let parts = labels.iter().zip(split);
    let parts: Vec<Parts> =
        parts.map(|(l, split)| split.filter(is_shared).unwrap_or_else(|| whole(l))).collect();
    parts.iter().any(|(prefix, _)| !prefix.is_empty()).then_some(parts)
}

/// Behind the n-th run of separators, if something follows.
fn nth_separator(label: &str, nth: usize) -> Option<usize> {
    separators(label).nth(nth - 1)
}

fn last_separator(label: &str) -> Option<usize> {
    separators(label).last()
}

/// The ends of runs of separators within a label.
fn separators(label: &str) -> impl Iterator<Item = usize> + '_ {
    let ends = label.char_indices().zip(label.chars().skip(1));
    let ends = ends.filter(|((_, a), b)| is_separator(*a) && !is_separator(*b));
    ends.map(|((at, a), _)| at + a.len_utf8()).filter(|at| *at > 1)
}

/// Behind the first number that letters begin with: `S01` of `S01RTHI`.
fn after_number(label: &str) -> Option<usize> {
    let digits = label.find(|c: char| c.is_ascii_digit())?;
    let end = digits + label[digits..].find(|c: char| !c.is_ascii_digit())?;
    label[..end].chars().all(|c| c.is_ascii_alphanumeric()).then_some(end)
}

/// Every label has a number of its own in front: `01_LFHD`, `M12-RTHI`.
fn numbered(labels: &[&str]) -> Option<Vec<Parts>> {
    let mut numbers = HashSet::new();
    let parts = labels.iter().map(|label| {
        let cut = separators(label).next()?;
        let head = label[..cut].trim_end_matches(is_separator);
        let letters = head.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_new = letters.len() < head.len() && numbers.insert(head.to_owned());
        is_new.then(|| (String::new(), label[cut..].trim().to_owned()))
    });
    parts.collect()
}

/// What all names end in, from the first separator in it on, or if it is no single letter or number.
fn common_end(parts: &[Parts]) -> Option<Vec<Parts>> {
    let reversed: Vec<String> =
        parts.iter().map(|(_, name)| name.chars().rev().collect()).collect();
    let end = reversed.iter().fold(reversed.first()?.as_str(), |end, r| common_prefix(end, r));
    let count = end.chars().count();
    let is_said = end.contains(is_separator) || count >= SHORTEST_END;
    let cut = |(prefix, name): &Parts| {
        let kept = name.chars().count().checked_sub(count).filter(|kept| *kept > 0)?;
        Some((prefix.clone(), name.chars().take(kept).collect::<String>()))
    };
    let is_many = parts.len() >= FEWEST_SHARED;
    if is_said && is_many { parts.iter().map(cut).collect() } else { None }
}

/// What most names have behind their last separator: `_raw`, ` (1)`.
fn common_last_token(parts: &[Parts]) -> Option<Vec<Parts>> {
    let end = |name: &str| {
        let name = name.trim_end_matches(is_separator);
        name.rfind(is_separator).filter(|at| *at > 0)
    };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, name) in parts {
        if let Some(at) = end(name) {
            *counts.entry(&name[at..]).or_default() += 1;
        }
    }
    let (token, count) = counts.into_iter().max_by_key(|(token, count)| (*count, *token))?;
    let is_common = count >= FEWEST_SHARED && count as f64 >= COMMON_SHARE * parts.len() as f64;
    let cut = |(prefix, name): &Parts| {
        let kept = name.strip_suffix(token).unwrap_or(name);
        (prefix.clone(), kept.trim_end_matches(is_separator).to_owned())
    };
    is_common.then(|| parts.iter().map(cut).collect())
}

/// Every name has a number of its own behind a separator: `RTHI_17`.
fn numbered_end(parts: &[Parts]) -> Option<Vec<Parts>> {
    let mut numbers = HashSet::new();
    let cut = |(prefix, name): &Parts| {
        let kept = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_new = kept.len() < name.len() && numbers.insert(name[kept.len()..].to_owned());
        let is_apart = kept.ends_with(is_separator) && kept.contains(char::is_alphanumeric);
        let kept = kept.trim_end_matches(is_separator);
        (is_new && is_apart).then(|| (prefix.clone(), kept.to_owned()))
    };
    if parts.len() < FEWEST_SHARED { None } else { parts.iter().map(cut).collect() }
}

/// How a side may be written other than as a letter in front: left, right, and where.
const SIDES: [(&str, &str, Where); 6] = [
    ("LEFT", "RIGHT", Where::Anywhere),
    ("LFT", "RGT", Where::Anywhere),
    ("LT", "RT", Where::Front),
    ("LT", "RT", Where::End),
    ("L", "R", Where::End),
    ("LEFT", "RIGHT", Where::End),
];

#[derive(Clone, Copy, PartialEq)]
enum Where {
    Front,
    Anywhere,
    End,
}

/// Words with their side as one letter in front, if some differ in it alone.
fn side_in_front(words: &[String], (left, right, at): &(&str, &str, Where)) -> Option<Vec<String>> {
    let all: BTreeSet<&str> = words.iter().map(String::as_str).collect();
    let find = |word: &str, side: &str| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        match at {
            Where::Front => word.starts_with(side).then_some(0),
            Where::Anywhere => word.find(side),
            Where::End => stem.ends_with(side).then(|| stem.len() - side.len()),
        }
    };
    let mut pairs = 0;
    let moved = words.iter().map(|word| {
        for (side, other, letter) in [(left, right, 'L'), (right, left, 'R')] {
            if let Some(at) = find(word, side) {
                let (head, tail) = (&word[..at], &word[at + side.len()..]);
                let is_pair = all.contains(format!("{head}{other}{tail}").as_str());
                if is_pair && !(head.is_empty() && tail.is_empty()) {
                    pairs += 1;
                    return format!("{letter}{head}{tail}");
                }
            }
        }
        word.clone()
    });
    let moved = moved.collect();
    (pairs > 0).then_some(moved)
}
