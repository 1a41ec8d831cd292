//! The axis of a cylinder by least squares over the points themselves.

use nalgebra::{Matrix3x2, Point3, SMatrix, SVector, Unit, Vector3};

use super::super::circle::upright;
use super::super::fit::{HingeAxis, Verdict};
use super::super::shape::Shape;
use super::{CylinderFit, across};

const MAX_STEPS: usize = 100;
/// Relative to the radius, or in radians.
const STEP_TOLERANCE: f64 = 1e-11;
/// Sums that differ by less are the same.
const COST_ROUNDING: f64 = 1e-13;

/// A cylinder in the making: z of its frame is the axis, the origin its point nearest to the mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    point: Vector3<f64>,
    direction: Unit<Vector3<f64>>,
    radius: f64,
}

impl Axis {
    pub fn of(point: Vector3<f64>, direction: Unit<Vector3<f64>>, radius: f64) -> Self {
        Self { point, direction, radius }
    }

    /// Shifted and tilted by (shift u, shift w, tilt u, tilt w, radius), tilts times `length`.
    fn moved(&self, step: &SVector<f64, 5>, (mean, length): (&Vector3<f64>, f64)) -> Self {
        let [u, w] = across(&self.direction);
        let tilt = (u * step[2] + w * step[3]) / length;
        let direction = Unit::new_normalize(self.direction.into_inner() + tilt);
        let point = self.point + u * step[0] + w * step[1];
        let point = point + direction.into_inner() * direction.dot(&(mean - point));
        Self { point, direction, radius: self.radius + step[4] }
    }
}

/// Where the iteration came to rest.
pub(super) struct Refined {
    axis: Axis,
    /// Σ(ρ - r)².
    pub cost: f64,
    /// JᵀJ with tilts times `length`.
    normal: SMatrix<f64, 5, 5>,
    length: f64,
    converged: bool,
}

/// Minimises Σ(ρ - r)², ρ the distance from the axis.
///
/// # Method
/// In the axis' frame ρ = √(x² + y²), and a row of J is (x/ρ, y/ρ, zx/ρ, zy/ρ, 1) for two shifts, two
/// tilts and the radius. Levenberg's damping is added only where a step made things worse.
pub(super) fn refined(points: [&[f64]; 3], shape: &Shape<3>, start: Axis) -> Refined {
    // Tilts count as the shift they make at this distance, so that all unknowns are lengths.
    let length = shape.z.sqrt();
    let mut at = Place::of(points, start, length);
    let mut damping = 0.0;
    let mut converged = false;
    for _ in 0..MAX_STEPS {
        let damped = at.normal + SMatrix::from_diagonal(&(at.normal.diagonal() * damping));
        let Some(step) = damped.cholesky().map(|cholesky| cholesky.solve(&at.gradient)) else {
            damping = (damping * 10.0).max(1e-12);
            continue;
        };
        let tolerance =
            STEP_TOLERANCE * at.axis.radius.min(length) + 4.0 * f64::EPSILON * shape.mean.amax();
        let next = Place::of(points, at.axis.moved(&step, (&shape.mean, length)), length);
        let is_small = step.norm() <= tolerance;
        if next.cost <= at.cost * (1.0 + COST_ROUNDING) || is_small {
            at = next;
            damping *= 0.1;
        } else {
            damping = (damping * 10.0).max(1e-6);
        }
        if is_small {
            converged = true;
            break;
        }
    }
    Refined { axis: at.axis, cost: at.cost, normal: at.normal, length, converged }
}

/// An axis, and what the points say about it.
struct Place {
    axis: Axis,
    normal: SMatrix<f64, 5, 5>,
    /// Downhill.
    gradient: SVector<f64, 5>,
    cost: f64,
}

impl Place {
    fn of([xs, ys, zs]: [&[f64]; 3], axis: Axis, length: f64) -> Self {
        let [u, w] = across(&axis.direction);
        let mut place =
            Self { axis, normal: SMatrix::zeros(), gradient: SVector::zeros(), cost: 0.0 };
        for ((x, y), z) in xs.iter().zip(ys).zip(zs) {
            let d = Vector3::new(*x, *y, *z) - axis.point;
            let (x, y, z) = (u.dot(&d), w.dot(&d), axis.direction.dot(&d) / length);
            // A point on the axis has no direction; this keeps it from becoming one that is not a number.
            let rho = x.hypot(y).max(f64::MIN_POSITIVE);
            let (x, y, excess) = (x / rho, y / rho, rho - axis.radius);
            let row = SVector::from([x, y, x * z, y * z, 1.0]);
            place.normal += row * row.transpose();
            place.gradient += row * excess;
            place.cost += excess * excess;
        }
        place
    }
}

impl Refined {
    /// With its evidence; `None` if the points leave something open.
    pub fn fit(&self, samples: usize) -> Option<CylinderFit> {
        let left = samples as f64 - 5.0;
        let variance = if left > 0.0 { self.cost / left } else { 0.0 };
        let inverse = self.normal.cholesky()?.inverse() * variance;
        let along = Matrix3x2::from_columns(&across(&self.axis.direction));
        let shifts = inverse.fixed_view::<2, 2>(0, 0);
        let tilt = inverse.fixed_view::<2, 2>(2, 2).trace().sqrt() / self.length;
        Some(CylinderFit {
            point: Point3::from(self.axis.point),
            axis: HingeAxis {
                direction: upright(self.axis.direction.into_inner()),
                standard_error_rad: tilt.min(std::f64::consts::FRAC_PI_2),
            },
            radius: self.axis.radius - variance / (2.0 * self.axis.radius),
            radius_standard_error: inverse[(4, 4)].sqrt(),
            sigma: variance.sqrt(),
            covariance: along * shifts * along.transpose(),
            samples,
            verdict: Verdict::Insufficient,
            converged: self.converged,
        })
    }
}
