//! Section 5.6: tips that are not seen.

use condyle::hand::{Model, Side};
use condyle::simulate::Routine;
use condyle_page::page::Table;

use super::SEED;
use crate::hand::gaps::{self, Deletion};
use crate::hand::simulated::{Conditions, frames, perform};
use crate::reproduce::lab::Lab;
use crate::reproduce::section::{Line, Section};

/// Deletes tips of a grasping hand.
pub fn run(_: &Lab) -> Section {
    let mut table = Table::columns(
        "tips at a time | for, s | gaps | ours, mm | 95th, mm | in 95 % regions | held in the hand, mm | \
         cubic across the gap, mm | largest jump at the end, in local steps",
        0,
    );
    let mut lines = Vec::new();
    let conditions = Conditions { seconds: 60.0, ..Conditions::default() };
    let Ok(model) = Model::standard(Side::Right, 0.19) else { return Section::default() };
    let Ok(simulation) = perform(&model, Routine::Grasp, &conditions, SEED) else {
        return Section::default();
    };
    let labels = simulation.trial.labels();
    let all = frames(&simulation.trial);
    for tips in [1, 3] {
        for seconds in [0.1, 0.5, 2.0] {
            let deletion = Deletion { frames: (seconds * conditions.rate_hz) as usize, tips };
            let Ok(own) = gaps::score(&all, (&labels, conditions.rate_hz), &model, deletion) else {
                continue;
            };
            table.row([
                tips.to_string(),
                seconds.to_string(),
                own.gaps.to_string(),
                format!("{:.1}", own.ours.mean_mm()),
                format!("{:.1}", own.ours.at_mm(0.95)),
                format!("{:.0} %", own.ours.inside_percent()),
                format!("{:.1}", own.held.mean_mm()),
                format!("{:.1}", own.spline.mean_mm()),
                format!("{:.1}", own.largest_jump),
            ]);
            lines.push(
                Line::new(
                    format!("{tips} lost for {seconds} s: mean, mm, beside a tip held still"),
                    "section 5.6",
                )
                .compare(
                    format!("below {:.1}", own.held.mean_mm()),
                    format!("{:.1}", own.ours.mean_mm()),
                )
                .holds(own.ours.mean_mm() <= own.held.mean_mm()),
            );
        }
    }
    Section {
        text: vec![
            "Tips of a simulated hand that grasps are deleted by turns; gaps are few and their frames alike, so \
             percentages say little. The cubic knows what comes after the gap; the others do not."
                .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
