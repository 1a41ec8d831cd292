//! Means, slopes and medians, with their standard errors.

/// A number and how far off it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// One standard error.
    pub error: f64,
}

impl Estimate {
    /// The square root, with its error by the chain rule.
    pub fn root(self) -> Self {
        let value = self.value.max(0.0).sqrt();
        Self { value, error: self.error / (2.0 * value) }
    }

    /// Divided by a number that is known.
    pub fn over(self, divisor: f64) -> Self {
        Self { value: self.value / divisor, error: self.error / divisor }
    }
}

/// The mean of y, given for each y a control z whose mean is known to be zero.
///
/// # Method
/// mean(y) - β mean(z) with β = cov(y, z)/var(z) has the same expectation as mean(y), and less variance
/// the closer y follows z: what chance did to z it did to y. The standard error is that of the
/// residuals. Without controls (all zero) it is the plain mean.
///
/// # Reference
/// P. Glasserman (2003), *Monte Carlo Methods in Financial Engineering*, section 4.1.
pub fn controlled_mean(pairs: &[(f64, f64)]) -> Estimate {
    let n = pairs.len() as f64;
    let mean_y = pairs.iter().map(|(y, _)| y).sum::<f64>() / n;
    let mean_z = pairs.iter().map(|(_, z)| z).sum::<f64>() / n;
    let (mut yy, mut yz, mut zz) = (0.0, 0.0, 0.0);
    for (y, z) in pairs {
        let (y, z) = (y - mean_y, z - mean_z);
        yy += y * y;
        yz += y * z;
        zz += z * z;
    }
    let beta = if zz > 0.0 { yz / zz } else { 0.0 };
    let residual = (yy - beta * yz).max(0.0);
    Estimate { value: mean_y - beta * mean_z, error: (residual / (n * (n - 2.0).max(1.0))).sqrt() }
}

/// The mean of y over the mean of x, of pairs (y, x): what they share cancels in the error too.
pub fn ratio_of_means(pairs: &[(f64, f64)]) -> Estimate {
    let n = pairs.len() as f64;
    let (y, x) = pairs.iter().fold((0.0, 0.0), |(y, x), pair| (y + pair.0, x + pair.1));
    let ratio = y / x;
    let residual: f64 = pairs.iter().map(|(y, x)| (y - ratio * x).powi(2)).sum();
    Estimate { value: ratio, error: (residual * n / (n - 1.0).max(1.0)).sqrt() / x }
}

/// The slope of the straight line through points, by least squares.
pub fn slope(points: &[(f64, f64)]) -> Estimate {
    let n = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / n;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in points {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let value = xy / xx;
    let residual = (yy - value * xy).max(0.0);
    Estimate { value, error: (residual / ((n - 2.0).max(1.0) * xx)).sqrt() }
}

/// The slope in doubly logarithmic scales: the power of the law. Points without a logarithm are
/// left out.
pub fn power(points: impl IntoIterator<Item = (f64, f64)>) -> Estimate {
    let logs = points.into_iter().map(|(x, y)| (x.log10(), y.log10()));
    slope(&logs.filter(|(x, y)| x.is_finite() && y.is_finite()).collect::<Vec<_>>())
}

/// The middle one; not a number if there are none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[half],
        _ => 0.5 * (values[half - 1] + values[half]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_takes_away_what_chance_did() {
        // y = 5 + 2z: the control explains all of it.
        let pairs: Vec<(f64, f64)> = [0.3, -0.1, 0.9, 0.4, -0.6].map(|z| (5.0 + 2.0 * z, z)).into();
        let mean = controlled_mean(&pairs);
        assert!((mean.value - 5.0).abs() < 1e-12 && mean.error < 1e-6, "{mean:?}");
        let plain = controlled_mean(&[(1.0, 0.0), (3.0, 0.0), (5.0, 0.0)]);
        assert_eq!(plain.value, 3.0);
    }

    #[test]
    fn a_ratio_of_what_goes_together_is_sure() {
        let same = ratio_of_means(&[(2.0, 1.0), (8.0, 4.0), (1.0, 0.5)]);
        assert!((same.value - 2.0).abs() < 1e-12 && same.error < 1e-12, "{same:?}");
        // The mean of 1 and 3 over 1: 2 ± 1.
        let apart = ratio_of_means(&[(1.0, 1.0), (3.0, 1.0)]);
        assert!(
            (apart.value - 2.0).abs() < 1e-12 && (apart.error - 1.0).abs() < 1e-12,
            "{apart:?}"
        );
    }

    #[test]
    fn finds_the_power_of_a_law() {
        let law = power([(1.0, 3.0), (10.0, 0.03), (100.0, 3e-4), (0.0, 1.0)]);
        assert!((law.value + 2.0).abs() < 1e-12 && law.error < 1e-6, "{law:?}");
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_two() {
        assert_eq!(median([4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert!(median([]).is_nan());
    }
}
