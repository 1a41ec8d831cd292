//! Where a bone may point.

use std::f64::consts::{FRAC_PI_2, PI};

use nalgebra::Vector3;

use super::plane::{direction_of, point_of};
use super::{Hinge, Polygon, conic, within};
use crate::error::Result;

/// Where a bone may point, in its zero frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Swing {
    /// Anywhere.
    #[default]
    Free,
    /// Nowhere but straight on.
    Fixed,
    /// Within an angle of straight on, up to 180 degrees; above 90 what is forbidden is a cone
    /// behind (figure 3.11a).
    Cone {
        /// The half angle.
        half_rad: f64,
    },
    /// Within an angle that depends on the side: θ1 and θ3 for turns about x to either side, θ2 and
    /// θ4 about y, an ellipse a quadrant between them.
    ///
    /// # Method
    /// The angle to z is cut at θ(φ) = ab/√((b cos φ)² + (a sin φ)²) with a, b the two angles of
    /// the quadrant of azimuth φ: an ellipse in the plane whose distances are angles, for any angles.
    Ellipse {
        /// θ1 (about -x: towards +y), θ2 (about -y: towards -x), θ3 (about +x: towards -y), θ4
        /// (about +y: towards +x).
        angles_rad: [f64; 4],
    },
    /// The same four angles as Algorithm 3 prints it: an ellipse a quadrant on the plane z = 1, and
    /// the nearest point of it. All angles below 90 degrees, or all above.
    Conic {
        /// θ1 to θ4 as for [`Swing::Ellipse`].
        angles_rad: [f64; 4],
    },
    /// Within a polygon in the plane whose distances are angles.
    Polygon(Polygon),
    /// About one axis, within a range.
    Hinge(Hinge),
}

impl Swing {
    pub(super) fn check(&self) -> Result<()> {
        match self {
            Self::Free | Self::Fixed => Ok(()),
            Self::Cone { half_rad } => within("cone", *half_rad, [0.0, PI]),
            Self::Ellipse { angles_rad } => {
                angles_rad.iter().try_for_each(|angle| within("ellipse", *angle, [0.0, PI]))
            }
            Self::Conic { angles_rad } => {
                let range = if angles_rad[0] < FRAC_PI_2 {
                    [0.0, FRAC_PI_2 - 1e-3]
                } else {
                    [FRAC_PI_2, PI - 1e-3]
                };
                angles_rad.iter().try_for_each(|angle| within("conic", *angle, range))
            }
            Self::Polygon(polygon) => polygon.check(),
            Self::Hinge(hinge) => hinge.check(),
        }
    }

    /// The allowed direction that a wanted unit direction is moved to; itself where it is allowed.
    #[inline]
    pub fn clamp(&self, wanted: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Free => *wanted,
            Self::Fixed => Vector3::z(),
            Self::Cone { half_rad } => in_cone(wanted, *half_rad),
            Self::Ellipse { angles_rad } => in_ellipse(wanted, angles_rad),
            Self::Conic { angles_rad } => conic::clamp(wanted, angles_rad),
            Self::Polygon(polygon) => match polygon.nearest(&point_of(wanted)) {
                None => *wanted,
                Some(point) => direction_of(&point),
            },
            Self::Hinge(hinge) => hinge.turn(wanted) * Vector3::z(),
        }
    }

    /// How far a direction is outside, in radians; 0 inside.
    ///
    /// It is told from the rule itself, not from what [`Swing::clamp`] makes of the direction.
    pub fn violation_rad(&self, direction: &Vector3<f64>) -> f64 {
        let polar_rad = direction.x.hypot(direction.y).atan2(direction.z);
        let outside = match self {
            Self::Free => 0.0,
            Self::Fixed => polar_rad,
            Self::Cone { half_rad } => polar_rad - half_rad,
            Self::Ellipse { angles_rad } => polar_rad - ellipse_at(direction, angles_rad),
            Self::Conic { angles_rad } => polar_rad - conic::polar_at(direction, angles_rad),
            Self::Polygon(polygon) => {
                let point = point_of(direction);
                polygon.nearest(&point).map_or(0.0, |nearest| (nearest - point).norm())
            }
            Self::Hinge(hinge) => hinge.violation_rad(direction),
        };
        outside.max(0.0)
    }
}

fn in_cone(wanted: &Vector3<f64>, half_rad: f64) -> Vector3<f64> {
    let (sin, cos) = half_rad.sin_cos();
    if wanted.z >= cos {
        return *wanted;
    }
    at_polar(wanted, sin, cos)
}

/// The direction of the same azimuth at another angle to z; towards +x where there is no azimuth.
fn at_polar(wanted: &Vector3<f64>, sin: f64, cos: f64) -> Vector3<f64> {
    let across = wanted.x.hypot(wanted.y);
    if across < 1e-12 {
        return Vector3::new(sin, 0.0, cos);
    }
    Vector3::new(wanted.x * sin / across, wanted.y * sin / across, cos)
}

/// The two angles, along x and along y, of the quadrant that a direction is in.
pub(super) fn quadrant(direction: &Vector3<f64>, angles_rad: &[f64; 4]) -> (f64, f64) {
    let [towards_y, towards_minus_x, towards_minus_y, towards_x] = *angles_rad;
    (
        if direction.x >= 0.0 { towards_x } else { towards_minus_x },
        if direction.y >= 0.0 { towards_y } else { towards_minus_y },
    )
}

/// The largest angle to z at the azimuth of a direction.
fn ellipse_at(direction: &Vector3<f64>, angles_rad: &[f64; 4]) -> f64 {
    let (a, b) = quadrant(direction, angles_rad);
    let across = direction.x.hypot(direction.y);
    if across < 1e-12 {
        // Exactly behind: every azimuth is as good, and clamping takes +x.
        return if direction.z > 0.0 { a.max(b) } else { angles_rad[3] };
    }
    let (cos, sin) = (direction.x / across, direction.y / across);
    match (a, b) {
        (0.0, _) if cos.abs() > 1e-12 => 0.0,
        (_, 0.0) if sin.abs() > 1e-12 => 0.0,
        _ => {
            let divisor = (b * cos).hypot(a * sin);
            if divisor == 0.0 { a.max(b) } else { (a * b / divisor).min(PI) }
        }
    }
}

fn in_ellipse(wanted: &Vector3<f64>, angles_rad: &[f64; 4]) -> Vector3<f64> {
    let most_rad = ellipse_at(wanted, angles_rad);
    let (sin, cos) = most_rad.sin_cos();
    if wanted.z >= cos {
        return *wanted;
    }
    // One angle of the quadrant is zero: only its other axis is left, so slide along that.
    let (a, b) = quadrant(wanted, angles_rad);
    if most_rad == 0.0 && (a > 0.0) != (b > 0.0) {
        let (along, most_rad) = if a > 0.0 {
            (Vector3::new(wanted.x, 0.0, wanted.z), a)
        } else {
            (Vector3::new(0.0, wanted.y, wanted.z), b)
        };
        let polar_rad = along.xy().norm().atan2(along.z).min(most_rad);
        let (sin, cos) = polar_rad.sin_cos();
        return at_polar(&along, sin, cos);
    }
    at_polar(wanted, sin, cos)
}
