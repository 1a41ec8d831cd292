//! Section 3.6.1: a target that moves on a sinusoid, in and out of reach.

use condyle::ik::{Linkage, Method, Options, Solver, Target};
use nalgebra::Point3;

use super::chain;
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use condyle_page::page::{Axis, Chart, Ink, Mark, Scale, Series, Table};

const STEPS: u32 = 1000;
const METHODS: [Method; 5] =
    [Method::Fabrik, Method::Ccd, Method::Dls, Method::Transpose, Method::Triangulation];
/// How many times as far as its target a joint may go in a step.
const MOST_STEP: f64 = 5.0;

fn at(step: u32, is_out: bool) -> Point3<f64> {
    let t = std::f64::consts::TAU * f64::from(step) / f64::from(STEPS);
    let far = if is_out { 4.5 } else { 1.0 };
    Point3::new(4.0 * t.cos(), 4.0 * t.sin(), 4.5 + far * (3.0 * t).sin())
}

struct Tracked {
    reached: usize,
    reachable: usize,
    /// How far the end was from its target at most, where that could be reached.
    behind_m: f64,
    /// The largest angle between the end and its target, seen from the base, where it was too far.
    off_rad: f64,
    largest: f64,
    poses: Vec<Vec<Point3<f64>>>,
}

/// Follows the target; no joint goes farther in a step than `most_step` times the target.
fn track(method: Method, is_out: bool, most_step: f64) -> condyle::Result<Tracked> {
    let start_m = chain::start(true);
    let mut solver = Solver::new(Linkage::chain(&start_m)?);
    let options = Options {
        method,
        tolerance_m: 1e-3,
        max_iterations: 2000,
        max_step_ratio: most_step,
        ..Options::tracking()
    };
    let mut tracked = Tracked {
        reached: 0,
        reachable: 0,
        behind_m: 0.0,
        off_rad: 0.0,
        largest: 0.0,
        poses: Vec::new(),
    };
    solver.solve(&[Target::at(chain::JOINTS - 1, at(0, is_out))], &options)?;
    for step in 1..STEPS {
        let before = solver.positions_m().to_vec();
        let goal_m = at(step, is_out);
        let stepped = (goal_m - at(step - 1, is_out)).norm();
        let reach = solver.solve(&[Target::at(chain::JOINTS - 1, goal_m)], &options)?;
        if goal_m.coords.norm() < chain::REACH_M {
            tracked.reachable += 1;
            tracked.behind_m = tracked.behind_m.max(reach.distance_m);
        } else {
            let end = solver.positions_m()[chain::JOINTS - 1].coords;
            tracked.off_rad = tracked.off_rad.max(end.angle(&goal_m.coords));
        }
        tracked.reached += usize::from(reach.is_reached());
        let moved = solver.positions_m().iter().zip(&before).map(|(a, b)| (a - b).norm());
        tracked.largest = tracked.largest.max(moved.fold(0.0, f64::max) / stepped);
        if step % 125 == 0 {
            tracked.poses.push(solver.positions_m().to_vec());
        }
    }
    Ok(tracked)
}

/// Follows the target with every method.
pub fn run(_: &Lab) -> Section {
    let mut table = Table::columns(
        "target | method | reached | of reachable | farthest from one, mm | \
         beside one too far, rad | largest joint step over target step",
        2,
    );
    let mut lines = Vec::new();
    let mut charts = Vec::new();
    for is_out in [false, true] {
        let kind = if is_out { "in and out of reach" } else { "within reach" };
        let unbounded = [(Method::Fabrik, f64::INFINITY)];
        for (method, most_step) in
            METHODS.map(|method| (method, MOST_STEP)).into_iter().chain(unbounded)
        {
            let Ok(tracked) = track(method, is_out, most_step) else { continue };
            let is_usual = most_step.is_finite();
            table.row([
                kind.to_owned(),
                if is_usual { method.to_string() } else { format!("{method}, steps not bounded") },
                tracked.reached.to_string(),
                tracked.reachable.to_string(),
                format!("{:.1}", 1e3 * tracked.behind_m),
                format!("{:.1e}", tracked.off_rad),
                format!("{:.2}", tracked.largest),
            ]);
            if is_usual && method == Method::Fabrik {
                lines.extend(line(&tracked, kind, is_out));
            }
            if !is_out && is_usual && matches!(method, Method::Fabrik | Method::Ccd) {
                charts.push(poses(method, &tracked));
            }
        }
    }
    Section {
        text: vec![
            "A thousand steps on a closed curve, each solve from the pose of the last. A \
             chain that is just able to reach is nearly straight, and its middle joints go out \
             by the root of what the target comes in: who lays it on one arc at once steps far \
             there (fabrik, steps not bounded). While tracking, fabrik goes no farther than five \
             times the target: it straightens over some frames once the target is too far, bends \
             in waves when it comes back, and keeps what bend it can when it has to straighten \
             and still reach."
                .into(),
        ],
        lines,
        tables: vec![table],
        charts,
        ..Section::default()
    }
}

/// Steps of at most five times the target's, every target that can be reached reached, the others pointed at.
fn line(tracked: &Tracked, kind: &str, is_out: bool) -> Vec<Line> {
    let is_smooth = tracked.largest <= MOST_STEP * (1.0 + 1e-9);
    let is_all = tracked.reached == tracked.reachable;
    let mut lines = vec![
        Line::new(
            format!("fabrik, {kind}: largest joint step over the target's; reached"),
            "section 3.6.1",
        )
        .compare(
            "at most 5; all",
            format!("{:.2}; {} of {}", tracked.largest, tracked.reached, tracked.reachable),
        )
        .holds(is_smooth && is_all),
    ];
    if is_out {
        lines.push(
            Line::new(
                format!("fabrik, {kind}: angle beside a target too far, rad"),
                "section 3.6.1",
            )
            .compare("at most 1e-6", format!("{:.1e}", tracked.off_rad))
            .holds(tracked.off_rad <= 1e-6),
        );
    }
    lines
}

fn poses(method: Method, tracked: &Tracked) -> Chart {
    let series = tracked.poses.iter().enumerate().map(|(index, pose)| {
        Series::new(
            format!("step {}", 125 * (index + 1)),
            Ink(index),
            Mark::Line,
            pose.iter().map(|at| (at.x, at.z, None)),
        )
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
