//! On which side things are, exactly.

use nalgebra::Point3;
use robust::{Coord, Coord3D};

fn coord(p: &Point3<f64>) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

/// Six times the volume of a tetrahedron, up to rounding; its sign is exact. Positive where d sees a, b, c
/// counter-clockwise turned away: a right-handed tetrahedron.
pub(super) fn volume6(a: &Point3<f64>, b: &Point3<f64>, c: &Point3<f64>, d: &Point3<f64>) -> f64 {
    -robust::orient3d(coord(a), coord(b), coord(c), coord(d))
}

/// Positive where a point is within the sphere through the corners of a right-handed tetrahedron; its sign is exact.
pub(super) fn in_sphere([a, b, c, d]: [&Point3<f64>; 4], p: &Point3<f64>) -> f64 {
    -robust::insphere(coord(a), coord(b), coord(c), coord(d), coord(p))
}

/// Twice the area of a triangle in the plane across an axis; its sign is exact.
pub(super) fn area2(axis: usize, points: [&Point3<f64>; 3]) -> f64 {
    let flat = |p: &Point3<f64>| Coord { x: p[(axis + 1) % 3], y: p[(axis + 2) % 3] };
    robust::orient2d(flat(points[0]), flat(points[1]), flat(points[2]))
}
