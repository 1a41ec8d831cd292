//! A low-pass filter without lag, on request.

use std::f64::consts::{PI, SQRT_2};

/// The cutoff of one pass must be higher for both passes together to have the one wanted: (√2 - 1)^¼.
const TWO_PASSES: f64 = 0.802;
/// The highest share of the rate at which a cutoff changes anything that can be computed.
const HIGHEST_SHARE: f64 = 0.45;
/// Shorter stretches between gaps are left as they are.
const MIN_FRAMES: usize = 8;

/// Filters every angle of every stretch between gaps, forwards and then backwards.
///
/// # Method
/// A Butterworth filter of second order, twice: fourth order without lag. The ends are continued by reflection
/// through their last value. A cutoff that the rate does not resolve changes nothing.
///
/// # Reference
/// D. Winter 2009, *Biomechanics and motor control of human movement*, 3.4.4.2.
pub(super) fn filter(angles_rad: &mut [Option<[f64; 3]>], rate_hz: f64, cutoff_hz: f64) {
    let is_resolved = cutoff_hz > 0.0 && cutoff_hz < HIGHEST_SHARE * rate_hz * TWO_PASSES;
    if !is_resolved {
        return;
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
}

/// One pass: `y = a (x + 2x₋₁ + x₋₂) + b₁ y₋₁ + b₂ y₋₂`.
struct Pass {
    a: f64,
    b1: f64,
    b2: f64,
}

impl Pass {
    fn new(rate_hz: f64, cutoff_hz: f64) -> Self {
        let warped = (PI * cutoff_hz / rate_hz / TWO_PASSES).tan();
        let square = warped * warped;
        let a = square / (1.0 + SQRT_2 * warped + square);
        let b1 = 2.0 * a * (1.0 / square - 1.0);
        Self { a, b1, b2: 1.0 - 4.0 * a - b1 }
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
