//! Turns between directions.

use nalgebra::{UnitQuaternion, Vector3};

/// A unit vector across another.
pub(super) fn across(along: &Vector3<f64>) -> Vector3<f64> {
    let other = if along.x.abs() < 0.6 * along.norm() { Vector3::x() } else { Vector3::y() };
    along.cross(&other).try_normalize(1e-300).unwrap_or_else(Vector3::x)
}

/// The shortest turn from one direction to another.
pub(super) fn turn_between(from: &Vector3<f64>, to: &Vector3<f64>) -> UnitQuaternion<f64> {
    let scale = from.norm() * to.norm();
    let w = scale + from.dot(to);
    let xyz = from.cross(to);
    if w < 1e-12 * scale || scale == 0.0 {
        // Opposite: half a turn about anything across; without a direction, none.
        if scale == 0.0 {
            return UnitQuaternion::identity();
        }
        let axis = across(from);
        return UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(
            0.0, axis.x, axis.y, axis.z,
        ));
    }
    UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, xyz.x, xyz.y, xyz.z))
}
