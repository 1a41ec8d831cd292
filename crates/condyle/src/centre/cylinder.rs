//! A cylinder: points that turn about an axis and may slide along it.

mod refine;
mod start;

use nalgebra::{Matrix3, Matrix3x2, Point3, Unit, Vector3};

use super::circle::{normal_of, projected};
use super::fit::{HingeAxis, Verdict};
use super::input;
use super::moments::Moments;
use super::noise_root::{noise_root, self_calibrated};
use super::shape::Shape;
use super::verdict::{MAX_RELATIVE_ERROR, MAX_RELATIVE_NOISE};
use crate::error::{Error, Result};

/// Where the direction of a cylinder's axis comes from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum CylinderAxis {
    /// It is known: from [`common_normal`] of several markers' arcs, or from rotations.
    Known(Unit<Vector3<f64>>),
    /// It is to be found from the points, which must spread along it.
    #[default]
    Free,
}

/// A cylinder, with its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CylinderFit {
    /// The point of the axis nearest to the mean of the points.
    pub point: Point3<f64>,
    /// The direction of the axis; a known one has no error.
    pub axis: HingeAxis,
    /// The radius.
    pub radius: f64,
    /// The standard error of the radius.
    pub radius_standard_error: f64,
    /// The noise across the axis, one standard deviation an axis; 0 if there is no redundancy.
    pub sigma: f64,
    /// The covariance of [`CylinderFit::point`], which has no spread along the axis.
    pub covariance: Matrix3<f64>,
    /// How many points were used.
    pub samples: usize,
    /// A hinge if axis and position are known to a tenth, the points are round about it, spread
    /// in space by more than their noise and fit no sphere better; otherwise insufficient.
    pub verdict: Verdict,
    /// Whether the iteration came to rest; a known axis needs none.
    pub converged: bool,
}

/// Fits a cylinder.
///
/// # Method
/// About a known axis the points are projected along it, and SC-GDK with D = 2 does the rest. A free
/// axis starts from the direction along which the projected points are nearest to a circle, which
/// their moments up to the fourth tell for every direction; from there Gauss-Newton minimises
/// Σ(ρ - r)², ρ the distance from the axis, over two tilts, two shifts and the radius. The
/// covariance is σ²(JᵀJ)⁻¹, and the radius, too large by σ²/(2r), is corrected.
///
/// # Errors
/// Fewer than 4 points, or 6 for a free axis; points that are not finite, all in one place or on one
/// line, also as seen along a known axis; for a free axis points in one plane, which determine a
/// circle but no tilt. An axis that is there but not well known is a verdict.
///
/// # Reference
/// J. K. Knight (2005), 2.1, claims it without a formula; the projection, the start and the
/// iteration are ours.
pub fn cylinder(points: [&[f64]; 3], axis: CylinderAxis) -> Result<CylinderFit> {
    match axis {
        CylinderAxis::Known(direction) => about(points, direction),
        CylinderAxis::Free => free(points),
    }
}

fn about(points: [&[f64]; 3], direction: Unit<Vector3<f64>>) -> Result<CylinderFit> {
    if direction.iter().any(|v| !v.is_finite()) {
        return Err(Error::argument("axis: need finite numbers"));
    }
    let scaled = input::scaled(points, 4)?;
    let mean = scaled.moments().mean;
    let round = Round::of(scaled.points(), &mean, &direction)?;
    let variance = round.eta * round.flat.redundancy();
    let covariance = round.flat.covariance(round.eta, (&round.offset, round.radius), variance);
    // The mean distance errs by itself, and with the centre as seen from where the points are.
    let lever = round.offset.dot(&(covariance * round.offset)) / round.radius.powi(2);
    let fit = CylinderFit {
        point: Point3::from(round.point),
        axis: HingeAxis { direction, standard_error_rad: 0.0 },
        radius: round.radius,
        radius_standard_error: (variance / round.flat.n + lever).sqrt(),
        sigma: variance.sqrt(),
        covariance: round.along * covariance * round.along.transpose(),
        samples: round.flat.samples,
        verdict: Verdict::Insufficient,
        converged: true,
    };
    Ok(fit.judged(true).scaled_by(scaled.unit))
}

fn free(points: [&[f64]; 3]) -> Result<CylinderFit> {
    let scaled = input::scaled(points, 6)?;
    let shape = input::spread_out(&Shape::from(&scaled.moments()))?;
    if shape.spectrum.values[0] <= shape.floor {
        return Err(Error::undetermined(
            "points: need a spread along the axis to find it, got points in one plane",
        ));
    }
    let mut best: Option<refine::Refined> = None;
    for direction in start::directions(scaled.points(), &shape) {
        let Ok(round) = Round::of(scaled.points(), &shape.mean, &direction) else { continue };
        let start = refine::Axis::of(round.point, direction, round.radius);
        let refined = refine::refined(scaled.points(), &shape, start);
        if refined.cost.is_finite() && best.as_ref().is_none_or(|b| refined.cost < b.cost) {
            best = Some(refined);
        }
    }
    let fit = best.and_then(|best| best.fit(shape.samples)).ok_or_else(|| {
        Error::undetermined("points: need a cylinder, got points that leave its axis open")
    })?;
    // Points that are flat but for their noise would be tilted to suit the noise.
    let is_solid = shape.spectrum.values[0] > MIN_SPREAD_TO_NOISE * fit.sigma.powi(2);
    let as_a_ball = noise_root(&shape, self_calibrated::<3>()) * shape.redundancy();
    let is_no_ball = as_a_ball >= fit.sigma.powi(2);
    Ok(fit.judged(is_solid && is_no_ball).scaled_by(scaled.unit))
}

/// The least variance of the points, over that of their noise, which tells the tilt of an axis.
const MIN_SPREAD_TO_NOISE: f64 = 2.0;

/// The direction that several markers of one hinge turn about: the common normal of their arcs.
///
/// # Method
/// The direction of least spread of Σ_p Σ d dᵀ, every marker about its own mean: the planes are
/// parallel, wherever they are along the axis.
///
/// # Errors
/// No marker; a marker with fewer than 3 points or points that are not finite; all in one place or
/// on parallel lines.
///
/// # Reference
/// J. K. Knight (2005), (2.1.5), for one marker.
pub fn common_normal(markers: &[[&[f64]; 3]]) -> Result<HingeAxis> {
    if markers.is_empty() {
        return Err(Error::argument("markers: need at least 1, got 0"));
    }
    let mut pooled = Moments::<3>::default();
    for points in markers {
        let moments = input::as_they_are(*points, 3)?;
        // Each about its own mean, of which only the size matters: how finely points can be told apart.
        let mean = pooled.mean.sup(&moments.mean.abs());
        pooled.mean = moments.mean;
        pooled.merge(&moments);
        pooled.mean = mean;
    }
    let shape = input::spread_out(&Shape::from(&pooled))?;
    Ok(normal_of(&shape.spectrum, shape.n))
}

/// The points as seen along a direction, and the circle that they make.
struct Round {
    flat: Shape<2>,
    eta: f64,
    /// From the mean.
    offset: nalgebra::Vector2<f64>,
    point: Vector3<f64>,
    radius: f64,
    along: Matrix3x2<f64>,
}

impl Round {
    fn of(points: [&[f64]; 3], mean: &Vector3<f64>, direction: &Vector3<f64>) -> Result<Self> {
        let [u, w] = across(direction);
        let flat = Shape::from(&projected(points, mean, [&u, &w]));
        if flat.spectrum.values[0].is_nan() || flat.spectrum.values[0] <= flat.floor {
            return Err(Error::undetermined(
                "points: need an arc about the axis, got a straight line",
            ));
        }
        let eta = noise_root(&flat, self_calibrated::<2>());
        let offset = flat.offset(eta);
        let radius = (flat.z - 2.0 * eta + offset.norm_squared()).max(0.0).sqrt();
        let along = Matrix3x2::from_columns(&[u, w]);
        let point = mean + along * (flat.mean + offset);
        Ok(Self { flat, eta, offset, point, radius, along })
    }
}

/// Two directions at right angles to a third and to each other.
fn across(direction: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let u = direction.cross(&Vector3::ith(direction.iamin(), 1.0)).normalize();
    [u, direction.cross(&u)]
}

impl CylinderFit {
    fn judged(self, is_apt: bool) -> Self {
        let position = self.covariance.trace().max(0.0).sqrt();
        let is_known = position < MAX_RELATIVE_ERROR * self.radius
            && self.axis.standard_error_rad < MAX_RELATIVE_ERROR;
        let is_round = self.sigma <= MAX_RELATIVE_NOISE * self.radius;
        let verdict = match self.converged && is_apt && is_known && is_round {
            true => Verdict::Hinge,
            false => Verdict::Insufficient,
        };
        Self { verdict, ..self }
    }

    fn scaled_by(self, unit: f64) -> Self {
        Self {
            point: self.point * unit,
            radius: self.radius * unit,
            radius_standard_error: self.radius_standard_error * unit,
            sigma: self.sigma * unit,
            covariance: input::covariance_in(unit, &self.covariance),
            ..self
        }
    }
}
