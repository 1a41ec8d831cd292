//! What is reached for.

use nalgebra::{Point3, UnitQuaternion};

use super::linkage::Linkage;
use crate::error::{Error, Result};

/// Where a joint should be, and how its bone should be turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// The joint, at the end of a bone or anywhere between.
    pub joint: usize,
    /// Where it should be.
    pub at_m: Point3<f64>,
    /// How the bone that ends there should stand, z along it; `None` for as it comes.
    pub world_from_bone: Option<UnitQuaternion<f64>>,
    /// How much it counts where targets pull against each other; 1 is usual.
    pub weight: f64,
}

impl Target {
    /// A place for a joint, however its bone stands.
    pub fn at(joint: usize, at_m: Point3<f64>) -> Self {
        Self { joint, at_m, world_from_bone: None, weight: 1.0 }
    }

    pub(super) fn check(&self, linkage: &Linkage) -> Result<()> {
        if self.joint == 0 || self.joint >= linkage.joints() {
            return Err(Error::argument(format!(
                "target: need a joint from 1 to {}, got {}",
                linkage.joints() - 1,
                self.joint
            )));
        }
        // Squares of larger ones would not be finite.
        if !self.at_m.iter().all(|x| x.abs() < 1e100) {
            return Err(Error::argument(format!(
                "target of joint {}: need finite coordinates below 1e100, got {}",
                self.joint, self.at_m
            )));
        }
        if !(self.weight.is_finite() && self.weight > 0.0) {
            return Err(Error::argument(format!(
                "target of joint {}: need a positive weight, got {}",
                self.joint, self.weight
            )));
        }
        let is_finite = |turn: UnitQuaternion<f64>| turn.coords.iter().all(|x| x.is_finite());
        if self.world_from_bone.is_some_and(|turn| !is_finite(turn)) {
            return Err(Error::argument(format!(
                "target of joint {}: need a finite orientation",
                self.joint
            )));
        }
        Ok(())
    }
}
