//! The quarter and half turns that bring one axis onto another.

use nalgebra::{Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};

use crate::trial::Axis;

/// A rotation of the world that moves whole axes onto whole axes.
///
/// # Method
/// `turned_from_world` is the smallest rotation that brings `from` to `to`: a quarter turn about
/// `from × to`, or, for opposite axes, a half turn about x (about y where the axis is x itself).
/// Its matrix holds only 0, 1 and -1, so that points are turned without rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    turned_from_world: Matrix3<f64>,
    axis: Vector3<f64>,
    degrees: i32,
}

impl Turn {
    /// The turn that brings one axis onto another.
    pub fn between(from: Axis, to: Axis) -> Self {
        let (u, v) = (from.direction(), to.direction());
        let (axis, degrees) = match u.dot(&v) {
            d if d > 0.5 => (Vector3::x(), 0),
            d if d < -0.5 && u.x == 0.0 => (Vector3::x(), 180),
            d if d < -0.5 => (Vector3::y(), 180),
            _ => (u.cross(&v), 90),
        };
        let angle_rad = f64::from(degrees).to_radians();
        let rotation = Rotation3::from_scaled_axis(axis * angle_rad);
        // Adding zero turns -0 into 0.
        Self { turned_from_world: rotation.matrix().map(|v| v.round() + 0.0), axis, degrees }
    }

    /// Whether nothing turns.
    pub fn is_identity(&self) -> bool {
        self.degrees == 0
    }

    /// A point after the turn; a coordinate is moved or negated, never rounded.
    pub fn point(&self, p: Point3<f64>) -> Point3<f64> {
        Point3::from(self.vector(p.coords))
    }

    /// A vector after the turn.
    pub fn vector(&self, v: Vector3<f64>) -> Vector3<f64> {
        self.turned_from_world * v
    }

    /// The turn as a quaternion.
    pub fn quaternion(&self) -> UnitQuaternion<f64> {
        let angle_rad = f64::from(self.degrees).to_radians();
        UnitQuaternion::from_scaled_axis(self.axis * angle_rad)
    }

    /// The turn in words: `-90 degrees about x`.
    pub fn in_words(&self) -> String {
        let sign = if self.axis.sum() < 0.0 { "-" } else { "+" };
        let letter = ["x", "y", "z"][self.axis.iamax()];
        format!("{sign}{} degrees about {letter}", self.degrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: [Axis; 6] =
        [Axis::X, Axis::Y, Axis::Z, Axis::NegativeX, Axis::NegativeY, Axis::NegativeZ];

    #[test]
    fn brings_every_axis_onto_every_other_and_keeps_hands() {
        for from in AXES {
            for to in AXES {
                let turn = Turn::between(from, to);
                assert_eq!(turn.vector(from.direction()), to.direction(), "{from} to {to}");
                assert_eq!(turn.turned_from_world.determinant(), 1.0, "{from} to {to}");
                let p = Point3::new(1.25, -2.5, 3.75);
                assert!((turn.quaternion() * p - turn.point(p)).norm() < 1e-12);
                assert_eq!(Turn::between(to, from).point(turn.point(p)), p);
            }
        }
    }

    #[test]
    fn says_which_way_it_turns() {
        assert_eq!(Turn::between(Axis::Z, Axis::Y).in_words(), "-90 degrees about x");
        assert_eq!(Turn::between(Axis::Y, Axis::Z).in_words(), "+90 degrees about x");
        assert_eq!(Turn::between(Axis::X, Axis::NegativeX).in_words(), "+180 degrees about y");
    }
}
