//! Table 3.1: iterations and time of every method, by how far the target is.

use std::time::Instant;

use condyle::ik::{Linkage, Method, Options, Solver, Target};
use nalgebra::{Point3, Vector3};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, UnitSphere};

use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use crate::reproduce::statistics::median;
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};

/// Ten joints: nine bones of a metre.
pub const JOINTS: usize = 10;
pub const REACH_M: f64 = 9.0;
/// The thesis's 1e-3 mm of 9000 mm.
pub const TOLERANCE_M: f64 = 1e-6;
const RATIOS: [f64; 5] = [0.5, 0.8, 0.9, 0.95, 0.99];
/// The transpose of the Jacobian needs that many near full extension.
const CAP: usize = 100_000;
/// What random poses can find in a time that one waits for.
const SAMPLED_TOLERANCE_M: f64 = 1e-3;

/// A way to solve, as a row of the table.
pub struct Row {
    pub name: &'static str,
    pub options: Options,
    /// Iterations and seconds of the thesis, reachable and unreachable.
    pub printed: Option<[f64; 4]>,
}

/// Every method; Algorithm 1 to the letter first.
pub fn rows() -> Vec<Row> {
    let with = |method, printed| Row {
        name: Method::name(method),
        options: Options {
            tolerance_m: TOLERANCE_M,
            max_iterations: CAP,
            ..Options::plain(method)
        },
        printed,
    };
    let mut finished = with(Method::Fabrik, None);
    finished.name = "fabrik, finished";
    finished.options.finish = true;
    // Without restarts its steps are damped for tracking.
    let mut newton = with(Method::GaussNewton, None);
    newton.options.restarts = 1;
    let mut sampled = with(Method::MonteCarlo, None);
    sampled.options.tolerance_m = SAMPLED_TOLERANCE_M;
    vec![
        with(Method::Fabrik, Some([15.461, 0.01328, 67.564, 0.06207])),
        finished,
        with(Method::Arc, None),
        with(Method::Ccd, Some([26.308, 0.12356, 390.135, 3.92869])),
        with(Method::Transpose, Some([1311.190, 12.98947, 6549.0, 33.90473])),
        with(Method::PseudoInverse, None),
        with(Method::Dls, Some([998.648, 10.48051, 2881.667, 14.87918])),
        with(Method::SvdDls, Some([808.797, 9.29652, 2808.452, 15.97591])),
        with(Method::Sdls, None),
        with(Method::Triangulation, None),
        with(Method::TwoLink, None),
        newton,
        with(Method::FollowTheLeader, None),
        sampled,
    ]
}

/// A chain to start from.
pub fn start(is_bent: bool) -> Vec<Point3<f64>> {
    let mut at_m = vec![Point3::origin()];
    for i in 1..JOINTS {
        let angle = if is_bent { 0.25 * i as f64 } else { 0.0 };
        let along = Vector3::new(angle.sin(), 0.3 * angle.sin(), angle.cos()).normalize();
        at_m.push(at_m[i - 1] + along);
    }
    at_m
}

/// A target at a share of the reach, in any direction.
pub fn target(ratio: f64, random: &mut ChaCha8Rng) -> Point3<f64> {
    let direction: [f64; 3] = UnitSphere.sample(random);
    Point3::from(Vector3::from(direction) * (ratio * REACH_M))
}

/// One solve from the start: iterations, seconds, whether it reached.
pub fn solve(
    solver: &mut Solver,
    start_m: &[Point3<f64>],
    at_m: Point3<f64>,
    options: &Options,
) -> Option<[f64; 3]> {
    solver.pose(start_m).ok()?;
    let target = [Target::at(start_m.len() - 1, at_m)];
    let begun = Instant::now();
    let reach = solver.solve(&target, options).ok()?;
    let seconds = begun.elapsed().as_secs_f64();
    Some([reach.iterations as f64, seconds, f64::from(u8::from(reach.is_reached()))])
}

/// What one method did at one ratio from one start.
struct Cell {
    row: usize,
    is_bent: bool,
    ratio: f64,
    solves: Vec<[f64; 3]>,
}

impl Cell {
    fn mean(&self, column: usize) -> f64 {
        self.solves.iter().map(|solve| solve[column]).sum::<f64>() / self.solves.len() as f64
    }

    fn median(&self, column: usize) -> f64 {
        median(self.solves.iter().map(|solve| solve[column]))
    }
}

fn trials(effort: &Effort) -> usize {
    effort.trials(60, 1000).min(1000)
}

/// A step of progress a method, start and ratio.
pub fn loads(_: &Effort) -> Vec<Load> {
    vec![Load { samples: usize::MAX, trials: rows().len() * 2 * (RATIOS.len() + 1) }]
}

/// Runs every method from both starts at every ratio, on this thread alone: it is timed.
pub fn run(lab: &Lab) -> Section {
    let rows = rows();
    let mut cells = Vec::new();
    for is_bent in [true, false] {
        let start_m = start(is_bent);
        let Ok(linkage) = Linkage::chain(&start_m) else { return Section::default() };
        let mut solver = Solver::new(linkage);
        for (index, ratio) in RATIOS.into_iter().chain([1.3]).enumerate() {
            for (row, Row { options, .. }) in rows.iter().enumerate() {
                let mut random = lab.random(index, usize::from(is_bent));
                // What is out of reach is the document's without the shortcut.
                let options = Options { shortcut: false, ..*options };
                // Random poses take a thousand times as long.
                let is_sampled = options.method == Method::MonteCarlo;
                let count = trials(&lab.effort) / if is_sampled { 10 } else { 1 };
                let targets: Vec<_> = (0..count).map(|_| target(ratio, &mut random)).collect();
                let solved =
                    targets.iter().filter_map(|at| solve(&mut solver, &start_m, *at, &options));
                cells.push(Cell { row, is_bent, ratio, solves: solved.collect() });
                lab.progress.advance();
            }
        }
    }
    Section {
        text: vec![format!(
            "Nine bones of a metre, tolerance 1e-6 m, {} targets in random directions for each \
             ratio of the target's distance to the reach, from a bent and from a straight chain; \
             at most {CAP} iterations. The thesis's target set is not known: what it counts \
             depends on how near to full extension targets are, so every ratio stands by itself. \
             'smc' has a tolerance of 1e-3 m and a tenth of the targets, 'ftl' lets go of the \
             base. 'fabrik' is Algorithm 1 to the letter, 'fabrik, finished' the library's \
             default.",
            trials(&lab.effort)
        )],
        lines: lines(&rows, &cells),
        tables: vec![table(&rows, &cells)],
        charts: vec![chart(&rows, &cells)],
        ..Section::default()
    }
}

fn found(cells: &[Cell], row: usize, is_bent: bool, ratio: f64) -> Option<&Cell> {
    cells.iter().find(|cell| cell.row == row && cell.is_bent == is_bent && cell.ratio == ratio)
}

fn lines(rows: &[Row], cells: &[Cell]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (row, Row { name, printed, .. }) in rows.iter().enumerate() {
        let Some([iterations, _, unreachable, _]) = printed else { continue };
        let (Some(near), Some(far)) = (found(cells, row, true, 0.8), found(cells, row, true, 1.3))
        else {
            continue;
        };
        let ours = near.mean(0);
        let is_alike = (0.5..=1.5).contains(&(ours / iterations));
        lines.push(
            Line::new(format!("{name}: mean iterations, reachable (ratio 0.8, bent)"), "table 3.1")
                .compare(format!("{iterations}"), format!("{ours:.1}"))
                .reproduced(is_alike)
                .because(if is_alike {
                    ""
                } else {
                    "targets and Jacobian set-up of the thesis are not published"
                }),
        );
        let ours = far.mean(0);
        let is_alike = (0.5..=1.5).contains(&(ours / unreachable));
        lines.push(
            Line::new(
                format!("{name}: mean iterations, unreachable without the shortcut"),
                "table 3.1",
            )
            .compare(format!("{unreachable}"), format!("{ours:.1}"))
            .reproduced(is_alike)
            .because(if is_alike { "" } else { "when to give up is not published" }),
        );
    }
    let time = |row: usize| found(cells, row, true, 0.8).map_or(f64::NAN, |cell| cell.mean(1));
    for (row, printed) in [(3, 9.30), (4, 978.0), (6, 789.0), (7, 700.0)] {
        let ours = time(row) / time(0);
        lines.push(
            Line::new(
                format!("{} takes so many times the time of fabrik", rows[row].name),
                "table 3.1",
            )
            .compare(format!("{printed}"), format!("{ours:.1}"))
            .reproduced((0.5..=1.5).contains(&(ours / printed))),
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let reached: Vec<&Cell> =
            cells.iter().filter(|c| c.row == index && c.ratio < 1.0).collect();
        let share = reached.iter().map(|c| c.mean(2)).sum::<f64>() / reached.len().max(1) as f64;
        lines.push(
            Line::new(format!("{}: reachable targets reached", row.name), "section 3.3")
                .compare("100 %", format!("{:.2} %", 100.0 * share))
                .holds(share >= 1.0),
        );
    }
    let above: Vec<(f64, f64)> = RATIOS[2..]
        .iter()
        .filter_map(|ratio| {
            Some((found(cells, 0, true, *ratio)?.mean(0), found(cells, 3, true, *ratio)?.mean(0)))
        })
        .collect();
    lines.push(
        Line::new(
            "fabrik needs fewer iterations than ccd from ratio 0.9 up (bent)",
            "section 3.6.1",
        )
        .compare(
            "yes",
            above.iter().map(|(f, c)| format!("{f:.0} to {c:.0}")).collect::<Vec<_>>().join(", "),
        )
        .reproduced(above.iter().all(|(f, c)| f < c)),
    );
    lines
}

fn table(rows: &[Row], cells: &[Cell]) -> Table {
    let mut table = Table::columns(
        "start | ratio | method | iterations, mean | median | µs a solve, mean | median | \
         µs an iteration | reached %",
        3,
    );
    table.caption =
        "Every method by reach ratio; 1.3 is out of reach, without the shortcut.".into();
    table.is_grouped = true;
    for cell in cells {
        table.row([
            if cell.is_bent { "bent" } else { "straight" }.to_owned(),
            cell.ratio.to_string(),
            rows[cell.row].name.to_owned(),
            format!("{:.1}", cell.mean(0)),
            format!("{:.1}", cell.median(0)),
            format!("{:.2}", 1e6 * cell.mean(1)),
            format!("{:.2}", 1e6 * cell.median(1)),
            format!("{:.3}", 1e6 * cell.mean(1) / cell.mean(0).max(1.0)),
            format!("{:.1}", 100.0 * cell.mean(2)),
        ]);
    }
    table
}

fn chart(rows: &[Row], cells: &[Cell]) -> Chart {
    let series = [0, 1, 3, 4, 6, 11].into_iter().enumerate().map(|(ink, row)| {
        Series::new(
            rows[row].name,
            Ink(ink),
            Mark::Line,
            RATIOS
                .iter()
                .filter_map(|ratio| Some((*ratio, found(cells, row, true, *ratio)?.mean(0), None))),
        )
    });
    Chart {
        name: "table-3-1",
        title: "Mean iterations by reach ratio, bent start".into(),
        caption: "The mean of the thesis, 15.5 for FABRIK, is one number for a target set that \
             is not published."
            .into(),
        x: Axis::new("distance of the target over reach", "reach_ratio", Scale::Linear),
        y: Axis::new("iterations", "iterations", Scale::Log),
        series: series.collect(),
        ..Chart::default()
    }
}
