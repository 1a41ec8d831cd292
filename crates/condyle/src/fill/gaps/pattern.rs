//! The pattern of a donor: a neighbour's motion, and what the marker is away from it at both ends.

use nalgebra::Vector3;

use super::neighbours::Neighbours;
use super::tracks::{Gap, Tracks};

/// The most rigid neighbour's position, and the difference to it, on a line between the ends of the gap.
///
/// `None` without a neighbour that is seen throughout the gap and at one end of it with the marker.
pub fn estimate(tracks: &Tracks, gap: &Gap, neighbours: &Neighbours) -> Option<Vec<Vector3<f64>>> {
    neighbours.ranked.iter().find_map(|donor| {
        let (marker, donor) = (&tracks.positions_m[gap.marker], &tracks.positions_m[donor.marker]);
        let away = |frame: usize| marker[frame] - donor[frame];
        let [before, after] = ends(gap, &neighbours.frames);
        let near = |frame: &usize| is_near(tracks, gap, *frame);
        let [before, after] = [before.filter(near), after.filter(near)];
        let (first, last) = (before.or(after)?, after.or(before)?);
        let between = |frame: usize| {
            let share = (frame as f64 - first as f64) / (last as f64 - first as f64);
            let share = if first == last { 0.0 } else { share };
            donor[frame] + away(first) * (1.0 - share) + away(last) * share
        };
        Some(gap.frames.clone().map(between).collect())
    })
}

/// The last of some frames before a gap and the first after it.
pub fn ends(gap: &Gap, frames: &[usize]) -> [Option<usize>; 2] {
    let after = frames.partition_point(|frame| *frame < gap.frames.start);
    let before = after.checked_sub(1).map(|place| frames[place]);
    [before, frames.get(after).copied()]
}

/// An end further away than this, in seconds, tells nothing of the gap.
const FAR_S: f64 = 0.25;

fn is_near(tracks: &Tracks, gap: &Gap, frame: usize) -> bool {
    let away = match frame < gap.frames.start {
        true => gap.frames.start - frame,
        false => frame + 1 - gap.frames.end,
    };
    away as f64 <= (FAR_S * tracks.rate_hz).max(2.0)
}
