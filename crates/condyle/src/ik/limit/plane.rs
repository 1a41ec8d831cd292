//! Directions as points of a plane: the distance from the origin is the angle to z.

use nalgebra::{Vector2, Vector3};

/// The point of a unit direction in radians: its azimuth kept, its angle to z as the distance.
///
/// # Method
/// The azimuthal equidistant map (x, y) · θ/sin θ with θ = atan2(√(x²+y²), z). Unlike a
/// projection on the plane z = 1 it holds every direction but -z.
pub(super) fn point_of(direction: &Vector3<f64>) -> Vector2<f64> {
    let across = direction.x.hypot(direction.y);
    let polar = across.atan2(direction.z);
    if across < 1e-300 {
        return Vector2::new(polar, 0.0);
    }
    direction.xy() * (polar / across)
}

/// The unit direction of a point.
pub(super) fn direction_of(point: &Vector2<f64>) -> Vector3<f64> {
    let polar = point.norm();
    if polar < 1e-300 {
        return Vector3::z();
    }
    let (sin, cos) = polar.sin_cos();
    let across = point * (sin / polar);
    Vector3::new(across.x, across.y, cos)
}
