//! What all sets together make of the labels of a performer.

use super::body::Place;
use super::score::Scored;
use super::sets::SETS;
use super::table::Claim;
use crate::order;

/// Two sets whose scores differ by less are a tie, worth saying if they contradict each other.
const TIE: f64 = 0.02;

/// The least score of a set that is taken for the one that was worn.
const LEAST_SCORE: f64 = 0.5;

/// Shorter words without a side could mean anything.
const SHORTEST_UNSIDED: usize = 3;

/// The set that was worn, and what it and the anatomical names say.
pub(super) struct Verdict {
    /// The name of the set.
    pub(super) name: &'static str,
    /// For every label, in the order given.
    pub(super) claims: Vec<Option<Claim>>,
    /// A set that does as well and says otherwise.
    pub(super) rival: Option<&'static str>,
    /// How much better its score is than that of the second best; its score if no other has one, 0 of words that mean
    /// the same everywhere.
    pub(super) margin: f64,
}

impl Verdict {
    /// Judges labels in normal spelling.
    pub(super) fn on(words: &[&str]) -> Self {
        let mut scored: Vec<Scored> = SETS.set.iter().map(|set| Scored::of(set, words)).collect();
        // A stable sort: of equals the one that is listed first.
        order::by(&mut scored, |a, b| b.score.total_cmp(&a.score));
        let general = Scored::of(&SETS.general, words).claims;
        let verdict = match scored.first().filter(|best| best.score >= LEAST_SCORE) {
            None => Self { name: &SETS.general.name, claims: general, rival: None, margin: 0.0 },
            Some(best) => Self {
                name: &best.set.name,
                claims: best.claims.iter().zip(general).map(|(own, other)| own.or(other)).collect(),
                rival: scored[1..]
                    .iter()
                    .take_while(|other| best.score - other.score < TIE)
                    .find(|other| other.contradicts(best))
                    .map(|other| other.set.name.as_str()),
                margin: best.score - scored.get(1).map_or(0.0, |second| second.score),
            },
        };
        verdict.with_unsided(words)
    }

    /// Where every label is, if anywhere.
    pub(super) fn places(&self) -> Vec<Option<Place>> {
        self.claims.iter().map(|claim| claim.and_then(Claim::place)).collect()
    }

    /// Lets labels leave their side out where no limb has one: the recording is of one limb.
    fn with_unsided(mut self, words: &[&str]) -> Self {
        if self.places().iter().flatten().any(|place| place.is_limb()) {
            return self;
        }
        for (claim, word) in self.claims.iter_mut().zip(words) {
            if claim.is_none() && word.len() >= SHORTEST_UNSIDED {
                *claim = SETS.general.claim_unsided(word).map(|place| Claim::On(place, None));
            }
        }
        self
    }
}
