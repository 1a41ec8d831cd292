//! A centre that may drift, followed point by point: a Kalman filter that does not diverge.

use condyle::centre::Moments;
use nalgebra::{Matrix4, Point3, Vector3, Vector4};

use super::{is_solid, is_usable};

/// Follows a centre of rotation, fixed or drifting.
///
/// # Method
/// The state (c, k = r² - |c|²) meets every point linearly: |p|² = 2pᵀc + k, with variance
/// R = 4r²σ² + 2Dσ⁴. Nothing is linearised, so nothing diverges. Without drift it is recursive least
/// squares and equals GDKE; with drift the centre walks by `drift` an axis and point, and k follows
/// it by -2cᵀ so that the radius stays.
///
/// # Reference
/// J. K. Knight (2005), 8.8, whose filter was abandoned (its gain lacks R); this one is ours.
#[derive(Debug, Clone, Copy)]
pub struct Tracker {
    /// Coordinates are taken from here, so that squares stay small.
    origin: Vector3<f64>,
    /// (c, k) about the origin.
    state: Vector4<f64>,
    covariance: Matrix4<f64>,
    /// R.
    measurement: f64,
    /// Standard deviation of the centre's walk, an axis and point.
    drift: f64,
}

impl Tracker {
    /// Starts from points taken together, with the noise of the points and the drift of the centre
    /// a point; no drift makes it recursive least squares.
    ///
    /// `None` for fewer than 4 points to start from, points that are not finite or in a plane, and a
    /// noise or a drift that is not a number from 0 up.
    pub fn from_start(start: [&[f64]; 3], sigma: f64, drift: f64) -> Option<Self> {
        let moments = Moments::<3>::from_points(start);
        let is_known = |value: f64| value.is_finite() && value >= 0.0;
        if !(is_solid(&moments) && is_known(sigma) && is_known(drift)) {
            return None;
        }
        let inverse = moments.a.try_inverse()?;
        let n = moments.samples as f64;
        let offset = inverse * moments.t * 0.5;
        let k = moments.a.trace() / n;
        // The information of the rows [2dᵀ, 1] about the mean, whose cross terms vanish.
        let mut information = Matrix4::zeros();
        information.fixed_view_mut::<3, 3>(0, 0).copy_from(&(moments.a * 4.0));
        information[(3, 3)] = n;
        let r2 = k + offset.norm_squared();
        let measurement = 4.0 * r2 * sigma * sigma + 6.0 * sigma.powi(4);
        // The scale of R does not matter without drift; it must not be zero.
        let measurement = if measurement > 0.0 { measurement } else { r2 * r2 * f64::EPSILON };
        let covariance = information.try_inverse()? * measurement;
        let state = offset.push(k);
        Some(Self { origin: moments.mean, state, covariance, measurement, drift })
    }

    /// Takes in a point, unless it would spoil all that came before it.
    pub fn push(&mut self, point: &Point3<f64>) {
        if !is_usable(point) {
            return;
        }
        let p = point.coords - self.origin;
        if self.drift > 0.0 {
            let c = self.state.xyz();
            let mut walk = nalgebra::Matrix4x3::zeros();
            walk.fixed_view_mut::<3, 3>(0, 0).fill_with_identity();
            walk.fixed_view_mut::<1, 3>(3, 0).copy_from(&(c.transpose() * -2.0));
            self.covariance += walk * walk.transpose() * (self.drift * self.drift);
        }
        let h = (p * 2.0).push(1.0);
        let innovation = p.norm_squared() - h.dot(&self.state);
        let ph = self.covariance * h;
        let gain = ph / (h.dot(&ph) + self.measurement);
        self.state += gain * innovation;
        // Joseph's form keeps the covariance symmetric and positive.
        let keep = Matrix4::identity() - gain * h.transpose();
        self.covariance =
            keep * self.covariance * keep.transpose() + gain * gain.transpose() * self.measurement;
    }

    /// The centre.
    pub fn centre(&self) -> Point3<f64> {
        Point3::from(self.origin + self.state.xyz())
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        (self.state.w + self.state.xyz().norm_squared()).max(0.0).sqrt()
    }
}
