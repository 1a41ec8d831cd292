//! What is open about groups, with its odds.

use super::agglomerate::agglomerate;
use super::cost::{Cost, without};
use super::sample::Sample;
use super::single::Candidates;
use crate::order;

/// A decision that could have gone the other way.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What was decided.
    pub decided: Decision,
    /// The odds that it is right: 4 is four to one.
    pub odds: f64,
}

/// What was decided; markers are indices into the trial's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Two sets of markers are one segment.
    OneSegment([Vec<usize>; 2]),
    /// Two sets of markers are two segments.
    TwoSegments([Vec<usize>; 2]),
    /// A marker is on the segment of the first set, not on that of the second.
    OnSegment(usize, [Vec<usize>; 2]),
}

/// Decisions with higher odds are not listed.
const MAX_ODDS: f64 = 19.0;
/// The odds that two markers that were found to be one segment are one.
const PAIR_ODDS: f64 = 5.2;
/// Sets whose distances vary by so many times the reach are not compared.
const COMPARED: f64 = 2.0;

/// The doubts about the groups of all performers, the most doubtful first.
///
/// # Method
/// r is how much more two sets move against each other than within themselves, the most of any split that was tried, q
/// how much more a marker moves against another segment than against its own. The odds are powers of them, fitted to
/// what was found on public recordings whose labels say what is right: of one segment 2.1 r^-0.92 (315 segments of 47
/// recordings), of two (r/2.66)^3.97, of a marker 5.7 q^2.42 (21 recordings). Of two markers there is one distance, and
/// how little it varies does not tell: 120 of 143 such pairs were right. Where segments are rigid a segment that holds
/// two shows by r > 1.7 (simulated recordings): (r/2)^-5 then, an exponent that was set, not fitted, low enough to list
/// every wrong case seen. No recording was held out of the fits.
pub(super) fn of(
    cost: &mut Cost,
    candidates: &Candidates,
    performers: &[Vec<Vec<u16>>],
    sample: &Sample,
) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut list = |decided: Decision, odds: f64| {
        if odds < MAX_ODDS {
            doubts.push(Doubt { decided, odds });
        }
    };
    let sets = |a: &[u16], b: &[u16]| [sample.in_trial(a), sample.in_trial(b)];
    let noise_m = candidates.limit_m / super::COMPANY;
    for groups in performers {
        for (a, group) in groups.iter().enumerate() {
            if let [one, other] = group[..] {
                list(Decision::OneSegment(sets(&[one], &[other])), PAIR_ODDS);
            } else if let Some((r, one, other)) = loosest(cost, candidates, group) {
                list(Decision::OneSegment(sets(&one, &other)), odds_of_one(r, cost.skin));
            }
            for (b, other) in groups.iter().enumerate().filter(|(b, _)| *b != a) {
                let is_compared = |set: &[u16]| {
                    candidates.spreads.between_m(set, other) <= COMPARED * candidates.reach_m
                };
                if b < a && is_compared(group) {
                    let odds = (cost.ratio(group, other) / 2.66).powf(3.97);
                    list(Decision::TwoSegments(sets(group, other)), odds);
                }
                for marker in group.iter().filter(|m| group.len() > 1 && is_compared(&[**m])) {
                    let rest = without(group, *marker);
                    let own_m = cost.motion_between_m(&[*marker], &rest).hypot(noise_m);
                    let there_m = cost.motion_between_m(&[*marker], other).hypot(noise_m);
                    let marker = sample.markers[usize::from(*marker)];
                    let odds = 5.7 * (there_m / own_m).powf(2.42);
                    list(Decision::OnSegment(marker, sets(&rest, other)), odds);
                }
            }
        }
    }
    order::by(&mut doubts, |a, b| a.odds.total_cmp(&b.odds));
    doubts
}

/// The split of a set of three markers and more whose parts move most against each other, for what they do within
/// themselves: into two as it was put together, or one marker and the others.
fn loosest(
    cost: &mut Cost,
    candidates: &Candidates,
    group: &[u16],
) -> Option<(f64, Vec<u16>, Vec<u16>)> {
    if group.len() < 3 {
        return None;
    }
    let everything = (f64::INFINITY, f64::NEG_INFINITY, 2);
    let mut splits: Vec<(Vec<u16>, Vec<u16>)> =
        group.iter().map(|marker| (vec![*marker], without(group, *marker))).collect();
    if let [one, other] = &agglomerate(cost, candidates.spreads, group, everything)[..] {
        splits.push((one.clone(), other.clone()));
    }
    let rated = splits.into_iter().map(|(one, other)| (cost.ratio(&one, &other), one, other));
    rated.filter(|(r, _, _)| r.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The odds that two sets with a ratio `r` are one segment; `skin` is its share of the scatter.
fn odds_of_one(r: f64, skin: f64) -> f64 {
    let r = r.max(0.01);
    let (on_skin, rigid) = (2.1 * r.powf(-0.92), (r / 2.0).powi(-5));
    // Odds multiply.
    on_skin.powf(skin) * rigid.powf(1.0 - skin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_two_sets_move_the_less_they_are_one() {
        for skin in [0.0, 0.5, 1.0] {
            let odds = [0.0, 0.5, 1.0, 2.0, 4.0].map(|r| odds_of_one(r, skin));
            assert!(odds.windows(2).all(|two| two[0] >= two[1]), "{odds:?}");
        }
        assert!(odds_of_one(1.0, 0.0) > MAX_ODDS && odds_of_one(2.0, 0.0) < 2.0);
    }
}
