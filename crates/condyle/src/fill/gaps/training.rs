//! Which frames a gap is learnt from: those at its ends, some of all, and those with poses like the ones in it.

use crate::order;
use std::ops::Range;

use pulp::Arch;

use super::features::Features;
use super::lanes::distance_squared;

/// Frames at each end of the gap, nearer ones closer together.
const EDGE_FRAMES: usize = 24;
/// Offsets from the end of the gap grow by this factor from this many frames.
const EDGE_GROWTH: f64 = 1.25;
const EDGE_FIRST: f64 = 0.8;
/// So many frames of the gap look for frames of the same pose.
const PROBES: usize = 25;

/// Some of many frames that are in order: those near the ends of a gap, and others evenly.
pub fn thinned(frames: &[usize], gap: &Range<usize>, most: usize) -> Vec<usize> {
    let mut keep = vec![false; frames.len()];
    edges(frames, gap).into_iter().for_each(|index| keep[index] = true);
    let stride = frames.len().div_ceil(most).max(1);
    (0..frames.len()).step_by(stride).for_each(|index| keep[index] = true);
    frames.iter().zip(keep).filter_map(|(frame, keep)| keep.then_some(*frame)).collect()
}

/// Places in the list of frames that are near the ends of the gap.
fn edges(frames: &[usize], gap: &Range<usize>) -> Vec<usize> {
    let after = frames.partition_point(|frame| *frame < gap.start);
    let mut places = Vec::with_capacity(2 * EDGE_FRAMES);
    let (mut offset, mut step, mut last) = (0.0, EDGE_FIRST, usize::MAX);
    for _ in 0..EDGE_FRAMES {
        let whole = offset as usize;
        if whole != last {
            places.extend((after + whole < frames.len()).then_some(after + whole));
            places.extend(after.checked_sub(1 + whole));
            last = whole;
        }
        offset += step;
        step *= EDGE_GROWTH;
    }
    places
}

/// Chooses at most `most` of the frames to learn from, in order; places in the list.
///
/// `features` has a row for each of `frames` and then one for each frame of the gap.
pub fn choose(
    frames: &[usize],
    gap: &Range<usize>,
    features: &Features,
    most: usize,
    apart: usize,
) -> Vec<usize> {
    if frames.len() <= most {
        return (0..frames.len()).collect();
    }
    let mut taken = vec![false; frames.len()];
    edges(frames, gap).into_iter().for_each(|place| taken[place] = true);
    let evenly = most / 3;
    for i in 0..evenly {
        taken[i * (frames.len() - 1) / evenly.max(2).saturating_sub(1)] = true;
    }
    let probes = PROBES.min(gap.len());
    let mut nearest: Vec<std::vec::IntoIter<(f64, usize)>> = (0..probes)
        .map(|i| {
            let probe = frames.len() + i * (gap.len() - 1) / probes.max(2).saturating_sub(1);
            let probe = features.row(probe);
            let distance = |place| (distance_squared(features.row(place), probe), place);
            let mut all: Vec<(f64, usize)> =
                Arch::new().dispatch(|| (0..frames.len()).map(distance).collect());
            let kept = (12 * most / probes).min(all.len());
            if kept < all.len() {
                all.select_nth_unstable_by(kept, |a, b| a.0.total_cmp(&b.0));
                all.truncate(kept);
            }
            order::by(&mut all, |a, b| a.0.total_cmp(&b.0));
            all.into_iter()
        })
        .collect();
    let is_free = |place: usize, taken: &[bool]| {
        let near = |other: usize| frames[other].abs_diff(frames[place]) < apart;
        let before = (0..place).rev().take_while(|other| near(*other)).any(|other| taken[other]);
        let after = (place..taken.len()).take_while(|other| near(*other)).any(|other| taken[other]);
        !before && !after
    };
    let mut total = taken.iter().filter(|taken| **taken).count();
    loop {
        let mut found = false;
        for queue in &mut nearest {
            if total >= most {
                break;
            }
            if let Some((_, place)) = queue.find(|(_, place)| is_free(*place, &taken)) {
                taken[place] = true;
                total += 1;
                found = true;
            }
        }
        if !found {
            break;
        }
    }
    (0..frames.len()).filter(|place| taken[*place]).collect()
}
