//! Rates of change of angles, from a parabola through the frames about each.

use nalgebra::{Matrix3, Vector3};

/// The rate of change of each angle in every frame.
///
/// # Method
/// The slope, at the frame itself, of the parabola that fits best to the frames within the half window; at least
/// one frame on either side is looked at. `None` with fewer than four frames to fit, or without a rate.
///
/// # Reference
/// A. Savitzky, M. Golay 1964, *Smoothing and differentiation of data by simplified least squares procedures*.
pub(super) fn of(
    angles_rad: &[Option<[f64; 3]>],
    rate_hz: f64,
    half_window_s: f64,
) -> Vec<Option<[f64; 3]>> {
    let half = (half_window_s * rate_hz).round();
    if !(rate_hz > 0.0 && half.is_finite()) {
        return vec![None; angles_rad.len()];
    }
    let half = (half as usize).clamp(2, angles_rad.len().max(2));
    (0..angles_rad.len())
        .map(|frame| {
            angles_rad[frame]?;
            let window = frame.saturating_sub(half)..(frame + half + 1).min(angles_rad.len());
            slope(angles_rad, window, frame).map(|slope| slope.map(|by_frame| by_frame * rate_hz))
        })
        .collect()
}

/// The fewest frames that a parabola is fitted to.
const MIN_FRAMES: usize = 4;

fn slope(
    angles_rad: &[Option<[f64; 3]>],
    window: std::ops::Range<usize>,
    frame: usize,
) -> Option<[f64; 3]> {
    let mut normal = Matrix3::zeros();
    let mut right = Matrix3::zeros();
    let mut count = 0;
    for at in window {
        let Some(angles) = angles_rad[at] else { continue };
        let t = at as f64 - frame as f64;
        let powers = Vector3::new(1.0, t, t * t);
        normal += powers * powers.transpose();
        right += powers * Vector3::from(angles).transpose();
        count += 1;
    }
    if count < MIN_FRAMES {
        return None;
    }
    let fitted = normal.try_inverse()? * right;
    Some([fitted[(1, 0)], fitted[(1, 1)], fitted[(1, 2)]])
}
