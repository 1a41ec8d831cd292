//! Pairs of labels that differ in their side alone, and which way left is.

use nalgebra::Vector3;

use super::pointing::{MIN_PAIRS, direction, pairs};
use super::throughout::{Segments, spread_frames};
use crate::trial::Trial;

/// So many pairs on the trunk and the head tell which way left is.
pub(super) const MIN_PAIRS_ON_TRUNK: usize = 2;

/// The pairs of a performer, left first.
pub(super) struct Paired {
    /// Both markers on one segment, as of the pelvis: they tell which way left is.
    pub on_trunk: Vec<[usize; 2]>,
    /// The left and the right segment, and the markers on them.
    pub on_limbs: Vec<([usize; 2], [usize; 2])>,
    /// Frames, and where left is in them.
    pub leftwards: Vec<(usize, Vector3<f64>)>,
}

impl Paired {
    pub fn of(trial: &Trial, segments: &Segments) -> Self {
        let of = |marker: usize| segments.markers.iter().position(|own| own.contains(&marker));
        let (mut on_trunk, mut on_limbs) = (Vec::new(), Vec::new());
        for pair in pairs(trial, &segments.markers.concat()) {
            match pair.map(of) {
                [Some(left), Some(right)] if left == right => on_trunk.push(pair),
                [Some(left), Some(right)] => on_limbs.push(([left, right], pair)),
                _ => {}
            }
        }
        // Feet stride, and hands go anywhere.
        let across_trunk = match on_trunk.len() {
            MIN_PAIRS_ON_TRUNK.. => on_trunk.clone(),
            _ => pairs(trial, &segments.markers.concat()),
        };
        let is_told = across_trunk.len() >= MIN_PAIRS || on_trunk.len() >= MIN_PAIRS_ON_TRUNK;
        let leftwards = |frame: usize| -> Option<Vector3<f64>> {
            let all = across_trunk.iter().filter_map(|[l, r]| direction(trial, frame, *r, *l));
            is_told.then(|| all.sum())
        };
        let told = |frame: usize| Some((frame, leftwards(frame)?));
        let leftwards = spread_frames(trial).into_iter().filter_map(told).collect();
        Self { on_trunk, on_limbs, leftwards }
    }

    /// In which share of the frames pairs lie from left to right; `None` where no frame tells.
    pub fn share_across<'a>(
        &self,
        trial: &Trial,
        pairs: impl Iterator<Item = &'a [usize; 2]>,
    ) -> Option<f64> {
        let (mut all, mut across) = (0.0, 0.0);
        for [left, right] in pairs {
            for (frame, leftwards) in &self.leftwards {
                let Some(own) = direction(trial, *frame, *right, *left) else { continue };
                all += 1.0;
                across += f64::from(u8::from(own.dot(leftwards) < 0.0));
            }
        }
        (all > 0.0).then(|| across / all)
    }
}
