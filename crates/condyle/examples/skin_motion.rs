//! How far moving skin puts hips and knees off, beside the specification's comparison of estimators.
//!
//! `cargo run --release -p condyle --example skin_motion -- [SEEDS]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use condyle::calibrate::Calibration;
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::solve;

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
    println!("{:6} {:6} {:>8} {:>8} {:>8}", "joint", "trial", "skin", "ours", "compared");
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
            let mut errors: Vec<f64> = (0..seeds)
                .flat_map(|seed| {
                    let options =
                        Options { routine, skin_m, noise_m: 1e-3, seed, ..Options::default() };
                    errors_mm(joint, &performer, &options)
                })
                .collect();
            errors.sort_by(f64::total_cmp);
            let ours = errors[errors.len() / 2];
            let name = if routine == Routine::Walk { "walk" } else { "rom" };
            let verdict = if ours <= compared_mm { "at or better" } else { "WORSE" };
            let skin_mm = skin_m * 1e3;
            println!("{joint:6} {name:6} {skin_mm:8.0} {ours:8.1} {compared_mm:8.1}  {verdict}");
        }
    }
}

/// The median error of the joint on either side.
fn errors_mm(joint: &str, performer: &Performer, options: &Options) -> Vec<f64> {
    let simulation = simulate(performer, options).unwrap();
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let mut calibration = Calibration::new(&truth.plan.performers[0], &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::trial(&subject, trial).unwrap();
    let of_joint = subject.joints.iter().enumerate().filter(|(_, j)| j.name.ends_with(joint));
    of_joint
        .map(|(index, fitted)| {
            let number = truth.joints.iter().position(|t| t.child == fitted.child).unwrap();
            let frames = solved.joints_m.iter().zip(&truth.joint_positions_m);
            let mut apart: Vec<f64> = frames
                .filter_map(|(found, truth)| Some((found[index]? - truth[number]).norm() * 1e3))
                .collect();
            apart.sort_by(f64::total_cmp);
            apart[apart.len() / 2]
        })
        .collect()
}
