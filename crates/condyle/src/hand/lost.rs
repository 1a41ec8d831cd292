//! Tips that are not seen: where they are in the hand, from what they did last and what the other fingers do.
//!
//! # Method
//! While tips are seen, how they move together is learnt ([`Together`]). A tip that is lost is where the others let
//! expect it, plus what was its own there and of its velocity, as far as that went on in rehearsals: tips that were taken
//! for lost while they were seen ([`Rehearsals`]). How far off they were then is how far off a lost tip may be now.
//!
//! # Reference
//! A. Aristidou (2010), sections 5.5 and 5.6: inertia, transdigital correlation and friction, without numbers; the
//! regression that stands for the last two, and the rehearsals, are ours. His variable-turn filter has no part: where
//! it follows such a prediction it only comes after it.

use nalgebra::{Matrix3, Vector3};

use super::departure::Departure;
use super::model::MAX_FINGERS;
use super::rehearsal::{Rehearsals, Sort};
use super::together::{All, Together};
use crate::predict::track::Track;

/// Where nothing is seen that tells of it, a tip is predicted so long, then held.
const MOST_PREDICTED_S: f64 = 2.0;
/// Velocities are slopes over so long, and over so many frames at most.
const SLOPE_S: f64 = 0.05;
const SLOPE_FRAMES: usize = 5;
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
    departure: Departure,
    sort: Sort,
    since_s: f64,
    /// When others were lost or seen again, since then.
    from_s: f64,
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
    together: Together,
    rehearsals: Rehearsals,
    /// Where all tips were in the last frame, and how fast as far as they were seen.
    last_m: All,
    last_m_s: All,
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
            together: Together::new(count),
            rehearsals: Rehearsals::new(count, 1.0 / rate_hz),
            last_m: All::zeros(),
            last_m_s: All::zeros(),
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
        let mut seen = [false; MAX_FINGERS];
        let mut now_m = self.last_m;
        for (finger, seen_m) in seen_m.iter().take(self.count).enumerate() {
            match seen_m {
                Some(at_m) => {
                    if self.tips[finger].sight == Sight::Never {
                        self.together.begin(finger, at_m);
                    }
                    self.see(finger, *at_m);
                    seen[finger] = true;
                    now_m.fixed_rows_mut::<3>(3 * finger).copy_from(at_m);
                }
                None => self.tips[finger].lost_frames += 1,
            }
        }
        for finger in (0..self.count).filter(|finger| !seen[*finger]) {
            if let Some(at_m) = self.predict(finger, &seen, &now_m) {
                now_m.fixed_rows_mut::<3>(3 * finger).copy_from(&at_m);
            }
        }
        let mut now_m_s = All::zeros();
        for finger in (0..self.count).filter(|finger| seen[*finger]) {
            now_m_s.fixed_rows_mut::<3>(3 * finger).copy_from(&self.velocity_m_s(finger));
        }
        (self.last_m, self.last_m_s) = (now_m, now_m_s);
        // A tip that is lost for a moment teaches nothing; one that is lost for good keeps nothing from being learnt.
        let is_away = |tip: &Tip| tip.lost_frames as f64 * self.step_s > MOST_PREDICTED_S;
        let tips = &self.tips[..self.count];
        if seen
            .iter()
            .zip(tips)
            .all(|(seen, tip)| *seen || tip.sight == Sight::Never || is_away(tip))
        {
            self.together.learn(&now_m, self.step_s);
        }
        self.rehearsals.step(&self.together, &seen, (&now_m, &now_m_s));
    }

    /// How fast a tip is that was seen right now: the slope over its last places.
    fn velocity_m_s(&self, finger: usize) -> Vector3<f64> {
        let most = ((SLOPE_S / self.step_s).round() as usize).clamp(1, SLOPE_FRAMES);
        let track = &self.tracks[finger];
        let back = (1..=most).take_while(|back| track.seen_before(*back).is_some()).count();
        let middle = 0.5 * back as f64;
        let (mut sum_m, mut square) = (Vector3::zeros(), 0.0);
        for frames in 0..=back {
            let from_middle = middle - frames as f64;
            sum_m += track.seen_before(frames).unwrap_or_default() * from_middle;
            square += from_middle * from_middle;
        }
        if square > 0.0 { sum_m / (square * self.step_s) } else { Vector3::zeros() }
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

    /// Where a tip is that is not seen, the others being where they are now.
    fn predict(
        &mut self,
        finger: usize,
        seen: &[bool; MAX_FINGERS],
        now_m: &All,
    ) -> Option<Vector3<f64>> {
        if self.tips[finger].sight == Sight::Never {
            return None;
        }
        let others = std::array::from_fn(|other| seen[other] && other != finger);
        let gap = match self.gaps[finger] {
            Some(gap) if gap.departure.seen == others => gap,
            before => self.begin(finger, (others, now_m), before),
        };
        let gap = Gap { since_s: gap.since_s + self.step_s, ..gap };
        let when = (now_m, gap.since_s, gap.from_s);
        let (at_m, covariance_m2) = self.rehearsals.predict(&gap.departure, gap.sort, when);
        self.gaps[finger] = Some(gap);
        let is_held = gap.since_s > MOST_PREDICTED_S && !others.contains(&true);
        // One that is held may be wherever it is at times.
        let anywhere_m2 = if is_held { self.together.own_m2(finger) } else { Matrix3::zeros() };
        let tip = &mut self.tips[finger];
        tip.at_m = at_m;
        tip.covariance_m2 = covariance_m2 + anywhere_m2;
        tip.sight = if is_held { Sight::Held } else { Sight::Predicted };
        Some(at_m)
    }

    /// Begins a gap, or goes on with one where others are seen than before.
    fn begin(
        &self,
        finger: usize,
        (others, now_m): ([bool; MAX_FINGERS], &All),
        before: Option<Gap>,
    ) -> Gap {
        let sort = self.rehearsals.best(finger, &others);
        let mut from_m = self.last_m;
        let mut velocity_m_s = self.last_m_s;
        if before.is_some() || self.tips[finger].sight == Sight::Returning {
            velocity_m_s = All::zeros();
        }
        // Where one that is just seen again was a frame ago is only what had been predicted of it.
        for other in (0..self.count).filter(|other| others[*other]) {
            if self.tracks[other].seen_before(1).is_none() {
                let rows = 3 * other;
                from_m.fixed_rows_mut::<3>(rows).copy_from(&now_m.fixed_rows::<3>(rows));
            }
        }
        from_m.fixed_rows_mut::<3>(3 * finger).copy_from(&self.tips[finger].at_m);
        let own = (&self.together, sort.ridge_m());
        let mut departure = Departure::of(finger, others, own, (from_m, &velocity_m_s));
        let (since_s, from_s) = before.map_or((0.0, 0.0), |gap| (gap.since_s, gap.since_s));
        if let Some(before) = before {
            // How far the others have moved counts from where the tip was seen.
            departure.from_m = before.departure.from_m;
        }
        Gap { departure, sort, since_s, from_s }
    }
}
