//! Groups of a single marker: near a joint a marker fits two segments, and the one with fewer markers needs
//! it more.
//!
//! A marker on the axis of a joint keeps its distances to the markers of both segments, so the
//! description is shortest with it on the segment that has more. Then the last marker of the other one
//! is left alone and tells nothing of its orientation. Here it may join a group, or take a partner from
//! one that can spare it, or from a pair whose other marker can join another group in turn.

use super::change::{Best, Change, improve};
use super::cost::{Cost, union, without};
use super::spread::Spreads;

/// What may go together.
pub(super) struct Candidates<'a> {
    pub spreads: &'a Spreads,
    /// For every marker, how many others are nearer: `[marker][other]`.
    pub ranks: &'a [Vec<usize>],
    /// How much a marker may move against a group or a partner.
    pub limit_m: f64,
    /// Groups whose distances to a marker vary by more are not looked at.
    pub reach_m: f64,
}

/// Candidates are among so many nearest markers, one way or the other.
const NEAREST: usize = 6;

/// One of three is spared if it moves against the lone marker at most so many times as much as against
/// the other two.
const SPARED: f64 = 3.0;

impl Candidates<'_> {
    /// Joins single markers to groups as long as that makes the description shorter.
    pub fn find(&self, cost: &mut Cost, groups: &mut Vec<Vec<u16>>) {
        let rounds = groups.len();
        improve(groups, rounds, |groups| self.best(cost, groups));
    }

    fn best(&self, cost: &mut Cost, groups: &[Vec<u16>]) -> Option<Change> {
        let mut best = Best::new(groups);
        for (a, group) in groups.iter().enumerate() {
            let [lone] = group[..] else { continue };
            for (b, other) in groups.iter().enumerate().filter(|(b, _)| *b != a) {
                if self.fits(cost, lone, other) {
                    best.consider(cost, &[a, b], &[&union(other, &[lone])]);
                }
                if other.len() < 2 {
                    continue;
                }
                for partner in other.iter().filter(|partner| self.is_partner(lone, **partner)) {
                    let (pair, rest) = (union(&[lone], &[*partner]), without(other, *partner));
                    if !self.can_spare(cost, lone, *partner, &rest) {
                        continue;
                    }
                    best.consider(cost, &[a, b], &[&pair, &rest]);
                    if let [left] = rest[..] {
                        self.company_for_the_left((a, b, left, &pair), groups, cost, &mut best);
                    }
                }
            }
        }
        best.into_change()
    }

    /// The pair of `b` is broken up for the lone marker of `a`: where its other marker could go.
    fn company_for_the_left(
        &self,
        (a, b, left, pair): (usize, usize, u16, &[u16]),
        groups: &[Vec<u16>],
        cost: &mut Cost,
        best: &mut Best,
    ) {
        for (c, third) in groups.iter().enumerate().filter(|(c, _)| *c != a && *c != b) {
            if third.len() > 1 && self.fits(cost, left, third) {
                best.consider(cost, &[a, b, c], &[pair, &union(third, &[left])]);
            }
            for partner in third.iter().filter(|partner| self.is_partner(left, **partner)) {
                let next = union(&[left], &[*partner]);
                best.consider(cost, &[a, b, c], &[pair, &next, &without(third, *partner)]);
            }
        }
    }

    /// Three markers that give up one lose their orientation: only one that hardly fits them better.
    fn can_spare(&self, cost: &mut Cost, lone: u16, partner: u16, rest: &[u16]) -> bool {
        let spread_m = self.spreads.spread_m(usize::from(lone), usize::from(partner));
        rest.len() != 2 || spread_m <= SPARED * cost.motion_between_m(&[partner], rest)
    }

    /// Whether a marker could be on a group's segment.
    pub fn fits(&self, cost: &mut Cost, marker: u16, group: &[u16]) -> bool {
        match group {
            [other] => self.is_partner(marker, *other),
            _ => {
                group.iter().any(|other| self.is_near(marker, *other))
                    && self.spreads.between_m(&[marker], group) <= self.reach_m
                    && cost.motion_between_m(&[marker], group) <= self.limit_m
            }
        }
    }

    fn is_partner(&self, one: u16, other: u16) -> bool {
        self.spreads.spread_m(usize::from(one), usize::from(other)) <= self.limit_m
            && self.is_near(one, other)
    }

    fn is_near(&self, one: u16, other: u16) -> bool {
        let (one, other) = (usize::from(one), usize::from(other));
        self.ranks[one][other] <= NEAREST || self.ranks[other][one] <= NEAREST
    }
}
