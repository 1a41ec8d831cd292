//! Section 3.6.1: a target that moves on a sinusoid, in and out of reach.

use condyle::ik::{Linkage, Method, Options, Solver, Target};
use nalgebra::Point3;

use super::chain;
use crate::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section, Verdict};

const STEPS: u32 = 1000;
const METHODS: [Method; 5] =
    [Method::Fabrik, Method::Ccd, Method::Dls, Method::Transpose, Method::Triangulation];

fn at(step: u32, is_out: bool) -> Point3<f64> {
    let t = std::f64::consts::TAU * f64::from(step) / f64::from(STEPS);
    let far = if is_out { 4.5 } else { 1.0 };
    Point3::new(4.0 * t.cos(), 4.0 * t.sin(), 4.5 + far * (3.0 * t).sin())
}

struct Tracked {
    reached: usize,
    reachable: usize,
    largest: f64,
    poses: Vec<Vec<Point3<f64>>>,
}

fn track(method: Method, is_out: bool) -> condyle::Result<Tracked> {
    let start_m = chain::start(true);
    let mut solver = Solver::new(Linkage::chain(&start_m)?);
    let options =
        Options { method, tolerance_m: 1e-3, max_iterations: 2000, ..Options::tracking() };
    let mut tracked = Tracked { reached: 0, reachable: 0, largest: 0.0, poses: Vec::new() };
    solver.solve(&[Target::at(chain::JOINTS - 1, at(0, is_out))], &options)?;
    for step in 1..STEPS {
        let before = solver.positions_m().to_vec();
        let goal_m = at(step, is_out);
        let reach = solver.solve(&[Target::at(chain::JOINTS - 1, goal_m)], &options)?;
        tracked.reachable += usize::from(goal_m.coords.norm() < chain::REACH_M);
        tracked.reached += usize::from(reach.is_reached());
        let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
        let stepped = (goal_m - at(step - 1, is_out)).norm();
        tracked.largest = tracked.largest.max(moved.fold(0.0, f64::max) / stepped);
        if step % 125 == 0 {
            tracked.poses.push(solver.positions_m().to_vec());
        }
    }
    Ok(tracked)
}

/// Follows the target with every method.
pub fn run(_: &Lab) -> Section {
    let mut table = Table::new(
        &["target", "method", "reached", "of reachable", "largest joint step over target step"],
        2,
    );
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for is_out in [false, true] {
        for method in METHODS {
            let Ok(tracked) = track(method, is_out) else { continue };
            let kind = if is_out { "in and out of reach" } else { "within reach" };
            table.row([
                kind.to_owned(),
                method.to_string(),
                tracked.reached.to_string(),
                tracked.reachable.to_string(),
                format!("{:.2}", tracked.largest),
            ]);
            if method == Method::Fabrik && !is_out {
                let is_smooth = tracked.largest <= 5.0 && tracked.reached == tracked.reachable;
                lines.push(Line::new(
                    "fabrik: largest joint step over the target's, all reached",
                    "section 3.6.1",
                    ["smooth".into(), format!("{:.2}", tracked.largest)],
                    if is_smooth { Verdict::Holds } else { Verdict::Fails },
                ));
            }
            if !is_out && matches!(method, Method::Fabrik | Method::Ccd) {
                charts.push(poses(method, &tracked));
            }
        }
    }
    Section {
        text: vec!["A thousand steps on a closed curve, each solve from the pose of the last. At the edge of reach every exact \
                    solver moves its middle joints by the root of the target's step, so the largest step is judged within reach only.".into()],
        lines,
        tables: vec![table],
        charts,
        ..Section::default()
    }
}

fn poses(method: Method, tracked: &Tracked) -> Chart {
    let series = tracked.poses.iter().enumerate().map(|(index, pose)| Series {
        name: format!("step {}", 125 * (index + 1)),
        ink: Ink(index),
        mark: Mark::Line,
        points: pose.iter().map(|at| (at.x, at.z, None)).collect(),
    });
    Chart {
        name: if method == Method::Fabrik { "poses-fabrik" } else { "poses-ccd" },
        title: format!("Poses of {method}, from the side"),
        caption: "Every eighth of the way; joints as signs, the base at (0, 0).".into(),
        x: Axis::new("x, m", "x_m", Scale::Linear).within(-6.0, 6.0),
        y: Axis::new("z, m", "z_m", Scale::Linear),
        series: series.collect(),
        is_small: true,
        ..Chart::default()
    }
}
