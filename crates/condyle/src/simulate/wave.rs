//! Smooth functions of time.

use std::f64::consts::TAU;

use rand::{Rng, RngExt};

use super::performer::JointAxis;

/// From 0 to 1 while `x` does, with no velocity and no acceleration at either end.
pub(super) fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (10.0 - x * (15.0 - 6.0 * x))
}

/// [`smooth_step`] while `x` goes from `from` to `to`.
pub(super) fn ramp(x: f64, from: f64, to: f64) -> f64 {
    if to > from { smooth_step((x - from) / (to - from)) } else { f64::from(u8::from(x >= to)) }
}

/// From 0 up to 1 half-way and back while `x` goes from 0 to 1; 0 elsewhere.
pub(super) fn bump(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    64.0 * (x * (1.0 - x)).powi(3)
}

/// An oscillation about a mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wave {
    pub(super) mean: f64,
    pub(super) amplitude: f64,
    pub(super) frequency_hz: f64,
    /// In cycles.
    pub(super) phase: f64,
}

impl Wave {
    /// Through all of the range that routines use.
    pub(super) fn through(axis: &JointAxis, frequency_hz: f64, phase: f64) -> Self {
        let [least, most] = axis.rom_rad;
        Self {
            mean: f64::midpoint(least, most),
            amplitude: (most - least) / 2.0,
            frequency_hz,
            phase,
        }
    }

    /// Always the same.
    pub(super) fn constant(mean: f64) -> Self {
        Self { mean, amplitude: 0.0, frequency_hz: 0.0, phase: 0.0 }
    }

    /// About zero, with a random phase.
    pub(super) fn sway(amplitude: f64, frequency_hz: f64, rng: &mut impl Rng) -> Self {
        Self { mean: 0.0, amplitude, frequency_hz, phase: rng.random() }
    }

    pub(super) fn at(&self, time_s: f64) -> f64 {
        self.mean + self.amplitude * (TAU * (self.frequency_hz * time_s + self.phase)).sin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_bumps_end_where_they_should() {
        assert_eq!((smooth_step(-1.0), smooth_step(0.5), smooth_step(2.0)), (0.0, 0.5, 1.0));
        assert_eq!((bump(0.0), bump(0.5), bump(1.0)), (0.0, 1.0, 0.0));
        assert_eq!((ramp(3.0, 2.0, 2.0), ramp(1.0, 2.0, 2.0)), (1.0, 0.0));
    }
}
