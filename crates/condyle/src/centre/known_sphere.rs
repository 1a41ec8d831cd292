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

/// The variance of [`KnownSphereNoise::trace_variance`]: 2σ²(Dσ² + 2r²)/(N D²), (190), for D = 3.
pub fn trace_variance_of_variance(sigma: f64, radius: f64, samples: usize) -> f64 {
    let s2 = sigma * sigma;
    2.0 * s2 * (3.0 * s2 + 2.0 * radius * radius) / (9.0 * samples as f64)
}
