//! The partition improved: markers moved, groups joined, pairs taken out.

use super::change::{Best, Change, improve};
use super::cost::{Cost, union, without};
use super::spread::Spreads;

/// Improves a partition change by change, the most profitable first, until none shortens its
/// description: a marker moves to another group or becomes one, two groups become one, two markers
/// of one or two groups become one of their own.
pub(super) fn refine(cost: &mut Cost, spreads: &Spreads, groups: &mut Vec<Vec<u16>>, reach_m: f64) {
    let markers: usize = groups.iter().map(Vec::len).sum();
    improve(groups, 4 * markers, |groups| best(cost, spreads, groups, reach_m));
}

/// Moves markers between groups that keep two at least, and joins groups; none is added.
pub(super) fn settle(cost: &mut Cost, spreads: &Spreads, groups: &mut Vec<Vec<u16>>, reach_m: f64) {
    let markers: usize = groups.iter().map(Vec::len).sum();
    improve(groups, 4 * markers, |groups| {
        let mut best = Best::new(groups);
        for (a, group) in groups.iter().enumerate().filter(|(_, group)| group.len() > 1) {
            for (b, other) in groups.iter().enumerate().filter(|(b, _)| *b != a) {
                if b < a && spreads.between_m(group, other) <= reach_m {
                    best.consider(cost, &[a, b], &[&union(group, other)]);
                }
                let is_kept = group.len() > 2 && other.len() > 1;
                for marker in group.iter().filter(|_| is_kept) {
                    if spreads.between_m(&[*marker], other) <= reach_m {
                        let (rest, more) = (without(group, *marker), union(other, &[*marker]));
                        best.consider(cost, &[a, b], &[&rest, &more]);
                    }
                }
            }
        }
        best.into_change()
    });
}

fn best(cost: &mut Cost, spreads: &Spreads, groups: &[Vec<u16>], reach_m: f64) -> Option<Change> {
    let mut best = Best::new(groups);
    for (a, group) in groups.iter().enumerate() {
        for (b, other) in groups.iter().enumerate() {
            if b == a {
                continue;
            }
            if b < a && spreads.between_m(group, other) <= reach_m {
                best.consider(cost, &[a, b], &[&union(group, other)]);
            }
            for marker in group {
                if spreads.between_m(&[*marker], other) <= reach_m {
                    let (rest, more) = (without(group, *marker), union(other, &[*marker]));
                    best.consider(cost, &[a, b], &[&rest, &more]);
                }
            }
        }
        if group.len() > 1 {
            for marker in group {
                best.consider(cost, &[a], &[&without(group, *marker), &[*marker]]);
            }
        }
        pairs_out_of(cost, spreads, (a, groups), reach_m, &mut best);
    }
    best.into_change()
}

/// Pairs of a marker of group `a` and one of the same group or a later one.
fn pairs_out_of(
    cost: &mut Cost,
    spreads: &Spreads,
    (a, groups): (usize, &[Vec<u16>]),
    reach_m: f64,
    best: &mut Best,
) {
    for (i, one) in groups[a].iter().enumerate() {
        let near =
            |other: &u16| spreads.spread_m(usize::from(*one), usize::from(*other)) <= reach_m;
        let rest = without(&groups[a], *one);
        if groups[a].len() > 2 {
            for other in groups[a][i + 1..].iter().filter(|other| near(other)) {
                let pair = union(&[*one], &[*other]);
                best.consider(cost, &[a], &[&pair, &without(&rest, *other)]);
            }
        }
        for (b, group) in groups.iter().enumerate().skip(a + 1) {
            for other in group.iter().filter(|other| near(other)) {
                let pair = union(&[*one], &[*other]);
                best.consider(cost, &[a, b], &[&pair, &rest, &without(group, *other)]);
            }
        }
    }
}
