//! The scale of a tracking system, from two sensors at a known distance.

use crate::calibrate::correlation::inflation_of;
use crate::error::{Error, Result};
use crate::statistics::mean_and_sd;
use crate::trial::Body;

/// What two sensors at a known distance say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// What lengths are to be multiplied by.
    pub factor: f64,
    /// Its standard error.
    pub factor_sd: f64,
    /// The mean distance as recorded.
    pub mean_m: f64,
    /// How much the distance varies, scaled: the noise of the system.
    pub noise_m: f64,
    /// The least and the largest distance as recorded.
    pub extremes_m: [f64; 2],
    /// The frames that show both.
    pub samples: usize,
}

/// Compares the recorded distance of two bodies, fixed to one rigid thing that was moved through the
/// volume, with the true one.
///
/// # Reference
/// O'Brien (2000), section 4: 56.5 cm apart, a factor of 0.94, a standard deviation of 0.7 cm.
///
/// # Errors
/// A distance that is not positive, fewer than two frames that show both, or bodies in one place.
pub fn scale_factor(one: &Body, other: &Body, distance_m: f64) -> Result<Scale> {
    if !(distance_m.is_finite() && distance_m > 0.0) {
        return Err(Error::argument(format!("distance: need a positive number, got {distance_m}")));
    }
    let frames = 0..one.frames().min(other.frames());
    let distances: Vec<f64> = frames
        .filter_map(|frame| Some((one.position_m(frame)? - other.position_m(frame)?).norm()))
        .collect();
    let apart = mean_and_sd(distances.iter().copied());
    let Some((mean_m, sd_m)) = apart.filter(|(mean_m, _)| distances.len() > 1 && *mean_m > 0.0)
    else {
        return Err(Error::undetermined(format!(
            "bodies '{}' and '{}': need 2 frames that show both apart, got {}",
            one.name,
            other.name,
            distances.iter().filter(|d| **d > 0.0).count()
        )));
    };
    let off: Vec<f64> = distances.iter().map(|d| d - mean_m).collect();
    let factor = distance_m / mean_m;
    let factor_sd = factor * sd_m * (inflation_of(&off) / off.len() as f64).sqrt() / mean_m;
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(0.0, f64::max);
    Ok(Scale {
        factor,
        factor_sd,
        mean_m,
        noise_m: factor * sd_m,
        extremes_m: [least, most],
        samples: distances.len(),
    })
}
