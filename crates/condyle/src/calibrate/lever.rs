//! What the errors of a segment's pose do to points that are seen from it, at the end of a lever.

use nalgebra::{Matrix3, Point3, Vector3};

use super::two_sided::Side;
use crate::centre::ManyFit;

/// The mean covariance of the noise of a marker's points as the segment sees them: of the pose alone.
pub(super) fn noise_m2(axes: &[Vec<f64>; 3], side: &Side) -> Matrix3<f64> {
    let count = axes[0].len().max(1) as f64;
    let square: Matrix3<f64> = points(axes)
        .map(|point| {
            let lever = point - side.mean_in_segment_m.coords;
            lever * lever.transpose()
        })
        .sum();
    // [x]× is linear in x: the mean of [x]× Θ [x]×ᵀ needs the mean of x xᵀ alone.
    let turns = [0, 1, 2].map(|axis| Vector3::ith(axis, 1.0).cross_matrix());
    let mut at_end = Matrix3::from_diagonal_element(side.mean_m2);
    for (a, first) in turns.iter().enumerate() {
        for (b, second) in turns.iter().enumerate() {
            let share = square[(a, b)] / count;
            at_end += first * side.orientation_rad2 * second.transpose() * share;
        }
    }
    at_end
}

/// The centre without what that noise bends it by.
///
/// # Method
/// A sphere is fitted as if noise were the same in every direction, η of it. Seen from a segment it is largest
/// across the lever, so that c = [Σ w (C - Σₚ)]⁻¹ Σ w [(C - Σₚ) x̄ + ½ S], with the noise Σₚ of each marker in place
/// of ηI: Knight (2008), (222), for a covariance that is no multiple of I. Σₚ is that of the pose and as much of
/// every direction alike as makes it η along the radius.
///
/// `None` if the noise is as large as the motion.
pub(super) fn unbent(seen: &[[Vec<f64>; 3]], fit: &ManyFit, side: &Side) -> Option<Point3<f64>> {
    let (mut left, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for (axes, radius) in seen.iter().zip(&fit.radii) {
        let n = axes[0].len() as f64;
        let mean: Vector3<f64> = points(axes).sum::<Vector3<f64>>() / n;
        let (mut square, mut cube, mut along) =
            (Matrix3::zeros(), Vector3::zeros(), Matrix3::zeros());
        for point in points(axes) {
            let d = point - mean;
            square += d * d.transpose();
            cube += d * d.norm_squared();
            let out = (point - fit.centre.coords).normalize();
            along += out * out.transpose();
        }
        let of_pose = noise_m2(axes, side);
        let radial = (of_pose * along / n).trace();
        let rest = (fit.sigma.powi(2) - radial).max(0.0);
        let motion = square / n - of_pose - Matrix3::from_diagonal_element(rest);
        let weight = n / radius.powi(2);
        left += motion * weight;
        right += (motion * mean + cube / (2.0 * n)) * weight;
    }
    let centre = left.cholesky()?.solve(&right);
    centre.iter().all(|v| v.is_finite()).then(|| Point3::from(centre))
}

fn points(axes: &[Vec<f64>; 3]) -> impl Iterator<Item = Vector3<f64>> {
    let [xs, ys, zs] = axes;
    xs.iter().zip(ys).zip(zs).map(|((x, y), z)| Vector3::new(*x, *y, *z))
}
