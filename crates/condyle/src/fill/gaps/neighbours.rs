//! Which markers tell where a missing one is: those whose distance to it changes least.

use super::tracks::{Gap, Tracks};
use crate::order;

/// Distances are looked at in at most about so many frames.
const RANKED_FRAMES: usize = 900;
/// A neighbour is seen in this share of the frames that are learnt from, and all of them together too.
const MIN_SEEN: f64 = 0.6;
/// At most so many neighbours are used.
const MAX_NEIGHBOURS: usize = 30;

/// A marker that is seen throughout a gap of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Which marker.
    pub marker: usize,
    /// The standard deviation of its distance to the missing one, in metres.
    pub spread_m: f64,
    /// The mean of that distance, in metres.
    pub distance_m: f64,
}

/// Neighbours, the most rigid first, and the frames in which they and the missing marker are all seen.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// The neighbours.
    pub ranked: Vec<Neighbour>,
    /// The frames that can be learnt from, in order.
    pub frames: Vec<usize>,
}

impl Neighbours {
    /// The neighbours of a marker in its gap, of those that `may_use` lets in; learnt from some frames in which it is
    /// seen.
    ///
    /// # Method
    /// The standard deviation of the distance ranks them. It is blind to motion across the line between the two, so
    /// it is no measure of error. A neighbour that would leave too few frames in which all are seen is passed over.
    pub fn of(
        tracks: &Tracks,
        gap: &Gap,
        learnable: &[usize],
        may_use: impl Fn(usize) -> bool,
    ) -> Self {
        let needed = (MIN_SEEN * learnable.len() as f64).max(2.0);
        let stride = learnable.len().div_ceil(RANKED_FRAMES).max(1);
        let candidates = (0..tracks.markers()).filter(|j| {
            *j != gap.marker && may_use(*j) && tracks.is_seen_throughout(*j, gap.frames.clone())
        });
        let mut all: Vec<Neighbour> = candidates
            .filter_map(|j| measure(tracks, [gap.marker, j], learnable, stride))
            .collect();
        order::by(&mut all, |a, b| a.spread_m.total_cmp(&b.spread_m));
        let mut neighbours = Self { ranked: Vec::new(), frames: learnable.to_vec() };
        for candidate in all {
            let is_seen = |frame: &usize| tracks.seen[candidate.marker][*frame];
            let left = neighbours.frames.iter().filter(|frame| is_seen(frame)).count();
            if left as f64 >= needed {
                neighbours.frames.retain(is_seen);
                neighbours.ranked.push(candidate);
            }
            if neighbours.ranked.len() == MAX_NEIGHBOURS {
                break;
            }
        }
        neighbours
    }
}

/// How the distance of two markers varies; `None` if they are hardly ever seen together.
fn measure(
    tracks: &Tracks,
    [marker, other]: [usize; 2],
    frames: &[usize],
    stride: usize,
) -> Option<Neighbour> {
    let (a, b) = (&tracks.positions_m[marker], &tracks.positions_m[other]);
    let seen = &tracks.seen[other];
    let (mut count, mut sum, mut squares, mut first) = (0.0, 0.0, 0.0, None);
    for frame in frames.iter().step_by(stride).filter(|frame| seen[**frame]) {
        let distance = (a[*frame] - b[*frame]).norm();
        let from_first = distance - *first.get_or_insert(distance);
        count += 1.0;
        sum += from_first;
        squares += from_first * from_first;
    }
    let looked_at = frames.len().div_ceil(stride) as f64;
    let mean = sum / count;
    let neighbour = Neighbour {
        marker: other,
        spread_m: (squares / count - mean * mean).max(0.0).sqrt(),
        distance_m: mean + first?,
    };
    (count >= MIN_SEEN * looked_at && neighbour.spread_m.is_finite()).then_some(neighbour)
}
