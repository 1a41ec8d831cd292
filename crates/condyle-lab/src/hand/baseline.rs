//! What anybody would try first: regressions of a marker on a tip, both in the frame of the hand.

use nalgebra::{DMatrix, DVector, Matrix3, Point3, Vector3};

/// The frame of three markers: origin at their middle.
pub fn in_triangle(corners: &[Point3<f64>; 3], at_m: &Point3<f64>) -> Option<Vector3<f64>> {
    let [a, b, c] = corners;
    let middle = Point3::from((a.coords + b.coords + c.coords) / 3.0);
    let x = (b - a).try_normalize(1e-6)?;
    let z = x.cross(&(c - a)).try_normalize(1e-6)?;
    let rows = Matrix3::from_rows(&[x.transpose(), z.cross(&x).transpose(), z.transpose()]);
    Some(rows * (at_m - middle))
}

/// A polynomial of the first or second degree in three coordinates.
#[derive(Debug, Clone)]
pub struct Regression {
    degree: usize,
    coefficients: DMatrix<f64>,
}

impl Regression {
    /// Fits places to others.
    pub fn fit(degree: usize, pairs: &[(Vector3<f64>, Vector3<f64>)]) -> Option<Self> {
        let columns = terms(degree, &Vector3::zeros()).len();
        let (mut square, mut right) =
            (DMatrix::zeros(columns, columns), DMatrix::zeros(columns, 3));
        for (from, to) in pairs {
            let row = terms(degree, from);
            square += &row * row.transpose();
            right += &row * to.transpose();
        }
        Some(Self { degree, coefficients: square.cholesky()?.solve(&right) })
    }

    /// Where the other is to be expected.
    pub fn at(&self, from: &Vector3<f64>) -> Vector3<f64> {
        let place = self.coefficients.tr_mul(&terms(self.degree, from));
        Vector3::new(place[0], place[1], place[2])
    }
}

/// The terms of a polynomial, in units of 5 cm.
fn terms(degree: usize, at_m: &Vector3<f64>) -> DVector<f64> {
    let p = at_m / 0.05;
    let mut all = vec![1.0];
    if degree > 0 {
        all.extend([p.x, p.y, p.z]);
    }
    if degree > 1 {
        all.extend([p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z]);
    }
    DVector::from_vec(all)
}
