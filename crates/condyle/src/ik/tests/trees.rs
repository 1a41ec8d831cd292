use super::*;

/// A stem of four joints and two arms of three.
fn y() -> Linkage {
    let mut at_m = straight(4);
    let mut parents: Vec<Option<usize>> = vec![None, Some(0), Some(1), Some(2)];
    for side in [-1.0, 1.0] {
        let mut parent = 3;
        for i in 1..=3 {
            at_m.push(Point3::new(0.7 * side * f64::from(i), 0.0, 3.0 + 0.7 * f64::from(i)));
            parents.push(Some(parent));
            parent = at_m.len() - 1;
        }
    }
    Linkage::tree(&at_m, &parents, ZeroDirection::Rest).unwrap()
}

fn targets_at(step: i32) -> [Target; 2] {
    let t = f64::from(step) * std::f64::consts::TAU / 1000.0;
    [
        Target::at(
            6,
            Point3::new(-2.0 + 0.4 * t.sin(), 0.5 * (2.0 * t).sin(), 4.2 + 0.5 * t.cos()),
        ),
        Target::at(9, Point3::new(2.0 + 0.4 * (2.0 * t).sin(), 0.5 * t.cos(), 4.5 + 0.4 * t.sin())),
    ]
}

#[test]
fn chains_and_sub_bases_are_found() {
    let y = y();
    assert_eq!(y.leaves().collect::<Vec<_>>(), [6, 9]);
    assert_eq!(y.sub_bases().collect::<Vec<_>>(), [3]);
    assert_eq!(y.path_to_base(9).collect::<Vec<_>>(), [9, 8, 7, 3, 2, 1, 0]);
    assert!(!y.is_chain());
}

#[test]
fn two_effectors_are_tracked_without_jumps() {
    for method in [Method::Fabrik, Method::Ccd, Method::GaussNewton, Method::Dls] {
        let options = Options { method, tolerance_m: 1e-3, ..Options::tracking() };
        let mut solver = Solver::new(y());
        solver.solve(&targets_at(0), &options).unwrap();
        let steps = if method == Method::Fabrik { 1000 } else { 100 };
        for step in 1..steps {
            let before = solver.positions_m().to_vec();
            let reach = solver.solve(&targets_at(step), &options).unwrap();
            assert!(reach.is_reached(), "{method} {step}: {reach:?}");
            assert!(length_error(&solver) < 1e-9);
            let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
            let stepped = targets_at(step)
                .iter()
                .zip(&targets_at(step - 1))
                .map(|(a, b)| (a.at_m - b.at_m).norm())
                .fold(0.0, f64::max);
            assert!(moved.fold(0.0, f64::max) <= 5.0 * stepped, "{method} {step}");
        }
    }
}

#[test]
fn algorithm_1_alone_reaches_with_two_effectors() {
    let options = Options { tolerance_m: 1e-3, ..Options::plain(Method::Fabrik) };
    let mut solver = Solver::new(y());
    for step in (0..1000).step_by(50) {
        let reach = solver.solve(&targets_at(step), &options).unwrap();
        assert!(reach.is_reached(), "{step}: {reach:?}");
    }
}

#[test]
fn the_heavier_of_two_targets_that_cannot_both_be_met_is_nearer() {
    let far = [Point3::new(-9.0, 0.0, 3.0), Point3::new(9.0, 0.0, 3.0)];
    let mut left = Vec::new();
    for weight in [1.0, 8.0] {
        let mut solver = Solver::new(y());
        let targets = [Target { weight, ..Target::at(6, far[0]) }, Target::at(9, far[1])];
        let reach = solver.solve(&targets, &Options::default()).unwrap();
        assert!(!reach.is_reached());
        left.push((solver.positions_m()[6] - far[0]).norm());
    }
    assert!(left[1] < left[0] - 0.2, "{left:?}");
}

#[test]
fn an_effector_within_a_chain_and_one_at_its_end_are_both_met() {
    let mut solver = Solver::new(Linkage::chain(&bent(8)).unwrap());
    let targets =
        [Target::at(4, Point3::new(1.5, 1.0, 2.5)), Target::at(7, Point3::new(2.5, 0.0, 0.5))];
    let reach = solver.solve(&targets, &Options::default()).unwrap();
    assert!(reach.is_reached(), "{reach:?}");
    assert!(length_error(&solver) < 1e-9);
}

#[test]
fn an_orientation_is_met_with_the_place() {
    let wanted = UnitQuaternion::from_euler_angles(0.4, 1.2, -0.7);
    for limited in [false, true] {
        let mut linkage = Linkage::chain(&bent(8)).unwrap();
        for end in 1..8 {
            if limited {
                linkage.limit(end, Limit::cone(1.0)).unwrap();
            }
        }
        let mut solver = Solver::new(linkage);
        let target =
            Target { world_from_bone: Some(wanted), ..Target::at(7, Point3::new(2.0, 1.5, 3.0)) };
        let reach = solver.solve(&[target], &Options::default()).unwrap();
        assert!(reach.is_reached(), "{limited}: {reach:?}");
        assert!(solver.world_from_bones()[7].angle_to(&wanted) < 1e-3);
    }
}

#[test]
fn a_loop_closes_and_stays_closed_while_a_corner_is_pulled() {
    // A ring of six bones: the last joint must meet the base.
    let at_m: Vec<_> = (0..7)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / 6.5;
            Point3::new(angle.cos(), angle.sin(), 0.05 * f64::from(i))
        })
        .collect();
    let mut linkage = Linkage::chain(&at_m).unwrap();
    linkage.close(6, 0).unwrap();
    let mut solver = Solver::new(linkage);
    let reach = solver.solve(&[], &Options::default()).unwrap();
    assert!(reach.is_reached(), "{reach:?}");
    let pull = Target::at(3, Point3::new(-0.6, 0.3, 0.9));
    let reach = solver.solve(&[pull], &Options::default()).unwrap();
    assert!(reach.is_reached(), "{reach:?}");
    assert!((solver.positions_m()[6] - solver.positions_m()[0]).norm() <= 1e-4);
    assert!(length_error(&solver) < 1e-9);
}

#[test]
fn a_loop_that_cannot_close_says_so() {
    let at_m = [0.0, 5.0, 6.0, 7.0].map(|z| Point3::new(0.0, 0.0, z));
    let mut linkage = Linkage::chain(&at_m).unwrap();
    linkage.close(3, 0).unwrap();
    let mut solver = Solver::new(linkage);
    let reach = solver.solve(&[], &Options::default()).unwrap();
    assert_eq!(reach.outcome, Outcome::Unreachable);
    assert!((reach.distance_m - 3.0).abs() < 0.1, "{reach:?}");
}

#[test]
fn what_has_no_target_goes_along() {
    let mut solver = Solver::new(y());
    let before = (solver.positions_m()[9] - solver.positions_m()[3]).norm();
    let reach = solver.solve(&[targets_at(0)[0]], &Options::default()).unwrap();
    assert!(reach.is_reached());
    let after = (solver.positions_m()[9] - solver.positions_m()[3]).norm();
    assert!((before - after).abs() < 1e-9);
}
