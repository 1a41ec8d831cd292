//! Points at given distances from others, and nearest to circles, spheres and rays.

use nalgebra::{Matrix3, Vector3};

use crate::error::{Error, Result};

/// Directions and distances below this are none.
const NOTHING: f64 = 1e-12;

/// A circle in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circle {
    /// Its centre.
    pub centre_m: Vector3<f64>,
    /// The direction across its plane, of length 1.
    pub normal: Vector3<f64>,
    /// Its radius.
    pub radius_m: f64,
}

/// A sphere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub centre_m: Vector3<f64>,
    /// Its radius.
    pub radius_m: f64,
}

impl Circle {
    /// Where two spheres meet; `None` if they do not, or are about one centre.
    pub fn of_spheres(one: &Sphere, other: &Sphere) -> Option<Self> {
        let between = other.centre_m - one.centre_m;
        let distance = between.norm();
        if distance < NOTHING {
            return None;
        }
        let squares = one.radius_m * one.radius_m - other.radius_m * other.radius_m;
        let along = 0.5 * (distance + squares / distance);
        let square = one.radius_m * one.radius_m - along * along;
        (square >= 0.0).then(|| Self {
            centre_m: one.centre_m + between * (along / distance),
            normal: between / distance,
            radius_m: square.sqrt(),
        })
    }

    /// The point of it nearest to another (A.1); `None` for a point on its axis, to which all are as near.
    pub fn nearest(&self, to_m: &Vector3<f64>) -> Option<Vector3<f64>> {
        let away = to_m - self.centre_m;
        let in_plane = away - self.normal * away.dot(&self.normal);
        let distance = in_plane.norm();
        (distance > NOTHING).then(|| self.centre_m + in_plane * (self.radius_m / distance))
    }
}

/// The point of three spheres that is nearest to another; `None` where they do not meet, or their centres are on a
/// line.
///
/// # Method
/// In the frame of the centres, as for positions from ranges. Where the third sphere passes the circle of the first two
/// by less than `slack_m`, the nearest point in the plane of the centres is taken.
pub fn trilaterate(
    spheres: &[Sphere; 3],
    near_m: &Vector3<f64>,
    slack_m: f64,
) -> Option<Vector3<f64>> {
    let [a, b, c] = spheres;
    let ex = b.centre_m - a.centre_m;
    let d = ex.norm();
    let ex = ex / d;
    let to_c = c.centre_m - a.centre_m;
    let i = ex.dot(&to_c);
    let ey = to_c - ex * i;
    let j = ey.norm();
    if !(d > NOTHING && j > 1e-3 * to_c.norm() && j > NOTHING) {
        return None;
    }
    let ey = ey / j;
    let square = |sphere: &Sphere| sphere.radius_m * sphere.radius_m;
    let x = (square(a) - square(b) + d * d) / (2.0 * d);
    let y = (square(a) - square(c) + i * i + j * j - 2.0 * i * x) / (2.0 * j);
    let height = square(a) - x * x - y * y;
    if height < -slack_m * (2.0 * a.radius_m + slack_m) {
        return None;
    }
    let ez = ex.cross(&ey);
    let side = (near_m - a.centre_m).dot(&ez).signum();
    Some(a.centre_m + ex * x + ey * y + ez * (side * height.max(0.0).sqrt()))
}

/// The line on which a camera sees a marker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Which marker, by its place among the markers.
    pub marker: usize,
    /// Where the camera is.
    pub origin_m: Vector3<f64>,
    direction: Vector3<f64>,
}

impl Ray {
    /// A ray from a camera in a direction of any length.
    ///
    /// # Errors
    /// Numbers that are not finite, or a direction of no length.
    pub fn new(marker: usize, origin_m: Vector3<f64>, direction: Vector3<f64>) -> Result<Self> {
        if origin_m.iter().chain(direction.iter()).any(|v| !v.is_finite()) {
            return Err(Error::argument("ray: need finite numbers"));
        }
        let length = direction.norm();
        if length < NOTHING {
            return Err(Error::argument("ray: need a direction, got one of no length"));
        }
        Ok(Self { marker, origin_m, direction: direction / length })
    }

    /// The direction, of length 1.
    pub fn direction(&self) -> Vector3<f64> {
        self.direction
    }

    /// How far before the camera a point is.
    pub fn depth_m(&self, of_m: &Vector3<f64>) -> f64 {
        (of_m - self.origin_m).dot(&self.direction)
    }

    /// The point of it nearest to another.
    pub fn nearest(&self, to_m: &Vector3<f64>) -> Vector3<f64> {
        self.origin_m + self.direction * self.depth_m(to_m)
    }

    /// The point of it that is nearest to a sphere (A.3): where it crosses, the crossing nearer to the previous place.
    pub fn nearest_to_sphere(&self, sphere: &Sphere, previous_m: &Vector3<f64>) -> Vector3<f64> {
        let foot = self.nearest(&sphere.centre_m);
        let square = sphere.radius_m.powi(2) - (foot - sphere.centre_m).norm_squared();
        if square <= 0.0 {
            return foot;
        }
        let reach = self.direction * square.sqrt();
        nearer([foot + reach, foot - reach], previous_m)
    }

    /// The point of it that is near to a circle (A.2). A heuristic, not the exact minimum.
    ///
    /// # Reference
    /// A. Aristidou (2010), appendix A.2. P is where the ray crosses the plane, Y the foot of the centre on the ray,
    /// brought into the plane; the line through P and Y, or through the centre and Y where Y is outside, crosses the
    /// circle; the crossing nearer to P is brought back to the ray.
    pub fn nearest_to_circle(&self, circle: &Circle, previous_m: &Vector3<f64>) -> Vector3<f64> {
        let foot = self.nearest(&circle.centre_m);
        let into_plane =
            |at: Vector3<f64>| at - circle.normal * (at - circle.centre_m).dot(&circle.normal);
        let y = into_plane(foot);
        let slope = self.direction.dot(&circle.normal);
        let is_parallel = slope.abs() < 1e-9;
        let p = match is_parallel {
            true => *previous_m,
            false => foot - self.direction * ((foot - circle.centre_m).dot(&circle.normal) / slope),
        };
        let off = y - circle.centre_m;
        let along = match off.norm() < circle.radius_m {
            true if is_parallel => self.direction,
            true if (p - y).norm() > 1e-9 => p - y,
            _ => off,
        };
        // The ray stands on the plane in the centre: all points are as near.
        let Some(along) = along
            .try_normalize(1e-9)
            .or_else(|| into_plane(*previous_m + off).try_normalize(NOTHING))
        else {
            return foot;
        };
        let start = if off.norm() < circle.radius_m { y } else { circle.centre_m };
        let from_centre = start - circle.centre_m;
        let half = from_centre.dot(&along);
        let square = half * half + circle.radius_m.powi(2) - from_centre.norm_squared();
        let root = square.max(0.0).sqrt();
        self.nearest(&nearer([start + along * (root - half), start - along * (root + half)], &p))
    }
}

fn nearer([a, b]: [Vector3<f64>; 2], to: &Vector3<f64>) -> Vector3<f64> {
    if (a - to).norm_squared() <= (b - to).norm_squared() { a } else { b }
}

/// The point nearest to all rays, and among those the nearest to an estimate: on a single ray its projection.
pub fn on_rays<'a>(
    rays: impl Iterator<Item = &'a Ray>,
    estimate_m: &Vector3<f64>,
) -> Option<Vector3<f64>> {
    /// So much less than a ray the estimate counts.
    const WEIGHT: f64 = 1e-9;
    let mut across = Matrix3::identity() * WEIGHT;
    let mut pull = Vector3::zeros();
    let (mut first, mut count) = (None, 0);
    for ray in rays {
        let plane = Matrix3::identity() - ray.direction * ray.direction.transpose();
        across += plane;
        pull += plane * (ray.origin_m - estimate_m);
        first = first.or(Some(ray));
        count += 1;
    }
    // Along a single ray the matrix is all but singular.
    if let Some(ray) = first.filter(|_| count == 1) {
        return Some(ray.nearest(estimate_m));
    }
    Some(estimate_m + across.try_inverse()? * pull)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vector3::from)
    }

    proptest! {
        #[test]
        fn three_spheres_give_back_the_point_they_were_made_from(
            at in point(), a in point(), b in point(), c in point(), off in point(),
        ) {
            let spheres = [a, b, c].map(|centre_m| Sphere { centre_m, radius_m: (at - centre_m).norm() });
            let across = (b - a).cross(&(c - a));
            // Farther from the plane of the centres than the guess is off: on the same side of it.
            prop_assume!((b - a).norm() > 0.2 && across.norm() > 0.3);
            prop_assume!((at - a).dot(&across).abs() > 0.2 * across.norm());
            let near = at + off * 0.04;
            let found = trilaterate(&spheres, &near, 0.0).unwrap();
            prop_assert!((found - at).norm() < 1e-9, "{found} {at}");
        }

        #[test]
        fn the_nearest_point_of_a_circle_is_nearest(x in point(), a in point(), b in point(), at in point()) {
            let spheres = [a, b].map(|centre_m| Sphere { centre_m, radius_m: (at - centre_m).norm() });
            let Some(circle) = Circle::of_spheres(&spheres[0], &spheres[1]) else { return Ok(()) };
            let Some(found) = circle.nearest(&x) else { return Ok(()) };
            prop_assert!(((found - a).norm() - spheres[0].radius_m).abs() < 1e-9);
            prop_assert!(((found - b).norm() - spheres[1].radius_m).abs() < 1e-9);
            prop_assert!((found - x).norm() <= (at - x).norm() + 1e-9);
        }

        #[test]
        fn the_point_of_a_ray_nearest_to_a_sphere_is_on_it_or_nearest_to_its_centre(
            centre in point(), radius in 0.1..1.0f64, origin in point(), direction in point(), before in point(),
        ) {
            prop_assume!(direction.norm() > 0.1);
            let ray = Ray::new(0, origin, direction).unwrap();
            let found = ray.nearest_to_sphere(&Sphere { centre_m: centre, radius_m: radius }, &before);
            let least = (ray.nearest(&centre) - centre).norm();
            prop_assert!(((found - centre).norm() - radius.max(least)).abs() < 1e-9);
        }

        #[test]
        fn a_ray_through_a_circle_finds_the_point_where_it_does(
            a in point(), b in point(), at in point(), direction in point(),
        ) {
            let spheres = [a, b].map(|centre_m| Sphere { centre_m, radius_m: (at - centre_m).norm() });
            let Some(circle) = Circle::of_spheres(&spheres[0], &spheres[1]) else { return Ok(()) };
            prop_assume!(direction.norm() > 0.1 && circle.radius_m > 0.05 && (a - b).norm() > 0.1);
            prop_assume!(direction.normalize().dot(&circle.normal).abs() > 0.05);
            let ray = Ray::new(0, at + direction, direction).unwrap();
            let found = ray.nearest_to_circle(&circle, &at);
            prop_assert!((found - at).norm() < 1e-6, "{found} {at}");
        }

        #[test]
        fn two_rays_meet_where_they_were_made_to(at in point(), u in point(), v in point(), guess in point()) {
            prop_assume!(u.norm() > 0.1 && v.norm() > 0.1 && u.normalize().cross(&v.normalize()).norm() > 0.1);
            let rays = [Ray::new(0, at + u, u).unwrap(), Ray::new(0, at + v, v).unwrap()];
            let found = on_rays(rays.iter(), &guess).unwrap();
            prop_assert!((found - at).norm() < 1e-6);
            let one = on_rays(rays[..1].iter(), &guess).unwrap();
            prop_assert!((one - rays[0].nearest(&guess)).norm() < 1e-6);
        }
    }

    #[test]
    fn a_ray_without_direction_is_refused() {
        let said = Ray::new(0, Vector3::x(), Vector3::zeros()).unwrap_err().to_string();
        assert_eq!(said, "ray: need a direction, got one of no length");
        assert!(Ray::new(0, Vector3::x() * f64::NAN, Vector3::x()).is_err());
    }
}
