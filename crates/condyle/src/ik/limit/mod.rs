//! How far a bone may turn against the one before it.
//!
//! A rotation is taken apart into swing, where the bone points, and twist, how far it is turned
//! about itself. Both are seen from the *zero frame* of the bone, whose z axis is where the bone
//! points unturned: straight on from the bone before it, or as it was at rest. The swing of a
//! direction is the shortest turn from z to it, so a frame is carried along a moving bone without
//! spin (parallel transport) and never flips.
//!
//! # Reference
//! A. Aristidou (2010), *Tracking and modelling motion for biomechanical analysis*, section 3.4.

mod conic;
mod hinge;
mod kinds;
mod plane;
mod polygon;
mod swing;
mod twist;

pub use hinge::Hinge;
pub use polygon::Polygon;
pub use swing::Swing;
pub use twist::Twist;

use std::f64::consts::TAU;

use nalgebra::{UnitQuaternion, Vector3};

use crate::error::{Error, Result};

/// How far a joint may turn: where its bone may point, and how far it may turn about itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limit {
    /// Where the bone may point.
    pub swing: Swing,
    /// How far it may turn about itself.
    pub twist: Twist,
}

impl Limit {
    /// Whether nothing is limited.
    pub fn is_free(&self) -> bool {
        self.swing == Swing::Free && self.twist == Twist::Free
    }

    /// Checks that the numbers make a limit.
    ///
    /// # Errors
    /// An angle that is not finite or out of its range, or a smallest above a largest.
    pub fn check(&self) -> Result<()> {
        self.swing.check()?;
        self.twist.check()
    }

    /// How far a turn of the bone in its zero frame is outside, in radians; 0 inside.
    pub fn violation_rad(&self, zero_from_bone: &UnitQuaternion<f64>) -> f64 {
        let direction = zero_from_bone * Vector3::z();
        let swing_rad = self.swing.violation_rad(&direction);
        match &self.swing {
            // A hinge has no twist of its own: what is left beside its turn is outside.
            Swing::Hinge(hinge) => swing_rad.max(hinge.turn(&direction).angle_to(zero_from_bone)),
            _ => swing_rad.max(self.twist.violation_rad(twist_rad(zero_from_bone))),
        }
    }
}

/// Nearer than this to a limit is at it: about a twentieth of a degree, as distances change by the
/// square of how far a nearly straight joint still has to go.
const AT_RAD: f64 = 1e-3;

impl Limit {
    /// Whether a turn of the bone in its zero frame stands at the end of what is allowed. What cannot
    /// turn at all does not.
    pub(crate) fn is_at(&self, zero_from_bone: &UnitQuaternion<f64>) -> bool {
        let direction = zero_from_bone * Vector3::z();
        let is_near = |angle_rad: f64, [min_rad, max_rad]: [f64; 2]| {
            // Neither what cannot turn nor what turns all the way round has an end.
            max_rad > min_rad
                && max_rad - min_rad < TAU
                && (angle_rad - AT_RAD <= min_rad || angle_rad + AT_RAD >= max_rad)
        };
        let is_swung_out = match &self.swing {
            Swing::Free | Swing::Fixed => false,
            Swing::Hinge(hinge) => {
                return is_near(hinge.angle_rad(&direction), [hinge.min_rad, hinge.max_rad]);
            }
            swing => {
                // A little farther from the middle on the same side.
                let polar_rad = direction.x.hypot(direction.y).atan2(direction.z) + AT_RAD;
                let across = direction.x.hypot(direction.y).max(1e-300);
                let (sin, cos) = polar_rad.sin_cos();
                let side = direction.xy() * (sin / across);
                swing.violation_rad(&Vector3::new(side.x, side.y, cos)) > 0.0
            }
        };
        let is_twisted_out = match self.twist {
            Twist::Free => false,
            Twist::Range { min_rad, max_rad } => {
                let range = [min_rad, max_rad];
                is_near(nearest_turn(twist_rad(zero_from_bone), range), range)
            }
        };
        is_swung_out || is_twisted_out
    }
}

/// The shortest turn that takes z to a unit direction; about x where the direction is -z.
pub fn swing_to(direction: &Vector3<f64>) -> UnitQuaternion<f64> {
    // q = (1 + z·d, z × d) / norm, the half-angle form without any trigonometry. The norm is taken of
    // what stands there: near -z, 1 + z·d has few digits left.
    let w = 1.0 + direction.z;
    let norm = (w * w + direction.x * direction.x + direction.y * direction.y).sqrt();
    if norm < 1e-12 {
        return UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.0, 1.0, 0.0, 0.0));
    }
    let scale = 1.0 / norm;
    UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(
        w * scale,
        -direction.y * scale,
        direction.x * scale,
        0.0,
    ))
}

/// The turn about z by an angle.
pub fn twist_by(twist_rad: f64) -> UnitQuaternion<f64> {
    if twist_rad == 0.0 {
        return UnitQuaternion::identity();
    }
    let (sin, cos) = (0.5 * twist_rad).sin_cos();
    UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(cos, 0.0, 0.0, sin))
}

/// The twist of a turn: what is left about z once its swing is undone, from -π to π.
pub fn twist_rad(turn: &UnitQuaternion<f64>) -> f64 {
    let (w, z) = (turn.w, turn.k);
    if w == 0.0 && z == 0.0 {
        return 0.0;
    }
    let angle = 2.0 * z.atan2(w);
    if angle > std::f64::consts::PI {
        angle - TAU
    } else if angle < -std::f64::consts::PI {
        angle + TAU
    } else {
        angle
    }
}

/// The same turn counted nearest to the middle of a range: -170 degrees may mean 190.
fn nearest_turn(angle_rad: f64, [min_rad, max_rad]: [f64; 2]) -> f64 {
    let middle_rad = 0.5 * (min_rad + max_rad);
    angle_rad + ((middle_rad - angle_rad) / TAU).round() * TAU
}

/// Refuses an angle outside a range, both in radians; words and numbers are in degrees.
fn within(name: &str, angle_rad: f64, [least, most]: [f64; 2]) -> Result<()> {
    if angle_rad.is_finite() && (least..=most).contains(&angle_rad) {
        return Ok(());
    }
    Err(Error::argument(format!(
        "{name}: need an angle from {:.0} to {:.0} degrees, got {}",
        least.to_degrees(),
        most.to_degrees(),
        angle_rad.to_degrees()
    )))
}

/// Refuses a range whose smallest is above its largest or not finite.
fn ordered(name: &str, [min_rad, max_rad]: [f64; 2]) -> Result<()> {
    if min_rad.is_finite() && max_rad.is_finite() && min_rad <= max_rad {
        return Ok(());
    }
    Err(Error::argument(format!(
        "{name}: need a smallest angle not above the largest, got {} to {} degrees",
        min_rad.to_degrees(),
        max_rad.to_degrees()
    )))
}

#[cfg(test)]
mod tests;
