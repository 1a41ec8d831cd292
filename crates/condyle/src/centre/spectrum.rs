//! Eigenvalues and eigenvectors of small symmetric matrices.

use nalgebra::{SMatrix, SVector};

/// Eigenvalues in ascending order, with their eigenvectors as columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spectrum<const D: usize> {
    /// Ascending.
    pub values: [f64; D],
    /// Column i belongs to value i; orthonormal.
    pub vectors: SMatrix<f64, D, D>,
}

/// Sweeps that suffice for any matrix of order 3; each squares the error.
const MAX_SWEEPS: usize = 30;

impl<const D: usize> Spectrum<D> {
    /// The spectrum of a symmetric matrix, by cyclic Jacobi rotations.
    ///
    /// Jacobi keeps small eigenvalues accurate, which is what tells a hinge from a ball.
    pub fn of(matrix: &SMatrix<f64, D, D>) -> Self {
        let mut m = *matrix;
        let mut vectors = SMatrix::<f64, D, D>::identity();
        for _ in 0..MAX_SWEEPS {
            let mut is_diagonal = true;
            for p in 0..D {
                for q in p + 1..D {
                    let off = m[(p, q)];
                    if off.abs() <= f64::EPSILON * (m[(p, p)].abs() * m[(q, q)].abs()).sqrt() {
                        continue;
                    }
                    is_diagonal = false;
                    rotate(&mut m, &mut vectors, p, q);
                }
            }
            if is_diagonal {
                break;
            }
        }
        Self::sorted(&m, &vectors)
    }

    fn sorted(diagonal: &SMatrix<f64, D, D>, vectors: &SMatrix<f64, D, D>) -> Self {
        let mut order: [usize; D] = std::array::from_fn(|i| i);
        order.sort_by(|i, j| diagonal[(*i, *i)].total_cmp(&diagonal[(*j, *j)]));
        Self {
            values: order.map(|i| diagonal[(i, i)]),
            vectors: SMatrix::from_fn(|row, column| vectors[(row, order[column])]),
        }
    }

    /// The eigenvector of value `i`.
    pub fn vector(&self, i: usize) -> SVector<f64, D> {
        self.vectors.column(i).into_owned()
    }
}

/// One Jacobi rotation that makes element (p, q) zero.
fn rotate<const D: usize>(
    m: &mut SMatrix<f64, D, D>,
    vectors: &mut SMatrix<f64, D, D>,
    p: usize,
    q: usize,
) {
    let half = (m[(q, q)] - m[(p, p)]) / (2.0 * m[(p, q)]);
    let tangent = half.signum() / (half.abs() + half.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for k in 0..D {
        let (kp, kq) = (m[(k, p)], m[(k, q)]);
        m[(k, p)] = cosine * kp - sine * kq;
        m[(k, q)] = sine * kp + cosine * kq;
    }
    for k in 0..D {
        let (pk, qk) = (m[(p, k)], m[(q, k)]);
        m[(p, k)] = cosine * pk - sine * qk;
        m[(q, k)] = sine * pk + cosine * qk;
        let (kp, kq) = (vectors[(k, p)], vectors[(k, q)]);
        vectors[(k, p)] = cosine * kp - sine * kq;
        vectors[(k, q)] = sine * kp + cosine * kq;
    }
    m[(p, q)] = 0.0;
    m[(q, p)] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    #[test]
    fn rebuilds_the_matrix_and_keeps_tiny_eigenvalues() {
        let v = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0).into_inner();
        for values in [[1.0, 2.0, 3.0], [1e-9, 1.0, 1.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]] {
            let matrix: Matrix3<f64> = v * Matrix3::from_diagonal(&values.into()) * v.transpose();
            let matrix = (matrix + matrix.transpose()) * 0.5;
            let spectrum = Spectrum::of(&matrix);
            for (got, want) in spectrum.values.iter().zip(values) {
                assert!((got - want).abs() < 1e-14, "{got} {want}");
            }
            let diagonal = Matrix3::from_diagonal(&spectrum.values.into());
            let rebuilt = spectrum.vectors * diagonal * spectrum.vectors.transpose();
            assert!((rebuilt - matrix).norm() < 1e-14);
        }
    }
}
