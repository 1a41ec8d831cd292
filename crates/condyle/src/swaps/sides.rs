//! Parts of limbs whose labels are exchanged left for right, as all of the feet: told by which markers keep their
//! distances.

use super::paired::Paired;
use super::throughout::{MAX_STRETCH_M, Segments, distance_m, spread_frames};
use crate::trial::Trial;

/// On one side of the body two markers keep their distance; with one of the other side it varies so many times as much.
const MIN_TIMES_STRETCHED: f64 = 2.0;
/// Of two parts of a limb on different sides, one lies across in this much more of the frames.
const MIN_SHARE_MORE: f64 = 0.5;

/// The pairs that bear each other's labels.
///
/// # Method
/// Two pairs of labels beside each other, as those of knee and ankle, are of the same sides if the distances within the
/// left and within the right hardly vary, and of different sides if those from left to right do not and are shorter.
/// The clearest of these tie the pairs of a limb together, until each is in one of two parts. The part that lies across
/// the body is exchanged; where that is not clear, as of crossed arms, the one farther out.
pub(super) fn exchanged(trial: &Trial, segments: &Segments, paired: &Paired) -> Vec<[usize; 2]> {
    let pairs = &paired.on_limbs;
    let mut parts: Vec<Part> =
        (0..pairs.len()).map(|limb| Part { limb, is_other: false }).collect();
    for Tie { between: [a, b], is_other, .. } in ties(trial, segments, pairs) {
        let (one, other) = (parts[a], parts[b]);
        let turns = one.is_other ^ other.is_other ^ is_other;
        for part in
            parts.iter_mut().filter(|part| one.limb != other.limb && part.limb == other.limb)
        {
            *part = Part { limb: one.limb, is_other: part.is_other ^ turns };
        }
    }
    let depth = |segment: usize| {
        let mut at = segments.parents[segment];
        // A tree is no deeper than it has segments.
        (0..segments.parents.len())
            .take_while(|_| at.inspect(|s| at = segments.parents[*s]).is_some())
            .count()
    };
    let mut found = Vec::new();
    for limb in 0..pairs.len() {
        let of = |is_other: bool| -> Vec<usize> {
            let part = Part { limb, is_other };
            (0..pairs.len()).filter(|index| parts[*index] == part).collect()
        };
        let both = [of(false), of(true)];
        if both.iter().any(Vec::is_empty) {
            continue;
        }
        let across = both.each_ref().map(|part| {
            paired.share_across(trial, part.iter().map(|index| &pairs[*index].1)).unwrap_or(0.5)
        });
        let nearest = both.each_ref().map(|part| {
            part.iter().map(|index| depth(pairs[*index].0[0])).min().unwrap_or(usize::MAX)
        });
        let is_second = match across[1] - across[0] {
            more if more > MIN_SHARE_MORE => true,
            more if more < -MIN_SHARE_MORE => false,
            _ => nearest[1] > nearest[0],
        };
        let part = &both[usize::from(is_second)];
        found.extend(part.iter().map(|index| pairs[*index].1));
    }
    found
}

/// Where a pair belongs: its limb, and whether its labels are of the other side than those of the limb's first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    limb: usize,
    is_other: bool,
}

/// Two pairs that keep their distances on one side of the body, or across it.
struct Tie {
    between: [usize; 2],
    is_other: bool,
    /// By how much distances vary more the other way.
    clear_m: f64,
}

/// The clearest first.
fn ties(trial: &Trial, segments: &Segments, pairs: &[([usize; 2], [usize; 2])]) -> Vec<Tie> {
    let frames = spread_frames(trial);
    let is_beside = |a: usize, b: usize| {
        a == b || segments.parents[a] == Some(b) || segments.parents[b] == Some(a)
    };
    // How far two markers are apart, and how much that varies.
    let apart_m = |a: usize, b: usize| {
        let (middle_m, spread_m) = distance_m(trial, &frames, a, b);
        (middle_m > 0.0).then_some([middle_m, spread_m])
    };
    let most = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.max(c), b.max(d)];
    let tie = |a: usize, b: usize| {
        let [(one, [left, right]), (other, [next_left, next_right])] = [pairs[a], pairs[b]];
        if !(0..2).all(|side| is_beside(one[side], other[side])) {
            return None;
        }
        let [same_away_m, same_m] = most(apart_m(left, next_left)?, apart_m(right, next_right)?);
        let [other_away_m, other_m] = most(apart_m(left, next_right)?, apart_m(right, next_left)?);
        let (least_m, most_m) = (same_m.min(other_m), same_m.max(other_m));
        let is_other = other_m < same_m;
        let is_clear = least_m < MAX_STRETCH_M && most_m > MIN_TIMES_STRETCHED * MAX_STRETCH_M;
        let is_nearer = !is_other || other_away_m < same_away_m;
        let clear_m = most_m - least_m;
        (is_clear && is_nearer).then_some(Tie { between: [a, b], is_other, clear_m })
    };
    let mut all: Vec<Tie> = (0..pairs.len())
        .flat_map(|b| (0..b).filter_map(move |a| tie(a, b)).collect::<Vec<_>>())
        .collect();
    all.sort_by(|a, b| b.clear_m.total_cmp(&a.clear_m));
    all
}
