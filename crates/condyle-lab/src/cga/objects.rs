//! Points, lines, planes, circles, spheres, and what moves them.

use nalgebra::{Point3, Unit, Vector3};

use super::Multivector;

const N: Multivector = Multivector::INFINITY;

/// X = ½(x²n + 2x - n̄), a null vector with X·n = -1 (2.42).
pub fn point(x: &Point3<f64>) -> Multivector {
    let square = x.coords.norm_squared();
    euclidean(&x.coords) + (N * square - Multivector::ORIGIN) * 0.5
}

/// The place of a point of any scale; not finite for a point at infinity.
pub fn position(x: &Multivector) -> Point3<f64> {
    let scale = -x.dot(&N).real();
    Point3::new(x.0[1], x.0[2], x.0[4]) / scale
}

pub(super) fn euclidean(x: &Vector3<f64>) -> Multivector {
    Multivector::vector([x.x, x.y, x.z, 0.0, 0.0])
}

/// L = P∧Q∧n (2.69).
pub fn line(p: &Point3<f64>, q: &Point3<f64>) -> Multivector {
    point(p).wedge(&point(q)).wedge(&N)
}

/// C = P∧Q∧R (2.70).
pub fn circle(p: &Point3<f64>, q: &Point3<f64>, r: &Point3<f64>) -> Multivector {
    point(p).wedge(&point(q)).wedge(&point(r))
}

/// Φ = P∧Q∧R∧n (2.78).
pub fn plane(p: &Point3<f64>, q: &Point3<f64>, r: &Point3<f64>) -> Multivector {
    circle(p, q, r).wedge(&N)
}

/// Σ = (C - ½ρ²n)I (2.87).
pub fn sphere(centre: &Point3<f64>, radius: f64) -> Multivector {
    (point(centre) - N * (0.5 * radius * radius)).dual()
}

/// Centre and radius of a sphere of any scale: its dual divided so that ·n = -1 (2.88).
pub fn sphere_of(sphere: &Multivector) -> (Point3<f64>, f64) {
    let dual = sphere.dual();
    let dual = dual * (-1.0 / dual.dot(&N).real());
    let square = dual.square();
    (position(&(dual + N * (0.5 * square))), square.max(0.0).sqrt())
}

/// Centre and radius of a circle: the sphere that has it as its equator, C over its plane.
pub fn circle_of(circle: &Multivector) -> (Point3<f64>, f64) {
    // C n C is the centre, up to scale (2.77).
    let centre = position(&(*circle * N * *circle));
    let plane = circle.wedge(&N);
    // ρ² = -C²/(C∧n)², both scalars.
    let square = -circle.square() / plane.square();
    (centre, square.abs().sqrt())
}

/// Unit normal and distance from the origin of a plane.
///
/// The dual is scaled so that its square is 1; the printed normalisation, of Φ itself, has the wrong
/// sign (Φ² is -1).
pub fn plane_of(plane: &Multivector) -> (Unit<Vector3<f64>>, f64) {
    let dual = plane.dual();
    let dual = dual * (1.0 / dual.square().sqrt());
    let distance = 0.5 * dual.dot(&Multivector::ORIGIN).real();
    let normal = Vector3::new(dual.0[1], dual.0[2], dual.0[4]);
    (Unit::new_normalize(normal), distance)
}

/// R = cos(φ/2) - B̂ sin(φ/2) for a turn about an axis (2.30); X becomes R X R̃.
pub fn rotor(axis: &Unit<Vector3<f64>>, angle_rad: f64) -> Multivector {
    let (sin, cos) = (0.5 * angle_rad).sin_cos();
    // The plane of the turn is the dual of its axis within space: e2e3, e3e1, e1e2.
    let mut rotor = Multivector::scalar(cos);
    rotor.0[6] = -sin * axis.x;
    rotor.0[5] = sin * axis.y;
    rotor.0[3] = -sin * axis.z;
    rotor
}

/// T = 1 + na/2 (2.47).
pub fn translator(by: &Vector3<f64>) -> Multivector {
    Multivector::scalar(1.0) + N * euclidean(by) * 0.5
}

/// D = exp(α eē/2), which scales by e^-α about the origin (2.53).
pub fn dilator(alpha: f64) -> Multivector {
    let mut dilator = Multivector::scalar((0.5 * alpha).cosh());
    dilator.0[24] = (0.5 * alpha).sinh();
    dilator
}

/// The foot of a point on a line or a plane: halfway to its reflection X' = LXL.
pub fn project_on(flat: &Multivector, x: &Point3<f64>) -> Point3<f64> {
    let reflected = position(&(*flat * point(x) * *flat));
    nalgebra::center(x, &reflected)
}
