//! What a partition of the markers into segments costs: how long its description is.

use std::collections::HashMap;

use super::rigidity::{Misfit, Rigidity};
use super::spread::Spreads;

/// The description length of sets of markers.
///
/// # Method
/// A set of n markers that is one rigid segment leaves `freedom` = 3n - 6 coordinates a frame to chance (1 of
/// two markers, 0 of one) and has 6 that describe its pose. Chance costs ln of its variance each, with
/// the variance of the set itself drawn towards the recording's noise σ₀ as ν coordinates of noise
/// would: (freedom + ν) ln((square + νσ₀²)/((freedom + ν)σ₀²)). A coordinate of a pose costs ln of the
/// variance that motion has, over σ₀². So two sets are one segment if the motion between them is worth
/// less than describing it: little motion in a quiet recording tells segments apart that the same
/// motion does not in a lively one.
///
/// A segment with a joint has fewer coordinates of its own than the six of a pose: half of them are charged where what
/// is left within segments is white noise, of which a distance has twice the variance of a coordinate. Where it is
/// skin all are, as skin moves like a joint does: φ = 1 - 2σ_white²/σ₀² is its share.
///
/// A lone marker has 3 coordinates; two have 5, of which a joint to a neighbour takes half a one away.
pub(super) struct Cost<'a> {
    rigidity: Rigidity<'a>,
    noise_m2: f64,
    /// φ: the share of skin in what is left within segments.
    pub skin: f64,
    /// What a coordinate of a pose costs.
    pub coordinate: f64,
    /// What a lone marker costs, in coordinates.
    lone: f64,
    /// What two markers cost, in coordinates.
    pair: f64,
    known: HashMap<Box<[u16]>, (Misfit, f64)>,
    /// Work done, and the most that is done: samples fitted and sets looked up.
    work: usize,
    most_work: usize,
}

/// Work that is always done; two or three seconds.
const LEAST_WORK: usize = 20_000_000;
/// Work for every two markers at most: time grows with the square of their number.
const WORK_A_PAIR: usize = 150;

/// ν: how many coordinates of noise the noise of the recording counts as.
const PRIOR: f64 = 4.0;
/// Coordinates of the pose of one, two, and three or more markers.
const POSE: [f64; 3] = [3.0, 4.5, 6.0];
/// What is charged of the coordinates of a pose where segments are rigid: a joint allows one to three of them.
const JOINTED_CHARGE: f64 = 0.5;
/// Added to the cost of a coordinate: its own amplitude has to be described too.
const OVERHEAD: f64 = 0.25;
/// A coordinate costs so much at least.
const LEAST_COORDINATE: f64 = 1.5;

impl<'a> Cost<'a> {
    /// `white_m` is the white noise of a coordinate.
    pub fn new(rigidity: Rigidity<'a>, spreads: &Spreads, white_m: f64) -> Self {
        let Spreads { noise_m, motion_m, .. } = *spreads;
        let noise_m2 = noise_m * noise_m;
        let skin = (1.0 - 2.0 * white_m * white_m / noise_m2).clamp(0.0, 1.0);
        let charge = JOINTED_CHARGE + (1.0 - JOINTED_CHARGE) * skin;
        let coordinate = charge * (2.0 * (motion_m / noise_m).ln() + OVERHEAD);
        let coordinate = coordinate.max(LEAST_COORDINATE);
        Self {
            rigidity,
            noise_m2,
            skin,
            coordinate,
            lone: POSE[0],
            pair: POSE[1],
            known: HashMap::new(),
            work: 0,
            most_work: LEAST_WORK.max(WORK_A_PAIR * spreads.markers().pow(2)),
        }
    }

    /// From now on a lone marker costs as many coordinates as a whole segment.
    pub fn charge_singletons_as_segments(&mut self) {
        self.lone = POSE[2];
    }

    /// From now on two markers cost as many coordinates as a whole segment, as far as segments are rigid.
    ///
    /// A joint takes away as much from either, so a marker at a joint goes where it fits, not where it leaves
    /// a pair, and a pair is no cheap half of a segment.
    pub fn charge_pairs_as_segments(&mut self) {
        self.pair = POSE[2] + (POSE[1] - POSE[2]) * self.skin;
        self.known.retain(|set, _| set.len() != 2);
    }

    /// Whether the work was given up before its end.
    pub fn is_exhausted(&self) -> bool {
        self.work > self.most_work
    }

    /// The cost of one set, in ascending order; nothing for none.
    pub fn of(&mut self, set: &[u16]) -> f64 {
        match set.len() {
            0 => 0.0,
            1 => self.coordinate * self.lone,
            _ => self.known(set).1,
        }
    }

    /// The misfit of one set.
    pub fn misfit(&mut self, set: &[u16]) -> Misfit {
        self.known(set).0
    }

    fn known(&mut self, set: &[u16]) -> (Misfit, f64) {
        self.work += 1;
        if let Some(known) = self.known.get(set) {
            return *known;
        }
        // What was not compared is not rigid as far as anybody knows: nothing gains from it any more.
        let misfit = match set.len() > 2 && self.is_exhausted() {
            true => Misfit::unknown(set.len()),
            false => self.rigidity.misfit(set),
        };
        self.work += set.len() * self.rigidity.frames();
        let weight = misfit.freedom + PRIOR;
        let variance = (misfit.square_m2 + PRIOR * self.noise_m2) / weight;
        let pose = self.coordinate * if set.len() == 2 { self.pair } else { POSE[2] };
        let cost = weight * (variance / self.noise_m2).ln() + pose;
        self.known.insert(set.into(), (misfit, cost));
        (misfit, cost)
    }

    /// How much more two sets move against each other than within themselves, a degree of freedom.
    pub fn ratio(&mut self, one: &[u16], other: &[u16]) -> f64 {
        let between_m = self.motion_between_m(one, other);
        let (a, b) = (self.misfit(one), self.misfit(other));
        let within = a.square_m2 + b.square_m2 + PRIOR * self.noise_m2;
        between_m / (within / (a.freedom + b.freedom + PRIOR)).sqrt()
    }

    /// How much one set moves against another: a standard deviation a degree of freedom.
    pub fn motion_between_m(&mut self, one: &[u16], other: &[u16]) -> f64 {
        let (a, b) = (self.misfit(one), self.misfit(other));
        let whole = self.misfit(&union(one, other));
        let freedom = (whole.freedom - a.freedom - b.freedom).max(1.0);
        ((whole.square_m2 - a.square_m2 - b.square_m2).max(0.0) / freedom).sqrt()
    }
}

/// Both sets together, in ascending order.
pub(super) fn union(one: &[u16], other: &[u16]) -> Vec<u16> {
    let mut both = [one, other].concat();
    both.sort_unstable();
    both
}

/// The set without a marker.
pub(super) fn without(set: &[u16], marker: u16) -> Vec<u16> {
    set.iter().copied().filter(|m| *m != marker).collect()
}

#[cfg(test)]
mod tests {
    use super::super::agglomerate::agglomerate;
    use super::super::sample::Sample;
    use super::*;
    use crate::simulate::{Options, Performer, simulate};

    #[test]
    fn when_the_work_is_given_up_nothing_but_pairs_is_joined_and_it_is_said() {
        let options = Options { seconds: 2.0, ..Options::default() };
        let trial = simulate(&Performer::arm(), &options).unwrap().trial;
        let all: Vec<usize> = (0..trial.markers.len()).collect();
        let sample = Sample::of(&trial, &all, &[]).unwrap();
        let spreads = Spreads::of(&sample);
        let sets: Vec<u16> = (0..all.len() as u16).collect();
        let largest = |most_work: usize| {
            let mut cost = Cost::new(Rigidity::new(&sample, &spreads), &spreads, sample.noise_m);
            cost.most_work = most_work;
            let groups = agglomerate(&mut cost, &spreads, &sets, (f64::INFINITY, 0.0, 1));
            let largest = groups.iter().map(Vec::len).max();
            (largest, cost.is_exhausted())
        };
        assert_eq!(largest(0), (Some(2), true));
        let (joined, is_exhausted) = largest(LEAST_WORK);
        assert!(joined > Some(2) && !is_exhausted, "{joined:?}");
    }
}
