//! How well a simulated performer's joints are found, and whether the error bars are honest.
//!
//! `cargo run --release -p condyle-lab --example skeleton_accuracy -- [SEEDS] [rom|walk] [NOISE_MM] [SKIN_MM] [MARKER_SET]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use condyle::calibrate::Calibration;
use condyle::rigid::{Pair, place};
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::solve;

/// The 95 % quantile of a chi-square with three degrees of freedom.
const CHI2_95: f64 = 7.815;

fn main() {
    let mut args = std::env::args().skip(1);
    let seeds: u64 = args.next().map_or(2, |text| text.parse().unwrap());
    let routine = match args.next().as_deref() {
        Some("walk") => Routine::Walk,
        _ => Routine::Rom,
    };
    let noise_m = args.next().map_or(1e-3, |text| text.parse::<f64>().unwrap() * 1e-3);
    let skin_m = args.next().map_or(0.0, |text| text.parse::<f64>().unwrap() * 1e-3);
    let marker_set = args.next();
    let mut rows: Vec<Row> = Vec::new();
    for seed in 0..seeds {
        let marker_set = marker_set.clone();
        let options = Options { routine, noise_m, skin_m, seed, marker_set, ..Options::default() };
        let simulation = simulate(&Performer::human(), &options).unwrap();
        let (trial, truth) = (&simulation.trial, &simulation.truth);
        let mut calibration = Calibration::new(&truth.plan.performers[0], &trial.labels()).unwrap();
        let mut positions_m = vec![None; trial.markers.len()];
        for frame in 0..trial.frames {
            trial.positions_m(frame, &mut positions_m);
            calibration.push(&positions_m);
        }
        let subject = calibration.fit().unwrap();
        let solved = solve::solve_trial(&subject, trial).unwrap();
        for (index, joint) in subject.joints().iter().enumerate() {
            let t = truth.joints.iter().find(|t| t.child == joint.child).unwrap();
            // The true segment's frame, as the fitted segment's markers have it.
            let segment = &subject.segments()[joint.parent];
            let markers = &truth.plan.performers[0].segments[joint.parent].markers;
            let pairs = segment.markers.iter().zip(markers).map(|(fitted, marker)| Pair {
                in_segment_m: truth.markers[*marker].in_segment_m,
                in_world_m: fitted.position_in_segment_m,
                weight: 1.0,
            });
            let Some(fitted_from_true) = place(pairs) else { continue };
            let there = fitted_from_true.world_from_segment * t.centre_in_parent_m;
            let error = joint.centre_in_parent_m - there;
            let square = joint
                .covariance_m2
                .try_inverse()
                .map_or(f64::INFINITY, |information| error.dot(&(information * error)));
            let joint_number = truth.joints.iter().position(|t| t.child == joint.child).unwrap();
            let mut world: Vec<f64> = solved.joints()[index]
                .iter_m()
                .zip(&truth.joint_positions_m)
                .filter_map(|(found, truth)| Some((found? - truth[joint_number]).norm()))
                .collect();
            world.sort_by(f64::total_cmp);
            let number = rows.iter().position(|row| row.name == joint.name);
            let number = number.unwrap_or_else(|| {
                rows.push(Row { name: joint.name.clone(), ..Row::default() });
                rows.len() - 1
            });
            let row = &mut rows[number];
            row.errors_mm.push(error.norm() * 1e3);
            row.world_mm.push(world[world.len() / 2] * 1e3);
            row.sd_mm.push(joint.worst_sd_m() * 1e3);
            row.covered += usize::from(square <= CHI2_95);
            row.last = format!(
                "{:?} {:?} {:?} wander {:.1} ranges {:?}",
                joint.kind,
                joint.centre_known(),
                joint.method,
                joint.wander_m * 1e3,
                joint.ranges_rad.map(|r| r.to_degrees().round())
            );
        }
    }
    println!("{:28} {:>8} {:>8} {:>8} {:>8}", "joint", "error", "world", "sd", "covered");
    let (mut all, mut covered, mut count) = (Vec::new(), 0, 0);
    for row in &mut rows {
        all.extend(row.world_mm.iter().copied());
        covered += row.covered;
        count += row.errors_mm.len();
        println!(
            "{:28} {:8.2} {:8.2} {:8.2} {:7.1}%  {}",
            row.name,
            median(&mut row.errors_mm),
            median(&mut row.world_mm),
            median(&mut row.sd_mm),
            100.0 * row.covered as f64 / row.errors_mm.len() as f64,
            row.last
        );
    }
    println!(
        "median world error {:.2} mm, covered {:.1} %",
        median(&mut all),
        100.0 * f64::from(u32::try_from(covered).unwrap()) / count as f64
    );
}

#[derive(Default)]
struct Row {
    name: String,
    errors_mm: Vec<f64>,
    world_mm: Vec<f64>,
    sd_mm: Vec<f64>,
    covered: usize,
    last: String,
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
