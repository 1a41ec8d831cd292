//! How long fitting joints between sensors takes, in cache, for a person, and for a long recording.
//!
//! `cargo run --release -p condyle-lab --example trackers_speed -- [--json] [--dump FILE]`
//!
//! `--dump` writes the poses of the person, 12 doubles a sensor and frame (axes, then origin), for other programs.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use condyle::joint::{AllPairs, PairRule, PairSums, Poses};
use condyle::simulate::{Options, Performer, Simulation, simulate};
use condyle::topology;
use condyle::trackers;
use condyle::trial::Body;
use nalgebra::{Isometry3, Translation3, Vector3};

const ROUNDS: usize = 25;
/// Frames that stay in the cache.
const IN_CACHE: usize = 512;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut person = recorded(45.0);
    carry_something(&mut person);
    let bodies = &person.trial.bodies;
    let poses: Vec<Poses> = bodies.iter().map(Poses::from_body).collect();
    if let Some(at) = args.iter().position(|arg| arg == "--dump") {
        dump(&args[at + 1], &poses);
    }
    let mut joints: Vec<(usize, usize)> =
        person.truth.joints.iter().map(|joint| (joint.child, joint.parent)).collect();
    joints.push((bodies.len() - 1, bodies.len() - 2));
    let rule = PairRule::default();
    let short: Vec<Poses> = [0, 1]
        .map(|body: usize| {
            Poses::from_frames((0..IN_CACHE).map(|f| bodies[body].world_from_body(f)))
        })
        .into();
    let pair_ns = best_s(|| {
        for _ in 0..100 {
            black_box(PairSums::from_poses(black_box(&short[0]), black_box(&short[1])));
        }
    }) * 1e9
        / (100.0 * IN_CACHE as f64);
    let fit_us = best_s(|| {
        let sums = PairSums::from_poses(&short[0], &short[1]);
        for _ in 0..1000 {
            black_box(black_box(&sums).fit(&rule).unwrap());
        }
    }) * 1e3;
    let known_ms = 1e3
        * best_s(|| {
            for (child, parent) in &joints {
                let sums = PairSums::from_poses(&poses[*child], &poses[*parent]);
                black_box(sums.fit(&rule).unwrap());
            }
        });
    let unknown_ms = 1e3
        * best_s(|| {
            black_box(topology::infer_from_pairs(&AllPairs::from_poses(&poses), None));
        });
    let whole_ms = 1e3
        * best_s(|| {
            black_box(trackers::fit(bodies, &trackers::Options::default()).unwrap());
        });
    let four: Vec<Poses> = [0, 1, 2, 3]
        .map(|body: usize| {
            let frames = person.trial.frames;
            Poses::from_frames((0..50_000).map(|f| bodies[body].world_from_body(f % frames)))
        })
        .into();
    let four_ms = 1e3
        * best_s(|| {
            black_box(topology::infer_from_pairs(&AllPairs::from_poses(&four), None));
        });
    let found = [
        ("pair_ns", pair_ns),
        ("fit_us", fit_us),
        ("known_ms", known_ms),
        ("unknown_ms", unknown_ms),
        ("whole_ms", whole_ms),
        ("four_ms", four_ms),
    ];
    let lines: Vec<String> =
        found.iter().map(|(name, value)| format!("\"{name}\": {value:.3}")).collect();
    match args.iter().any(|arg| arg == "--json") {
        true => println!("{{{}}}", lines.join(", ")),
        false => lines.iter().for_each(|line| println!("  {}", line.replace('"', ""))),
    }
}

/// A sixteenth sensor, on what the last segment carries about.
fn carry_something(person: &mut Simulation) {
    let mut thing = Body::new("thing");
    let last = person.trial.bodies.last().unwrap();
    for frame in 0..last.frames() {
        let t = frame as f64 * 0.01;
        let held = Isometry3::new(
            Vector3::new(0.1, 0.0, 0.0),
            Vector3::new(t.sin(), 0.5 * (1.3 * t).cos(), 0.2),
        );
        thing.push(
            last.world_from_body(frame).map(|pose| pose * held * Translation3::new(0.2, 0.0, 0.0)),
        );
    }
    person.trial.bodies.push(thing);
}

/// A person with 15 sensors at 100 Hz.
fn recorded(seconds: f64) -> Simulation {
    let options = Options {
        seconds,
        rate_hz: 100.0,
        sensors: true,
        noise_m: 4e-3,
        orientation_noise_rad: 0.005,
        ..Options::default()
    };
    simulate(&Performer::human(), &options).unwrap()
}

fn best_s(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

fn dump(path: &str, poses: &[Poses]) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for body in poses {
        for frame in 0..body.frames() {
            let (rotation, origin_m) = body.pose(frame).unwrap();
            for value in rotation.transpose().iter().chain(origin_m.iter()) {
                file.write_all(&value.to_le_bytes()).unwrap();
            }
        }
    }
}
