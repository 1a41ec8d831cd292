//! Points in the normal equations: markers, and joints as both their segments have them.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::tree::SharedNormal;

/// Degrees of freedom of the Student t distribution of points.
pub(super) const POINT_FREEDOM: f64 = 5.0;

/// The residual of a point, its robust weight and its standard deviation.
pub(super) struct Weighed {
    pub arm: Vector3<f64>,
    pub off: Vector3<f64>,
    pub robust: f64,
    pub sd_m: f64,
}

impl Weighed {
    /// What its residual counts for.
    pub(super) fn weight(&self) -> f64 {
        self.robust / (self.sd_m * self.sd_m)
    }
}

pub(super) fn robust(off: &Vector3<f64>, sd_m: f64) -> f64 {
    robust_weight(off.norm_squared(), sd_m)
}

/// What a point counts whose residual has this square.
pub(super) fn robust_weight(square_m2: f64, sd_m: f64) -> f64 {
    (POINT_FREEDOM + 3.0) / (POINT_FREEDOM + square_m2 / (sd_m * sd_m))
}

/// A point `arm` from the origin moves by shift + turn × arm.
pub(super) fn add_point(
    own: &mut Matrix6<f64>,
    gradient: &mut Vector6<f64>,
    point: &Weighed,
    weight: f64,
) {
    let cross = point.arm.cross_matrix();
    let square = cross * cross;
    let turn = point.arm.cross(&point.off);
    for i in 0..3 {
        own[(i, i)] += weight;
        gradient[i] += weight * point.off[i];
        gradient[3 + i] += weight * turn[i];
        for j in 0..3 {
            own[(3 + i, j)] += weight * cross[(i, j)];
            own[(i, 3 + j)] -= weight * cross[(i, j)];
            own[(3 + i, 3 + j)] -= weight * square[(i, j)];
        }
    }
}

pub(super) fn add_columns(
    columns: &mut [Vector6<f64>],
    arm: &Vector3<f64>,
    rotation: &Matrix3<f64>,
    weight: f64,
) {
    for (axis, column) in columns.iter_mut().take(3).enumerate() {
        let direction: Vector3<f64> = rotation.column(axis).into();
        let turn = arm.cross(&direction);
        for i in 0..3 {
            column[i] += weight * direction[i];
            column[3 + i] += weight * turn[i];
        }
    }
}

/// A point that is a sum of parameters, each with its place among them and its factor.
pub(super) fn add_direct(
    shared: &mut SharedNormal,
    parts: &[(usize, usize, f64)],
    off: &Vector3<f64>,
    weight: f64,
) {
    let size = shared.parameters();
    for &(_, a, of_a) in parts {
        for i in 0..3 {
            shared.gradient[a + i] += weight * of_a * off[i];
            for &(_, b, of_b) in parts.iter().filter(|(_, b, _)| *b <= a) {
                shared.matrix[(a + i) * size + b + i] += weight * of_a * of_b;
            }
        }
    }
}
