//! A limit that is a polygon.

use std::f64::consts::PI;

use nalgebra::Vector2;

use crate::error::{Error, Result};

/// A polygon in the plane whose distances from the origin are angles to the straight bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners_rad: Vec<Vector2<f64>>,
}

impl Polygon {
    /// A polygon from its corners, in either sense of rotation.
    ///
    /// # Errors
    /// Fewer than three corners, one that is not finite or 180 degrees out, or no area.
    pub fn new(corners_rad: Vec<Vector2<f64>>) -> Result<Self> {
        let polygon = Self { corners_rad };
        polygon.check()?;
        Ok(polygon)
    }

    pub(super) fn check(&self) -> Result<()> {
        let refused = |what: String| Err(Error::argument(format!("polygon: {what}")));
        if self.corners_rad.len() < 3 {
            return refused(format!("need 3 corners, got {}", self.corners_rad.len()));
        }
        // What is not a number is refused too.
        let is_wrong = |corner: &&Vector2<f64>| corner.norm().is_nan() || corner.norm() >= PI;
        if let Some(corner) = self.corners_rad.iter().find(is_wrong) {
            let degrees = corner.map(f64::to_degrees);
            return refused(format!(
                "need corners within 180 degrees, got ({}, {})",
                degrees.x, degrees.y
            ));
        }
        let area: f64 = self.edges().map(|[a, b]| a.perp(&b)).sum();
        if area.abs() < 1e-12 {
            return refused("need corners that enclose an area, got none".into());
        }
        Ok(())
    }

    fn edges(&self) -> impl Iterator<Item = [Vector2<f64>; 2]> + '_ {
        let next = self.corners_rad.iter().cycle().skip(1);
        self.corners_rad.iter().zip(next).map(|(a, b)| [*a, *b])
    }

    /// The point of the polygon nearest to a point outside; `None` for a point inside.
    pub fn nearest(&self, point: &Vector2<f64>) -> Option<Vector2<f64>> {
        let mut is_inside = false;
        let mut best = (f64::INFINITY, *point);
        for [a, b] in self.edges() {
            if (a.y > point.y) != (b.y > point.y)
                && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
            {
                is_inside = !is_inside;
            }
            let along = b - a;
            let length2 = along.norm_squared();
            let part = if length2 > 0.0 { (point - a).dot(&along) / length2 } else { 0.0 };
            let near = a + along * part.clamp(0.0, 1.0);
            let distance = (near - point).norm();
            if distance < best.0 {
                best = (distance, near);
            }
        }
        (!is_inside).then_some(best.1)
    }
}
