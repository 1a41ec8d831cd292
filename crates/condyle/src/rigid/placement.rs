//! Where a rigid segment is in one frame: the weighted Kabsch fit to the points that are seen.

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, Vector3};

use super::rotation::{Best, rotation_below};

/// A point of a segment and where it is in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The point in the segment's frame, in metres.
    pub in_segment_m: Point3<f64>,
    /// The same point in the world, in metres.
    pub in_world_m: Point3<f64>,
    /// How much it counts: one over its variance, up to a common factor.
    pub weight: f64,
}

/// Where a segment is, and how well the points agree about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The pose.
    pub world_from_segment: Isometry3<f64>,
    /// The weighted rms distance between the points and the segment's own, in metres; below a nanometre it
    /// is rounding.
    pub rms_m: f64,
    /// How many points were used.
    pub points: usize,
}

/// Points nearer to a line than this share of their extent give no orientation.
const MIN_RELATIVE_WIDTH: f64 = 1e-3;

/// The rigid motion that brings a segment's points nearest to where they are seen.
///
/// `None` if fewer than three points have a weight, or if they are all but on a line.
///
/// # Reference
/// W. Kabsch (1976), *A solution for the best rotation to relate two sets of vectors*.
pub fn place(pairs: impl IntoIterator<Item = Pair>) -> Option<Placement> {
    let mut gathered = PlacementSums::default();
    pairs.into_iter().for_each(|pair| gathered.add(&pair));
    gathered.place()
}

/// Points as they come: sums about the first of them, from which the segment is placed.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlacementSums {
    /// How many points there are.
    pub points: usize,
    origin_in_segment_m: Point3<f64>,
    origin_in_world_m: Point3<f64>,
    weight: f64,
    segment_sum: Vector3<f64>,
    world_sum: Vector3<f64>,
    mixed: Matrix3<f64>,
    spread: Matrix3<f64>,
    world_square: f64,
}

/// A segment all of whose points may be seen: what they say of the segment alone is summed once.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// Everything about the segment, nothing about the world.
    sums: PlacementSums,
    /// For every point its weight, and its place about the first times that.
    heavy: Vec<(f64, Vector3<f64>)>,
}

impl Template {
    /// The template of points and their weights.
    pub fn new(points: &[(Point3<f64>, f64)]) -> Self {
        let mut sums = PlacementSums::default();
        for (point, weight) in points {
            let in_world_m = Point3::origin();
            sums.add(&Pair { in_segment_m: *point, in_world_m, weight: *weight });
        }
        let heavy =
            |(point, weight): &(Point3<f64>, f64)| (*weight, (point - points[0].0) * *weight);
        Self { sums, heavy: points.iter().map(heavy).collect() }
    }

    /// The same as [`PlacementSums::add`] for all points, seen in this order; `None` if one is not seen.
    #[inline]
    pub fn gather(&self, seen: impl Iterator<Item = Option<Point3<f64>>>) -> Option<PlacementSums> {
        let mut gathered = self.sums;
        for (index, (in_world_m, (weight, heavy_segment))) in seen.zip(&self.heavy).enumerate() {
            let in_world_m = in_world_m?;
            if index == 0 {
                gathered.origin_in_world_m = in_world_m;
                continue;
            }
            let world = in_world_m - gathered.origin_in_world_m;
            let heavy_world = world * *weight;
            gathered.world_sum += heavy_world;
            gathered.mixed += world * heavy_segment.transpose();
            gathered.world_square += world.dot(&heavy_world);
        }
        Some(gathered)
    }
}

impl PlacementSums {
    /// Takes in another point.
    #[inline]
    pub fn add(&mut self, pair: &Pair) {
        if self.points == 0 {
            (self.origin_in_segment_m, self.origin_in_world_m) =
                (pair.in_segment_m, pair.in_world_m);
        }
        let segment = pair.in_segment_m - self.origin_in_segment_m;
        let world = pair.in_world_m - self.origin_in_world_m;
        let (heavy_segment, heavy_world) = (segment * pair.weight, world * pair.weight);
        self.points += 1;
        self.weight += pair.weight;
        self.segment_sum += heavy_segment;
        self.world_sum += heavy_world;
        self.mixed += world * heavy_segment.transpose();
        self.spread += segment * heavy_segment.transpose();
        self.world_square += world.dot(&heavy_world);
    }

    /// How far the points are off a line, rms: zero of fewer than three.
    pub fn width_m(&self) -> f64 {
        if self.points < 3 || !(self.weight.is_finite() && self.weight > 0.0) {
            return 0.0;
        }
        let mean = self.segment_sum / self.weight;
        let spread = (self.spread - self.segment_sum * mean.transpose()) / self.weight;
        // (λ₁λ₂ + λ₁λ₃ + λ₂λ₃)/(λ₁ + λ₂ + λ₃) is λ₂ + λ₃ of points near a line.
        (minors(&spread) / spread.trace()).max(0.0).sqrt()
    }

    /// Where the segment is: as [`place`] has it.
    #[inline]
    pub fn place(&self) -> Option<Placement> {
        if self.points < 3 || !(self.weight.is_finite() && self.weight > 0.0) {
            return None;
        }
        // About the means instead of the first point.
        let share = self.weight.recip();
        let segment_mean = self.segment_sum * share;
        let world_mean = self.world_sum * share;
        let mixed = self.mixed - self.world_sum * segment_mean.transpose();
        let spread = self.spread - self.segment_sum * segment_mean.transpose();
        let world_square = self.world_square - self.world_sum.dot(&world_mean);
        if !is_wide(&spread) || !world_square.is_finite() {
            return None;
        }
        // tr(Rᵀ mixed) is at most this: the two agree up to the residual.
        let bound = 0.5 * (spread.trace() + world_square);
        let Best { rotation, trace } = rotation_below(&mixed, bound)?;
        let translation = self.origin_in_world_m + world_mean
            - rotation * (self.origin_in_segment_m + segment_mean);
        let world_from_segment = Isometry3::from_parts(Translation3::from(translation), rotation);
        let rms_m = ((2.0 * (bound - trace)).max(0.0) * share).sqrt();
        Some(Placement { world_from_segment, rms_m, points: self.points })
    }
}

/// Whether points with this spread are off a line: λ₁λ₂ + … against (λ₁ + …)².
fn is_wide(spread: &Matrix3<f64>) -> bool {
    minors(spread) > (MIN_RELATIVE_WIDTH * spread.trace()).powi(2)
}

fn minors(m: &Matrix3<f64>) -> f64 {
    let minor = |a: usize, b: usize| m[(a, a)] * m[(b, b)] - m[(a, b)].powi(2);
    minor(0, 1) + minor(0, 2) + minor(1, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.05, 0.1, 0.0], [0.1, 0.05, 0.08]];

    fn pairs(pose: &Isometry3<f64>, seen: usize) -> Vec<Pair> {
        SHAPE[..seen]
            .iter()
            .map(|p| Point3::from(*p))
            .map(|p| Pair { in_segment_m: p, in_world_m: pose * p, weight: 2.0 })
            .collect()
    }

    #[test]
    fn moves_with_the_world_to_the_last_digits() {
        // Check 21 of the specification: rigid-motion equivariance, orthonormal frames.
        let turn = Isometry3::new(Vector3::new(5.0, -3.0, 1.0), Vector3::new(0.3, 2.0, -0.7));
        for seen in [3, 4] {
            let mut noisy = pairs(&Isometry3::identity(), seen);
            noisy[1].in_world_m.z += 0.01;
            let before = place(noisy.iter().copied()).unwrap().world_from_segment;
            noisy.iter_mut().for_each(|pair| pair.in_world_m = turn * pair.in_world_m);
            let after = place(noisy.iter().copied()).unwrap().world_from_segment;
            let gap = after.to_homogeneous() - (turn * before).to_homogeneous();
            assert!(gap.norm() < 1e-12, "{gap}");
            assert!((after.rotation.norm() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_heavier_point_is_met_better() {
        let mut stretched = pairs(&Isometry3::identity(), 4);
        stretched[0].in_world_m.x -= 0.02;
        let miss = |pairs: &[Pair]| {
            let pose = place(pairs.iter().copied()).unwrap().world_from_segment;
            (pose * pairs[0].in_segment_m - pairs[0].in_world_m).norm()
        };
        let equal = miss(&stretched);
        stretched[0].weight = 200.0;
        assert!(miss(&stretched) < 0.1 * equal);
    }

    #[test]
    fn a_template_says_what_its_points_say() {
        let turn = Isometry3::new(Vector3::new(5.0, -3.0, 1.0), Vector3::new(0.3, 2.0, -0.7));
        let mut seen = pairs(&turn, 4);
        seen[2].in_world_m.y += 0.01;
        seen[3].weight = 0.5;
        let points: Vec<_> = seen.iter().map(|pair| (pair.in_segment_m, pair.weight)).collect();
        let template = Template::new(&points);
        let found = template.gather(seen.iter().map(|pair| Some(pair.in_world_m))).unwrap();
        assert_eq!(found.place(), place(seen.iter().copied()));
        let lost = seen.iter().map(|pair| Some(pair.in_world_m).filter(|p| p.z > 1.0));
        assert!(template.gather(lost).is_none());
    }

    #[test]
    fn needs_three_points_off_a_line() {
        let pose = Isometry3::identity();
        assert!(place(pairs(&pose, 2).into_iter()).is_none());
        let mut line = pairs(&pose, 3);
        for (i, pair) in line.iter_mut().enumerate() {
            pair.in_segment_m = Point3::new(0.1 * i as f64, 0.0, 0.0);
            pair.in_world_m = pair.in_segment_m;
        }
        assert!(place(line.into_iter()).is_none());
        let mut lost = pairs(&pose, 3);
        lost[0].in_world_m.x = f64::NAN;
        assert!(place(lost.into_iter()).is_none());
    }
}
