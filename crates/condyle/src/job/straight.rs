//! Samples on a straight line through time: a program joined the two ends of a gap.

use std::ops::Range;

use nalgebra::Vector3;

use super::repair::Repair;
use super::spikes::neighbours;
use crate::statistics::median;
use crate::swaps::Segments;
use crate::trial::{Marker, Origin, Trial};

/// A line lasts so long at least, in seconds and in frames,
const MIN_S: f64 = 0.08;
const MIN_FRAMES: usize = 8;
/// goes so far at least (who stays on one spot is told elsewhere),
const MIN_LENGTH_M: f64 = 0.005;
/// and bends by at most this share of what the marker bends as a rule: noise alone bends more.
const MAX_BEND: f64 = 0.05;
/// Two markers that move evenly for this share of it and stay so near the same distance meanwhile are on something that
/// does, as a foot on a treadmill.
const LEAST_CARRIED: f64 = 0.4;
const SAME_DISTANCE_M: f64 = 0.002;
/// It ends in corners: beside it a marker bends so many times as much as anywhere on it. Smooth motion bends little by little.
const MIN_CORNER: f64 = 5.0;

/// Takes samples out that a program made up by joining the ends of gaps with straight lines.
///
/// # Method
/// What is measured has noise, and what moves with a body turns: second differences of a marker are never nearly zero for
/// long. Stretches in which they are, between two corners, while those of its neighbours are not, were not measured.
pub(super) fn take_out(trial: &mut Trial, segments: &Segments) -> Option<Repair> {
    let least = ((MIN_S * trial.rate_hz).round() as usize).max(MIN_FRAMES);
    let usual_m: Vec<f64> = trial.markers.iter().map(usual_bend_m).collect();
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    for (own, markers) in segments.markers.iter().enumerate() {
        let neighbours = neighbours(segments, own);
        for &marker in markers {
            let lines = lines(&trial.markers[marker], MAX_BEND * usual_m[marker], least);
            let is_alone = |line: &Range<usize>| {
                let others = neighbours.iter().copied().filter(|other| *other != marker);
                let straight = |other: usize| {
                    let is_straight = |frame: &usize| {
                        let bend = bend(&trial.markers[other], *frame);
                        bend.is_some_and(|bend| bend.norm() <= MAX_BEND * usual_m[other])
                    };
                    let is_seen = |frame: &usize| trial.markers[other].position_m(*frame).is_some();
                    let seen = line.clone().filter(is_seen).count();
                    (2 * seen >= line.len())
                        .then(|| (other, line.clone().filter(is_straight).collect::<Vec<usize>>()))
                };
                let others: Vec<(usize, Vec<usize>)> = others.filter_map(straight).collect();
                let all_along = others.iter().filter(|(_, frames)| frames.len() == line.len());
                let is_carried = |(other, frames): &(usize, Vec<usize>)| {
                    frames.len() as f64 >= LEAST_CARRIED * line.len() as f64
                        && keep_their_distance(trial, [marker, *other], frames)
                };
                2 * all_along.count() < others.len() && !others.iter().any(is_carried)
            };
            found.extend(lines.filter(is_alone).map(|line| (marker, line)));
        }
    }
    let frame = found.iter().map(|(_, line)| line.start).min()?;
    let mut labels: Vec<String> = Vec::new();
    let mut samples = 0;
    for (marker, line) in found {
        let own = &mut trial.markers[marker];
        if labels.last() != Some(&own.label) {
            labels.push(own.label.clone());
        }
        samples += line.len();
        line.for_each(|frame| own.set(frame, None, Origin::Missing));
    }
    Some(Repair::LinesRemoved { labels, samples, frame })
}

/// The second difference at a frame.
fn bend(marker: &Marker, frame: usize) -> Option<Vector3<f64>> {
    let at = |frame: usize| Some(marker.position_m(frame)?.coords);
    Some(at(frame.checked_sub(1)?)? - 2.0 * at(frame)? + at(frame + 1)?)
}

fn frames_with_both_beside(marker: &Marker) -> Range<usize> {
    1..marker.frames().max(2) - 1
}

/// How far a marker bends as a rule.
fn usual_bend_m(marker: &Marker) -> f64 {
    let bends = frames_with_both_beside(marker).filter_map(|frame| bend(marker, frame));
    median(bends.map(|bend| bend.norm())).unwrap_or(0.0)
}

/// How far a marker bends at most in frames that show it; `None` where too few do.
fn largest_bend_m(marker: &Marker, frames: &Range<usize>) -> Option<f64> {
    let bends = frames.clone().filter(|frame| frame + 1 < marker.frames());
    let bends: Vec<f64> = bends.filter_map(|frame| Some(bend(marker, frame)?.norm())).collect();
    (2 * bends.len() >= frames.len()).then(|| bends.into_iter().fold(0.0, f64::max))
}

/// Whether two markers stay where they are beside each other.
fn keep_their_distance(trial: &Trial, pair: [usize; 2], frames: &[usize]) -> bool {
    let apart_m = |frame: &usize| {
        let [a, b] = pair.map(|marker| trial.markers[marker].position_m(*frame));
        Some((a? - b?).norm())
    };
    let (least_m, most_m) = frames
        .iter()
        .filter_map(apart_m)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), apart_m| {
            (l.min(apart_m), m.max(apart_m))
        });
    most_m - least_m < SAME_DISTANCE_M
}

/// The frames between the ends of straight lines.
fn lines(marker: &Marker, most_m: f64, least: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_straight = move |frame: usize| {
        bend(marker, frame).is_some_and(|bend| most_m > 0.0 && bend.norm() <= most_m)
    };
    let ends = frames_with_both_beside(marker);
    let begins = ends.clone().filter(move |frame| is_straight(*frame) && !is_straight(frame - 1));
    let whole = move |first: usize| {
        first..(first..ends.end).find(|frame| !is_straight(*frame)).unwrap_or(ends.end)
    };
    let goes_m = move |line: &Range<usize>| {
        let (a, b) = (marker.position_m(line.start - 1)?, marker.position_m(line.end)?);
        Some((b - a).norm())
    };
    let has_corners = move |line: &Range<usize>| {
        let inside_m = largest_bend_m(marker, line).unwrap_or(0.0);
        let mut corners_m =
            [line.start - 1, line.end].into_iter().filter_map(|at| bend(marker, at)).peekable();
        corners_m.peek().is_some() && corners_m.all(|bend| bend.norm() > MIN_CORNER * inside_m)
    };
    begins.map(whole).filter(move |line| {
        let is_far = goes_m(line).is_some_and(|length_m| length_m >= MIN_LENGTH_M);
        line.len() >= least && is_far && has_corners(line)
    })
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::super::plan::plan_markers;
    use super::super::repair::planned_segments;
    use super::*;
    use crate::simulate::{self, Performer, Routine, simulate};

    fn recording(routine: Routine, noise_m: f64, seed: u64) -> Trial {
        let options = simulate::Options {
            seconds: 4.0,
            rate_hz: 100.0,
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
    fn gaps_joined_by_straight_lines_are_gaps_again_and_nothing_else_is() {
        let clean = recording(Routine::Walk, 0.0005, 4);
        let mut trial = clean.clone();
        let gaps = [(3, 60..90), (8, 120..150), (8, 200..220), (20, 250..300)];
        for (marker, gap) in &gaps {
            let own = &clean.markers[*marker];
            let at = |frame: usize| own.position_m(frame).unwrap();
            let (a, b) = (at(gap.start - 1), at(gap.end));
            for frame in gap.clone() {
                let share = (frame + 1 - gap.start) as f64 / (gap.len() + 1) as f64;
                // As a file of micrometres has it.
                let joined = (a + share * (b - a)).coords.map(|x| (x * 1e6).round() * 1e-6);
                trial.markers[*marker].set(frame, Some(joined.into()), Origin::Measured);
            }
        }
        let repair = take_out_of(&mut trial);
        let Some(Repair::LinesRemoved { labels, samples, frame }) = repair else {
            panic!("{repair:?}")
        };
        assert_eq!((labels.len(), samples, frame), (3, 130, 60));
        for (index, (own, before)) in trial.markers.iter().zip(&clean.markers).enumerate() {
            for frame in 0..clean.frames {
                let is_gap = gaps.iter().any(|(m, gap)| *m == index && gap.contains(&frame));
                let expected = if is_gap { None } else { before.position_m(frame) };
                assert_eq!(own.position_m(frame), expected, "{} at {frame}", own.label);
            }
        }
    }

    #[test]
    fn what_moves_without_noise_or_uniformly_is_not_joined() {
        for routine in [Routine::Walk, Routine::Rom, Routine::ChickenWalk] {
            for noise_m in [0.0, 0.0002, 0.002] {
                assert_eq!(take_out_of(&mut recording(routine, noise_m, 2)), None, "{routine:?}");
            }
        }
        // Stored in whole millimetres, all of it shifted evenly.
        let mut trial = recording(Routine::Walk, 0.0, 2);
        for marker in &mut trial.markers {
            for frame in 0..marker.frames() {
                let shift = 0.01 * frame as f64;
                let whole =
                    |p: nalgebra::Point3<f64>| p.coords.map(|x| ((x + shift) * 1e3).round() * 1e-3);
                let at = marker.position_m(frame).map(|p| whole(p).into());
                marker.set(frame, at, Origin::Measured);
            }
        }
        assert_eq!(take_out_of(&mut trial), None);
    }
}
