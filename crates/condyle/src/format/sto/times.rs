//! The rate behind a column of times.

use crate::format::frame_rate;

/// Rounding of sums of times, relative to the largest time.
const ROUNDING: f64 = 1e-12;

/// The times of a table's rows.
#[derive(Debug)]
pub(super) struct Times {
    seconds: Vec<f64>,
    /// One unit in the last written digit, where most digits are written.
    digit_s: f64,
}

/// What the times say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spacing {
    /// Rows a second, on average; zero where there is no telling.
    pub(super) rate_hz: f64,
    /// The largest distance of a time from even spacing, where the written digits do not explain it.
    pub(super) uneven_s: Option<f64>,
}

impl Times {
    pub(super) fn new() -> Self {
        Self { seconds: Vec::new(), digit_s: f64::INFINITY }
    }

    /// Adds the time of a row, with the digits it is written in.
    pub(super) fn push(&mut self, token: &str, time_s: f64) {
        self.digit_s = self.digit_s.min(frame_rate::last_digit(token));
        self.seconds.push(time_s);
    }

    /// The times.
    pub(super) fn into_seconds(self) -> Vec<f64> {
        self.seconds
    }

    /// The time of the first row; zero if there is none.
    pub(super) fn start_s(&self) -> f64 {
        self.seconds.first().copied().unwrap_or(0.0)
    }

    /// The rate: the declared one if the times agree, else the roundest one that explains them.
    pub(super) fn spacing(&self, declared_hz: Option<f64>) -> Spacing {
        let [first_s, .., last_s] = self.seconds[..] else {
            return Spacing { rate_hz: declared_hz.unwrap_or(0.0), uneven_s: None };
        };
        let quotient = (self.seconds.len() - 1) as f64 / (last_s - first_s);
        if !quotient.is_finite() || quotient <= 0.0 {
            let span_s = (last_s - first_s).abs();
            return Spacing { rate_hz: 0.0, uneven_s: Some(span_s).filter(|span_s| *span_s > 0.0) };
        }
        let largest_s = self.seconds.iter().fold(0.0_f64, |most, time_s| most.max(time_s.abs()));
        let tolerance_s = self.digit_s + ROUNDING * largest_s;
        let round = frame_rate::decimals(quotient);
        let even = declared_hz
            .into_iter()
            .chain(round)
            .chain([quotient])
            .find(|&rate_hz| self.worst_s(rate_hz) <= tolerance_s);
        match even {
            Some(rate_hz) => Spacing { rate_hz, uneven_s: None },
            None => Spacing { rate_hz: quotient, uneven_s: Some(self.worst_s(quotient)) },
        }
    }

    /// The largest distance of a time from where a rate would have it.
    fn worst_s(&self, rate_hz: f64) -> f64 {
        let start_s = self.start_s();
        let apart = |(row, time_s): (usize, &f64)| (start_s + row as f64 / rate_hz - time_s).abs();
        self.seconds.iter().enumerate().map(apart).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spacing(tokens: &[&str], declared_hz: Option<f64>) -> Spacing {
        let mut times = Times::new();
        tokens.iter().for_each(|token| times.push(token, token.parse().unwrap()));
        times.spacing(declared_hz)
    }

    #[test]
    fn finds_the_rate_behind_rounded_times() {
        let sixty = spacing(&["0.4", "0.417", "0.433", "0.45", "0.467"], None);
        assert_eq!(sixty, Spacing { rate_hz: 60.0, uneven_s: None });
        let two_hundred = spacing(&["3.38", "3.385", "3.39"], None);
        assert_eq!(two_hundred, Spacing { rate_hz: 200.0, uneven_s: None });
    }

    #[test]
    fn a_declared_rate_counts_only_where_the_times_agree() {
        assert_eq!(spacing(&["0", "0.333", "0.667"], Some(2.9999)).rate_hz, 2.9999);
        assert_eq!(spacing(&["0", "0.01", "0.02"], Some(60.0)).rate_hz, 100.0);
        assert_eq!(spacing(&["0.5"], Some(60.0)).rate_hz, 60.0);
    }

    #[test]
    fn uneven_and_backward_times_are_told() {
        let uneven = spacing(&["0", "0.010", "0.050", "0.060"], None);
        assert!((uneven.rate_hz - 50.0).abs() < 1e-9 && uneven.uneven_s.unwrap() > 0.009);
        assert_eq!(spacing(&["1", "0"], None).rate_hz, 0.0);
        assert_eq!(spacing(&[], None), Spacing { rate_hz: 0.0, uneven_s: None });
    }
}
