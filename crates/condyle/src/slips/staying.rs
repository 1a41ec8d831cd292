//! Whether distances to other markers contradict that a jump stays.

use nalgebra::Vector3;

use super::Looked;
use crate::statistics::median;

/// After so long, in seconds, this share of the shift is still there.
const STAYS_S: f64 = 1.5;
const LEAST_STAYING: f64 = 0.3;
/// Medians of distances change by so much at least, in metres, one standard deviation.
const FLOOR_M: f64 = 1e-3;
/// What is usual is told by so many changes elsewhere, at least.
const LEAST_ELSEWHERE: usize = 4;
/// What distances tell together counts from so many standard deviations on.
const LEAST_SDS: f64 = 5.0;

impl Looked {
    /// Whether the shift may still be there after a while, by distances that are steady enough to tell; where none are,
    /// it may.
    pub(super) fn may_stay(&self, own: usize, at: usize, shift_m: &Vector3<f64>) -> bool {
        let (mut seen, mut expected) = (0.0, 0.0);
        for mate in &self.mates[own] {
            let places_m = |at: usize| {
                let places_m = self.places_m[own].get(at).zip(self.places_m[*mate].get(at))?;
                Some(((*places_m.0)? - (*places_m.1)?) as Vector3<f64>)
            };
            let apart_m: Vec<Option<f64>> = (0..self.places_m[own].len())
                .map(|at| places_m(at).map(|apart_m| apart_m.norm()))
                .collect();
            let way = places_m(at).and_then(|apart_m| apart_m.try_normalize(1e-6));
            let within = self.count_in(STAYS_S);
            let (Some(way), Some(change_m)) = (way, change_m(&apart_m, at, within)) else {
                continue;
            };
            let step_m = way.dot(shift_m);
            let variance_m2 = usual_change2_m2(&apart_m, at, within).max(FLOOR_M * FLOOR_M);
            seen += step_m * change_m / variance_m2;
            expected += step_m * step_m / variance_m2;
        }
        expected < LEAST_SDS * LEAST_SDS || seen > LEAST_STAYING * expected
    }
}

/// From so many samples before one to as many after: the change of the median.
fn change_m(apart_m: &[Option<f64>], at: usize, within: usize) -> Option<f64> {
    let end = (at + within).min(apart_m.len());
    let [before, after] = [&apart_m[at.saturating_sub(within)..at], &apart_m[at..end]]
        .map(|range| median(range.iter().flatten().copied()));
    Some(after? - before?)
}

/// The mean square of such changes elsewhere; infinite where there are too few to tell.
fn usual_change2_m2(apart_m: &[Option<f64>], at: usize, within: usize) -> f64 {
    let elsewhere = (within..apart_m.len().saturating_sub(within))
        .step_by((within / 2).max(1))
        .filter(|other| other.abs_diff(at) > within);
    let squares: Vec<f64> = elsewhere
        .filter_map(|other| change_m(apart_m, other, within))
        .map(|change_m| change_m * change_m)
        .collect();
    if squares.len() < LEAST_ELSEWHERE {
        return f64::INFINITY;
    }
    squares.iter().sum::<f64>() / squares.len() as f64
}
