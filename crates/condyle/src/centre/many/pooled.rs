//! The self-calibrated centre of several markers, in space or in the plane of a hinge.

use nalgebra::{Matrix3, SMatrix, SVector};

use super::agreement::{self, Agreement};
use crate::centre::acceptance::{circle_coverage_rad, sphere_coverage_rad};
use crate::centre::fit::{Acceptance, Evidence, Verdict};
use crate::centre::shape::Shape;
use crate::centre::spectrum::Spectrum;
use crate::centre::verdict::Shown;
use crate::error::{Error, Result};

/// The self-calibrated centre of several markers in D dimensions.
pub(super) struct Pooled<const D: usize> {
    /// Σ N_p.
    pub n: f64,
    pub weights: Vec<f64>,
    pub eta: f64,
    /// The mean of the markers' means.
    pub origin: SVector<f64, D>,
    pub centre: SVector<f64, D>,
    pub radii: Vec<f64>,
    /// Of Σ w C / Σ w.
    pub spectrum: Spectrum<D>,
    pub floor: f64,
}

/// Σ w_p (C_p - ηI), with the centre that follows, about an origin.
pub(super) fn solve<const D: usize>(
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

pub(super) fn mean_spread<const D: usize>(shapes: &[Shape<D>], weights: &[f64]) -> Spectrum<D> {
    let total: f64 = weights.iter().sum();
    let mut c = SMatrix::zeros();
    for (shape, w) in shapes.iter().zip(weights) {
        c += shape.c * (w / total);
    }
    Spectrum::new(&c)
}

impl<const D: usize> Pooled<D> {
    pub fn of(shapes: &[Shape<D>]) -> Result<Self> {
        let origin =
            shapes.iter().map(|shape| shape.mean).sum::<SVector<f64, D>>() / shapes.len() as f64;
        if shapes.iter().any(|shape| shape.z <= 16.0 * (f64::EPSILON * shape.mean.amax()).powi(2)) {
            return Err(Error::undetermined(
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
            spectrum: Spectrum::new(&SMatrix::zeros()),
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

    /// σ² [Σ N_p (C_p - ηI)/r_p²]⁻¹; the square of the mean radius where there is no spread. Where the
    /// markers do not agree it is as much larger as they are further apart than they should be.
    pub fn covariance(&self, agreements: &[Agreement]) -> SMatrix<f64, D, D> {
        let total: f64 = self.weights.iter().sum();
        let factor = self.variance() / total * agreement::inflation::<D>(agreements);
        let mut covariance = SMatrix::zeros();
        for (i, value) in self.spectrum.values.iter().enumerate() {
            let gap = value - self.eta;
            let v = self.spectrum.vector(i);
            let variance = if gap > self.floor { factor / gap } else { self.mean_radius().powi(2) };
            covariance += v * v.transpose() * variance;
        }
        covariance
    }

    fn excess(&self) -> f64 {
        (self.spectrum.values[0] - self.eta).max(0.0)
    }

    /// The evidence but for the verdict, which takes more than one pool to tell.
    pub fn evidence(&self, samples: usize, covariance: Matrix3<f64>) -> Evidence {
        let mean_square = self.radii.iter().map(|r| r * r).sum::<f64>() / self.radii.len() as f64;
        let spread = self.excess() / mean_square;
        let noise_ratio = self.eta / self.excess();
        Evidence {
            sigma: self.variance().sqrt(),
            covariance,
            samples,
            smallest_eigenvalue: self.excess(),
            coverage_rad: match D {
                2 => circle_coverage_rad(spread),
                _ => sphere_coverage_rad(spread),
            },
            noise_ratio,
            acceptance: Acceptance::of(noise_ratio),
            verdict: Verdict::Insufficient,
            shortfall: None,
            axis: None,
        }
    }

    fn mean_radius(&self) -> f64 {
        self.radii.iter().sum::<f64>() / self.radii.len() as f64
    }

    /// What the markers together show.
    pub fn shown(&self) -> Shown {
        let total: f64 = self.weights.iter().sum();
        Shown {
            n: self.n,
            eta: self.eta,
            excess: self.excess(),
            floor: self.floor,
            error: (self.variance() / (total * self.excess())).sqrt(),
            radius: self.mean_radius(),
        }
    }
}
