//! Where motion ends and noise begins in the spectrum of trajectories.

use nalgebra::{Complex, Vector3};

use crate::order;
use crate::statistics::quantile_in_place;

/// Runs must have so many frames for a spectrum.
const MIN_FRAMES: usize = 64;
/// So many are looked at.
const MAX_FRAMES: usize = 4096;
/// So many samples are left independent at least: of few some sets of markers are rigid by chance.
const MIN_INDEPENDENT: usize = 100;
/// The power is smoothed over so many bins.
const SMOOTHED_BINS: usize = 5;
/// Of the coordinates' powers this quantile counts: most may be still.
const POOLED: f64 = 0.8;

/// The frequency above which there is only noise; `None` if the runs are too short to tell.
///
/// # Method
/// Of each run, less the line through its ends, the discrete cosine transform. The cut-off minimises the generalised
/// cross-validation of a cut after k of n coefficients, Σ_{j≥k} p_j / (n - k)², with p the 80 % quantile of the powers
/// over the coordinates.
///
/// # Reference
/// P. Craven, G. Wahba (1979), *Smoothing noisy data with spline functions*, section 2: generalised cross-validation.
pub(super) fn cutoff_hz(runs: &[Vec<Vector3<f64>>], rate_hz: f64) -> Option<f64> {
    let mut long: Vec<&Vec<Vector3<f64>>> =
        runs.iter().filter(|run| run.len() >= MIN_FRAMES).collect();
    if 2 * long.len() < runs.len() || long.is_empty() {
        return None;
    }
    // A power of two that at least half of them have.
    order::by_key(&mut long, |run| std::cmp::Reverse(run.len()));
    let common = long[long.len() / 2].len().min(MAX_FRAMES);
    let n = if common.is_power_of_two() { common } else { common.next_power_of_two() / 2 };
    let long = long.into_iter().filter(|run| run.len() >= n);
    let powers: Vec<Vec<f64>> = long
        .flat_map(|run| {
            let start = (run.len() - n) / 2;
            (0..3).map(move |axis| {
                let values: Vec<f64> = run[start..start + n].iter().map(|p| p[axis]).collect();
                smoothed(&cosine_power(&values))
            })
        })
        .collect();
    let pooled: Vec<f64> = (0..n)
        .map(|k| {
            let mut at: Vec<f64> = powers.iter().map(|power| power[k]).collect();
            quantile_in_place(&mut at, POOLED).unwrap_or(0.0)
        })
        .collect();
    let mut tail = 0.0;
    let mut best = (f64::INFINITY, n);
    for k in (1..n).rev() {
        tail += pooled[k];
        let score = tail / ((n - k) as f64).powi(2);
        if score < best.0 {
            best = (score, k);
        }
    }
    Some(best.1.max(MIN_INDEPENDENT) as f64 * rate_hz / (2 * n) as f64)
}

/// The squares of the cosine transform of values, less the line through their ends.
fn cosine_power(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let (first, last) = (values[0], values[n - 1]);
    let bent = |k: usize| {
        let share = k as f64 / (n - 1).max(1) as f64;
        values[k] - first - (last - first) * share
    };
    let mirrored = (0..n).chain((0..n).rev()).map(|k| Complex::new(bent(k), 0.0));
    let mut transform: Vec<Complex<f64>> = mirrored.collect();
    fourier(&mut transform);
    transform[..n].iter().map(|value| value.norm_sqr()).collect()
}

/// The fast Fourier transform of a power of two of values, in place.
///
/// # Reference
/// J. W. Cooley, J. W. Tukey (1965), *An algorithm for the machine calculation of complex Fourier series*.
fn fourier(values: &mut [Complex<f64>]) {
    let n = values.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            values.swap(i, j);
        }
    }
    let mut size = 2;
    while size <= n {
        let turn = Complex::from_polar(1.0, -std::f64::consts::TAU / size as f64);
        for block in values.chunks_exact_mut(size) {
            let (even, odd) = block.split_at_mut(size / 2);
            let mut phase = Complex::new(1.0, 0.0);
            for (even, odd) in even.iter_mut().zip(odd) {
                let turned = *odd * phase;
                (*even, *odd) = (*even + turned, *even - turned);
                phase *= turn;
            }
        }
        size *= 2;
    }
}

fn smoothed(power: &[f64]) -> Vec<f64> {
    let half = SMOOTHED_BINS / 2;
    let mean = |k: usize| {
        let near = &power[k.saturating_sub(half)..(k + half + 1).min(power.len())];
        near.iter().sum::<f64>() / near.len() as f64
    };
    (0..power.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_of_a_cosine_is_one_line() {
        let n = 64;
        let wave = |k: usize| (std::f64::consts::PI * 6.0 * (k as f64 + 0.5) / n as f64).cos();
        let mut values: Vec<Complex<f64>> =
            (0..n).chain((0..n).rev()).map(|k| Complex::new(wave(k), 0.0)).collect();
        fourier(&mut values);
        for (k, value) in values[..n].iter().enumerate() {
            let expected = if k == 6 { n as f64 } else { 0.0 };
            assert!((value.norm() - expected).abs() < 1e-9, "{k}: {value}");
        }
    }

    #[test]
    fn short_runs_have_no_cutoff() {
        assert_eq!(cutoff_hz(&[], 100.0), None);
        assert_eq!(cutoff_hz(&[vec![Vector3::zeros(); 20]], 100.0), None);
    }
}
