//! What a plate shows while nobody is on it.

use nalgebra::Vector3;

use crate::statistics;

/// The lowest force that counts as somebody's.
const LEAST_N: f64 = 20.0;
/// And in standard deviations of the baseline.
const LEAST_SDS: f64 = 4.0;
/// The width of a bin of the histogram.
const BIN_N: f64 = 2.0;
/// A mode above this is somebody who stands there most of the time.
const LARGEST_BASELINE_N: f64 = 120.0;

/// The baseline of the force across the surface.
pub(super) struct Baseline {
    pub level_n: f64,
    pub threshold_n: f64,
    /// Whether the force under load points down.
    pub is_reversed: bool,
}

impl Baseline {
    /// The mode of the histogram, and how far samples about it scatter.
    pub fn of(vertical_n: &[f64]) -> Self {
        let mut bins: Vec<i64> = vertical_n.iter().map(|n| (n / BIN_N).floor() as i64).collect();
        bins.sort_unstable();
        let fullest = bins.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        let mode_n = fullest.map_or(0.0, |run| (run[0] as f64 + 0.5) * BIN_N);
        let mode_n = if mode_n.abs() > LARGEST_BASELINE_N { 0.0 } else { mode_n };
        let about = || vertical_n.iter().copied().filter(|n| (n - mode_n).abs() < LEAST_N);
        let level_n = statistics::median(about()).unwrap_or(mode_n);
        let sd_n = statistics::sd_by_median(about().map(|n| n - level_n)).unwrap_or(0.0);
        let largest = vertical_n.iter().copied().fold(level_n, f64::max) - level_n;
        let smallest = vertical_n.iter().copied().fold(level_n, f64::min) - level_n;
        Self {
            level_n,
            threshold_n: LEAST_N.max(LEAST_SDS * sd_n),
            is_reversed: -smallest > largest,
        }
    }
}

/// Takes away what vectors are, in the median, while nobody is on the plate, and turns their sign.
pub(super) fn remove(
    vectors: &mut [Vector3<f64>],
    vertical_n: &[f64],
    baseline: &Baseline,
    sign: f64,
) {
    let is_free = |n: f64| (n - baseline.level_n).abs() < baseline.threshold_n;
    let level = Vector3::from_fn(|axis, _| {
        let free = vectors.iter().zip(vertical_n).filter(|(_, n)| is_free(**n));
        statistics::median(free.map(|(vector, _)| vector[axis])).unwrap_or(0.0)
    });
    vectors.iter_mut().for_each(|vector| *vector = (*vector - level) * sign);
}
