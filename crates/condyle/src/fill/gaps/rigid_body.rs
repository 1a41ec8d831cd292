//! A rigid body: the marker stays where it is among its four most rigid neighbours.

use nalgebra::{Point3, Vector3};

use super::local_frame::LocalFrame;
use super::neighbours::Neighbours;
use super::pattern::ends;
use super::tracks::{Gap, Tracks};

/// How many neighbours make the body.
const IN_BODY: usize = 4;

/// The position in the frame of the most rigid neighbours, on a line between the ends of the gap.
///
/// `None` with fewer than three neighbours, or with neighbours on a line.
pub fn estimate(tracks: &Tracks, gap: &Gap, neighbours: &Neighbours) -> Option<Vec<Vector3<f64>>> {
    let count = neighbours.ranked.len().min(IN_BODY);
    let frame = (count..=neighbours.ranked.len().min(IN_BODY + 3))
        .find_map(|k| LocalFrame::of(tracks, &neighbours.ranked[..k], &neighbours.frames))?;
    let local = |t: usize| {
        let at = Point3::from(tracks.positions_m[gap.marker][t]);
        Some(frame.pose(tracks, t)?.inverse_transform_point(&at).coords)
    };
    let [before, after] = ends(gap, &neighbours.frames);
    let (first, last) = (before.or(after)?, after.or(before)?);
    let (from, to) = (local(first)?, local(last)?);
    let at = |t: usize| {
        let share = (t as f64 - first as f64) / (last as f64 - first as f64);
        let share = if first == last { 0.0 } else { share };
        let local = from * (1.0 - share) + to * share;
        Some((frame.pose(tracks, t)? * Point3::from(local)).coords)
    };
    gap.frames.clone().map(at).collect()
}
