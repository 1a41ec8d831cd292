//! How lost tips go on, learnt from tips that are not lost.
//!
//! # Method
//! Tip after tip is taken for lost while it is seen, with the others seen, half of them, or none. What the others do not
//! explain of it, r, and its velocity there, v, are compared with what r is some time h later: r(h) ≈ a(h) r + b(h) v by
//! least squares, and how far that is off, over the strain, is how far off a prediction may be expected to be. How much
//! of the others' motion is taken for motion is what served best. All are forgotten as what they are learnt from.

use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

use super::departure::{Departure, coasted_s};
use super::model::MAX_FINGERS;
use super::together::{All, MEMORY_S, Together};

/// Times after which a rehearsed tip is looked at, in seconds.
const AFTER_S: [f64; TIMES] = [0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 1.5, 2.0];
const TIMES: usize = 8;
/// How much of the motion of others is not taken for motion.
const RIDGES_M: [f64; RIDGES] = [3e-3, 10e-3, 30e-3];
const RIDGES: usize = 3;
/// A rehearsal begins so often.
const EVERY_S: f64 = 0.01;
/// The most that begin in one frame: those of one finger.
const MOST_AT_ONCE: usize = SORTS;
/// None seen, half, all: for the latter two every ridge.
const SORTS: usize = 1 + 2 * RIDGES;
/// How many others count as few.
const FEW: f64 = 0.5;
/// Before anything is learnt: what is unexplained is forgotten in so long, half of its velocity goes on ...
const FORGOTTEN_S: f64 = 1.5;
const GOES_ON: f64 = 0.5;
/// ... and counts as so many rehearsals of what is usual.
const PRIOR_REHEARSALS: f64 = 3.0;
const USUAL_M: f64 = 10e-3;
const USUAL_M_S: f64 = 0.05;
/// Errors before anything is learnt, of unit strain: what they begin with, what they grow to, and how fast. They count as
/// so many rehearsals of a finger.
const PRIOR_ERROR_M: f64 = 1e-3;
const PRIOR_DRIFT_M: f64 = 22e-3;
const PRIOR_DRIFT_S: f64 = 0.5;
const PRIOR_ERRORS: f64 = 4.0;

/// What was rehearsed: which others were seen, and which ridge was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sort(usize);

impl Sort {
    pub fn ridge_m(self) -> f64 {
        RIDGES_M[self.0.saturating_sub(1) % RIDGES]
    }

    fn sees_half(self) -> bool {
        (1..=RIDGES).contains(&self.0)
    }
}

/// How what others do not explain goes on after some time: sums of least squares.
#[derive(Debug, Clone, Copy)]
struct GoesOn {
    square: Matrix2<f64>,
    right: Vector2<f64>,
}

impl GoesOn {
    fn usual(after_s: f64) -> Self {
        let square = PRIOR_REHEARSALS
            * Matrix2::from_diagonal(&Vector2::new(USUAL_M * USUAL_M, USUAL_M_S * USUAL_M_S));
        let a = (-(after_s / FORGOTTEN_S).powi(2)).exp();
        Self { square, right: square * Vector2::new(a, GOES_ON * coasted_s(after_s)) }
    }

    fn shares(&self) -> Vector2<f64> {
        self.square.try_inverse().map_or_else(Vector2::zeros, |inverse| inverse * self.right)
    }

    fn learn(&mut self, departure: &Departure, later_m: &Vector3<f64>, kept: f64) {
        let (r, v) = (&departure.own_m, &departure.own_m_s);
        let square = Matrix2::new(r.dot(r), r.dot(v), r.dot(v), v.dot(v));
        self.square = self.square * kept + square;
        self.right = self.right * kept + Vector2::new(r.dot(later_m), v.dot(later_m));
    }
}

/// How far predictions were off, squared and over their strain.
#[derive(Debug, Clone, Copy, Default)]
struct Errors {
    sum_m2: Matrix3<f64>,
    weight: f64,
}

/// A tip that is taken for lost.
#[derive(Debug, Clone, Copy)]
struct Rehearsal {
    departure: Departure,
    sort: Sort,
    frame: u64,
}

/// Rehearsals that go on, and what came of those that are over.
#[derive(Debug, Clone)]
pub(super) struct Rehearsals {
    count: usize,
    step_s: f64,
    /// What one is worth when the next of the same finger and sort comes.
    kept: f64,
    /// The same for the next of any finger.
    kept_of_any: f64,
    frame: u64,
    since_last_s: f64,
    /// Which finger, sort and others are next.
    turn: usize,
    /// The last ones: the one of number n at n modulo their count.
    last: Vec<Rehearsal>,
    room: u64,
    begun: u64,
    /// How many of them have been looked at after each time.
    looked_at: [u64; TIMES],
    goes_on: [[GoesOn; TIMES]; SORTS],
    errors: Vec<[[Errors; TIMES]; SORTS]>,
}

impl Rehearsals {
    pub fn new(count: usize, step_s: f64) -> Self {
        let longest_s = AFTER_S[TIMES - 1];
        // A frame begins so many at most, and all of the longest time are kept.
        let in_frame = (step_s / EVERY_S).ceil().clamp(1.0, MOST_AT_ONCE as f64);
        let frames = (longest_s / step_s.max(EVERY_S)).ceil() + 2.0;
        let room = (in_frame * frames) as usize;
        let every_s = EVERY_S.max(step_s / MOST_AT_ONCE as f64) * SORTS as f64;
        Self {
            count,
            step_s,
            kept: (-every_s * count as f64 / MEMORY_S).exp(),
            kept_of_any: (-every_s / MEMORY_S).exp(),
            frame: 0,
            since_last_s: 0.0,
            turn: 0,
            last: Vec::with_capacity(room),
            room: room as u64,
            begun: 0,
            looked_at: [0; TIMES],
            goes_on: [AFTER_S.map(GoesOn::usual); SORTS],
            errors: vec![[[Errors::default(); TIMES]; SORTS]; count],
        }
    }

    /// Which sort serves a finger best for which these others are seen.
    pub fn best(&self, finger: usize, seen: &[bool; MAX_FINGERS]) -> Sort {
        let others = (0..self.count).filter(|other| seen[*other] && *other != finger).count();
        let first = match others {
            0 => return Sort(0),
            few if few as f64 <= FEW * (self.count - 1) as f64 => 1,
            _ => 1 + RIDGES,
        };
        let off = |sort: usize| -> f64 {
            self.covariances_m2(finger, Sort(sort)).iter().map(|own| own.trace().ln()).sum()
        };
        let better = |a: usize, b: usize| if off(b) < off(a) { b } else { a };
        Sort((first + 1..first + RIDGES).fold(first, better))
    }

    /// Where a lost tip is after so long, the others being where they are now, and how sure that is.
    ///
    /// `kept` of what was its own at the departure had been lost by then: 1 where it was seen there.
    pub fn predict(
        &self,
        departure: &Departure,
        sort: Sort,
        (now_m, since_s, from_s): (&All, f64, f64),
    ) -> (Vector3<f64>, Matrix3<f64>) {
        let shares = |at_s: f64| {
            let all = self.goes_on[sort.0].map(|own| own.shares());
            between(&all, Vector2::new(1.0, 0.0), at_s)
        };
        let [a, b] = shares(since_s).into();
        let before = if from_s > 0.0 { shares(from_s)[0].max(0.1) } else { 1.0 };
        let own_m = departure.own_m * (a / before).clamp(-1.0, 1.0) + departure.own_m_s * b;
        let all_m2 = self.covariances_m2(departure.finger, sort);
        let strain = departure.strain(now_m, since_s);
        let covariance_m2 = between(&all_m2, Matrix3::zeros(), since_s) * strain;
        (departure.explained_m(now_m) + own_m, covariance_m2)
    }

    /// How far off predictions of a finger are after each time, for unit strain.
    fn covariances_m2(&self, finger: usize, sort: Sort) -> [Matrix3<f64>; TIMES] {
        let mut last: Option<(Matrix3<f64>, f64)> = None;
        std::array::from_fn(|time| {
            let Errors { sum_m2, weight } = self.errors[finger][sort.0][time];
            let drift_m = PRIOR_DRIFT_M * (1.0 - (-AFTER_S[time] / PRIOR_DRIFT_S).exp());
            let usual_m2 = PRIOR_ERROR_M * PRIOR_ERROR_M + drift_m * drift_m;
            // What is not known yet is as much worse than what came before as is usual.
            let prior_m2 = match last {
                Some((own_m2, before_m2)) => own_m2 * (usual_m2 / before_m2),
                None => Matrix3::identity() * usual_m2,
            };
            let own_m2 = (sum_m2 + prior_m2 * PRIOR_ERRORS) / (weight + PRIOR_ERRORS);
            last = Some((own_m2, usual_m2));
            own_m2
        })
    }

    /// Looks at what is rehearsed and begins more, from a frame: which tips are seen in it, where, and how fast.
    pub fn step(
        &mut self,
        together: &Together,
        seen: &[bool; MAX_FINGERS],
        (now_m, velocity_m_s): (&All, &All),
    ) {
        self.frame += 1;
        for time in 0..TIMES {
            self.look(time, seen, now_m);
        }
        self.since_last_s += self.step_s;
        for _ in 0..MOST_AT_ONCE {
            if self.since_last_s < EVERY_S * (1.0 - 1e-9) {
                return;
            }
            self.since_last_s -= EVERY_S;
            self.begin(together, seen, (now_m, velocity_m_s));
        }
        self.since_last_s = 0.0;
    }

    fn begin(
        &mut self,
        together: &Together,
        seen: &[bool; MAX_FINGERS],
        (now_m, velocity_m_s): (&All, &All),
    ) {
        let (finger, sort) = (self.turn % self.count, Sort(self.turn / self.count % SORTS));
        let round = self.turn / self.count / SORTS;
        self.turn += 1;
        let others = self.count - 1;
        let few = match sort {
            Sort(0) => 0,
            sort if sort.sees_half() => (FEW * others as f64) as usize,
            _ => others,
        };
        // Others by turns.
        let mut left = [false; MAX_FINGERS];
        for offset in 0..few {
            left[(finger + 1 + (round + offset) % others) % self.count] = true;
        }
        if (0..self.count).any(|at| !seen[at] && (left[at] || at == finger)) {
            return;
        }
        let from = (*now_m, velocity_m_s);
        let departure = Departure::of(finger, left, (together, sort.ridge_m()), from);
        let rehearsal = Rehearsal { departure, sort, frame: self.frame };
        match self.last.len() < self.room as usize {
            true => self.last.push(rehearsal),
            false => self.last[(self.begun % self.room) as usize] = rehearsal,
        }
        self.begun += 1;
    }

    /// Looks at those that began so long ago.
    fn look(&mut self, time: usize, seen: &[bool; MAX_FINGERS], now_m: &All) {
        while self.looked_at[time] < self.begun {
            let rehearsal = &self.last[(self.looked_at[time] % self.room) as usize];
            let since_s = (self.frame - rehearsal.frame) as f64 * self.step_s;
            if since_s < AFTER_S[time] - 1e-9 {
                return;
            }
            self.looked_at[time] += 1;
            let Rehearsal { departure, sort, .. } = rehearsal;
            let finger = departure.finger;
            if (0..self.count).any(|at| !seen[at] && (departure.seen[at] || at == finger)) {
                continue;
            }
            let later_m = departure.unexplained_m(now_m);
            let goes_on = &mut self.goes_on[sort.0][time];
            let shares = goes_on.shares();
            let off_m = later_m - departure.own_m * shares[0] - departure.own_m_s * shares[1];
            let strain = departure.strain(now_m, since_s);
            let errors = &mut self.errors[finger][sort.0][time];
            errors.sum_m2 = errors.sum_m2 * self.kept + off_m * off_m.transpose() / strain;
            errors.weight = errors.weight * self.kept + 1.0;
            goes_on.learn(departure, &later_m, self.kept_of_any);
        }
    }
}

/// What a table is at a time, beginning at 0 with `first`; after its end as at its end.
fn between<T>(table: &[T; TIMES], first: T, at_s: f64) -> T
where
    T: Copy + std::ops::Mul<f64, Output = T> + std::ops::Add<Output = T>,
{
    let next = AFTER_S.iter().position(|after_s| at_s < *after_s);
    match next {
        None => table[TIMES - 1],
        Some(next) => {
            let (from_s, from) = match next {
                0 => (0.0, first),
                _ => (AFTER_S[next - 1], table[next - 1]),
            };
            let share = (at_s - from_s) / (AFTER_S[next] - from_s);
            from * (1.0 - share) + table[next] * share
        }
    }
}
