//! Tips that are not seen: where they are in the hand, from what they did last and what the other fingers do.
//!
//! # Method
//! While tips are seen, how they move together is learnt: the covariance of their places in the hand about a running
//! mean. A tip that is lost goes on from where it was by what its neighbours' motion since then lets expect of it
//! (regression), plus what was its own of its velocity, decaying (inertia). The variable-turn filter follows that. How
//! far off it may be is what the regression leaves open, growing with the gap.
//!
//! # Reference
//! A. Aristidou (2010), sections 5.5 and 5.6: inertia, transdigital correlation and friction, without numbers; the
//! regression that stands for the last two is ours.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::model::MAX_FINGERS;
use crate::predict::filter::Filter;
use crate::predict::track::Track;

const SIZE: usize = 3 * MAX_FINGERS;
type All = SVector<f64, SIZE>;
type Square = SMatrix<f64, SIZE, SIZE>;

/// The mean is taken over about so long.
const MEAN_S: f64 = 1.0;
/// What is known of how tips move together is forgotten in about so long.
const MEMORY_S: f64 = 30.0;
/// Before anything is learnt a tip moves about its mean by so much.
const PRIOR_M: f64 = 10e-3;
/// The prior counts as so long.
const PRIOR_S: f64 = 0.5;
/// What the regression does not take for motion.
const RIDGE_M: f64 = 3e-3;
/// Its own velocity of a lost tip decays in so long.
const INERTIA_S: f64 = 0.2;
/// A tip is as far off as it can be expected to be after about so long.
const DRIFT_S: f64 = 0.5;
/// After so long a lost tip is not predicted any more but held.
pub(super) const MOST_PREDICTED_S: f64 = 2.0;
/// What the filter takes the noise of what it follows for.
const FOLLOWED_M: f64 = 2e-3;
/// A tip that is seen again nears the observation by so many of its own steps a frame, and at least so much.
const RETURN_STEPS: f64 = 1.5;
const RETURN_M: f64 = 2e-4;

/// How a tip was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Sight {
    /// It is seen.
    Seen,
    /// It is seen again, and not there yet.
    Returning,
    /// It is lost and predicted.
    Predicted,
    /// It is lost for long.
    Held,
    /// It was never seen.
    #[default]
    Never,
}

/// A tip in the hand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tip {
    pub at_m: Vector3<f64>,
    /// How sure that is, noise of the marker aside.
    pub covariance_m2: Matrix3<f64>,
    pub sight: Sight,
    pub lost_frames: usize,
}

/// What goes on while a tip is lost.
#[derive(Debug, Clone, Copy)]
struct Gap {
    start_m: Vector3<f64>,
    others_m: All,
    /// How the tip goes with the others.
    gain: SMatrix<f64, 3, SIZE>,
    own_velocity_m_s: Vector3<f64>,
    left_open_m2: Matrix3<f64>,
    filter: Filter,
    since_s: f64,
    seen: [bool; MAX_FINGERS],
}

/// The tips of a hand.
#[derive(Debug, Clone)]
pub(super) struct Tips {
    count: usize,
    step_s: f64,
    noise_m: f64,
    tracks: [Track; MAX_FINGERS],
    tips: [Tip; MAX_FINGERS],
    gaps: [Option<Gap>; MAX_FINGERS],
    mean_m: All,
    covariance_m2: Square,
    weight_s: f64,
    is_begun: bool,
}

impl Tips {
    pub fn new(count: usize, rate_hz: f64, noise_m: f64) -> Self {
        Self {
            count,
            step_s: 1.0 / rate_hz,
            noise_m,
            tracks: [Track::default(); MAX_FINGERS],
            tips: [Tip::default(); MAX_FINGERS],
            gaps: [None; MAX_FINGERS],
            mean_m: All::zeros(),
            covariance_m2: Square::identity() * (PRIOR_M * PRIOR_M),
            weight_s: PRIOR_S,
            is_begun: false,
        }
    }

    pub fn tips(&self) -> &[Tip] {
        &self.tips[..self.count]
    }

    /// Puts a predicted tip where the finger can be.
    pub fn correct(&mut self, finger: usize, at_m: Vector3<f64>) {
        self.tips[finger].at_m = at_m;
    }

    /// Takes in a frame: where the tips are seen in the hand.
    pub fn step(&mut self, seen_m: &[Option<Vector3<f64>>; MAX_FINGERS]) {
        for (finger, seen_m) in seen_m.iter().take(self.count).enumerate() {
            match seen_m {
                Some(at_m) => self.see(finger, *at_m),
                None => self.tips[finger].lost_frames += 1,
            }
        }
        for finger in 0..self.count {
            if seen_m[finger].is_none() {
                self.predict(finger, seen_m);
            }
        }
        if seen_m[..self.count].iter().all(Option::is_some) {
            self.learn(seen_m);
        }
    }

    fn see(&mut self, finger: usize, at_m: Vector3<f64>) {
        let tip = &mut self.tips[finger];
        let track = &mut self.tracks[finger];
        let was_lost = matches!(tip.sight, Sight::Predicted | Sight::Held);
        if was_lost {
            track.held_m = Some(tip.at_m - at_m);
            track.missing = tip.lost_frames;
        }
        track.see(at_m);
        self.gaps[finger] = None;
        let step_m = track.median_step_m(0).norm();
        if let Some(held_m) = track.held_m {
            let nearer_m = RETURN_M.max(RETURN_STEPS * step_m);
            let length_m = held_m.norm();
            let left = if was_lost { 1.0 } else { (1.0 - nearer_m / length_m.max(1e-12)).max(0.0) };
            // What is nothing is not held back at all.
            track.held_m = Some(held_m * left).filter(|held_m| held_m.norm() > 0.5 * self.noise_m);
        }
        let held_m = track.held_m.unwrap_or_default();
        *tip = Tip {
            at_m: at_m + held_m,
            covariance_m2: held_m * held_m.transpose(),
            sight: if track.held_m.is_some() { Sight::Returning } else { Sight::Seen },
            lost_frames: 0,
        };
    }

    fn predict(&mut self, finger: usize, seen_m: &[Option<Vector3<f64>>; MAX_FINGERS]) {
        if self.tips[finger].sight == Sight::Never {
            return;
        }
        let seen = seen_m.map(|at_m| at_m.is_some());
        let is_new = self.gaps[finger].is_none_or(|gap| gap.seen != seen);
        if is_new {
            self.begin(finger, seen_m, seen);
        }
        let step_s = self.step_s;
        let Some(gap) = &mut self.gaps[finger] else { return };
        gap.since_s += step_s;
        let mut moved = All::zeros();
        for (other, at_m) in seen_m.iter().enumerate().take(self.count) {
            if let Some(at_m) = at_m {
                let by_m = at_m - gap.others_m.fixed_rows::<3>(3 * other);
                moved.fixed_rows_mut::<3>(3 * other).copy_from(&by_m);
            }
        }
        let coasted_s = INERTIA_S * (1.0 - (-gap.since_s / INERTIA_S).exp());
        let expected_m = gap.start_m + gap.gain * moved + gap.own_velocity_m_s * coasted_s;
        let noise_m2 = Matrix3::identity() * (FOLLOWED_M * FOLLOWED_M);
        let at_m = gap.filter.step(step_s, &expected_m, &noise_m2);
        let lost_s = self.tips[finger].lost_frames as f64 * step_s;
        let share = 2.0 * (1.0 - (-lost_s / DRIFT_S).exp());
        let is_held = lost_s > MOST_PREDICTED_S;
        let tip = &mut self.tips[finger];
        tip.at_m = at_m;
        tip.covariance_m2 = gap.left_open_m2 * share;
        tip.sight = if is_held { Sight::Held } else { Sight::Predicted };
    }

    /// Begins a gap, or begins it anew where others are seen than before.
    fn begin(
        &mut self,
        finger: usize,
        seen_m: &[Option<Vector3<f64>>; MAX_FINGERS],
        seen: [bool; MAX_FINGERS],
    ) {
        let mut others = self.covariance_m2 + Square::identity() * (RIDGE_M * RIDGE_M);
        let rows = 3 * finger;
        let mut cross = self.covariance_m2.fixed_rows::<3>(rows).into_owned();
        for (other, is_seen) in seen.into_iter().enumerate() {
            if other >= self.count || !is_seen || other == finger {
                for at in 3 * other..3 * other + 3 {
                    others.row_mut(at).fill(0.0);
                    others.column_mut(at).fill(0.0);
                    others[(at, at)] = 1.0;
                    cross.column_mut(at).fill(0.0);
                }
            }
        }
        let own = self.covariance_m2.fixed_view::<3, 3>(rows, rows).into_owned();
        let (gain, left_open_m2) = match others.cholesky() {
            Some(root) => {
                let gain = root.solve(&cross.transpose()).transpose();
                (gain, own - gain * cross.transpose())
            }
            None => (SMatrix::zeros(), own),
        };
        let start_m = self.tips[finger].at_m;
        let mut others_m = All::zeros();
        let mut velocity = All::zeros();
        for other in 0..self.count {
            // The frame before this one is the last in which all was as it was.
            let before = if seen[other] { self.tracks[other].seen_before(1) } else { None };
            let at_m = before.or(seen_m[other]).unwrap_or(self.tips[other].at_m);
            others_m.fixed_rows_mut::<3>(3 * other).copy_from(&at_m);
            let step_m = self.tracks[other].median_step_m(0);
            velocity.fixed_rows_mut::<3>(3 * other).copy_from(&(step_m / self.step_s));
        }
        let own_velocity = velocity.fixed_rows::<3>(rows) - gain * velocity;
        let filter = match self.gaps[finger] {
            Some(gap) => gap.filter,
            None => self.tracks[finger].start(start_m, self.step_s, self.noise_m.max(1e-4)),
        };
        let is_first = self.gaps[finger].is_none();
        self.gaps[finger] = Some(Gap {
            start_m,
            others_m,
            gain,
            own_velocity_m_s: if is_first { own_velocity } else { Vector3::zeros() },
            left_open_m2: left_open_m2 + Matrix3::identity() * 1e-6,
            filter,
            since_s: 0.0,
            seen,
        });
    }

    /// How tips move together, from a frame in which all are seen.
    fn learn(&mut self, seen_m: &[Option<Vector3<f64>>; MAX_FINGERS]) {
        let mut now = All::zeros();
        for (finger, seen_m) in seen_m.iter().take(self.count).enumerate() {
            let at_m = seen_m.unwrap_or_default();
            now.fixed_rows_mut::<3>(3 * finger).copy_from(&at_m);
        }
        if !self.is_begun {
            (self.mean_m, self.is_begun) = (now, true);
        }
        self.mean_m += (now - self.mean_m) * (self.step_s / (MEAN_S + self.step_s));
        let off = now - self.mean_m;
        self.weight_s = (self.weight_s + self.step_s).min(MEMORY_S);
        let share = self.step_s / self.weight_s;
        for column in 0..3 * self.count {
            for row in 0..3 * self.count {
                let entry = &mut self.covariance_m2[(row, column)];
                *entry += (off[row] * off[column] - *entry) * share;
            }
        }
    }
}
