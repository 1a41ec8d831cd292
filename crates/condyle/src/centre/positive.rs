//! Positive definite systems of three equations.

use nalgebra::{Matrix3, Vector3};

/// Solves A x = b for a symmetric positive definite A; `None` if it is not, to the last digit.
///
/// # Method
/// A = L D Lᵀ without square roots, whose pivots are all above zero if and only if A is positive.
pub(super) fn solve_positive(a: &Matrix3<f64>, b: &Vector3<f64>) -> Option<Vector3<f64>> {
    Some(Factors::of(a)?.solve(b))
}

/// L (below the diagonal) and 1/D.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factors {
    l: [f64; 3],
    inverse_pivots: [f64; 3],
    /// The product of the pivots.
    pub determinant: f64,
}

impl Factors {
    pub fn of(a: &Matrix3<f64>) -> Option<Self> {
        let (xx, yx, zx) = (a[(0, 0)], a[(1, 0)], a[(2, 0)]);
        let (yy, zy, zz) = (a[(1, 1)], a[(2, 1)], a[(2, 2)]);
        let x = 1.0 / xx;
        let (l_yx, l_zx) = (yx * x, zx * x);
        let pivot_y = yy - l_yx * yx;
        let y = 1.0 / pivot_y;
        let rest = zy - l_zx * yx;
        let l_zy = rest * y;
        let pivot_z = zz - l_zx * zx - l_zy * rest;
        // What is not a number is not above zero either.
        let is_positive = xx > 0.0 && pivot_y > 0.0 && pivot_z > 0.0;
        is_positive.then(|| Self {
            l: [l_yx, l_zx, l_zy],
            inverse_pivots: [x, y, 1.0 / pivot_z],
            determinant: xx * pivot_y * pivot_z,
        })
    }

    pub fn solve(&self, b: &Vector3<f64>) -> Vector3<f64> {
        let ([l_yx, l_zx, l_zy], [x, y, z]) = (self.l, self.inverse_pivots);
        // Forward through L, then D, then back through Lᵀ.
        let b_y = b.y - l_yx * b.x;
        let b_z = b.z - l_zx * b.x - l_zy * b_y;
        let z = b_z * z;
        let y = b_y * y - l_zy * z;
        Vector3::new(b.x * x - l_yx * y - l_zx * z, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_is_positive_and_refuses_the_rest() {
        let a = Matrix3::new(4.0, 1.0, -0.5, 1.0, 3.0, 0.25, -0.5, 0.25, 2.0);
        let b = Vector3::new(1.0, -2.0, 0.5);
        let x = solve_positive(&a, &b).unwrap();
        assert!((a * x - b).norm() < 1e-15);
        assert!((Factors::of(&a).unwrap().determinant - a.determinant()).abs() < 1e-13);
        let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.0));
        let saddle = Matrix3::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        for bad in [flat, saddle, Matrix3::repeat(f64::NAN), Matrix3::zeros(), -a] {
            assert!(solve_positive(&bad, &b).is_none(), "{bad}");
        }
    }
}
