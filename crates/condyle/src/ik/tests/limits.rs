use nalgebra::Vector2;

use super::*;
use crate::ik::limit::{Polygon, Swing, Twist};

/// Every kind of joint there is.
pub(super) fn kinds() -> Vec<(&'static str, Limit)> {
    let corners = [[0.6, 0.1], [0.2, 0.8], [-0.6, 0.3], [-0.2, -0.7]];
    let polygon = Polygon::new(corners.map(Vector2::from).to_vec()).unwrap();
    let some_twist = Twist::Range { min_rad: -0.5, max_rad: 0.9 };
    vec![
        ("ball", Limit::FREE),
        ("cone", Limit::cone(0.8)),
        ("wide cone", Limit::cone(2.2)),
        ("ellipsoidal", Limit::ellipsoidal([0.4, 0.7, 1.1, 0.9], some_twist)),
        ("wide ellipse", Limit::ellipsoidal([2.0, 0.7, 1.9, 2.4], some_twist)),
        (
            "conic",
            Limit { swing: Swing::Conic { angles_rad: [0.4, 0.7, 1.1, 0.9] }, twist: some_twist },
        ),
        (
            "wide conic",
            Limit { swing: Swing::Conic { angles_rad: [2.4, 1.9, 2.1, 2.7] }, twist: Twist::Free },
        ),
        ("polygon", Limit::polygon(polygon, some_twist)),
        ("hinge", Limit::hinge(Vector3::x(), [-0.2, 2.0]).unwrap()),
        ("skew hinge", Limit::hinge(Vector3::new(1.0, 0.2, 0.5), [-1.0, 1.5]).unwrap()),
        ("saddle", Limit::saddle([0.6, 0.8, 0.7, 0.5])),
        ("gliding", Limit::gliding(0.3)),
        ("pivot", Limit::pivot([-1.2, 1.2])),
        ("suture", Limit::suture(0.05)),
    ]
}

/// A chain of joints of kinds drawn at random.
fn any_chain(random: &mut Random) -> Linkage {
    let kinds = kinds();
    let mut linkage = Linkage::chain(&straight(8)).unwrap();
    for end in 1..8 {
        let index = (random.unit() * kinds.len() as f64) as usize;
        linkage.limit(end, kinds[index].1.clone()).unwrap();
    }
    linkage
}

fn solve_at_random(count: usize, seed: u64, methods: &[Method]) {
    let mut random = Random::new(seed);
    for _ in 0..count {
        let linkage = any_chain(&mut random);
        let target = Point3::from(direction(&mut random) * (8.0 * random.unit()));
        for method in methods {
            let options = Options {
                method: *method,
                tolerance_m: 1e-3,
                max_iterations: 300,
                restarts: 1,
                ..Options::default()
            };
            let mut solver = Solver::new(linkage.clone());
            let reach = solver.solve(&[Target::at(7, target)], &options).unwrap();
            let violation_rad = solver.violation_rad();
            assert!(violation_rad < 1e-6, "{method} {violation_rad} {:?}", solver.linkage());
            assert!(length_error(&solver) < 1e-9, "{method}");
            assert!(reach.distance_m.is_finite());
        }
    }
}

#[test]
fn limits_hold_whatever_the_joint_and_the_method() {
    solve_at_random(40, 1, &[Method::Fabrik, Method::Ccd, Method::GaussNewton, Method::Dls]);
    solve_at_random(3, 2, &[Method::MonteCarlo, Method::Transpose, Method::Sdls]);
    solve_at_random(300, 3, &[Method::Fabrik]);
}

#[test]
#[ignore = "minutes but in release: cargo test --release -p condyle --lib hundred_thousand -- --ignored"]
fn limits_hold_in_a_hundred_thousand_solves() {
    solve_at_random(100_000, 4, &[Method::Fabrik]);
}

#[test]
fn a_target_of_a_legal_pose_is_found() {
    let mut random = Random::new(9);
    for mixed in [false, true] {
        let mut linkage = Linkage::chain(&straight(10)).unwrap();
        for end in 1..10 {
            let limit = match end % 3 {
                0 if mixed => Limit::hinge(Vector3::x(), [0.0, 2.0]).unwrap(),
                1 if mixed => Limit::saddle([0.4, 0.6, 1.0, 0.8]),
                _ => Limit::cone(45_f64.to_radians()),
            };
            linkage.limit(end, limit).unwrap();
        }
        let mut reached = 0;
        for _ in 0..100 {
            let mut solver = Solver::new(linkage.clone());
            let turns: Vec<_> = (0..10).map(|_| any_turn(&mut random)).collect();
            solver.turn(&turns).unwrap();
            let target = solver.positions_m()[9];
            let mut solver = Solver::new(linkage.clone());
            let options = Options { tolerance_m: 1e-3, ..Options::default() };
            let reach = solver.solve(&[Target::at(9, target)], &options).unwrap();
            reached += usize::from(reach.is_reached());
        }
        assert!(reached >= 99, "{mixed}: {reached} of 100");
    }
}

#[test]
fn nothing_flips_while_a_target_is_tracked() {
    for (name, limit) in kinds() {
        if matches!(name, "pivot" | "suture" | "gliding") {
            continue;
        }
        let mut linkage = Linkage::chain(&straight(10)).unwrap();
        for end in 1..10 {
            // Hinges that are all parallel would leave the chain in a plane.
            let turned = Limit::hinge(Vector3::y(), [-1.0, 1.5]).unwrap();
            let is_turned = name.contains("hinge") && end % 2 == 0;
            linkage.limit(end, if is_turned { turned } else { limit.clone() }).unwrap();
        }
        let mut solver = Solver::new(linkage);
        let mut reached = 0;
        let at = |step: i32| {
            let t = f64::from(step) * std::f64::consts::TAU / 1000.0;
            Point3::new(1.5 * t.sin(), 2.0 + t.cos(), 6.0 + 0.5 * (2.0 * t).sin())
        };
        solver
            .solve(&[Target::at(9, at(0))], &Options { tolerance_m: 1e-3, ..Options::default() })
            .unwrap();
        for step in 1..1000 {
            let before = solver.positions_m().to_vec();
            let max_step_m = 4.9 * (at(step) - at(step - 1)).norm();
            let options = Options { tolerance_m: 1e-3, max_step_m, ..Options::tracking() };
            let reach = solver.solve(&[Target::at(9, at(step))], &options).unwrap();
            reached += usize::from(reach.is_reached());
            let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
            let ratio = moved.fold(0.0, f64::max) / (at(step) - at(step - 1)).norm();
            assert!(ratio <= 5.0, "{name} at {step}: {ratio} {reach:?}");
        }
        // The target is chosen without regard to the limits: most of its way is within them.
        assert!(reached > 600, "{name}: {reached}");
    }
}

#[test]
fn joints_at_their_limit_are_counted() {
    let mut linkage = Linkage::chain(&straight(3)).unwrap();
    linkage.limit(1, Limit::cone(0.2)).unwrap();
    linkage.limit(2, Limit::cone(0.2)).unwrap();
    let mut solver = Solver::new(linkage);
    let reach = solver.solve(&[Target::at(2, Point3::new(1.5, 0.0, 0.0))], &Options::default());
    let reach = reach.unwrap();
    assert_eq!((reach.outcome, reach.limits_active), (Outcome::Stalled, 2));
    // As near as two cones let it: both at their edge, towards the target.
    let nearest = Vector3::new(0.2_f64.sin() + 0.4_f64.sin(), 0.0, 0.2_f64.cos() + 0.4_f64.cos());
    assert!((solver.positions_m()[2].coords - nearest).norm() < 1e-3);
}
