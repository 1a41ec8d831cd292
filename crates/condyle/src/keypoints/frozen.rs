//! Samples that repeat the one before to the last digit: programs that lose a point hold it where it was.

use super::stretches::{BadStretch, joined};
use super::tracks::{Track, track};
use crate::trial::{Origin, Trial};

/// So long at least, in frames and in seconds: slower recordings that were made faster repeat every sample a few times.
pub(super) const MIN_FRAMES: usize = 5;
const MIN_S: f64 = 0.1;
/// A point that stands still for more than this share of its samples is as it was recorded, but where all points do.
const MAX_SHARE: f64 = 0.5;

/// Takes samples out that repeat the one before for a while: for every marker given their frames.
///
/// A recording of which nothing moves is left as it is.
pub fn remove_frozen(trial: &mut Trial, markers: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let least = ((MIN_S * trial.rate_hz).round() as usize).max(MIN_FRAMES);
    let tracks: Vec<Track> = markers.iter().map(|marker| track(trial, *marker)).collect();
    let repeated: Vec<Vec<usize>> = tracks.iter().map(|track| repeats(track, least)).collect();
    // Frames that show nothing new of any point, in a recording that moves.
    let mut still = vec![true; trial.frames];
    for (track, repeated) in tracks.iter().zip(&repeated) {
        let mut is_new: Vec<bool> = track.iter().map(Option::is_some).collect();
        repeated.iter().for_each(|frame| is_new[*frame] = false);
        still.iter_mut().zip(is_new).for_each(|(still, is_new)| *still &= !is_new);
    }
    let moving = still.iter().filter(|still| !**still).count();
    let mut all = Vec::new();
    for ((&marker, track), mut frames) in markers.iter().zip(&tracks).zip(repeated) {
        let samples = track.iter().flatten().count();
        if frames.len() as f64 > MAX_SHARE * samples as f64 {
            frames.retain(|frame| still[*frame] && moving > least);
        }
        if frames.is_empty() {
            continue;
        }
        for &frame in &frames {
            trial.markers[marker].set(frame, None, Origin::Missing);
        }
        all.push((marker, frames));
    }
    all
}

/// The frames of a track that repeat the one before, so many in a row at least; the first of them was seen.
fn repeats(track: &Track, least: usize) -> Vec<usize> {
    let mut frames = Vec::new();
    let mut first = 0;
    for frame in 1..=track.len() {
        if frame < track.len() && track[frame].is_some() && track[frame] == track[first] {
            continue;
        }
        if frame - first >= least && track[first].is_some() {
            frames.extend(first + 1..frame);
        }
        first = frame;
    }
    frames
}

/// Whether no point ever leaves the place where it was seen first.
pub(super) fn repeats_throughout(tracks: &[Track]) -> bool {
    tracks.iter().all(|track| {
        let first = track.iter().flatten().next();
        track.iter().flatten().all(|at| Some(at) == first)
    })
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
    fn a_recording_that_freezes_early_and_for_good_is_seen_until_then() {
        let mut trial = walking(30..120);
        let found = remove_frozen(&mut trial, &[0]);
        assert_eq!(found, [(0, (31..120).collect::<Vec<_>>())]);
    }

    #[test]
    fn a_point_that_stands_still_beside_one_that_moves_is_left() {
        let mut trial = walking(30..120);
        let moving = walking(0..0).markers.remove(0);
        trial.markers.push(moving);
        assert!(remove_frozen(&mut trial, &[0, 1]).is_empty());
    }

    #[test]
    fn samples_that_are_repeated_once_and_recordings_that_stand_still_are_left() {
        assert!(remove_frozen(&mut walking(40..43), &[0]).is_empty());
        assert!(remove_frozen(&mut walking(0..120), &[0]).is_empty());
    }
}
