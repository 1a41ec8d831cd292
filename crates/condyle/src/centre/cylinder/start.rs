//! Where to start looking for the axis of a cylinder: no direction is tried on the points
//! themselves, their moments tell for all.

use nalgebra::{Matrix3, SMatrix, SVector, Unit, Vector3};

use super::super::shape::Shape;
use super::super::spectrum::Spectrum;
use super::across;

/// Directions over half a sphere, some ten degrees apart.
const DIRECTIONS: usize = 200;
/// So many of the best are followed: the best one may lead astray.
const FOLLOWED: usize = 3;
/// Halvings of the search's step, from ten degrees to thousandths.
const HALVINGS: usize = 14;

/// The few directions along which the points look most like a circle, best first.
pub(super) fn directions(points: [&[f64]; 3], shape: &Shape<3>) -> Vec<Unit<Vector3<f64>>> {
    let tensor = Tensor::of(points, shape);
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = (0..DIRECTIONS).map(|i| {
        let z = (i as f64 + 0.5) / DIRECTIONS as f64;
        let (sin, cos) = (golden * i as f64).sin_cos();
        let level = (1.0 - z * z).sqrt();
        Vector3::new(level * cos, level * sin, z)
    });
    // A long cylinder has its axis near the greatest spread, and a narrow valley around it.
    let spread = (0..3).map(|i| shape.spectrum.vector(i));
    let mut tried: Vec<(f64, Vector3<f64>)> =
        spiral.chain(spread).map(|n| (tensor.misfit(&n), n)).collect();
    tried.retain(|(misfit, _)| misfit.is_finite());
    tried.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut chosen: Vec<Vector3<f64>> = Vec::new();
    for (_, n) in tried {
        // Neighbours lead to the same valley.
        if chosen.iter().all(|c: &Vector3<f64>| c.dot(&n).abs() < 0.9) {
            chosen.push(n);
        }
        if chosen.len() == FOLLOWED {
            break;
        }
    }
    chosen.into_iter().map(|n| Unit::new_normalize(tensor.descend(n))).collect()
}

/// The moments of d = x - x̄ and of its squares q = (xx, yy, zz, xy, xz, yz), a point.
struct Tensor {
    /// Σ d dᵀ / N.
    c: Matrix3<f64>,
    /// Σ q / N.
    q: SVector<f64, 6>,
    /// Σ d qᵀ / N.
    dq: SMatrix<f64, 3, 6>,
    /// Σ q qᵀ / N.
    qq: SMatrix<f64, 6, 6>,
}

impl Tensor {
    fn of([xs, ys, zs]: [&[f64]; 3], shape: &Shape<3>) -> Self {
        let mut tensor =
            Self { c: shape.c, q: SVector::zeros(), dq: SMatrix::zeros(), qq: SMatrix::zeros() };
        for ((x, y), z) in xs.iter().zip(ys).zip(zs) {
            let d = Vector3::new(*x, *y, *z) - shape.mean;
            let q =
                SVector::from([d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.x * d.z, d.y * d.z]);
            tensor.q += q;
            tensor.dq += d * q.transpose();
            tensor.qq += q * q.transpose();
        }
        let n = xs.len() as f64;
        Self { q: tensor.q / n, dq: tensor.dq / n, qq: tensor.qq / n, ..tensor }
    }

    /// The mean squared distance from a circle, nearly, of the points as seen along `n`.
    ///
    /// With P = I - nnᵀ the squared distance |Pd|² is p·q; GDKE in the plane leaves
    /// V - SᵀC⁻¹S of its variance, which is 4r² times that of the distance.
    fn misfit(&self, n: &Vector3<f64>) -> f64 {
        let p = SVector::from([
            1.0 - n.x * n.x,
            1.0 - n.y * n.y,
            1.0 - n.z * n.z,
            -2.0 * n.x * n.y,
            -2.0 * n.x * n.z,
            -2.0 * n.y * n.z,
        ]);
        let z = p.dot(&self.q);
        let v = p.dot(&(self.qq * p)) - z * z;
        let s = self.dq * p;
        let [a, b] = across(n);
        let c = nalgebra::Matrix2::new(
            a.dot(&(self.c * a)),
            a.dot(&(self.c * b)),
            a.dot(&(self.c * b)),
            b.dot(&(self.c * b)),
        );
        let spectrum = Spectrum::new(&c);
        let s = spectrum.vectors.tr_mul(&nalgebra::Vector2::new(a.dot(&s), b.dot(&s)));
        let (mut left, mut offset) = (v, 0.0);
        for (value, s) in spectrum.values.iter().zip(s.iter()) {
            if *value > 32.0 * f64::EPSILON * spectrum.values[1] {
                left -= s * s / value;
                offset += (0.5 * s / value).powi(2);
            }
        }
        left.max(0.0) / (4.0 * (z + offset))
    }

    /// Downhill from a direction, by ever smaller tilts.
    fn descend(&self, from: Vector3<f64>) -> Vector3<f64> {
        let (mut n, mut least) = (from, self.misfit(&from));
        let mut step = 0.17;
        for _ in 0..HALVINGS {
            let mut is_lower = true;
            while is_lower {
                is_lower = false;
                let [u, w] = across(&n);
                for tilt in [u, -u, w, -w] {
                    let next = (n + tilt * step).normalize();
                    let misfit = self.misfit(&next);
                    if misfit < 0.999 * least {
                        (n, least, is_lower) = (next, misfit, true);
                        break;
                    }
                }
            }
            step *= 0.5;
        }
        n
    }
}
