//! Samples that jump away for a frame or two and come back: reflections, and rays that were paired wrongly.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::repair::Repair;
use crate::statistics::{median, quantile};
use crate::swaps::Segments;
use crate::trial::{Marker, Origin, Trial};

/// A spike lasts no longer, in seconds; one frame is always looked at.
const MAX_S: f64 = 0.025;
/// The samples before and after it are no farther apart, in seconds; two frames are always looked at.
const MAX_SPAN_S: f64 = 0.06;
/// It is at least so far from the line between them,
const MIN_OFF_M: f64 = 0.03;
/// and so many times farther than half of its neighbours are from theirs: a foot that hits the floor takes the shank along.
const MIN_TIMES_NEIGHBOURS: f64 = 4.0;
/// The same against what the marker itself does elsewhere: nine in ten of its own frames.
const MIN_TIMES_OWN: f64 = 4.0;
/// From the sample before to the one after a marker goes on by at most this share of how far the spike is off, beyond what
/// its neighbours go on: it comes back.
const MAX_GOES_ON: f64 = 0.5;

/// Some frames of a marker that are off.
struct Spike {
    marker: usize,
    frames: Range<usize>,
}

/// A frame, and where a marker is in it.
type Seen = (usize, Point3<f64>);

/// Takes samples out that jump away and come back.
///
/// # Method
/// Samples are compared with the straight line from the last sample before them to the first one after. Whoever moves
/// fast leaves that line too, and takes the neighbours along (markers of the segment, of the one that it hangs on and of
/// those that hang on it); a spike is far off where they are not, and where the marker itself is not as a rule.
pub(super) fn take_out(trial: &mut Trial, segments: &Segments) -> Option<Repair> {
    let longest = ((MAX_S * trial.rate_hz).floor() as usize).max(1);
    let span = ((MAX_SPAN_S * trial.rate_hz).floor() as usize).max(2);
    let mut spikes = Vec::new();
    for (own, markers) in segments.markers.iter().enumerate() {
        let neighbours = neighbours(segments, own);
        for &marker in markers {
            spikes.extend(of_marker(trial, marker, &neighbours, longest, span));
        }
    }
    let mut labels: Vec<String> = Vec::new();
    let mut samples = 0;
    let frame = spikes.iter().map(|spike| spike.frames.start).min()?;
    for Spike { marker, frames } in spikes {
        let own = &mut trial.markers[marker];
        if labels.last() != Some(&own.label) {
            labels.push(own.label.clone());
        }
        for frame in frames {
            samples += usize::from(own.position_m(frame).is_some());
            own.set(frame, None, Origin::Missing);
        }
    }
    Some(Repair::SpikesRemoved { labels, samples, frame })
}

/// The markers of a segment, of the one that it hangs on and of those that hang on it.
pub(super) fn neighbours(segments: &Segments, own: usize) -> Vec<usize> {
    let parent = |segment: usize| segments.parents.get(segment).copied().flatten();
    let near =
        |other: &usize| *other == own || parent(own) == Some(*other) || parent(*other) == Some(own);
    (0..segments.markers.len())
        .filter(near)
        .flat_map(|other| segments.markers[other].clone())
        .collect()
}

fn of_marker(
    trial: &Trial,
    marker: usize,
    neighbours: &[usize],
    longest: usize,
    span: usize,
) -> Vec<Spike> {
    let own = &trial.markers[marker];
    let mut found: Vec<Spike> = Vec::new();
    // What the marker does as a rule is asked only where something is far off.
    let mut usual_m = None;
    let mut frame = 1;
    while frame + 1 < own.frames() {
        let lengths = (1..=longest).rev();
        let spike = lengths.filter_map(|length| off(own, frame..frame + length, span)).find(
            |(frames, off_m)| {
                *off_m > MIN_OFF_M
                    && goes_on_m(trial, marker, neighbours, frames, span)
                        .is_some_and(|goes_on_m| goes_on_m <= MAX_GOES_ON * off_m)
                    && *off_m
                        > MIN_TIMES_OWN * *usual_m.get_or_insert_with(|| usual_off_m(own, span))
                    && *off_m
                        > MIN_TIMES_NEIGHBOURS
                            * neighbours_off_m(trial, marker, neighbours, frames, span)
            },
        );
        match spike {
            Some((frames, _)) => {
                frame = frames.end;
                found.push(Spike { marker, frames });
            }
            None => frame += 1,
        }
    }
    found
}

/// How far all samples of some frames are from the line between what is before and after them, at least; with the frames.
fn off(marker: &Marker, frames: Range<usize>, span: usize) -> Option<(Range<usize>, f64)> {
    let (before, after) = ends(marker, &frames, span)?;
    let line = |frame: usize| line_at(before, after, frame);
    let mut least_m = f64::INFINITY;
    for frame in frames.clone() {
        least_m = least_m.min((marker.position_m(frame)? - line(frame)).norm());
    }
    Some((frames, least_m))
}

/// How far a marker goes on from before some frames to after them, beyond what its neighbours go on: whoever walks fast
/// is elsewhere even a frame later.
fn goes_on_m(
    trial: &Trial,
    own: usize,
    neighbours: &[usize],
    frames: &Range<usize>,
    span: usize,
) -> Option<f64> {
    let (before, after) = ends(&trial.markers[own], frames, span)?;
    let goes_on = |other: &Marker| Some(other.position_m(after.0)? - other.position_m(before.0)?);
    let others = neighbours.iter().filter(|other| **other != own);
    let others: Vec<Vector3<f64>> =
        others.filter_map(|other| goes_on(&trial.markers[*other])).collect();
    let of_axis = |axis: usize| median(others.iter().map(|other| other[axis])).unwrap_or(0.0);
    let of_others = Vector3::new(of_axis(0), of_axis(1), of_axis(2));
    Some((after.1 - before.1 - of_others).norm())
}

/// The last sample before some frames and the first one after, with their frames.
fn ends(marker: &Marker, frames: &Range<usize>, span: usize) -> Option<(Seen, Seen)> {
    let first = frames.end.saturating_sub(span);
    let seen = |frame: usize| Some((frame, marker.position_m(frame)?));
    let before = (first..frames.start).rev().find_map(seen)?;
    let last = (before.0 + span + frames.len() - 1).min(marker.frames() - 1);
    let after = (frames.end..=last).find_map(seen)?;
    Some((before, after))
}

fn line_at(before: Seen, after: Seen, frame: usize) -> Point3<f64> {
    let share = (frame - before.0) as f64 / (after.0 - before.0) as f64;
    before.1 + share * (after.1 - before.1)
}

/// How far half of the neighbours are from their lines in the same frames; nothing where none is seen.
fn neighbours_off_m(
    trial: &Trial,
    own: usize,
    neighbours: &[usize],
    frames: &Range<usize>,
    span: usize,
) -> f64 {
    let off_m = |other: &usize| -> Option<f64> {
        let other = &trial.markers[*other];
        let (before, after) = ends(other, frames, span)?;
        let off = |frame: usize| -> Option<Vector3<f64>> {
            Some(other.position_m(frame)? - line_at(before, after, frame))
        };
        frames.clone().filter_map(off).map(|off| off.norm()).reduce(f64::max)
    };
    median(neighbours.iter().filter(|other| **other != own).filter_map(off_m)).unwrap_or(0.0)
}

/// How far nine in ten samples of a marker are from their lines at most.
fn usual_off_m(marker: &Marker, span: usize) -> f64 {
    let off_m = |frame: usize| -> Option<f64> {
        let (before, after) = ends(marker, &(frame..frame + 1), span)?;
        Some((marker.position_m(frame)? - line_at(before, after, frame)).norm())
    };
    quantile((1..marker.frames().saturating_sub(1)).filter_map(off_m), 0.9).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::super::options::Options;
    use super::super::plan::plan_markers;
    use super::super::repair::planned_segments;
    use super::*;
    use crate::simulate::{self, Performer, Routine, simulate};

    fn recording(routine: Routine, rate_hz: f64, noise_m: f64, seed: u64) -> Trial {
        let options = simulate::Options {
            seconds: 4.0,
            rate_hz,
            noise_m,
            seed,
            routine,
            ..Default::default()
        };
        simulate(&Performer::human(), &options).unwrap().trial
    }

    fn take_out_of(trial: &mut Trial) -> Option<Repair> {
        let plan = plan_markers(trial, &Options::default()).unwrap().plan;
        let segments = planned_segments(&plan, trial, trial);
        take_out(trial, &segments)
    }

    #[test]
    fn samples_that_jump_away_and_back_are_taken_out_and_no_others() {
        for rate_hz in [50.0, 100.0, 250.0] {
            let clean = recording(Routine::Walk, rate_hz, 0.001, 3);
            let mut trial = clean.clone();
            let longest = ((MAX_S * rate_hz) as usize).max(1);
            let off: [(usize, usize, usize, Vector3<f64>); 3] = [
                (2, 40, 1, Vector3::new(0.15, 0.0, 0.0)),
                (7, 60, longest, Vector3::new(0.0, -0.06, 0.02)),
                (12, 90, 1, Vector3::new(0.0, 0.0, -0.5)),
            ];
            for (marker, first, count, by_m) in off {
                for frame in first..first + count {
                    let at = clean.markers[marker].position_m(frame).unwrap();
                    trial.markers[marker].set(frame, Some(at + by_m), Origin::Measured);
                }
            }
            let repair = take_out_of(&mut trial);
            let Some(Repair::SpikesRemoved { samples, labels, .. }) = repair else {
                panic!("{repair:?}")
            };
            assert_eq!((samples, labels.len()), (2 + longest, 3), "{rate_hz} Hz");
            for (index, (own, before)) in trial.markers.iter().zip(&clean.markers).enumerate() {
                for frame in 0..clean.frames {
                    let is_off = off.iter().any(|(m, first, count, _)| {
                        *m == index && (*first..first + count).contains(&frame)
                    });
                    let expected = if is_off { None } else { before.position_m(frame) };
                    assert_eq!(own.position_m(frame), expected, "{} at {frame}", own.label);
                }
            }
        }
    }

    #[test]
    fn fast_motion_and_noise_are_no_spikes() {
        for routine in [Routine::Walk, Routine::Rom, Routine::ChickenWalk] {
            for (rate_hz, noise_m) in [(50.0, 0.003), (120.0, 0.003), (250.0, 0.0005)] {
                for seed in 0..3 {
                    let mut trial = recording(routine, rate_hz, noise_m, seed);
                    assert_eq!(take_out_of(&mut trial), None, "{routine:?} {rate_hz} {seed}");
                }
            }
        }
    }
}
