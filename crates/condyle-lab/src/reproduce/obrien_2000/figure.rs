//! The simulated figure, without noise and with it.

use super::lengths::{Staged, fitted, is_tree_right, limbs};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};
use condyle_page::page::Table;

/// Noise: metres, degrees, and the errors that are wanted at most and on average, in metres.
const CELLS: [(f64, f64, Option<[f64; 2]>); 3] =
    [(0.0, 0.0, Some([1e-6, 1e-6])), (4e-3, 0.3, Some([2e-3, 6e-4])), (7e-3, 0.57, None)];

/// Fits the figure.
pub fn run(lab: &Lab) -> Section {
    let mut lines = Vec::new();
    let header = ["noise mm", "noise deg", "hierarchy", "largest error mm", "mean error mm"];
    let mut table = Table::new(&header, 0);
    for (noise_m, noise_deg, wanted) in CELLS {
        let staged = Staged { noise_m, noise_deg, ..Staged::CLEAN };
        let Ok(simulation) = staged.recorded(lab.seed) else { continue };
        let Ok(fitted) = fitted(&simulation) else { continue };
        let errors: Vec<f64> = limbs(&simulation, &fitted)
            .iter()
            .map(|length| (length.found_m - length.true_m).abs())
            .collect();
        let worst_m = errors.iter().copied().fold(0.0, f64::max);
        let mean_m = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let is_right = is_tree_right(&simulation, &fitted);
        table.row([
            format!("{}", noise_m * 1e3),
            noise_deg.to_string(),
            if is_right { "right" } else { "wrong" }.to_owned(),
            format!("{:.2e}", worst_m * 1e3),
            format!("{:.2e}", mean_m * 1e3),
        ]);
        let Some([most_m, average_m]) = wanted else { continue };
        if noise_m == 0.0 {
            lines.push(
                Line::new("largest error of a limb's length, without noise", "section 4")
                    .compare("less than 1e-6 m", format!("{worst_m:.1e} m"))
                    .reproduced(worst_m < most_m && !errors.is_empty()),
            );
            lines.push(
                Line::new("hierarchy, without noise", "section 4")
                    .compare("right", if is_right { "right" } else { "wrong" })
                    .reproduced(is_right),
            );
        } else {
            let is_so = worst_m <= most_m && mean_m <= average_m && is_right;
            lines.push(
                Line::new(
                    format!("error of limbs at {} mm and {noise_deg} degrees", noise_m * 1e3),
                    "ours",
                )
                .compare(
                    format!("at most {} mm, {} mm on average", most_m * 1e3, average_m * 1e3),
                    format!("{:.2} mm, {:.2} mm", worst_m * 1e3, mean_m * 1e3),
                )
                .holds(is_so),
            );
        }
    }
    Section {
        text: vec![
            "A person of 15 segments, 48 degrees of freedom, with a sensor on each, put \
             on anyhow, moves every joint through its range for 45 s at 30 Hz. Joints are fitted \
             from the sensors' poses alone; limbs are the distances between the joints of a \
             segment."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
