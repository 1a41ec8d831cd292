//! Medians, quantiles, means and spreads: one definition of each.
//!
//! Nothing has a statistic where there is nothing to take it of: an empty list gives `None`. Numbers are ordered by
//! [`f64::total_cmp`], so what is not a number counts as the largest.
//!
//! # Method
//! The quantile of a share p of n values in order is that at position p (n - 1), counted from 0, on a straight line
//! between its two neighbours; the median is that of p = ½. The standard deviation divides by n - 1.
//!
//! # Reference
//! R. J. Hyndman, Y. Fan (1996), *Sample Quantiles in Statistical Packages*, definition 7: what NumPy and R compute.

use nalgebra::{Point3, Vector3};

/// Times the median absolute deviation of normal numbers is their standard deviation.
pub const MAD_TO_SD: f64 = 1.482_602_218_505_602;

/// The median.
///
/// ```
/// # use condyle::statistics::median;
/// assert_eq!(median([4.0, 1.0, 3.0, 2.0]), Some(2.5));
/// assert_eq!(median([]), None);
/// ```
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    median_in_place(&mut values.into_iter().collect::<Vec<_>>())
}

/// The median of values whose order may change.
pub fn median_in_place(values: &mut [f64]) -> Option<f64> {
    quantile_in_place(values, 0.5)
}

/// The value below which a share of the values lies.
pub fn quantile(values: impl IntoIterator<Item = f64>, share: f64) -> Option<f64> {
    quantile_in_place(&mut values.into_iter().collect::<Vec<_>>(), share)
}

/// The same of values whose order may change.
pub fn quantile_in_place(values: &mut [f64], share: f64) -> Option<f64> {
    let last = values.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * last as f64;
    let below = (position as usize).min(last);
    let (_, value, larger) = values.select_nth_unstable_by(below, f64::total_cmp);
    let (value, part) = (*value, position - below as f64);
    let next = match part > 0.0 {
        true => larger.iter().copied().min_by(f64::total_cmp).unwrap_or(value),
        false => value,
    };
    // Two infinities have no line between them.
    Some(if next == value { value } else { value + part * (next - value) })
}

/// The mean.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = sum_and_count(values);
    (count > 0.0).then(|| sum / count)
}

/// The mean of points.
pub fn centroid(points: impl IntoIterator<Item = Point3<f64>>) -> Option<Point3<f64>> {
    let add = |(sum, count), point: Point3<f64>| (sum + point.coords, count + 1.0);
    let (sum, count) = points.into_iter().fold((Vector3::zeros(), 0.0), add);
    (count > 0.0).then(|| Point3::from(sum / count))
}

/// The root of the mean square.
pub fn rms(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    mean(values.into_iter().map(|value| value * value)).map(f64::sqrt)
}

/// The mean and the standard deviation about it; that of a single value is zero.
pub fn mean_and_sd(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let values: Vec<f64> = values.into_iter().collect();
    let mean = mean(values.iter().copied())?;
    let square: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let freedom = (values.len() - 1).max(1);
    Some((mean, (square / freedom as f64).sqrt()))
}

/// The mean and the variance about it of all values that there are: it divides by n.
pub fn mean_and_variance(
    values: impl IntoIterator<Item = f64, IntoIter: Clone>,
) -> Option<(f64, f64)> {
    let values = values.into_iter();
    let mean_of_all = mean(values.clone())?;
    Some((mean_of_all, mean(values.map(|value| (value - mean_of_all).powi(2)))?))
}

/// The standard deviation by the median of the absolute deviations: what a minority of outliers does not change.
pub fn sd_by_median(deviations: impl IntoIterator<Item = f64>) -> Option<f64> {
    median(deviations.into_iter().map(f64::abs)).map(|mad| MAD_TO_SD * mad)
}

fn sum_and_count(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_list_has_no_statistic() {
        let none: [f64; 0] = [];
        assert_eq!(median(none), None);
        assert_eq!(median_in_place(&mut []), None);
        assert_eq!(quantile(none, 0.3), None);
        assert_eq!(mean(none), None);
        assert_eq!(centroid([]), None);
        assert_eq!(rms(none), None);
        assert_eq!(mean_and_sd(none), None);
        assert_eq!(mean_and_variance(none), None);
        assert_eq!(sd_by_median(none), None);
    }

    #[test]
    fn a_quantile_lies_on_the_line_between_its_neighbours() {
        let values = [30.0, 0.0, 10.0, 20.0];
        for (share, wanted) in [(0.0, 0.0), (0.1, 3.0), (0.5, 15.0), (0.9, 27.0), (1.0, 30.0)] {
            let got = quantile(values, share).unwrap();
            assert!((got - wanted).abs() < 1e-12, "{share}: {got}");
        }
        assert_eq!(quantile(values, 7.0), Some(30.0));
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([5.0]), Some(5.0));
    }

    #[test]
    fn what_is_not_a_number_is_the_largest() {
        assert_eq!(median([f64::NAN, 1.0, 2.0]), Some(2.0));
        assert_eq!(
            median([f64::INFINITY, 1.0, 2.0, f64::INFINITY, f64::INFINITY, f64::INFINITY]),
            Some(f64::INFINITY)
        );
    }

    #[test]
    fn spreads_are_those_of_the_textbook() {
        assert_eq!(mean([1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(rms([3.0, -4.0, 5.0, 0.0]), Some(12.5f64.sqrt()));
        assert_eq!(mean_and_sd([1.0, 3.0]), Some((2.0, 2f64.sqrt())));
        assert_eq!(mean_and_sd([4.0]), Some((4.0, 0.0)));
        assert_eq!(mean_and_variance([1.0, 3.0]), Some((2.0, 1.0)));
        assert_eq!(sd_by_median([-1.0, 1.0, 2.0, -900.0, 0.5]), Some(MAD_TO_SD));
    }
}
