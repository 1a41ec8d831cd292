//! A tip where it is lost, or where that is rehearsed: what the others tell of it from there on, and what is its own.

use nalgebra::Vector3;

use super::model::MAX_FINGERS;
use super::together::{All, Gain, Together};

/// Its own velocity of a lost tip decays in so long (inertia).
const INERTIA_S: f64 = 0.2;
/// How far off a prediction is grows with how far others have moved since, and what the tip's own velocity comes to; so
/// much is added to both.
const STILL_M: f64 = 5e-3;
/// The unit of that.
const UNIT_M: f64 = 10e-3;

/// A tip at the last frame in which it was seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure {
    pub finger: usize,
    /// The others that are seen from there on.
    pub seen: [bool; MAX_FINGERS],
    /// How it goes with them.
    pub gain: Gain,
    /// What the gain is about.
    pub mean_m: All,
    /// Where all were.
    pub from_m: All,
    /// What of its place the others did not explain.
    pub own_m: Vector3<f64>,
    /// The same of its velocity.
    pub own_m_s: Vector3<f64>,
}

impl Departure {
    /// `from_m` and `velocity_m_s` of all tips at the last frame in which this one was seen.
    pub fn of(
        finger: usize,
        seen: [bool; MAX_FINGERS],
        (together, ridge_m): (&Together, f64),
        (from_m, velocity_m_s): (All, &All),
    ) -> Self {
        let gain = together.gain(finger, &seen, ridge_m);
        let mut departure = Self {
            finger,
            seen,
            gain,
            mean_m: together.mean_m,
            from_m,
            own_m: Vector3::zeros(),
            own_m_s: velocity_m_s.fixed_rows::<3>(3 * finger) - gain * velocity_m_s,
        };
        departure.own_m = departure.unexplained_m(&from_m);
        departure
    }

    /// Where others let expect it.
    pub fn explained_m(&self, now_m: &All) -> Vector3<f64> {
        self.mean_m.fixed_rows::<3>(3 * self.finger) + self.gain * (now_m - self.mean_m)
    }

    /// What of its place others do not explain.
    pub fn unexplained_m(&self, now_m: &All) -> Vector3<f64> {
        now_m.fixed_rows::<3>(3 * self.finger) - self.explained_m(now_m)
    }

    /// How far off it may be after so long, as a multiple of what is usual: squared.
    pub fn strain(&self, now_m: &All, since_s: f64) -> f64 {
        let (mut moved_m2, mut others) = (0.0, 0.0_f64);
        for other in (0..MAX_FINGERS).filter(|other| self.seen[*other]) {
            let rows = 3 * other;
            let by_m = now_m.fixed_rows::<3>(rows) - self.from_m.fixed_rows::<3>(rows);
            moved_m2 += by_m.norm_squared();
            others += 1.0;
        }
        let coasted_m = self.own_m_s * coasted_s(since_s);
        let all_m2 = STILL_M * STILL_M + moved_m2 / others.max(1.0) + coasted_m.norm_squared();
        all_m2 / (UNIT_M * UNIT_M)
    }
}

/// For how long a velocity that decays would have to last to come as far.
pub(super) fn coasted_s(since_s: f64) -> f64 {
    INERTIA_S * (1.0 - (-since_s / INERTIA_S).exp())
}
