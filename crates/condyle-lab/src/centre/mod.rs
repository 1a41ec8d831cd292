//! Centres of rotation that the laboratory compares with those of the library, and the least error that
//! any could make.

pub mod bound;
mod incremental;
pub mod known_sphere;
pub mod linear;
pub mod peers;
mod tracker;

pub use incremental::{Incremental, Recurrence};
pub use tracker::Tracker;

use condyle::centre::{Moments, Spectrum};
use nalgebra::Point3;

/// Whether a point would not spoil all that came before it.
fn is_usable(point: &Point3<f64>) -> bool {
    point.iter().all(|v| v.abs() < 1e60)
}

/// Whether there are four points or more, finite and not in one plane.
fn is_solid(moments: &Moments<3>) -> bool {
    let resolution = f64::EPSILON * moments.mean.amax();
    let n = moments.samples as f64;
    let [least, _, largest] = Spectrum::new(&(moments.a / n)).values;
    let floor = 32.0 * f64::EPSILON * largest + 4.0 * resolution * resolution;
    moments.samples >= 4 && least > floor && (1e-120..1e120).contains(&largest)
}

#[cfg(test)]
mod tests;
