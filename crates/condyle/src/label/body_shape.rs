//! What is known of a body whose markers are to be found: distances between them, and on which side each one sits.

use crate::order;
use std::f64::consts::TAU;

use nalgebra::Point3;

use super::chirality::{self, Chirality, Triple};
use super::pose::{Pose, count_distinct};

/// Distances are looked up in cells of this size.
pub(super) const CELL_M: f64 = 0.001;
pub(super) const CELLS: usize = 2500;
/// A distance between points that have nothing to do with each other is anywhere up to this.
const RANGE_M: f64 = 1.5;
/// How many other labels a label is known by.
const MATES: usize = 16;
/// The share of the widest component of a distance's density.
pub(super) const WIDE_SHARE: f64 = 0.2;

/// How far markers may be from where the subject had them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerance {
    /// Likelihood of a distance that no pose explains, against that of unrelated points.
    pub(super) floor: f64,
    /// A standard deviation that every distance has besides, as a share of it.
    pub(super) share: f64,
}

/// The same performer with the same markers.
pub(super) const SAME_SUBJECT: Tolerance = Tolerance { floor: 0.3, share: 0.0 };
/// Somebody else with the same marker set.
pub(super) const OTHER_SUBJECT: Tolerance = Tolerance { floor: 0.02, share: 0.06 };

/// Poses, and how many different ones they count for.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) poses: &'a [Pose],
    pub(super) distinct: f64,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(poses: &'a [Pose]) -> Self {
        Self { poses, distinct: count_distinct(poses) as f64 }
    }
}

/// A label that another is known by.
pub(super) struct Mate {
    pub(super) label: usize,
    /// The log likelihood ratio g of a distance, by cells.
    pub(super) gain: Vec<f32>,
}

/// What poses say of a body.
///
/// # Method
/// Of every pair of labels the mean μ and the variance σ² of their distance over the poses. The likelihood ratio of
/// a distance d against unrelated points, whose distances are uniform up to R:
/// g(d) = ln(Σ aₖ R N(d; μ, sₖ) + ε), with s₁² = σ² + (3 mm)² + (0.02 μ)², s₂² = σ² + (8 mm + 0.1 μ)² and
/// s₃ = max(s₂, 20 mm + 0.25 μ); a₃ = 0.2, a₁ = 0.8 (n + 1)/(n + 4) and a₂ = 0.8 - a₁, where n is the number of
/// distinct poses: one pose says little about how far a distance changes.
pub(super) struct BodyShape {
    pub(super) labels: usize,
    pub(super) mates: Vec<Vec<Mate>>,
    pub(super) chirality: Chirality,
    pairs: Vec<Option<Distance>>,
}

/// A distance between two labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Distance {
    pub(super) mean_m: f64,
    pub(super) variance_m2: f64,
}

impl BodyShape {
    /// What several sets of poses say, each by the number of different poses that it counts for.
    pub(super) fn new(labels: usize, evidence: &[Evidence], tolerance: Tolerance) -> Self {
        let distinct: f64 = evidence.iter().map(|evidence| evidence.distinct).sum();
        let tight_share = (1.0 - WIDE_SHARE) * (distinct + 1.0) / (distinct + 4.0);
        let shares = [tight_share, 1.0 - WIDE_SHARE - tight_share, WIDE_SHARE];
        let mut pairs = vec![None; labels * labels];
        let mut spread_m = vec![f64::INFINITY; labels * labels];
        for i in 0..labels {
            for j in 0..i {
                let Some((mean_m, variance_m2)) =
                    moments(evidence, |pose| Some((pose[i]? - pose[j]?).norm()))
                else {
                    continue;
                };
                let variance_m2 = variance_m2 + (tolerance.share * mean_m).powi(2);
                let distance = Distance { mean_m, variance_m2 };
                let spreads_m = distance.spreads_m();
                let log: f64 = spreads_m.iter().zip(shares).map(|(s, a)| a * s.ln()).sum();
                for at in [i * labels + j, j * labels + i] {
                    (pairs[at], spread_m[at]) = (Some(distance), log.exp());
                }
            }
        }
        let nearest = |i: usize| -> Vec<usize> {
            let spread_m = &spread_m[i * labels..(i + 1) * labels];
            let mut order: Vec<usize> = (0..labels).filter(|j| spread_m[*j].is_finite()).collect();
            order::by(&mut order, |a, b| spread_m[*a].total_cmp(&spread_m[*b]));
            order.truncate(MATES);
            order
        };
        let order: Vec<Vec<usize>> = (0..labels).map(nearest).collect();
        let mate = |i: usize, j: usize| {
            let distance = pairs[i * labels + j]?;
            Some(Mate { label: j, gain: distance.gains(shares, tolerance.floor) })
        };
        let mates =
            (0..labels).map(|i| order[i].iter().filter_map(|j| mate(i, *j)).collect()).collect();
        let triples: Vec<Vec<Triple>> = (0..labels)
            .map(|i| {
                let spread = |a: usize, b: usize| spread_m[a * labels + b];
                chirality::triples(i, &order[i], spread, distinct, |marks| {
                    moments(evidence, |pose| {
                        let [a, b, c] = marks.map(|mark| pose[mark]);
                        height_m(&pose[i]?, [a?, b?, c?])
                    })
                })
            })
            .collect();
        let chirality = Chirality::new(triples, shares[1]);
        Self { labels, mates, chirality, pairs }
    }

    /// The distance of two labels, if they were ever seen together.
    pub(super) fn distance(&self, i: usize, j: usize) -> Option<Distance> {
        self.pairs[i * self.labels + j]
    }
}

impl Distance {
    fn spreads_m(&self) -> [f64; 3] {
        let Self { mean_m, variance_m2 } = *self;
        let tight_m = (variance_m2 + 0.003_f64.powi(2) + (0.02 * mean_m).powi(2)).sqrt();
        let middle_m = (variance_m2 + (0.008 + 0.1 * mean_m).powi(2)).sqrt();
        [tight_m, middle_m, middle_m.max(0.02 + 0.25 * mean_m)]
    }

    fn gains(&self, shares: [f64; 3], floor: f64) -> Vec<f32> {
        let spreads_m = self.spreads_m();
        let peaks: [f64; 3] =
            std::array::from_fn(|k| shares[k] * RANGE_M / (spreads_m[k] * TAU.sqrt()));
        let gain = |cell: usize| {
            let off_m = cell as f64 * CELL_M - self.mean_m;
            let density = |k: usize| {
                let z = off_m / spreads_m[k];
                // Beyond, it is nothing beside the floor.
                if z.abs() < 6.0 { peaks[k] * (-0.5 * z * z).exp() } else { 0.0 }
            };
            (floor + density(0) + density(1) + density(2)).ln() as f32
        };
        (0..CELLS).map(gain).collect()
    }
}

/// The mean and the variance of what poses measure, each set of poses by its distinct ones.
fn moments(evidence: &[Evidence], measure: impl Fn(&Pose) -> Option<f64>) -> Option<(f64, f64)> {
    let (mut weights, mut sum, mut squares, mut base) = (0.0, 0.0, 0.0, None);
    for Evidence { poses, distinct } in evidence {
        let weight = distinct.max(0.1) / poses.len().max(1) as f64;
        for value in poses.iter().filter_map(&measure) {
            // Sums of what differs from the first lose no digits.
            let off = value - *base.get_or_insert(value);
            weights += weight;
            sum += weight * off;
            squares += weight * off * off;
        }
    }
    let mean = sum / weights;
    Some((base? + mean, (squares / weights - mean * mean).max(0.0)))
}

/// How high a point is above the plane of three, on the side from which they turn left.
pub(super) fn height_m(point_m: &Point3<f64>, [a, b, c]: [Point3<f64>; 3]) -> Option<f64> {
    let normal = (b - a).cross(&(c - a)).try_normalize(1e-6)?;
    Some((point_m - a).dot(&normal))
}
