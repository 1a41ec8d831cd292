//! Formulas as the thesis prints or programs them, for comparison: without guards, without care.

use condyle::centre::Moments;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// UGDK (171), (175) without any guard: where the noise exceeds the spread the answer is wild.
pub fn ugdk(moments: &Moments<3>, sigma: f64) -> Option<Vector3<f64>> {
    let c = moments.covariance() - Matrix3::identity() * (sigma * sigma);
    Some(moments.mean + c.try_inverse()? * moments.third() * 0.5)
}

/// UGDK as the program of 7.6.1 does it, if `covariance -= eps*eps` takes a number off a matrix as
/// it says: off every element, not the diagonal alone.
pub fn ugdk_of_the_program(moments: &Moments<3>, sigma: f64) -> Option<Vector3<f64>> {
    let c = moments.covariance() - Matrix3::repeat(sigma * sigma);
    Some(moments.mean + c.try_inverse()? * moments.third() * 0.5)
}

/// GDKE (86) in two plain passes, the mean first (83), (84): 26 operations a point.
///
/// 3 for the mean; then 3 for d, 12 for C, 2 for |d|² of squares that C has anyway, 6 for S.
pub fn gdke([x, y, z]: [&[f64]; 3]) -> Option<Vector3<f64>> {
    let n = x.len() as f64;
    let points = || x.iter().zip(y).zip(z).map(|((x, y), z)| [*x, *y, *z]);
    let mut mean = [0.0; 3];
    for point in points() {
        for axis in 0..3 {
            mean[axis] += point[axis];
        }
    }
    let mean = mean.map(|sum| sum / n);
    let (mut xx, mut xy, mut xz, mut yy, mut yz, mut zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let mut s = [0.0; 3];
    for [x, y, z] in points() {
        let (x, y, z) = (x - mean[0], y - mean[1], z - mean[2]);
        let (x2, y2, z2) = (x * x, y * y, z * z);
        xx += x2;
        xy += x * y;
        xz += x * z;
        yy += y2;
        yz += y * z;
        zz += z2;
        let square = x2 + y2 + z2;
        s[0] += x * square;
        s[1] += y * square;
        s[2] += z * square;
    }
    let c = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    Some(Vector3::from(mean) + c.cholesky()?.solve(&Vector3::from(s)) * 0.5)
}

/// Linear least squares by singular values (62) to (67) in single precision.
pub fn lls_in_single_precision(points: [&[f64]; 3]) -> Option<Vector3<f64>> {
    let [x, y, z] = points.map(|axis| axis.iter().map(|v| *v as f32).collect::<Vec<f32>>());
    let n = x.len();
    let column = |i: usize, j: usize| [2.0 * x[i], 2.0 * y[i], 2.0 * z[i], 1.0][j];
    let rows = DMatrix::from_fn(n, 4, column);
    let squares = DVector::from_fn(n, |i, _| x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
    if !squares.iter().all(|square| square.is_finite()) {
        return None;
    }
    let svd = rows.try_svd(true, true, f32::EPSILON, 1000)?;
    let cut = svd.singular_values.max() * f32::EPSILON;
    let solution = svd.solve(&squares, cut).ok()?;
    Some(Vector3::new(solution[0], solution[1], solution[2]).map(f64::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spheres::Cap;
    use condyle::centre::{Method, Noise, sphere};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn plain_forms_agree_with_the_library_where_it_is_easy() {
        let cap = Cap { samples: 500, sigma: 0.01, ..Cap::default() };
        let cloud = cap.points(&mut ChaCha8Rng::seed_from_u64(1));
        let of = |method| sphere(cloud.axes(), method).unwrap().centre.coords;
        assert!((gdke(cloud.axes()).unwrap() - of(Method::Gdke)).norm() < 1e-12);
        let moments = Moments::<3>::from_points(cloud.axes());
        let unbiased = ugdk(&moments, 0.01).unwrap();
        assert!((unbiased - of(Method::Ugdk(Noise::Sigma(0.01)))).norm() < 1e-12);
        let single = lls_in_single_precision(cloud.axes()).unwrap();
        let off = (single - of(Method::Lls)).norm();
        assert!(off < 1e-5 && off > 1e-12, "{off}");
    }
}
