//! On which side of far planes labels are.

use nalgebra::Point3;

use crate::label::body_shape::{BodyShape, Evidence, height_m};
use crate::label::pose::Pose;
use crate::order;
use crate::statistics::mean_and_variance;

/// Sides are told by planes through so many labels, far from each other.
const LANDMARKS: usize = 10;
const PLANES: usize = 8;
/// What one pose does not say of a height, as a share of the largest distance among the four labels, by poses.
const UNKNOWN: f64 = 0.9;

/// A plane of three labels that a label has a side of.
pub(super) struct Side {
    pub(super) marks: [usize; 3],
    pub(super) height_m: f64,
    pub(super) spread_m: f64,
}

/// For every label the planes whose side it keeps best.
pub(super) fn sides(shape: &BodyShape, evidence: Evidence) -> Vec<Vec<Side>> {
    let (poses, labels) = (evidence.poses, shape.labels);
    let Some(most) = poses.iter().max_by_key(|pose| pose.iter().flatten().count()) else {
        return (0..labels).map(|_| Vec::new()).collect();
    };
    let landmarks = landmarks(shape, most);
    let of_label = |label: usize| {
        let mut found: Vec<Side> = Vec::new();
        for (x, a) in landmarks.iter().enumerate() {
            for (y, b) in landmarks[..x].iter().enumerate() {
                for c in &landmarks[..y] {
                    let marks = [*a, *b, *c];
                    let heights = poses.iter().filter_map(|pose| {
                        let [a, b, c] = marks.map(|mark| pose[mark]);
                        height_m(&pose[label]?, [a?, b?, c?])
                    });
                    let heights: Vec<f64> = heights.collect();
                    if marks.contains(&label) || 2 * heights.len() < poses.len() {
                        continue;
                    }
                    let Some((height_m, variance_m2)) = mean_and_variance(heights) else {
                        continue;
                    };
                    let four = [label, *a, *b, *c];
                    let far_m = four.iter().flat_map(|i| four.iter().map(move |j| (*i, *j)));
                    let far_m = far_m
                        .filter_map(|(i, j)| Some(shape.distance(i, j)?.mean_m))
                        .fold(0.0, f64::max);
                    let unknown_m = 0.02 + UNKNOWN * far_m / (evidence.distinct + 2.0);
                    let spread_m = (variance_m2 + unknown_m * unknown_m).sqrt();
                    if height_m.abs() > 1.5 * spread_m {
                        found.push(Side { marks, height_m, spread_m });
                    }
                }
            }
        }
        let sharpness = |side: &Side| side.height_m.abs() / side.spread_m;
        order::by(&mut found, |a, b| sharpness(b).total_cmp(&sharpness(a)));
        found.truncate(PLANES);
        found
    };
    (0..labels).map(of_label).collect()
}

/// Labels that are far from each other in a pose, of the half whose distances to all others change least.
fn landmarks(shape: &BodyShape, pose: &Pose) -> Vec<usize> {
    let unsteadiness = |label: usize| -> f64 {
        let distances = (0..shape.labels).filter_map(|other| shape.distance(label, other));
        distances.map(|d| d.variance_m2.sqrt() + 0.1 * d.mean_m).sum()
    };
    let seen = pose.iter().enumerate().filter_map(|(label, p)| Some((label, (*p)?)));
    let mut seen: Vec<(usize, Point3<f64>)> = seen.collect();
    order::by(&mut seen, |a, b| unsteadiness(a.0).total_cmp(&unsteadiness(b.0)));
    seen.truncate((seen.len() / 2).max(LANDMARKS));
    let mut chosen: Vec<(usize, Point3<f64>)> = seen.first().copied().into_iter().collect();
    while chosen.len() < LANDMARKS.min(seen.len()) {
        let off_m = |(_, p): &(usize, Point3<f64>)| {
            chosen.iter().map(|(_, q)| (p - q).norm()).fold(f64::INFINITY, f64::min)
        };
        let Some(next) = seen.iter().max_by(|a, b| off_m(a).total_cmp(&off_m(b))) else { break };
        chosen.push(*next);
    }
    chosen.into_iter().map(|(label, _)| label).collect()
}
