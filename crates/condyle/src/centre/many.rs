//! Several markers around one centre: MGDK.

mod agreement;
mod pooled;

use std::ops::Deref;

use nalgebra::{Matrix3x2, Point3, SVector, Vector3};

pub use agreement::Agreement;
use pooled::{Pooled, mean_spread, solve};

use super::circle::{normal_of, plane_position, projected};
use super::fit::{Evidence, Verdict};
use super::input;
use super::points::Points;
use super::shape::Shape;
use super::sphere::too_much_noise;
use super::verdict::{Across, Shown, judge};
use crate::error::{Error, Result};

/// How several markers are brought together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ManyMethod {
    /// (220): every marker counts the same, the noise stays in.
    Plain,
    /// (222): every marker counts the same, known noise is taken off.
    Unbiased {
        /// One standard deviation an axis.
        sigma: f64,
    },
    /// Markers count by N/r² as they should, and the noise is found: at the Cramér-Rao bound.
    #[default]
    SelfCalibrated,
}

/// One centre from several markers, with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct ManyFit {
    /// How it was found.
    pub method: ManyMethod,
    /// The common centre.
    pub centre: Point3<f64>,
    /// The radius of each marker.
    pub radii: Vec<f64>,
    /// How each marker agrees with the others about that.
    pub agreements: Vec<Agreement>,
    /// How many times larger the covariance is, because the markers are further apart about the centre than
    /// their noise explains; 1 where they agree.
    pub disagreement: f64,
    /// How sure that is; the spread is the weighted mean of the markers'. Where the markers do not
    /// agree, the covariance is larger.
    pub evidence: Evidence,
}

impl Deref for ManyFit {
    type Target = Evidence;

    fn deref(&self) -> &Evidence {
        &self.evidence
    }
}

/// Finds the centre that several markers rotate about.
///
/// # Method
/// c = [Σ w_p (C_p - ηI)]⁻¹ Σ w_p [(C_p - ηI) x̄_p + ½ S_p]; (220) is w = 1, η = 0, (222) is w = 1,
/// η = σ². The residual of a marker grows with its radius, so w_p = N_p/r_p² is efficient. Its η is the
/// root of Σ w_p {V_p - 4 δ_p·S_p + 4 δ_pᵀC_pδ_p - 4η(z̄_p - Dη + |δ_p|²) - 2Dη²}, δ_p = c(η) - x̄_p. On a hinge
/// the same is done in the plane, and the centre is put midway between the arcs along the axis. The
/// verdict is by the rule of [`super::sphere`].
///
/// # Errors
/// No marker; a marker with fewer than 4 points, points that are not finite, all in one place or on
/// one line; a given noise that is larger than the spread of the points.
///
/// # Reference
/// J. K. Knight (2008), (220) to (223); weights and self-calibration are ours.
pub fn sphere_many<'a, M>(markers: &[M], method: ManyMethod) -> Result<ManyFit>
where
    M: Into<Points<'a>> + Copy,
{
    if markers.is_empty() {
        return Err(Error::argument("markers: need at least 1, got 0"));
    }
    let markers: Vec<Points> = markers.iter().map(|marker| (*marker).into()).collect();
    let mut shapes = Vec::with_capacity(markers.len());
    for points in &markers {
        let shape = Shape::from(&input::as_they_are(points.axes, 4)?);
        shapes.push(input::spread_out(&shape)?);
    }
    let pooled = Pooled::of(&shapes)?;
    let across = pooled.across(&markers);
    let (verdict, shortfall, flat) = judge(&pooled.shown(), &across, || {
        let flat = Flat::of(&markers, &pooled);
        let shown = flat.as_ref().map_or(NOTHING, |flat| flat.pooled.shown());
        (flat, shown)
    });
    let mut fit = match (verdict, flat) {
        (Verdict::Hinge, Some(flat)) => flat?.fit(&pooled, method)?,
        _ => pooled.fit(&shapes, method)?,
    };
    (fit.evidence.verdict, fit.evidence.shortfall) = (verdict, shortfall);
    Ok(fit)
}

/// What markers show whose plane says nothing.
const NOTHING: Shown =
    Shown { n: 0.0, eta: 0.0, excess: 0.0, floor: 0.0, error: f64::INFINITY, radius: 0.0 };

/// The centre by a method, and the noise variance taken off in it.
fn centre_by<const D: usize>(
    pooled: &Pooled<D>,
    shapes: &[Shape<D>],
    method: ManyMethod,
) -> Result<(SVector<f64, D>, f64)> {
    let sigma = match method {
        ManyMethod::SelfCalibrated => return Ok((pooled.centre, pooled.eta)),
        ManyMethod::Plain => 0.0,
        ManyMethod::Unbiased { sigma } => sigma,
    };
    // (220) and (222) divide by N - 1, the shapes by N.
    let unbiased: Vec<f64> = shapes.iter().map(|shape| shape.n / (shape.n - 1.0)).collect();
    let spectrum = mean_spread(shapes, &unbiased);
    let total: f64 = unbiased.iter().sum();
    let scale = total / shapes.len() as f64;
    let eta = sigma * sigma / scale;
    // A plane, where no noise is to be taken off, is left out as in (217).
    if eta.is_nan() || eta > 0.9 * spectrum.values[0] + pooled.floor {
        return Err(too_much_noise(spectrum.values[0] * scale, sigma));
    }
    Ok((solve(shapes, &unbiased, eta, (&pooled.origin, &spectrum)), eta))
}

/// How each marker agrees with a centre, and its radius about it.
fn about<const D: usize>(
    shapes: &[Shape<D>],
    centre: &SVector<f64, D>,
    eta: f64,
) -> (Vec<Agreement>, Vec<f64>) {
    let radius = |shape: &Shape<D>| {
        (shape.z - D as f64 * eta + (centre - shape.mean).norm_squared()).max(0.0).sqrt()
    };
    let agreement = |shape| Agreement::of(shape, centre);
    (shapes.iter().map(agreement).collect(), shapes.iter().map(radius).collect())
}

fn samples<const D: usize>(shapes: &[Shape<D>]) -> usize {
    shapes.iter().map(|shape| shape.samples).sum()
}

impl Pooled<3> {
    /// How the markers spread along the normal of their planes.
    fn across(&self, markers: &[Points]) -> Across {
        let normal: Vector3<f64> = self.spectrum.vector(0);
        let (mut noise, mut total) = (0.0, 0.0);
        for (points, w) in markers.iter().zip(&self.weights) {
            noise += points.noise.map_or(0.0, |noise| w * normal.dot(&(noise * normal)));
            total += w;
        }
        Across { spread: self.spectrum.values[0].max(0.0), noise: noise / total, floor: self.floor }
    }

    fn fit(&self, shapes: &[Shape<3>], method: ManyMethod) -> Result<ManyFit> {
        let (centre, eta) = centre_by(self, shapes, method)?;
        let (agreements, radii) = about(shapes, &centre, eta);
        let evidence = self.evidence(samples(shapes), self.covariance(&agreements));
        let disagreement = agreement::inflation::<3>(&agreements);
        let centre = Point3::from(centre);
        Ok(ManyFit { method, centre, radii, agreements, disagreement, evidence })
    }
}

/// The markers in the plane of the hinge.
struct Flat {
    pooled: Pooled<2>,
    shapes: Vec<Shape<2>>,
    along: Matrix3x2<f64>,
}

impl Flat {
    fn of(markers: &[Points], space: &Pooled<3>) -> Result<Self> {
        let (u, w) = (space.spectrum.vector(2), space.spectrum.vector(1));
        let flat = |points: &Points| projected(points.axes, &space.origin, [&u, &w]);
        let shapes: Vec<Shape<2>> =
            markers.iter().map(|points| Shape::from(&flat(points))).collect();
        let pooled = Pooled::of(&shapes)?;
        Ok(Self { pooled, shapes, along: Matrix3x2::from_columns(&[u, w]) })
    }

    /// What the plane says, instead of what a sphere would.
    fn fit(&self, space: &Pooled<3>, method: ManyMethod) -> Result<ManyFit> {
        let (centre, eta) = centre_by(&self.pooled, &self.shapes, method)?;
        let (agreements, radii) = about(&self.shapes, &centre, eta);
        let offset = self.along * centre;
        let in_plane = self.pooled.covariance(&agreements);
        let covariance = self.along * in_plane * self.along.transpose()
            + plane_position(&space.spectrum, space.n, &offset);
        let mut evidence = self.pooled.evidence(samples(&self.shapes), covariance);
        evidence.axis = Some(normal_of(&space.spectrum, space.n));
        let centre = Point3::from(space.origin + offset);
        let disagreement = agreement::inflation::<2>(&agreements);
        Ok(ManyFit { method, centre, radii, agreements, disagreement, evidence })
    }
}
