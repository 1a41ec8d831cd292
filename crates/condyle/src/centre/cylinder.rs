//! A cylinder about a known direction: several arcs of one hinge at different heights.

use nalgebra::{Matrix3x2, Point3, Unit, Vector3};

use super::circle::projected;
use super::input::{self, undetermined};
use super::noise_root::{noise_root, self_calibrated};
use super::shape::Shape;
use crate::error::Result;

/// A cylinder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CylinderFit {
    /// The point of the axis nearest to the mean of the points.
    pub point: Point3<f64>,
    /// The direction of the axis.
    pub direction: Unit<Vector3<f64>>,
    /// The radius.
    pub radius: f64,
    /// The noise across the axis, one standard deviation an axis.
    pub sigma: f64,
    /// The standard error of the axis' position, root mean square.
    pub standard_error: f64,
    /// How many points were used.
    pub samples: usize,
}

/// Fits a cylinder whose direction is known, from the normals of arcs or from rotations.
///
/// # Method
/// The points are projected along the direction; SC-GDK with D = 2 does the rest.
///
/// # Errors
/// Fewer than 4 points; points that are not finite or, seen along the axis, on one line.
///
/// # Reference
/// J. K. Knight (2005), 2.1, claims it without a formula; the projection is ours.
pub fn cylinder(points: [&[f64]; 3], direction: Unit<Vector3<f64>>) -> Result<CylinderFit> {
    let scaled = input::scaled(points, 4)?;
    let mean = scaled.moments().mean;
    let u = direction.cross(&Vector3::ith(direction.iamin(), 1.0)).normalize();
    let w = direction.cross(&u);
    let flat = Shape::from(&projected(scaled.points(), &mean, [&u, &w]));
    if flat.spectrum.values[0].is_nan() || flat.spectrum.values[0] <= flat.floor {
        return Err(undetermined("points: need an arc about the axis, got a straight line"));
    }
    let eta = noise_root(&flat, self_calibrated::<2>());
    let offset = flat.offset(eta);
    let radius = (flat.z - 2.0 * eta + offset.norm_squared()).max(0.0).sqrt();
    let variance = eta * flat.redundancy();
    let error = flat.inverse(eta).trace() * variance * radius * radius / flat.n;
    let along = Matrix3x2::from_columns(&[u, w]);
    Ok(CylinderFit {
        point: Point3::from((mean + along * (flat.mean + offset)) * scaled.unit),
        direction,
        radius: radius * scaled.unit,
        sigma: variance.sqrt() * scaled.unit,
        standard_error: error.max(0.0).sqrt() * scaled.unit,
        samples: flat.samples,
    })
}
