//! On which side of its neighbours a marker sits: what tells a body from its mirror image.

use crate::order;
use nalgebra::{Point3, Vector3};

use super::body_shape::WIDE_SHARE;

/// Triples are made of so many of a label's mates.
const MATES: usize = 8;
const TRIPLES: usize = 6;
/// A height counts if it is this many of its spreads.
const MIN_HEIGHT_TO_SPREAD: f64 = 2.0;
const Z_STEP: f64 = 0.05;
const Z_STEPS: u32 = 200;

/// Three labels, and how high another is above their plane.
pub(super) struct Triple {
    pub(super) marks: [usize; 3],
    height_m: f64,
    spread_m: f64,
}

/// The triples of all labels.
///
/// # Method
/// The signed height h of a label over the plane of three mates, with the spread
/// s² = (n var h + 3 q²)/(n + 3) + (3 mm)² + q², q the largest spread of the six distances. A height that is z
/// spreads off counts ln((1 - p) exp(-z²/2) + p); p = a₃ + 0.3 a₂ is how often neighbours are not where they were.
pub(super) struct Chirality {
    of_label: Vec<Vec<Triple>>,
    gain: Vec<f32>,
}

/// The triples of a label that tell sides best.
pub(super) fn triples(
    label: usize,
    mates: &[usize],
    spread_m: impl Fn(usize, usize) -> f64,
    distinct: f64,
    height: impl Fn([usize; 3]) -> Option<(f64, f64)>,
) -> Vec<Triple> {
    let mates = &mates[..mates.len().min(MATES)];
    let mut found = Vec::new();
    for (x, a) in mates.iter().enumerate() {
        for (y, b) in mates[..x].iter().enumerate() {
            for c in &mates[..y] {
                let pairs = [(label, *a), (label, *b), (label, *c), (*a, *b), (*a, *c), (*b, *c)];
                let worst_m = pairs.iter().map(|(i, j)| spread_m(*i, *j)).fold(0.0, f64::max);
                let marks = [*a, *b, *c];
                let Some((height_m, variance_m2)) = height(marks) else { continue };
                let worst_m2 = worst_m * worst_m;
                let seen_m2 = (distinct * variance_m2 + 3.0 * worst_m2) / (distinct + 3.0);
                let spread_m = (seen_m2 + 0.003_f64.powi(2) + worst_m2).sqrt();
                if height_m.abs() > MIN_HEIGHT_TO_SPREAD * spread_m {
                    found.push(Triple { marks, height_m, spread_m });
                }
            }
        }
    }
    let sharpness = |triple: &Triple| triple.height_m.abs() / triple.spread_m;
    order::by(&mut found, |a, b| sharpness(b).total_cmp(&sharpness(a)));
    found.truncate(TRIPLES);
    found
}

impl Chirality {
    pub(super) fn new(of_label: Vec<Vec<Triple>>, middle_share: f64) -> Self {
        let astray = WIDE_SHARE + 0.3 * middle_share;
        let gain = |step: u32| {
            let z = f64::from(step) * Z_STEP;
            ((1.0 - astray) * (-z * z / 2.0).exp() + astray).ln() as f32
        };
        Self { of_label, gain: (0..=Z_STEPS).map(gain).collect() }
    }

    /// Adds what the sides of points say of a label, given where others are; `sums` has a sum and a count a point.
    pub(super) fn add(
        &self,
        label: usize,
        positions_m: &[Point3<f64>],
        holder: &[Option<usize>],
        sums: &mut [(f32, f32)],
    ) {
        for triple in &self.of_label[label] {
            let [Some(a), Some(b), Some(c)] = triple.marks.map(|mark| holder[mark]) else {
                continue;
            };
            let [at_a, at_b, at_c] = [a, b, c].map(|point| positions_m[point]);
            let normal: Vector3<f64> = (at_b - at_a).cross(&(at_c - at_a));
            let Some(normal) = normal.try_normalize(1e-6) else { continue };
            let per_step = 1.0 / (triple.spread_m * Z_STEP);
            for (point, (position_m, sum)) in positions_m.iter().zip(sums.iter_mut()).enumerate() {
                if point != a && point != b && point != c {
                    let off_m = (position_m - at_a).dot(&normal) - triple.height_m;
                    let step = (off_m.abs() * per_step + 0.5) as usize;
                    sum.0 += self.gain[step.min(self.gain.len() - 1)];
                    sum.1 += 1.0;
                }
            }
        }
    }
}
