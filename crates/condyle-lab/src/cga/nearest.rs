//! The nearest-point solvers of appendix A.

use nalgebra::{Point3, distance};

use super::Multivector;
use super::meet::{Points, meet, points_of};
use super::objects::{circle_of, line, project_on, sphere, sphere_of};

/// The point of a circle nearest to a point (A.1); `previous` where every point of it is as near.
pub fn point_to_circle(
    x: &Point3<f64>,
    circle: &Multivector,
    previous: &Point3<f64>,
) -> Point3<f64> {
    let (centre, radius) = circle_of(circle);
    let plane = circle.wedge(&Multivector::INFINITY);
    let foot = project_on(&plane, x);
    if distance(&foot, &centre) < 1e-12 * (1.0 + radius) {
        return *previous;
    }
    let through = line(&centre, &foot);
    // The line crosses the circle where it crosses the sphere about its centre.
    nearer(&meet(&through, 3, &sphere(&centre, radius), 4), x).unwrap_or(*previous)
}

/// The point of a sphere nearest to a point (A.4); `previous` for its centre.
pub fn point_to_sphere(
    q: &Point3<f64>,
    sphere: &Multivector,
    previous: &Point3<f64>,
) -> Point3<f64> {
    let (centre, radius) = sphere_of(sphere);
    if distance(q, &centre) < 1e-12 * (1.0 + radius) {
        return *previous;
    }
    nearer(&meet(&line(&centre, q), 3, sphere, 4), q).unwrap_or(*previous)
}

/// The point of a line that is nearest to a sphere (A.3): where it crosses, the crossing nearer to the
/// previous place.
pub fn sphere_to_line(
    sphere: &Multivector,
    through: &Multivector,
    previous: &Point3<f64>,
) -> Point3<f64> {
    let (centre, radius) = sphere_of(sphere);
    let foot = project_on(through, &centre);
    if distance(&foot, &centre) >= radius {
        return foot;
    }
    nearer(&meet(through, 3, sphere, 4), previous).unwrap_or(foot)
}

/// The point of a line that is near to a circle (A.2). A heuristic, not the exact minimum: from the
/// point P where the line crosses the circle's plane and the foot Y of the circle's centre a second line in
/// the plane crosses the circle, and the crossing nearer to P is projected back.
pub fn circle_to_line(circle: &Multivector, through: &Multivector) -> Point3<f64> {
    let (centre, radius) = circle_of(circle);
    let plane = circle.wedge(&Multivector::INFINITY);
    let foot = project_on(through, &centre);
    let in_plane = project_on(&plane, &foot);
    let off = distance(&in_plane, &centre);
    let crossing = match points_of(&meet(&plane, 4, through, 3)) {
        Points::One(at) if distance(&at, &centre) < 1e9 * (1.0 + radius) => Some(at),
        _ => None,
    };
    let near = crossing.unwrap_or(in_plane);
    let second = match off < radius {
        true if distance(&near, &in_plane) > 1e-9 => line(&near, &in_plane),
        // The line stands on the plane, or passes through the centre.
        _ if off > 1e-9 => line(&centre, &in_plane),
        _ if crossing.is_some() => {
            let along = project_on(&plane, &(foot + direction(through)));
            if distance(&along, &centre) < 1e-9 {
                return foot;
            }
            line(&centre, &along)
        }
        _ => return foot,
    };
    let on_circle = nearer(&meet(&second, 3, &sphere(&centre, radius), 4), &near);
    on_circle.map_or(foot, |at| project_on(through, &at))
}

/// Some way along a line.
fn direction(through: &Multivector) -> nalgebra::Vector3<f64> {
    let a = project_on(through, &Point3::origin());
    let far = [Point3::new(7.0, 0.0, 0.0), Point3::new(0.0, 7.0, 0.0), Point3::new(0.0, 0.0, 7.0)];
    let most = far.map(|at| project_on(through, &at) - a);
    most.into_iter()
        .fold(nalgebra::Vector3::zeros(), |best, v| if v.norm() > best.norm() { v } else { best })
}

fn nearer(pair: &Multivector, to: &Point3<f64>) -> Option<Point3<f64>> {
    match points_of(pair) {
        Points::None => None,
        Points::One(at) => Some(at),
        Points::Two(a, b) => Some(if distance(&a, to) <= distance(&b, to) { a } else { b }),
    }
}
