//! Table 3.3 and what users want most: limits that hold, and targets that are still reached.

use std::time::Instant;

use condyle::ik::limit::{Limit, Polygon, Swing, Twist};
use condyle::ik::{Linkage, Method, Options, Outcome, Solver, Target};
use nalgebra::{Point3, UnitQuaternion, Vector2, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::chain;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use condyle_page::page::Table;

/// What one solve came to.
#[derive(Clone, Copy)]
struct Solved {
    /// Reached, or said to be stalled: the targets are within what the bones reach.
    is_told: bool,
    is_reached: bool,
    violation_rad: f64,
    iterations: f64,
    seconds: f64,
}

const TOLERANCE_M: f64 = 1e-3;
const CASES: [&str; 3] = ["45-degree cones", "ellipses, hinges, cones", "any joint of the table"];

fn kinds() -> Vec<Limit> {
    let corners = [[0.6, 0.1], [0.2, 0.8], [-0.6, 0.3], [-0.2, -0.7]].map(Vector2::from);
    let twist = Twist::Range { min_rad: -0.5, max_rad: 0.9 };
    let angles_rad = [0.4, 0.7, 1.1, 0.9];
    let mut kinds = vec![
        Limit::FREE,
        Limit::cone(0.8),
        Limit::cone(2.2),
        Limit::ellipsoidal(angles_rad, twist),
        Limit::ellipsoidal([2.0, 0.7, 1.9, 2.4], twist),
        Limit { swing: Swing::Conic { angles_rad }, twist },
        Limit { swing: Swing::Conic { angles_rad: [2.4, 1.9, 2.1, 2.7] }, twist: Twist::Free },
        Limit::saddle([0.6, 0.8, 0.7, 0.5]),
        Limit::gliding(0.3),
        Limit::pivot([-1.2, 1.2]),
        Limit::suture(0.05),
    ];
    kinds.extend(Polygon::new(corners.to_vec()).map(|polygon| Limit::polygon(polygon, twist)));
    kinds.extend(Limit::hinge(Vector3::x(), [-0.2, 2.0]));
    kinds.extend(Limit::hinge(Vector3::new(1.0, 0.2, 0.5), [-1.0, 1.5]));
    kinds
}

fn linkage(case: usize, random: &mut ChaCha8Rng) -> condyle::Result<Linkage> {
    let kinds = kinds();
    let mut linkage = Linkage::chain(&chain::start(false))?;
    for end in 1..chain::JOINTS {
        let limit = match (case, end % 3) {
            (1, 0) => Limit::hinge(Vector3::x(), [0.0, 2.0])?,
            (1, 1) => Limit::ellipsoidal(
                [0.4, 0.6, 1.0, 0.8],
                Twist::Range { min_rad: -0.8, max_rad: 0.8 },
            ),
            (2, _) => kinds[random.random_range(0..kinds.len())].clone(),
            _ => Limit::cone(45_f64.to_radians()),
        };
        linkage.limit(end, limit)?;
    }
    Ok(linkage)
}

/// A target that a legal pose reaches, or, where it should be hard, one from anywhere.
fn trial(case: usize, row: usize, random: &mut ChaCha8Rng) -> condyle::Result<Solved> {
    let linkage = linkage(case, random)?;
    let mut solver = Solver::new(linkage);
    let mut start = solver.clone();
    let mut any_pose = || -> Vec<UnitQuaternion<f64>> {
        let mut any_turn = |_| {
            let turn = Vector3::from_fn(|_, _| random.random_range(-1.2..1.2));
            UnitQuaternion::from_scaled_axis(turn)
        };
        (0..chain::JOINTS).map(&mut any_turn).collect()
    };
    solver.turn(&any_pose())?;
    let at_m: Point3<f64> = solver.positions_m()[chain::JOINTS - 1];
    if ROWS[row].is_warm {
        start.turn(&any_pose())?;
    }
    if ROWS[row].is_free {
        start = Solver::new(Linkage::chain(&chain::start(false))?);
    }
    let options = &options(row);
    let mut solver = start;
    let begun = Instant::now();
    let reach = solver.solve(&[Target::at(chain::JOINTS - 1, at_m)], options)?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Solved {
        is_told: reach.is_reached() || reach.outcome == Outcome::Stalled,
        is_reached: reach.is_reached(),
        violation_rad: solver.violation_rad(),
        iterations: reach.iterations as f64,
        seconds,
    })
}

/// A way to solve, as a row of the table.
struct Row {
    name: &'static str,
    method: Method,
    finish: bool,
    /// Whether it begins in another legal pose, as when a target jumps.
    is_warm: bool,
    /// Whether the limits only make the target, and the chain has none.
    is_free: bool,
    restarts: usize,
}

const USUAL: Row = Row {
    name: "fabrik",
    method: Method::Fabrik,
    finish: true,
    is_warm: false,
    is_free: false,
    restarts: 24,
};
const ROWS: [Row; 8] = [
    USUAL,
    Row { name: "fabrik, Algorithms 1 to 3 alone", finish: false, restarts: 0, ..USUAL },
    Row { name: "ccd", method: Method::Ccd, finish: false, restarts: 0, ..USUAL },
    Row { name: "dls", method: Method::Dls, finish: false, restarts: 0, ..USUAL },
    Row { name: "gauss-newton", method: Method::GaussNewton, ..USUAL },
    Row { name: "fabrik, from another pose", is_warm: true, ..USUAL },
    Row { name: "fabrik, from another pose, no other starts", is_warm: true, restarts: 0, ..USUAL },
    Row { name: "fabrik without limits, same targets", is_free: true, ..USUAL },
];
const WARM: usize = 5;
const TRACKING: usize = 6;
const FREE: usize = 7;

fn options(row: usize) -> Options {
    let Row { method, finish, restarts, .. } = ROWS[row];
    let usual = Options::default();
    Options { method, finish, restarts, tolerance_m: TOLERANCE_M, max_iterations: 2000, ..usual }
}

/// One load a row and case; the first row of the last case is the hundred thousand.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let trials = |row: usize, case: usize| match (row, case) {
        (0, 2) => effort.trials(20_000, 100_000),
        (WARM | TRACKING, 1) => effort.trials(1000, 10_000),
        (0, _) => effort.trials(2000, 10_000),
        _ => effort.trials(300, 2000),
    };
    let pairs = (0..ROWS.len()).flat_map(|row| (0..CASES.len()).map(move |case| (row, case)));
    pairs.map(|(row, case)| Load { samples: 200, trials: trials(row, case) }).collect()
}

/// Solves for targets that legal poses reach.
pub fn run(lab: &Lab) -> Section {
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        trial(load % CASES.len(), load / CASES.len(), random)
    });
    let results: Vec<Vec<Solved>> =
        results.into_iter().map(|results| results.into_iter().flatten().collect()).collect();
    let mean = |solved: &[Solved], of: &dyn Fn(&Solved) -> f64| {
        solved.iter().map(of).sum::<f64>() / solved.len().max(1) as f64
    };
    let reached =
        |load: usize| 100.0 * mean(&results[load], &|s| f64::from(u8::from(s.is_reached)));
    let worst = |load: usize| results[load].iter().map(|s| s.violation_rad).fold(0.0, f64::max);
    let mut table = Table::columns(
        "limits | method | solves | reached % | iterations | µs a solve | worst violation, rad",
        2,
    );
    table.caption =
        "Ten joints; targets are ends of poses within the limits, so all can be reached.".into();
    table.is_grouped = true;
    for (case, name) in CASES.iter().enumerate() {
        for (row, Row { name: method, .. }) in ROWS.iter().enumerate() {
            let load = row * CASES.len() + case;
            table.row([
                (*name).to_owned(),
                (*method).to_owned(),
                results[load].len().to_string(),
                format!("{:.2}", reached(load)),
                format!("{:.1}", mean(&results[load], &|s| s.iterations)),
                format!("{:.1}", 1e6 * mean(&results[load], &|s| s.seconds)),
                format!("{:.1e}", worst(load)),
            ]);
        }
    }
    let all_worst = (0..results.len()).map(worst).fold(0.0, f64::max);
    let all: usize = results.iter().map(Vec::len).sum();
    let told = |row: usize| results[row * CASES.len() + 1].iter().filter(|s| s.is_told).count();
    let warm = |row: usize| row * CASES.len() + 1;
    let passes = |row: usize| mean(&results[row * CASES.len()], &|s| s.iterations);
    let time = |row: usize| mean(&results[row * CASES.len()], &|s| s.seconds);
    let lines = vec![
        Line::new(format!("worst violation of a limit in {all} solves, rad"), "section 3.4")
            .compare("below 1e-6", format!("{all_worst:.1e}"))
            .holds(all_worst < 1e-6),
        Line::new("45-degree cones: targets of legal poses reached", "wanted")
            .compare("99 %", format!("{:.2} %", reached(0)))
            .holds(reached(0) >= 99.0),
        Line::new("ellipses and hinges mixed: the same", "wanted")
            .compare("97 %", format!("{:.2} %", reached(1)))
            .holds(reached(1) >= 97.0),
        Line::new(
            format!(
                "hinges and ellipses, begun from another pose ({} targets)",
                results[warm(WARM)].len()
            ),
            "wanted",
        )
        .compare("97 %", format!("{:.2} %", reached(warm(WARM))))
        .holds(reached(warm(WARM)) >= 97.0),
        Line::new("the same without other starts: reached; those not said to be stalled", "wanted")
            .compare(
                "-; 0",
                format!(
                    "{:.2} %; {}",
                    reached(warm(TRACKING)),
                    results[warm(TRACKING)].len() - told(TRACKING)
                ),
            )
            .holds(told(TRACKING) == results[warm(TRACKING)].len()),
        Line::new("any joint of the table: the same", "wanted")
            .compare("-", format!("{:.2} %", reached(2)))
            .holds(reached(2) >= 95.0),
        Line::new(
            "constrained ccd takes so many times the time of constrained fabrik \
             (Algorithms 1 to 3), at least",
            "table 3.3",
        )
        .compare("9.4", format!("{:.1}", time(2) / time(1)))
        .reproduced(time(2) / time(1) >= 9.4),
        Line::new(
            "fabrik with 45-degree cones over fabrik without, same targets: iterations, at \
             most",
            "table 3.3",
        )
        .compare("1.11", format!("{:.2}", passes(0) / passes(FREE)))
        .reproduced(passes(0) / passes(FREE) <= 1.11),
        Line::new("the same: time, at most", "table 3.3")
            .compare("2.34", format!("{:.2}", time(0) / time(FREE)))
            .reproduced(time(0) / time(FREE) <= 2.34),
        Line::new("constrained fabrik, solves a second, at least", "table 3.3")
            .compare("32", format!("{:.0}", 1.0 / time(0)))
            .reproduced(1.0 / time(0) >= 32.0),
    ];
    Section {
        text: vec![
            "Targets are made by taking a random pose within the limits, so each can be \
             reached; solves begin from the straight chain. Violations are told from the rule of \
             each limit, not from the projection that enforces it."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
