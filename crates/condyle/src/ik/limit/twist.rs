//! How far a bone may turn about itself.

use super::{nearest_turn, ordered};
use crate::error::Result;

/// How far a bone may turn about itself, beside its swing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Twist {
    /// As far as it likes.
    #[default]
    Free,
    /// Between two angles.
    Range {
        /// The smallest.
        min_rad: f64,
        /// The largest.
        max_rad: f64,
    },
}

impl Twist {
    /// Not at all.
    pub const LOCKED: Self = Self::Range { min_rad: 0.0, max_rad: 0.0 };

    pub(super) fn check(&self) -> Result<()> {
        match *self {
            Self::Free => Ok(()),
            Self::Range { min_rad, max_rad } => ordered("twist", [min_rad, max_rad]),
        }
    }

    /// Whether it may turn at all.
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Range { min_rad, max_rad } if min_rad >= max_rad)
    }

    /// The allowed twist nearest to a wanted one, counted the short way round.
    pub fn clamp(&self, wanted_rad: f64) -> f64 {
        match *self {
            Self::Free => wanted_rad,
            Self::Range { min_rad, max_rad } => {
                nearest_turn(wanted_rad, [min_rad, max_rad]).clamp(min_rad, max_rad)
            }
        }
    }

    /// How far a twist is outside, the short way round; 0 inside.
    pub fn violation_rad(&self, twist_rad: f64) -> f64 {
        match *self {
            Self::Free => 0.0,
            Self::Range { min_rad, max_rad } => {
                let near = nearest_turn(twist_rad, [min_rad, max_rad]);
                (min_rad - near).max(near - max_rad).max(0.0)
            }
        }
    }
}
