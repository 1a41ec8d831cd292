//! What a hand does: postures one after the other, held for a while.

use rand::{Rng, RngExt};

use super::performer::{Digit, Performer};
use super::routine::Routine;
use super::wave::ramp;

/// How long it takes from one posture to the next, and how long it is held.
const MOVE_S: f64 = 0.9;
const HOLD_S: f64 = 0.4;
/// How much postures that have a name differ each time, as a share of the range.
const JITTER: f64 = 0.08;
/// A finger that is bent so far ...
const BENT_RAD: [f64; 2] = [0.35, 0.5];
/// ... does not bend back at its base farther than this.
const BENT_BACK_RAD: f64 = -0.085;

/// Postures by time.
#[derive(Debug, Clone)]
pub(super) struct Gestures {
    digits: Vec<Digit>,
    ranges_rad: Vec<[f64; 2]>,
    postures: Vec<Vec<Posture>>,
}

/// The angles of a digit, and how many times as far as its driver its end joint bends, if not as usual.
#[derive(Debug, Clone, Copy)]
struct Posture {
    abduction_rad: f64,
    flexion_rad: f64,
    drive_rad: f64,
    end_ratio: Option<f64>,
}

impl Gestures {
    /// The postures of a routine.
    pub fn new(
        performer: &Performer,
        routine: Routine,
        end_ratio: Option<[f64; 2]>,
        seconds: f64,
        rng: &mut impl Rng,
    ) -> Self {
        let axes = performer.segments.iter().flat_map(|segment| &segment.joint.axes);
        let ranges_rad: Vec<[f64; 2]> = axes.map(|axis| axis.rom_rad).collect();
        let count = (seconds / (MOVE_S + HOLD_S)).ceil() as usize + 2;
        let postures = (0..count)
            .map(|number| {
                let digits = performer.digits.iter().enumerate();
                digits
                    .map(|(index, digit)| {
                        let shares = shares(routine, number, index, performer.digits.len(), rng);
                        let end_ratio = end_ratio
                            .map(|[least, most]| least + (most - least) * rng.random::<f64>());
                        Posture { end_ratio, ..posture(digit, &ranges_rad, shares) }
                    })
                    .collect()
            })
            .collect();
        Self { digits: performer.digits.clone(), ranges_rad, postures }
    }

    /// Sets the angles of all digits for a time.
    pub fn pose(&self, time_s: f64, angles_rad: &mut [f64]) {
        let step_s = MOVE_S + HOLD_S;
        let number = ((time_s / step_s).max(0.0) as usize).min(self.postures.len() - 2);
        let share = ramp(time_s - number as f64 * step_s, HOLD_S, step_s);
        for (index, digit) in self.digits.iter().enumerate() {
            let [a, b] = [self.postures[number][index], self.postures[number + 1][index]];
            let between = |a: f64, b: f64| a + share * (b - a);
            let drive_rad = between(a.drive_rad, b.drive_rad);
            let mut flexion_rad = between(a.flexion_rad, b.flexion_rad);
            if digit.is_finger() {
                let [from, to] = BENT_RAD;
                let bent = ((drive_rad - from) / (to - from)).clamp(0.0, 1.0);
                let least = self.ranges_rad[digit.flexion][0];
                flexion_rad = flexion_rad.max(least + bent * (BENT_BACK_RAD - least));
            }
            angles_rad[digit.abduction] = between(a.abduction_rad, b.abduction_rad);
            angles_rad[digit.flexion] = flexion_rad;
            angles_rad[digit.drive] = drive_rad;
            for follower in &digit.followers {
                let own = a.end_ratio.zip(b.end_ratio).filter(|_| follower.angle > digit.drive);
                let ratio = own.map_or(follower.ratio, |(a, b)| between(a, b));
                let [least, most] = self.ranges_rad[follower.angle];
                angles_rad[follower.angle] = (ratio * drive_rad).clamp(least, most);
            }
        }
    }
}

/// Abduction from -1 to 1, flexion and driving angle from 0 to 1 of the largest, or all of the range where negative
/// shares say so: `random` takes the whole of it.
enum Shares {
    OfLargest([f64; 3]),
    OfRange([f64; 3]),
}

fn shares(
    routine: Routine,
    number: usize,
    digit: usize,
    digits: usize,
    rng: &mut impl Rng,
) -> Shares {
    let is_thumb = digit + 1 == digits;
    // The digits come from the index to the little finger, the thumb last.
    let aside = 1.0 - 2.0 * digit as f64 / (digits.max(3) - 2) as f64;
    let closed = if is_thumb { [-0.4, 0.7, 0.6] } else { [0.0, 0.92, 0.95] };
    let open = if is_thumb { [0.3, 0.0, 0.03] } else { [0.0, 0.02, 0.04] };
    let wanted = match routine {
        Routine::Fist if number % 2 == 1 => closed,
        Routine::Spread if number % 2 == 1 => match is_thumb {
            true => [0.9, -0.2, 0.05],
            false => [0.9 * aside, 0.02, 0.05],
        },
        Routine::Spread => match is_thumb {
            true => [0.0, 0.1, 0.1],
            false => [-0.25 * aside, 0.1, 0.12],
        },
        Routine::Count => {
            // One more finger is stretched every time, the thumb last; then the fist again.
            let stretched = number % (digits + 1);
            if digit < stretched { open } else { closed }
        }
        Routine::Grasp => {
            let tight = if number % 2 == 1 { 0.35 + 0.45 * rng.random::<f64>() } else { 0.1 };
            match is_thumb {
                true => [0.5 - 0.8 * tight, 0.6 * tight, 0.5 * tight],
                false => [0.5 * aside * (1.0 - tight), 0.75 * tight, 0.7 * tight],
            }
        }
        Routine::Random => {
            return Shares::OfRange(std::array::from_fn(|_| rng.random::<f64>()));
        }
        _ => open,
    };
    Shares::OfLargest(wanted.map(|share| share + JITTER * (2.0 * rng.random::<f64>() - 1.0)))
}

fn posture(digit: &Digit, ranges_rad: &[[f64; 2]], shares: Shares) -> Posture {
    let angle = |which: usize, index: usize| {
        let [least, most] = ranges_rad[index];
        match shares {
            Shares::OfRange(shares) => least + (most - least) * shares[which],
            Shares::OfLargest(shares) => {
                let largest = if shares[which] < 0.0 { -least } else { most };
                (shares[which] * largest).clamp(least, most)
            }
        }
    };
    Posture {
        abduction_rad: angle(0, digit.abduction),
        flexion_rad: angle(1, digit.flexion),
        drive_rad: angle(2, digit.drive),
        end_ratio: None,
    }
}
