//! How fast centres are found: nanoseconds a point, the best of many runs.
//!
//! Run with `cargo run --release -p condyle --example centre_speed`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use condyle::centre::{Method, Moments, sphere};

fn main() {
    for n in [100, 1_000, 10_000, 1_000_000] {
        let points = cap(n);
        let axes = [&points[0][..], &points[1][..], &points[2][..]];
        println!("{n} points");
        let read = time("reading them", n, || axes.iter().map(|axis| sum(axis)).sum::<f64>());
        let pass = time("moment pass", n, || Moments::<3>::of(black_box(axes)).q);
        println!("  {:<14} {:>9.1} %", "of reading", 100.0 * read / pass);
        let bare = || Moments::<3>::of(black_box(axes)).gdke().map_or(0.0, |fit| fit.1);
        time("gdke, bare", n, bare);
        let mut gdke = 0.0;
        for method in [Method::Gdke, Method::ScGdk, Method::Igdk, Method::Mle, Method::Lls] {
            if n > 10_000 && method == Method::Lls {
                continue;
            }
            let fit = || sphere(black_box(axes), method).map_or(0.0, |fit| fit.radius);
            let ns = time(method.name(), n, fit);
            gdke = if method == Method::Gdke { ns } else { gdke };
            println!("  {:<14} {:>9.2} times gdke", "", ns / gdke);
        }
    }
}

/// Points on a cap with a little unevenness.
fn cap(n: usize) -> [Vec<f64>; 3] {
    let turn = |i: usize, step: f64| (i as f64 * step).sin();
    let angle = |i: usize| (turn(i, 0.1234), turn(i, 2.345), 0.01 * turn(i, 7.89));
    let axis = |f: fn((f64, f64, f64)) -> f64| (0..n).map(|i| f(angle(i))).collect();
    [
        axis(|(a, b, e)| (1.0 + e) * a.sin() * b.cos() + 0.3),
        axis(|(a, b, e)| (1.0 + e) * a.sin() * b.sin() - 0.8),
        axis(|(a, _, e)| (1.0 + e) * a.cos() + 0.1),
    ]
}

/// Adds up numbers in as many lanes as keep memory busy.
fn sum(axis: &[f64]) -> f64 {
    let mut lanes = [0.0; 16];
    for chunk in axis.chunks_exact(16) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    lanes.iter().sum()
}

/// The best time of many runs, in nanoseconds a point.
fn time(name: &str, n: usize, mut run: impl FnMut() -> f64) -> f64 {
    let inner = (10_000 / n).max(1);
    let budget = Duration::from_millis(if cfg!(debug_assertions) { 2 } else { 150 });
    let (started, mut best) = (Instant::now(), f64::INFINITY);
    while best.is_infinite() || started.elapsed() < budget {
        let lap = Instant::now();
        for _ in 0..inner {
            black_box(run());
        }
        best = best.min(lap.elapsed().as_nanos() as f64 / (inner * n) as f64);
    }
    println!("  {name:<14} {best:>9.3} ns a point");
    best
}
