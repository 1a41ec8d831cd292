//! Samples that repeat the one before to the last digit: programs that lose a point hold it where it was.

use super::stretches::{BadStretch, joined};
use super::tracks::track;
use crate::trial::{Origin, Trial};

/// So long at least, in frames and in seconds: slower recordings that were made faster repeat every sample a few times.
const MIN_FRAMES: usize = 5;
const MIN_S: f64 = 0.1;
/// A point that stands still for more than this share of its samples is as it was recorded: nothing else shows it.
const MAX_SHARE: f64 = 0.5;

/// Takes samples out that repeat the one before for a while: for every marker given their frames.
///
/// A recording of which nothing moves is left as it is.
pub fn remove_frozen(trial: &mut Trial, markers: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let least = ((MIN_S * trial.rate_hz).round() as usize).max(MIN_FRAMES);
    let mut all = Vec::new();
    for &marker in markers {
        let track = track(trial, marker);
        let mut frames: Vec<usize> = Vec::new();
        let mut first = 0;
        for frame in 1..=track.len() {
            if frame < track.len() && track[frame].is_some() && track[frame] == track[first] {
                continue;
            }
            // The first of them was seen.
            if frame - first >= least && track[first].is_some() {
                frames.extend(first + 1..frame);
            }
            first = frame;
        }
        let samples = track.iter().flatten().count();
        if frames.is_empty() || frames.len() as f64 > MAX_SHARE * samples as f64 {
            continue;
        }
        for &frame in &frames {
            trial.markers[marker].set(frame, None, Origin::Missing);
        }
        all.push((marker, frames));
    }
    all
}

/// The stretches in which half of the points or more were frozen.
pub fn frozen_stretches(
    frozen: &[(usize, Vec<usize>)],
    markers: usize,
    frames: usize,
) -> Vec<BadStretch> {
    let mut counts = vec![0; frames];
    frozen.iter().flat_map(|(_, frames)| frames).for_each(|frame| counts[*frame] += 1);
    let is_frozen = |frame: &usize| counts[*frame] > 0 && 2 * counts[*frame] >= markers;
    let why = "half of all points or more repeat the frame before: taken as missing";
    joined(&(0..frames).filter(is_frozen).collect::<Vec<_>>(), 0)
        .into_iter()
        .map(|frames| BadStretch { frames, why: why.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};
    use nalgebra::Point3;
    use std::ops::Range;

    fn walking(frozen: Range<usize>) -> Trial {
        let mut trial = Trial::new(Format::Trc, 60.0);
        trial.frames = 120;
        let at = |frame: usize| if frozen.contains(&frame) { frozen.start } else { frame };
        let places = (0..120).map(|frame| Some(Point3::new(0.02 * at(frame) as f64, 0.0, 0.9)));
        trial.markers.push(Marker::from_positions("LHip", places));
        trial
    }

    #[test]
    fn a_point_that_is_held_is_missing() {
        let mut trial = walking(40..70);
        let found = remove_frozen(&mut trial, &[0]);
        assert_eq!(found, [(0, (41..70).collect::<Vec<_>>())]);
        assert_eq!(trial.markers[0].position_m(41), None);
        assert_eq!(frozen_stretches(&found, 1, 120)[0].frames, 41..70);
    }

    #[test]
    fn samples_that_are_repeated_once_and_recordings_that_stand_still_are_left() {
        assert!(remove_frozen(&mut walking(40..43), &[0]).is_empty());
        assert!(remove_frozen(&mut walking(0..120), &[0]).is_empty());
    }
}
