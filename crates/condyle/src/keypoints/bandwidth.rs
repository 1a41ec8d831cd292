//! How fast a point moves against how noisy it is, found from its trajectory.

use nalgebra::Vector3;

/// What detectors' noise is like at 60 Hz and elsewhere: correlated over this long, with this share new in every frame.
///
/// Measured on filmed recordings: 0.10 and 0.14 s, white 0.19 and 0. Judged against truth, trajectories are smoothed
/// best as if it were shorter: points are not free to jerk at random.
const CORRELATED_S: f64 = 0.05;
const WHITE: f64 = 0.35;
/// Ratios of the power of the third derivative to the variance of the noise that are tried: m²/s⁵ over m².
const LOG_RATIOS: [f64; 2] = [2.0, 11.0];
const RATIOS: usize = 19;
/// Of what is likeliest: less smooth. On seeds 10 to 12 and 20 to 22 of the four simulated sequences 0.3 and 0.1 are alike
/// to 0.2 mm, and so they are on OpenCap's walk.
const LESS_SMOOTH: f64 = 0.3;
/// Frames that are looked at, at most.
const MAX_FRAMES: usize = 1500;
/// States of the filter: position, velocity, acceleration, correlated noise.
const STATES: usize = 4;

type Matrix = [[f64; STATES]; STATES];

/// The weight of squared third differences against squared residuals in units of the noise, and the noise itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bandwidth {
    pub lambda: f64,
    /// The standard deviation of a coordinate.
    pub noise_m: f64,
}

/// How correlated noise of neighbouring frames adds up: its variance over many frames against that of white noise.
fn added_up(rate_hz: f64) -> f64 {
    let kept = (-1.0 / (rate_hz * CORRELATED_S)).exp();
    1.0 + 2.0 * (1.0 - WHITE) * kept / (1.0 - kept)
}

/// The bandwidth that explains a trajectory without gaps best.
///
/// # Method
/// The third derivative is white noise of power S, the noise is an autoregressive process of first order and white
/// noise of variance σ² together. The likelihood of the innovations of a Kalman filter is maximised over S/σ² on a grid;
/// σ² follows in closed form.
///
/// # Reference
/// A. C. Harvey (1989), *Forecasting, structural time series models and the Kalman filter*, section 3.4.
pub(super) fn bandwidth(path_m: &[Vector3<f64>], rate_hz: f64) -> Bandwidth {
    let path_m = &path_m[..path_m.len().min(MAX_FRAMES)];
    let step = (LOG_RATIOS[1] - LOG_RATIOS[0]) / (RATIOS - 1) as f64;
    let tried = (0..RATIOS).map(|i| {
        let ratio = 10f64.powf(LOG_RATIOS[0] + step * i as f64);
        let (likelihood, noise_m2) = likelihood(path_m, rate_hz, ratio);
        (likelihood, ratio, noise_m2)
    });
    let best = tried.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 1e6, 1e-4));
    let lambda = LESS_SMOOTH * added_up(rate_hz) * rate_hz.powi(5) / best.1;
    Bandwidth { lambda, noise_m: best.2.max(1e-8).sqrt() }
}

/// The logarithm of the likelihood, but for a constant, and the variance of the noise.
fn likelihood(path_m: &[Vector3<f64>], rate_hz: f64, ratio: f64) -> (f64, f64) {
    let dt = 1.0 / rate_hz;
    let kept = (-dt / CORRELATED_S).exp();
    let jerk = [dt.powi(3) / 6.0, dt * dt / 2.0, dt];
    let mut spread: Matrix = [[0.0; STATES]; STATES];
    // Nothing is known at first, in units of the noise: 10 m, 100 m/s, 1000 m/s² for noise of 10 mm.
    (spread[0][0], spread[1][1], spread[2][2], spread[3][3]) = (1e6, 1e8, 1e10, 1.0 - WHITE);
    let mut state = [Vector3::zeros(); STATES];
    let (mut squares, mut logs, mut count) = (0.0, 0.0, 0.0);
    for (frame, seen_m) in path_m.iter().enumerate() {
        if frame > 0 {
            state[0] += state[1] * dt + state[2] * (dt * dt / 2.0);
            state[1] += state[2] * dt;
            state[3] *= kept;
            spread = predicted(&spread, dt, kept);
            for i in 0..3 {
                for j in 0..3 {
                    spread[i][j] += jerk[i] * jerk[j] * ratio / dt;
                }
            }
            spread[3][3] += (1.0 - WHITE) * (1.0 - kept * kept);
        }
        let gain: [f64; STATES] = std::array::from_fn(|i| spread[i][0] + spread[i][3]);
        let variance = gain[0] + gain[3] + WHITE;
        let off_m = seen_m - state[0] - state[3];
        // The first frames tell where the point is.
        if frame >= 3 {
            squares += off_m.norm_squared() / variance;
            logs += 3.0 * variance.ln();
            count += 3.0;
        }
        for i in 0..STATES {
            state[i] += off_m * (gain[i] / variance);
            for j in 0..STATES {
                spread[i][j] -= gain[i] * gain[j] / variance;
            }
        }
    }
    let noise_m2 = squares / f64::max(count, 1.0);
    (-0.5 * (count * noise_m2.max(1e-12).ln() + logs), noise_m2)
}

/// F P Fᵀ of a constant acceleration and a decaying noise.
fn predicted(spread: &Matrix, dt: f64, kept: f64) -> Matrix {
    let moved = |v: &[f64; STATES]| {
        [v[0] + dt * v[1] + dt * dt / 2.0 * v[2], v[1] + dt * v[2], v[2], kept * v[3]]
    };
    let rows = spread.map(|row| moved(&row));
    let mut out = [[0.0; STATES]; STATES];
    for j in 0..STATES {
        let column = moved(&std::array::from_fn(|i| rows[i][j]));
        for i in 0..STATES {
            out[i][j] = column[i];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn noisy(speed_rad: f64) -> Vec<Vector3<f64>> {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut draw = || 0.03 * (random.random::<f64>() + random.random::<f64>() - 1.0);
        (0..300)
            .map(|frame| {
                let at = 0.3 * (speed_rad * f64::from(frame) / 60.0).sin();
                Vector3::new(at + draw(), draw(), draw())
            })
            .collect()
    }

    #[test]
    fn a_fast_point_is_smoothed_less_than_a_slow_one() {
        let [slow, fast] = [1.0, 12.0].map(|speed| bandwidth(&noisy(speed), 60.0));
        assert!(fast.lambda < 0.1 * slow.lambda, "{slow:?} {fast:?}");
        assert!((0.006..0.02).contains(&slow.noise_m), "{slow:?}");
    }
}
