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
    let Centred { means: [y, z], squares: [yy, zz], product } = Centred::of(pairs);
    let beta = if zz > 0.0 { product / zz } else { 0.0 };
    let residual = (yy - beta * product).max(0.0);
    Estimate { value: y - beta * z, error: (residual / (n * (n - 2.0).max(1.0))).sqrt() }
}

/// Sums over pairs about their means.
struct Centred {
    means: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Centred {
    fn of(pairs: &[(f64, f64)]) -> Self {
        let n = pairs.len() as f64;
        let means = [pairs.iter().map(|p| p.0).sum::<f64>(), pairs.iter().map(|p| p.1).sum()];
        let mut centred = Self { means: means.map(|sum| sum / n), squares: [0.0; 2], product: 0.0 };
        for (a, b) in pairs {
            let (a, b) = (a - centred.means[0], b - centred.means[1]);
            centred.squares[0] += a * a;
            centred.squares[1] += b * b;
            centred.product += a * b;
        }
        centred
    }
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
    let Centred { squares: [xx, yy], product, .. } = Centred::of(points);
    let value = product / xx;
    let residual = (yy - value * product).max(0.0);
    let freedom = (points.len() as f64 - 2.0).max(1.0);
    Estimate { value, error: (residual / (freedom * xx)).sqrt() }
}

/// The slope in doubly logarithmic scales: the power of the law. Points without a logarithm are
/// left out.
pub fn power(points: impl IntoIterator<Item = (f64, f64)>) -> Estimate {
    let logs = points.into_iter().map(|(x, y)| (x.log10(), y.log10()));
    slope(&logs.filter(|(x, y)| x.is_finite() && y.is_finite()).collect::<Vec<_>>())
}

/// The middle one; not a number if there are none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    condyle::statistics::median(values).unwrap_or(f64::NAN)
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
