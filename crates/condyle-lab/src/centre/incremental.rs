//! Centres while the points come in: IGDK.

use condyle::centre::{Method, Moments, SphereFit, Verdict, sphere_from_moments};
use nalgebra::{Matrix3, Point3, Vector3};

use super::{is_solid, is_usable};

/// Points in one by one, an answer at any time, in constant memory.
///
/// The raw moments are what is kept; whatever noise is taken off is taken off when an answer is
/// wanted. So the answer is that of all points at once, for any method that needs only moments.
#[derive(Debug, Clone, Copy, Default)]
pub struct Incremental {
    moments: Moments<3>,
    last: Option<Vector3<f64>>,
    average: Vector3<f64>,
    answers: f64,
    calm: usize,
}

/// So many answers in a row must agree before the centre counts as found.
const CALM_ANSWERS: usize = 10;

impl Incremental {
    /// Adds a point; whether it was of use.
    pub fn push(&mut self, point: &Point3<f64>) -> bool {
        if is_usable(point) {
            self.moments.push(&point.coords);
        }
        is_usable(point)
    }

    /// The moments so far.
    pub fn moments(&self) -> &Moments<3> {
        &self.moments
    }

    /// The answer so far.
    ///
    /// # Errors
    /// As [`sphere_from_moments`].
    pub fn fit(&self, method: Method) -> condyle::Result<SphereFit> {
        sphere_from_moments(&self.moments, method)
    }

    /// Adds a point and says whether the centre has come to rest within `tolerance` radii.
    ///
    /// It has when for ten points in a row the error that the covariance predicts, the last step
    /// and the distance to the average answer are below that. Answers whose predicted error is
    /// above it do not count towards the average: the first few can be anywhere.
    pub fn push_until(&mut self, point: &Point3<f64>, tolerance: f64) -> bool {
        self.push(point);
        let fit = self.fit(Method::ScGdk).ok();
        let sure = fit.filter(|fit| {
            fit.verdict != Verdict::Insufficient && fit.standard_error() < tolerance * fit.radius
        });
        let Some(fit) = sure else {
            (self.last, self.answers, self.calm) = (None, 0.0, 0);
            return false;
        };
        let (centre, near) = (fit.centre.coords, tolerance * fit.radius);
        self.answers += 1.0;
        self.average += (centre - self.average) / self.answers;
        let is_calm = self.last.is_some_and(|last| (centre - last).norm() < near)
            && (centre - self.average).norm() < near;
        self.last = Some(centre);
        self.calm = if is_calm { self.calm + 1 } else { 0 };
        self.calm >= CALM_ANSWERS
    }
}

/// The biased IGDK of the thesis, its recurrences made exact: the centre itself is carried along.
///
/// # Method
/// With δ = a - x̄_{n+1}, b = C_n⁻¹δ: C⁻¹_{n+1} = n/(n-1) [C_n⁻¹ - b bᵀ/(n(n-1)/(n+1) + δᵀb)], which (229) prints
/// with the wrong sign, and c_{n+1} = c_n + C⁻¹_{n+1} δ (|a - c_n|² - r_n²)/(2n), which the thesis's program
/// only approximates.
///
/// # Reference
/// J. K. Knight (2008), (224) to (232).
#[derive(Debug, Clone, Copy)]
pub struct Recurrence {
    n: f64,
    mean: Vector3<f64>,
    /// Σ |d|² / n.
    mean_square: f64,
    inverse: Matrix3<f64>,
    centre: Vector3<f64>,
}

impl Recurrence {
    /// Starts from points taken together; `None` unless there are 4, and not in one plane.
    pub fn from_start(start: &Moments<3>) -> Option<Self> {
        let n = start.samples as f64;
        let inverse = start.covariance().try_inverse().filter(|_| is_solid(start))?;
        let centre = start.mean + inverse * start.third() * 0.5;
        let mean_square = start.a.trace() / n;
        Some(Self { n, mean: start.mean, mean_square, inverse, centre })
    }

    /// Adds a point, unless it would spoil all that came before it.
    pub fn push(&mut self, point: &Point3<f64>) {
        if !is_usable(point) {
            return;
        }
        let n = self.n;
        let a = point.coords;
        let excess = (a - self.centre).norm_squared() - self.radius().powi(2);
        let mean = self.mean + (a - self.mean) / (n + 1.0);
        let delta = a - mean;
        let b = self.inverse * delta;
        let denominator = n * (n - 1.0) / (n + 1.0) + delta.dot(&b);
        self.inverse = (self.inverse - b * b.transpose() / denominator) * (n / (n - 1.0));
        self.centre += self.inverse * delta * (excess / (2.0 * n));
        self.mean_square =
            (n * self.mean_square + (n + 1.0) / n * delta.norm_squared()) / (n + 1.0);
        self.mean = mean;
        self.n = n + 1.0;
    }

    /// The centre.
    pub fn centre(&self) -> Point3<f64> {
        Point3::from(self.centre)
    }

    /// The radius, (75).
    pub fn radius(&self) -> f64 {
        (self.mean_square + (self.centre - self.mean).norm_squared()).sqrt()
    }
}
