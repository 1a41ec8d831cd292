//! The joint table: anatomical joints as swing and twist.

use nalgebra::Vector3;

use super::{Hinge, Limit, Polygon, Swing, Twist};
use crate::error::Result;

impl Limit {
    /// Ball and socket without limits: three degrees of freedom.
    pub const FREE: Self = Self { swing: Swing::Free, twist: Twist::Free };

    /// Nothing moves.
    pub const FIXED: Self = Self { swing: Swing::Fixed, twist: Twist::LOCKED };

    /// Ball and socket within a cone; the twist is free.
    pub fn cone(half_rad: f64) -> Self {
        Self { swing: Swing::Cone { half_rad }, twist: Twist::Free }
    }

    /// Ellipsoidal: a ball and socket with an angle of its own to each of the four sides.
    pub fn ellipsoidal(angles_rad: [f64; 4], twist: Twist) -> Self {
        Self { swing: Swing::Ellipse { angles_rad }, twist }
    }

    /// Saddle: bends to the four sides, does not twist; two degrees of freedom.
    pub fn saddle(angles_rad: [f64; 4]) -> Self {
        Self::ellipsoidal(angles_rad, Twist::LOCKED)
    }

    /// Gliding: a little to every side, no twist; two degrees of freedom.
    pub fn gliding(half_rad: f64) -> Self {
        Self { swing: Swing::Cone { half_rad }, twist: Twist::LOCKED }
    }

    /// Hinge about an axis of the zero frame; one degree of freedom.
    ///
    /// # Errors
    /// An axis along the bone, or a bad range.
    pub fn hinge(axis: Vector3<f64>, range_rad: [f64; 2]) -> Result<Self> {
        Ok(Self { swing: Swing::Hinge(Hinge::new(axis, range_rad)?), twist: Twist::LOCKED })
    }

    /// Pivot: turns about itself only.
    pub fn pivot([min_rad, max_rad]: [f64; 2]) -> Self {
        Self { swing: Swing::Fixed, twist: Twist::Range { min_rad, max_rad } }
    }

    /// Suture: almost fixed, the same small angle for swing and twist.
    pub fn suture(play_rad: f64) -> Self {
        let twist = Twist::Range { min_rad: -play_rad, max_rad: play_rad };
        Self { swing: Swing::Cone { half_rad: play_rad }, twist }
    }

    /// A region of any shape, with a twist.
    pub fn polygon(polygon: Polygon, twist: Twist) -> Self {
        Self { swing: Swing::Polygon(polygon), twist }
    }
}
