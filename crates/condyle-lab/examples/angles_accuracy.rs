//! How well joint angles of a simulated performer are recovered, against the simulator's own poses.
//!
//! `cargo run --release -p condyle-lab --example angles_accuracy -- [SEEDS] [rom|walk] [NOISE_MM] [MARKER_SET]`
//!
//! Three columns: angles as the frames have them, smoothed at 6 Hz, and as cross-validation has it.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use condyle::angles::{self, Angles, Smoothing};
use condyle::calibrate::Calibration;
use condyle::rigid::{Pair, place};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::solve::{self, PlacedBy, SolvedMotion, Solver};
use condyle::subject::Subject;

fn main() {
    let mut args = std::env::args().skip(1);
    let seeds: u64 = args.next().map_or(1, |text| text.parse().unwrap());
    let routine = match args.next().as_deref() {
        Some("walk") => Routine::Walk,
        _ => Routine::Rom,
    };
    let noise_m = args.next().map_or(1e-3, |text| text.parse::<f64>().unwrap() * 1e-3);
    let marker_set = args.next();
    let mut rows: Vec<Row> = Vec::new();
    for seed in 0..seeds {
        let clean = Options { routine, seed, marker_set: marker_set.clone(), ..Options::default() };
        let options = Options { noise_m, ..clean.clone() };
        let truth = truth(&simulate(&Performer::human(), &clean).unwrap());
        let noisy = simulate(&Performer::human(), &options).unwrap();
        for (column, smoothing) in
            [Smoothing::Off, Smoothing::At(6.0), Smoothing::Auto].into_iter().enumerate()
        {
            add(&mut rows, column, &found(&noisy, smoothing), &truth);
        }
    }
    println!("{:40} {:>9} {:>9} {:>9} {:>9}", "rms degrees", "as is", "at 6 Hz", "auto", "offset");
    let rms = |row: &Row, column: usize| (row.square[column] / row.frames).sqrt();
    for row in &rows {
        let [all, smooth, auto] = [0, 1, 2].map(|column| rms(row, column));
        let offset = row.sum / row.frames;
        println!("{:40} {all:9.3} {smooth:9.3} {auto:9.3} {offset:9.3}", row.name);
    }
    let total = |column: usize| {
        let sum = |pick: &dyn Fn(&Row) -> f64| rows.iter().map(pick).sum::<f64>();
        (sum(&|row| row.square[column]) / sum(&|row| row.frames)).sqrt()
    };
    println!("{:40} {:9.3} {:9.3} {:9.3}", "all", total(0), total(1), total(2));
}

/// One angle: Σ error² as is and smoothed in two ways, Σ error and frames.
#[derive(Default)]
struct Row {
    name: String,
    square: [f64; 3],
    sum: f64,
    frames: f64,
}

fn calibrated(simulation: &Simulation) -> (Subject, SolvedMotion) {
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let mut calibration = Calibration::new(&truth.plan.performers[0], &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::solve_trial(&subject, trial).unwrap();
    (subject, solved)
}

fn found(simulation: &Simulation, smoothing: Smoothing) -> Angles {
    let (subject, solved) = calibrated(simulation);
    let options = angles::Options { smoothing, ..angles::Options::default() };
    angles::joint_angles(&subject, &solved, simulation.trial.rate_hz, &options)
}

/// The same convention on the simulator's joints and poses; axes of motion from the recording without noise.
fn truth(simulation: &Simulation) -> Angles {
    let (subject, _) = calibrated(simulation);
    let truth = &simulation.truth;
    let fitted_from_true: Vec<_> = subject
        .segments()
        .iter()
        .zip(&truth.plan.performers[0].segments)
        .map(|(segment, planned)| {
            let pairs = segment.markers.iter().zip(&planned.markers).map(|(fitted, marker)| Pair {
                in_segment_m: truth.markers[*marker].in_segment_m,
                in_world_m: fitted.position_in_segment_m,
                weight: 1.0,
            });
            place(pairs).map(|placement| placement.world_from_segment)
        })
        .collect();
    let mut joints = subject.joints().to_vec();
    for joint in &mut joints {
        let t = truth.joints.iter().find(|t| t.child == joint.child).unwrap();
        if let Some(fitted) = fitted_from_true[joint.parent] {
            joint.centre_in_parent_m = fitted * t.centre_in_parent_m;
        }
        if let Some(fitted) = fitted_from_true[joint.child] {
            joint.centre_in_child_m = fitted * t.centre_in_child_m;
        }
    }
    let subject = Subject::new("", subject.segments().to_vec(), joints).unwrap();
    let trial = &simulation.trial;
    let solver = Solver::new(&subject, &trial.labels()).unwrap();
    let mut pose = solver.pose();
    let mut positions_m = vec![None; trial.markers.len()];
    let mut solved = SolvedMotion::with_room(&subject, trial.frames);
    for (frame, true_poses) in truth.world_from_segment.iter().enumerate() {
        trial.positions_m(frame, &mut positions_m);
        solver.solve(&positions_m, &mut pose);
        for (segment, fitted) in fitted_from_true.iter().enumerate() {
            if let Some(fitted) = fitted {
                pose.world_from_segments[segment] = Some(true_poses[segment] * fitted.inverse());
                pose.placed[segment] = PlacedBy::ByMarkers;
            }
        }
        solved.push(&pose);
    }
    angles::joint_angles(&subject, &solved, simulation.trial.rate_hz, &angles::Options::default())
}

fn add(rows: &mut Vec<Row>, column: usize, found: &Angles, truth: &Angles) {
    let mut number = 0;
    for (joint, true_joint) in found.joints.iter().zip(&truth.joints) {
        for (i, component) in joint.components.iter().enumerate() {
            if rows.len() <= number {
                let name = format!("{} {}", joint.name, component.name);
                rows.push(Row { name, ..Row::default() });
            }
            let row = &mut rows[number];
            number += 1;
            for pair in joint.angles_rad.iter().zip(&true_joint.angles_rad) {
                let (Some(a), Some(b)) = pair else { continue };
                let error = (a[i] - b[i]).to_degrees();
                row.square[column] += error * error;
                if column == 0 {
                    row.sum += error;
                    row.frames += 1.0;
                }
            }
        }
    }
}
