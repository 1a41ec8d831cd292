//! How far moving skin puts hips and knees off, beside the specification's comparison of estimators.
//!
//! `cargo run --release -p condyle-lab --example skin_motion -- [SEEDS]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use condyle::calibrate::Calibration;
use condyle::joint::{PairRule, PairSums, Poses};
use condyle::plan::JointRule;
use condyle::rigid::{Pair, Shape, place};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::{Trial, solve};
use nalgebra::Isometry3;

/// What the best of five estimators reached: median world error in millimetres of a joint whose limb moves
/// on the skin by 5 mm and by 10 mm. (J. K. Knight's closed forms with one and several markers, and
/// O'Brien's two-sided fit; 3 markers a segment, 500 frames, in which that one joint moves.)
const COMPARED: [(&str, Routine, [f64; 2]); 3] = [
    ("hip", Routine::Rom, [5.3, 10.6]),
    ("hip", Routine::Walk, [13.1, 26.6]),
    ("knee", Routine::Rom, [8.4, 12.9]),
];
/// Of the child's segment, and what the parent's has of it: 2 of 5 mm, 3 of 10 mm.
const SKIN_M: [f64; 2] = [0.005, 0.010];
const PARENT_SHARE: [f64; 2] = [0.4, 0.3];

fn main() {
    let seeds: u64 = std::env::args().nth(1).map_or(1, |text| text.parse().unwrap());
    println!("median world error over both sides, all frames and {seeds} seeds, mm");
    println!(
        "{:6} {:6} {:>8} {:>8} {:>10} {:>10} {:>10}",
        "joint", "trial", "skin", "ours", "two-sided", "one-sided", "published"
    );
    for (joint, routine, compared) in COMPARED {
        for (level, compared_mm) in compared.into_iter().enumerate() {
            let skin_m = SKIN_M[level];
            let mut performer = Performer::human();
            let [parent, child] =
                if joint == "hip" { ["pelvis", "thigh"] } else { ["thigh", "shank"] };
            for segment in &mut performer.segments {
                if segment.name.ends_with(parent) {
                    segment.skin = PARENT_SHARE[level];
                } else if segment.name.ends_with(child) {
                    segment.skin = 1.0;
                }
            }
            let (mut ours, mut plain, mut one) = (Vec::new(), Vec::new(), Vec::new());
            for seed in 0..seeds {
                let options =
                    Options { routine, skin_m, noise_m: 1e-3, seed, ..Options::default() };
                let simulation = simulate(&performer, &options).unwrap();
                ours.extend(errors_mm(joint, JointRule::Auto, &simulation));
                one.extend(errors_mm(joint, JointRule::OneSided, &simulation));
                plain.extend(two_sided_errors_mm(joint, &simulation));
            }
            let [ours, plain, one] = [ours, plain, one].map(median);
            let name = if routine == Routine::Walk { "walk" } else { "rom" };
            let verdict = if ours <= compared_mm { "at or better" } else { "WORSE" };
            let skin_mm = skin_m * 1e3;
            println!(
                "{joint:6} {name:6} {skin_mm:8.0} {ours:8.1} {plain:10.1} {one:10.1} {compared_mm:10.1}  {verdict}, \
                 {:.2} times the better of both",
                ours / plain.min(one)
            );
        }
    }
}

/// The median error of the joint on either side, all joints fitted by a rule.
fn errors_mm(joint: &str, rule: JointRule, simulation: &Simulation) -> Vec<f64> {
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let mut plan = truth.plan.performers[0].clone();
    plan.segments.iter_mut().for_each(|segment| segment.joint_rule = rule);
    let mut calibration = Calibration::new(&plan, &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::solve_trial(&subject, trial).unwrap();
    let of_joint = subject.joints().iter().enumerate().filter(|(_, j)| j.name.ends_with(joint));
    of_joint
        .map(|(index, fitted)| {
            let number = truth.joints.iter().position(|t| t.child == fitted.child).unwrap();
            let frames = solved.joints()[index].iter_m().zip(&truth.joint_positions_m);
            median(
                frames
                    .filter_map(|(found, truth)| Some((found? - truth[number]).norm() * 1e3))
                    .collect(),
            )
        })
        .collect()
}

/// The same of O'Brien's two-sided least squares on the very same recording: what the published figures of the
/// walking hip are from.
fn two_sided_errors_mm(joint: &str, simulation: &Simulation) -> Vec<f64> {
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let segments = &truth.plan.performers[0].segments;
    let poses = |segment: usize| Poses::from_frames(poses(trial, &segments[segment].markers));
    let of_joint = truth.joints.iter().enumerate().filter(|(_, j)| j.name.ends_with(joint));
    of_joint
        .map(|(number, joint)| {
            let (child, parent) = (poses(joint.child), poses(joint.parent));
            let fit = PairSums::from_poses(&child, &parent)
                .fit(&PairRule {
                    orientation_noise_rad: 1e-6,
                    max_axial_error_m: 1.0,
                    ..PairRule::default()
                })
                .unwrap();
            let apart = (0..trial.frames).filter_map(|frame| {
                let (rotation, origin) = parent.pose(frame)?;
                let found = rotation * fit.centre_in_parent_m.coords + origin;
                Some((found - truth.joint_positions_m[frame][number].coords).norm() * 1e3)
            });
            median(apart.collect())
        })
        .collect()
}

fn poses(trial: &Trial, markers: &[usize]) -> Vec<Option<Isometry3<f64>>> {
    let shape = Shape::learn(trial, markers).unwrap();
    let pose = |frame: usize| {
        let pairs = shape.points_in_segment_m.iter().zip(markers).filter_map(|(point, marker)| {
            let in_world_m = trial.markers[*marker].position_m(frame)?;
            Some(Pair { in_segment_m: *point, in_world_m, weight: 1.0 })
        });
        Some(place(pairs)?.world_from_segment)
    };
    (0..trial.frames).map(pose).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
