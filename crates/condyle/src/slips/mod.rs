//! Markers that slip on their segment, and stay where they slipped to.
//!
//! | file | holds |
//! |---|---|
//! | `smooth` | a trajectory as smooth motion with noise |
//! | `jump` | how likely it is, at every instant, that a marker jumped |
//! | `lasting` | whether a marker sits elsewhere among its mates from then on |
//! | `staying` | whether distances contradict that |
//! | `behind_gaps` | markers that sit elsewhere when they are seen again |

mod behind_gaps;
mod jump;
mod lasting;
mod smooth;
mod staying;

use nalgebra::{Point3, Vector3};

use crate::order;
use crate::statistics::median;
use crate::swaps;
use crate::trial::Trial;
use jump::{Jump, Jumps};
use lasting::Sitting;

/// A marker that slipped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// The marker, as an index into the trial's.
    pub marker: usize,
    /// The first frame after it.
    pub frame: usize,
    /// How far.
    pub shift_m: f64,
    /// How sure: the logarithm of how much likelier its motion is with the slip than without. That it jumps and that it
    /// sits elsewhere from then on are added up, and count 20 at most each.
    pub strength: f64,
}

/// What is reported. Chosen, with the limits below, on simulated people of seeds 21 to 46 and on the public recordings.
pub const MIN_STRENGTH: f64 = 10.0;
/// A jump alone is at least so clear, and that it lasts.
const LEAST_JUMP: f64 = 4.0;
const LEAST_LASTING: f64 = 6.0;
/// And either counts at most so much.
const MOST: f64 = 20.0;
/// Where nothing tells whether it lasts, nothing speaks against it, and it is so clear, and so many times the next
/// clearest jump of the recording, which is at least so clear.
const NOT_REFUTED: f64 = -0.5;
const LEAST_CLEAR: f64 = 25.0;
const TIMES_USUAL: f64 = 3.0;
const USUAL_JUMP: f64 = 5.0;
/// What is a candidate at first sight, and within how many samples of it the best instant is.
const CANDIDATE: f64 = 1.5;
const BESIDE: usize = 2;
/// And so far at least, in metres: in real recordings skin and cameras shift markers by 3 to 4 mm for good.
const LEAST_SHIFT_M: f64 = 5e-3;
/// What is known no better than this, in metres along an axis, is not measured.
const LEAST_KNOWN_M: f64 = 2.5e-3;
/// Frames a second that are looked at, at most.
const MAX_RATE_HZ: f64 = 150.0;
/// So many markers tell whether one jumped alone: those whose distance to it varies least.
const MATES: usize = 8;
/// And a jump is looked at against so many of them: what both do is no jump.
const AGAINST: usize = 3;
/// If it is so clear alone: whose jump it is, a difference does not tell.
const LEAST_ALONE: f64 = 5.0;
/// A jump that is taken back within this, in seconds, but for so large a share, is no slip.
const BACK_S: f64 = 2.0;
const LEFT_BEHIND: f64 = 0.5;
/// And its way back is at least so clear.
const BACK: f64 = 4.5;
/// One event is not told twice within this, in seconds either way.
const APART_S: f64 = 0.5;

/// Finds markers that slipped, in the order of the frames.
///
/// # Method
/// A trajectory is smooth and a slip is not: at every instant the samples before and after it are compared, with a jump
/// and without (see `jump`). What a marker's mates do at the same instant is taken off: an impact goes through all
/// markers of a segment. A jump that is taken back is a marker that was mistaken for another. What is left is a
/// candidate, and a slip if the marker sits elsewhere among its mates from then on (see `lasting`). What slips while it is
/// hidden shows no jump: after a gap, where it sits must be clear by itself (see `behind_gaps`). No segment is needed, and
/// no number of markers on it, but three mates.
pub fn find(trial: &Trial, markers: &[usize]) -> Vec<Slip> {
    find_stronger(trial, markers, MIN_STRENGTH)
}

/// The same with another least strength.
pub fn find_stronger(trial: &Trial, markers: &[usize], least: f64) -> Vec<Slip> {
    let every = ((trial.rate_hz / MAX_RATE_HZ).ceil() as usize).max(1);
    let rate_hz = trial.rate_hz / every as f64;
    let places_m = |marker: &usize| -> Vec<Option<Point3<f64>>> {
        (0..trial.frames).step_by(every).map(|at| trial.markers[*marker].position_m(at)).collect()
    };
    let places_m: Vec<Vec<Option<Point3<f64>>>> = markers.iter().map(places_m).collect();
    let of_marker = |places_m: &Vec<Option<Point3<f64>>>| {
        let jumps = Jumps::new(places_m, rate_hz);
        (jumps.noise_m, jumps.all())
    };
    let (noise_m, jumps) = places_m.iter().map(of_marker).unzip();
    let mates = swaps::steadiest(trial, markers, MATES);
    let looked = Looked { rate_hz, places_m, noise_m, jumps, mates };
    let all = (0..markers.len()).flat_map(|own| looked.of_marker(own));
    let (mut slips, open): (Vec<Candidate>, Vec<Candidate>) =
        all.partition(|candidate| candidate.lasts.is_some_and(|gain| gain > LEAST_LASTING));
    slips.extend(clearest(&looked, &open));
    let hidden = behind_gaps::all(&looked, &slips);
    slips.extend(hidden);
    let slip = |candidate: Candidate| Slip {
        marker: markers[candidate.own],
        frame: candidate.at * every,
        shift_m: candidate.shift_m.norm(),
        strength: candidate.strength(),
    };
    let mut slips: Vec<Slip> =
        slips.into_iter().map(slip).filter(|slip| slip.strength > least).collect();
    order::by_key(&mut slips, |slip| (slip.frame, slip.marker));
    slips
}

/// A jump that may be a slip.
#[derive(Clone)]
struct Candidate {
    own: usize,
    at: usize,
    shift_m: Vector3<f64>,
    /// How clear the jump is, as a logarithm of likelihood.
    jumps: f64,
    /// And how clear it is that it stays; `None` where there is too little before or after.
    lasts: Option<f64>,
}

impl Candidate {
    fn strength(&self) -> f64 {
        self.jumps.min(MOST) + self.lasts.unwrap_or(0.0).clamp(0.0, MOST)
    }
}

/// Slips of markers whose mates do not tell whether they stay, as of the only marker on a hand: only in recordings whose
/// trajectories hardly jump otherwise, and only if no distance contradicts.
fn clearest(looked: &Looked, open: &[Candidate]) -> Vec<Candidate> {
    let is_clear = |(index, candidate): &(usize, &Candidate)| {
        let others = open.iter().enumerate().filter(|(other, _)| other != index);
        let usual = others.map(|(_, other)| other.jumps).fold(USUAL_JUMP, f64::max);
        candidate.lasts.is_some_and(|gain| gain > NOT_REFUTED)
            && candidate.jumps > LEAST_CLEAR.max(TIMES_USUAL * usual)
            && looked.may_stay(candidate.own, candidate.at, &candidate.shift_m)
    };
    open.iter().enumerate().filter(is_clear).map(|(_, candidate)| candidate.clone()).collect()
}

/// What all markers do.
struct Looked {
    rate_hz: f64,
    places_m: Vec<Vec<Option<Point3<f64>>>>,
    noise_m: Vec<f64>,
    jumps: Vec<Vec<Option<Jump>>>,
    mates: Vec<Vec<usize>>,
}

impl Looked {
    fn count_in(&self, seconds: f64) -> usize {
        ((seconds * self.rate_hz) as usize).max(1)
    }

    /// What may be slips of one marker.
    fn of_marker(&self, own: usize) -> Vec<Candidate> {
        let of = &self.jumps[own];
        let apart = self.count_in(APART_S);
        let is_best = |at: usize, gain: f64| {
            let near = at.saturating_sub(apart)..(at + apart + 1).min(of.len());
            of[near].iter().flatten().all(|other| other.gain <= gain)
        };
        let clear = of.iter().enumerate().filter_map(|(at, jump)| Some((at, (*jump)?)));
        let candidates: Vec<usize> = clear
            .filter(|(at, jump)| jump.gain > CANDIDATE && is_best(*at, jump.gain))
            .map(|(at, _)| at)
            .collect();
        let near = |at: usize| at - BESIDE.min(at)..(at + BESIDE + 1).min(of.len());
        let best = |at: usize| {
            let judged = near(at).map(|at| (at, self.judged(own, at)));
            judged.max_by(|a, b| a.1.gain.total_cmp(&b.1.gain))
        };
        let judged = candidates.into_iter().filter_map(best);
        let clear: Vec<(usize, Vector3<f64>, Jump)> = judged
            .filter(|(_, jump)| jump.gain > LEAST_JUMP && jump.sd_m < LEAST_KNOWN_M)
            .filter(|(at, jump)| !self.is_taken_back(own, *at, jump))
            .map(|(at, jump)| (at, jump.shift_m - self.shift_of_mates_m(own, at), jump))
            .filter(|(_, shift_m, _)| shift_m.norm() > LEAST_SHIFT_M)
            .collect();
        if clear.is_empty() {
            return Vec::new();
        }
        let sitting = Sitting::all(self, own);
        let candidate = |(at, shift_m, jump): (usize, Vector3<f64>, Jump)| {
            let lasts = lasting::gain(&sitting, at, &shift_m);
            Candidate { own, at, shift_m, jumps: jump.gain, lasts }
        };
        clear.into_iter().map(candidate).collect()
    }

    /// The jump of a marker at an instant, by its trajectory or against a mate that jumps less.
    fn judged(&self, own: usize, at: usize) -> Jump {
        let count = self.places_m[own].len();
        let of = |marker: usize| {
            let places_m = &self.places_m[marker];
            Jumps::with_noise(places_m, self.rate_hz, self.noise_m[marker]).at(at)
        };
        let alone = of(own);
        let gain_alone = self.jumps[own][at].map_or(0.0, |jump| jump.gain);
        let against = |mate: &usize| {
            let is_less = self.jumps[*mate][at].is_some_and(|jump| jump.gain < gain_alone);
            let near = jump::near(at, count, self.rate_hz);
            let apart_m = |at: usize| {
                let (own_m, mate_m) = (self.places_m[own][at]?, self.places_m[*mate][at]?);
                Some(Point3::from(own_m - mate_m))
            };
            let apart_m: Vec<Option<Point3<f64>>> = near.clone().map(apart_m).collect();
            let noise_m = self.noise_m[own].hypot(self.noise_m[*mate]);
            let at = at - near.start;
            is_less.then(|| Jumps::with_noise(&apart_m, self.rate_hz, noise_m).at(at))
        };
        let count_against = if alone.gain > LEAST_ALONE { AGAINST } else { 0 };
        let all = self.mates[own].iter().take(count_against).filter_map(against);
        all.fold(alone, |best, jump| if jump.gain > best.gain { jump } else { best })
    }

    /// The median jump of a marker's mates.
    fn shift_of_mates_m(&self, own: usize, at: usize) -> Vector3<f64> {
        let mates = self.mates[own].iter().filter_map(|mate| self.jumps[*mate][at]);
        let shifts_m: Vec<Vector3<f64>> =
            mates.filter(|jump| jump.sd_m < LEAST_KNOWN_M).map(|jump| jump.shift_m).collect();
        let along = |axis: usize| median(shifts_m.iter().map(|m| m[axis])).unwrap_or(0.0);
        Vector3::new(along(0), along(1), along(2))
    }

    fn is_taken_back(&self, own: usize, at: usize, jump: &Jump) -> bool {
        let within = self.count_in(BACK_S);
        let near = at.saturating_sub(within)..(at + within + 1).min(self.jumps[own].len());
        self.jumps[own][near].iter().flatten().any(|other| {
            let left_m = (jump.shift_m + other.shift_m).norm();
            other.gain > BACK && left_m < LEFT_BEHIND * jump.shift_m.norm()
        })
    }
}

#[cfg(test)]
mod tests;
