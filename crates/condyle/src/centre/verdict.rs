//! Ball, hinge or neither: the rule, of one marker or of several.

use nalgebra::Matrix3;

use super::fit::{Shortfall, Verdict};
use super::shape::Shape;

/// Spreads below this many standard deviations of the noise estimate do not count as spread.
pub(super) const SIGNIFICANCE: f64 = 5.0;
/// A centre that is not known to a tenth of the radius is not known.
pub(super) const MAX_RELATIVE_ERROR: f64 = 0.1;
/// Points that miss a sphere or circle by more of its radius are on none: a noisy disc gives a
/// third, a solid ball a quarter.
pub(super) const MAX_RELATIVE_NOISE: f64 = 0.2;
/// On a hinge the noise in the plane is like the noise across it; three times allows for skin.
const MAX_NOISE_RATIO_IN_TO_ACROSS: f64 = 3.0;
/// What moves along the axis by less than twice the noise may be noise: cameras see depth less well.
const MAX_NOISE_RATIO_ACROSS_TO_IN: f64 = 2.0;
/// Off-axis motion of less than half a degree is not what a centre can be told by.
const MIN_OFF_AXIS_RAD: f64 = 0.5 * std::f64::consts::PI / 180.0;

/// What a fit in space or in the plane shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub n: f64,
    /// The noise variance.
    pub eta: f64,
    /// The smallest eigenvalue, noise removed.
    pub excess: f64,
    /// Spreads below this are rounding.
    pub floor: f64,
    /// The standard error of the centre where it is known least.
    pub error: f64,
    pub radius: f64,
}

impl Shown {
    /// What is missing to trust the centre.
    pub fn shortfall(&self) -> Option<Shortfall> {
        let is_determined = self.excess
            > SIGNIFICANCE * self.eta * (2.0 / self.n).sqrt() + self.floor
            && self.error < MAX_RELATIVE_ERROR * self.radius;
        if !is_determined {
            Some(Shortfall::Motion)
        } else if self.eta > (MAX_RELATIVE_NOISE * self.radius).powi(2) {
            Some(Shortfall::Roundness)
        } else {
            None
        }
    }
}

/// How the points spread along the normal of their plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Across {
    /// The variance there.
    pub spread: f64,
    /// The part of it that is noise for certain.
    pub noise: f64,
    /// Spreads below this are rounding.
    pub floor: f64,
}

impl Across {
    /// Of points whose noise is known to be at least `noise`, as a covariance.
    pub fn of(shape: &Shape<3>, noise: Option<&Matrix3<f64>>) -> Self {
        let normal = shape.spectrum.vector(0);
        Self {
            spread: shape.spectrum.values[0].max(0.0),
            noise: noise.map_or(0.0, |noise| normal.dot(&(noise * normal))),
            floor: shape.floor,
        }
    }

    /// What is missing to call it a hinge, by what the circle in the plane shows.
    pub fn hinge_shortfall(&self, circle: &Shown) -> Option<Shortfall> {
        let is_flat = self.spread <= self.floor
            || circle.eta <= MAX_NOISE_RATIO_IN_TO_ACROSS.powi(2) * self.spread;
        match circle.shortfall() {
            Some(shortfall) => Some(shortfall),
            None if !is_flat => Some(Shortfall::Roundness),
            None if self.spread > (MAX_RELATIVE_NOISE * circle.radius).powi(2) => {
                Some(Shortfall::Flatness)
            }
            None => None,
        }
    }

    /// Whether that is too little, against the noise or as an angle about a circle, to tell a place
    /// along the normal from.
    pub fn is_slight(&self, eta: f64, radius: f64) -> bool {
        let noise = self.noise.max(eta);
        self.spread <= MAX_NOISE_RATIO_ACROSS_TO_IN.powi(2) * noise
            || self.spread - noise <= (MIN_OFF_AXIS_RAD * radius).powi(2)
    }
}

/// The rule. `circle` is only asked where the points may lie in a plane.
pub(super) fn judge<C>(
    sphere: &Shown,
    across: &Across,
    circle: impl FnOnce() -> (C, Shown),
) -> (Verdict, Option<Shortfall>, Option<C>) {
    let shortfall = sphere.shortfall();
    // A circle on the sphere is not larger than it.
    if shortfall.is_none() && !across.is_slight(sphere.eta, sphere.radius) {
        return (Verdict::Ball, None, None);
    }
    let (found, shown) = circle();
    let is_circle = across.hinge_shortfall(&shown).is_none();
    let is_ball = shortfall.is_none() && !across.is_slight(sphere.eta, shown.radius);
    let (verdict, shortfall) = match (shortfall, is_circle) {
        (_, true) if !is_ball => (Verdict::Hinge, None),
        (None, _) => (Verdict::Ball, None),
        (shortfall, _) => (Verdict::Insufficient, shortfall),
    };
    (verdict, shortfall, Some(found))
}
