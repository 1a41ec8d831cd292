//! The labels of one frame by itself.

use nalgebra::Point3;

use super::assign::assign;
use super::body_shape::BodyShape;
use super::given_others::{self, Distances};

/// A label is worth this much a mate, or it is not given.
pub(super) const WORTH_A_LABEL: f64 = 0.8;
/// Beliefs are read from scores more and more strictly.
const STRICTNESS: f64 = 0.15;
const ROUNDS: u32 = 8;
const REFINEMENTS: usize = 7;
const BALANCINGS: usize = 12;
/// What a mate that is not where it should be takes away at most.
const WORST_MATE: f32 = -1.0;
const LEAST_BELIEF: f32 = -8.0;
/// Below, a belief cannot make up for it by any distance.
const HOPELESS: f32 = -5.7;
/// So many look-ups a frame are worth their time.
const MAX_WORK: usize = 400_000_000;

/// Labels of the points of a frame, and how good they are: the mean gain of a label over none.
pub(super) struct KeyFrame {
    pub(super) label_of: Vec<Option<usize>>,
    pub(super) quality: f64,
}

/// How many key frames of so many points can be solved in a bounded time.
pub(super) fn affordable(shape: &BodyShape, points: usize) -> usize {
    let mates: usize = shape.mates.iter().map(Vec::len).sum();
    MAX_WORK / (mates * points * points).max(1)
}

/// Labels a frame.
///
/// # Method
/// Max-product on the graph of mates: the score of point p for label i is
/// Sₚᵢ = Σₖ max(-1, max_q g(d_pq) + B_q,k) over its mates k, the beliefs B follow from the scores by Sinkhorn's
/// balancing with a null row and column, as logarithms less the best of every label. The assignment that follows is
/// refined: all labels again, given the others.
///
/// # Reference
/// Pearl (1988), Probabilistic Reasoning in Intelligent Systems, 5.3; Sinkhorn (1964), Annals of Mathematical
/// Statistics 35.
pub(super) fn solve(shape: &BodyShape, positions_m: &[Point3<f64>]) -> KeyFrame {
    let (points, labels) = (positions_m.len(), shape.labels);
    let distances = Distances::new(positions_m);
    let mut beliefs = vec![0.0_f32; labels * points];
    let mut scores = vec![0.0_f64; labels * points];
    for round in 0..ROUNDS {
        send(shape, &distances, &beliefs, &mut scores);
        let strictness = STRICTNESS * f64::from(1 + round) / 2.0;
        balance(shape, &scores, strictness, &mut beliefs);
    }
    let none = |label: usize| WORTH_A_LABEL * shape.mates[label].len() as f64;
    let label_of = assign(points, labels, |p, i| scores[i * points + p] - none(i));
    refine(shape, positions_m, &distances, label_of)
}

/// Scores from beliefs.
fn send(shape: &BodyShape, distances: &Distances, beliefs: &[f32], scores: &mut [f64]) {
    let points = beliefs.len() / shape.labels.max(1);
    scores.fill(0.0);
    let mut likely: Vec<usize> = Vec::with_capacity(points);
    for label in 0..shape.labels {
        let scores = &mut scores[label * points..(label + 1) * points];
        for mate in &shape.mates[label] {
            let beliefs = &beliefs[mate.label * points..(mate.label + 1) * points];
            likely.clear();
            likely.extend((0..points).filter(|q| beliefs[*q] > HOPELESS));
            for (p, score) in scores.iter_mut().enumerate() {
                let cells = distances.from(p);
                let message = |q: usize| mate.gain[usize::from(cells[q])] + beliefs[q];
                let messages = likely.iter().filter(|q| **q != p).map(|q| message(*q));
                *score += f64::from(messages.fold(WORST_MATE, f32::max));
            }
        }
    }
}

/// Beliefs from scores.
fn balance(shape: &BodyShape, scores: &[f64], strictness: f64, beliefs: &mut [f32]) {
    let labels = shape.labels;
    let points = beliefs.len() / labels.max(1);
    let row = |label: usize| label * points..(label + 1) * points;
    let mut weights = vec![0.0; scores.len()];
    for label in 0..labels {
        let none = WORTH_A_LABEL * shape.mates[label].len() as f64;
        for (weight, score) in weights[row(label)].iter_mut().zip(&scores[row(label)]) {
            *weight = (strictness * (score - none)).clamp(-40.0, 40.0).exp();
        }
    }
    let (mut of_label, mut of_point) = (vec![1.0; labels], vec![1.0; points]);
    for _ in 0..BALANCINGS {
        let mut sums = vec![1.0; points];
        for label in 0..labels {
            let weights = &weights[row(label)];
            let sum: f64 = weights.iter().zip(&of_point).map(|(w, point)| w * point).sum();
            of_label[label] = 1.0 / (1.0 + sum);
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * of_label[label];
            }
        }
        for (point, sum) in of_point.iter_mut().zip(sums) {
            *point = 1.0 / sum;
        }
    }
    for label in 0..labels {
        let share = |p: usize| (weights[label * points + p] * of_point[p]).max(1e-30).ln();
        let best = (0..points).map(share).fold(f64::NEG_INFINITY, f64::max);
        for (p, belief) in beliefs[row(label)].iter_mut().enumerate() {
            *belief = ((share(p) - best) as f32).max(LEAST_BELIEF);
        }
    }
}

/// Labels again and again, given the others, until they stay; the best of all is kept.
fn refine(
    shape: &BodyShape,
    positions_m: &[Point3<f64>],
    distances: &Distances,
    mut label_of: Vec<Option<usize>>,
) -> KeyFrame {
    let (points, labels) = (positions_m.len(), shape.labels);
    let mut best = KeyFrame { label_of: label_of.clone(), quality: f64::NEG_INFINITY };
    for _ in 0..REFINEMENTS {
        let mut holder = vec![None; labels];
        for (point, label) in label_of.iter().enumerate() {
            if let Some(label) = label {
                holder[*label] = Some(point);
            }
        }
        let mut gains = vec![0.0; labels * points];
        given_others::each(shape, positions_m, distances, &holder, |point, label, fit| {
            let mates = shape.mates[label].len() as f64;
            let none = WORTH_A_LABEL * mates.min(fit.mates.max(4.0));
            gains[label * points + point] = fit.distances + fit.sides * mates - none;
        });
        let gain = |(point, label): (usize, &Option<usize>)| {
            let label = (*label)?;
            Some(gains[label * points + point] / shape.mates[label].len().max(1) as f64)
        };
        let total: f64 = label_of.iter().enumerate().filter_map(gain).sum();
        let quality = total / points.min(labels).max(1) as f64;
        let next = assign(points, labels, |p, i| gains[i * points + p]);
        if quality > best.quality {
            best = KeyFrame { label_of: label_of.clone(), quality };
        }
        if next == label_of {
            break;
        }
        label_of = next;
    }
    best
}
