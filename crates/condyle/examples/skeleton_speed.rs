//! How long grouping, fitting and posing a 41-marker performer take.
//!
//! `cargo run --release -p condyle --example skeleton_speed`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use condyle::calibrate::Calibration;
use condyle::simulate::{Options, Performer, Routine, simulate};
use condyle::solve::Solver;

fn main() {
    for set in [None, Some("cmu41".to_owned())] {
        let options = Options {
            routine: Routine::Rom,
            seconds: 34.21,
            noise_m: 1e-3,
            marker_set: set,
            ..Options::default()
        };
        let Ok(simulation) = simulate(&Performer::human(), &options) else {
            println!("{:?}", Performer::human().marker_sets());
            continue;
        };
        let trial = &simulation.trial;
        let performer = &simulation.truth.plan.performers[0];
        let labels = trial.labels();
        let mut positions_m = vec![None; labels.len()];
        let mut subject = None;
        let mut best_ms = f64::INFINITY;
        for _ in 0..7 {
            let start = now_s();
            let mut calibration = Calibration::new(performer, &labels).unwrap();
            for frame in 0..trial.frames {
                trial.positions_m(frame, &mut positions_m);
                calibration.push(&positions_m);
            }
            subject = Some(calibration.fit().unwrap());
            best_ms = best_ms.min((now_s() - start) * 1e3);
        }
        let subject = subject.unwrap();
        println!(
            "{} markers, {} frames, {} segments: fit {best_ms:.1} ms",
            labels.len(),
            trial.frames,
            subject.segments.len()
        );
        let frames: Vec<_> = (0..trial.frames)
            .map(|frame| {
                trial.positions_m(frame, &mut positions_m);
                positions_m.clone()
            })
            .collect();
        let solver = Solver::new(&subject, &labels).unwrap();
        let mut pose = solver.pose();
        let mut best_us = f64::INFINITY;
        for _ in 0..7 {
            let start = now_s();
            for frame in &frames {
                solver.solve(black_box(frame), &mut pose);
                black_box(&pose);
            }
            best_us = best_us.min((now_s() - start) * 1e6 / frames.len() as f64);
        }
        println!("  pose {best_us:.2} µs a frame");
    }
}

/// Seconds on the processor where the system tells, so that a busy machine counts less; else by the clock.
fn now_s() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let on_cpu = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_cpu.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
