//! How the tips of a hand move together: their mean place and how they vary about it, learnt frame by frame.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

use super::model::MAX_FINGERS;

/// All coordinates of all tips.
pub(super) const SIZE: usize = 3 * MAX_FINGERS;
/// A number for every coordinate of every tip.
pub(super) type All = SVector<f64, SIZE>;
/// How a tip goes with the others.
pub(super) type Gain = SMatrix<f64, 3, SIZE>;

/// What was seen is forgotten in about so long.
pub(super) const MEMORY_S: f64 = 30.0;
/// Before anything is learnt a tip moves about its mean by so much.
const PRIOR_M: f64 = 10e-3;
/// The prior counts as so long.
const PRIOR_S: f64 = 0.5;

/// Mean and covariance of the places of all tips in the hand.
#[derive(Debug, Clone)]
pub(super) struct Together {
    count: usize,
    pub mean_m: All,
    covariance_m2: SMatrix<f64, SIZE, SIZE>,
    learnt_s: f64,
}

impl Together {
    pub fn new(count: usize) -> Self {
        Self {
            count,
            mean_m: All::zeros(),
            covariance_m2: SMatrix::identity() * (PRIOR_M * PRIOR_M),
            learnt_s: 0.0,
        }
    }

    /// Takes in a tip that was not seen before: of where it was until now nothing is known.
    pub fn begin(&mut self, finger: usize, at_m: &Vector3<f64>) {
        self.mean_m.fixed_rows_mut::<3>(3 * finger).copy_from(at_m);
        for row in 3 * finger..3 * finger + 3 {
            self.covariance_m2.row_mut(row).fill(0.0);
            self.covariance_m2.column_mut(row).fill(0.0);
            self.covariance_m2[(row, row)] = PRIOR_M * PRIOR_M;
        }
    }

    /// Takes in where the tips are for one frame.
    pub fn learn(&mut self, at_m: &All, step_s: f64) {
        self.learnt_s = (self.learnt_s + step_s).min(MEMORY_S);
        self.mean_m += (at_m - self.mean_m) * (step_s / self.learnt_s);
        let off_m = at_m - self.mean_m;
        let share = step_s / (self.learnt_s + PRIOR_S);
        for column in 0..3 * self.count {
            for row in 0..3 * self.count {
                let entry = &mut self.covariance_m2[(row, column)];
                *entry += (off_m[row] * off_m[column] - *entry) * share;
            }
        }
    }

    /// How much a tip varies.
    pub fn own_m2(&self, finger: usize) -> Matrix3<f64> {
        self.covariance_m2.fixed_view::<3, 3>(3 * finger, 3 * finger).into_owned()
    }

    /// How a tip goes with those that are seen: regression in which `ridge_m` of their motion is not taken for motion.
    pub fn gain(&self, finger: usize, seen: &[bool; MAX_FINGERS], ridge_m: f64) -> Gain {
        let mut rows = [0; SIZE];
        let mut size = 0;
        for other in (0..self.count).filter(|other| seen[*other] && *other != finger) {
            for row in 3 * other..3 * other + 3 {
                rows[size] = row;
                size += 1;
            }
        }
        // The lower root of what is seen, then both triangles solved for the three coordinates of the tip.
        let mut root = [[0.0; SIZE]; SIZE];
        let mut right = [Vector3::zeros(); SIZE];
        for i in 0..size {
            for j in 0..=i {
                let ridge_m2 = if i == j { ridge_m * ridge_m } else { 0.0 };
                let mut sum = self.covariance_m2[(rows[i], rows[j])] + ridge_m2;
                for (own, other) in root[i].iter().zip(&root[j]).take(j) {
                    sum -= own * other;
                }
                root[i][j] = if i == j { sum.max(1e-12).sqrt() } else { sum / root[j][j] };
            }
            let mut sum: Vector3<f64> =
                self.covariance_m2.fixed_view::<3, 1>(3 * finger, rows[i]).into_owned();
            for k in 0..i {
                sum -= right[k] * root[i][k];
            }
            right[i] = sum / root[i][i];
        }
        let mut gain = Gain::zeros();
        for i in (0..size).rev() {
            let mut sum = right[i];
            for k in i + 1..size {
                sum -= right[k] * root[k][i];
            }
            right[i] = sum / root[i][i];
            gain.column_mut(rows[i]).copy_from(&right[i]);
        }
        gain
    }
}
