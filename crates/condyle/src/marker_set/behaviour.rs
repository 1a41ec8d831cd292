//! Points that behave like no marker: those that never move, and those that follow exactly from others.

use nalgebra::{DMatrix, DVector, Vector3};

use crate::order;
use crate::plan::ExclusionReason;
use crate::statistics::{median, quantile};
use crate::trial::{Marker, Trial};

/// Frames looked at, evenly spread.
const MAX_FRAMES: usize = 256;
/// The fewest frames that say anything: four for every weight.
const MIN_FRAMES: usize = 40;
/// A point that never moves stays within so much, in metres, or within its noise.
const STILL_M: f64 = 3e-4;
/// Within so many times its white noise: from the 2 % to the 98 % quantile of a normal distribution are 4.1.
const STILL_NOISE: f64 = 5.0;
/// But within no more than this, in metres.
const MAX_STILL_M: f64 = 2e-3;
/// A point that moves goes so far at least, in metres.
const MOVES_M: f64 = 0.05;
/// The fewest points that move, for others to stand out as still.
const MIN_MOVING: usize = 3;
/// A point is a combination of the others if so small a share of its own noise is left over: the noise of a marker of
/// its own cannot be predicted.
const EXACT: f64 = 0.1;
/// Below this the noise of a marker is that of the numbers in its file, in metres.
const LEAST_NOISE_M: f64 = 2e-6;
/// Of how many of the nearest points a point may be made.
const NEAREST: usize = 10;
/// Smaller weights are none.
const LEAST_WEIGHT: f64 = 1e-3;
/// If a larger share of the points follows from others, the recording has no noise and nothing can be said.
const MAX_SHARE: f64 = 1.0 / 3.0;
/// More points than this are not compared: the time grows with their square.
const MAX_POINTS: usize = 600;
/// The median of the size of a normal variable over its deviation, and the deviation of third differences.
const THIRD_DIFFERENCE: f64 = 0.674_5 * 4.472_136;

/// What the positions of points say of them, beside which they are no markers of a performer.
///
/// # Method
/// A point never moves if it stays within its noise, while at least three others go far and none of those keeps its
/// distance from it: a still foot keeps its ankle. A point is a combination if an affine combination of its nearest
/// (weights that add up to one) leaves a tenth of its own white noise at most, and if it has the largest weight of all
/// that are in the relation: the middle of two, not either of them. Only points that move are asked.
pub(super) fn reasons(trial: &Trial, is_asked: &[bool]) -> Vec<Option<ExclusionReason>> {
    let mut reasons = vec![None; trial.markers.len()];
    let step = trial.frames.div_ceil(MAX_FRAMES).max(1);
    let tracks: Vec<Track> = (0..trial.markers.len())
        .filter(|marker| is_asked[*marker])
        .filter_map(|marker| Track::of(marker, &trial.markers[marker], step))
        .collect();
    if tracks.len() > MAX_POINTS {
        return reasons;
    }
    for track in &tracks {
        if track.is_still() && stands_out(track, &tracks) {
            reasons[track.marker] = Some(ExclusionReason::NeverMoves);
        }
    }
    // Where nothing moves everything follows from anything.
    let moving = |track: &&Track| track.range_m > MOVES_M;
    let tracks: Vec<&Track> = tracks.iter().filter(moving).collect();
    let is_copy = |at: usize| tracks[..at].iter().any(|first| tracks[at].is_copy_of(first));
    let (copies, single): (Vec<usize>, Vec<usize>) = (0..tracks.len()).partition(|at| is_copy(*at));
    let single: Vec<&Track> = single.into_iter().map(|at| tracks[at]).collect();
    let follows = single.iter().filter(|track| is_combination(track, &single));
    let combined: Vec<usize> =
        copies.iter().map(|at| tracks[*at]).chain(follows.copied()).map(|t| t.marker).collect();
    if combined.len() as f64 <= MAX_SHARE * tracks.len() as f64 {
        combined
            .into_iter()
            .for_each(|marker| reasons[marker] = Some(ExclusionReason::Combination));
    }
    reasons
}

/// Where a point is in some frames.
struct Track {
    marker: usize,
    places_m: Vec<Option<Vector3<f64>>>,
    middle_m: Vector3<f64>,
    /// How far it goes along its longest axis, without the outermost.
    range_m: f64,
    /// Its white noise.
    noise_m: f64,
}

impl Track {
    fn of(marker: usize, track: &Marker, step: usize) -> Option<Self> {
        let place = |frame| Some(track.position_m(frame)?.coords);
        let places_m: Vec<_> = (0..track.frames()).step_by(step).map(place).collect();
        if places_m.iter().flatten().count() < MIN_FRAMES {
            return None;
        }
        let along = |axis: usize| places_m.iter().flatten().map(move |place| place[axis]);
        let share = |axis: usize, share: f64| quantile(along(axis), share).unwrap_or_default();
        let middle_m = Vector3::from_fn(|axis, _| share(axis, 0.5));
        let range_m = (0..3).map(|axis| share(axis, 0.98) - share(axis, 0.02)).fold(0.0, f64::max);
        Some(Self { marker, middle_m, range_m, noise_m: noise_m(track)?, places_m })
    }

    /// What may be left over of it if it follows from others.
    fn exact_m(&self) -> f64 {
        EXACT * self.noise_m.max(LEAST_NOISE_M)
    }

    fn is_copy_of(&self, other: &Self) -> bool {
        (self.middle_m - other.middle_m).norm() <= self.exact_m()
            && off_m(self, &[other], &[1.0]).is_some_and(|off_m| off_m <= self.exact_m())
    }

    fn is_still(&self) -> bool {
        self.range_m <= (STILL_NOISE * self.noise_m).clamp(STILL_M, MAX_STILL_M)
    }
}

/// The white noise of a point, by its third differences.
fn noise_m(track: &Marker) -> Option<f64> {
    let place = |frame: usize| Some(track.position_m(frame)?.coords);
    let third = |frame: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|after| place(frame + after));
        Some((d? - c? * 3.0 + b? * 3.0 - a?).abs())
    };
    let frames = track.frames().saturating_sub(3);
    let frames = (0..frames).step_by(frames.div_ceil(MAX_FRAMES).max(1));
    let thirds: Vec<f64> = frames.filter_map(third).flat_map(|t| [t.x, t.y, t.z]).collect();
    Some(median(thirds)? / THIRD_DIFFERENCE)
}

/// Whether enough points move, and all that do go to and from this one.
fn stands_out(still: &Track, tracks: &[Track]) -> bool {
    let moving = || tracks.iter().filter(|other| other.range_m > MOVES_M);
    let goes = |other: &Track| {
        let both = still.places_m.iter().zip(&other.places_m);
        let apart: Vec<f64> = both.filter_map(|(a, b)| Some(((*a)? - (*b)?).norm())).collect();
        let far = quantile(apart.iter().copied(), 0.98).unwrap_or_default();
        far - quantile(apart, 0.02).unwrap_or_default() > MOVES_M
    };
    moving().count() >= MIN_MOVING && moving().all(goes)
}

/// Whether a point follows from others and no other point of the relation does so rather.
fn is_combination(point: &Track, tracks: &[&Track]) -> bool {
    let mut others: Vec<&Track> =
        tracks.iter().filter(|other| other.marker != point.marker).copied().collect();
    let apart_m = |other: &&Track| (other.middle_m - point.middle_m).norm();
    order::by(&mut others, |a, b| apart_m(a).total_cmp(&apart_m(b)));
    others.truncate(NEAREST);
    let limit_m = point.exact_m();
    while others.len() >= 2 {
        let Some(weights) = weights(point, &others) else { return false };
        if off_m(point, &others, &weights).is_none_or(|off_m| off_m > limit_m) {
            return false;
        }
        let counts = |(_, weight): &(&Track, f64)| weight.abs() > LEAST_WEIGHT;
        let kept = others.iter().copied().zip(weights.iter().copied()).filter(counts);
        let kept: Vec<&Track> = kept.map(|(other, _)| other).collect();
        if kept.len() == others.len() {
            return weights.iter().all(|weight| weight.abs() < 1.0 - LEAST_WEIGHT);
        }
        others = kept;
    }
    false
}

/// The weights, adding up to one, with which points come nearest to another; nothing if they are not determined.
fn weights(point: &Track, others: &[&Track]) -> Option<Vec<f64>> {
    let (first, rest) = others.split_first()?;
    let mut normal = DMatrix::<f64>::zeros(rest.len(), rest.len());
    let mut target = DVector::<f64>::zeros(rest.len());
    let mut rows = 0;
    for (frame, place) in point.places_m.iter().enumerate() {
        let (Some(place), Some(first)) = (place, first.places_m[frame]) else { continue };
        let from_first = |other: &&Track| Some(other.places_m[frame]? - first);
        let Some(columns) = rest.iter().map(from_first).collect::<Option<Vec<_>>>() else {
            continue;
        };
        rows += 1;
        for (i, one) in columns.iter().enumerate() {
            target[i] += one.dot(&(place - first));
            columns.iter().enumerate().for_each(|(j, other)| normal[(i, j)] += one.dot(other));
        }
    }
    let solved = normal.cholesky().filter(|_| rows >= MIN_FRAMES)?.solve(&target);
    let sum: f64 = solved.iter().sum();
    Some(std::iter::once(1.0 - sum).chain(solved.iter().copied()).collect())
}

/// How far a point is from the combination: rms a coordinate; nothing if they are seldom seen together.
fn off_m(point: &Track, others: &[&Track], weights: &[f64]) -> Option<f64> {
    let (mut square, mut frames) = (0.0, 0);
    for (frame, place) in point.places_m.iter().enumerate() {
        let Some(place) = place else { continue };
        let at = |(other, weight): (&&Track, &f64)| Some(other.places_m[frame]? * *weight);
        let parts = others.iter().zip(weights).map(at).collect::<Option<Vec<_>>>();
        if let Some(parts) = parts {
            square += (place - parts.iter().sum::<Vector3<f64>>()).norm_squared();
            frames += 1;
        }
    }
    (frames >= MIN_FRAMES).then(|| (square / (3 * frames) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Format, Marker};
    use nalgebra::Point3;

    /// Points on a ring that goes round, with noise that repeats itself seldom.
    fn moving(points: usize, noise_m: f64) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 300;
        for point in 0..points {
            let phase = 2.4 * point as f64;
            let noise = |frame: usize, axis: usize| {
                let seed = (frame * 31 + point * 977 + axis * 7919) as f64;
                noise_m * ((seed * 12.9898).sin() * 43758.5453).fract()
            };
            let place = |frame: usize| {
                let t = frame as f64 / 100.0;
                let at = [(t + phase).cos(), (0.7 * t + phase).sin(), (0.3 * t).sin() + phase];
                Some(Point3::new(
                    0.4 * at[0] + noise(frame, 0),
                    0.4 * at[1] + noise(frame, 1),
                    0.2 * at[2] + noise(frame, 2),
                ))
            };
            let label = format!("P{point}");
            trial.markers.push(Marker::from_positions(label, (0..300).map(place)));
        }
        trial
    }

    fn found(trial: &Trial) -> Vec<Option<ExclusionReason>> {
        reasons(trial, &vec![true; trial.markers.len()])
    }

    #[test]
    fn the_middle_of_two_a_copy_and_a_point_on_the_wall_are_no_markers() {
        let mut trial = moving(8, 3e-4);
        let at = |marker: usize, frame: usize| trial.markers[marker].position_m(frame).unwrap();
        let middle = (0..300).map(|f| Some(nalgebra::center(&at(1, f), &at(4, f))));
        let middle = Marker::from_positions("middle", middle.collect::<Vec<_>>());
        let copy =
            Marker::from_positions("copy", (0..300).map(|f| Some(at(2, f))).collect::<Vec<_>>());
        let wall = (0..300).map(|f| Some(Point3::new(3.0, 0.2, 1.0 + 1e-4 * f64::from(f % 2))));
        let wall = Marker::from_positions("wall", wall.collect::<Vec<_>>());
        trial.markers.extend([middle, copy, wall]);
        let mut expected = vec![None; 8];
        expected.extend(
            [
                ExclusionReason::Combination,
                ExclusionReason::Combination,
                ExclusionReason::NeverMoves,
            ]
            .map(Some),
        );
        assert_eq!(found(&trial), expected);
    }

    #[test]
    fn a_recording_without_noise_says_nothing_of_combinations() {
        let mut trial = moving(4, 0.0);
        // A rigid plate that only shifts: every corner follows from the other three.
        for corner in 0..4 {
            let place = |frame: usize| {
                let at = trial.markers[0].position_m(frame)?;
                Some(at + Vector3::new(f64::from(corner % 2), f64::from(corner / 2), 0.0) * 0.1)
            };
            let corner = Marker::from_positions("corner", (0..300).map(place).collect::<Vec<_>>());
            trial.markers.push(corner);
        }
        assert!(found(&trial).iter().all(|reason| *reason != Some(ExclusionReason::NeverMoves)));
    }

    #[test]
    fn of_a_recording_in_which_nothing_moves_nothing_is_said() {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = 300;
        for point in 0..8 {
            let at = f64::from(point);
            let place = Point3::new(0.1 * at, 0.01 * at * at, 1.0);
            trial.markers.push(Marker::from_positions(format!("P{point}"), [Some(place); 300]));
        }
        assert!(found(&trial).iter().all(Option::is_none));
    }

    #[test]
    fn a_foot_that_stands_still_below_its_ankle_is_a_foot() {
        let mut trial = moving(6, 3e-4);
        let still = |frame: usize| Some(Point3::new(0.0, 0.0, 1e-4 * (frame % 2) as f64));
        trial.markers.push(Marker::from_positions("heel", (0..300).map(still)));
        let ankle = |frame: usize| {
            let angle = 0.8 * (frame as f64 / 50.0).sin();
            Some(Point3::new(0.1 * angle.cos(), 0.1 * angle.sin(), 0.0))
        };
        trial.markers.push(Marker::from_positions("ankle", (0..300).map(ankle)));
        assert_eq!(found(&trial)[6], None);
    }
}
