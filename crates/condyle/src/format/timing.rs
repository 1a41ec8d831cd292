//! The clock of a table: its start and rate from a column of time stamps.

use crate::statistics::median_in_place;
use crate::trial::Note;

/// How far a declared rate and the time column may differ before we say so.
const RATE_TOLERANCE: f64 = 0.01;
/// Rounding of stamps that a program got by adding up steps, relative to their span.
const SUM_ROUNDING: f64 = 1e-12;
/// One step in this many may be off before the stamps count as uneven.
const STEPS_PER_SLIP: usize = 20;

/// What a time column says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timing {
    /// The first row that has a stamp, and the stamp.
    first: Option<(usize, f64)>,
    /// The rate, unless there are fewer than two stamps or they do not increase.
    pub rate_hz: Option<f64>,
    /// Whether the stamps are evenly spaced, up to their own rounding and a few slips.
    pub regular: bool,
    /// The smallest step that the stamps' decimals can show; zero if they do not increase.
    quantum_s: f64,
    /// How much of the span the rounding of one stamp is.
    blur: f64,
    /// Whatever was odd.
    pub notes: Vec<Note>,
}

/// Reads the clock off the stamps of consecutive rows.
///
/// # Method
/// The rate is the one with the fewest digits that gives every stamp back: exactly where one does
/// (stamps we wrote ourselves), else to the last decimal the stamps carry (`0.017, 0.033, 0.05` is
/// 60 Hz). Slips, uneven and backward stamps are noted.
pub(super) fn timing(stamps_s: impl ExactSizeIterator<Item = Option<f64>>) -> Timing {
    timing_with_holes(stamps_s, 0)
}

/// The same where some of the rows without a stamp were put in for rows that the file lacks: that
/// they have none is not worth saying.
pub(super) fn timing_with_holes(
    stamps_s: impl ExactSizeIterator<Item = Option<f64>>,
    put_in: usize,
) -> Timing {
    let rows = stamps_s.len();
    let mut stamps: Vec<(usize, f64)> = Vec::with_capacity(rows);
    stamps.extend(stamps_s.enumerate().filter_map(|(row, stamp)| Some((row, stamp?))));
    let mut timing = Timing {
        first: stamps.first().copied(),
        rate_hz: None,
        regular: false,
        quantum_s: 0.0,
        blur: 1.0,
        notes: Vec::new(),
    };
    let missing = (rows - stamps.len()).saturating_sub(put_in);
    let rows = rows.saturating_sub(put_in);
    if missing > 0 {
        timing.notes.push(Note::new(
            "time-missing",
            format!("{missing} of {rows} rows have no time stamp"),
        ));
    }
    let (Some(&first), Some(&last)) = (stamps.first(), stamps.last()) else { return timing };
    if first.0 == last.0 {
        return timing;
    }
    let mean_step_s = (last.1 - first.1) / (last.0 - first.0) as f64;
    let mut steps: Vec<f64> = stamps
        .windows(2)
        .map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0) as f64)
        .collect();
    let backward = steps.iter().filter(|&&step| step < 0.0).count();
    if backward > 0 {
        timing.notes.push(Note::new(
            "time-backwards",
            format!("the time column runs backwards {backward} times"),
        ));
    }
    if mean_step_s.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater)
        || !mean_step_s.is_finite()
        || !mean_step_s.recip().is_finite()
    {
        timing.notes.push(Note::new(
            "time-not-increasing",
            format!("the time column does not increase: it runs from {} to {} s", first.1, last.1),
        ));
        return timing;
    }
    let quantum_s = quantum_s(&stamps);
    timing.quantum_s = quantum_s;
    timing.blur = quantum_s / (last.1 - first.1);
    let even =
        |step: f64, expected: f64| (step - expected).abs() <= 2.0 * quantum_s + 0.01 * expected;
    if steps.iter().all(|&step| even(step, mean_step_s)) {
        timing.regular = true;
        timing.rate_hz = Some(shortest_rate(&stamps, mean_step_s.recip(), &[0.0, quantum_s]));
        return timing;
    }
    let median_s = median_in_place(&mut steps).unwrap_or(0.0);
    let slips = steps.iter().filter(|&&step| !even(step, median_s)).count();
    if median_s > 0.0 && slips * STEPS_PER_SLIP <= steps.len() {
        let kept = steps.iter().filter(|&&step| even(step, median_s));
        let (sum_s, count) = kept.fold((0.0, 0), |(sum, count), step| (sum + step, count + 1));
        let ends = [(0, 0.0), (count, sum_s)];
        let rate_hz = shortest_rate(&ends, count as f64 / sum_s, &[quantum_s]);
        timing.regular = true;
        timing.rate_hz = Some(rate_hz);
        timing.notes.push(Note::new(
            "time-slips",
            format!(
                "{slips} of {} time steps are not {median_s:.6} s; {rate_hz} Hz taken throughout",
                steps.len()
            ),
        ));
    } else {
        let rate_hz = mean_step_s.recip();
        let least = steps.iter().copied().fold(f64::INFINITY, f64::min);
        let most = steps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        timing.rate_hz = Some(rate_hz);
        timing.notes.push(Note::new(
            "time-not-uniform",
            format!("time steps run from {least} to {most} s, {rate_hz:.6} Hz in the mean"),
        ));
    }
    timing
}

impl Timing {
    /// The time of the first row at the chosen rate; zero if there are no stamps.
    pub fn start_s(&self, rate_hz: f64) -> f64 {
        match self.first {
            // The rows before the first stamp have times, too.
            Some((row @ 1.., stamp_s)) if rate_hz > 0.0 => stamp_s - row as f64 / rate_hz,
            Some((_, stamp_s)) => stamp_s,
            None => 0.0,
        }
    }

    /// The largest distance of a stamp from where a rate has it, if its decimals do not explain it.
    pub fn uneven_s(&self, stamps_s: &[f64], rate_hz: f64) -> Option<f64> {
        let start_s = self.start_s(rate_hz);
        let expected_s = |row: usize| match rate_hz > 0.0 {
            true => start_s + row as f64 / rate_hz,
            false => start_s,
        };
        let apart_s = |(row, stamp_s): (usize, &f64)| (expected_s(row) - stamp_s).abs();
        let worst_s = stamps_s.iter().enumerate().map(apart_s).fold(0.0, f64::max);
        (worst_s > self.quantum_s).then_some(worst_s)
    }
}

/// The rate of a trial: what the caller says, else the time column where it is even and contradicts
/// the header, else the header, else the time column; zero and a note if nobody says.
///
/// An even time column beats the header because each row carries its own stamp, while the header
/// often keeps the rate of the recording that was thinned out.
pub(super) fn choose_rate(
    caller_hz: Option<f64>,
    declared_hz: Option<f64>,
    timing: &Timing,
    notes: &mut Vec<Note>,
) -> f64 {
    let usable = |rate: &f64| rate.is_finite() && *rate > 0.0;
    if let Some(rate_hz) = caller_hz.filter(usable) {
        return rate_hz;
    }
    match (declared_hz.filter(usable), timing.rate_hz) {
        (Some(declared), Some(timed)) => {
            let tolerance = RATE_TOLERANCE + 2.0 * timing.blur;
            if (timed - declared).abs() <= tolerance * declared {
                return declared;
            }
            let (taken, who) =
                if timing.regular { (timed, "time column") } else { (declared, "header") };
            notes.push(Note::new(
                "rate-contradiction",
                format!(
                    "the header says {declared} Hz, the time column {timed} Hz; the {who} is taken"
                ),
            ));
            taken
        }
        (Some(declared), None) => declared,
        (None, Some(timed)) => timed,
        (None, None) => {
            notes.push(Note::new("rate-unknown", "the file does not say how many frames a second"));
            0.0
        }
    }
}

/// The smallest step that the decimals of stamps can show; there must be at least one.
pub(super) fn quantum_s(stamps: &[(usize, f64)]) -> f64 {
    const LOOKED_AT: usize = 64;
    let head = stamps.iter().take(LOOKED_AT);
    let tail = stamps.iter().rev().take(LOOKED_AT);
    let (decimals, largest) =
        head.chain(tail).fold((0, 0.0f64), |(decimals, largest), &(_, stamp)| {
            (decimals.max(decimals_of(stamp)), largest.max(stamp.abs()))
        });
    let span_s = stamps[stamps.len() - 1].1 - stamps[0].1;
    10f64.powi(-decimals).max(4.0 * f64::EPSILON * largest).max(SUM_ROUNDING * span_s)
}

/// How many decimals the shortest spelling of a number has.
fn decimals_of(value: f64) -> i32 {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return 0 };
    let after_point = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i32);
    (after_point - exponent.parse::<i32>().unwrap_or(0)).clamp(0, 30)
}

/// The rate with the fewest digits that gives the stamps back, within the first tolerance that any
/// rate can meet.
fn shortest_rate(stamps: &[(usize, f64)], rate_hz: f64, tolerances_s: &[f64]) -> f64 {
    let (first_row, start_s) = stamps[0];
    let gives_back = |candidate: f64, tolerance_s: f64| {
        stamps.iter().all(|&(row, stamp)| {
            // The same arithmetic as `Trial::time_s`, so that equality can hold.
            let expected = start_s + (row - first_row) as f64 / candidate;
            expected == stamp || (expected - stamp).abs() <= tolerance_s
        })
    };
    let rounded = |digits: usize| format!("{rate_hz:.digits$e}").parse::<f64>().ok();
    tolerances_s
        .iter()
        .flat_map(|&tolerance_s| (0..=16).map(move |digits| (digits, tolerance_s)))
        .filter_map(|(digits, tolerance_s)| Some((rounded(digits)?, tolerance_s)))
        .find(|&(candidate, tolerance_s)| candidate > 0.0 && gives_back(candidate, tolerance_s))
        .map_or(rate_hz, |(candidate, _)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stamps(rate_hz: f64, start_s: f64, rows: usize, decimals: usize) -> Vec<Option<f64>> {
        let stamp = |row| format!("{:.decimals$}", start_s + row as f64 / rate_hz).parse().ok();
        (0..rows).map(stamp).collect()
    }

    #[test]
    fn recovers_a_rate_from_rounded_stamps() {
        for (rate_hz, decimals) in
            [(60.0, 3), (30.0, 3), (400.0, 3), (100.0, 5), (119.88, 6), (250.0, 2)]
        {
            let timing = timing(stamps(rate_hz, 0.0, 200, decimals).into_iter());
            assert_eq!((timing.rate_hz, timing.regular), (Some(rate_hz), true), "{rate_hz}");
            assert_eq!(timing.notes, []);
        }
    }

    #[test]
    fn takes_an_even_time_column_against_the_header_and_says_so() {
        let mut notes = Vec::new();
        let timing = timing(stamps(200.0, 0.0, 50, 3).into_iter());
        assert_eq!(choose_rate(None, Some(1000.0), &timing, &mut notes), 200.0);
        assert_eq!(notes[0].code, "rate-contradiction");
        assert_eq!(choose_rate(Some(10.0), Some(1000.0), &timing, &mut notes), 10.0);
    }

    #[test]
    fn keeps_the_header_against_an_uneven_time_column() {
        let uneven: Vec<_> = (0..40).map(|i| Some(f64::from(i * i) * 0.01)).collect();
        let timing = timing(uneven.into_iter());
        assert_eq!(timing.notes[0].code, "time-not-uniform");
        assert_eq!(choose_rate(None, Some(100.0), &timing, &mut Vec::new()), 100.0);
    }

    #[test]
    fn a_single_slip_does_not_change_the_rate() {
        let mut slipped = stamps(25.0, 0.0, 126, 3);
        slipped[125] = Some(4.992);
        let timing = timing(slipped.into_iter());
        assert_eq!((timing.rate_hz, timing.regular), (Some(25.0), true));
        assert_eq!(timing.notes[0].code, "time-slips");
    }

    #[test]
    fn notes_time_that_runs_backwards_or_stands_still() {
        let back = timing([Some(2.0), Some(1.0)].into_iter());
        assert_eq!(back.rate_hz, None);
        assert_eq!(back.notes.len(), 2);
        assert_eq!(timing([Some(1.0), Some(1.0)].into_iter()).rate_hz, None);
        assert_eq!(timing([].into_iter()).rate_hz, None);
    }

    #[test]
    fn tells_stamps_that_the_rate_does_not_explain() {
        let rounded = [0.4, 0.417, 0.433, 0.45, 0.467];
        let clock = timing(rounded.iter().copied().map(Some));
        assert_eq!((clock.rate_hz, clock.uneven_s(&rounded, 60.0)), (Some(60.0), None));
        assert!(clock.uneven_s(&rounded, 55.0).is_some());
        let uneven = [0.0, 0.013, 0.02];
        let clock = timing(uneven.iter().copied().map(Some));
        assert!((clock.uneven_s(&uneven, 100.0).unwrap() - 0.003).abs() < 1e-12);
        let summed: Vec<f64> =
            std::iter::successors(Some(0.0), |s| Some(s + 0.01)).take(5000).collect();
        let clock = timing(summed.iter().copied().map(Some));
        assert_eq!((clock.rate_hz, clock.uneven_s(&summed, 100.0)), (Some(100.0), None));
    }

    proptest! {
        #[test]
        fn a_rate_of_eight_digits_comes_back_exactly(
            rate in 1_000_000u32..99_999_999, rows in 2usize..50, start_s in 0..1000u32,
        ) {
            let rate_hz = f64::from(rate) / 1e5;
            let start_s = f64::from(start_s) / 100.0;
            let written: Vec<_> =
                (0..rows).map(|row| Some(start_s + row as f64 / rate_hz)).collect();
            let timing = timing(written.into_iter());
            prop_assert_eq!(timing.rate_hz, Some(rate_hz));
            prop_assert_eq!(timing.start_s(rate_hz), start_s);
        }
    }
}
