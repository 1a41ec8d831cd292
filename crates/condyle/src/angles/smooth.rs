//! A low-pass filter without lag, on request, and how strong it should be.

use serde::{Deserialize, Serialize};
use std::f64::consts::{PI, SQRT_2};

/// The cutoff of one pass must be higher for both passes together to have the one wanted: (√2 - 1)^¼.
const TWO_PASSES: f64 = 0.802;
/// The highest share of the rate at which a cutoff changes anything that can be computed.
const HIGHEST_SHARE: f64 = 0.45;
/// Shorter stretches between gaps are left as they are.
const MIN_FRAMES: usize = 8;

/// Whether angles are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Smoothing {
    /// They are left as the frames have them.
    #[default]
    Off,
    /// With a cutoff in hertz.
    At(f64),
    /// With the cutoff that predicts left-out frames best, of each joint.
    Auto,
}

/// Cutoffs to choose from, from the strongest; the search begins at the one usual for gait.
const CUTOFFS_HZ: [f64; 10] = [2.0, 3.0, 4.5, 6.0, 8.0, 10.0, 13.0, 17.0, 22.0, 30.0];
const USUAL: usize = 3;

/// Smooths the angles of a joint; the cutoff, if they changed.
pub(super) fn smooth(
    angles_rad: &mut [Option<[f64; 3]>],
    rate_hz: f64,
    smoothing: Smoothing,
) -> Option<f64> {
    let cutoff_hz = match smoothing {
        Smoothing::Off => None,
        Smoothing::At(cutoff_hz) => Some(cutoff_hz),
        Smoothing::Auto => best_cutoff(angles_rad, rate_hz),
    };
    cutoff_hz.filter(|cutoff_hz| filter(angles_rad, rate_hz, *cutoff_hz))
}

/// The cutoff that generalised cross-validation chooses; `None` if no smoothing predicts as well.
///
/// # Method
/// ln(RSS / n) - 2 ln(1 - tr / n), summed over the three angles, is smallest where frames that were left out would be
/// predicted best; tr / n is the mean of the filter's response over all frequencies. It needs noise that differs
/// from frame to frame; what moves as slowly as the joint itself it takes for motion. From the usual cutoff it goes
/// on in the direction that improves.
///
/// # Reference
/// P. Craven and G. Wahba 1979; H. J. Woltring 1986, *A Fortran package for generalized, cross-validatory spline
/// smoothing and differentiation*.
fn best_cutoff(angles_rad: &[Option<[f64; 3]>], rate_hz: f64) -> Option<f64> {
    let mut trial = angles_rad.to_vec();
    let mut score = |index: usize| -> Option<f64> {
        let cutoff_hz = *CUTOFFS_HZ.get(index)?;
        trial.copy_from_slice(angles_rad);
        if !filter(&mut trial, rate_hz, cutoff_hz) {
            return None;
        }
        let both = || trial.iter().flatten().zip(angles_rad.iter().flatten());
        let count = both().count() as f64;
        let free = 1.0 - Pass::new(rate_hz, cutoff_hz).mean_response();
        let of_axis = |axis: usize| {
            let square: f64 = both().map(|(now, was)| (now[axis] - was[axis]).powi(2)).sum();
            (square / count).max(f64::MIN_POSITIVE).ln() - 2.0 * free.ln()
        };
        (count > 0.0).then(|| (0..3).map(of_axis).sum())
    };
    let (mut best, mut least) = (USUAL, score(USUAL)?);
    for step in [-1, 1] {
        while let Some(next) = best.checked_add_signed(step) {
            let Some(value) = score(next).filter(|value| *value < least) else { break };
            (best, least) = (next, value);
        }
    }
    // At the weakest there is as much motion as noise up there.
    (best + 1 < CUTOFFS_HZ.len()).then(|| CUTOFFS_HZ[best])
}

/// Filters every angle of every stretch between gaps, forwards and then backwards.
///
/// # Method
/// A Butterworth filter of second order, twice: fourth order without lag. The ends are continued by reflection
/// through their last value. A cutoff that the rate does not resolve changes nothing: whether it does is returned.
///
/// # Reference
/// D. Winter 2009, *Biomechanics and motor control of human movement*, 3.4.4.2.
fn filter(angles_rad: &mut [Option<[f64; 3]>], rate_hz: f64, cutoff_hz: f64) -> bool {
    let is_resolved = cutoff_hz > 0.0 && cutoff_hz < HIGHEST_SHARE * rate_hz * TWO_PASSES;
    if !is_resolved {
        return false;
    }
    let pass = Pass::new(rate_hz, cutoff_hz);
    let pad = (rate_hz / cutoff_hz).ceil() as usize;
    for run in angles_rad.split_mut(Option::is_none).filter(|run| run.len() >= MIN_FRAMES) {
        for axis in 0..3 {
            let values: Vec<f64> =
                run.iter().map(|angles| angles.map_or(0.0, |a| a[axis])).collect();
            for (angles, value) in run.iter_mut().flatten().zip(pass.twice(&values, pad)) {
                angles[axis] = value;
            }
        }
    }
    true
}

/// Values without gaps through the same filter; nothing if there are too few or the rate does not resolve the cutoff.
pub(crate) fn low_pass(values: &[f64], rate_hz: f64, cutoff_hz: f64) -> Option<Vec<f64>> {
    let is_resolved = cutoff_hz > 0.0 && cutoff_hz < HIGHEST_SHARE * rate_hz * TWO_PASSES;
    (is_resolved && values.len() >= MIN_FRAMES).then(|| {
        let pad = (rate_hz / cutoff_hz).ceil() as usize;
        Pass::new(rate_hz, cutoff_hz).twice(values, pad)
    })
}

/// One pass: `y = a (x + 2x₋₁ + x₋₂) + b₁ y₋₁ + b₂ y₋₂`.
struct Pass {
    a: f64,
    b1: f64,
    b2: f64,
    /// tan(π f / rate) of its cutoff.
    warped: f64,
}

impl Pass {
    fn new(rate_hz: f64, cutoff_hz: f64) -> Self {
        let warped = (PI * cutoff_hz / rate_hz / TWO_PASSES).tan();
        let square = warped * warped;
        let a = square / (1.0 + SQRT_2 * warped + square);
        let b1 = 2.0 * a * (1.0 / square - 1.0);
        Self { a, b1, b2: 1.0 - 4.0 * a - b1, warped }
    }

    /// The mean over all frequencies of the response of both passes.
    fn mean_response(&self) -> f64 {
        const STEPS: u32 = 256;
        let response = |step: u32| {
            let ratio = (PI / 2.0 * (f64::from(step) + 0.5) / f64::from(STEPS)).tan() / self.warped;
            1.0 / (1.0 + ratio.powi(4))
        };
        (0..STEPS).map(response).sum::<f64>() / f64::from(STEPS)
    }

    fn twice(&self, values: &[f64], pad: usize) -> Vec<f64> {
        let last = values.len() - 1;
        let pad = pad.min(last);
        let before = (1..=pad).rev().map(|i| 2.0 * values[0] - values[i]);
        let after = (1..=pad).map(|i| 2.0 * values[last] - values[last - i]);
        let mut padded: Vec<f64> = before.chain(values.iter().copied()).chain(after).collect();
        for _ in 0..2 {
            self.once(&mut padded);
            padded.reverse();
        }
        padded[pad..pad + values.len()].to_vec()
    }

    fn once(&self, values: &mut [f64]) {
        let (mut x1, mut y1) = (values[0], values[0]);
        let (mut x2, mut y2) = (x1, y1);
        for value in values {
            let x = *value;
            *value = self.a * (x + 2.0 * x1 + x2) + self.b1 * y1 + self.b2 * y2;
            (x2, x1) = (x1, x);
            (y2, y1) = (y1, *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(frequency_hz: f64) -> Vec<Option<[f64; 3]>> {
        (0..400)
            .map(|k| Some([(2.0 * PI * frequency_hz * f64::from(k) / 100.0).sin(); 3]))
            .collect()
    }

    fn amplitude(angles_rad: &[Option<[f64; 3]>]) -> f64 {
        angles_rad[100..300].iter().flatten().map(|angles| angles[1].abs()).fold(0.0, f64::max)
    }

    #[test]
    fn slow_motion_passes_and_fast_noise_does_not() {
        for (frequency_hz, kept) in [(1.0, 0.999), (6.0, 0.707), (30.0, 0.0)] {
            let mut angles_rad = wave(frequency_hz);
            filter(&mut angles_rad, 100.0, 6.0);
            assert!(
                (amplitude(&angles_rad) - kept).abs() < 0.02,
                "{frequency_hz} {}",
                amplitude(&angles_rad)
            );
        }
    }

    #[test]
    fn cross_validation_keeps_the_motion_and_drops_the_noise() {
        use rand::SeedableRng;
        use rand_distr::{Distribution, Normal};
        for (frequency_hz, sigma) in [(0.4, 0.02), (2.0, 0.02), (2.0, 0.2), (8.0, 0.02)] {
            let truth = wave(frequency_hz);
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
            let normal = Normal::new(0.0, sigma).unwrap();
            let noisy: Vec<_> = truth
                .iter()
                .map(|a| a.map(|a| a.map(|v| v + normal.sample(&mut random))))
                .collect();
            let rms = |angles: &[Option<[f64; 3]>]| {
                let both = angles.iter().flatten().zip(truth.iter().flatten());
                (both.map(|(now, was)| (now[0] - was[0]).powi(2)).sum::<f64>() / 400.0).sqrt()
            };
            let mut found = noisy.clone();
            let cutoff_hz = smooth(&mut found, 100.0, Smoothing::Auto).unwrap();
            assert!(rms(&found) < 0.75 * sigma, "{frequency_hz} {sigma} {}", rms(&found));
            // No other cutoff would have done much better.
            for other_hz in CUTOFFS_HZ {
                let mut other = noisy.clone();
                smooth(&mut other, 100.0, Smoothing::At(other_hz));
                assert!(rms(&found) < 1.25 * rms(&other), "{cutoff_hz} {other_hz}");
            }
        }
    }

    #[test]
    fn motion_without_noise_is_left_alone() {
        let mut angles_rad = wave(12.0);
        let before = angles_rad.clone();
        assert_eq!(smooth(&mut angles_rad, 100.0, Smoothing::Auto), None);
        assert_eq!(angles_rad, before);
        let mut slow = before.clone();
        assert_eq!(smooth(&mut slow, 5.0, Smoothing::Auto), None);
    }

    #[test]
    fn nothing_crosses_a_gap_and_nothing_lags() {
        let mut angles_rad = wave(0.5);
        let before = angles_rad.clone();
        angles_rad[150] = None;
        filter(&mut angles_rad, 100.0, 6.0);
        assert!(angles_rad[150].is_none());
        for (now, was) in angles_rad.iter().zip(&before) {
            if let (Some(now), Some(was)) = (now, was) {
                assert!((now[0] - was[0]).abs() < 2e-3, "{now:?} {was:?}");
            }
        }
        let mut same = before.clone();
        filter(&mut same, 100.0, 80.0);
        assert_eq!(same, before);
    }
}
