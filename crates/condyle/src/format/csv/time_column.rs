//! The column of time stamps: what it is called, and in which unit it counts.

use crate::statistics::median;
use crate::trial::Note;

const NAMES: [&str; 5] = ["time", "t", "timestamp", "time stamp", "time_stamp"];

/// The words for a unit of time, and the power of ten that makes seconds of it.
const UNITS: [(&[&str], i32); 4] = [
    (&["s", "sec", "secs", "second", "seconds"], 0),
    (&["ms", "msec", "millis", "millisecond", "milliseconds"], -3),
    (&["us", "\u{b5}s", "\u{3bc}s", "usec", "micros", "microsecond", "microseconds"], -6),
    (&["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], -9),
];

/// The rates that recordings of movement have.
const USUAL_HZ: std::ops::RangeInclusive<f64> = 10.0..=2000.0;
/// Stamps that count so slowly in seconds are suspected to count something else.
const SLOW_HZ: f64 = 0.5;

/// What the name of a time column says about its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeUnit {
    /// Seconds are ten to the power of this times as many.
    Stated(i32),
    /// Nothing.
    Unstated,
}

/// What a cell of a header says about time; `None` if it names something else.
pub(super) fn unit(cell: &str) -> Option<TimeUnit> {
    let word = cell.trim().to_lowercase();
    if NAMES.contains(&word.as_str()) {
        return Some(TimeUnit::Unstated);
    }
    let (name, unit) = match word.strip_suffix([']', ')']) {
        Some(inside) => inside.rsplit_once(['[', '('])?,
        None => word.rsplit_once(['_', '.', ' '])?,
    };
    let (_, exponent) = UNITS.iter().find(|(words, _)| words.contains(&unit.trim()))?;
    let name = name.trim_end_matches([' ', '_', '.']);
    NAMES.contains(&name).then_some(TimeUnit::Stated(*exponent))
}

/// Brings stamps to seconds; a note where the unit had to be guessed.
///
/// Stamps without a unit that would be further apart than any recording of movement has them, but at a
/// usual rate in milli-, micro- or nanoseconds, are taken for those.
pub(super) fn to_seconds(stamps: &mut [Option<f64>], unit: TimeUnit) -> Option<Note> {
    let (exponent, note) = match unit {
        TimeUnit::Stated(exponent) => (exponent, None),
        TimeUnit::Unstated => {
            let (exponent, name, step) = guessed(stamps)?;
            let step = (step * 1e6).round() / 1e6;
            let text = format!(
                "the time column states no unit and counts by {step}: taken as {name}, which makes \
                 a usual rate; name it time_s if it is seconds"
            );
            (exponent, Some(Note::new("time-unit", text)))
        }
    };
    if exponent != 0 {
        stamps.iter_mut().flatten().for_each(|stamp| *stamp = shifted(*stamp, exponent));
    }
    note
}

/// The power of ten, the unit and the step, if seconds are out of the question.
fn guessed(stamps: &[Option<f64>]) -> Option<(i32, &'static str, f64)> {
    let known: Vec<f64> = stamps.iter().copied().flatten().collect();
    let steps = known.windows(2).map(|pair| pair[1] - pair[0]);
    let step = median(steps.filter(|step| *step > 0.0))?;
    if step * SLOW_HZ < 1.0 {
        return None;
    }
    let units = [(-3, "milliseconds"), (-6, "microseconds"), (-9, "nanoseconds")];
    let usual = |exponent: i32| USUAL_HZ.contains(&shifted(step, exponent).recip());
    let (exponent, name) = units.into_iter().find(|(exponent, _)| usual(*exponent))?;
    Some((exponent, name, step))
}

/// A number with its decimal point moved, so that no more decimals appear than it had.
fn shifted(number: f64, exponent: i32) -> f64 {
    let moved = format!("{number}e{exponent}").parse();
    moved.unwrap_or_else(|_| number * 10f64.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_time_by_its_name_and_unit() {
        for name in ["time_s", "Time (seconds)", "time [s]", "t_s", "time_sec", "timestamp_s"] {
            assert_eq!(unit(name), Some(TimeUnit::Stated(0)), "{name}");
        }
        for name in ["time_ms", "Time [ms]", "timestamp (msec)", "t_millis"] {
            assert_eq!(unit(name), Some(TimeUnit::Stated(-3)), "{name}");
        }
        assert_eq!(unit("timestamp_us"), Some(TimeUnit::Stated(-6)));
        assert_eq!(unit("Time [\u{b5}s]"), Some(TimeUnit::Stated(-6)));
        assert_eq!(unit("timestamp_ns"), Some(TimeUnit::Stated(-9)));
        assert_eq!(unit("Timestamp"), Some(TimeUnit::Unstated));
        for name in ["Zeit", "time_x", "lifetime_s", "time []", "EMG [s]", "s"] {
            assert_eq!(unit(name), None, "{name}");
        }
    }

    fn stamps(step: f64) -> Vec<Option<f64>> {
        (0..20).map(|row| Some(step * f64::from(row))).collect()
    }

    #[test]
    fn stamps_too_slow_for_seconds_are_taken_for_smaller_units_with_a_note() {
        for (step, seconds) in
            [(16.0, 0.016), (16.666667, 0.016666667), (5000.0, 0.005), (1e7, 0.01)]
        {
            let mut stamps = stamps(step);
            let note = to_seconds(&mut stamps, TimeUnit::Unstated).unwrap();
            assert_eq!((&*note.code, stamps[1]), ("time-unit", Some(seconds)));
        }
    }

    #[test]
    fn plausible_seconds_and_stated_ones_stay() {
        for (step, unit) in [
            (0.01, TimeUnit::Unstated),
            (1.0, TimeUnit::Unstated),
            (300.0, TimeUnit::Unstated),
            (16.0, TimeUnit::Stated(0)),
        ] {
            let mut some = stamps(step);
            assert_eq!((to_seconds(&mut some, unit), some), (None, stamps(step)), "{step}");
        }
        assert_eq!(to_seconds(&mut [None, Some(5.0)], TimeUnit::Unstated), None);
    }

    #[test]
    fn stated_units_become_seconds_without_new_decimals() {
        let mut some = [Some(16.667), None, Some(33.333)];
        assert_eq!(to_seconds(&mut some, TimeUnit::Stated(-3)), None);
        assert_eq!(some, [Some(0.016667), None, Some(0.033333)]);
    }
}
