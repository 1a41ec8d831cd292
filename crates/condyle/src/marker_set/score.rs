//! How well a marker set explains the labels of a performer.

use super::label::Side;
use super::table::{Claim, MarkerSet};

/// What a set says of every label of a performer.
pub(super) struct Scored {
    pub(super) set: &'static MarkerSet,
    /// For every label, in the order given.
    pub(super) claims: Vec<Option<Claim>>,
    /// The harmonic mean of the share of labels that it places, those that it calls computed left
    /// out, and the share of its own markers that are there.
    pub(super) score: f64,
}

impl Scored {
    /// Scores a set on labels in normal spelling.
    pub(super) fn of(set: &'static MarkerSet, words: &[&str]) -> Self {
        let mut claims: Vec<Option<Claim>> = words.iter().map(|word| set.claim(word)).collect();
        if set.repeats_are_computed {
            call_repeats_computed(words, &mut claims);
        }
        let mut core: Vec<(usize, Side)> =
            claims.iter().filter_map(|claim| entry(*claim)).collect();
        core.sort_unstable();
        core.dedup();
        let computed = claims.iter().filter(|claim| **claim == Some(Claim::Computed)).count();
        let placed = claims.iter().flatten().count() - computed;
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let labels_share = share(placed, words.len() - computed);
        let core_share = share(core.len(), set.core_markers());
        let sum = labels_share + core_share;
        let score = if sum > 0.0 { 2.0 * labels_share * core_share / sum } else { 0.0 };
        Self { set, claims, score }
    }

    /// Whether two sets put some label on different parts.
    pub(super) fn contradicts(&self, other: &Self) -> bool {
        let place = |claim: &Option<Claim>| claim.and_then(Claim::place);
        let mut pairs = self.claims.iter().map(place).zip(other.claims.iter().map(place));
        pairs.any(|pair| matches!(pair, (Some(a), Some(b)) if a != b))
    }
}

fn entry(claim: Option<Claim>) -> Option<(usize, Side)> {
    match claim {
        Some(Claim::On(_, entry)) => entry,
        _ => None,
    }
}

fn call_repeats_computed(words: &[&str], claims: &mut [Option<Claim>]) {
    let mut seen = std::collections::HashSet::new();
    for (word, claim) in words.iter().zip(claims) {
        if !seen.insert(*word) {
            *claim = Some(Claim::Computed);
        }
    }
}
