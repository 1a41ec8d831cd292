//! Limbs whose labels are exchanged as a whole: the left leg called the right one.

use super::paired::{MIN_PAIRS_ON_TRUNK, Paired};
use super::throughout::Segments;
use crate::trial::Trial;

/// Two segments of the limb, as thigh and shank, must both be on the other side: shanks alone may cross.
const MIN_SEGMENTS: usize = 2;
/// In this share of the frames at least.
const MIN_SHARE: f64 = 0.9;

/// The pairs of all limbs that are on the other side of the body.
///
/// # Method
/// Pairs of labels on one segment, as of the pelvis, point to the left. A pair on two segments, as of the thighs, is
/// on the wrong sides where it lies the other way along that direction; the share that a stride puts across does not
/// matter. If so in nearly every frame for two segments of a limb or more, and for all that are seen but at most its
/// end, the whole limb is exchanged.
pub(super) fn exchanged(trial: &Trial, segments: &Segments, paired: &Paired) -> Vec<[usize; 2]> {
    if paired.on_trunk.len() < MIN_PAIRS_ON_TRUNK {
        return Vec::new();
    }
    let is_across = |both: [usize; 2]| {
        let own = paired.on_limbs.iter().filter(|(segments, _)| *segments == both);
        paired
            .share_across(trial, own.map(|(_, pair)| pair))
            .is_some_and(|share| share >= MIN_SHARE)
    };
    let mut found = Vec::new();
    for limb in limbs(segments, &paired.on_limbs) {
        // From the trunk outwards; hands and feet may be anywhere.
        let wrong = limb.iter().take_while(|both| is_across(**both)).count();
        if wrong >= MIN_SEGMENTS && wrong + 1 >= limb.len() {
            let own = paired.on_limbs.iter().filter(|(segments, _)| limb.contains(segments));
            found.extend(own.map(|(_, pair)| *pair));
        }
    }
    found
}

/// The pairs of segments that bear pairs of markers, limb by limb, from the trunk outwards.
fn limbs(segments: &Segments, on_limbs: &[([usize; 2], [usize; 2])]) -> Vec<Vec<[usize; 2]>> {
    let parents = |both: [usize; 2]| both.map(|segment| segments.parents[segment]);
    let mut found: Vec<Vec<[usize; 2]>> = Vec::new();
    for (both, _) in on_limbs {
        let mut chain = vec![*both];
        // A tree is no deeper than it has segments.
        for _ in 0..segments.parents.len() {
            match parents(chain[chain.len() - 1]) {
                [Some(left), Some(right)] if left != right => chain.push([left, right]),
                _ => break,
            }
        }
        chain.retain(|both| on_limbs.iter().any(|(other, _)| other == both));
        chain.reverse();
        match found.iter_mut().find(|limb| limb[0] == chain[0]) {
            Some(limb) if limb.len() >= chain.len() => {}
            Some(limb) => *limb = chain,
            None => found.push(chain),
        }
    }
    found
}
