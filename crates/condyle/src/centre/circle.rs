//! The circle in space, its plane, and the hinge they tell of.

use std::f64::consts::FRAC_PI_2;
use std::ops::Deref;

use nalgebra::{Matrix2, Matrix3, Matrix3x2, Point3, Unit, Vector3};

use super::acceptance::circle_coverage_rad;
use super::fit::{Acceptance, Evidence, HingeAxis, Shortfall, Verdict};
use super::input;
use super::moments::Moments;
use super::noise_root::{noise_root, self_calibrated};
use super::shape::Shape;
use super::spectrum::Spectrum;
use super::verdict::{Across, Shown};
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
    let normal = normal_of(&shape.spectrum, shape.n);
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
    let flat = flattened(&shape, scaled.points());
    let (fit, _) = circle_of(&shape, &flat, &Across::of(&shape, None));
    Ok(fit.scaled_by(scaled.unit))
}

/// The normal of the plane of least spread.
///
/// The direction errs towards v_j with variance λ_j λ_min / (N (λ_j - λ_min)²), as any eigenvector.
pub(super) fn normal_of(spectrum: &Spectrum<3>, n: f64) -> HingeAxis {
    HingeAxis {
        direction: upright(spectrum.vector(0)),
        standard_error_rad: tilts(spectrum, n).iter().sum::<f64>().sqrt().min(FRAC_PI_2),
    }
}

/// The variances of the normal's tilts towards the other two directions.
fn tilts(spectrum: &Spectrum<3>, n: f64) -> [f64; 2] {
    let [least, others @ ..] = spectrum.values;
    let least = least.max(0.0);
    others.map(|other| other * least / (n * (other - least).powi(2).max(f64::MIN_POSITIVE)))
}

/// The covariance of the plane's position, along its normal, where it is `offset` from the mean: that
/// of the mean, and the tilt at the end of that lever.
pub(super) fn plane_position(
    spectrum: &Spectrum<3>,
    n: f64,
    offset: &Vector3<f64>,
) -> Matrix3<f64> {
    let normal = spectrum.vector(0);
    let mut variance = spectrum.values[0].max(0.0) / n;
    for (i, tilt) in tilts(spectrum, n).into_iter().enumerate() {
        variance += tilt * spectrum.vector(i + 1).dot(offset).powi(2);
    }
    normal * normal.transpose() * variance
}

/// A direction up to sign, its largest component positive.
pub(super) fn upright(v: Vector3<f64>) -> Unit<Vector3<f64>> {
    Unit::new_normalize(if v[v.iamax()] < 0.0 { -v } else { v })
}

/// The points in the plane of their two largest spreads.
pub(super) fn flattened(shape: &Shape<3>, points: [&[f64]; 3]) -> Shape<2> {
    let (u, w) = (shape.spectrum.vector(2), shape.spectrum.vector(1));
    Shape::from(&projected(points, &shape.mean, [&u, &w]))
}

/// The circle of points that are `flat` in their plane, with what it shows.
pub(super) fn circle_of(shape: &Shape<3>, flat: &Shape<2>, across: &Across) -> (CircleFit, Shown) {
    let eta = noise_root(flat, self_calibrated::<2>());
    let offset = flat.offset(eta);
    let radius = (flat.z - 2.0 * eta + offset.norm_squared()).max(0.0).sqrt();
    let variance = eta * flat.redundancy();
    let in_plane: Matrix2<f64> = flat.covariance(eta, (&offset, radius), variance)
        + flat.open_directions(eta) * radius.powi(2);
    let along = Matrix3x2::from_columns(&[shape.spectrum.vector(2), shape.spectrum.vector(1)]);
    let offset = along * (flat.mean + offset);
    let excess = (flat.spectrum.values[0] - eta).max(0.0);
    let shown = Shown {
        n: flat.n,
        eta,
        excess,
        floor: flat.floor,
        error: radius * (eta / (flat.n * excess)).sqrt(),
        radius,
    };
    let shortfall = match flat.redundancy() > 0.0 {
        true => across.hinge_shortfall(&shown),
        false => Some(Shortfall::Samples),
    };
    let axis = normal_of(&shape.spectrum, shape.n);
    let noise_ratio = eta / excess;
    let evidence = Evidence {
        sigma: variance.sqrt(),
        covariance: along * in_plane * along.transpose()
            + plane_position(&shape.spectrum, shape.n, &offset),
        samples: shape.samples,
        smallest_eigenvalue: excess,
        coverage_rad: circle_coverage_rad(excess / (radius * radius)),
        noise_ratio,
        acceptance: Acceptance::of(noise_ratio),
        verdict: if shortfall.is_none() { Verdict::Hinge } else { Verdict::Insufficient },
        shortfall,
        axis: Some(axis),
    };
    (CircleFit { centre: Point3::from(shape.mean + offset), axis, radius, evidence }, shown)
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
        total.merge(&Moments::<2>::from_points([&us[..xs.len()], &ws[..xs.len()]]));
    }
    total
}

impl CircleFit {
    fn scaled_by(self, unit: f64) -> Self {
        Self {
            centre: self.centre * unit,
            radius: self.radius * unit,
            evidence: self.evidence.scaled_by(unit),
            ..self
        }
    }
}
