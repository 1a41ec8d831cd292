//! The points of one marker, and what is known of their noise.

use nalgebra::Matrix3;

/// Points that rotate, one contiguous slice an axis.
#[derive(Debug, Clone, Copy)]
pub struct Points<'a> {
    /// x, y and z.
    pub axes: [&'a [f64]; 3],
    /// The covariance of noise that is there for certain, in the square of the points' unit: what
    /// it explains is not taken for motion. `rigid::Cluster::noise_of` gives it for points in the
    /// frame of a segment, whose own pose errs the more the further they are from it.
    pub noise: Option<Matrix3<f64>>,
}

impl<'a> From<[&'a [f64]; 3]> for Points<'a> {
    fn from(axes: [&'a [f64]; 3]) -> Self {
        Self { axes, noise: None }
    }
}
