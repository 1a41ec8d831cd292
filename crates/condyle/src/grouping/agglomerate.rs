//! The first partition: sets are joined as long as that makes the description shorter.

use std::collections::BinaryHeap;

use super::cost::{Cost, union};
use super::spread::Spreads;

/// A possible joining of two sets, the most profitable first.
struct Joining {
    gain: f64,
    sets: [usize; 2],
}

impl PartialEq for Joining {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Joining {}

impl PartialOrd for Joining {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Joining {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| other.sets.cmp(&self.sets))
    }
}

/// Joins markers to sets, best gain first, until `fewest` sets are left or nothing gains any more.
///
/// Only sets whose distances vary by less than `reach_m` on average are looked at.
pub(super) fn agglomerate(
    cost: &mut Cost,
    spreads: &Spreads,
    markers: &[u16],
    (reach_m, least_gain, fewest): (f64, f64, usize),
) -> Vec<Vec<u16>> {
    let mut sets: Vec<Option<Vec<u16>>> =
        markers.iter().map(|marker| Some(vec![*marker])).collect();
    let mut queue = BinaryHeap::new();
    let is_worth = |joining: &Joining| joining.gain > least_gain;
    for a in 0..sets.len() {
        for b in 0..a {
            queue.extend(joining(cost, spreads, &sets, [a, b], reach_m).filter(is_worth));
        }
    }
    let mut left = sets.len();
    while left > fewest
        && let Some(Joining { sets: [a, b], .. }) = queue.pop()
    {
        // Sets that were joined meanwhile are gone.
        if sets[a].is_none() || sets[b].is_none() {
            continue;
        }
        let (Some(one), Some(other)) = (sets[a].take(), sets[b].take()) else { continue };
        sets.push(Some(union(&one, &other)));
        left -= 1;
        let new = sets.len() - 1;
        for old in 0..new {
            queue.extend(joining(cost, spreads, &sets, [new, old], reach_m).filter(is_worth));
        }
    }
    sets.into_iter().flatten().collect()
}

fn joining(
    cost: &mut Cost,
    spreads: &Spreads,
    sets: &[Option<Vec<u16>>],
    [a, b]: [usize; 2],
    reach_m: f64,
) -> Option<Joining> {
    let (one, other) = (sets[a].as_ref()?, sets[b].as_ref()?);
    if spreads.between_m(one, other) > reach_m {
        return None;
    }
    let gain = cost.of(one) + cost.of(other) - cost.of(&union(one, other));
    Some(Joining { gain, sets: [a, b] })
}
