//! A joint that turns about one axis.

use std::f64::consts::PI;

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::{nearest_turn, ordered};
use crate::error::{Error, Result};

/// A joint that turns about one axis, within a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// The axis in the bone's zero frame.
    pub axis: Unit<Vector3<f64>>,
    /// The smallest turn, negative for the other way round.
    pub min_rad: f64,
    /// The largest turn.
    pub max_rad: f64,
}

impl Hinge {
    /// A hinge about an axis of the zero frame.
    ///
    /// # Errors
    /// An axis without a direction or along the bone, which it could not move, or a bad range.
    pub fn new(axis: Vector3<f64>, [min_rad, max_rad]: [f64; 2]) -> Result<Self> {
        let Some(axis) =
            Unit::try_new(axis, 1e-12).filter(|axis| axis.iter().all(|x| x.is_finite()))
        else {
            return Err(Error::argument(format!(
                "hinge: need an axis with a direction, got {:?}",
                axis.as_slice()
            )));
        };
        let hinge = Self { axis, min_rad, max_rad };
        hinge.check()?;
        Ok(hinge)
    }

    pub(super) fn check(&self) -> Result<()> {
        ordered("hinge", [self.min_rad, self.max_rad])?;
        if self.max_rad - self.min_rad > 2.0 * PI + 1e-9 {
            return Err(Error::argument(format!(
                "hinge: need a range of at most 360 degrees, got {}",
                (self.max_rad - self.min_rad).to_degrees()
            )));
        }
        if self.axis.z.abs() > 1.0 - 1e-9 {
            return Err(Error::argument(
                "hinge: need an axis across the bone, got one along it (say pivot)",
            ));
        }
        Ok(())
    }

    /// An angle as it is counted: a hinge that goes all the way round has no stop, and begins anew.
    pub(crate) fn counted(&self, angle_rad: f64) -> f64 {
        let range_rad = [self.min_rad, self.max_rad];
        match self.max_rad - self.min_rad >= 2.0 * PI - 1e-9 {
            true => nearest_turn(angle_rad, range_rad),
            false => angle_rad,
        }
    }

    /// The turn that brings the bone nearest to a direction, before the range is looked at.
    pub(crate) fn angle_rad(&self, wanted: &Vector3<f64>) -> f64 {
        let along = self.axis.into_inner();
        let zero = Vector3::z() - along * along.z;
        let side = along.cross(&zero);
        let angle = wanted.dot(&side).atan2(wanted.dot(&zero));
        nearest_turn(angle, [self.min_rad, self.max_rad])
    }

    /// The allowed turn that brings the bone nearest to a direction.
    pub fn turn(&self, wanted: &Vector3<f64>) -> UnitQuaternion<f64> {
        self.turn_by(self.angle_rad(wanted).clamp(self.min_rad, self.max_rad))
    }

    pub(crate) fn turn_by(&self, angle_rad: f64) -> UnitQuaternion<f64> {
        let (sin, cos) = (0.5 * angle_rad).sin_cos();
        let axis = self.axis.into_inner() * sin;
        UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(cos, axis.x, axis.y, axis.z))
    }

    pub(super) fn violation_rad(&self, direction: &Vector3<f64>) -> f64 {
        let along = self.axis.into_inner();
        let off_rad =
            (direction.dot(&along).clamp(-1.0, 1.0).acos() - along.z.clamp(-1.0, 1.0).acos()).abs();
        let angle = self.angle_rad(direction);
        off_rad.max(self.min_rad - angle).max(angle - self.max_rad)
    }
}
