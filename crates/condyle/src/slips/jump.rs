//! How likely it is, at every instant, that a marker jumped, against motion that is only rough there.

use std::ops::Range;

use nalgebra::{Matrix3, Point3, Vector3};

use super::smooth::{Known, Pass, Smooth};
use crate::statistics::median_in_place;

/// How rough motion may be: the spectral density of its jerk, in m²/s⁵, from a standing person to feet that hit the floor.
const JERKS: [f64; 7] = [0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5];
/// Which of them holds is told by the samples around an instant, for so long either way, in seconds.
const AROUND_S: f64 = 0.1;
const LEAST_AROUND: usize = 5;
/// A single instant is judged by samples for so long either way, in seconds.
const WITHIN_S: f64 = 0.6;
/// Cameras are never better than this, in metres.
const LEAST_NOISE_M: f64 = 2e-4;
/// One standard deviation of what may happen at once: of a jump, in metres; of an impact, in m/s; of a push, in m/s².
const JUMP_M: f64 = 0.015;
const IMPACT_M_S: f64 = 0.7;
const PUSH_M_S2: f64 = 30.0;
/// What an impact and a push cost in log-likelihood: they are not seldom.
const RARE: f64 = -2.0;
/// Within so many samples of an end of a run nothing is said.
const END: usize = 8;
/// A standard deviation from a median absolute one, and of fourth differences of white noise.
const MAD_TO_SD: f64 = 1.4826;
const FOURTH_DIFFERENCE_SD: f64 = 8.366_600_265_340_756;

/// What may happen at once but a jump, as variances that are added to place, velocity and acceleration, and its cost.
const IMPACTS: [([f64; 3], f64); 4] = [
    ([0.0, 0.0, 0.0], 0.0),
    ([0.0, IMPACT_M_S * IMPACT_M_S, 0.0], RARE),
    ([0.0, 0.0, PUSH_M_S2 * PUSH_M_S2], RARE),
    ([0.0, IMPACT_M_S * IMPACT_M_S, PUSH_M_S2 * PUSH_M_S2], 2.0 * RARE),
];
const JUMP: ([f64; 3], f64) = ([JUMP_M * JUMP_M, 0.0, 0.0], 0.0);

/// A jump between the sample before and this one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jump {
    /// How much likelier the samples are with it than without, as a logarithm.
    pub gain: f64,
    /// How far, and one standard deviation along every axis.
    pub shift_m: Vector3<f64>,
    pub sd_m: f64,
}

/// A trajectory that is asked for jumps.
pub(super) struct Jumps<'a> {
    samples_m: &'a [Option<Point3<f64>>],
    rate_hz: f64,
    pub noise_m: f64,
    around: usize,
}

impl<'a> Jumps<'a> {
    pub fn new(samples_m: &'a [Option<Point3<f64>>], rate_hz: f64) -> Self {
        Self::with_noise(samples_m, rate_hz, noise_m(samples_m).max(LEAST_NOISE_M))
    }

    /// The same where the noise is known.
    pub fn with_noise(samples_m: &'a [Option<Point3<f64>>], rate_hz: f64, noise_m: f64) -> Self {
        let around = ((AROUND_S * rate_hz) as usize).max(LEAST_AROUND);
        Self { samples_m, rate_hz, noise_m, around }
    }

    fn smooth(&self, jerk: f64) -> Smooth {
        Smooth::new(1.0 / self.rate_hz, jerk, self.noise_m)
    }

    /// The best jump at every sample where motion is as rough before as after it; `None` near the ends.
    ///
    /// # Method
    /// Samples before an instant predict place, velocity and acceleration there, those after it do so backwards; how
    /// far the two differ, d, is N(0, P + P') if nothing happened. A jump adds its variance to the place's. What
    /// motion alone does when a foot hits the floor is a step of velocity or acceleration: it adds to these. How rough
    /// motion is at the time is what makes the samples around the instant likeliest, with the jump and without.
    pub fn all(&self) -> Vec<Option<Jump>> {
        let count = self.samples_m.len();
        let mut without = vec![f64::NEG_INFINITY; count];
        let mut with = vec![(f64::NEG_INFINITY, Vector3::zeros(), f64::INFINITY); count];
        let (mut forwards, mut backwards) = (Pass::default(), Pass::default());
        for smooth in JERKS.map(|jerk| self.smooth(jerk)) {
            smooth.filter(self.samples_m.iter().copied(), &mut forwards);
            smooth.filter(self.samples_m.iter().rev().copied(), &mut backwards);
            let [before, after] = smooth.steady();
            let usual = Meeting::of(&before, &after);
            let sums = [&forwards.log_likelihood, &backwards.log_likelihood].map(|all| sums(all));
            for at in 1..count {
                let [from, to] = [at.saturating_sub(self.around), (at + self.around).min(count)];
                let likelihood =
                    sums[0][at] - sums[0][from] + sums[1][count - at] - sums[1][count - to];
                let before = &forwards.predicted[at];
                let after = &backwards.filtered[count - 1 - at];
                let own;
                let meeting = match before.is_steady && after.is_steady {
                    true => &usual,
                    false => {
                        own = Meeting::of(&before.covariance, &after.covariance);
                        &own
                    }
                };
                let off = off(before, after);
                without[at] = f64::max(without[at], likelihood + meeting.without_jump(&off));
                let by_jump = likelihood + meeting.with_jump(&off);
                if by_jump > with[at].0 {
                    with[at] = (by_jump, meeting.shift_m(&off), meeting.sd_m());
                }
            }
        }
        let jump = |at: usize| {
            let (likelihood, shift_m, sd_m) = with[at];
            let gain = likelihood - without[at];
            (END..count.saturating_sub(END)).contains(&at).then_some(Jump { gain, shift_m, sd_m })
        };
        (0..count).map(jump).collect()
    }

    /// The jump at one sample where motion may be rougher before than after it, or the other way round.
    pub fn at(&self, at: usize) -> Jump {
        let near = near(at, self.samples_m.len(), self.rate_hz);
        let (at, count) = (at - near.start, near.len());
        let near = &self.samples_m[near];
        let mut pass = Pass::default();
        let mut sides = |smooth: Smooth| {
            smooth.filter(near.iter().copied(), &mut pass);
            let told = &pass.log_likelihood[at.saturating_sub(self.around)..at];
            let before = (pass.predicted[at], told.iter().sum::<f64>());
            smooth.filter(near.iter().rev().copied(), &mut pass);
            let told = &pass.log_likelihood[(count - at).saturating_sub(self.around)..count - at];
            (before, (pass.filtered[count - 1 - at], told.iter().sum::<f64>()))
        };
        let sides = JERKS.map(|jerk| sides(self.smooth(jerk)));
        let mut without = f64::NEG_INFINITY;
        let mut with = (f64::NEG_INFINITY, Vector3::zeros(), f64::INFINITY);
        for ((before, told_before), _) in &sides {
            for (_, (after, told_after)) in &sides {
                let meeting = Meeting::of(&before.covariance, &after.covariance);
                let (off, likelihood) = (off(before, after), told_before + told_after);
                without = f64::max(without, likelihood + meeting.without_jump(&off));
                let by_jump = likelihood + meeting.with_jump(&off);
                if by_jump > with.0 {
                    with = (by_jump, meeting.shift_m(&off), meeting.sd_m());
                }
            }
        }
        Jump { gain: with.0 - without, shift_m: with.1, sd_m: with.2 }
    }
}

/// The samples that tell of one instant.
pub(super) fn near(at: usize, count: usize, rate_hz: f64) -> Range<usize> {
    let within = ((WITHIN_S * rate_hz) as usize).max(2 * END);
    at.saturating_sub(within)..(at + within).min(count)
}

/// How far two sides differ, time running forwards.
fn off(before: &Known, after: &Known) -> Matrix3<f64> {
    Matrix3::from_diagonal(&REVERSED) * after.state - before.state
}

/// One standard deviation of the noise along an axis, from fourth differences, which motion hardly has.
fn noise_m(samples_m: &[Option<Point3<f64>>]) -> f64 {
    let fourth = |window: &[Option<Point3<f64>>]| match window {
        [Some(a), Some(b), Some(c), Some(d), Some(e)] => {
            Some(a.coords - 4.0 * b.coords + 6.0 * c.coords - 4.0 * d.coords + e.coords)
        }
        _ => None,
    };
    let along = |difference: Vector3<f64>| [0, 1, 2].map(|axis| difference[axis].abs());
    let mut sizes_m: Vec<f64> = samples_m.windows(5).filter_map(fourth).flat_map(along).collect();
    median_in_place(&mut sizes_m).unwrap_or(0.0) * MAD_TO_SD / FOURTH_DIFFERENCE_SD
}

/// The sums of all values before each.
fn sums(values: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    sums.extend(values.iter().map(|value| {
        sum += value;
        sum
    }));
    sums
}

/// What samples before an instant and those after it say of it, put together.
struct Meeting {
    inverse: Matrix3<f64>,
    without: [(Matrix3<f64>, f64); IMPACTS.len()],
    with: (Matrix3<f64>, f64),
}

/// Time runs backwards: velocity changes sign.
const REVERSED: Vector3<f64> = Vector3::new(1.0, -1.0, 1.0);

impl Meeting {
    fn of(before: &Matrix3<f64>, after: &Matrix3<f64>) -> Self {
        let sum = before + after.component_mul(&(REVERSED * REVERSED.transpose()));
        let with = |(added, cost): ([f64; 3], f64)| {
            let sum = sum + Matrix3::from_diagonal(&Vector3::from(added));
            let inverse = sum.try_inverse().unwrap_or_else(Matrix3::zeros);
            (inverse, cost - 1.5 * sum.determinant().max(f64::MIN_POSITIVE).ln())
        };
        let without = IMPACTS.map(with);
        Self { inverse: without[0].0, without, with: with(JUMP) }
    }

    fn without_jump(&self, off: &Matrix3<f64>) -> f64 {
        self.without.iter().map(|way| log_density(way, off)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn with_jump(&self, off: &Matrix3<f64>) -> f64 {
        log_density(&self.with, off)
    }

    /// The jump that fits best: where the place is free, velocity and acceleration are not.
    fn shift_m(&self, off: &Matrix3<f64>) -> Vector3<f64> {
        (self.inverse.row(0) * off).transpose() / self.inverse[(0, 0)]
    }

    fn sd_m(&self) -> f64 {
        self.inverse[(0, 0)].sqrt().recip()
    }
}

fn log_density((inverse, log_scale): &(Matrix3<f64>, f64), off: &Matrix3<f64>) -> f64 {
    log_scale - 0.5 * (inverse * off).component_mul(off).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place with waves of 2 mm, noise of a millimetre by a fixed rule, and a jump at 120.
    fn places(jump_m: f64, kink_m_s: f64) -> Vec<Option<Point3<f64>>> {
        let noise = |at: usize, axis: usize| {
            let turned = ((at * 3 + axis) as f64 * 12.9898).sin() * 43_758.545_3;
            3.46e-3 * (turned - turned.floor() - 0.5)
        };
        let place = |at: usize| {
            let t = at as f64 / 100.0;
            let after = if at >= 120 { 1.0 } else { 0.0 };
            let x = 0.2 * (3.0 * t).sin() + after * (jump_m + kink_m_s * (t - 1.2));
            let noise = Vector3::from([0, 1, 2].map(|axis| noise(at, axis)));
            (!(60..63).contains(&at)).then(|| Point3::new(x, 0.1 * (5.0 * t).cos(), t) + noise)
        };
        (0..240).map(place).collect()
    }

    fn best(places_m: &[Option<Point3<f64>>]) -> (usize, Jump) {
        let found = Jumps::new(places_m, 100.0).all();
        let all = found.iter().enumerate().filter_map(|(at, jump)| Some((at, (*jump)?)));
        all.max_by(|a, b| a.1.gain.total_cmp(&b.1.gain)).unwrap()
    }

    #[test]
    fn a_jump_of_a_centimetre_is_seen_where_it_is() {
        let (at, jump) = best(&places(0.01, 0.0));
        assert_eq!(at, 120);
        assert!(jump.gain > 15.0, "{jump:?}");
        assert!((jump.shift_m - Vector3::new(0.01, 0.0, 0.0)).norm() < 3e-3, "{jump:?}");
        assert!((2e-4..2e-3).contains(&jump.sd_m), "{jump:?}");
    }

    #[test]
    fn smooth_motion_and_an_impact_are_no_jumps() {
        let (_, still) = best(&places(0.0, 0.0));
        assert!(still.gain < 5.0, "{still:?}");
        let (_, impact) = best(&places(0.0, 1.0));
        assert!(impact.gain < 8.0, "{impact:?}");
    }

    #[test]
    fn noise_is_measured_beside_motion() {
        assert!((noise_m(&places(0.01, 0.0)) - 1e-3).abs() < 2e-4);
        assert_eq!(noise_m(&[None; 9]), 0.0);
    }
}
