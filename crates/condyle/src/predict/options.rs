//! What a predictor may be told.

use crate::error::{Error, Result};

/// How a centre of rotation helps markers beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CentreUse {
    /// Only where a whole segment is missing, as the document has it.
    WholeSegments,
    /// As one more point whose distance to every marker is known: trilateration.
    Spheres,
    /// As one more point of the rigid segment.
    #[default]
    Rigid,
}

/// How a single ray is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RayRule {
    /// The estimate is projected on the ray.
    #[default]
    Projection,
    /// Nearest to the circle or the sphere that known distances leave (A.2, A.3).
    NearestPoint,
}

/// Settings of a predictor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// A segment that is not seen whole goes on turning for about so long; infinite as in the document.
    pub turn_memory_s: f64,
    /// Its rotation a frame is measured over so many frames; 1 as in the document.
    pub turn_over_frames: usize,
    /// How centres of rotation are used.
    pub centres: CentreUse,
    /// How rays are used.
    pub rays: RayRule,
    /// Whether shapes and centres are learnt from predicted frames too, as in the document.
    pub learns_from_predictions: bool,
    /// Whether a marker that is seen again is brought back in steps.
    pub returns_smoothly: bool,
    /// The noise of a sample: one standard deviation an axis.
    pub noise_m: f64,
}

/// The most frames that a rotation can be measured over.
pub(super) const MOST_TURN_FRAMES: usize = 6;

impl Default for Options {
    fn default() -> Self {
        Self {
            turn_memory_s: 0.1,
            turn_over_frames: 4,
            centres: CentreUse::Rigid,
            rays: RayRule::Projection,
            learns_from_predictions: false,
            returns_smoothly: true,
            noise_m: 1e-3,
        }
    }
}

impl Options {
    /// As the document has it: the last rotation goes on for ever, centres place whole segments alone, and predictions
    /// are learnt from.
    pub fn as_printed() -> Self {
        Self {
            turn_memory_s: f64::INFINITY,
            turn_over_frames: 1,
            centres: CentreUse::WholeSegments,
            learns_from_predictions: true,
            ..Self::default()
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.turn_memory_s.is_nan() || self.turn_memory_s < 0.0 {
            let got = self.turn_memory_s;
            return Err(Error::argument(format!("turn memory: need seconds from 0 up, got {got}")));
        }
        if !(1..=MOST_TURN_FRAMES).contains(&self.turn_over_frames) {
            let got = self.turn_over_frames;
            return Err(Error::argument(format!(
                "frames of a turn: need 1 to {MOST_TURN_FRAMES}, got {got}"
            )));
        }
        if !(self.noise_m.is_finite() && self.noise_m > 0.0) {
            let got = self.noise_m;
            return Err(Error::argument(format!("noise: need metres above 0, got {got}")));
        }
        Ok(())
    }
}
