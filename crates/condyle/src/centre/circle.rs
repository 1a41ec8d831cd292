//! The circle in space, its plane, and the hinge they tell of.

use std::ops::Deref;

use nalgebra::{Matrix2, Matrix3, Point3, Unit, Vector3};

use super::acceptance::circle_coverage_rad;
use super::fit::{Acceptance, Evidence, HingeAxis, Verdict};
use super::input;
use super::moments::Moments;
use super::noise_root::{noise_root, self_calibrated};
use super::shape::Shape;
use crate::error::Result;

/// A plane through points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneFit {
    /// The mean of the points.
    pub point: Point3<f64>,
    /// The normal, with its uncertainty.
    pub normal: HingeAxis,
    /// How far the points are from the plane, one standard deviation; 0 if there are only three.
    pub sigma: f64,
    /// The covariance of the point, which only errs along the normal.
    pub covariance: Matrix3<f64>,
    /// How many points were used.
    pub samples: usize,
}

/// A circle in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CircleFit {
    /// The centre.
    pub centre: Point3<f64>,
    /// The normal of its plane: the axis of the hinge.
    pub axis: HingeAxis,
    /// The radius.
    pub radius: f64,
    /// How sure that is: a hinge if the points are an arc that determines the circle.
    pub evidence: Evidence,
}

impl Deref for CircleFit {
    type Target = Evidence;

    fn deref(&self) -> &Evidence {
        &self.evidence
    }
}

/// Fits a plane: the normal is the direction of least spread, through the mean.
///
/// # Errors
/// Fewer than 3 points, points that are not finite, all in one place or on one line.
///
/// # Reference
/// J. K. Knight (2005), (2.1.5).
pub fn plane(points: [&[f64]; 3]) -> Result<PlaneFit> {
    let scaled = input::scaled(points, 3)?;
    let shape = input::spread_out(&Shape::from(&scaled.moments()))?;
    let left = shape.n - 3.0;
    let variance =
        if left > 0.0 { shape.spectrum.values[0].max(0.0) * shape.n / left } else { 0.0 };
    let normal = normal_of(&shape);
    let across = normal.direction.into_inner();
    let covariance = across * across.transpose() * (variance / shape.n);
    Ok(PlaneFit {
        point: Point3::from(shape.mean * scaled.unit),
        normal,
        sigma: variance.sqrt() * scaled.unit,
        covariance: input::covariance_in(scaled.unit, &covariance),
        samples: shape.samples,
    })
}

/// Fits a circle in space: the plane of least spread, and in it the self-calibrated circle.
///
/// # Method
/// The points are projected onto the plane through their mean; there SC-GDK with D = 2 finds the
/// centre without the bias that (217) has.
///
/// # Errors
/// Fewer than 4 points, points that are not finite, all in one place or on one line.
///
/// # Reference
/// J. K. Knight (2008), (217), (218); the self-calibration is ours.
pub fn circle(points: [&[f64]; 3]) -> Result<CircleFit> {
    let scaled = input::scaled(points, 4)?;
    let shape = input::spread_out(&Shape::from(&scaled.moments()))?;
    Ok(circle_of(&shape, scaled.points()).scaled_by(scaled.unit))
}

/// The normal of the plane of least spread.
///
/// The direction errs towards v_j with variance λ_j λ_min / (N (λ_j - λ_min)²), as any eigenvector.
pub(super) fn normal_of(shape: &Shape<3>) -> HingeAxis {
    let [least, others @ ..] = shape.spectrum.values;
    let least = least.max(0.0);
    let variance: f64 = others
        .iter()
        .map(|other| other * least / (shape.n * (other - least).powi(2).max(f64::MIN_POSITIVE)))
        .sum();
    HingeAxis {
        direction: upright(shape.spectrum.vector(0)),
        standard_error_rad: variance.sqrt().min(std::f64::consts::FRAC_PI_2),
    }
}

/// A direction up to sign, its largest component positive.
pub(super) fn upright(v: Vector3<f64>) -> Unit<Vector3<f64>> {
    Unit::new_normalize(if v[v.iamax()] < 0.0 { -v } else { v })
}

pub(super) fn circle_of(shape: &Shape<3>, points: [&[f64]; 3]) -> CircleFit {
    let (u, w) = (shape.spectrum.vector(2), shape.spectrum.vector(1));
    let flat = Shape::from(&projected(points, &shape.mean, [&u, &w]));
    let eta = noise_root(&flat, self_calibrated::<2>());
    let offset = flat.offset(eta);
    let radius = (flat.z - 2.0 * eta + offset.norm_squared()).max(0.0).sqrt();
    let variance = eta * flat.redundancy();
    let covariance: Matrix2<f64> = flat.covariance(eta, (&offset, radius), variance);
    let normal = shape.spectrum.vector(0);
    let along = nalgebra::Matrix3x2::from_columns(&[u, w]);
    let covariance = along * covariance * along.transpose()
        + normal * normal.transpose() * (shape.spectrum.values[0].max(0.0) / shape.n);
    let centre = shape.mean + along * (flat.mean + offset);
    let excess = (flat.spectrum.values[0] - eta).max(0.0);
    CircleFit::of(shape, (centre, radius), (eta, excess), (variance, covariance))
}

/// The moments of points in the plane of two directions through an origin.
pub(super) fn projected(
    [xs, ys, zs]: [&[f64]; 3],
    origin: &Vector3<f64>,
    [u, w]: [&Vector3<f64>; 2],
) -> Moments<2> {
    const BLOCK: usize = 256;
    let mut total = Moments::<2>::default();
    let (mut us, mut ws) = ([0.0; BLOCK], [0.0; BLOCK]);
    for ((xs, ys), zs) in xs.chunks(BLOCK).zip(ys.chunks(BLOCK)).zip(zs.chunks(BLOCK)) {
        for (i, ((x, y), z)) in xs.iter().zip(ys).zip(zs).enumerate() {
            let d = Vector3::new(x - origin.x, y - origin.y, z - origin.z);
            us[i] = u.dot(&d);
            ws[i] = w.dot(&d);
        }
        total.merge(&Moments::<2>::of([&us[..xs.len()], &ws[..xs.len()]]));
    }
    total
}

/// Spreads below this many standard deviations of the noise estimate do not count as spread.
pub(super) const SIGNIFICANCE: f64 = 5.0;
/// A centre that is not known to a tenth of the radius is not known.
pub(super) const MAX_RELATIVE_ERROR: f64 = 0.1;
/// A circle whose points miss it by more of its radius is no circle: a noisy disc gives a third.
pub(super) const MAX_RELATIVE_NOISE: f64 = 0.2;
/// On a hinge the noise in the plane is like the noise across it; three times allows for skin.
const MAX_NOISE_RATIO_IN_TO_ACROSS: f64 = 3.0;

impl CircleFit {
    /// A circle in the plane of least spread: its centre and radius, the noise variance η with the
    /// smaller eigenvalue in the plane without it, and σ² with the covariance of the centre.
    ///
    /// It is a hinge if the points are an arc that determines it, by the rule of the sphere in 2-D.
    pub(super) fn of(
        shape: &Shape<3>,
        (centre, radius): (Vector3<f64>, f64),
        (eta, excess): (f64, f64),
        (variance, covariance): (f64, Matrix3<f64>),
    ) -> Self {
        let across = shape.spectrum.values[0];
        let is_round = eta <= (MAX_RELATIVE_NOISE * radius).powi(2);
        let is_flat = across <= shape.floor || eta <= MAX_NOISE_RATIO_IN_TO_ACROSS.powi(2) * across;
        let is_hinge = is_determined(eta, excess, shape) && is_round && is_flat;
        let (axis, noise_ratio) = (normal_of(shape), eta / excess);
        let evidence = Evidence {
            sigma: variance.sqrt(),
            covariance,
            samples: shape.samples,
            smallest_eigenvalue: excess,
            coverage_rad: circle_coverage_rad(excess / (radius * radius)),
            noise_ratio,
            acceptance: Acceptance::of(noise_ratio),
            verdict: if is_hinge { Verdict::Hinge } else { Verdict::Insufficient },
            axis: Some(axis),
        };
        Self { centre: Point3::from(centre), axis, radius, evidence }
    }

    fn scaled_by(self, unit: f64) -> Self {
        Self {
            centre: self.centre * unit,
            radius: self.radius * unit,
            evidence: self.evidence.scaled_by(unit),
            ..self
        }
    }
}

/// Whether an eigenvalue, noise removed, stands out of the noise and bounds the error.
pub(super) fn is_determined<const D: usize>(eta: f64, excess: f64, shape: &Shape<D>) -> bool {
    excess > SIGNIFICANCE * eta * (2.0 / shape.n).sqrt() + shape.floor
        && eta < MAX_RELATIVE_ERROR.powi(2) * shape.n * excess
}
