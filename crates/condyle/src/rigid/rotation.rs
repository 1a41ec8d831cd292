//! The best rotation between two sets of labelled points, from their 3×3 correlation.

use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};

/// Newton steps at most; simple roots take about six.
const MAX_STEPS: usize = 40;

/// The rotation R that maximises tr(Rᵀ `mixed`), for `mixed` = Σ w · world · shapeᵀ.
///
/// `None` if it is not determined: points on a line, or nothing but zeros.
///
/// # Method
/// The quaternion is the eigenvector of the largest eigenvalue of Horn's symmetric 4×4 matrix. That
/// eigenvalue is found by Newton's method from above on the characteristic polynomial, which is
/// monotone there; the eigenvector is the first column of the adjugate, or, near a half turn, where that
/// vanishes, its longest column. Where other eigenvalues are near, a second round with the Rayleigh
/// quotient squares the error. Nothing is decomposed and nothing allocated.
///
/// # Reference
/// B. K. P. Horn (1987), *Closed-form solution of absolute orientation using unit quaternions*;
/// D. L. Theobald (2005), *Rapid calculation of RMSDs using a quaternion-based characteristic
/// polynomial*; M. D. Shuster and S. D. Oh (1981) for the column. A. Aristidou (2010), (4.9), is the same
/// matrix in geometric algebra.
pub fn best_rotation(mixed: &Matrix3<f64>) -> Option<UnitQuaternion<f64>> {
    // The sum of the singular values, at most √3 times the norm.
    Some(rotation_below(mixed, 3f64.sqrt() * mixed.norm())?.rotation)
}

/// The best rotation, and how well it does.
pub(super) struct Best {
    pub rotation: UnitQuaternion<f64>,
    /// tr(Rᵀ `mixed`).
    pub trace: f64,
}

/// The same, knowing that tr(Rᵀ `mixed`) is at most `bound`: half the sum of both sets' squares is a bound
/// so near that two or three steps suffice.
pub(super) fn rotation_below(mixed: &Matrix3<f64>, bound: f64) -> Option<Best> {
    if !(bound.is_finite() && bound > f64::MIN_POSITIVE) {
        return None;
    }
    let m = mixed * bound.recip();
    // λ⁴ - 2|m|²λ² - 8 det(m) λ + |m|⁴ - 4|adj m|²; its roots are at most 1, and |m| too.
    let (x, y, z): (Vector3<f64>, Vector3<f64>, Vector3<f64>) =
        (m.column(0).into(), m.column(1).into(), m.column(2).into());
    let (yz, zx, xy) = (y.cross(&z), z.cross(&x), x.cross(&y));
    let c2 = m.norm_squared();
    let c1 = -8.0 * x.dot(&yz);
    let c0 = c2 * c2 - 4.0 * (yz.norm_squared() + zx.norm_squared() + xy.norm_squared());
    // A hair above the bound, lest rounding puts it below the root.
    let mut lambda = 1.0 + 1e-12;
    let mut slope = 0.0;
    for _ in 0..MAX_STEPS {
        let square = lambda * lambda;
        let value = (square - 2.0 * c2) * square + c1 * lambda + c0;
        slope = 4.0 * (square - c2) * lambda + c1;
        // A double root: two rotations are as good as each other.
        if slope <= 1e-14 {
            return None;
        }
        let step = value / slope;
        lambda -= step;
        // Steps square the error: what this one leaves is beyond the last digit.
        if step.abs() <= 1e-9 * slope * lambda {
            break;
        }
    }
    let mut q = first_column(&m, lambda).or_else(|| eigenvector(&horn(&m), lambda))?;
    if slope < WELL_APART {
        let n = horn(&m);
        lambda = q.dot(&(n * q));
        q = eigenvector(&n, lambda).unwrap_or(q);
    }
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]));
    Some(Best { rotation, trace: lambda * bound })
}

/// A slope above this means eigenvalues so far apart that one round is exact to thirteen digits.
const WELL_APART: f64 = 0.02;
/// With a real part below this the first column of the adjugate loses digits.
const NEAR_HALF_TURN: f64 = 0.1;

/// The eigenvector of Horn's matrix as the first column of the adjugate, unless it is near a half turn.
fn first_column(m: &Matrix3<f64>, lambda: f64) -> Option<Vector4<f64>> {
    // With S = m + mᵀ and A = (λ + tr m) - S: q ∝ (det A, adj(A) z).
    let level = lambda + m.trace();
    let (a, b, c) = (level - 2.0 * m[(0, 0)], level - 2.0 * m[(1, 1)], level - 2.0 * m[(2, 2)]);
    let (d, e, f) = (-(m[(0, 1)] + m[(1, 0)]), -(m[(0, 2)] + m[(2, 0)]), -(m[(1, 2)] + m[(2, 1)]));
    let z = Vector3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
    let (aa, bb, cc) = (b * c - f * f, a * c - e * e, a * b - d * d);
    let (dd, ee, ff) = (e * f - d * c, d * f - e * b, d * e - a * f);
    let w = a * aa + d * dd + e * ee;
    let q = Vector4::new(
        w,
        aa * z.x + dd * z.y + ee * z.z,
        dd * z.x + bb * z.y + ff * z.z,
        ee * z.x + ff * z.y + cc * z.z,
    );
    let length = q.norm();
    (w.abs() > NEAR_HALF_TURN * length && length > 1e-5).then(|| q * length.recip())
}

/// Horn's matrix, in the order w, x, y, z.
fn horn(mixed: &Matrix3<f64>) -> Matrix4<f64> {
    // s(a, b) = Σ w shape_a world_b.
    let s = |a: usize, b: usize| mixed[(b, a)];
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    let [wx, wy, wz] = [s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0)];
    let [xy, xz, yz] = [s(0, 1) + s(1, 0), s(2, 0) + s(0, 2), s(1, 2) + s(2, 1)];
    Matrix4::new(
        xx + yy + zz,
        wx,
        wy,
        wz, //
        wx,
        xx - yy - zz,
        xy,
        xz, //
        wy,
        xy,
        yy - xx - zz,
        yz, //
        wz,
        xz,
        yz,
        zz - xx - yy,
    )
}

/// The unit vector that `n` - λ maps to zero, for an eigenvalue λ that is simple.
fn eigenvector(n: &Matrix4<f64>, lambda: f64) -> Option<Vector4<f64>> {
    let a = n - Matrix4::from_diagonal_element(lambda);
    // The adjugate is k q qᵀ: its diagonal says which column is the longest.
    let diagonal = [0, 1, 2, 3].map(|i| cofactor(&a, i, i));
    let mut longest = 0;
    for i in 1..4 {
        if diagonal[i].abs() > diagonal[longest].abs() {
            longest = i;
        }
    }
    let column =
        Vector4::from_fn(
            |i, _| {
                if i == longest { diagonal[longest] } else { cofactor(&a, i, longest) }
            },
        );
    // k is the product of the gaps to the other eigenvalues: small if one of them is.
    let length = column.norm();
    (length > 1e-7).then(|| column / length)
}

/// The cofactor of an entry of a symmetric matrix.
#[inline]
fn cofactor(a: &Matrix4<f64>, row: usize, column: usize) -> f64 {
    const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    let ([i, j, k], [p, q, r]) = (OTHERS[row], OTHERS[column]);
    let minor = a[(i, p)] * (a[(j, q)] * a[(k, r)] - a[(j, r)] * a[(k, q)])
        - a[(i, q)] * (a[(j, p)] * a[(k, r)] - a[(j, r)] * a[(k, p)])
        + a[(i, r)] * (a[(j, p)] * a[(k, q)] - a[(j, q)] * a[(k, p)]);
    if (row + column).is_multiple_of(2) { minor } else { -minor }
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;
    use proptest::prelude::*;

    use super::*;

    fn mixed(rotation: &Rotation3<f64>, shape: &[[f64; 3]]) -> Matrix3<f64> {
        let mean =
            shape.iter().map(|p| Vector3::from(*p)).sum::<Vector3<f64>>() / shape.len() as f64;
        shape.iter().map(|p| Vector3::from(*p) - mean).map(|p| (rotation * p) * p.transpose()).sum()
    }

    proptest! {
        #[test]
        fn recovers_a_rotation_to_the_last_digits(
            axis_angle in prop::array::uniform3(-3.1..3.1f64),
            shape in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 3..8),
        ) {
            let truth = Rotation3::new(Vector3::from(axis_angle));
            let m = mixed(&truth, &shape);
            let singular = m.singular_values();
            prop_assume!(singular[1] > 1e-3 * singular[0]);
            let found = best_rotation(&m).unwrap().to_rotation_matrix();
            prop_assert!((found.matrix() - truth.matrix()).norm() < 1e-11);
        }

        #[test]
        fn agrees_with_the_singular_value_solution_of_noisy_points(
            entries in prop::array::uniform9(-1.0..1.0f64),
        ) {
            let m = Matrix3::from_row_slice(&entries);
            let svd = m.svd(true, true);
            let (u, v_t) = (svd.u.unwrap(), svd.v_t.unwrap());
            let sign = (u * v_t).determinant().signum();
            prop_assume!(svd.singular_values[1] + sign * svd.singular_values[2] > 1e-2);
            let by_svd = u * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, sign)) * v_t;
            let found = best_rotation(&m).unwrap().to_rotation_matrix();
            prop_assert!((found.matrix() - by_svd).norm() < 1e-9);
        }
    }

    #[test]
    fn gives_up_on_a_line_a_point_and_numbers_that_are_not_finite() {
        let line = mixed(&Rotation3::identity(), &[[0.0; 3], [1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
        assert_eq!(best_rotation(&line), None);
        assert_eq!(best_rotation(&Matrix3::zeros()), None);
        assert_eq!(best_rotation(&Matrix3::repeat(f64::NAN)), None);
    }
}
