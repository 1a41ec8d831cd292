//! The best interval in which two labels were exchanged.

use std::ops::Range;

use nalgebra::Point3;

use super::steps::Steps;
use super::tracks::Tracks;
use super::usual::Usual;
use crate::statistics::{mean, median};

/// Distances are looked at so many times a second: neighbouring frames say the same again.
const PER_SECOND: f64 = 30.0;
const MOST_FRAMES: usize = 4000;
/// How much one such look says at most, for or against.
const MOST_A_LOOK: f64 = 2.0;
/// Labels rarely change places: what an exchange has to gain, and more for every second that it lasts.
const LEAST_GAIN: f64 = 8.0;
const GAIN_PER_SECOND: f64 = 1.0;
/// Another interval that differs and gains so much as well leaves it open which is right.
const MARGIN: f64 = 4.0;
/// Intervals whose ends differ by so few frames are the same.
const SAME_FRAMES: usize = 4;
/// Both labels are seen together in so many frames: what goes to a label that is not there cannot be told from a marker
/// that is seen wrongly.
const MIN_FRAMES: usize = 4;
/// Distances have to gain so much, or steps at both ends what is worth a look: a marker that is seen again somewhere else
/// jumps at one end only.
const LEAST_BY_PLACE: f64 = 4.0;
/// A step across gains so much, or a stretch between cuts is so much likelier under another label: worth a look.
const WORTH_BY_STEP: f64 = 6.0;
const WORTH_BY_PLACE: f64 = 0.4;
/// A stretch that is so much less likely than the label's usual one is worth asking about.
const UNUSUAL: f64 = 0.3;
/// Looks at one stretch, at most.
const LOOKS: usize = 12;

/// Two labels that were exchanged.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub markers: [usize; 2],
    pub frames: Range<usize>,
    pub gain: f64,
}

impl Found {
    /// Whether they have a label in common at some time.
    pub fn meets(&self, other: &Self) -> bool {
        let is_apart =
            self.frames.end <= other.frames.start || other.frames.end <= self.frames.start;
        !is_apart && self.markers.iter().any(|marker| other.markers.contains(marker))
    }
}

/// Pairs of labels worth a look: a step across at a cut is likelier, or a stretch between two cuts is in the other's
/// place.
pub(super) fn candidates(tracks: &Tracks, usual: &Usual, steps: &Steps) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for one in 0..tracks.count() {
        let own = &steps.cuts[one];
        for &cut in own {
            let straight = steps.cost(tracks, [one, one], cut);
            for other in (0..tracks.count()).filter(|other| *other != one) {
                let gain = across(tracks, steps, [one, other], cut, straight);
                if gain > WORTH_BY_STEP {
                    pairs.push([one.min(other), one.max(other)]);
                }
            }
        }
        let starts = std::iter::once(0).chain(own.iter().copied());
        let ends = own.iter().copied().chain([tracks.frames]);
        let stretches: Vec<Stretch> = starts
            .zip(ends)
            .map(|(start, end)| Stretch::of(tracks, usual, one, start..end))
            .collect();
        let scores = stretches.iter().flat_map(|stretch| stretch.looks.iter().map(|_| stretch.own));
        let usually = median(scores).unwrap_or(0.0);
        for stretch in stretches.iter().filter(|stretch| stretch.own < usually - UNUSUAL) {
            pairs.extend(stretch.likelier(tracks, usual));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// How much likelier the steps of two labels at a frame are, if the labels change places there.
fn across(
    tracks: &Tracks,
    steps: &Steps,
    [one, other]: [usize; 2],
    frame: usize,
    straight: f64,
) -> f64 {
    let straight = straight + steps.cost(tracks, [other, other], frame);
    let crossed = steps.cost(tracks, [one, other], frame) + steps.cost(tracks, [other, one], frame);
    straight - crossed
}

/// A stretch of a trajectory between two cuts.
struct Stretch {
    label: usize,
    looks: Vec<(usize, Point3<f64>)>,
    /// How well it is in its own place.
    own: f64,
}

impl Stretch {
    fn of(tracks: &Tracks, usual: &Usual, label: usize, frames: Range<usize>) -> Self {
        let stride = frames.len().div_ceil(LOOKS).max(1);
        let looks = frames
            .step_by(stride)
            .filter_map(|frame| Some((frame, tracks.place_m(label, frame)?)))
            .collect();
        let mut stretch = Self { label, looks, own: 0.0 };
        stretch.own = stretch.score(tracks, usual, label, usize::MAX);
        stretch
    }

    fn score(&self, tracks: &Tracks, usual: &Usual, label: usize, without: usize) -> f64 {
        let score =
            |(frame, place_m): &(usize, _)| usual.score(tracks, *frame, label, (*place_m, without));
        mean(self.looks.iter().map(score)).unwrap_or(0.0)
    }

    /// Labels in whose place it is rather than in its own.
    fn likelier(&self, tracks: &Tracks, usual: &Usual) -> impl Iterator<Item = [usize; 2]> {
        let is_likelier = |other: &usize| {
            let score = |label, without| self.score(tracks, usual, label, without);
            *other != self.label
                && score(*other, self.label) > score(self.label, *other) + WORTH_BY_PLACE
        };
        (0..tracks.count())
            .filter(is_likelier)
            .map(|other| [self.label.min(other), self.label.max(other)])
    }
}

/// Two labels that may have been exchanged.
pub(super) struct Pair<'a> {
    pub markers: [usize; 2],
    pub tracks: &'a Tracks,
    pub usual: &'a Usual,
}

impl Pair<'_> {
    /// The interval in which an exchange gains most, if it gains enough and no other gains nearly as much.
    pub fn best(&self, steps: &Steps) -> Option<Found> {
        let [a, b] = self.markers;
        let mut cuts = vec![0, self.tracks.frames];
        cuts.extend(steps.cuts[a].iter().chain(&steps.cuts[b]));
        cuts.sort_unstable();
        cuts.dedup();
        let crossings: Vec<f64> = cuts
            .iter()
            .map(|cut| {
                let straight = steps.cost(self.tracks, [a, a], *cut);
                across(self.tracks, steps, [a, b], *cut, straight)
            })
            .collect();
        let places = self.gain_by_place(&cuts);
        let seen = self.seen_before(&cuts);
        let is_gain_enough = |start: usize, end: usize| {
            let jumps = crossings[start].min(crossings[end]) > WORTH_BY_STEP;
            jumps || places[end] - places[start] > LEAST_BY_PLACE
        };
        let gain = |start: usize, end: usize| {
            if !is_gain_enough(start, end) {
                return f64::NEG_INFINITY;
            }
            let lasts_s = (cuts[end] - cuts[start]) as f64 / self.tracks.rate_hz;
            places[end] - places[start] + crossings[start] + crossings[end]
                - LEAST_GAIN
                - GAIN_PER_SECOND * lasts_s
        };
        let all = || {
            let pairs = (0..cuts.len()).flat_map(|end| (0..end).map(move |start| (start, end)));
            pairs.filter(|(start, end)| seen[*end] - seen[*start] >= MIN_FRAMES)
        };
        let (start, end) = all().max_by(|x, y| gain(x.0, x.1).total_cmp(&gain(y.0, y.1)))?;
        let most = gain(start, end);
        if most <= 0.0 {
            return None;
        }
        let is_same = |(s, e): (usize, usize)| {
            cuts[s].abs_diff(cuts[start]) <= SAME_FRAMES
                && cuts[e].abs_diff(cuts[end]) <= SAME_FRAMES
        };
        let is_open = all().any(|(s, e)| gain(s, e) > most - MARGIN && !is_same((s, e)));
        let frames = cuts[start]..cuts[end];
        (!is_open).then_some(Found { markers: self.markers, frames, gain: most })
    }

    /// For every cut the frames before it that show both labels.
    fn seen_before(&self, cuts: &[usize]) -> Vec<usize> {
        let mut sums = vec![0];
        for frame in 0..self.tracks.frames {
            let are_seen = self.markers.iter().all(|m| self.tracks.place_m(*m, frame).is_some());
            sums.push(sums[frame] + usize::from(are_seen));
        }
        cuts.iter().map(|cut| sums[*cut]).collect()
    }

    /// For every cut what an exchange of all frames before it gains by the distances to other markers.
    fn gain_by_place(&self, cuts: &[usize]) -> Vec<f64> {
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(cuts.len());
        let mut looks = self.tracks.sampled(PER_SECOND, MOST_FRAMES).peekable();
        for cut in cuts {
            while let Some(frame) = looks.next_if(|frame| frame < cut) {
                sum += self.gain_in(frame).clamp(-MOST_A_LOOK, MOST_A_LOOK);
            }
            sums.push(sum);
        }
        sums
    }

    /// What an exchange in a frame gains by the distances to other markers.
    fn gain_in(&self, frame: usize) -> f64 {
        let [a, b] = self.markers;
        let gain = |own: usize, other: usize| {
            let Some(place_m) = self.tracks.place_m(own, frame) else { return 0.0 };
            let score =
                |label, without| self.usual.score(self.tracks, frame, label, (place_m, without));
            score(other, own) - score(own, other)
        };
        gain(a, b) + gain(b, a)
    }
}
