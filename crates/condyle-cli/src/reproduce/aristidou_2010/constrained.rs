//! Table 3.3 and what users want most: limits that hold, and targets that are still reached.

use std::time::Instant;

use condyle::ik::limit::{Limit, Polygon, Swing, Twist};
use condyle::ik::{Linkage, Method, Options, Solver, Target};
use nalgebra::{Point3, UnitQuaternion, Vector2, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::chain;
use crate::page::Table;
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section, Verdict};

/// What one solve came to.
#[derive(Clone, Copy)]
struct Solved {
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
fn trial(case: usize, options: &Options, random: &mut ChaCha8Rng) -> condyle::Result<Solved> {
    let linkage = linkage(case, random)?;
    let mut solver = Solver::new(linkage);
    let rest = solver.clone();
    let any_turn = |_| {
        UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| random.random_range(-1.2..1.2)))
    };
    let turns: Vec<UnitQuaternion<f64>> = (0..chain::JOINTS).map(any_turn).collect();
    solver.turn(&turns)?;
    let at_m: Point3<f64> = solver.positions_m()[chain::JOINTS - 1];
    let mut solver = rest;
    let begun = Instant::now();
    let reach = solver.solve(&[Target::at(chain::JOINTS - 1, at_m)], options)?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Solved {
        is_reached: reach.is_reached(),
        violation_rad: solver.violation_rad(),
        iterations: reach.iterations as f64,
        seconds,
    })
}

const ROWS: [(&str, Method, bool); 5] = [
    ("fabrik", Method::Fabrik, true),
    ("fabrik, Algorithms 1 to 3 alone", Method::Fabrik, false),
    ("ccd", Method::Ccd, false),
    ("dls", Method::Dls, false),
    ("gauss-newton", Method::GaussNewton, true),
];

fn options(row: usize) -> Options {
    let (_, method, finish) = ROWS[row];
    let usual = if finish { Options::default() } else { Options::plain(method) };
    Options { method, finish, tolerance_m: TOLERANCE_M, max_iterations: 2000, ..usual }
}

/// One load a row and case; the first row of the last case is the hundred thousand.
pub fn loads(effort: &Effort) -> Vec<Load> {
    let trials = |row: usize, case: usize| match (row, case) {
        (0, 2) => effort.trials(20_000, 100_000),
        (0, _) => effort.trials(2000, 10_000),
        _ => effort.trials(300, 2000),
    };
    let pairs = (0..ROWS.len()).flat_map(|row| (0..CASES.len()).map(move |case| (row, case)));
    pairs.map(|(row, case)| Load { samples: 200, trials: trials(row, case) }).collect()
}

/// Solves for targets that legal poses reach.
pub fn run(lab: &Lab) -> Section {
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        trial(load % CASES.len(), &options(load / CASES.len()), random)
    });
    let results: Vec<Vec<Solved>> =
        results.into_iter().map(|results| results.into_iter().flatten().collect()).collect();
    let mean = |solved: &[Solved], of: &dyn Fn(&Solved) -> f64| {
        solved.iter().map(of).sum::<f64>() / solved.len().max(1) as f64
    };
    let reached =
        |load: usize| 100.0 * mean(&results[load], &|s| f64::from(u8::from(s.is_reached)));
    let worst = |load: usize| results[load].iter().map(|s| s.violation_rad).fold(0.0, f64::max);
    let mut table = Table::new(
        &[
            "limits",
            "method",
            "solves",
            "reached %",
            "iterations",
            "µs a solve",
            "worst violation, rad",
        ],
        2,
    );
    table.caption =
        "Ten joints; targets are ends of poses within the limits, so all can be reached.".into();
    table.is_grouped = true;
    for (case, name) in CASES.iter().enumerate() {
        for (row, (method, ..)) in ROWS.iter().enumerate() {
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
    let holds = |is_so| if is_so { Verdict::Holds } else { Verdict::Fails };
    let time = |row: usize| mean(&results[row * CASES.len()], &|s| s.seconds);
    let lines = vec![
        Line::new(
            format!("worst violation of a limit in {all} solves, rad"),
            "section 3.4",
            ["below 1e-6".into(), format!("{all_worst:.1e}")],
            holds(all_worst < 1e-6),
        ),
        Line::new("45-degree cones: targets of legal poses reached", "wanted", ["99 %".into(), format!("{:.2} %", reached(0))], holds(reached(0) >= 99.0)),
        Line::new("ellipses and hinges mixed: the same", "wanted", ["97 %".into(), format!("{:.2} %", reached(1))], holds(reached(1) >= 97.0)),
        Line::new("any joint of the table: the same", "wanted", ["-".into(), format!("{:.2} %", reached(2))], holds(reached(2) >= 95.0)),
        Line::new(
            "constrained ccd takes so many times the time of constrained fabrik (Algorithms 1 to 3)",
            "table 3.3",
            ["9.4".into(), format!("{:.1}", time(2) / time(1))],
            Verdict::reproduced((0.5..=1.5).contains(&(time(2) / time(1) / 9.4))),
        )
        .because("both share their geometry here; in MATLAB every rotation of ccd was a matrix"),
    ];
    Section {
        text: vec!["Targets are made by taking a random pose within the limits, so each can be reached; solves begin from the \
                    straight chain. Violations are told from the rule of each limit, not from the projection that enforces it.".into()],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
