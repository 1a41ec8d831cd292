//! Algorithm 3 as printed: an ellipse a quadrant on the plane z = 1, and the nearest point of it.

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Vector2, Vector3};

use super::swing::quadrant;

/// The allowed direction nearest on the plane to a wanted one.
///
/// # Method
/// With S = 1 the semi-axes of a quadrant are qⱼ = tan θⱼ. A target behind is mirrored to the front,
/// moved to the edge there, and so comes out on the real cone (figure 3.11b). Angles above 90 degrees
/// describe what is forbidden behind: inside it a direction goes to its edge (figure 3.11a).
pub(super) fn clamp(wanted: &Vector3<f64>, angles_rad: &[f64; 4]) -> Vector3<f64> {
    if angles_rad[0] > FRAC_PI_2 {
        let mirrored = Vector3::new(wanted.x, wanted.y, -wanted.z);
        let forbidden = angles_rad.map(|angle| std::f64::consts::PI - angle);
        if mirrored.z <= 0.0 || !is_inside(&mirrored, &forbidden) {
            return *wanted;
        }
        let edge = on_edge(&mirrored, &forbidden);
        return Vector3::new(edge.x, edge.y, -edge.z);
    }
    if wanted.z > 0.0 && is_inside(wanted, angles_rad) {
        return *wanted;
    }
    on_edge(wanted, angles_rad)
}

/// The largest angle to z at the azimuth of a direction.
pub(super) fn polar_at(direction: &Vector3<f64>, angles_rad: &[f64; 4]) -> f64 {
    let (a, b) = quadrant(direction, angles_rad);
    let (a, b) = (a.tan(), b.tan());
    let across = direction.x.hypot(direction.y);
    if across < 1e-12 {
        return a.abs().max(b.abs()).atan();
    }
    let (cos, sin) = (direction.x / across, direction.y / across);
    let radius = (a * b).abs() / (b * cos).hypot(a * sin).max(1e-300);
    if angles_rad[0] > FRAC_PI_2 { std::f64::consts::PI - radius.atan() } else { radius.atan() }
}

fn is_inside(direction: &Vector3<f64>, angles_rad: &[f64; 4]) -> bool {
    let (a, b) = quadrant(direction, angles_rad);
    let point = direction.xy() / direction.z;
    (point.x * b.tan()).powi(2) + (point.y * a.tan()).powi(2) <= (a.tan() * b.tan()).powi(2)
}

fn on_edge(wanted: &Vector3<f64>, angles_rad: &[f64; 4]) -> Vector3<f64> {
    let (a, b) = quadrant(wanted, angles_rad);
    // Beside the joint the plane is at infinity: far out on the ray of the same azimuth.
    let depth = wanted.z.abs().max(1e-6);
    let point = wanted.xy() / depth;
    let nearest = nearest_on_ellipse([a.tan(), b.tan()], &point);
    Vector3::new(nearest.x, nearest.y, 1.0).normalize()
}

/// The point of an ellipse about the origin that is nearest to a point.
///
/// # Method
/// In the first quadrant the nearest point is (a²x/(t+a²), b²y/(t+b²)) for the largest root of
/// (ax/(t+a²))² + (by/(t+b²))² = 1: Newton's method, which from the left of a convex falling function
/// cannot overshoot, with bisection as the guard.
///
/// # Reference
/// D. Eberly (2013), *Distance from a point to an ellipse*; the equations are those of the thesis, p. 61.
pub(super) fn nearest_on_ellipse([a, b]: [f64; 2], point: &Vector2<f64>) -> Vector2<f64> {
    let (x, y) = (point.x.abs(), point.y.abs());
    let signed = |at: Vector2<f64>| Vector2::new(at.x.copysign(point.x), at.y.copysign(point.y));
    if a < 1e-12 || b < 1e-12 {
        return signed(Vector2::new(x.min(a), y.min(b)));
    }
    let f = |t: f64| (a * x / (t + a * a)).powi(2) + (b * y / (t + b * b)).powi(2) - 1.0;
    // Between these the root lies: one term alone is 1 at the left, both together below it at the right.
    let mut low = (a * x - a * a).max(b * y - b * b);
    let mut high = (a * x).hypot(b * y) - a.min(b).powi(2);
    let mut t = low;
    for _ in 0..60 {
        let value = f(t);
        if value.abs() < 1e-15 || high - low <= 1e-15 * (1.0 + high.abs()) {
            break;
        }
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let slope =
            -2.0 * ((a * x).powi(2) / (t + a * a).powi(3) + (b * y).powi(2) / (t + b * b).powi(3));
        let newton = t - value / slope;
        t = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    // On the x axis inside the evolute the nearest point is off the axis.
    if y < 1e-15 && a > b && x < (a * a - b * b) / a {
        let along = a * a * x / (a * a - b * b);
        return signed(Vector2::new(along, b * (1.0 - (along / a).powi(2)).max(0.0).sqrt()));
    }
    if x < 1e-15 && b > a && y < (b * b - a * a) / b {
        let along = b * b * y / (b * b - a * a);
        return signed(Vector2::new(a * (1.0 - (along / b).powi(2)).max(0.0).sqrt(), along));
    }
    signed(Vector2::new(a * a * x / (t + a * a), b * b * y / (t + b * b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn the_nearest_point_of_an_ellipse_is_that_of_brute_force() {
        for (index, [a, b]) in [[1.0, 0.3], [0.4, 2.0], [0.7, 0.7]].into_iter().enumerate() {
            for k in 0..200 {
                let angle = f64::from(k) * 0.61 + index as f64;
                let radius = 0.05 + 0.03 * f64::from(k);
                let point = Vector2::new(radius * angle.cos(), radius * angle.sin());
                let found = nearest_on_ellipse([a, b], &point);
                let on = |phi: f64| Vector2::new(a * phi.cos(), b * phi.sin());
                // A grid, then golden steps around its best.
                let grid = (0..3600).map(|i| f64::from(i) * TAU / 3600.0);
                let distance = |phi: f64| (on(phi) - point).norm();
                let best = grid.min_by(|p, q| distance(*p).total_cmp(&distance(*q))).unwrap();
                let (mut low, mut high) = (best - TAU / 3600.0, best + TAU / 3600.0);
                for _ in 0..100 {
                    let (p, q) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
                    if distance(p) < distance(q) { high = q } else { low = p }
                }
                let gap = (found - point).norm() - distance(0.5 * (low + high));
                assert!(gap.abs() < 1e-9, "{a} {b} {point:?}: {gap}");
                let off = (found.x / a).powi(2) + (found.y / b).powi(2) - 1.0;
                assert!(off.abs() < 1e-9, "{a} {b} {point:?}: {off}");
            }
        }
    }
}
