use super::*;

fn text<T: std::fmt::Debug>(result: crate::error::Result<T>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn chains_that_are_none_are_refused() {
    assert_eq!(text(Linkage::chain(&[])), "joints: need 2, got 0");
    assert_eq!(text(Linkage::chain(&straight(1))), "joints: need 2, got 1");
    let same = text(Linkage::chain(&[Point3::origin(), Point3::origin()]));
    assert!(same.contains("need a bone with a length"), "{same}");
    let not_finite = text(Linkage::chain(&[Point3::origin(), Point3::new(f64::NAN, 0.0, 0.0)]));
    assert!(not_finite.contains("need finite coordinates"), "{not_finite}");
    let two = straight(3);
    for parents in [
        vec![None, None, Some(1)],
        vec![None, Some(2), Some(1)],
        vec![Some(0), Some(0), Some(1)],
        vec![None, Some(0)],
    ] {
        assert!(Linkage::tree(&two, &parents, ZeroDirection::Rest).is_err(), "{parents:?}");
    }
}

#[test]
fn limits_and_loops_that_are_none_are_refused() {
    let mut linkage = Linkage::chain(&straight(3)).unwrap();
    assert!(linkage.limit(0, Limit::FREE).is_err());
    assert!(linkage.limit(3, Limit::FREE).is_err());
    let swapped = text(linkage.limit(1, Limit::pivot([1.0, -1.0])));
    assert!(swapped.contains("need a smallest angle not above the largest"), "{swapped}");
    assert!(linkage.slide(1, [2.0, 1.0]).is_err());
    assert!(linkage.slide(1, [0.0, 1.0]).is_err());
    assert!(linkage.close(1, 1).is_err());
    assert!(linkage.close(1, 9).is_err());
}

#[test]
fn targets_that_are_none_are_refused_by_every_method() {
    for method in Method::ALL {
        let options = Options { method, ..Options::default() };
        let mut solver = Solver::new(Linkage::chain(&straight(4)).unwrap());
        let nan = Target::at(3, Point3::new(f64::NAN, 0.0, 0.0));
        let good = Target::at(3, Point3::new(1.0, 0.0, 0.0));
        assert!(text(solver.solve(&[nan], &options)).contains("need finite coordinates"));
        assert!(text(solver.solve(&[], &options)).contains("need one"));
        assert!(solver.solve(&[Target { joint: 0, ..good }], &options).is_err());
        assert!(solver.solve(&[Target { joint: 4, ..good }], &options).is_err());
        assert!(solver.solve(&[Target { weight: 0.0, ..good }], &options).is_err());
        let wrong = Options { tolerance_m: 0.0, ..options };
        assert!(solver.solve(&[good], &wrong).is_err());
    }
    assert!("fabric".parse::<Method>().unwrap_err().to_string().contains("got 'fabric'"));
    for method in Method::ALL {
        assert_eq!(method.name().parse::<Method>().unwrap(), method);
    }
}

#[test]
fn a_method_for_plain_chains_refuses_limits_and_branches() {
    let mut linkage = Linkage::chain(&straight(4)).unwrap();
    linkage.limit(2, Limit::cone(0.5)).unwrap();
    let mut solver = Solver::new(linkage);
    let options = Options { method: Method::Arc, ..Options::default() };
    let refused = text(solver.solve(&[Target::at(3, Point3::new(1.0, 0.0, 0.0))], &options));
    assert_eq!(refused, "arc: need a chain without limits and one target at its end");
}

#[test]
fn absurd_sizes_end_in_an_answer() {
    for scale in [1e-6, 1e6] {
        let at_m: Vec<_> = bent(6).iter().map(|at| at * scale).collect();
        for method in Method::ALL {
            let options = Options {
                method,
                tolerance_m: 1e-3 * scale,
                max_iterations: 500,
                ..Options::default()
            };
            let mut solver = Solver::new(Linkage::chain(&at_m).unwrap());
            let target = Point3::new(2.0, 1.0, 1.0) * scale;
            let reach = solver.solve(&[Target::at(5, target)], &options).unwrap();
            assert!(reach.is_reached(), "{method} {scale}: {reach:?}");
            let huge = Target::at(5, Point3::new(1e300, 0.0, 0.0));
            assert!(solver.solve(&[huge], &options).is_err());
            let target = Point3::new(1e90, 0.0, 0.0);
            let reach = solver.solve(&[Target::at(5, target)], &options).unwrap();
            assert!(!reach.is_reached() || method == Method::FollowTheLeader, "{method}");
        }
    }
}
