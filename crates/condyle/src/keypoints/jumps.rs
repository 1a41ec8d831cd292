//! Samples far from where the point is just before and after.

use nalgebra::Vector3;

use super::tracks::{Track, track};
use crate::statistics::median;
use crate::trial::{Origin, Trial};

/// The frames before and after that a sample is compared with, in seconds.
const HALF_WINDOW_S: f64 = 0.12;
/// A sample so far from their median jumped, and so many times farther than samples are as a rule.
const FAR_M: f64 = 0.06;
const FAR_TIMES: f64 = 5.0;

/// Takes samples out that jumped: for every marker given their frames.
pub fn remove_jumps(trial: &mut Trial, markers: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let half = ((HALF_WINDOW_S * trial.rate_hz).round() as usize).max(1);
    let mut all = Vec::new();
    for &marker in markers {
        let frames = jumped(&track(trial, marker), half);
        for &frame in &frames {
            trial.markers[marker].set(frame, None, Origin::Missing);
        }
        if !frames.is_empty() {
            all.push((marker, frames));
        }
    }
    all
}

fn jumped(track: &Track, half: usize) -> Vec<usize> {
    let off_m: Vec<Option<f64>> = (0..track.len())
        .map(|frame| {
            let window = &track[frame.saturating_sub(half)..(frame + half + 1).min(track.len())];
            let middle = |axis: usize| median(window.iter().flatten().map(|at| at[axis]));
            let middle_m = Vector3::new(middle(0)?, middle(1)?, middle(2)?);
            Some((track[frame]? - middle_m).norm())
        })
        .collect();
    let usual_m = median(off_m.iter().flatten().copied()).unwrap_or(0.0);
    let far_m = FAR_M.max(FAR_TIMES * usual_m);
    (0..track.len()).filter(|frame| off_m[*frame].is_some_and(|off_m| off_m > far_m)).collect()
}
