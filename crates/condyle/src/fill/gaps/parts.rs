//! Gaps in parts: where enough of the best neighbours are seen, and where they are not.

use super::neighbours::Neighbours;
use super::tracks::{Gap, Tracks};

/// The most rigid neighbours that are looked at, and how many of them have to be seen.
const LOOKED_AT: usize = 12;
const MIN_SEEN: usize = 4;
/// Parts are no shorter than this, in frames.
const MIN_FRAMES: usize = 6;

/// A gap cut where its neighbours vanish or come back; whole where they are seen throughout, or hardly ever.
///
/// A marker is often missing for longer than those that tell of it: one who walks into the room shows them one by one.
pub fn parts(tracks: &Tracks, gap: Gap) -> Vec<Gap> {
    let learnable: Vec<usize> =
        (0..tracks.frames).filter(|t| tracks.seen[gap.marker][*t]).collect();
    if gap.len() < 2 * MIN_FRAMES || learnable.is_empty() {
        return vec![gap];
    }
    let nowhere = Gap { marker: gap.marker, frames: 0..0 };
    let mut best = Neighbours::of(tracks, &nowhere, &learnable, |_| true).ranked;
    best.truncate(LOOKED_AT);
    let needed = MIN_SEEN.min(best.len());
    let is_placed = |t: usize| best.iter().filter(|n| tracks.seen[n.marker][t]).count() >= needed;
    let mut parts: Vec<(bool, Gap)> = Vec::new();
    for t in gap.frames.clone() {
        let placed = is_placed(t);
        match parts.last_mut() {
            Some((last, part)) if *last == placed || part.len() < MIN_FRAMES => {
                part.frames.end = t + 1;
                // A part that is too short goes with what follows, as little placed as the worse of both.
                *last = *last && placed;
            }
            _ => parts.push((placed, Gap { marker: gap.marker, frames: t..t + 1 })),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}
