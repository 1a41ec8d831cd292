//! People who exercise and walk, with skin that moves.

use std::collections::BTreeMap;

use condyle::simulate::Routine;
use rand_chacha::rand_core::Rng;

use super::lengths::{Staged, fitted, limbs};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use condyle_page::page::Table;

const ROUTINES: [(Routine, &str); 2] =
    [(Routine::Exercise, "exercise"), (Routine::ChickenWalk, "walk")];
/// Skin as far as it moves on people.
const SKIN_M: f64 = 0.010;
/// The largest and the mean error of the eight limbs in the document, in centimetres: exercise of Tables 2
/// and 4, walks of Tables 3 and 4.
const THEIRS_CM: [[f64; 2]; 2] = [[4.1, 1.06], [3.2, 1.13]];
const LIMBS: [&str; 8] = [
    "right shank",
    "left shank",
    "right thigh",
    "left thigh",
    "right forearm",
    "left forearm",
    "right upper arm",
    "left upper arm",
];

pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 100_000, trials: effort.trials(20, 200) }; ROUTINES.len()]
}

/// Records people and measures their limbs.
pub fn run(lab: &Lab) -> Section {
    let results = lab.trials(&loads(&lab.effort), |load, random| {
        let staged = Staged {
            routine: ROUTINES[load].0,
            noise_m: 4e-3,
            noise_deg: 0.3,
            skin_m: SKIN_M,
            ..Staged::CLEAN
        };
        let simulation = staged.recorded(random.next_u64()).ok()?;
        let fitted = fitted(&simulation).ok()?;
        let lengths = limbs(&simulation, &fitted);
        let of = |length: &super::lengths::Length| {
            (length.name.clone(), 100.0 * (length.found_m - length.true_m))
        };
        Some(lengths.iter().map(of).collect::<BTreeMap<String, f64>>())
    });
    let mut table = Table::new(&["limb", "exercise: largest", "mean", "walk: largest", "mean"], 1);
    let statistics = |routine: usize, limb: &str| {
        let errors = results[routine].iter().flatten().filter_map(|all| all.get(limb));
        let errors: Vec<f64> = errors.map(|error| error.abs()).collect();
        let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        (errors.iter().copied().fold(0.0, f64::max), mean, errors.len())
    };
    let mut lines = Vec::new();
    for limb in LIMBS {
        let [a, b] = [statistics(0, limb), statistics(1, limb)];
        let cells = [a.0, a.1, b.0, b.1].map(|cm| format!("{cm:.2}"));
        let [p, q, r, s] = cells;
        table.row([limb.to_owned(), p, q, r, s]);
    }
    for (routine, (_, name)) in ROUTINES.iter().enumerate() {
        let all: Vec<_> = LIMBS.iter().map(|limb| statistics(routine, limb)).collect();
        let worst = all.iter().map(|s| s.0).fold(0.0, f64::max);
        let mean = all.iter().map(|s| s.1).sum::<f64>() / all.len() as f64;
        let count = all.iter().map(|s| s.2).min().unwrap_or(0);
        let [their_worst, their_mean] = THEIRS_CM[routine];
        lines.push(
            Line::new(format!("{name}: error of limbs, largest and mean"), "Tables 2 to 4")
                .compare(
                    format!(
                        "{their_worst} \
                 cm, {their_mean:.1} cm against a tape measure"
                    ),
                    format!("{worst:.2} cm, {mean:.2} cm in {count} trials"),
                )
                .reproduced(count > 0 && mean <= their_mean)
                .because(
                    "simulated joints are points and lengths are known exactly; the tape is not \
                 exact and shoulders are no points",
                ),
        );
    }
    Section {
        text: vec![format!(
            "The person of the simulator in the document's two routines, 45 s at 30 Hz, 4 mm and \
             0.3 degrees of noise, skin that carries sensors by up to {} mm; the hierarchy is \
             given, as for the document's tables.",
            SKIN_M * 1e3
        )],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
