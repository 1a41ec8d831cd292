//! Limbs whose labels are exchanged as a whole: the left leg called the right one.

use nalgebra::Vector3;

use super::pointing::direction;
use super::throughout::Segments;
use crate::trial::Trial;

/// Pairs on the trunk and head tell which way left is; so many there must be.
const MIN_PAIRS_ON_TRUNK: usize = 2;
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
pub(super) fn exchanged(
    trial: &Trial,
    segments: &Segments,
    pairs: &[[usize; 2]],
    frames: &[usize],
) -> Vec<[usize; 2]> {
    let of = |marker: usize| segments.markers.iter().position(|own| own.contains(&marker));
    let mut on_trunk = Vec::new();
    let mut on_limbs: Vec<([usize; 2], [usize; 2])> = Vec::new();
    for pair in pairs {
        match pair.map(of) {
            [Some(left), Some(right)] if left == right => on_trunk.push(*pair),
            [Some(left), Some(right)] => on_limbs.push(([left, right], *pair)),
            _ => {}
        }
    }
    if on_trunk.len() < MIN_PAIRS_ON_TRUNK {
        return Vec::new();
    }
    let leftwards: Vec<Vector3<f64>> = frames
        .iter()
        .map(|frame| on_trunk.iter().filter_map(|[l, r]| direction(trial, *frame, *r, *l)).sum())
        .collect();
    let is_across = |both: [usize; 2]| -> bool {
        let own = on_limbs.iter().filter(|(segments, _)| *segments == both);
        let (mut all, mut across) = (0.0, 0.0);
        for (_, [left, right]) in own {
            for (frame, leftwards) in frames.iter().zip(&leftwards) {
                let Some(own) = direction(trial, *frame, *right, *left) else { continue };
                all += 1.0;
                across += f64::from(u8::from(own.dot(leftwards) < 0.0));
            }
        }
        all > 0.0 && across >= MIN_SHARE * all
    };
    let mut found = Vec::new();
    for limb in limbs(segments, &on_limbs) {
        // From the trunk outwards; hands and feet may be anywhere.
        let wrong = limb.iter().take_while(|both| is_across(**both)).count();
        if wrong >= MIN_SEGMENTS && wrong + 1 >= limb.len() {
            let own = on_limbs.iter().filter(|(segments, _)| limb.contains(segments));
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
