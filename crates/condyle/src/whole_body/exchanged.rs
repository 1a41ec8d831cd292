//! Two markers whose labels changed places, so that each is on the other's segment.

use nalgebra::Point3;

use super::choose::Reading;
use super::fit::Input;
use crate::statistics::{median, sd_by_median};

/// Two markers of a segment whose distance varies by more than this, standard deviation, are not on one bone:
/// 15 mm of skin under each, half of it common, make 9.
const MAX_STRETCH_M: f64 = 0.02;
/// Frames that show both markers, at least.
const MIN_FRAMES: usize = 8;
/// An exchange must remove all but this share of what stretches the two markers' segments.
const MAX_LEFT: f64 = 0.2;
/// With so many exchanges labels tell nothing.
pub(super) const MAX_EXCHANGES: usize = 3;

/// The pairs of markers that are each on the other's segment.
///
/// # Method
/// Markers of one bone keep their distances. Where they do not, the exchange of two markers is sought
/// after which their segments are rigid; of several, as of two knees or both of what else the thighs wear,
/// the one after which distances between neighbouring segments vary least.
pub(super) fn exchanged(input: &Input, frames: &[usize]) -> Vec<(usize, usize)> {
    let mut segments: Vec<Vec<usize>> =
        input.performer.segments.iter().map(|segment| segment.markers.clone()).collect();
    let columns: Vec<usize> = segments.iter().flatten().copied().collect();
    let Some(size) = columns.iter().max().map(|most| most + 1) else { return Vec::new() };
    let mut spread_m = vec![0.0; size * size];
    for (place, &a) in columns.iter().enumerate() {
        for &b in &columns[..place] {
            let spread = distance_sd_m(input, frames, a, b);
            spread_m[a * size + b] = spread;
            spread_m[b * size + a] = spread;
        }
    }
    let spread = |a: usize, b: usize| spread_m[a * size + b];
    let parents: Vec<Option<usize>> =
        input.performer.segments.iter().map(|segment| segment.parent).collect();
    // By how much the distances of two markers to others of their segments vary too much.
    let stretched = |segments: &[Vec<usize>], places: [(usize, usize); 2]| -> f64 {
        let of_marker = |(segment, place): (usize, usize)| -> f64 {
            let markers: &Vec<usize> = &segments[segment];
            let to = |other: &usize| (spread(markers[place], *other) - MAX_STRETCH_M).max(0.0);
            markers.iter().map(to).sum()
        };
        places.map(of_marker).iter().sum()
    };
    let between = |segments: &[Vec<usize>]| -> f64 {
        let of_joint = |(segment, parent): (usize, &Option<usize>)| -> f64 {
            let above = parent.map_or(&[][..], |parent| &segments[parent][..]);
            pairs(&segments[segment], above).map(|(a, b)| spread(a, b)).sum()
        };
        parents.iter().enumerate().map(of_joint).sum()
    };
    let mut found = Vec::new();
    for _ in 0..MAX_EXCHANGES {
        let apart = between(&segments);
        let mut best: Option<(f64, [(usize, usize); 2])> = None;
        for one in 0..segments.len() {
            for other in 0..one {
                for i in 0..segments[one].len() {
                    for j in 0..segments[other].len() {
                        let places = [(one, i), (other, j)];
                        let before = stretched(&segments, places);
                        if before <= 0.0 {
                            continue;
                        }
                        swap(&mut segments, places);
                        let (after, cost) = (stretched(&segments, places), between(&segments));
                        if after <= MAX_LEFT * before && best.map_or(apart, |best| best.0) > cost {
                            best = Some((cost, places));
                        }
                        swap(&mut segments, places);
                    }
                }
            }
        }
        let Some((_, places)) = best else { break };
        let [a, b] = places.map(|(segment, place)| segments[segment][place]);
        found.push((a, b));
        swap(&mut segments, places);
    }
    found
}

fn pairs<'a>(one: &'a [usize], other: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
    one.iter().flat_map(move |a| other.iter().map(move |b| (*a, *b)))
}

fn swap(segments: &mut [Vec<usize>], [a, b]: [(usize, usize); 2]) {
    let kept = segments[a.0][a.1];
    segments[a.0][a.1] = segments[b.0][b.1];
    segments[b.0][b.1] = kept;
}

/// The standard deviation of the distance of two markers, but for outliers; nothing if too few frames show both.
fn distance_sd_m(input: &Input, frames: &[usize], a: usize, b: usize) -> f64 {
    let at = |frame: usize, column: usize| -> Option<Point3<f64>> {
        input.frames.position_m(frame, column)
    };
    let apart = |frame: &usize| Some((at(*frame, a)? - at(*frame, b)?).norm());
    let all: Vec<f64> = frames.iter().filter_map(apart).collect();
    if all.len() < MIN_FRAMES {
        return 0.0;
    }
    let middle = median(all.iter().copied()).unwrap_or(0.0);
    sd_by_median(all.iter().map(|apart| apart - middle)).unwrap_or(0.0)
}

impl Reading {
    /// Where the marker that a column's label means is seen.
    pub(super) fn seen_at(&self, column: usize) -> usize {
        let swapped = |at: usize, (a, b): &(usize, usize)| match at {
            at if at == *a => *b,
            at if at == *b => *a,
            at => at,
        };
        self.exchanged.iter().fold(column, swapped)
    }
}
