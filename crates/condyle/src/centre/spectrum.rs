//! Eigenvalues and eigenvectors of small symmetric matrices.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

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
    /// The spectrum of a symmetric matrix: cyclic Jacobi rotations, from a good start where D is 3.
    pub fn new(matrix: &SMatrix<f64, D, D>) -> Self {
        let mut vectors = closed_form(matrix).unwrap_or_else(SMatrix::identity);
        let mut m = in_axes(matrix, &vectors);
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

/// VᵀAV, symmetric to the last digit.
fn in_axes<const D: usize>(
    matrix: &SMatrix<f64, D, D>,
    vectors: &SMatrix<f64, D, D>,
) -> SMatrix<f64, D, D> {
    let turned = matrix * vectors;
    SMatrix::from_fn(|i, j| vectors.column(i.min(j)).dot(&turned.column(i.max(j))))
}

/// Axes in which a matrix of order 3 is all but diagonal, up to one rotation about the first.
///
/// # Method
/// The eigenvalue that is furthest from the other two is q ± βp, with 3q the trace, 6p² the sum of
/// squares of B = A - qI and β³ - 3β = |det B|/p³ between √3 and 2, by Newton's steps. Two rows of
/// A less that eigenvalue span the plane across its eigenvector. Jacobi alone takes three times
/// as long.
///
/// # Reference
/// O. K. Smith (1961), *Eigenvalues of a symmetric 3 × 3 matrix*.
fn closed_form<const D: usize>(matrix: &SMatrix<f64, D, D>) -> Option<SMatrix<f64, D, D>> {
    if D != 3 {
        return None;
    }
    let a = Matrix3::from_fn(|i, j| matrix[(i, j)]);
    let q = a.trace() / 3.0;
    let b = a - Matrix3::from_diagonal_element(q);
    let p = (b.norm_squared() / 6.0).sqrt();
    if p <= 1e-12 * q.abs() {
        return None;
    }
    let twice_h = (b * (1.0 / p)).determinant();
    let beta = isolated_root(twice_h.abs().min(2.0)).copysign(twice_h);
    let rest = b - Matrix3::from_diagonal_element(beta * p);
    let [x, y, z] = [rest.row(0), rest.row(1), rest.row(2)].map(|row| row.transpose());
    let across = [x.cross(&y), y.cross(&z), z.cross(&x)];
    let squares = across.map(|v| v.norm_squared());
    let first = if squares[0] > squares[1] { 0 } else { 1 };
    let best = if squares[first] > squares[2] { first } else { 2 };
    let v = across[best] * (1.0 / squares[best].sqrt());
    let u = if v.x.abs() > v.y.abs() {
        Vector3::new(-v.z, 0.0, v.x)
    } else {
        Vector3::new(0.0, v.z, -v.y)
    };
    let u = u * (1.0 / u.norm());
    let axes = Matrix3::from_columns(&[v, u, v.cross(&u)]);
    axes.iter().all(|value| value.is_finite()).then(|| SMatrix::from_fn(|i, j| axes[(i, j)]))
}

/// The root of β³ - 3β = `right` between √3 and 2, for a right side between 0 and 2.
fn isolated_root(right: f64) -> f64 {
    // The parabola through both ends with the slope of the first.
    let mut beta = 1.732_050_807_568_877_2 + right * (1.0 / 6.0 - 0.016_345_6 * right);
    for _ in 0..3 {
        let square = beta * beta;
        beta = (2.0 * beta * square + right) / (3.0 * square - 3.0);
    }
    beta
}

/// One Jacobi rotation that makes element (p, q) zero.
fn rotate<const D: usize>(
    m: &mut SMatrix<f64, D, D>,
    vectors: &mut SMatrix<f64, D, D>,
    p: usize,
    q: usize,
) {
    let off = m[(p, q)];
    // Not `hypot`, which takes ten times as long; where the square overflows the tangent is 0.
    let half = (m[(q, q)] - m[(p, p)]) / (2.0 * off);
    let tangent = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for k in 0..D {
        let (kp, kq) = (m[(k, p)], m[(k, q)]);
        let turned = (cosine * kp - sine * kq, sine * kp + cosine * kq);
        if k != p && k != q {
            (m[(k, p)], m[(k, q)]) = turned;
            (m[(p, k)], m[(q, k)]) = turned;
        }
        let (kp, kq) = (vectors[(k, p)], vectors[(k, q)]);
        vectors[(k, p)] = cosine * kp - sine * kq;
        vectors[(k, q)] = sine * kp + cosine * kq;
    }
    m[(p, p)] -= tangent * off;
    m[(q, q)] += tangent * off;
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
            let spectrum = Spectrum::new(&matrix);
            for (got, want) in spectrum.values.iter().zip(values) {
                assert!((got - want).abs() < 1e-14, "{got} {want}");
            }
            let diagonal = Matrix3::from_diagonal(&spectrum.values.into());
            let rebuilt = spectrum.vectors * diagonal * spectrum.vectors.transpose();
            assert!((rebuilt - matrix).norm() < 1e-14);
        }
    }
}
