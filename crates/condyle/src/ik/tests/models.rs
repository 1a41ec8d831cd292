//! The models of figure 3.14, as their files have them.

use super::*;

fn model(name: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ik/");
    let text = std::fs::read_to_string(format!("{folder}{name}.json")).unwrap();
    Model::from_json(&text).unwrap()
}

const LIMITED: [&str; 3] = ["chain-10-limited", "hand-26-limited", "humanoid-13-limited"];

#[test]
fn chains_and_sub_bases_of_the_models_are_found() {
    for (name, joints, leaves, sub_bases, longest) in [
        ("chain-10", 10, vec![9], vec![], 10),
        ("y-10", 10, vec![6, 9], vec![3], 7),
        ("hand-26", 26, vec![5, 10, 15, 20, 25], vec![0], 6),
        ("humanoid-13", 13, vec![3, 6, 9, 12], vec![0], 4),
    ] {
        let Model { linkage, effectors, .. } = model(name);
        assert_eq!(linkage.joints(), joints, "{name}");
        assert_eq!(linkage.leaves().collect::<Vec<_>>(), leaves, "{name}");
        assert_eq!(effectors, leaves, "{name}");
        assert_eq!(linkage.sub_bases().collect::<Vec<_>>(), sub_bases, "{name}");
        assert_eq!(linkage.is_chain(), leaves.len() == 1, "{name}");
        for leaf in leaves {
            let path: Vec<usize> = linkage.path_to_base(leaf).collect();
            assert_eq!((path.len(), path[path.len() - 1]), (longest, 0), "{name} from {leaf}");
        }
    }
}

#[test]
fn angles_of_the_models_survive_forward_kinematics() {
    let mut random = Random::new(21);
    for name in ["chain-10", "y-10", "hand-26", "humanoid-13"].iter().chain(&LIMITED) {
        let mut solver = Solver::new(model(name).linkage);
        for _ in 0..50 {
            let joints = solver.linkage().joints();
            let turns: Vec<_> = (0..joints).map(|_| any_turn(&mut random)).collect();
            solver.turn(&turns).unwrap();
            // As the limits allow; then there and back.
            let (turns, at_m) = (solver.zero_from_bones().to_vec(), solver.positions_m().to_vec());
            let frames = solver.world_from_bones().to_vec();
            let found: Vec<_> = (0..joints)
                .map(|joint| match solver.linkage().parent(joint) {
                    None => UnitQuaternion::identity(),
                    Some(parent) => {
                        let zero = solver.linkage().bones[joint].parent_from_zero;
                        (frames[parent] * zero).inverse() * frames[joint]
                    }
                })
                .collect();
            let mut again = Solver::new(solver.linkage().clone());
            again.turn(&found).unwrap();
            for joint in 1..joints {
                assert!(found[joint].angle_to(&turns[joint]) < 1e-9, "{name} {joint}");
                let off = (again.positions_m()[joint] - at_m[joint]).norm();
                assert!(off < 1e-9, "{name} {joint}: {off}");
            }
            assert!(length_error(&again) < 1e-9, "{name}");
        }
    }
}

/// Turns that swing to and fro, each joint in its own time: what they reach can be reached.
fn swung(solver: &mut Solver, step: i32) -> Vec<Point3<f64>> {
    let t = f64::from(step) * std::f64::consts::TAU / 1000.0;
    let turns: Vec<_> = (0..solver.linkage().joints())
        .map(|joint| {
            let phase = 0.7 * joint as f64;
            let angles = [-0.35 - 0.3 * (t + phase).sin(), 0.1 * (2.0 * t + phase).sin(), 0.0];
            UnitQuaternion::from_scaled_axis(Vector3::from(angles))
        })
        .collect();
    solver.turn(&turns).unwrap();
    solver.positions_m().to_vec()
}

#[test]
fn models_are_tracked_for_a_thousand_steps_without_jumps() {
    for name in ["y-10", "hand-26", "hand-26-limited", "humanoid-13-limited"] {
        let Model { linkage, effectors, .. } = model(name);
        let tolerance_m = 1e-3 * linkage.mean_length_m();
        let mut leader = Solver::new(linkage.clone());
        let mut solver = Solver::new(linkage);
        let mut at = |step: i32| -> Vec<Target> {
            let at_m = swung(&mut leader, step);
            effectors.iter().map(|joint| Target::at(*joint, at_m[*joint])).collect()
        };
        let mut last = at(0);
        solver.solve(&last, &Options { tolerance_m, ..Options::default() }).unwrap();
        let steps = if cfg!(debug_assertions) { 200 } else { 1000 };
        for step in 1..steps {
            let before = solver.positions_m().to_vec();
            let targets = at(step * 1000 / steps);
            let options = Options { tolerance_m, ..Options::tracking() };
            let reach = solver.solve(&targets, &options).unwrap();
            assert!(reach.is_reached(), "{name} {step}: {reach:?}");
            assert!(solver.violation_rad() < 1e-6, "{name} {step}");
            let largest = |moved: &mut dyn Iterator<Item = f64>| moved.fold(0.0, f64::max);
            let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
            let stepped = targets.iter().zip(&last).map(|(a, b)| (a.at_m - b.at_m).norm());
            let ratio = largest(&mut { moved }) / largest(&mut { stepped });
            assert!(ratio <= 5.0 + 1e-9, "{name} {step}: {ratio}");
            last = targets;
        }
    }
}

#[test]
fn the_palm_of_the_limited_hand_does_not_fold() {
    let Model { linkage, effectors, names } = model("hand-26-limited");
    let mut solver = Solver::new(linkage);
    let rest = solver.positions_m().to_vec();
    let fist = Point3::new(0.0, 0.06, -0.05);
    let targets: Vec<_> = effectors.iter().map(|joint| Target::at(*joint, fist)).collect();
    let options = Options { max_iterations: 500, restarts: 2, ..Options::default() };
    solver.solve(&targets, &options).unwrap();
    for (joint, name) in names.iter().enumerate() {
        let is_palm = name.ends_with("_1") || name.ends_with("_2") && !name.starts_with("thumb");
        let off = (solver.positions_m()[joint] - rest[joint]).norm();
        assert!(!is_palm || off < 1e-9, "{name}: {off}");
        assert!(!name.ends_with("tip") || off > 0.02, "{name}: {off}");
    }
    assert!(solver.violation_rad() < 1e-6);
}
