//! Labels for all tracklets of a recording at once.

use super::assign::assign;
use super::scores::Scores;
use super::tracklet::{Look, Tracklet};
use crate::order;

/// The tracklets that have a label, in the order of time; no two at once.
#[derive(Clone, Default)]
pub(super) struct Held(Vec<usize>);

impl Held {
    /// Those that share frames with a tracklet.
    pub(super) fn beside<'a>(
        &'a self,
        tracklets: &'a [Tracklet],
        one: &'a Tracklet,
    ) -> impl Iterator<Item = usize> + 'a {
        let start = self.0.partition_point(|held| tracklets[*held].end() <= one.first);
        self.0[start..].iter().copied().take_while(|held| tracklets[*held].first < one.end())
    }

    pub(super) fn insert(&mut self, tracklets: &[Tracklet], one: usize) {
        let first = tracklets[one].first;
        let at = self.0.partition_point(|held| tracklets[*held].first < first);
        self.0.insert(at, one);
    }

    /// Who has which label.
    pub(super) fn all(
        tracklets: &[Tracklet],
        label_of: &[Option<usize>],
        labels: usize,
    ) -> Vec<Self> {
        let mut held = vec![Self::default(); labels];
        for (tracklet, label) in label_of.iter().enumerate() {
            if let Some(label) = label {
                held[*label].insert(tracklets, tracklet);
            }
        }
        held
    }
}

/// The label of every tracklet: the best assignment of every frame, of those the one that a tracklet has most and
/// best, and no label twice at a time. Labels in `given` stay.
pub(super) fn decide(
    tracklets: &[Tracklet],
    looks: &[Look],
    scores: &Scores,
    given: &[Option<usize>],
    none: f64,
) -> Vec<Option<usize>> {
    let labels = scores.labels();
    let mut wins = Scores::zero(tracklets.len(), labels);
    // As long as the same tracklets are seen, the answer is the same.
    for same in looks.chunk_by(|a, b| a.tracklets == b.tracklets) {
        let seen = &same[0].tracklets;
        let found = assign(seen.len(), labels, |point, label| scores.at(seen[point], label) - none);
        for (tracklet, label) in seen.iter().zip(found) {
            if let Some(label) = label {
                wins.add(*tracklet, label, same.len() as f64);
            }
        }
    }
    let mut order = Vec::new();
    for tracklet in (0..tracklets.len()).filter(|tracklet| given[*tracklet].is_none()) {
        for label in 0..labels {
            let won = wins.at(tracklet, label) * (scores.at(tracklet, label) - none);
            if won > 0.0 {
                order.push((won, tracklet, label));
            }
        }
    }
    order::by(&mut order, |a, b| b.0.total_cmp(&a.0));
    let mut label_of = given.to_vec();
    let mut held = Held::all(tracklets, given, labels);
    for (_, tracklet, label) in order {
        let is_free = held[label].beside(tracklets, &tracklets[tracklet]).next().is_none();
        if label_of[tracklet].is_none() && is_free {
            label_of[tracklet] = Some(label);
            held[label].insert(tracklets, tracklet);
        }
    }
    label_of
}
