//! Labels that are exchanged throughout a recording: left for right, the front of the pelvis for its back, or each
//! on the other's segment.

use super::paired::Paired;
use super::pointing::{against_others, inner_for_outer};
use super::{bending, limbs, sides};
use crate::statistics::{median, quantile};
use crate::trial::Trial;

/// Frames looked at, at most.
const FRAMES: usize = 60;
/// Two markers of a segment whose distance varies by more than this, standard deviation, are not on one bone:
/// 15 mm of skin under each, half of it common, make 9.
pub(super) const MAX_STRETCH_M: f64 = 0.013;
/// Nine tenths of a normal distribution are within so many standard deviations.
const NORMAL_RANGE: f64 = 3.29;
/// Segments with more markers are no parts of people, and would take long.
const MAX_MARKERS: usize = 30;
/// Frames that show both markers, at least.
pub(super) const MIN_FRAMES: usize = 8;
/// An exchange must remove all but this share of what stretches the two markers' segments.
const MAX_LEFT: f64 = 0.2;
/// And bring the two this much nearer to the others of their segments, as a share of how far they were.
const MAX_APART: f64 = 0.9;
/// With so many exchanges between segments labels tell nothing.
pub(crate) const MAX_EXCHANGES: usize = 3;

/// The markers of every segment, and the segment that it hangs on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segments {
    pub markers: Vec<Vec<usize>>,
    pub parents: Vec<Option<usize>>,
}

/// What finds pairs that bear each other's labels.
type Find = fn(&Trial, &Segments) -> Vec<[usize; 2]>;

/// Puts labels back that are exchanged in all frames; the pairs, in the order in which they were.
pub(crate) fn put_back_throughout(trial: &mut Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let mut found = Vec::new();
    let mut put_back = |trial: &mut Trial, find: Find| {
        let pairs = find(trial, segments);
        exchange(trial, &pairs);
        found.extend(pairs);
    };
    let all: [Find; 5] = [
        |trial, segments| sides::exchanged(trial, segments, &Paired::of(trial, segments)),
        |trial, segments| limbs::exchanged(trial, segments, &Paired::of(trial, segments)),
        against_others,
        inner_for_outer,
        bending::exchanged,
    ];
    all.into_iter().for_each(|find| put_back(trial, find));
    let misplaced = misplaced(trial, segments);
    if misplaced.len() < MAX_EXCHANGES {
        exchange(trial, &misplaced);
        found.extend(misplaced);
    }
    found
}

fn exchange(trial: &mut Trial, pairs: &[[usize; 2]]) {
    for pair in pairs {
        (0..trial.frames).for_each(|frame| trial.exchange(frame, *pair));
    }
}

pub(super) fn spread_frames(trial: &Trial) -> Vec<usize> {
    (0..trial.frames).step_by(trial.frames.div_ceil(FRAMES).max(1)).collect()
}

/// The pairs of markers that are each on the other's segment.
///
/// # Method
/// Markers of one bone keep their distances. Where they do not, the exchange of two markers is sought
/// after which their segments are rigid and closer together; of several, as of two knees or both of what else the
/// thighs wear, the one after which distances between neighbouring segments vary least.
pub(crate) fn misplaced(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let Segments { markers, parents } = segments;
    let few = |own: &Vec<usize>| if own.len() > MAX_MARKERS { Vec::new() } else { own.clone() };
    let mut segments: Vec<Vec<usize>> = markers.iter().map(few).collect();
    let columns = segments.concat();
    let frames = spread_frames(trial);
    let is_stretched = |[a, b]: [usize; 2]| distance_m(trial, &frames, a, b).1 > MAX_STRETCH_M;
    let within = |own: &Vec<usize>| {
        let mut places = own.iter().enumerate();
        places.any(|(place, a)| own[..place].iter().any(|b| is_stretched([*a, *b])))
    };
    if !segments.iter().any(within) {
        return Vec::new();
    }
    let size = trial.markers.len();
    let (mut spread_m, mut middle_m) = (vec![0.0; size * size], vec![0.0; size * size]);
    for (place, &a) in columns.iter().enumerate() {
        for &b in &columns[..place] {
            let (middle, spread) = distance_m(trial, &frames, a, b);
            for at in [a * size + b, b * size + a] {
                (spread_m[at], middle_m[at]) = (spread, middle);
            }
        }
    }
    let spread = |a: usize, b: usize| spread_m[a * size + b];
    // By how much the distances of two markers to others of their segments vary too much.
    let stretched = |segments: &[Vec<usize>], places: [(usize, usize); 2]| -> f64 {
        let of_marker = |(segment, place): (usize, usize)| -> f64 {
            let markers: &Vec<usize> = &segments[segment];
            let to = |other: &usize| (spread(markers[place], *other) - MAX_STRETCH_M).max(0.0);
            markers.iter().map(to).sum()
        };
        places.map(of_marker).iter().sum()
    };
    // How far two markers are from the others of their segments.
    let away = |segments: &[Vec<usize>], places: [(usize, usize); 2]| -> f64 {
        let of_marker = |(segment, place): (usize, usize)| -> f64 {
            let markers: &Vec<usize> = &segments[segment];
            markers.iter().map(|other| middle_m[markers[place] * size + other]).sum()
        };
        places.map(of_marker).iter().sum()
    };
    let between = |segments: &[Vec<usize>]| -> f64 {
        let of_joint = |(own, parent): (&Vec<usize>, &Option<usize>)| -> f64 {
            let above = parent.map_or(&[][..], |parent| &segments[parent][..]);
            own.iter().flat_map(|a| above.iter().map(|b| spread(*a, *b))).sum()
        };
        segments.iter().zip(parents).map(of_joint).sum()
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
                        let was_away = away(&segments, places);
                        swap(&mut segments, places);
                        let (after, cost) = (stretched(&segments, places), between(&segments));
                        let is_nearer = away(&segments, places) < MAX_APART * was_away;
                        if is_nearer
                            && after <= MAX_LEFT * before
                            && best.map_or(apart, |best| best.0) > cost
                        {
                            best = Some((cost, places));
                        }
                        swap(&mut segments, places);
                    }
                }
            }
        }
        let Some((_, places)) = best else { break };
        found.push(places.map(|(segment, place)| segments[segment][place]));
        swap(&mut segments, places);
    }
    found
}

fn swap(segments: &mut [Vec<usize>], [a, b]: [(usize, usize); 2]) {
    let kept = segments[a.0][a.1];
    segments[a.0][a.1] = segments[b.0][b.1];
    segments[b.0][b.1] = kept;
}

/// The distance of two markers and how much it varies, as a standard deviation; nothing if too few frames show both.
///
/// It is that of the range without a tenth of the frames: outliers do not count, a knee that is bent in a third of
/// them does.
pub(super) fn distance_m(trial: &Trial, frames: &[usize], a: usize, b: usize) -> (f64, f64) {
    let [a, b] = [a, b].map(|marker| &trial.markers[marker]);
    let apart = |frame: &usize| Some((a.position_m(*frame)? - b.position_m(*frame)?).norm());
    let all: Vec<f64> = frames.iter().filter_map(apart).collect();
    if all.len() < MIN_FRAMES {
        return (0.0, 0.0);
    }
    let middle = median(all.iter().copied()).unwrap_or(0.0);
    let [low, high] = [0.05, 0.95].map(|share| quantile(all.iter().copied(), share).unwrap_or(0.0));
    (middle, (high - low) / NORMAL_RANGE)
}
