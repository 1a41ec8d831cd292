//! Left and right of a pair of labels on two limbs: exchanged, or limbs that are crossed.

use super::throughout::{MAX_STRETCH_M, Segments, distance_m};
use crate::statistics::median;
use crate::trial::Trial;

/// An exchange must leave at most this share of how much the distance to the steadiest neighbour varies.
const MAX_LEFT: f64 = 0.5;
/// Where no distance varies, exchanged labels are this much nearer to their neighbours,
const MAX_SHARE_AWAY: f64 = 0.5;
/// and farther from them than a forearm is long, as a share of the recording's extent in a frame.
const MIN_AWAY: f64 = 0.2;

/// Those of the pairs that are exchanged; the others are crossed.
///
/// # Method
/// Arms may be crossed throughout a recording. Their wrists then point against all other pairs, and keep their
/// distances from their own forearms. A pair on two segments is exchanged if the distance of its markers to the steadiest
/// neighbour (of their segment, the one it hangs on, and those that hang on it) varies much less when exchanged. If
/// arms are folded and still, no distance varies; then the labels must be farther from their neighbours than a limb
/// is long, and near when exchanged. Pairs of one segment, and markers without neighbours, stay.
pub(super) fn without_crossed(
    trial: &Trial,
    segments: &Segments,
    frames: &[usize],
    pairs: Vec<[usize; 2]>,
) -> Vec<[usize; 2]> {
    let segment_of = |marker: usize| segments.markers.iter().position(|own| own.contains(&marker));
    let neighbours = |marker: usize| -> Vec<usize> {
        let Some(own) = segment_of(marker) else { return Vec::new() };
        let is_near = |other: &usize| {
            let parent = |segment: usize| segments.parents.get(segment).copied().flatten();
            *other == own || parent(own) == Some(*other) || parent(*other) == Some(own)
        };
        let near = (0..segments.markers.len()).filter(is_near);
        let markers = near.flat_map(|segment| segments.markers[segment].iter().copied());
        markers.filter(|other| !pairs.as_flattened().contains(other)).collect()
    };
    // The least distance, and the least by which one varies.
    let least = |marker: usize, neighbours: &[usize]| -> [f64; 2] {
        let to = |other: &usize| distance_m(trial, frames, marker, *other);
        let all = neighbours.iter().map(to).filter(|(middle, _)| *middle > 0.0);
        all.fold([f64::INFINITY; 2], |least, (middle, spread)| {
            [least[0].min(middle), least[1].min(spread)]
        })
    };
    let extent_m = extent_m(trial, segments, frames);
    let is_exchanged = |pair: &&[usize; 2]| -> bool {
        let [left, right] = **pair;
        if segment_of(left) == segment_of(right) {
            return true;
        }
        let near = [left, right].map(neighbours);
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        let [away_m, varies_m] = sum(least(left, &near[0]), least(right, &near[1]));
        let [other_away_m, other_varies_m] = sum(least(right, &near[0]), least(left, &near[1]));
        if !(away_m + other_away_m).is_finite() {
            return true;
        }
        if varies_m.max(other_varies_m) > 2.0 * MAX_STRETCH_M {
            return other_varies_m < MAX_LEFT * varies_m;
        }
        other_away_m < MAX_SHARE_AWAY * away_m && away_m > 2.0 * MIN_AWAY * extent_m
    };
    pairs.iter().filter(is_exchanged).copied().collect()
}

/// How far the markers reach in a frame: the diagonal of their box.
fn extent_m(trial: &Trial, segments: &Segments, frames: &[usize]) -> f64 {
    let of_frame = |frame: &usize| {
        let at = |marker: &usize| trial.markers[*marker].position_m(*frame);
        let mut all = segments.markers.iter().flatten().filter_map(at).map(|p| p.coords);
        let first = all.next()?;
        let (low, high) = all.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
        Some((high - low).norm())
    };
    median(frames.iter().filter_map(of_frame)).unwrap_or(0.0)
}
