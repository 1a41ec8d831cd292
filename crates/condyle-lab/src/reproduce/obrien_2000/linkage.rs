//! The wooden linkage: six bodies, five ball joints, six recordings.

use condyle::trackers::{self, Hierarchy};
use condyle::trial::Body;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::spheres::normal_vector as normal;
use condyle_page::page::Table;

/// The lengths of Table 1 in centimetres, and the errors of its six sets.
const TABLE_1: [(&str, f64, [f64; 6]); 5] = [
    ("neck to left shoulder", 39.0, [-0.4, 0.2, -0.8, -0.1, -0.1, -1.1]),
    ("neck to right shoulder", 39.7, [-0.1, -0.1, -0.6, -0.3, -0.2, -0.6]),
    ("between shoulders", 34.3, [0.0, 0.6, -0.2, 0.0, 0.0, -0.5]),
    ("right upper arm", 28.6, [-0.6, -0.4, -0.2, -0.3, -0.4, -0.5]),
    ("left upper arm", 31.4, [-0.1, -0.3, -0.5, -0.1, 0.3, 0.2]),
];

const FRAMES: usize = 1350;
const SETS: usize = 6;
/// The noise that the document found by moving two sensors at a fixed distance, and as much in
/// orientation as such systems have.
const NOISE_M: f64 = 7e-3;
const NOISE_RAD: f64 = 0.01;

pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 60_000, trials: effort.trials(100, 1000) * SETS }]
}

/// What came of one recording: errors in centimetres, and whether the tree is right.
struct Outcome {
    errors_cm: [f64; 5],
    is_right: bool,
}

/// Where joints are: the body they hang on, the body below, and their place in the upper one.
/// The torso is 0 with its origin in the neck, the head 1, upper arms 2 and 3, lower arms 4 and 5.
fn joints() -> [(usize, usize, Point3<f64>); 5] {
    // The triangle of neck and shoulders from its three sides.
    let [left, right, between] = [0.390, 0.397, 0.343];
    let y = (left * left - right * right + between * between) / (2.0 * between);
    let z = -f64::sqrt(left * left - y * y);
    let shoulders = [Point3::new(0.0, y, z), Point3::new(0.0, y - between, z)];
    [
        (0, 1, Point3::origin()),
        (0, 2, shoulders[0]),
        (0, 3, shoulders[1]),
        (2, 4, Point3::new(0.0, 0.0, -0.314)),
        (3, 5, Point3::new(0.0, 0.0, -0.286)),
    ]
}

/// One recording: every joint is turned to all sides, one after the other and all a little.
fn record(random: &mut ChaCha8Rng) -> Vec<Body> {
    let joints = joints();
    let mut mount = || {
        let turned = UnitQuaternion::new(normal(random, 2.0));
        Isometry3::from_parts(Translation3::from(normal(random, 0.06)), turned)
    };
    let mounts: Vec<Isometry3<f64>> = (0..6).map(|_| mount()).collect();
    let phases: Vec<f64> =
        (0..15).map(|_| random.random_range(0.0..std::f64::consts::TAU)).collect();
    let mut bodies: Vec<Body> = (0..6).map(|k| Body::new(format!("body {k}"))).collect();
    for frame in 0..FRAMES {
        let t = frame as f64 / 30.0;
        let mut poses = [Isometry3::identity(); 6];
        poses[0] = Isometry3::new(
            Vector3::new(0.1 * (0.3 * t).sin(), 0.1 * (0.2 * t).cos(), 1.2),
            Vector3::new(0.2 * (0.25 * t).sin(), 0.2 * (0.31 * t).cos(), 0.5 * (0.1 * t).sin()),
        );
        for (joint, (parent, child, at)) in joints.iter().enumerate() {
            let turn = frame * joints.len() / FRAMES;
            let size = if turn == joint { 0.7 } else { 0.1 };
            let angle = |axis: usize| {
                let pace = 1.5 + 0.37 * axis as f64 + 0.11 * joint as f64;
                size * (pace * t + phases[3 * joint + axis]).sin()
            };
            let rotation = UnitQuaternion::from_euler_angles(angle(0), angle(1), angle(2));
            poses[*child] =
                poses[*parent] * Isometry3::from_parts(Translation3::from(at.coords), rotation);
        }
        for ((body, pose), mount) in bodies.iter_mut().zip(&poses).zip(&mounts) {
            let seen = pose * mount;
            let tilt = UnitQuaternion::new(normal(random, NOISE_RAD));
            let place = seen.translation.vector + normal(random, NOISE_M);
            body.push(Some(Isometry3::from_parts(place.into(), seen.rotation * tilt)));
        }
    }
    bodies
}

fn trial(random: &mut ChaCha8Rng) -> Option<Outcome> {
    let bodies = record(random);
    let mut parents = vec![None; 6];
    joints().iter().for_each(|(parent, child, _)| parents[*child] = Some(*parent));
    let hierarchy = Hierarchy::Known(parents.clone());
    let fitted =
        trackers::fit(&bodies, &trackers::Options { hierarchy, ..Default::default() }).ok()?;
    let subject = &fitted.subject;
    // Segments may be in another order than bodies.
    let joint = |child: usize| {
        let segment = fitted.bodies.iter().position(|body| *body == child)?;
        subject.joint_of(segment)
    };
    let in_torso = |child: usize| Some(joint(child)?.centre_in_parent_m);
    let arm = |upper: usize, lower: usize| {
        Some((joint(lower)?.centre_in_parent_m - joint(upper)?.centre_in_child_m).norm())
    };
    let lengths_m = [
        (in_torso(1)? - in_torso(2)?).norm(),
        (in_torso(1)? - in_torso(3)?).norm(),
        (in_torso(2)? - in_torso(3)?).norm(),
        arm(3, 5)?,
        arm(2, 4)?,
    ];
    let mut errors_cm = [0.0; 5];
    for (error, (length_m, (_, true_cm, _))) in
        errors_cm.iter_mut().zip(lengths_m.iter().zip(TABLE_1))
    {
        *error = 100.0 * length_m - true_cm;
    }
    let is_edge = |a: usize, b: usize| parents[a] == Some(b) || parents[b] == Some(a);
    let is_right = fitted.tree.edges.iter().all(|edge| is_edge(edge.parent, edge.child));
    Some(Outcome { errors_cm, is_right })
}

/// Records and fits the linkage again and again.
pub fn run(lab: &Lab) -> Section {
    let loads = loads(&lab.effort);
    let wanted = loads[0].trials;
    let results = lab.trials(&loads, |_, random| trial(random));
    let outcomes: Vec<Outcome> = results.into_iter().flatten().flatten().collect();
    let header = ["limb", "length cm", "document: largest", "mean", "ours: largest", "mean"];
    let mut table = Table::new(&header, 1);
    let (mut worst_cm, mut sum_cm) = (0.0f64, 0.0);
    for (limb, (name, length_cm, theirs)) in TABLE_1.iter().enumerate() {
        let errors = || outcomes.iter().map(|outcome| outcome.errors_cm[limb].abs());
        let largest = errors().fold(0.0, f64::max);
        let mean = errors().sum::<f64>() / outcomes.len().max(1) as f64;
        let their_largest = theirs.iter().map(|e| e.abs()).fold(0.0, f64::max);
        let their_mean = theirs.iter().map(|e| e.abs()).sum::<f64>() / 6.0;
        (worst_cm, sum_cm) = (worst_cm.max(largest), sum_cm + mean);
        let two = |value: f64| format!("{value:.2}");
        table.row([
            (*name).to_owned(),
            length_cm.to_string(),
            two(their_largest),
            two(their_mean),
            two(largest),
            two(mean),
        ]);
    }
    let mean_cm = sum_cm / TABLE_1.len() as f64;
    let right = outcomes.iter().filter(|outcome| outcome.is_right).count();
    let all = outcomes.len();
    let is_whole = all == wanted;
    let lines = vec![
        Line::new("largest error of a length", "Table 1")
            .compare("1.1 cm in 6 sets", format!("{worst_cm:.2} cm in {all} sets"))
            .reproduced(is_whole && worst_cm <= 1.1),
        Line::new("mean error of the lengths", "Table 1")
            .compare("0.33 cm", format!("{mean_cm:.2} cm"))
            .reproduced(is_whole && mean_cm <= 0.4),
        Line::new("hierarchies that are right", "section 4")
            .compare("6 of 6", format!("{right} of {all}"))
            .reproduced(is_whole && right == all),
    ];
    Section {
        text: vec![format!(
            "Six bodies with the lengths of Table 1, each joint turned about 40 degrees to all \
             sides in its turn, 45 s at 30 Hz, with {} mm and {:.2} degrees of noise an axis. \
             The document's linkage also has wood that bends and a field that does.",
            NOISE_M * 1e3,
            NOISE_RAD.to_degrees()
        )],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
