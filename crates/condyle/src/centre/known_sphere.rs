//! How noisy a recording system is, from points on a sphere that is known: a wand about a fixed tip.

use nalgebra::{Point3, Vector3};

/// Two estimates of the noise variance an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownSphereNoise {
    /// From the spread of the distances: good for any noise. Use this.
    pub radial_variance: f64,
    /// From the mean squared distance, (177): unbiased, but drowned by the radius.
    pub trace_variance: f64,
}

/// Estimates the noise of points on a sphere whose centre and radius are known.
///
/// # Method
/// Radial: σ² = mean (|x - c| - r)². By the trace: 3σ² = mean |x - c|² - r², (177).
///
/// `None` without points, or where the points or the sphere are not finite.
///
/// # Reference
/// J. K. Knight (2008), (177), (186) to (190); the radial form is ours.
pub fn noise_on_known_sphere(
    [x, y, z]: [&[f64]; 3],
    centre: &Point3<f64>,
    radius: f64,
) -> Option<KnownSphereNoise> {
    let (mut n, mut radial, mut trace) = (0.0, 0.0, 0.0);
    for ((x, y), z) in x.iter().zip(y).zip(z) {
        let excess = (Vector3::new(*x, *y, *z) - centre.coords).norm() - radius;
        radial += excess * excess;
        // |x - c|² - r² without the loss of digits.
        trace += excess * (excess + 2.0 * radius);
        n += 1.0;
    }
    let noise = KnownSphereNoise { radial_variance: radial / n, trace_variance: trace / (3.0 * n) };
    (noise.radial_variance.is_finite() && noise.trace_variance.is_finite()).then_some(noise)
}

/// The noise an axis of points on a sphere whose radius is known: a calibration of the recording system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibrated {
    /// The radius.
    pub radius: f64,
    /// The noise by the distances from the centre.
    pub radial_sigma: f64,
    /// The standard error of that.
    pub radial_standard_error: f64,
    /// The noise by Knight's (177): nothing where its square is negative.
    pub trace_sigma: Option<f64>,
    /// The standard error of its square, (190), by the noise of the distances.
    pub trace_variance_standard_error: f64,
}

impl Calibrated {
    /// About the known centre, or about the one that was found: then three numbers are spent on it. Nothing without a
    /// centre, or with too few points.
    pub fn of(
        axes: [&[f64]; 3],
        radius: f64,
        known: Option<Point3<f64>>,
        found: Option<Point3<f64>>,
    ) -> Option<Self> {
        let centre = known.or(found)?;
        let noise = noise_on_known_sphere(axes, &centre, radius)?;
        let samples = axes[0].len();
        let spent = if known.is_some() { 0 } else { 3 };
        let free = samples.checked_sub(spent).filter(|free| *free > 0)?;
        let radial_sigma = (noise.radial_variance * samples as f64 / free as f64).sqrt();
        let variance = trace_variance_of_variance(radial_sigma, radius, samples);
        Some(Self {
            radius,
            radial_sigma,
            radial_standard_error: radial_sigma / (2.0 * free as f64).sqrt(),
            trace_sigma: (noise.trace_variance >= 0.0).then(|| noise.trace_variance.sqrt()),
            trace_variance_standard_error: variance.sqrt(),
        })
    }
}

/// The variance of [`KnownSphereNoise::trace_variance`]: 2σ²(Dσ² + 2r²)/(N D²), (190), for D = 3.
pub fn trace_variance_of_variance(sigma: f64, radius: f64, samples: usize) -> f64 {
    let s2 = sigma * sigma;
    2.0 * s2 * (3.0 * s2 + 2.0 * radius * radius) / (9.0 * samples as f64)
}
