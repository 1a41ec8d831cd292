//! How much the distance of every two markers varies.

use super::sample::{MIN_FRAMES, Sample};
use crate::order;
use crate::statistics::{median_in_place, quantile_in_place};

/// Distances of pairs of markers, and the scales of the recording that they show.
pub(super) struct Spreads {
    markers: usize,
    /// The standard deviation of the distance, by its 2 % and 98 % quantiles; infinite if unknown.
    spread_m: Vec<f64>,
    /// The mean distance; infinite if unknown.
    distance_m: Vec<f64>,
    /// σ₀: how much distances on one segment vary, by noise and skin.
    pub noise_m: f64,
    /// How much distances vary that vary little but not for being on one segment.
    pub motion_m: f64,
}

/// A distance that differs from both its neighbours in time by more than so many times the usual is an
/// outlier: what lasts is motion, however short.
const OUTLIER: f64 = 8.0;
/// The share of the longest and of the shortest distances that does not count.
const TAIL: f64 = 0.02;
/// What is between these tails of a normal distribution, in standard deviations.
const BETWEEN_TAILS: f64 = 4.1;
/// Recordings are not better than this, and if they are it does not matter.
const LEAST_NOISE_M: f64 = 2e-5;

impl Spreads {
    pub fn of(sample: &Sample) -> Self {
        let n = sample.markers.len();
        let (mut spread_m, mut distance_m) =
            (vec![f64::INFINITY; n * n], vec![f64::INFINITY; n * n]);
        let (mut distances, mut scratch) = (Vec::with_capacity(sample.frames), Vec::new());
        // Column by column, so that pairs stream.
        let columns: Vec<Vec<_>> = (0..n)
            .map(|marker| {
                (0..sample.frames).map(|frame| sample.position_m(frame, marker)).collect()
            })
            .collect();
        for a in 0..n {
            for b in a + 1..n {
                distances.clear();
                let both = columns[a].iter().zip(&columns[b]);
                distances.extend(both.filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())));
                let Some((spread, mean)) = spread_and_mean(&distances, &mut scratch) else {
                    continue;
                };
                for at in [a * n + b, b * n + a] {
                    (spread_m[at], distance_m[at]) = (spread, mean);
                }
            }
        }
        let mut spreads = Self { markers: n, spread_m, distance_m, noise_m: 0.0, motion_m: 0.0 };
        let nearest =
            (0..n).map(|a| (0..n).map(|b| spreads.spread_m(a, b)).fold(f64::INFINITY, f64::min));
        let mut nearest: Vec<f64> = nearest.filter(|s| s.is_finite()).collect();
        let mut all: Vec<f64> =
            spreads.spread_m.iter().copied().filter(|s| s.is_finite()).collect();
        spreads.noise_m = median_in_place(&mut nearest).unwrap_or(0.0).max(LEAST_NOISE_M);
        spreads.motion_m = quantile_in_place(&mut all, 0.25).unwrap_or(0.0).max(spreads.noise_m);
        spreads
    }

    /// How many markers there are.
    pub fn markers(&self) -> usize {
        self.markers
    }

    /// How much the distance of two markers varies.
    pub fn spread_m(&self, a: usize, b: usize) -> f64 {
        self.spread_m[a * self.markers + b]
    }

    /// The mean distance of two markers.
    pub fn distance_m(&self, a: usize, b: usize) -> f64 {
        self.distance_m[a * self.markers + b]
    }

    /// The mean spread between two sets, over the pairs seen together; infinite if those are few.
    pub fn between_m(&self, one: &[u16], other: &[u16]) -> f64 {
        let (mut sum, mut known) = (0.0, 0);
        for a in one {
            for b in other {
                let spread = self.spread_m(usize::from(*a), usize::from(*b));
                if spread.is_finite() {
                    sum += spread;
                    known += 1;
                }
            }
        }
        if 2 * known >= one.len() * other.len() && known > 0 {
            sum / known as f64
        } else {
            f64::INFINITY
        }
    }

    /// For every marker, how many others are nearer to it: `[marker][other]`.
    pub fn ranks(&self) -> Vec<Vec<usize>> {
        (0..self.markers)
            .map(|a| {
                let mut others: Vec<usize> = (0..self.markers).collect();
                order::by(&mut others, |b, c| {
                    self.distance_m(a, *b).total_cmp(&self.distance_m(a, *c))
                });
                let mut ranks = vec![0; self.markers];
                others.iter().enumerate().for_each(|(rank, other)| ranks[*other] = rank);
                ranks
            })
            .collect()
    }
}

/// The standard deviation and the mean of the distances, in the order of time.
fn spread_and_mean(distances: &[f64], scratch: &mut Vec<f64>) -> Option<(f64, f64)> {
    if distances.len() < MIN_FRAMES {
        return None;
    }
    let jump = |three: &[f64]| (three[1] - median_of_three(three)).abs();
    scratch.clear();
    scratch.extend(distances.windows(3).map(jump));
    let limit = OUTLIER * median_in_place(scratch)? + f64::EPSILON * distances[0].abs();
    scratch.clear();
    scratch.extend(distances.windows(3).filter(|three| jump(three) <= limit).map(|three| three[1]));
    let mean = scratch.iter().sum::<f64>() / scratch.len() as f64;
    let spread = quantile_in_place(scratch, 1.0 - TAIL)? - quantile_in_place(scratch, TAIL)?;
    Some((spread / BETWEEN_TAILS, mean))
}

fn median_of_three(three: &[f64]) -> f64 {
    let (low, high) = (three[0].min(three[2]), three[0].max(three[2]));
    three[1].clamp(low, high)
}
