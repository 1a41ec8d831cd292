//! Hierarchies from the motion, over many seeds.

use condyle::simulate::Routine;
use rand_chacha::rand_core::Rng;

use super::lengths::{Staged, fitted, is_tree_right};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use condyle_page::page::Table;

/// What is performed and how it is recorded, and the share of right hierarchies that is wanted.
const CELLS: [(&str, Staged, Option<f64>); 9] = [
    ("exercise", cell(Routine::Exercise, 4e-3, 0.3, 0.0, 1.0), Some(1.0)),
    ("exercise", cell(Routine::Exercise, 7e-3, 0.6, 0.0, 1.0), Some(1.0)),
    ("exercise, skin 10 mm", cell(Routine::Exercise, 4e-3, 0.3, 0.010, 1.0), Some(1.0)),
    ("chicken walk", cell(Routine::ChickenWalk, 4e-3, 0.3, 0.0, 1.0), None),
    ("chicken walk, skin 10 mm", cell(Routine::ChickenWalk, 4e-3, 0.3, 0.010, 1.0), None),
    ("chicken walk, skin 20 mm", cell(Routine::ChickenWalk, 4e-3, 0.3, 0.020, 1.0), None),
    ("ordinary walk", cell(Routine::Walk, 4e-3, 0.3, 0.0, 1.0), None),
    ("range of motion × 0.3", cell(Routine::Rom, 7e-3, 0.6, 0.0, 0.3), Some(1.0)),
    ("range of motion × 0.15", cell(Routine::Rom, 7e-3, 0.6, 0.0, 0.15), Some(0.75)),
];

const fn cell(routine: Routine, noise_m: f64, noise_deg: f64, skin_m: f64, share: f64) -> Staged {
    Staged { routine, noise_m, noise_deg, skin_m, share, rate_hz: 30.0 }
}

pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 100_000, trials: effort.trials(100, 400) }; CELLS.len()]
}

/// Finds the hierarchy again and again.
pub fn run(lab: &Lab) -> Section {
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        let simulation = CELLS[load].1.recorded(random.next_u64()).ok()?;
        let fitted = fitted(&simulation).ok()?;
        Some(is_tree_right(&simulation, &fitted))
    });
    let mut table = Table::new(&["routine", "noise mm", "noise deg", "right", "trials"], 1);
    let mut lines = Vec::new();
    for ((name, staged, wanted), right) in CELLS.iter().zip(&results) {
        let all = right.len();
        let right = right.iter().flatten().filter(|is_right| **is_right).count();
        let noise_mm = staged.noise_m * 1e3;
        table.row([
            (*name).to_owned(),
            noise_mm.to_string(),
            staged.noise_deg.to_string(),
            right.to_string(),
            all.to_string(),
        ]);
        let what =
            format!("{name}: right hierarchies at {noise_mm} mm and {} degrees", staged.noise_deg);
        let ours = format!("{right} of {all}");
        let share = right as f64 / all.max(1) as f64;
        lines.push(match (staged.routine, wanted) {
            (Routine::Exercise, Some(wanted)) => {
                Line::new(what, "section 4").compare("all", ours).reproduced(share >= *wanted)
            }
            (_, Some(wanted)) => {
                let error = (wanted * (1.0 - wanted) / all.max(1) as f64).sqrt();
                let document = format!("at least {} %", wanted * 100.0);
                Line::new(what, "ours").compare(document, ours).wanted(wanted - share, error)
            }
            (_, None) => {
                Line::new(what, "section 4").compare("2 of 5", ours).reproduced(share >= 0.4)
            }
        });
    }
    Section {
        text: vec![
            "A sensor on each of 15 segments, 45 s at 30 Hz; the tree is that of the \
             smallest residuals of all 105 pairs. In the document's walks the pelvis sensor sat \
             on a battery pack that the thighs pushed."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
