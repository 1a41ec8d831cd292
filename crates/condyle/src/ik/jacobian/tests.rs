use nalgebra::Point3;

use super::super::{Linkage, Solver, Target};
use super::*;

fn at_work() -> Solver {
    let at_m: Vec<_> = (0..6)
        .map(|i| {
            let t = 0.5 * f64::from(i);
            Point3::new(t.sin(), 0.3 * t, 1.5 * t.cos())
        })
        .collect();
    let mut solver = Solver::new(Linkage::chain(&at_m).unwrap());
    let targets =
        [Target::at(5, Point3::new(0.4, 1.0, -0.6)), Target::at(3, Point3::new(1.0, 0.2, 0.3))];
    solver.jacobian.unblock();
    solver.build_jacobian(&targets);
    solver
}

#[test]
fn damped_least_squares_are_the_same_by_singular_values() {
    let mut solver = at_work();
    solver.jacobian.square_up();
    steps::dls(&mut solver.jacobian, 0.37);
    let direct = solver.jacobian.step_rad.clone();
    solver.jacobian.square_up();
    steps::svd_dls(&mut solver.jacobian, 0.37);
    for (a, b) in direct.iter().zip(&solver.jacobian.step_rad) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
}

#[test]
fn the_pseudo_inverse_obeys_penrose() {
    let mut solver = at_work();
    let (rows, columns) = (solver.jacobian.rows, solver.jacobian.columns());
    let j = nalgebra::DMatrix::from_row_slice(rows, columns, &solver.jacobian.values);
    // Its columns, one unit vector at a time.
    let mut inverse = nalgebra::DMatrix::zeros(columns, rows);
    for row in 0..rows {
        solver.jacobian.missing.fill(0.0);
        solver.jacobian.missing[row] = 1.0;
        solver.jacobian.square_up();
        steps::pseudo_inverse(&mut solver.jacobian);
        inverse.set_column(row, &nalgebra::DVector::from_vec(solver.jacobian.step_rad.clone()));
    }
    let near = |a: &nalgebra::DMatrix<f64>, b: &nalgebra::DMatrix<f64>| (a - b).amax() < 1e-9;
    assert!(near(&(&j * &inverse * &j), &j));
    assert!(near(&(&inverse * &j * &inverse), &inverse));
    assert!(near(&(&j * &inverse).transpose(), &(&j * &inverse)));
    assert!(near(&(&inverse * &j).transpose(), &(&inverse * &j)));
}

#[test]
fn the_jacobian_is_the_derivative_of_forward_kinematics() {
    use super::super::Limit;
    let at_m: Vec<_> = (0..6).map(|i| Point3::new(0.0, 0.0, f64::from(i))).collect();
    let mut linkage = Linkage::chain(&at_m).unwrap();
    let hinge = Limit::hinge(Vector3::new(1.0, 0.3, 0.1), [-2.0, 2.0]).unwrap();
    for (end, limit) in [
        Limit::saddle([1.5; 4]),
        hinge,
        Limit::pivot([-2.0, 2.0]),
        Limit::cone(1.5),
        Limit::gliding(1.2),
    ]
    .into_iter()
    .enumerate()
    {
        linkage.limit(end + 1, limit).unwrap();
    }
    let mut solver = Solver::new(linkage);
    let turns: Vec<_> = (0..6)
        .map(|i| nalgebra::UnitQuaternion::from_euler_angles(0.4, 0.2 * f64::from(i), 0.3))
        .collect();
    solver.turn(&turns).unwrap();
    let before = solver.positions_m()[5];
    solver.jacobian.unblock();
    solver.build_jacobian(&[Target::at(5, Point3::origin())]);
    let columns = solver.jacobian.columns();
    assert_eq!(columns, 2 + 1 + 1 + 3 + 2);
    let step = 1e-6;
    for column in 0..columns {
        solver.jacobian.step_rad.clear();
        solver.jacobian.step_rad.resize(columns, 0.0);
        solver.jacobian.step_rad[column] = step;
        assert!(!solver.take_step());
        let moved = (solver.trial.at_m[5] - before) / step;
        for axis in 0..3 {
            let expected = solver.jacobian.row(axis)[column];
            assert!(
                (moved[axis] - expected).abs() < 1e-5,
                "{column} {axis}: {} {expected}",
                moved[axis]
            );
        }
    }
}
