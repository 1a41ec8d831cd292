//! How far a method errs: by deleting what is known, near a gap, and estimating it.

use nalgebra::Vector3;

use super::tracks::{Gap, Tracks};
use crate::order;
use crate::statistics::mean;

/// So many gaps are made.
const MOST_MADE: usize = 6;
/// Gaps are made no longer than this share of what is seen.
const MAX_SHARE: f64 = 0.25;

/// The rms distance from the truth of an estimate of gaps like this one, made where the marker is seen; `None` if it
/// is seen nowhere long enough.
///
/// Where nothing as long is seen, shorter gaps are made and their error is scaled with the length.
pub fn expected_rms_m(
    tracks: &mut Tracks,
    gap: &Gap,
    learnable: &[usize],
    estimate: impl Fn(&Tracks, &Gap) -> Option<Vec<Vector3<f64>>>,
) -> Option<f64> {
    let most = (learnable.len() as f64 * MAX_SHARE) as usize;
    let mut frames = gap.len().min(most);
    while frames >= 1 {
        let mut squares = Vec::new();
        for start in places(tracks, gap, learnable, frames) {
            let made = Gap { marker: gap.marker, frames: start..start + frames };
            let truth = tracks.positions_m[gap.marker][made.frames.clone()].to_vec();
            tracks.seen[gap.marker][made.frames.clone()].fill(false);
            let found = estimate(tracks, &made);
            tracks.seen[gap.marker][made.frames].fill(true);
            if let Some(found) = found {
                squares.extend(found.iter().zip(&truth).map(|(a, b)| (a - b).norm_squared()));
            }
        }
        if let Some(square_m2) = mean(squares) {
            return Some(square_m2.sqrt() * gap.len() as f64 / frames as f64);
        }
        frames /= 2;
    }
    None
}

/// Where gaps of so many frames fit with the marker seen in them and at their ends, those nearest to the gap first.
fn places(tracks: &Tracks, gap: &Gap, learnable: &[usize], frames: usize) -> Vec<usize> {
    let seen = &tracks.seen[gap.marker];
    let fits = |start: &usize| {
        *start >= 3
            && start + frames + 3 <= seen.len()
            && seen[start - 3..start + frames + 3].iter().all(|seen| *seen)
    };
    let step = (frames / 2).max(1);
    let mut starts: Vec<usize> =
        learnable.iter().copied().step_by(step).filter(|start| fits(start)).collect();
    order::by_key(&mut starts, |start| start.abs_diff(gap.frames.start));
    starts.truncate(MOST_MADE);
    starts
}
