//! Samples far from where the point is just before and after.

use std::ops::Range;

use nalgebra::Vector3;

use super::tracks::track;
use crate::statistics::median;
use crate::trial::{Origin, Trial};

/// The frames before and after that a sample is compared with, in seconds.
const HALF_WINDOW_S: f64 = 0.12;
/// A sample so far from their median jumped, and so many times farther than samples are as a rule.
const FAR_M: f64 = 0.06;
const FAR_TIMES: f64 = 5.0;

/// Takes samples out that jumped: for every marker given their frames.
///
/// Bad stretches are compared with nothing else, and nothing else with them.
pub fn remove_jumps(
    trial: &mut Trial,
    markers: &[usize],
    bad: &[Range<usize>],
) -> Vec<(usize, Vec<usize>)> {
    let half = ((HALF_WINDOW_S * trial.rate_hz).round() as usize).max(1);
    let mut all = Vec::new();
    for &marker in markers {
        let track = track(trial, marker);
        let mut cuts: Vec<usize> = bad.iter().flat_map(|range| [range.start, range.end]).collect();
        cuts.extend([0, track.len()]);
        cuts.sort_unstable();
        let parts = cuts.windows(2).filter(|part| part[0] < part[1]);
        let frames: Vec<usize> = parts
            .flat_map(|part| {
                jumped(&track[part[0]..part[1]], half).into_iter().map(|f| f + part[0])
            })
            .collect();
        for &frame in &frames {
            trial.markers[marker].set(frame, None, Origin::Missing);
        }
        if !frames.is_empty() {
            all.push((marker, frames));
        }
    }
    all
}

fn jumped(track: &[Option<Vector3<f64>>], half: usize) -> Vec<usize> {
    let seen = |at: &Option<Vector3<f64>>| at.is_some();
    let (first, last) = (track.iter().position(seen), track.iter().rposition(seen));
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    let off_m: Vec<Option<f64>> = (first..=last)
        .map(|frame| {
            // As far to both sides: where a window is cut off, whoever walks is far from its middle.
            let half = half.min(frame - first).min(last - frame);
            let window = &track[frame - half..frame + half + 1];
            let middle = |axis: usize| median(window.iter().flatten().map(|at| at[axis]));
            let middle_m = Vector3::new(middle(0)?, middle(1)?, middle(2)?);
            Some((track[frame]? - middle_m).norm())
        })
        .collect();
    let usual_m = median(off_m.iter().flatten().copied()).unwrap_or(0.0);
    let far_m = FAR_M.max(FAR_TIMES * usual_m);
    (first..=last)
        .filter(|frame| off_m[*frame - first].is_some_and(|off_m| off_m > far_m))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walking(frames: usize) -> Vec<Option<Vector3<f64>>> {
        (0..frames).map(|f| Some(Vector3::new(1.5 * f as f64 / 60.0, 0.0, 0.9))).collect()
    }

    #[test]
    fn whoever_walks_does_not_jump_where_the_recording_ends() {
        assert_eq!(jumped(&walking(120), 7), Vec::<usize>::new());
    }

    #[test]
    fn what_jumps_and_comes_back_is_found() {
        let mut track = walking(120);
        for at in track[50..54].iter_mut().flatten() {
            at.y += 0.1;
        }
        assert_eq!(jumped(&track, 7), [50, 51, 52, 53]);
    }
}
