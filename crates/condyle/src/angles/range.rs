//! What the angles of all frames have in common: extremes, and stretches with a property.

use std::ops::Range;

/// The smallest and the largest of each angle.
pub(super) fn of(angles_rad: &[Option<[f64; 3]>]) -> Option<[[f64; 2]; 3]> {
    angles_rad.iter().flatten().fold(None, |range: Option<[[f64; 2]; 3]>, angles| {
        let range = range.unwrap_or_else(|| angles.map(|angle| [angle, angle]));
        Some(std::array::from_fn(|i| [range[i][0].min(angles[i]), range[i][1].max(angles[i])]))
    })
}

/// The stretches of frames whose angles have a property.
pub(super) fn stretches(
    angles_rad: &[Option<[f64; 3]>],
    has_it: impl Fn(&[f64; 3]) -> bool,
) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (frame, angles) in angles_rad.iter().enumerate() {
        if !angles.as_ref().is_some_and(&has_it) {
            continue;
        }
        match stretches.last_mut() {
            Some(last) if last.end == frame => last.end = frame + 1,
            _ => stretches.push(frame..frame + 1),
        }
    }
    stretches
}
