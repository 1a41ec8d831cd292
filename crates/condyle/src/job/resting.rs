//! Markers that rest while the body goes on: fallen off, or held where they were when they were lost.

use std::ops::Range;

use nalgebra::Point3;

use super::repair::Repair;
use crate::order;
use crate::swaps::Segments;
use crate::trial::{Marker, Origin, Trial};

/// A marker rests for so long at least, in seconds and in frames,
const MIN_S: f64 = 0.1;
const MIN_FRAMES: usize = 5;
/// and stays so near the mean of where it was since.
const MAX_WANDER_M: f64 = 0.01;
/// All its neighbours come nearer or go away by this much: skin slides less.
const MIN_CHANGE_M: f64 = 0.04;
/// The same if it has no neighbour on its own segment: joints bend.
const MIN_CHANGE_ACROSS_JOINTS_M: f64 = 0.15;
/// The same for samples that repeat to the last digit, on one segment.
const MIN_CHANGE_HELD_M: f64 = 0.015;

/// A rest is long if it takes this share of a marker's samples, and so many seconds.
const LONG_SHARE: f64 = 0.4;
const LONG_S: f64 = 1.0;

/// Which rests are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rests {
    /// Long ones, and samples that repeat: they would be taken for exchanged labels.
    Obvious,
    /// All: under exchanged labels a foot that stands would be one.
    All,
}

/// A stretch in which a marker rests.
#[derive(Debug, Clone, Copy)]
struct Rest {
    marker: usize,
    first: usize,
    end: usize,
    is_held: bool,
}

/// Takes samples out that cannot be on the body.
///
/// # Method
/// A marker that stays on one spot while all its neighbours (of its segment, the one that this hangs on, and those that
/// hang on this one) come nearer or go away is not on its segment: it lies on the floor, or a program repeats the last
/// place where it was seen. A foot that stands keeps its distances. Neighbours that repeat their samples in the same
/// frames tell nothing.
pub(super) fn take_out(trial: &mut Trial, segments: &Segments, which: Rests) -> Vec<Repair> {
    let least = ((MIN_S * trial.rate_hz).round() as usize).max(MIN_FRAMES);
    let markers = segments.markers.concat();
    let held: Vec<Rest> =
        markers.iter().flat_map(|m| stretches(&trial.markers[*m], *m, least, true)).collect();
    let rests = markers.iter().flat_map(|m| stretches(&trial.markers[*m], *m, least, false));
    let mut off: Vec<Rest> = held
        .iter()
        .copied()
        .chain(rests)
        .filter(|rest| which == Rests::All || rest.is_held || is_long(trial, rest))
        .filter(|rest| is_off_the_body(trial, segments, &held, rest))
        .collect();
    order::by_key(&mut off, |rest| (rest.marker, rest.first));
    let mut repairs: Vec<Repair> = Vec::new();
    for rest in off {
        let seen = |frame: usize| trial.markers[rest.marker].position_m(frame).is_some();
        // Of held samples the first was seen; where nothing comes before, the last, and it is repeated backwards.
        let is_after_samples = rest.first > 0 && seen(rest.first - 1);
        let first = rest.first + usize::from(rest.is_held && is_after_samples);
        let end = rest.end - usize::from(rest.is_held && !is_after_samples);
        let samples: Vec<usize> = (first..end).filter(|frame| seen(*frame)).collect();
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else { continue };
        samples.iter().for_each(|at| trial.markers[rest.marker].set(*at, None, Origin::Missing));
        let label = trial.markers[rest.marker].label.clone();
        let frames = last + 1 - first;
        repairs.push(Repair::MarkerRests { label, frame: *first, frames, is_held: rest.is_held });
    }
    repairs
}

/// The stretches in which a marker stays where it is, or repeats its samples to the last digit.
fn stretches(marker: &Marker, index: usize, least: usize, held: bool) -> Vec<Rest> {
    let mut found = Vec::new();
    let (mut first, mut count) = (0, 0);
    let mut mean: Option<Point3<f64>> = None;
    let frames = marker.frames();
    for frame in 0..=frames {
        let position_m = if frame < frames { marker.position_m(frame) } else { None };
        let stays = match (mean, position_m) {
            (Some(mean), Some(p)) if held => p == mean,
            (Some(mean), Some(p)) => (p - mean).norm() < MAX_WANDER_M,
            // A marker that lies on the floor may be hidden for a while.
            (Some(_), None) => !held && frame < frames,
            (None, _) => false,
        };
        if stays {
            if let (Some(so_far), Some(p)) = (mean, position_m) {
                count += 1;
                mean = Some(if held { so_far } else { so_far + (p - so_far) / count as f64 });
            }
            continue;
        }
        if count >= least {
            found.push(Rest { marker: index, first, end: frame, is_held: held });
        }
        (first, count, mean) = (frame, usize::from(position_m.is_some()), position_m);
    }
    found
}

fn is_long(trial: &Trial, rest: &Rest) -> bool {
    let marker = &trial.markers[rest.marker];
    let seen = |frames: Range<usize>| frames.filter(|at| marker.position_m(*at).is_some()).count();
    let (own, all) = (seen(rest.first..rest.end) as f64, seen(0..trial.frames) as f64);
    own >= LONG_SHARE * all && own >= LONG_S * trial.rate_hz
}

fn is_off_the_body(trial: &Trial, segments: &Segments, held: &[Rest], rest: &Rest) -> bool {
    let own = segments.markers.iter().position(|own| own.contains(&rest.marker));
    let Some(own) = own else { return false };
    let is_held_too = |other: usize| {
        let overlaps = |r: &Rest| r.marker == other && r.first < rest.end && rest.first < r.end;
        rest.is_held && held.iter().any(overlaps)
    };
    let changes = |segment: usize| -> Vec<f64> {
        let others = segments.markers[segment].iter().copied();
        let others = others.filter(|other| *other != rest.marker && !is_held_too(*other));
        others.filter_map(|other| change_m(trial, rest, other)).collect()
    };
    let parent = |segment: usize| segments.parents.get(segment).copied().flatten();
    let beside = (0..segments.markers.len())
        .filter(|other| parent(own) == Some(*other) || parent(*other) == Some(own));
    let least = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
    let (on_own, beside) = (changes(own), beside.flat_map(changes).collect::<Vec<_>>());
    if on_own.is_empty() {
        return !beside.is_empty() && least(&beside) > MIN_CHANGE_ACROSS_JOINTS_M;
    }
    let limit_m = if rest.is_held { MIN_CHANGE_HELD_M } else { MIN_CHANGE_M };
    least(&on_own) > limit_m && least(&beside) > limit_m
}

/// By how much the distance to another marker changes while one rests.
fn change_m(trial: &Trial, rest: &Rest, other: usize) -> Option<f64> {
    let [own, other] = [rest.marker, other].map(|marker| &trial.markers[marker]);
    let apart = |frame| Some((own.position_m(frame)? - other.position_m(frame)?).norm());
    let mut range: Option<(f64, f64)> = None;
    for apart_m in (rest.first..rest.end).filter_map(apart) {
        let (low, high) = range.unwrap_or((apart_m, apart_m));
        range = Some((low.min(apart_m), high.max(apart_m)));
    }
    range.map(|(low, high)| high - low)
}
