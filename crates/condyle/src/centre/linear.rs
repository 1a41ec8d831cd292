//! Linear fits to the points as they are, for comparison: they lose digits where GDKE does not. Neither
//! checks the points; [`super::sphere`] does.

use nalgebra::{DMatrix, DVector, Vector3};

/// A centre and a radius, nothing else; `None` where the system has no unique solution.
pub type CentreAndRadius = Option<(Vector3<f64>, f64)>;

fn rows([x, y, z]: [&[f64]; 3]) -> impl Iterator<Item = Vector3<f64>> + Clone {
    x.iter().zip(y).zip(z).map(|((x, y), z)| Vector3::new(*x, *y, *z))
}

/// Linear least squares by singular values: rows [2xᵀ, 1] · [c; r² - |c|²] = |x|², (62) to (67).
pub fn lls(points: [&[f64]; 3]) -> CentreAndRadius {
    let n = points[0].len();
    let mut m = DMatrix::zeros(n, 4);
    for (i, x) in rows(points).enumerate() {
        m.row_mut(i).copy_from_slice(&[2.0 * x.x, 2.0 * x.y, 2.0 * x.z, 1.0]);
    }
    let b = DVector::from_iterator(n, rows(points).map(|x| x.norm_squared()));
    let svd = m.try_svd(true, true, f64::EPSILON, 0)?;
    let cut = svd.singular_values.max() * f64::EPSILON;
    let solution = svd.solve(&b, cut).ok()?;
    let c = Vector3::new(solution[0], solution[1], solution[2]);
    Some((c, (solution[3] + c.norm_squared()).max(0.0).sqrt()))
}

/// Gander's fit (8): the smallest right singular vector of rows [|x|², xᵀ, 1], which is proportional
/// to (1, -2c, |c|² - r²); the thesis prints 2c with the wrong sign. It depends on the origin.
pub fn gander(points: [&[f64]; 3]) -> CentreAndRadius {
    // Fewer rows than columns would hide the null vector.
    let mut m = DMatrix::zeros(points[0].len().max(5), 5);
    for (i, x) in rows(points).enumerate() {
        m.row_mut(i).copy_from_slice(&[x.norm_squared(), x.x, x.y, x.z, 1.0]);
    }
    let svd = m.qr().r().try_svd(false, true, f64::EPSILON, 0)?;
    let v_t = svd.v_t?;
    let v = v_t.row(svd.singular_values.imin());
    if v[0] == 0.0 {
        return None;
    }
    let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
    Some((c, (c.norm_squared() - v[4] / v[0]).max(0.0).sqrt()))
}
