//! Figures 3.17 and 3.18: iterations against distance left, time against accuracy.

use std::time::Instant;

use condyle::ik::{Linkage, Options, Solver, Target};
use nalgebra::Point3;

use super::chain::{self, Row};
use super::six_metres;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series};

/// A target 6 m from the end of the straight chain, at 0.745 of the reach.
const TARGET: [f64; 3] = [4.0, 2.0, 5.0];
const SHOWN: [usize; 6] = [0, 1, 3, 4, 6, 7];
const FINEST: i32 = -9;

/// Runs every method to ever finer tolerances from the same start.
pub fn run(lab: &Lab) -> Section {
    let rows = chain::rows();
    let mut iterations = Vec::new();
    let mut times = Vec::new();
    for (ink, row) in SHOWN.into_iter().enumerate() {
        let (mut left, mut time) = (Vec::new(), Vec::new());
        for power in FINEST..=0 {
            let tolerance_m = 10_f64.powi(power);
            let Some((passes, seconds)) = solve(&rows[row], tolerance_m) else { continue };
            left.push((passes as f64, tolerance_m, None));
            time.push((tolerance_m * 1e3, seconds * 1e6, None));
        }
        let series = |points| Series::new(rows[row].name, Ink(ink), Mark::Line, points);
        iterations.push(series(left));
        times.push(series(time));
    }
    let at =
        |series: &[Series], index: usize| series[index].points.first().map_or(f64::NAN, |p| p.1);
    let ratio = at(&times, 2) / at(&times, 0);
    let mut lines = vec![
        Line::new("fabrik is faster than ccd to the finest accuracy", "figure 3.18")
            .compare("yes", format!("{ratio:.1} times"))
            .reproduced(ratio > 1.0),
    ];
    lines.extend(six_metres::lines(lab));
    Section {
        text: vec![
            "Figure 3.17's chain of 9000 mm from a straight start with a target 6000 mm \
             from its end; each point is a solve to another tolerance. The thesis prints curves \
             only."
                .into(),
        ],
        lines,
        charts: vec![
            Chart {
                name: "figure-3-17",
                title: "Distance that is left after so many iterations".into(),
                caption: "Figure 3.17.".into(),
                x: Axis::new("iterations", "iterations", Scale::Log),
                y: Axis::new("distance, m", "distance_m", Scale::Log),
                series: iterations,
                is_small: true,
                ..Chart::default()
            },
            Chart {
                name: "figure-3-18",
                title: "Time to an accuracy".into(),
                caption: "Figure 3.18; the best of twenty solves.".into(),
                x: Axis::new("tolerance, mm", "tolerance_mm", Scale::Log),
                y: Axis::new("time, µs", "time_us", Scale::Log),
                series: times,
                is_small: true,
                ..Chart::default()
            },
        ],
        ..Section::default()
    }
}

fn solve(row: &Row, tolerance_m: f64) -> Option<(usize, f64)> {
    let start_m = chain::start(false);
    let mut solver = Solver::new(Linkage::chain(&start_m).ok()?);
    let options = Options { tolerance_m, ..row.options };
    let target = [Target::at(start_m.len() - 1, Point3::from(TARGET))];
    let mut best = (0, f64::INFINITY);
    for _ in 0..20 {
        solver.pose(&start_m).ok()?;
        let begun = Instant::now();
        let reach = solver.solve(&target, &options).ok()?;
        let seconds = begun.elapsed().as_secs_f64();
        if !reach.is_reached() {
            return None;
        }
        best = (reach.iterations, seconds.min(best.1));
    }
    Some(best)
}
