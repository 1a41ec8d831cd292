//! How well joint angles of a simulated performer are recovered, against the simulator's own poses.
//!
//! `cargo run --release -p condyle --example angles_accuracy -- [SEEDS] [rom|walk] [NOISE_MM] [MARKER SET]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use condyle::angles::{self, Angles};
use condyle::calibrate::Calibration;
use condyle::rigid::{Pair, place};
use condyle::simulate::{Options, Performer, Routine, Simulation, simulate};
use condyle::solve::{self, Solved};
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
        let found = found(&simulate(&Performer::human(), &options).unwrap());
        let truth = truth(&simulate(&Performer::human(), &clean).unwrap());
        add(&mut rows, &found, &truth);
    }
    println!("{:44} {:>9} {:>9} {:>9}", "rms degrees", "all", "not near", "offset");
    for row in &rows {
        let [all, clear] = [&row.all, &row.clear].map(|(square, n)| (square / n).sqrt());
        println!("{:44} {all:9.3} {clear:9.3} {:9.3}", row.name, row.sum / row.all.1);
    }
    let total = |pick: fn(&Row) -> (f64, f64)| {
        let (square, n) = rows.iter().map(pick).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        (square / n).sqrt()
    };
    println!(
        "rms of all angles {:.3}, not near gimbal lock {:.3}",
        total(|r| r.all),
        total(|r| r.clear)
    );
}

/// One angle: Σ error² and frames, of all and of those not near gimbal lock.
struct Row {
    name: String,
    all: (f64, f64),
    clear: (f64, f64),
    sum: f64,
}

fn calibrated(simulation: &Simulation) -> (Subject, Solved) {
    let (trial, truth) = (&simulation.trial, &simulation.truth);
    let mut calibration = Calibration::new(&truth.plan.performers[0], &trial.labels()).unwrap();
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit().unwrap();
    let solved = solve::trial(&subject, trial).unwrap();
    (subject, solved)
}

fn found(simulation: &Simulation) -> Angles {
    let (subject, solved) = calibrated(simulation);
    angles::of(&subject, &solved, simulation.trial.rate_hz, &angles::Options::default())
}

/// The same convention on the simulator's joints and poses; axes of motion from the recording without noise.
fn truth(simulation: &Simulation) -> Angles {
    let (mut subject, mut solved) = calibrated(simulation);
    let truth = &simulation.truth;
    let fitted_from_true: Vec<_> = subject
        .segments
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
    for joint in &mut subject.joints {
        let t = truth.joints.iter().find(|t| t.child == joint.child).unwrap();
        if let Some(fitted) = fitted_from_true[joint.parent] {
            joint.centre_in_parent_m = fitted * t.centre_in_parent_m;
        }
        if let Some(fitted) = fitted_from_true[joint.child] {
            joint.centre_in_child_m = fitted * t.centre_in_child_m;
        }
    }
    for (poses, true_poses) in solved.world_from_segments.iter_mut().zip(&truth.world_from_segment)
    {
        for (segment, pose) in poses.iter_mut().enumerate() {
            if let Some(fitted) = fitted_from_true[segment] {
                *pose = Some(true_poses[segment] * fitted.inverse());
            }
        }
    }
    angles::of(&subject, &solved, simulation.trial.rate_hz, &angles::Options::default())
}

fn add(rows: &mut Vec<Row>, found: &Angles, truth: &Angles) {
    let mut number = 0;
    for (joint, true_joint) in found.joints.iter().zip(&truth.joints) {
        for (i, component) in joint.components.iter().enumerate() {
            if rows.len() <= number {
                let name = format!("{} {}", joint.name, component.name);
                rows.push(Row { name, all: (0.0, 0.0), clear: (0.0, 0.0), sum: 0.0 });
            }
            let row = &mut rows[number];
            number += 1;
            for (frame, pair) in joint.angles_rad.iter().zip(&true_joint.angles_rad).enumerate() {
                let (Some(a), Some(b)) = pair else { continue };
                let error = (a[i] - b[i]).to_degrees();
                row.sum += error;
                row.all = (row.all.0 + error * error, row.all.1 + 1.0);
                if !true_joint.near_gimbal.iter().any(|near| near.contains(&frame)) {
                    row.clear = (row.clear.0 + error * error, row.clear.1 + 1.0);
                }
            }
        }
    }
}
