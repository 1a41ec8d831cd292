//! Several markers around one centre: MGDK.

use std::ops::Deref;

use nalgebra::{Matrix3, Matrix3x2, Point3, SMatrix, SVector, Vector3};

use super::acceptance::{circle_coverage_rad, sphere_coverage_rad};
use super::circle::{MAX_RELATIVE_ERROR, SIGNIFICANCE, projected};
use super::fit::{Acceptance, Evidence, HingeAxis, Verdict};
use super::input::{self, undetermined};
use super::shape::Shape;
use super::spectrum::Spectrum;
use crate::error::{ErrorKind, Result};

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
    /// How sure that is; the spread is the weighted mean of the markers'.
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
/// the same is done in the plane, and the centre is put midway between the arcs along the axis.
///
/// # Errors
/// No marker; a marker with fewer than 4 points or points that are not finite; no motion at all.
///
/// # Reference
/// J. K. Knight (2008), (220) to (223); weights and self-calibration are ours.
pub fn sphere_many(markers: &[[&[f64]; 3]], method: ManyMethod) -> Result<ManyFit> {
    if markers.is_empty() {
        return Err(ErrorKind::Argument("markers: need at least 1, got 0".into()).into());
    }
    let mut shapes = Vec::with_capacity(markers.len());
    for points in markers {
        shapes.push(Shape::from(&input::as_they_are(*points, 4)?));
    }
    let pooled = Pooled::of(&shapes)?;
    let (verdict, flat) = judge(markers, &shapes, &pooled)?;
    let mut fit = pooled.fit(&shapes, method, verdict);
    if let (Verdict::Hinge, Some(flat)) = (verdict, flat) {
        flat.onto(&mut fit, &pooled, method);
    }
    Ok(fit)
}

/// The self-calibrated centre of several markers in D dimensions.
struct Pooled<const D: usize> {
    /// Σ N_p.
    n: f64,
    weights: Vec<f64>,
    eta: f64,
    /// The mean of the markers' means.
    origin: SVector<f64, D>,
    centre: SVector<f64, D>,
    radii: Vec<f64>,
    /// Of Σ w C / Σ w.
    spectrum: Spectrum<D>,
    floor: f64,
}

/// Σ w_p (C_p - ηI), with the centre that follows, about an origin.
fn solve<const D: usize>(
    shapes: &[Shape<D>],
    weights: &[f64],
    eta: f64,
    (origin, spectrum): (&SVector<f64, D>, &Spectrum<D>),
) -> SVector<f64, D> {
    let total: f64 = weights.iter().sum();
    let mut right = SVector::<f64, D>::zeros();
    for (shape, w) in shapes.iter().zip(weights) {
        let m = shape.mean - origin;
        right += (shape.c * m - m * eta + shape.s * 0.5) * (w / total);
    }
    let mut offset = SVector::zeros();
    for (i, value) in spectrum.values.iter().enumerate() {
        let v = spectrum.vector(i);
        let gap = value - eta;
        if gap > 32.0 * f64::EPSILON * spectrum.values[D - 1] {
            offset += v * (v.dot(&right) / gap);
        }
    }
    origin + offset
}

fn mean_spread<const D: usize>(shapes: &[Shape<D>], weights: &[f64]) -> Spectrum<D> {
    let total: f64 = weights.iter().sum();
    let mut c = SMatrix::zeros();
    for (shape, w) in shapes.iter().zip(weights) {
        c += shape.c * (w / total);
    }
    Spectrum::of(&c)
}

impl<const D: usize> Pooled<D> {
    fn of(shapes: &[Shape<D>]) -> Result<Self> {
        let origin =
            shapes.iter().map(|shape| shape.mean).sum::<SVector<f64, D>>() / shapes.len() as f64;
        if shapes.iter().any(|shape| shape.z <= 16.0 * (f64::EPSILON * shape.mean.amax()).powi(2)) {
            return Err(undetermined(
                "points: need a motion, got a marker that stays in one place",
            ));
        }
        let first: Vec<f64> = shapes.iter().map(|shape| shape.n / shape.z).collect();
        let mut pooled = Self {
            n: shapes.iter().map(|shape| shape.n).sum(),
            weights: first,
            eta: 0.0,
            origin,
            centre: origin,
            radii: Vec::new(),
            spectrum: Spectrum::of(&SMatrix::zeros()),
            floor: 0.0,
        };
        pooled.settle(shapes);
        // The radii are known now, and with them how much each marker should count.
        let radii = shapes.iter().zip(&pooled.radii);
        pooled.weights = radii.map(|(shape, r)| shape.n / (r * r).max(1e-3 * shape.z)).collect();
        pooled.settle(shapes);
        Ok(pooled)
    }

    fn settle(&mut self, shapes: &[Shape<D>]) {
        self.spectrum = mean_spread(shapes, &self.weights);
        self.floor = shapes.iter().map(|shape| shape.floor).fold(0.0, f64::max);
        self.eta = self.noise_root(shapes);
        self.centre = self.solve(shapes, self.eta);
        self.radii = shapes
            .iter()
            .map(|shape| {
                let square = (self.centre - shape.mean).norm_squared();
                (shape.z - D as f64 * self.eta + square).max(0.0).sqrt()
            })
            .collect();
    }

    fn solve(&self, shapes: &[Shape<D>], eta: f64) -> SVector<f64, D> {
        solve(shapes, &self.weights, eta, (&self.origin, &self.spectrum))
    }

    fn noise_root(&self, shapes: &[Shape<D>]) -> f64 {
        let d = D as f64;
        let f = |eta: f64| -> f64 {
            let centre = self.solve(shapes, eta);
            let markers = shapes.iter().zip(&self.weights);
            markers
                .map(|(shape, w)| {
                    let delta = centre - shape.mean;
                    let square = shape.z - d * eta + delta.norm_squared();
                    let spread =
                        shape.v - 4.0 * delta.dot(&shape.s) + 4.0 * delta.dot(&(shape.c * delta));
                    w * (spread - 4.0 * eta * square - 2.0 * d * eta * eta)
                })
                .sum()
        };
        let (mut low, mut high) = (0.0, self.spectrum.values[0] - self.floor);
        if high <= 0.0 || f(0.0) <= 0.0 {
            return 0.0;
        }
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if f(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
            if high - low <= 4.0 * f64::EPSILON * high {
                break;
            }
        }
        0.5 * (low + high)
    }

    /// σ²: η with what the D + P fitted parameters took given back.
    fn variance(&self) -> f64 {
        let left = self.n - (D + self.radii.len()) as f64;
        if left > 0.0 { self.eta * self.n / left } else { 0.0 }
    }

    /// σ² [Σ N_p (C_p - ηI)/r_p²]⁻¹.
    fn covariance(&self) -> SMatrix<f64, D, D> {
        let total: f64 = self.weights.iter().sum();
        let mut inverse = SMatrix::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            let gap = value - self.eta;
            if gap > self.floor {
                let v = self.spectrum.vector(i);
                inverse += v * v.transpose() * (self.variance() / (total * gap));
            }
        }
        inverse
    }

    fn excess(&self) -> f64 {
        (self.spectrum.values[0] - self.eta).max(0.0)
    }

    fn evidence(
        &self,
        shapes: &[Shape<D>],
        covariance: Matrix3<f64>,
        (verdict, axis): (Verdict, Option<HingeAxis>),
    ) -> Evidence {
        let mean_square = self.radii.iter().map(|r| r * r).sum::<f64>() / self.radii.len() as f64;
        let spread = self.excess() / mean_square;
        let noise_ratio = self.eta / self.excess();
        Evidence {
            sigma: self.variance().sqrt(),
            covariance,
            samples: shapes.iter().map(|shape| shape.samples).sum(),
            smallest_eigenvalue: self.excess(),
            coverage_rad: match D {
                2 => circle_coverage_rad(spread),
                _ => sphere_coverage_rad(spread),
            },
            noise_ratio,
            acceptance: Acceptance::of(noise_ratio),
            verdict,
            axis,
        }
    }

    fn mean_radius(&self) -> f64 {
        self.radii.iter().sum::<f64>() / self.radii.len() as f64
    }

    fn is_determined(&self) -> bool {
        let worst = Spectrum::of(&self.covariance()).values[D - 1].max(0.0).sqrt();
        self.excess() > SIGNIFICANCE * self.eta * (2.0 / self.n).sqrt() + self.floor
            && worst < MAX_RELATIVE_ERROR * self.mean_radius()
    }
}

/// The markers in the plane of the hinge.
struct Flat {
    pooled: Pooled<2>,
    shapes: Vec<Shape<2>>,
    along: Matrix3x2<f64>,
}

fn judge(
    markers: &[[&[f64]; 3]],
    shapes: &[Shape<3>],
    pooled: &Pooled<3>,
) -> Result<(Verdict, Option<Flat>)> {
    if pooled.is_determined() {
        return Ok((Verdict::Ball, None));
    }
    let (u, w) = (pooled.spectrum.vector(2), pooled.spectrum.vector(1));
    if pooled.spectrum.values[1] <= pooled.floor {
        return Err(undetermined("points: need arcs or surfaces, got straight lines"));
    }
    let flat: Vec<Shape<2>> = markers
        .iter()
        .map(|points| Shape::from(&projected(*points, &pooled.origin, [&u, &w])))
        .collect();
    let in_plane = Pooled::of(&flat)?;
    let least = in_plane.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let is_round = in_plane.eta <= (0.2 * least).powi(2);
    let across = pooled.spectrum.values[0];
    let is_flat = across <= shapes[0].floor || in_plane.eta <= 9.0 * across;
    let is_hinge = in_plane.is_determined() && is_round && is_flat;
    let verdict = if is_hinge { Verdict::Hinge } else { Verdict::Insufficient };
    let along = Matrix3x2::from_columns(&[u, w]);
    Ok((verdict, Some(Flat { pooled: in_plane, shapes: flat, along })))
}

/// The centre by a method, and the noise variance taken off in it.
fn centre_by<const D: usize>(
    pooled: &Pooled<D>,
    shapes: &[Shape<D>],
    method: ManyMethod,
) -> (SVector<f64, D>, f64) {
    let sigma = match method {
        ManyMethod::SelfCalibrated => return (pooled.centre, pooled.eta),
        ManyMethod::Plain => 0.0,
        ManyMethod::Unbiased { sigma } => sigma,
    };
    // (220) and (222) divide by N - 1, the shapes by N.
    let unbiased: Vec<f64> = shapes.iter().map(|shape| shape.n / (shape.n - 1.0)).collect();
    let spectrum = mean_spread(shapes, &unbiased);
    let total: f64 = unbiased.iter().sum();
    let eta = sigma * sigma * shapes.len() as f64 / total;
    (solve(shapes, &unbiased, eta, (&pooled.origin, &spectrum)), eta)
}

impl Pooled<3> {
    fn fit(&self, shapes: &[Shape<3>], method: ManyMethod, verdict: Verdict) -> ManyFit {
        let (centre, eta) = centre_by(self, shapes, method);
        let radius = |shape: &Shape<3>| {
            (shape.z - 3.0 * eta + (centre - shape.mean).norm_squared()).max(0.0).sqrt()
        };
        ManyFit {
            method,
            centre: Point3::from(centre),
            radii: shapes.iter().map(radius).collect(),
            evidence: self.evidence(shapes, self.covariance(), (verdict, None)),
        }
    }
}

impl Flat {
    /// Replaces what a sphere said by what the plane says.
    fn onto(&self, fit: &mut ManyFit, space: &Pooled<3>, method: ManyMethod) {
        let flat = &self.pooled;
        let (centre, _) = centre_by(flat, &self.shapes, method);
        let normal: Vector3<f64> = space.spectrum.vector(0);
        let normal = if normal[normal.iamax()] < 0.0 { -normal } else { normal };
        let across = space.spectrum.values[0].max(0.0);
        let tilt: f64 = space.spectrum.values[1..]
            .iter()
            .map(|other| other * across / (space.n * (other - across).powi(2)))
            .sum();
        fit.centre = Point3::from(space.origin + self.along * centre);
        fit.radii = self
            .shapes
            .iter()
            .map(|s| (s.z - 2.0 * flat.eta + (centre - s.mean).norm_squared()).max(0.0).sqrt())
            .collect();
        let covariance = self.along * flat.covariance() * self.along.transpose()
            + normal * normal.transpose() * (across / space.n);
        let axis = HingeAxis {
            direction: nalgebra::Unit::new_normalize(normal),
            standard_error_rad: tilt.sqrt().min(std::f64::consts::FRAC_PI_2),
        };
        fit.evidence = flat.evidence(&self.shapes, covariance, (fit.verdict, Some(axis)));
    }
}
