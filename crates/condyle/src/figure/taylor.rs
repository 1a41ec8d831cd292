//! Freedoms as polynomials of time.

use super::tree::Figure;
use crate::error::{Error, Result};

/// A polynomial for one freedom over a window of time.
#[derive(Debug, Clone, PartialEq)]
pub struct TaylorWindow {
    /// The name of the segment.
    pub segment: String,
    /// Which freedom of its joint, from 0.
    pub freedom: usize,
    /// From when to when it holds.
    pub span_s: [f64; 2],
    /// The time about which it is expanded.
    pub centre_s: f64,
    /// a₀, a₁, …: the value is Σ aᵢ(t−t₀)ⁱ, in radians or metres.
    pub coefficients: Vec<f64>,
}

/// Polynomials for some of the freedoms of a figure.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FigureMotion {
    /// The name of the figure that it was made for.
    pub figure: String,
    windows: Vec<TaylorWindow>,
}

impl TaylorWindow {
    /// The value at a time.
    pub fn value(&self, time_s: f64) -> f64 {
        let since_s = time_s - self.centre_s;
        self.coefficients.iter().rev().fold(0.0, |sum, a| sum * since_s + a)
    }
}

impl FigureMotion {
    /// A motion of windows, in any order; they are sorted by segment, freedom and time.
    ///
    /// # Errors
    /// Windows of one freedom overlap, a window ends before it begins, or a number is not finite.
    pub fn new(figure: impl Into<String>, mut windows: Vec<TaylorWindow>) -> Result<Self> {
        for window in &windows {
            let TaylorWindow { segment, freedom, span_s: [from, to], centre_s, coefficients } =
                window;
            let mut numbers = coefficients.iter().chain([from, to, centre_s]);
            if from > to || coefficients.is_empty() || !numbers.all(|number| number.is_finite()) {
                let what = format!(
                    "segment '{segment}', freedom {}: need a window in order and finite numbers, got {from} to {to}",
                    freedom + 1
                );
                return Err(Error::malformed(what));
            }
        }
        windows.sort_by(|a, b| {
            let key = |own: &TaylorWindow| (own.segment.clone(), own.freedom);
            key(a).cmp(&key(b)).then(a.span_s[0].total_cmp(&b.span_s[0]))
        });
        for pair in windows.windows(2) {
            let is_same = pair[0].segment == pair[1].segment && pair[0].freedom == pair[1].freedom;
            if is_same && pair[0].span_s[1] > pair[1].span_s[0] {
                let what = format!(
                    "segment '{}', freedom {}: need windows apart, got one to {} s and one from {} s",
                    pair[0].segment,
                    pair[0].freedom + 1,
                    pair[0].span_s[1],
                    pair[1].span_s[0]
                );
                return Err(Error::malformed(what));
            }
        }
        Ok(Self { figure: figure.into(), windows })
    }

    /// The windows, by segment, freedom and time.
    pub fn windows(&self) -> &[TaylorWindow] {
        &self.windows
    }

    /// From the first window to the last; `None` without any.
    pub fn span_s(&self) -> Option<[f64; 2]> {
        let from = self.windows.iter().map(|own| own.span_s[0]).min_by(f64::total_cmp)?;
        let to = self.windows.iter().map(|own| own.span_s[1]).max_by(f64::total_cmp)?;
        Some([from, to])
    }

    /// Puts the values at a time in their places among all freedoms of a figure: a freedom that has no window keeps its
    /// own, and between windows and outside them the nearest end holds.
    ///
    /// # Errors
    /// The figure has no such segment, or its joint no such freedom.
    pub fn values(&self, figure: &Figure, time_s: f64, values: &mut Vec<f64>) -> Result<()> {
        values.clear();
        values.extend(figure.freedoms().map(|freedom| freedom.value));
        let same =
            |a: &TaylorWindow, b: &TaylorWindow| a.segment == b.segment && a.freedom == b.freedom;
        for own in self.windows.chunk_by(same) {
            let TaylorWindow { segment, freedom, .. } = &own[0];
            let range = figure.find(segment).map(|at| figure.freedoms_of(at));
            let place = range.and_then(|mut range| range.nth(*freedom)).ok_or_else(|| {
                let number = freedom + 1;
                Error::argument(format!(
                    "motion: need freedoms that figure '{}' has, got number {number} of segment '{segment}'",
                    figure.name
                ))
            })?;
            let away =
                |own: &TaylorWindow| (own.span_s[0] - time_s).max(time_s - own.span_s[1]).max(0.0);
            let nearest = own.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
            if let Some(window) = nearest {
                values[place] = window.value(time_s.clamp(window.span_s[0], window.span_s[1]));
            }
        }
        Ok(())
    }
}

/// How many coefficients a Taylor polynomial of an order has in so many variables: C(order + variables, variables).
///
/// # Reference
/// J. Knight 2005, (8.1.5); the recursion (8.1.3) that leads there must sum from 0.
pub fn coefficient_count(order: u64, variables: u64) -> Option<u64> {
    let few = variables.min(order);
    (1..=few).try_fold(1u64, |product, i| {
        let next = u128::from(product) * u128::from(order.checked_add(variables)? - few + i);
        u64::try_from(next / u128::from(i)).ok()
    })
}
