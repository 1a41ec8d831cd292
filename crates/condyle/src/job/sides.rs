//! Labels that are exchanged throughout a recording: left for right, or the front of the pelvis for its back.

use nalgebra::Vector3;

use crate::marker_set::{Side, fits, side_pairs};
use crate::trial::Trial;

/// Frames looked at, at most.
const FRAMES: usize = 60;
/// Left and right are told by the other pairs; so many there must be.
const MIN_PAIRS: usize = 5;
/// At most this share of the pairs is exchanged; if more are, nobody knows which.
const MAX_SHARE_EXCHANGED: f64 = 0.34;
/// The cosine between a pair and all others below which it points the other way.
const AGAINST: f64 = -0.5;
/// In this share of the frames at least: hands may cross for a while.
const MIN_SHARE_AGAINST: f64 = 0.9;

/// Landmarks that tell forward from backward, by their labels.
const FRONT: [&str; 6] = ["?ASI", "?ASIS", "?IAS", "?EIAS", "?EAS", "?FWT"];
const BACK: [&str; 6] = ["?PSI", "?PSIS", "?IPS", "?EIPS", "?EPS", "?BWT"];
const HEEL: [&str; 5] = ["?HEE", "?HEEL", "?CAL", "?CALC", "?FCC"];
const TOE: [&str; 6] = ["?TOE", "?MT2", "?FM2", "?SMH", "?MT5", "?FM5"];

/// Pairs of markers that bear each other's labels in all frames.
///
/// # Method
/// The directions from right to left of all pairs of labels agree in people, but for hands that cross and feet in a
/// stride; a pair that points against the mean of the others in nearly every frame is exchanged. The front
/// and the back of the pelvis, of either side, are exchanged if they point against the feet in nearly every frame.
pub(super) fn exchanged(trial: &Trial, markers: &[usize]) -> Vec<[usize; 2]> {
    let labels: Vec<&str> = markers.iter().map(|m| trial.markers[*m].label.as_str()).collect();
    let pairs: Vec<[usize; 2]> =
        side_pairs(&labels).into_iter().map(|pair| pair.map(|index| markers[index])).collect();
    let stride = trial.frames.div_ceil(FRAMES).max(1);
    let frames: Vec<usize> = (0..trial.frames).step_by(stride).collect();
    let mut found = left_for_right(trial, &pairs, &frames);
    found.extend(front_for_back(trial, markers, &frames));
    found
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
            votes.extend(own.and_then(|own| cosine(&own, &(sum - own))));
        }
    }
    let found: Vec<[usize; 2]> =
        pairs.iter().zip(&votes).filter(|(_, votes)| votes.is_against()).map(|(p, _)| *p).collect();
    let is_clear = found.len() as f64 <= MAX_SHARE_EXCHANGED * pairs.len() as f64;
    if is_clear { found } else { Vec::new() }
}

fn front_for_back(trial: &Trial, markers: &[usize], frames: &[usize]) -> Vec<[usize; 2]> {
    let find = |patterns: &[&str], side: Side| {
        markers.iter().copied().find(|marker| {
            let label = &trial.markers[*marker].label;
            patterns.iter().any(|pattern| fits(pattern, label) == Some(side))
        })
    };
    let sides = [Side::Left, Side::Right];
    let of_sides = |from: &[&str], to: &[&str]| -> Vec<[usize; 2]> {
        sides.iter().filter_map(|side| Some([find(from, *side)?, find(to, *side)?])).collect()
    };
    let (spines, feet) = (of_sides(&BACK, &FRONT), of_sides(&HEEL, &TOE));
    let is_against = |[back, front]: &[usize; 2]| {
        let mut votes = Votes::default();
        for frame in frames {
            let along = |[from, to]: &[usize; 2]| direction(trial, *frame, *from, *to);
            let forward: Vector3<f64> = feet.iter().filter_map(along).sum();
            let own = direction(trial, *frame, *back, *front);
            votes.extend(own.and_then(|own| cosine(&own, &forward)));
        }
        votes.is_against()
    };
    spines.into_iter().filter(is_against).collect()
}

/// How often a direction was compared with others, and how often it pointed the other way.
#[derive(Debug, Clone, Default)]
struct Votes {
    all: usize,
    against: usize,
}

impl Votes {
    fn extend(&mut self, cosine: Option<f64>) {
        self.all += usize::from(cosine.is_some());
        self.against += usize::from(cosine.is_some_and(|cosine| cosine < AGAINST));
    }

    fn is_against(&self) -> bool {
        self.all > 0 && self.against as f64 >= MIN_SHARE_AGAINST * self.all as f64
    }
}

fn direction(trial: &Trial, frame: usize, from: usize, to: usize) -> Option<Vector3<f64>> {
    let [from_m, to_m] = [from, to].map(|marker| trial.markers[marker].position_m(frame));
    (to_m? - from_m?).try_normalize(1e-6)
}

fn cosine(a: &Vector3<f64>, b: &Vector3<f64>) -> Option<f64> {
    Some(a.try_normalize(1e-6)?.dot(&b.try_normalize(1e-6)?))
}
