//! Speed, section 6.4: figures 26 and 27, and the counts of operations.

use std::hint::black_box;
use std::time::{Duration, Instant};

use condyle::centre::{Method, Moments, sphere};
use nalgebra::Point3;

use super::as_printed;
use super::methods::{GDKE, LLS, MLE, SC_GDK};
use crate::centre::Recurrence;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::Section;
use crate::spheres::{Cap, Cloud};
use condyle_page::page::Ink;

mod charts;
mod lines;

const THETA_DEG: f64 = 90.0;
const SIGMA: f64 = 0.01;
const SIZES: [usize; 4] = [100, 1000, 10_000, 100_000];
/// Noise for figure 27, over the radius.
const SIGMAS: [f64; 9] = [1e-11, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.2];
const SIGMAS_AT: usize = 1000;

/// A measurement lasts at least so long: the clock's steps and a call vanish in it.
const AT_LEAST: Duration = Duration::from_micros(500);
/// A recurrence needs a start.
const START: usize = 10;

/// One way to the centre that is timed. What it returns only keeps the work from being left out.
struct Runner {
    name: &'static str,
    ink: Ink,
    run: fn(&Cloud) -> f64,
}

/// Indices into [`RUNNERS`].
const LIBRARY: usize = 0;
const PLAIN: usize = 1;
const IGDK: usize = 3;
const LINEAR: usize = 4;
const ITERATED: usize = 5;

const RUNNERS: [Runner; 6] = [
    Runner { name: "GDKE", ink: GDKE.ink, run: |cloud| fitted(cloud, Method::Gdke) },
    Runner {
        name: "GDKE, two plain passes",
        ink: Ink(4),
        run: |cloud| as_printed::gdke(cloud.axes()).map_or(f64::NAN, |centre| centre.x),
    },
    Runner { name: "SC-GDK", ink: SC_GDK.ink, run: |cloud| fitted(cloud, Method::ScGdk) },
    Runner { name: "IGDK", ink: Ink(3), run: one_by_one },
    Runner { name: "LLS", ink: LLS.ink, run: |cloud| fitted(cloud, Method::Lls) },
    Runner { name: "MLE", ink: MLE.ink, run: |cloud| fitted(cloud, Method::Mle) },
];

fn fitted(cloud: &Cloud, method: Method) -> f64 {
    sphere(cloud.axes(), method).map_or(f64::NAN, |fit| fit.centre.x)
}

/// IGDK (224) to (232), its recurrences made exact.
fn one_by_one(cloud: &Cloud) -> f64 {
    let [x, y, z] = cloud.axes();
    let start = Moments::<3>::from_points([x, y, z].map(|axis| &axis[..START]));
    let Some(mut recurrence) = Recurrence::from_start(&start) else { return f64::NAN };
    for i in START..x.len() {
        recurrence.push(&Point3::new(x[i], y[i], z[i]));
    }
    recurrence.centre().x
}

/// The fastest of several rounds, in seconds; all runners take turns, so that what else the
/// machine does hits all of them.
fn fastest(cloud: &Cloud, rounds: usize) -> [f64; RUNNERS.len()] {
    let mut best = [f64::INFINITY; RUNNERS.len()];
    for _ in 0..rounds {
        for (runner, best) in RUNNERS.iter().zip(&mut best) {
            let mut calls = 0;
            let begun = Instant::now();
            while calls == 0 || begun.elapsed() < AT_LEAST {
                black_box((runner.run)(black_box(cloud)));
                calls += 1;
            }
            *best = best.min(begun.elapsed().as_secs_f64() / f64::from(calls));
        }
    }
    best
}

/// What was timed: a size or a noise, with the seconds of every runner.
struct Timing {
    at: f64,
    seconds: [f64; RUNNERS.len()],
}

fn rounds(effort: &Effort) -> usize {
    effort.trials(25, 60).min(60)
}

fn sizes(effort: &Effort) -> Vec<usize> {
    let most = match effort.trials {
        Some(..100) => 1000,
        _ => effort.either(100_000, 1_000_000),
    };
    SIZES.into_iter().chain([1_000_000]).filter(|samples| *samples <= most).collect()
}

/// Every timing is one step of progress.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let timings = sizes(effort).len() + SIGMAS.len();
    vec![Load { samples: usize::MAX, trials: timings }]
}

/// Takes the times, on this thread alone.
pub fn run(lab: &Lab) -> Section {
    let rounds = rounds(&lab.effort);
    let time = |index: usize, cap: Cap, at: f64| {
        let cloud = cap.points(&mut lab.random(0, index));
        let seconds = fastest(&cloud, rounds);
        lab.progress.advance();
        Timing { at, seconds }
    };
    let by_size: Vec<Timing> = sizes(&lab.effort)
        .into_iter()
        .enumerate()
        .map(|(index, samples)| {
            let cap = Cap { samples, theta_deg: THETA_DEG, sigma: SIGMA, ..Cap::default() };
            time(index, cap, samples as f64)
        })
        .collect();
    let by_sigma: Vec<Timing> = SIGMAS
        .into_iter()
        .enumerate()
        .map(|(index, sigma)| {
            let cap = Cap { samples: SIGMAS_AT, theta_deg: THETA_DEG, sigma, ..Cap::default() };
            time(100 + index, cap, sigma)
        })
        .collect();
    Section {
        text: vec![format!(
            "The fastest of {rounds} rounds in which all methods take turns on the same points, on one thread: θ = {THETA_DEG}°, \
             σ/r = {SIGMA}. The thesis measured on a 1 GHz PowerBook with Numerical Recipes; only ratios \
             compare. GDKE here sums its moments in vector registers; the second GDKE is the printed \
             formula in two plain passes, which is what the thesis's ratios are of."
        )],
        lines: lines::lines(&by_size, &by_sigma),
        tables: vec![charts::table(&by_size), charts::operations()],
        charts: charts::charts(&by_size, &by_sigma),
        ..Section::default()
    }
}
