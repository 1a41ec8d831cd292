//! Markers at a joint: those that fit both of its segments are on the one nearer the root.

use super::cost::{Cost, union, without};

/// The share of skin from which a marker at a joint is taken to be on the segment nearer the root: with less of it
/// the fit itself decides.
pub(super) const MIN_SKIN: f64 = 0.5;

/// Moves markers at joints to the segment nearer the root, from the root outwards.
///
/// # Method
/// People put markers on the bony ends of a segment: the epicondyles of the thigh and the upper arm, the malleoli of
/// the shank, the wrist of the forearm, the acromion of the trunk. These are on the axis of the joint at its far end
/// and keep their distances to both segments. Of a marker that moves no more against the segment nearer the root
/// than against the rest of its own it is the former. `parents` and `order` are those of the tree.
pub(super) fn settle(
    cost: &mut Cost,
    groups: &mut [Vec<u16>],
    (parents, order): (&[Option<usize>], &[usize]),
    noise_m: f64,
) {
    for &child in order {
        let Some(parent) = parents[child] else { continue };
        for marker in groups[child].clone() {
            let rest = without(&groups[child], marker);
            if rest.is_empty() {
                break;
            }
            let own_m = cost.motion_between_m(&[marker], &rest).max(noise_m);
            if cost.motion_between_m(&[marker], &groups[parent]) <= own_m {
                groups[parent] = union(&groups[parent], &[marker]);
                groups[child] = rest;
            }
        }
    }
}
