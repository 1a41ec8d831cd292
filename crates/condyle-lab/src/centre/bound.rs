//! The Cramér-Rao bound: how well any unbiased method could do.

use nalgebra::{Matrix2, Matrix3, Matrix4, Vector3};

use condyle::centre::acceptance::circle_smallest_eigenvalue;

/// The bound on the covariance of (centre, radius) for given true points and any noise covariance.
///
/// # Method
/// The inverse of Σ_i [ρρᵀ, ρr; ρᵀr, r²] / (ρᵀΣρ) with ρ = μ_i - c₀, (14). For Σ = σ²I the centre block is
/// σ²r²/N (B - mmᵀ)⁻¹, (17) to (21).
///
/// `None` if the points do not determine a sphere.
///
/// # Reference
/// J. K. Knight (2008), (14).
pub fn general(
    true_points: &[Vector3<f64>],
    centre: &Vector3<f64>,
    noise: &Matrix3<f64>,
) -> Option<Matrix4<f64>> {
    let mut information = Matrix4::zeros();
    for point in true_points {
        let rho = point - centre;
        let r = rho.norm();
        let direction = rho.push(r);
        information += direction * direction.transpose() / rho.dot(&(noise * rho));
    }
    information.try_inverse().filter(|inverse| inverse.iter().all(|v| v.is_finite()))
}

/// The bound for points uniform on an arc of half-angle θ, in units of σ²/N.
///
/// The arc is symmetric about y; x is along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArcBound {
    /// The variance of the centre along x.
    pub x: f64,
    /// The covariance of (centre along y, radius).
    pub y_and_radius: Matrix2<f64>,
}

/// The bound for points uniform on a cap of half-angle θ, in units of σ²/N.
///
/// The cap is symmetric about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapBound {
    /// The variance of the centre along x, and along y: λ_m.
    pub x: f64,
    /// The covariance of (centre along z, radius).
    pub z_and_radius: Matrix2<f64>,
}

/// Eigenvalues and eigenvectors of a block (axis, radius).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisAndRadius {
    /// λ_M, of the eigenvector (1, -α).
    pub largest: f64,
    /// λ_r, of the eigenvector (α, 1).
    pub smallest: f64,
    /// How much axis and radius mix; 0 for whole circles and spheres.
    pub alpha: f64,
}

fn axis_and_radius(block: &Matrix2<f64>) -> AxisAndRadius {
    let (a, b, d) = (block[(0, 0)], block[(0, 1)], block[(1, 1)]);
    let half = 0.5 * (a - d);
    let root = half.hypot(b);
    let largest = 0.5 * (a + d) + root;
    // The product of the eigenvalues is the determinant; the difference would lose digits.
    let smallest = (a * d - b * b) / largest;
    let alpha = if b == 0.0 { 0.0 } else { -b / (half + root) };
    AxisAndRadius { largest, smallest, alpha }
}

/// The closed form for a circle, (28) to (37).
///
/// # Reference
/// J. K. Knight (2008), (28) to (37).
pub fn arc(theta_rad: f64) -> ArcBound {
    let (s, c, t) = (theta_rad.sin(), theta_rad.cos(), theta_rad);
    // det₂ = 4θ² λ_min of (203), which has its digits at small angles too.
    let least = circle_smallest_eigenvalue(t);
    ArcBound {
        x: 2.0 * t / (t - c * s),
        y_and_radius: Matrix2::new(1.0, -s / t, -s / t, (t + c * s) / (2.0 * t)) / least,
    }
}

/// The closed form for a sphere, (43) to (51), whose (49) lacks a factor in print.
///
/// # Reference
/// J. K. Knight (2008), (43) to (51).
pub fn cap(theta_rad: f64) -> CapBound {
    let cosine = theta_rad.cos();
    let half = (theta_rad / 2.0).sin().powi(2);
    let mean = 1.0 - half;
    let mean_square = (1.0 + cosine + cosine * cosine) / 3.0;
    CapBound {
        x: 3.0 / (half * (2.0 + cosine)),
        z_and_radius: Matrix2::new(1.0, -mean, -mean, mean_square) * (3.0 / (half * half)),
    }
}

impl ArcBound {
    /// λ_M, λ_r and their eigenvectors.
    pub fn eigen(&self) -> AxisAndRadius {
        axis_and_radius(&self.y_and_radius)
    }
}

impl CapBound {
    /// λ_M, λ_r and their eigenvectors.
    pub fn eigen(&self) -> AxisAndRadius {
        axis_and_radius(&self.z_and_radius)
    }

    /// The trace of the centre's block: what the mean squared error cannot go below.
    pub fn centre_trace(&self) -> f64 {
        2.0 * self.x + self.z_and_radius[(0, 0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spheres::Cap;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    const DEGREES: [f64; 6] = [30.0, 60.0, 90.0, 120.0, 150.0, 180.0];

    #[test]
    fn check_11_the_table_of_the_sphere() {
        let table = [
            [15.626, 1251.0, 0.5344, 668.6],
            [4.800, 75.363, 0.6369, 48.0],
            [3.000, 15.211, 0.7889, 12.0],
            [2.667, 5.737, 0.9296, 5.333],
            [2.836, 3.468, 0.9937, 3.446],
            [3.0, 3.0, 1.0, 3.0],
        ];
        for (degrees, want) in DEGREES.iter().zip(table) {
            let bound = cap(degrees.to_radians());
            let eigen = bound.eigen();
            let got = [bound.x, eigen.largest, eigen.smallest, bound.z_and_radius[(0, 0)]];
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 6e-4 * want, "{degrees}: {got} {want}");
            }
            let v = nalgebra::Vector2::new(1.0, -eigen.alpha);
            let off = bound.z_and_radius * v - v * eigen.largest;
            assert!(off.norm() < 1e-9 * eigen.largest, "{degrees}: {off}");
        }
    }

    /// The mean of a function over an interval: Gauss's five points on a few pieces.
    fn mean_over<const R: usize>(
        from: f64,
        to: f64,
        f: impl Fn(f64) -> nalgebra::SMatrix<f64, R, R>,
    ) -> nalgebra::SMatrix<f64, R, R> {
        const PIECES: u32 = 16;
        let (root, far, near) = ((10f64 / 7.0).sqrt(), 13.0 * 70f64.sqrt(), 128.0 / 225.0);
        let nodes = [
            (0.0, near),
            ((5.0 - 2.0 * root).sqrt() / 3.0, (322.0 + far) / 900.0),
            ((5.0 + 2.0 * root).sqrt() / 3.0, (322.0 - far) / 900.0),
        ];
        let half = (to - from) / f64::from(2 * PIECES);
        let mut sum = nalgebra::SMatrix::zeros();
        for piece in 0..PIECES {
            let middle = from + half * f64::from(2 * piece + 1);
            sum += f(middle) * near;
            for (node, weight) in &nodes[1..] {
                sum += (f(middle - half * node) + f(middle + half * node)) * *weight;
            }
        }
        sum / f64::from(2 * PIECES)
    }

    #[test]
    fn check_11_closed_forms_are_inverses_of_the_information() {
        for degrees in [10.0, 30.0, 77.0, 90.0, 135.0, 180.0] {
            let theta = f64::to_radians(degrees);
            let on_arc = mean_over(-theta, theta, |phi| {
                let v = Vector3::new(phi.sin(), phi.cos(), 1.0);
                v * v.transpose()
            });
            let inverse = on_arc.try_inverse().unwrap();
            let bound = arc(theta);
            let got = [bound.x, bound.y_and_radius[(0, 0)], bound.y_and_radius[(0, 1)]];
            let want = [inverse[(0, 0)], inverse[(1, 1)], inverse[(1, 2)]];
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 1e-10 * inverse[(1, 1)], "{degrees}: {got} {want}");
            }
            // Uniform on a cap is uniform in z; x² averages over the turn about z.
            let on_cap = mean_over(theta.cos(), 1.0, |z| {
                Matrix3::new((1.0 - z * z) / 2.0, 0.0, 0.0, 0.0, z * z, z, 0.0, z, 1.0)
            });
            let inverse = on_cap.try_inverse().unwrap();
            let bound = cap(theta);
            let got = [bound.x, bound.z_and_radius[(0, 0)], bound.z_and_radius[(1, 1)]];
            let want = [inverse[(0, 0)], inverse[(1, 1)], inverse[(2, 2)]];
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 1e-10 * inverse[(1, 1)], "{degrees}: {got} {want}");
            }
        }
    }

    /// The bound of all unknowns at once, centre, radius and where every point is on the sphere.
    #[test]
    fn check_11_the_general_bound_is_the_block_of_the_full_information() {
        use nalgebra::{DMatrix, Matrix3xX};
        const N: usize = 9;
        let cap = Cap { samples: N, radius: 1.7, ..Default::default() };
        let rows: Vec<_> = cap.points(&mut ChaCha8Rng::seed_from_u64(6)).rows().collect();
        let noise = Matrix3::new(0.04, 0.01, -0.005, 0.01, 0.02, 0.003, -0.005, 0.003, 0.01);
        let inverse = noise.try_inverse().unwrap();
        let mut information = DMatrix::zeros(4 + 2 * N, 4 + 2 * N);
        for (i, row) in rows.iter().enumerate() {
            let u = (row - cap.centre) / cap.radius;
            let along = u.cross(&Vector3::ith(u.iamin(), 1.0)).normalize();
            let mut jacobian = Matrix3xX::zeros(4 + 2 * N);
            jacobian.fixed_view_mut::<3, 3>(0, 0).fill_with_identity();
            jacobian.set_column(3, &u);
            jacobian.set_column(4 + 2 * i, &along);
            jacobian.set_column(5 + 2 * i, &u.cross(&along));
            information += jacobian.transpose() * inverse * jacobian;
        }
        let full = information.try_inverse().unwrap();
        let want = full.fixed_view::<4, 4>(0, 0).into_owned();
        let got = general(&rows, &cap.centre, &noise).unwrap();
        assert!((got - want).norm() < 1e-10 * want.norm(), "{got} {want}");
    }

    #[test]
    fn check_11_the_general_bound_is_the_isotropic_one_for_isotropic_noise() {
        let cap = Cap { samples: 50, radius: 1.7, ..Default::default() };
        let cloud = cap.points(&mut ChaCha8Rng::seed_from_u64(5));
        let rows: Vec<_> = cloud.rows().collect();
        let bound = general(&rows, &cap.centre, &(Matrix3::identity() * 0.01)).unwrap();
        let moments = condyle::centre::Moments::<3>::from_points(cloud.axes());
        let block = moments.a.try_inverse().unwrap() * (0.01 * 1.7 * 1.7);
        let got = bound.fixed_view::<3, 3>(0, 0).into_owned();
        assert!((got - block).norm() < 1e-10 * block.norm());
        let one_point = [cap.centre + Vector3::x(); 4];
        assert!(general(&one_point, &cap.centre, &Matrix3::identity()).is_none());
    }
}
