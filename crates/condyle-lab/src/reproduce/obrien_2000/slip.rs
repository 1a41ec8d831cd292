//! Sensors that slip by 3 mm under 4 mm of noise.

use condyle::trackers::trouble::{self, TroubleKind};
use condyle::trial::Origin;
use nalgebra::{Translation3, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::lengths::{Staged, fitted};
use crate::reproduce::lab::{Effort, Lab, Load};
use crate::reproduce::section::{Line, Section};
use condyle_page::page::Table;

/// How far sensors slip; the first is a recording without a slip.
const CELLS_MM: [f64; 4] = [0.0, 3.0, 5.0, 10.0];

pub fn loads(effort: &Effort) -> Vec<Load> {
    vec![Load { samples: 100_000, trials: effort.trials(200, 400) }; CELLS_MM.len()]
}

/// What was found: how many slips, whether the right sensor is among them, and how many frames off.
struct Found {
    slips: usize,
    off_frames: Option<usize>,
}

fn trial(by_m: f64, random: &mut ChaCha8Rng) -> Option<Found> {
    let staged = Staged { noise_m: 4e-3, noise_deg: 0.3, ..Staged::CLEAN };
    let mut simulation = staged.recorded(random.next_u64()).ok()?;
    let frames = simulation.trial.frames;
    let at = random.random_range(frames * 3 / 10..frames * 7 / 10);
    let which = random.random_range(0..simulation.trial.bodies.len());
    let draw = Vector3::from_fn(|_, _| Distribution::<f64>::sample(&StandardNormal, random));
    let by = Translation3::from(draw.normalize() * by_m);
    if by_m > 0.0 {
        let body = &mut simulation.trial.bodies[which];
        for frame in at..frames {
            let moved = body.world_from_body(frame).map(|pose| pose * by);
            body.set(frame, moved, Origin::Measured);
        }
    }
    let fitted = fitted(&simulation).ok()?;
    let found = trouble::find(&fitted.subject, &simulation.trial);
    let name = &simulation.trial.bodies[which].name;
    let slips = found.iter().filter(|t| matches!(t.kind, TroubleKind::Slip { .. }));
    let right = slips.clone().find(|trouble| trouble.body == *name);
    let off_frames = right.map(|trouble| trouble.frames.start.abs_diff(at));
    Some(Found { slips: slips.count(), off_frames: off_frames.filter(|_| by_m > 0.0) })
}

/// Lets sensors slip.
pub fn run(lab: &Lab) -> Section {
    let results =
        lab.trials(&loads(&lab.effort), |load, random| trial(CELLS_MM[load] * 1e-3, random));
    let mut table = Table::columns(
        "slip mm | runs | slip reported | the right sensor | median frames off | largest",
        0,
    );
    let mut lines = Vec::new();
    for (mm, results) in CELLS_MM.iter().zip(&results) {
        let runs = results.len();
        let reported = results.iter().flatten().filter(|found| found.slips > 0).count();
        let mut off: Vec<usize> = results.iter().flatten().filter_map(|f| f.off_frames).collect();
        off.sort_unstable();
        let dash = || "-".to_owned();
        let median = off.get(off.len() / 2).map_or_else(dash, ToString::to_string);
        let largest = off.last().map_or_else(dash, ToString::to_string);
        table.row([
            mm.to_string(),
            runs.to_string(),
            reported.to_string(),
            off.len().to_string(),
            median.clone(),
            largest,
        ]);
        let (what, wanted, ours, is_so) = if *mm == 0.0 {
            let ours = format!("{reported} of {runs}");
            ("clean runs with an alarm".to_owned(), "none".to_owned(), ours, reported == 0)
        } else {
            let right = off.len();
            let ours = format!(
                "{reported} of {runs}; the right sensor {right} times, {median} frames off"
            );
            (
                format!("runs with a slip of {mm} mm in which one is found"),
                "all".to_owned(),
                ours,
                reported == runs,
            )
        };
        let is_so = is_so && results.iter().all(Option::is_some);
        lines.push(Line::new(what, "section 5; ours").compare(wanted, ours).holds(is_so));
    }
    Section {
        text: vec![
            "A person with 15 sensors, 45 s at 30 Hz, 4 mm and 0.3 degrees of noise. One \
             sensor, any of them, slips in any direction somewhere between three and seven \
             tenths of the recording. The subject is fitted to the recording with the slip in \
             it."
            .into(),
        ],
        lines,
        tables: vec![table],
        ..Section::default()
    }
}
