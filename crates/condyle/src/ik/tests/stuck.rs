//! Poses that no method would leave by itself, and joints without a stop.

use nalgebra::{Point3, Vector3};

use super::super::limit::Limit;
use super::super::{Linkage, Method, Options, Solver, Target, ZeroDirection};

fn line(heights_m: &[f64]) -> Vec<Point3<f64>> {
    heights_m.iter().map(|z| Point3::new(0.0, 0.0, *z)).collect()
}

#[test]
fn a_folded_chain_opens_for_targets_on_its_line() {
    for heights_m in [&[0.0, 1.0, 0.0, 1.0][..], &[0.0, 1.0, 2.0, 1.0, 2.0, 1.0]] {
        let joints_m = line(heights_m);
        for z in [0.5, 2.0, 0.2, -2.0] {
            let mut solver = Solver::new(Linkage::chain(&joints_m).unwrap());
            let target = Target::at(joints_m.len() - 1, Point3::new(0.0, 0.0, z));
            let reach = solver.solve(&[target], &Options::default()).unwrap();
            assert!(reach.is_reached(), "{heights_m:?} to {z}: {reach:?}");
        }
    }
}

#[test]
fn a_straight_chain_reaches_what_lies_exactly_behind_it() {
    for bones in [2_u8, 9, 40] {
        let heights_m: Vec<f64> = (0..=bones).map(f64::from).collect();
        let joints_m = line(&heights_m);
        for method in [Method::Fabrik, Method::GaussNewton, Method::Dls, Method::PseudoInverse] {
            let mut solver = Solver::new(Linkage::chain(&joints_m).unwrap());
            let target =
                Target::at(joints_m.len() - 1, Point3::new(0.0, 0.0, -0.6 * f64::from(bones)));
            let options = Options { method, ..Options::default() };
            let reach = solver.solve(&[target], &options).unwrap();
            assert!(reach.is_reached(), "{method}, {bones} bones: {reach:?}");
        }
    }
}

#[test]
fn a_straight_arm_with_an_elbow_is_bent_within_its_step() {
    let mut linkage =
        Linkage::tree(&line(&[0.0, 1.0, 2.0]), &[None, Some(0), Some(1)], ZeroDirection::Straight)
            .unwrap();
    linkage.limit(2, Limit::hinge(Vector3::x(), [0.0, 2.2]).unwrap()).unwrap();
    let mut solver = Solver::new(linkage);
    let most_m = 0.002;
    let options = Options { max_step_m: most_m, ..Options::tracking() };
    let mut before = solver.positions_m().to_vec();
    let mut reached = 0;
    for k in 0..400 {
        let target = Target::at(2, Point3::new(0.0, 0.0, 2.0 - 0.001 * f64::from(k)));
        let reach = solver.solve(&[target], &options).unwrap();
        reached += usize::from(reach.is_reached());
        let moved = solver.positions_m().iter().zip(&before).map(|(now, then)| (now - then).norm());
        let moved_m = moved.fold(0.0, f64::max);
        assert!(moved_m <= most_m * (1.0 + 1e-9), "row {k}: {moved_m}");
        before.copy_from_slice(solver.positions_m());
    }
    // The elbow has to go out by the root of what the hand comes in, √(0.001 k), and may by 0.002 k: it is there from
    // row 250 on.
    assert!((140..=150).contains(&reached), "{reached} of 400");
}

#[test]
fn every_method_keeps_to_the_largest_step() {
    let joints_m: Vec<Point3<f64>> =
        (0..8).map(|k| Point3::new(0.1 * f64::from(k * k % 3), 0.0, f64::from(k))).collect();
    for method in [
        Method::Fabrik,
        Method::Ccd,
        Method::Arc,
        Method::Triangulation,
        Method::Dls,
        Method::PseudoInverse,
        Method::Transpose,
        Method::GaussNewton,
    ] {
        let mut solver = Solver::new(Linkage::chain(&joints_m).unwrap());
        let before = solver.positions_m().to_vec();
        let options = Options { method, max_step_m: 0.01, ..Options::tracking() };
        let target = Target::at(7, Point3::new(3.0, 1.0, 3.0));
        let reach = solver.solve(&[target], &options).unwrap();
        let moved = solver.positions_m().iter().zip(&before).map(|(now, then)| (now - then).norm());
        let moved_m = moved.fold(0.0, f64::max);
        assert!(moved_m <= 0.01 * (1.0 + 1e-9), "{method}: {moved_m}");
        assert!(reach.is_held_back && moved_m > 1e-4, "{method}: {reach:?}");
    }
}

#[test]
fn a_hinge_that_goes_all_the_way_round_has_no_stop() {
    use std::f64::consts::PI;
    let mut linkage =
        Linkage::tree(&line(&[0.0, 1.0]), &[None, Some(0)], ZeroDirection::Straight).unwrap();
    linkage.limit(1, Limit::hinge(Vector3::x(), [-PI, PI]).unwrap()).unwrap();
    for method in [Method::GaussNewton, Method::Fabrik] {
        let mut solver = Solver::new(linkage.clone());
        let options = Options { method, ..Options::tracking() };
        for k in 0..1000 {
            let (sin, cos) = (f64::from(k) * 0.01).sin_cos();
            let target = Target::at(1, Point3::new(0.0, sin, cos));
            let reach = solver.solve(&[target], &options).unwrap();
            assert!(reach.is_reached(), "{method}, {k}: {reach:?}");
        }
    }
}
