//! Tips whose labels changed places, found frame by frame and put back.
//!
//! # Method
//! A tip is where it was, but for what it can have moved since, and where its finger can reach: both are measured in
//! standard deviations for every finger and every tip. Two labels are exchanged where that explains a frame far better.
//!
//! The document does not have this; its markers are labelled.

use nalgebra::{Point3, Vector3};

use super::assignment::Assignment;
use super::chain::Chain;
use super::closed_form::SPREAD_RAD;
use super::model::{MAX_FINGERS, Model};
use super::palm::Palm;
use crate::error::Result;

/// Labels are exchanged that make a frame so much likelier: half the difference of squares, e to the fifth.
const FAR_BETTER: f64 = 10.0;
/// How fast a tip moves in the hand, one standard deviation, and how far it is off in any case.
const SPEED_M_S: f64 = 0.4;
const STEP_M: f64 = 2e-3;
/// How far a finger may be from reaching its tip.
const REACH_M: f64 = 4e-3;
/// What a frame says of one thing is at most so much: it may be something else altogether.
const MOST: f64 = 25.0;

/// Two tips whose labels changed places, from a frame on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The first frame in which they had, counted from 0.
    pub frame: usize,
    /// The fingers, by their indices.
    pub fingers: [usize; 2],
}

/// Puts exchanged labels of tips back, frame by frame.
#[derive(Debug, Clone)]
pub struct ExchangeWatch {
    palm: Palm,
    palm_columns: Vec<Option<usize>>,
    side: super::Side,
    chains: Vec<Chain>,
    /// The column of every tip now.
    columns: Vec<Option<usize>>,
    last_m: [Option<(Vector3<f64>, usize)>; MAX_FINGERS],
    step_s: f64,
    noise_m: f64,
    frame: usize,
    exchanges: Vec<Exchange>,
}

impl ExchangeWatch {
    /// Makes ready to watch the tips of a hand.
    ///
    /// # Errors
    /// Markers that do not place the hand, a rate that is not positive.
    pub fn new(model: &Model, assignment: &Assignment, rate_hz: f64, noise_m: f64) -> Result<Self> {
        Ok(Self {
            palm: Palm::new(model, rate_hz, noise_m)?,
            palm_columns: assignment.palm.clone(),
            side: model.side,
            chains: model.fingers.iter().map(Chain::of).collect(),
            columns: assignment.tips.clone(),
            last_m: [None; MAX_FINGERS],
            step_s: 1.0 / rate_hz,
            noise_m,
            frame: 0,
            exchanges: Vec::new(),
        })
    }

    /// What was exchanged so far.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// Takes in a frame and puts its tips where they belong: `seen_m` is what the columns should have been.
    pub fn step(&mut self, assignment: &Assignment, seen_m: &mut [Option<Point3<f64>>]) {
        let find =
            |column: Option<usize>| column.and_then(|column| seen_m.get(column).copied().flatten());
        let palm_columns = &self.palm_columns;
        let placed = self.palm.place(|index| find(palm_columns.get(index).copied().flatten()));
        let frame = self.frame;
        self.frame += 1;
        if let Some(palm) = placed {
            let hand_from_world = palm.world_from_hand.inverse();
            let mut tips_m = [None; MAX_FINGERS];
            for (slot, column) in tips_m.iter_mut().zip(&self.columns) {
                *slot = find(*column).map(|at_m| {
                    (hand_from_world * Point3::from(self.side.mirrored(at_m.coords))).coords
                });
            }
            // Each exchange makes the frame likelier, so there is an end.
            while let Some([a, b]) = self.better(&tips_m) {
                tips_m.swap(a, b);
                self.columns.swap(a, b);
                self.exchanges.push(Exchange { frame, fingers: [a, b] });
            }
            for (last, tip_m) in self.last_m.iter_mut().zip(tips_m) {
                if let Some(at_m) = tip_m {
                    *last = Some((at_m, frame));
                }
            }
        }
        let values: Vec<_> =
            self.columns.iter().map(|column| column.map(|column| seen_m[column])).collect();
        for (column, value) in assignment.tips.iter().zip(values) {
            if let (Some(column), Some(value)) = (column, value) {
                seen_m[*column] = value;
            }
        }
    }

    /// The two tips whose exchange makes the frame likeliest, if that is far better.
    fn better(&self, tips_m: &[Option<Vector3<f64>>; MAX_FINGERS]) -> Option<[usize; 2]> {
        let count = self.chains.len();
        // Nothing jumped: nothing changed places.
        let jumped =
            |finger: &usize| tips_m[*finger].is_some_and(|at_m| self.jump(*finger, &at_m) > 1.0);
        if !(0..count).any(|finger| jumped(&finger)) {
            return None;
        }
        let mut best: Option<(f64, [usize; 2])> = None;
        for a in 0..count {
            for b in a + 1..count {
                let (Some(at_a), Some(at_b)) = (tips_m[a], tips_m[b]) else { continue };
                let now = self.cost(a, &at_a) + self.cost(b, &at_b);
                let then = self.cost(a, &at_b) + self.cost(b, &at_a);
                if now - then > best.map_or(FAR_BETTER, |(most, _)| most) {
                    best = Some((now - then, [a, b]));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// How far a tip is from where it was, in squares of standard deviations.
    fn jump(&self, finger: usize, at_m: &Vector3<f64>) -> f64 {
        let Some((last_m, frame)) = self.last_m[finger] else { return 0.0 };
        let since_s = (self.frame - 1 - frame) as f64 * self.step_s;
        let sd_m = STEP_M + SPEED_M_S * since_s;
        ((at_m - last_m).norm_squared() / (sd_m * sd_m)).min(MOST)
    }

    fn cost(&self, finger: usize, at_m: &Vector3<f64>) -> f64 {
        let closed = self.chains[finger].solve(&Point3::from(*at_m), self.noise_m);
        let reach = (closed.residual_m / REACH_M).powi(2).min(MOST);
        let spread = (closed.angles.abduction_rad / SPREAD_RAD).powi(2).min(MOST);
        self.jump(finger, at_m) + reach + spread
    }
}
