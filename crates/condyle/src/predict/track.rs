//! One marker through time: where it was seen last, how fast it went, and its filter while it is not seen.

use nalgebra::Vector3;

use super::filter::Filter;
use super::options::MOST_TURN_FRAMES;

/// Velocities that the median is taken of. The document names none; ours.
const MEDIAN_OF: usize = 5;
/// Positions that are kept: enough for two medians one frame apart, and for a rotation.
const KEPT: usize = MOST_TURN_FRAMES + 1;
const _: () = assert!(KEPT > MEDIAN_OF);

/// A marker.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Track {
    /// The last positions that were seen in a row, the latest first.
    recent_m: [Vector3<f64>; KEPT],
    kept: usize,
    /// Where it was in the last frame, seen or not.
    pub at_m: Option<Vector3<f64>>,
    /// How it got there from the frame before.
    pub step_m: Vector3<f64>,
    /// What it is filtered by while it is not seen.
    pub filter: Option<Filter>,
    /// For how many frames it has not been seen.
    pub missing: usize,
    /// How many observations in a row were rejected.
    pub rejected: usize,
    /// After a gap: how far from the observation it still is held.
    pub held_m: Option<Vector3<f64>>,
}

impl Track {
    /// Takes in an observation.
    pub fn see(&mut self, at_m: Vector3<f64>) {
        if self.missing > 0 {
            self.kept = 0;
        }
        self.recent_m.copy_within(0..KEPT - 1, 1);
        self.recent_m[0] = at_m;
        self.kept = (self.kept + 1).min(KEPT);
        self.missing = 0;
        self.filter = None;
    }

    /// Where it was seen so many frames before the latest, if it was seen all the time since.
    pub fn seen_before(&self, frames: usize) -> Option<Vector3<f64>> {
        (frames < self.kept).then(|| self.recent_m[frames])
    }

    /// The last step it was seen to make.
    pub fn last_step_m(&self) -> Vector3<f64> {
        match self.kept {
            0 | 1 => Vector3::zeros(),
            _ => self.recent_m[0] - self.recent_m[1],
        }
    }

    /// The median of the last steps, `back` frames ago.
    pub fn median_step_m(&self, back: usize) -> Vector3<f64> {
        let count = self.kept.saturating_sub(back + 1).min(MEDIAN_OF);
        if count == 0 {
            return Vector3::zeros();
        }
        Vector3::from_fn(|axis, _| {
            let mut steps = [0.0; MEDIAN_OF];
            for (i, step) in steps[..count].iter_mut().enumerate() {
                *step = self.recent_m[back + i][axis] - self.recent_m[back + i + 1][axis];
            }
            steps[..count].sort_unstable_by(f64::total_cmp);
            0.5 * (steps[(count - 1) / 2] + steps[count / 2])
        })
    }

    /// A filter from what was seen last: velocity by the median, acceleration by its change.
    pub fn start(&self, at_m: Vector3<f64>, step_s: f64, noise_m: f64) -> Filter {
        let (now, before) = (self.median_step_m(0), self.median_step_m(1));
        let change = if self.kept > 3 { now - before } else { Vector3::zeros() };
        Filter::start(at_m, now / step_s, change / (step_s * step_s), noise_m)
    }
}
