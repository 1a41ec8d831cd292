//! Moments of points about their mean: all that the closed forms need to know of the data.

mod pass;

use std::ops::AddAssign;

use nalgebra::{Point3, SMatrix, SVector};

use super::positive::solve_positive;

/// Central moments of N points in D dimensions: 16 numbers for D = 3, whatever N is.
///
/// It is at once the batch kernel ([`Moments::from_points`]), the incremental one ([`Moments::push`]) and,
/// by [`Moments::merge`], the one for blocks, trials and threads.
///
/// # Method
/// With d = x - mean: `a` = Σ d dᵀ, `t` = Σ d |d|², `q` = Σ |d|⁴. Deviations are always taken from an
/// origin near the data, never from zero: raw moments lose all digits far from the origin. An
/// origin that moves by e changes the sums by the shift rule (for n points whose `sum` Σ d is 0)
///
/// ```text
/// q ← q - 4 t·e + 4 eᵀ a e + 2 |e|² tr a + n |e|⁴
/// t ← t - 2 a e - e tr a - n |e|² e
/// a ← a + n e eᵀ
/// ```
///
/// Points that do not all count the same have a weight w in every sum, proportional to the inverse of
/// their noise variance, and n is Σ w.
///
/// # Reference
/// J. K. Knight (2008), *Rotation Points From Motion Capture Data Using a Closed Form Solution*,
/// equations (83), (84), (224) to (230); `q` and the merge are ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments<const D: usize> {
    /// How many points.
    pub samples: usize,
    /// Σ w: as many as there are points where all count the same.
    pub weight: f64,
    /// Σ w².
    pub weight_squared: f64,
    /// Their mean.
    pub mean: SVector<f64, D>,
    /// Σ d dᵀ.
    pub a: SMatrix<f64, D, D>,
    /// Σ d |d|².
    pub t: SVector<f64, D>,
    /// Σ |d|⁴.
    pub q: f64,
}

impl<const D: usize> Default for Moments<D> {
    fn default() -> Self {
        Self {
            samples: 0,
            weight: 0.0,
            weight_squared: 0.0,
            mean: SVector::zeros(),
            a: SMatrix::zeros(),
            t: SVector::zeros(),
            q: 0.0,
        }
    }
}

/// Axes that points in fewer dimensions do not have.
const ZEROS: &[f64; 4096] = &[0.0; 4096];

impl<const D: usize> Moments<D> {
    /// Points summed up about one origin: many, so that merging costs nothing, but not so many that
    /// rounding adds up.
    const BLOCK: usize = if D < 3 { ZEROS.len() } else { 16_384 };

    /// The moments of points given by one contiguous slice an axis, in one pass over memory.
    ///
    /// Slices of different length are read up to the shortest. Up to three dimensions are as fast as
    /// the processor's vectors, more are not.
    pub fn from_points(points: [&[f64]; D]) -> Self {
        let samples = points.iter().map(|axis| axis.len()).min().unwrap_or(0);
        let block = |from: usize| points.map(|axis| &axis[from..samples.min(from + Self::BLOCK)]);
        if samples == 0 {
            return Self::default();
        }
        if samples <= Self::BLOCK {
            return Self::of_block(block(0), near(block(0)));
        }
        let mut total = Self::from_points(block(0));
        for from in (Self::BLOCK..samples).step_by(Self::BLOCK) {
            // The mean so far is near enough from now on.
            total.merge(&Self::of_block(block(from), total.mean));
        }
        total
    }

    fn of_block(points: [&[f64]; D], origin: SVector<f64, D>) -> Self {
        Self::about(origin, points[0].len(), Sums::about(points, &origin))
    }
}

/// An origin near points: the mean of four of them, spread over all.
fn near<const D: usize>(points: [&[f64]; D]) -> SVector<f64, D> {
    SVector::from(points.map(|axis| {
        // Multiplied first: a sum of numbers near the largest would overflow.
        let quarter = |k: usize| 0.25 * axis[k * axis.len() / 4];
        (quarter(0) + quarter(1)) + (quarter(2) + quarter(3))
    }))
}

impl Moments<3> {
    /// GDKE and nothing else, for inner loops: c = x̄ + ½C⁻¹S (86) and r (75).
    ///
    /// `None` if the points are in a plane, to the last digit, or too few. [`super::sphere`] says
    /// whether the answer can be trusted; this does not.
    pub fn gdke(&self) -> Option<(Point3<f64>, f64)> {
        let offset = solve_positive(&self.a, &self.t)? * 0.5;
        let square = self.a.trace() / self.weight + offset.norm_squared();
        Some((Point3::from(self.mean + offset), square.sqrt()))
    }
}

/// Sums over deviations from an origin that need not be the mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums<const D: usize> {
    pub sum: SVector<f64, D>,
    pub a: SMatrix<f64, D, D>,
    pub t: SVector<f64, D>,
    pub q: f64,
}

impl<const D: usize> Default for Sums<D> {
    fn default() -> Self {
        Self { sum: SVector::zeros(), a: SMatrix::zeros(), t: SVector::zeros(), q: 0.0 }
    }
}

impl<const D: usize> AddAssign for Sums<D> {
    fn add_assign(&mut self, other: Self) {
        self.sum += other.sum;
        self.a += other.a;
        self.t += other.t;
        self.q += other.q;
    }
}

impl<const D: usize> Sums<D> {
    fn about(points: [&[f64]; D], origin: &SVector<f64, D>) -> Self {
        if D > 3 {
            let mut sums = Self::default();
            (0..points[0].len()).for_each(|i| {
                sums.add(&SVector::from_fn(|axis, _| points[axis][i] - origin[axis]));
            });
            return sums;
        }
        let flat = || &ZEROS[..points.first().map_or(0, |axis| axis.len())];
        let sums = pass::sums_about(
            [0, 1, 2].map(|i| points.get(i).copied().unwrap_or_else(flat)),
            [0, 1, 2].map(|i| origin.get(i).copied().unwrap_or(0.0)),
        );
        Self {
            sum: SVector::from_fn(|i, _| sums.sum[i]),
            a: SMatrix::from_fn(|i, j| sums.a[(i, j)]),
            t: SVector::from_fn(|i, _| sums.t[i]),
            q: sums.q,
        }
    }

    fn add(&mut self, d: &SVector<f64, D>) {
        let square = d.norm_squared();
        self.sum += d;
        self.a += d * d.transpose();
        self.t += d * square;
        self.q += square * square;
    }
}

impl<const D: usize> Moments<D> {
    /// The moments of the rows of an iterator.
    pub fn from_rows(rows: impl IntoIterator<Item = SVector<f64, D>>) -> Self {
        let mut total = Self::default();
        for row in rows {
            total.push(&row);
        }
        total
    }

    /// Sums about any origin, moved to the mean.
    fn about(origin: SVector<f64, D>, samples: usize, sums: Sums<D>) -> Self {
        let n = samples as f64;
        let e = sums.sum * (1.0 / n);
        // About the origin the first moment is n e: the shift rule with that term kept.
        let (square, trace) = (e.norm_squared(), sums.a.trace());
        let a_e = sums.a * e;
        Self {
            samples,
            weight: n,
            weight_squared: n,
            mean: origin + e,
            a: sums.a - e * e.transpose() * n,
            t: sums.t - a_e * 2.0 - e * trace + e * (2.0 * n * square),
            q: sums.q - 4.0 * sums.t.dot(&e) + 4.0 * e.dot(&a_e) + 2.0 * square * trace
                - 3.0 * n * square * square,
        }
    }

    /// Adds one point by the exact recurrences (224) to (230).
    pub fn push(&mut self, point: &SVector<f64, D>) {
        self.push_weighted(point, 1.0);
    }

    /// Adds one point with its weight; one that is not above zero adds nothing.
    pub fn push_weighted(&mut self, point: &SVector<f64, D>, weight: f64) {
        // A weight that is not a number must not pass either.
        if weight.is_nan() || weight <= 0.0 {
            return;
        }
        let e = (point - self.mean) * weight / (self.weight + weight);
        let d = e * self.weight / weight;
        self.shift(&e);
        let square = d.norm_squared();
        self.q += weight * square * square;
        self.t += d * (weight * square);
        self.a += d * d.transpose() * weight;
        self.weight += weight;
        self.weight_squared += weight * weight;
        self.samples += 1;
    }

    /// Takes in the moments of other points.
    pub fn merge(&mut self, other: &Self) {
        if other.samples == 0 {
            return;
        }
        if self.samples == 0 {
            *self = *other;
            return;
        }
        let total = self.weight + other.weight;
        let between = other.mean - self.mean;
        let mut other = *other;
        self.shift(&(between * (other.weight / total)));
        other.shift(&(between * (-self.weight / total)));
        self.samples += other.samples;
        self.weight += other.weight;
        self.weight_squared += other.weight_squared;
        self.a += other.a;
        self.t += other.t;
        self.q += other.q;
    }

    /// Moves the origin from the mean by `e`; what is left are sums about the new origin.
    fn shift(&mut self, e: &SVector<f64, D>) {
        let (n, square, trace) = (self.weight, e.norm_squared(), self.a.trace());
        let a_e = self.a * e;
        self.q +=
            -4.0 * self.t.dot(e) + 4.0 * e.dot(&a_e) + 2.0 * square * trace + n * square * square;
        self.t -= a_e * 2.0 + e * (trace + n * square);
        self.a += e * e.transpose() * n;
        self.mean += e;
    }

    /// How many equally good samples would tell as much: (Σ w)² / Σ w².
    pub fn effective_samples(&self) -> f64 {
        self.weight * self.weight / self.weight_squared
    }

    /// The covariance C = Σ d dᵀ / (N - 1), equation (83).
    pub fn covariance(&self) -> SMatrix<f64, D, D> {
        self.a / (self.samples as f64 - 1.0)
    }

    /// The third moment S = Σ d |d|² / (N - 1), equation (84).
    pub fn third(&self) -> SVector<f64, D> {
        self.t / (self.samples as f64 - 1.0)
    }
}

#[cfg(test)]
mod tests;
