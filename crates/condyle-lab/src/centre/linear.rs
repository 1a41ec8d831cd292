//! Older linear forms for comparison: they minimise Σ(|x-c|²-r²)² as GDKE does, and lose digits where
//! it does not.

use condyle::centre::Moments;
use nalgebra::{DMatrix, DVector, Matrix4, Vector3, Vector4};

use super::is_solid;

/// A centre and a radius, nothing else.
pub type CentreAndRadius = (Vector3<f64>, f64);

fn rows([x, y, z]: [&[f64]; 3]) -> impl Iterator<Item = Vector3<f64>> + Clone {
    x.iter().zip(y).zip(z).map(|((x, y), z)| Vector3::new(*x, *y, *z))
}

/// How many points; `None` where they would only make up an answer.
fn checked(points: [&[f64]; 3]) -> Option<usize> {
    let moments = Moments::<3>::from_points(points);
    is_solid(&moments).then_some(moments.samples)
}

/// The solution v of Σ left (rowᵀ v - |x|²) = 0.
fn solve(
    points: [&[f64]; 3],
    left_and_row: impl Fn(&Vector3<f64>) -> [Vector4<f64>; 2],
) -> Option<Vector4<f64>> {
    checked(points)?;
    let (mut matrix, mut right) = (Matrix4::zeros(), Vector4::zeros());
    for x in rows(points) {
        let [left, row] = left_and_row(&x);
        matrix += left * row.transpose();
        right += left * x.norm_squared();
    }
    matrix.lu().solve(&right)
}

/// Delogne's normal equations (4); `None` for fewer than 4 points, or points in one plane.
pub fn delogne(points: [&[f64]; 3]) -> Option<CentreAndRadius> {
    let v = solve(points, |x| [(x * 4.0).push(-2.0), (x * 2.0).push(-1.0)])?;
    let c: Vector3<f64> = v.xyz();
    Some((c, (c.norm_squared() - v.w).max(0.0).sqrt()))
}

/// Kåsa's normal equations (6); `None` as for [`delogne`].
pub fn kasa(points: [&[f64]; 3]) -> Option<CentreAndRadius> {
    let v = solve(points, |x| [x.push(1.0), (x * 2.0).push(1.0)])?;
    let c: Vector3<f64> = v.xyz();
    Some((c, (v.w + c.norm_squared()).max(0.0).sqrt()))
}

/// Zelniker's form (9): c = ½ pinv(rows dᵀ) (|x|² - mean |x|²); `None` as for [`delogne`].
pub fn zelniker(points: [&[f64]; 3]) -> Option<CentreAndRadius> {
    let n = checked(points)?;
    let mean = rows(points).sum::<Vector3<f64>>() / n as f64;
    let mean_square = rows(points).map(|x| x.norm_squared()).sum::<f64>() / n as f64;
    let d = DMatrix::from_row_iterator(n, 3, rows(points).flat_map(|x| <[f64; 3]>::from(x - mean)));
    let b = DVector::from_iterator(n, rows(points).map(|x| x.norm_squared() - mean_square));
    let solution = d.try_svd(true, true, f64::EPSILON, 0)?.solve(&b, 0.0).ok()?;
    let c = Vector3::new(solution[0], solution[1], solution[2]) * 0.5;
    let square = rows(points).map(|x| (x - c).norm_squared()).sum::<f64>() / n as f64;
    Some((c, square.sqrt()))
}
