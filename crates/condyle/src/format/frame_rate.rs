//! The frame rate behind a written period: files round `1/120 s` to `.0083333`.

use crate::format::text;

/// How far a whole rate may lie from the quotient, relative: `0.0167` is 60 Hz, `0.033` is not 30.
const WHOLE_TOLERANCE: f64 = 2.5e-3;

/// How far a rate with decimals may lie from the quotient, relative.
const DECIMAL_TOLERANCE: f64 = 5e-5;

/// The rate in Hz whose period is written as `token`, in seconds; `None` if it is not positive.
///
/// Takes the rate with the fewest decimals whose period, rounded to or cut at the written digits,
/// is the written one; failing that, one divided by what is written.
pub(super) fn from_period(token: &str) -> Option<f64> {
    let period_s = text::number(token).filter(|&period_s| period_s > 0.0)?;
    let quotient = 1.0 / period_s;
    let digit_s = last_digit(token);
    let explains = |rate_hz: f64| (1.0 / rate_hz - period_s).abs() <= digit_s;
    let snapped = decimals(quotient).find(|&rate| is_near(rate, quotient) && explains(rate));
    Some(snapped.unwrap_or(quotient)).filter(|rate_hz| rate_hz.is_finite() && *rate_hz > 0.0)
}

/// Writes the period of a rate such that [`from_period`] gives the same rate again.
///
/// The fewest digits that name the period may leave room for a rounder rate than the one meant:
/// then so many are written that no other rate explains them.
pub(super) fn write_period(out: &mut String, rate_hz: f64) {
    if rate_hz.is_nan() || rate_hz <= 0.0 {
        out.push('0');
        return;
    }
    let short = |period_s: f64| {
        let mut token = String::new();
        text::write_number(&mut token, period_s);
        token
    };
    let long = |period_s: f64| format!("{period_s:.30}");
    let read = |token: String| from_period(&token).unwrap_or(0.0);
    let token = short(text::undo(rate_hz, |period_s| read(short(period_s)), 1.0 / rate_hz));
    if from_period(&token) == Some(rate_hz) {
        out.push_str(&token);
    } else {
        let period_s = text::undo(rate_hz, |period_s| read(long(period_s)), 1.0 / rate_hz);
        out.push_str(&long(period_s));
    }
}

/// Whether a round rate may stand for a quotient of rounded numbers.
fn is_near(rate_hz: f64, quotient: f64) -> bool {
    let is_whole = rate_hz.fract() == 0.0;
    let tolerance = if is_whole { WHOLE_TOLERANCE } else { DECIMAL_TOLERANCE };
    (rate_hz / quotient - 1.0).abs() <= tolerance
}

/// The number rounded to none, one, up to six decimals.
fn decimals(number: f64) -> impl Iterator<Item = f64> {
    let powers = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    powers.into_iter().map(move |power| (number * power).round() / power).filter(|r| *r > 0.0)
}

/// The value of one unit in the last written digit of a decimal number.
fn last_digit(token: &str) -> f64 {
    let token = token.trim();
    let (digits, exponent) = match token.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().unwrap_or(0)),
        None => (token, 0),
    };
    let places = digits.find(['.', ',']).map_or(0, |at| digits.len() - at - 1);
    10_f64.powi(exponent.saturating_sub(i32::try_from(places).unwrap_or(i32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn finds_the_rate_that_was_rounded() {
        for (token, rate_hz) in [
            (".0083333", 120.0),
            ("0.0416667", 24.0),
            ("0.0333333", 30.0),
            ("0.0333", 30.0),
            ("0.016667", 60.0),
            ("0.016666", 60.0),
            ("0.0167", 60.0),
            ("0.016666666666666666", 60.0),
            ("0.01", 100.0),
            ("8.3333e-3", 120.0),
            ("0.0417083", 23.976),
            ("0.00834168", 119.88),
            ("2", 0.5),
        ] {
            assert_eq!(from_period(token), Some(rate_hz), "{token}");
        }
    }

    #[test]
    fn refuses_a_period_that_is_not_positive() {
        for token in ["0", "-0.1", "x", "", "1e-320", "NaN"] {
            assert_eq!(from_period(token), None, "{token}");
        }
    }

    proptest! {
        #[test]
        fn a_rate_that_was_read_survives_writing(period_s in 1e-5..10.0f64, places in 2usize..9) {
            let token = format!("{period_s:.places$}");
            if let Some(rate_hz) = from_period(&token) {
                let mut out = String::new();
                write_period(&mut out, rate_hz);
                prop_assert_eq!(from_period(&out), Some(rate_hz), "{}", out);
            }
        }
    }
}
