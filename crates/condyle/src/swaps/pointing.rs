//! Labels exchanged throughout a recording, told by where pairs of markers point: left for right, the front of the pelvis
//! for its back, heel for toe, the inner side of a knee or an ankle for its outer one.

use nalgebra::Vector3;

use super::crossed::without_crossed;
use super::landmarks::{ANKLE_INNER, ANKLE_OUTER, BACK, FRONT, HEEL, KNEE_INNER, KNEE_OUTER, TOE};
use super::paired::Paired;
use super::throughout::{Segments, distance_m, spread_frames};
use crate::marker_set::{Side, fits, side_pairs};
use crate::trial::Trial;

/// Left and right are told by the other pairs; so many there must be.
pub(super) const MIN_PAIRS: usize = 5;
/// At most this share of the pairs is exchanged; if more are, nobody knows which.
const MAX_SHARE_EXCHANGED: f64 = 0.34;
/// The cosine between a pair and all others below which it points the other way.
const AGAINST: f64 = -0.5;
/// The same for a foot and the other, which swings.
const FOOT_AGAINST: f64 = -0.1;
/// In this share of the frames at least: hands may cross for a while.
const MIN_SHARE_AGAINST: f64 = 0.9;

/// Markers on the two sides of a knee or an ankle are no farther apart.
const MAX_JOINT_WIDTH_M: f64 = 0.2;

/// Pairs of markers that bear each other's labels in all frames, by where they point.
///
/// # Method
/// The directions from right to left of all pairs of labels agree in people, but for hands that cross and feet in a
/// stride; a pair that points against the mean of the others in nearly every frame is exchanged,
/// unless its limbs are crossed. The front
/// and the back of the pelvis, of either side, are exchanged if they point against the feet in nearly every frame; heel
/// and toe if they point against the other foot and the pelvis. Feet of somebody who kneels point backwards: a pelvis that
/// points to where left and up have forward is left as it is.
pub(super) fn against_others(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let frames = spread_frames(trial);
    let markers = segments.markers.concat();
    let left_for_right = left_for_right(trial, &pairs(trial, &markers), &frames);
    let mut found = without_crossed(trial, segments, &frames, left_for_right);
    found.extend(front_for_back(trial, &markers, &frames));
    found
}

/// The markers whose labels differ in the side alone, left first.
pub(super) fn pairs(trial: &Trial, markers: &[usize]) -> Vec<[usize; 2]> {
    let labels: Vec<&str> = markers.iter().map(|m| trial.markers[*m].label.as_str()).collect();
    side_pairs(&labels).into_iter().map(|pair| pair.map(|index| markers[index])).collect()
}

fn left_for_right(trial: &Trial, pairs: &[[usize; 2]], frames: &[usize]) -> Vec<[usize; 2]> {
    let mut votes = vec![Votes::default(); pairs.len()];
    for frame in frames {
        let across = |[left, right]: &[usize; 2]| direction(trial, *frame, *right, *left);
        let all: Vec<Option<Vector3<f64>>> = pairs.iter().map(across).collect();
        let sum: Vector3<f64> = all.iter().flatten().sum();
        if all.iter().flatten().count() < MIN_PAIRS {
            continue;
        }
        for (votes, own) in votes.iter_mut().zip(&all) {
            votes.extend(own.and_then(|own| cosine(&own, &(sum - own))), AGAINST);
        }
    }
    let found: Vec<[usize; 2]> =
        pairs.iter().zip(&votes).filter(|(_, votes)| votes.is_against()).map(|(p, _)| *p).collect();
    let is_clear = found.len() as f64 <= MAX_SHARE_EXCHANGED * pairs.len() as f64;
    if is_clear { found } else { Vec::new() }
}

fn front_for_back(trial: &Trial, markers: &[usize], frames: &[usize]) -> Vec<[usize; 2]> {
    let find = |patterns: &[&str], side: Side| find(trial, markers, patterns, side);
    let sides = [Side::Left, Side::Right];
    let of_sides = |from: &[&str], to: &[&str]| -> Vec<[usize; 2]> {
        sides.iter().filter_map(|side| Some([find(from, *side)?, find(to, *side)?])).collect()
    };
    let (spines, feet) = (of_sides(BACK, FRONT), of_sides(HEEL, TOE));
    let is_against = |[back, front]: &[usize; 2], others: &[[usize; 2]], against: f64| {
        let mut votes = Votes::default();
        for frame in frames {
            let along = |[from, to]: &[usize; 2]| direction(trial, *frame, *from, *to);
            let forward: Vector3<f64> = others.iter().filter_map(along).sum();
            let own = direction(trial, *frame, *back, *front);
            votes.extend(own.and_then(|own| cosine(&own, &forward)), against);
        }
        votes.is_against()
    };
    let pairs = pairs(trial, markers);
    let of_knees: Vec<usize> = sides.iter().filter_map(|side| find(KNEE_OUTER, *side)).collect();
    let is_as_sides_have_it = |[back, front]: &[usize; 2]| {
        let mut votes = Votes::default();
        for frame in frames {
            let own = direction(trial, *frame, *front, *back);
            let leftwards = pairs.iter().filter_map(|[l, r]| direction(trial, *frame, *r, *l));
            let upwards = of_knees.iter().filter_map(|knee| direction(trial, *frame, *knee, *back));
            let forward = leftwards.sum::<Vector3<f64>>().cross(&upwards.sum());
            votes.extend(own.and_then(|own| cosine(&own, &forward)), AGAINST);
        }
        votes.is_against()
    };
    let against_feet: Vec<[usize; 2]> = spines
        .iter()
        .copied()
        .filter(|spine| is_against(spine, &feet, AGAINST) && !is_as_sides_have_it(spine))
        .collect();
    let is_turned = |foot: &[usize; 2]| {
        let others: Vec<[usize; 2]> = feet.iter().copied().filter(|other| other != foot).collect();
        [&others, &spines].iter().all(|others| is_against(foot, others, FOOT_AGAINST))
    };
    let turned = feet.iter().copied().filter(is_turned);
    if against_feet.is_empty() { turned.collect() } else { against_feet }
}

pub(super) fn find(
    trial: &Trial,
    markers: &[usize],
    patterns: &[&str],
    side: Side,
) -> Option<usize> {
    let is_it = |label: &str| patterns.iter().any(|pattern| fits(pattern, label) == Some(side));
    markers.iter().copied().find(|marker| is_it(&trial.markers[*marker].label))
}

/// The markers on the two sides of a knee or an ankle that bear each other's labels.
///
/// # Method
/// The outer one of a left leg is where the left is, by the pairs of labels on the trunk, or all pairs. Two markers
/// that are not near each other are on two legs, and another question.
pub(super) fn inner_for_outer(trial: &Trial, segments: &Segments) -> Vec<[usize; 2]> {
    let (frames, markers) = (spread_frames(trial), segments.markers.concat());
    let paired = Paired::of(trial, segments);
    let is_exchanged = |[inner, outer]: [usize; 2], side: Side| {
        let mut votes = Votes::default();
        for &(frame, leftwards) in &paired.leftwards {
            let outwards = if side == Side::Left { leftwards } else { -leftwards };
            let own = direction(trial, frame, inner, outer);
            votes.extend(own.and_then(|own| cosine(&own, &outwards)), AGAINST);
        }
        let is_near = distance_m(trial, &frames, inner, outer).0 < MAX_JOINT_WIDTH_M;
        is_near && votes.is_against()
    };
    let mut found = Vec::new();
    for [inner, outer] in [[KNEE_INNER, KNEE_OUTER], [ANKLE_INNER, ANKLE_OUTER]] {
        for side in [Side::Left, Side::Right] {
            let [inner, outer] = [inner, outer].map(|of| find(trial, &markers, of, side));
            let (Some(inner), Some(outer)) = (inner, outer) else { continue };
            if is_exchanged([inner, outer], side) {
                found.push([inner, outer]);
            }
        }
    }
    found
}

/// How often a direction was compared with others, and how often it pointed the other way.
#[derive(Debug, Clone, Default)]
pub(super) struct Votes {
    pub all: usize,
    against: usize,
}

impl Votes {
    pub fn extend(&mut self, cosine: Option<f64>, against: f64) {
        self.all += usize::from(cosine.is_some());
        self.against += usize::from(cosine.is_some_and(|cosine| cosine < against));
    }

    pub fn is_against(&self) -> bool {
        self.all > 0 && self.against as f64 >= MIN_SHARE_AGAINST * self.all as f64
    }
}

pub(super) fn direction(
    trial: &Trial,
    frame: usize,
    from: usize,
    to: usize,
) -> Option<Vector3<f64>> {
    let [from_m, to_m] = [from, to].map(|marker| trial.markers[marker].position_m(frame));
    (to_m? - from_m?).try_normalize(1e-6)
}

pub(super) fn cosine(a: &Vector3<f64>, b: &Vector3<f64>) -> Option<f64> {
    Some(a.try_normalize(1e-6)?.dot(&b.try_normalize(1e-6)?))
}
