//! How much of a processor a frame of a filmed recording takes with everything estimated, and with a body that is known.
//! Linux only: the time of the thread, so that other programs do not count.
//!
//! `cargo run --release -p condyle-lab --example keypoints_speed -- FILE...`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;

use condyle::format::{ReadOptions, read_path};
use condyle::job::{Options, run};

const ROUNDS: usize = 7;

fn main() {
    for file in std::env::args().skip(1) {
        let trial = read_path(Path::new(&file), &ReadOptions::default()).unwrap();
        let first = run(trial.clone(), &Options::default()).unwrap();
        let subject = first.performers[0].subject.clone();
        let frame_us = |options: &Options| {
            let mut rounds: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    let trial = trial.clone();
                    let start_ns = processor_ns();
                    std::hint::black_box(run(trial, options).unwrap());
                    (processor_ns() - start_ns) / 1e3 / first.trial.frames as f64
                })
                .collect();
            rounds.sort_by(f64::total_cmp);
            (rounds[0], rounds[ROUNDS / 2])
        };
        let all = frame_us(&Options::default());
        let mut known = Options::default();
        known.subject = Some(subject);
        let known = frame_us(&known);
        println!(
            "{file}: {} points, {} frames: everything estimated {:.0} us a frame (median {:.0}), body known {:.0} \
             (median {:.0})",
            trial.markers.len(),
            trial.frames,
            all.0,
            all.1,
            known.0,
            known.1
        );
    }
}

/// Nanoseconds that this thread has run.
fn processor_ns() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    told.split_whitespace().next().unwrap().parse().unwrap()
}
