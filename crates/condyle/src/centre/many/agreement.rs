//! Whether markers agree about one centre.

use nalgebra::SVector;

use crate::centre::noise_root::{noise_root, self_calibrated};
use crate::centre::shape::Shape;
use crate::centre::verdict::{MAX_RELATIVE_NOISE, SIGNIFICANCE};

/// How one marker agrees with the centre that all of them have together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The noise of its points about the common sphere or circle, one standard deviation an axis.
    pub sigma: f64,
    /// Its radius about the common centre.
    pub radius: f64,
    /// How far its own centre is from the common one, in the directions in which it has one.
    pub off: f64,
    /// The same over its standard error.
    pub off_in_errors: f64,
}

/// Centres further apart than so many standard errors are not the same.
const MAX_ERRORS: f64 = 5.0;

impl Agreement {
    /// Whether the marker's own points put the centre where the common one cannot be.
    pub fn is_elsewhere(&self) -> bool {
        self.off_in_errors > MAX_ERRORS || self.off_in_errors.is_nan()
    }

    /// Whether the marker is on a sphere about the common centre at all.
    pub fn is_round(&self) -> bool {
        self.sigma <= MAX_RELATIVE_NOISE * self.radius
    }

    /// Compares a marker's own self-calibrated centre with the common one.
    ///
    /// # Method
    /// Q = N δᵀ(Ĉ - ηI)δ/(ηr²), δ from the common centre to its own, by (10): chi-square over all
    /// markers, with D degrees of freedom for each but one. Directions whose spread does not stand
    /// out of the noise have no say.
    pub(super) fn of<const D: usize>(shape: &Shape<D>, centre: &SVector<f64, D>) -> Self {
        let common = centre - shape.mean;
        let radius_about = |offset: &SVector<f64, D>, eta: f64| {
            (shape.z - D as f64 * eta + offset.norm_squared()).max(0.0).sqrt()
        };
        let eta = noise_root(shape, self_calibrated::<D>());
        let own = shape.offset(eta);
        let radius = radius_about(&own, eta);
        let variance = eta.max(shape.noise_variance(&own, radius)).max(shape.floor);
        let (mut square, mut weighted) = (0.0, 0.0);
        for (i, value) in shape.spectrum.values.iter().enumerate() {
            let gap = value - eta;
            if gap > SIGNIFICANCE * eta * (2.0 / shape.n).sqrt() + shape.floor {
                let off = shape.spectrum.vector(i).dot(&(own - common));
                square += off * off;
                weighted += gap * off * off;
            }
        }
        let about = radius_about(&common, eta);
        Self {
            sigma: shape.noise_variance(&common, about).max(0.0).sqrt(),
            radius: about,
            off: square.sqrt(),
            off_in_errors: (weighted * shape.n / (variance * radius * radius)).sqrt(),
        }
    }
}

/// The factor that a covariance needs for the markers to agree: Birge's ratio, where chance does
/// not explain it.
///
/// # Reference
/// R. T. Birge (1932), *The calculation of errors by the method of least squares*.
pub(super) fn inflation<const D: usize>(agreements: &[Agreement]) -> f64 {
    let freedom = (D * agreements.len().saturating_sub(1)) as f64;
    let square: f64 = agreements.iter().map(|agreement| agreement.off_in_errors.powi(2)).sum();
    if freedom > 0.0 && square > freedom + SIGNIFICANCE * (2.0 * freedom).sqrt() {
        square / freedom
    } else {
        1.0
    }
}
