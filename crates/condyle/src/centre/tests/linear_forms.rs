//! Check 3: the constrained linear forms are generalised eigenvectors.

use super::*;
use nalgebra::{Matrix5, SymmetricEigen, Vector5};

/// The smallest generalised eigenvector of moments against a constraint, for rows (|x|², x, 1).
fn by_eigenvectors(cloud: &Cloud, constraint: impl Fn(f64) -> Matrix5<f64>) -> (Vector3<f64>, f64) {
    let moments = Moments::<3>::from_points(cloud.axes());
    let n = moments.samples as f64;
    let mut m = Matrix5::zeros();
    for x in cloud.rows() {
        let d = x - moments.mean;
        let row = Vector5::new(d.norm_squared(), d.x, d.y, d.z, 1.0);
        m += row * row.transpose() / n;
    }
    let z = moments.a.trace() / n;
    // M v = η N v: with M = L Lᵀ, the largest 1/η of L⁻¹ N L⁻ᵀ.
    let inverse = m.cholesky().unwrap().l().try_inverse().unwrap();
    let symmetric = inverse * constraint(z) * inverse.transpose();
    let eigen = SymmetricEigen::new((symmetric + symmetric.transpose()) * 0.5);
    let v = inverse.transpose() * eigen.eigenvectors.column(eigen.eigenvalues.imax());
    let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
    (moments.mean + c, (c.norm_squared() - v[4] / v[0]).sqrt())
}

fn constraint(z: f64, taubin: f64, corner: f64) -> Matrix5<f64> {
    let mut n = Matrix5::from_diagonal(&Vector5::new(taubin * z, 1.0, 1.0, 1.0, 0.0));
    n[(0, 4)] = corner;
    n[(4, 0)] = corner;
    n
}

#[test]
fn check_03_taubin_pratt_and_hyper_are_generalised_eigenvectors() {
    let clouds = [example_1(), Cap { sigma: 0.1, samples: 300, ..Cap::default() }.points(9)];
    for cloud in clouds {
        for (method, taubin, corner) in
            [(Method::Taubin, 4.0, 0.0), (Method::Pratt, 0.0, -2.0), (Method::Hyper, 10.0, 3.0)]
        {
            let fit = sphere(cloud.axes(), method).unwrap();
            let (centre, radius) = by_eigenvectors(&cloud, |z| constraint(z, taubin, corner));
            let off = (fit.centre.coords - centre).norm();
            println!(
                "check 3: {method}: centre {off:.1e}, radius {:.1e}",
                (fit.radius - radius).abs()
            );
            assert!(off < 1e-9 && (fit.radius - radius).abs() < 1e-9, "{method}");
        }
        let gander = sphere(cloud.axes(), Method::Gander).unwrap();
        let mut m = Matrix5::zeros();
        for x in cloud.rows() {
            let row = Vector5::new(x.norm_squared(), x.x, x.y, x.z, 1.0);
            m += row * row.transpose();
        }
        let eigen = SymmetricEigen::new(m);
        let v = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
        let c = Vector3::new(v[1], v[2], v[3]) / (-2.0 * v[0]);
        assert!((gander.centre.coords - c).norm() < 1e-9);
    }
}
