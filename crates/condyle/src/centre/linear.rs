//! The historical linear forms. All but Gander's minimise Σ(|x-c|²-r²)², as GDKE does: they are here
//! for comparison, and lose digits where GDKE does not.

use nalgebra::{DMatrix, DVector, Matrix4, Vector3, Vector4};

use super::input::{self, undetermined};
use super::shape::Shape;
use crate::error::Result;

/// A centre and a radius, nothing else.
pub(super) type CentreAndRadius = (Vector3<f64>, f64);

fn rows([x, y, z]: [&[f64]; 3]) -> impl Iterator<Item = Vector3<f64>> + Clone {
    x.iter().zip(y).zip(z).map(|((x, y), z)| Vector3::new(*x, *y, *z))
}

/// Counts the points and refuses those from which no form finds anything.
fn checked(points: [&[f64]; 3]) -> Result<usize> {
    let moments = input::as_they_are(points, 4)?;
    input::spread_out(&Shape::from(&moments))?;
    Ok(moments.samples)
}

/// The same for forms that would make up an answer for points in one plane.
fn checked_solid(points: [&[f64]; 3]) -> Result<usize> {
    let moments = input::as_they_are(points, 4)?;
    input::solid(&moments)?;
    Ok(moments.samples)
}

fn singular() -> crate::error::Error {
    undetermined("points: the linear system has no unique solution")
}

/// Linear least squares by singular values: rows [2xᵀ, 1] · [c; r² - |c|²] = |x|², (62) to (67).
///
/// # Errors
/// Fewer than 4 points; points that are not finite, all in one place or on one line.
pub fn lls(points: [&[f64]; 3]) -> Result<CentreAndRadius> {
    let n = checked(points)?;
    let mut m = DMatrix::zeros(n, 4);
    let mut b = DVector::zeros(n);
    for (i, x) in rows(points).enumerate() {
        m.row_mut(i).copy_from_slice(&[2.0 * x.x, 2.0 * x.y, 2.0 * x.z, 1.0]);
        b[i] = x.norm_squared();
    }
    let svd = m.try_svd(true, true, f64::EPSILON, 0).ok_or_else(singular)?;
    let cut = svd.singular_values.max() * f64::EPSILON;
    let solution = svd.solve(&b, cut).map_err(|_| singular())?;
    let c = Vector3::new(solution[0], solution[1], solution[2]);
    Ok((c, (solution[3] + c.norm_squared()).max(0.0).sqrt()))
}

/// Delogne's normal equations (4).
///
/// # Errors
/// Fewer than 4 points; points that are not finite, or in one plane.
pub fn delogne(points: [&[f64]; 3]) -> Result<CentreAndRadius> {
    checked_solid(points)?;
    let mut m = Matrix4::zeros();
    let mut b = Vector4::zeros();
    for x in rows(points) {
        let square = x.norm_squared();
        let mut block = m.fixed_view_mut::<3, 3>(0, 0);
        block += x * x.transpose() * 8.0;
        for i in 0..3 {
            m[(i, 3)] -= 4.0 * x[i];
            m[(3, i)] -= 4.0 * x[i];
            b[i] += 4.0 * x[i] * square;
        }
        m[(3, 3)] += 2.0;
        b[3] -= 2.0 * square;
    }
    let solution = m.lu().solve(&b).ok_or_else(singular)?;
    let c: Vector3<f64> = solution.xyz();
    Ok((c, (c.norm_squared() - solution.w).max(0.0).sqrt()))
}

/// Kåsa's normal equations (6).
///
/// # Errors
/// Fewer than 4 points; points that are not finite, or in one plane.
pub fn kasa(points: [&[f64]; 3]) -> Result<CentreAndRadius> {
    checked_solid(points)?;
    let mut m = Matrix4::zeros();
    let mut b = Vector4::zeros();
    for x in rows(points) {
        let square = x.norm_squared();
        let mut block = m.fixed_view_mut::<3, 3>(0, 0);
        block += x * x.transpose() * 2.0;
        for i in 0..3 {
            m[(i, 3)] += x[i];
            m[(3, i)] += 2.0 * x[i];
            b[i] += x[i] * square;
        }
        m[(3, 3)] += 1.0;
        b[3] += square;
    }
    let solution = m.lu().solve(&b).ok_or_else(singular)?;
    let c: Vector3<f64> = solution.xyz();
    Ok((c, (solution.w + c.norm_squared()).max(0.0).sqrt()))
}

/// Zelniker's form (9): c = ½ pinv(rows dᵀ) (|x|² - mean |x|²).
///
/// # Errors
/// Fewer than 4 points; points that are not finite, or in one plane.
pub fn zelniker(points: [&[f64]; 3]) -> Result<CentreAndRadius> {
    let n = checked_solid(points)?;
    let mean = rows(points).sum::<Vector3<f64>>() / n as f64;
    let mean_square = rows(points).map(|x| x.norm_squared()).sum::<f64>() / n as f64;
    let d = DMatrix::from_row_iterator(n, 3, rows(points).flat_map(|x| <[f64; 3]>::from(x - mean)));
    let b = DVector::from_iterator(n, rows(points).map(|x| x.norm_squared() - mean_square));
    let svd = d.try_svd(true, true, f64::EPSILON, 0).ok_or_else(singular)?;
    let solution = svd.solve(&b, 0.0).map_err(|_| singular())?;
    let c = Vector3::new(solution[0], solution[1], solution[2]) * 0.5;
    let square = rows(points).map(|x| (x - c).norm_squared()).sum::<f64>() / n as f64;
    Ok((c, square.sqrt()))
}

/// Gander's fit (8): the smallest right singular vector of rows [|x|², xᵀ, 1], which is proportional
/// to (1, -2c, |c|² - r²); the thesis prints 2c with the wrong sign. It depends on the origin.
///
/// # Errors
/// As [`lls`]; and if the vector is that of a plane.
pub fn gander(points: [&[f64]; 3]) -> Result<CentreAndRadius> {
    let n = checked(points)?;
    // Fewer rows than columns would hide the null vector.
    let mut m = DMatrix::zeros(n.max(5), 5);
    for (i, x) in rows(points).enumerate() {
        m.row_mut(i).copy_from_slice(&[x.norm_squared(), x.x, x.y, x.z, 1.0]);
    }
    let svd = m.qr().r().try_svd(false, true, f64::EPSILON, 0).ok_or_else(singular)?;
    let v_t = svd.v_t.ok_or_else(singular)?;
    let v = v_t.row(svd.singular_values.imin());
    if v[0] == 0.0 {
        return Err(singular());
    }
    let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
    Ok((c, (c.norm_squared() - v[4] / v[0]).max(0.0).sqrt()))
}
