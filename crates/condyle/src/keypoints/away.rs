//! Pieces of a recording in which all points are somewhere else: another person's, say.

use std::ops::Range;

use super::tracks::{Track, track};
use crate::statistics::median;
use crate::trial::Trial;

/// A body goes so fast at most from one piece to the next, and so far at once.
const MAX_SPEED_M_S: f64 = 4.0;
const AT_ONCE_M: f64 = 0.1;

/// A piece in which the body is elsewhere.
pub(super) struct Away {
    pub frames: Range<usize>,
    /// How far it is from where it was, or will be.
    pub apart_m: f64,
}

/// The pieces between leaps that are not those of the body.
///
/// # Method
/// Leaps cut the recording into pieces. A body can be in two of them if it can have gone from the end of the one to the
/// begin of the other in the time between. Of all sequences of such pieces that with most frames is the body's, if it
/// has half of all frames; what is not in it is elsewhere.
pub(super) fn away(trial: &Trial, markers: &[usize], leaps: &[Range<usize>]) -> Vec<Away> {
    let tracks: Vec<Track> = markers.iter().map(|marker| track(trial, *marker)).collect();
    let starts = std::iter::once(0).chain(leaps.iter().map(|leap| leap.end - 1));
    let ends = leaps.iter().map(|leap| leap.start).chain([trial.frames]);
    let pieces: Vec<Range<usize>> =
        starts.zip(ends).map(|(a, b)| a..b).filter(|piece| !piece.is_empty()).collect();
    let apart_m = |a: &Range<usize>, b: &Range<usize>| {
        median(tracks.iter().filter_map(|track| {
            let last = track[a.clone()].iter().rev().find_map(|at| *at)?;
            let first = track[b.clone()].iter().find_map(|at| *at)?;
            Some((first - last).norm())
        }))
    };
    let is_one_body = |a: &Range<usize>, b: &Range<usize>| {
        let between_s = (b.start + 1 - a.end) as f64 / trial.rate_hz;
        apart_m(a, b).is_some_and(|m| m <= AT_ONCE_M + MAX_SPEED_M_S * between_s)
    };
    // Of every piece the most frames of a sequence that ends with it, and the piece before it.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        let before = (0..index).filter(|other| is_one_body(&pieces[*other], piece));
        let before = before.max_by_key(|other| best[*other].0);
        best.push((piece.len() + before.map_or(0, |other| best[other].0), before));
    }
    let last = (0..pieces.len()).max_by_key(|index| best[*index].0);
    if last.is_none_or(|last| 2 * best[last].0 < trial.frames) {
        return Vec::new();
    }
    let own: Vec<usize> = std::iter::successors(last, |index| best[*index].1).collect();
    let far_m = |index: usize| {
        let before = index.checked_sub(1).and_then(|i| apart_m(&pieces[i], &pieces[index]));
        let after = pieces.get(index + 1).and_then(|next| apart_m(&pieces[index], next));
        before.or(after).unwrap_or(0.0)
    };
    (0..pieces.len())
        .filter(|index| !own.contains(index))
        .map(|index| Away { frames: pieces[index].clone(), apart_m: far_m(index) })
        .collect()
}
