//! How long grouping, fitting and posing a 41-marker performer take, and posing the performer of a recording.
//!
//! `cargo run --release -p condyle-lab --example skeleton_speed -- [--json] [FILE]`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Instant;

use condyle::calibrate::Calibration;
use condyle::format::{ReadOptions, read_path};
use condyle::plan::Performer as Plan;
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::solve::Solver;
use condyle::subject::Subject;
use condyle::{Trial, grouping, marker_set};
use condyle_lab::everyday::speed::on_core;

const ROUNDS: usize = 15;
const FRAMES_AT_LEAST: usize = 10_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let is_json = args.iter().any(|arg| arg == "--json");
    let options = Options {
        routine: Routine::Rom,
        seconds: 34.21,
        noise_m: 1e-3,
        marker_set: Some("cmu41".to_owned()),
        ..Options::default()
    };
    let simulation = simulate(&Performer::human(), &options).unwrap();
    let trial = &simulation.trial;
    let performer = &simulation.truth.plan.performers[0];
    let (fit_s, subject) = best(|| fit(trial, performer));
    let (group_s, _) =
        best(|| grouping::from_motion(trial, &grouping::Options::default()).unwrap());
    let mut found = vec![
        ("group_ms", group_s * 1e3),
        ("fit_ms", fit_s * 1e3),
        ("pose_us", pose_s(trial, &subject) * 1e6),
    ];
    if !is_json {
        let (markers, segments) = (trial.markers.len(), subject.segments().len());
        println!("{markers} markers, {} frames, {segments} segments", trial.frames);
    }
    if let Some(file) = args.iter().find(|arg| *arg != "--json") {
        let walk = read_path(Path::new(file), &ReadOptions::default()).unwrap();
        let plan = marker_set::recognise_trial(&walk).plan;
        let subject = fit(&walk, &plan.performers[0]);
        found.push(("walk_us", pose_s(&walk, &subject) * 1e6));
    }
    let lines: Vec<String> =
        found.iter().map(|(name, value)| format!("\"{name}\": {value:.3}")).collect();
    match is_json {
        true => println!("{{{}}}", lines.join(", ")),
        false => lines.iter().for_each(|line| println!("  {}", line.replace('"', ""))),
    }
}

fn fit(trial: &Trial, performer: &Plan) -> Subject {
    let labels = trial.labels();
    let mut positions_m = vec![None; labels.len()];
    let mut calibration = Calibration::new(performer, &labels).unwrap();
    for frame in 0..trial.frames {
        trial.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    calibration.fit().unwrap()
}

/// Seconds a frame.
fn pose_s(trial: &Trial, subject: &Subject) -> f64 {
    let labels = trial.labels();
    let mut positions_m = vec![None; labels.len()];
    let frames: Vec<_> = (0..trial.frames)
        .map(|frame| {
            trial.positions_m(frame, &mut positions_m);
            positions_m.clone()
        })
        .collect();
    let solver = Solver::new(subject, &labels).unwrap();
    let mut pose = solver.pose();
    // The clock of the processor ticks in milliseconds: short trials are posed many times over.
    let repeats = FRAMES_AT_LEAST.div_ceil(frames.len().max(1));
    let (seconds, ()) = best(|| {
        for frame in std::iter::repeat_n(&frames, repeats).flatten() {
            solver.solve(black_box(frame), &mut pose);
            black_box(&pose);
        }
    });
    seconds / (repeats * frames.len()) as f64
}

/// The shortest of several times, and what came of it.
fn best<R>(mut work: impl FnMut() -> R) -> (f64, R) {
    let mut timed = || {
        let start = now_s();
        let result = black_box(work());
        (now_s() - start, result)
    };
    let first = timed();
    (1..ROUNDS).fold(first, |best, _| {
        let next = timed();
        if next.0 < best.0 { next } else { best }
    })
}

/// Seconds that this thread has had a core for, as OpenSim is measured beside it; where the system does not tell, seconds
/// on the clock. The best of several rounds is taken, so that a busy machine counts less.
fn now_s() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    on_core().unwrap_or_else(|| START.elapsed()).as_secs_f64()
}
