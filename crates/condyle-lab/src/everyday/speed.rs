//! How long an estimate takes: 41 markers, 3,400 frames.

use std::time::Instant;

use condyle::simulate::Routine;
use condyle::solve;

use super::estimate::{Estimator, Settings};
use super::scene::{Scene, record};
use super::table::Table;

/// Frames of the recording.
const FRAMES: usize = 3400;

/// The table of times; the best of several runs, each with another person.
///
/// # Errors
/// Nothing can be simulated or estimated.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let title = format!("41 markers, {FRAMES} frames [{}]", estimator.name());
    let mut table = Table::new(title, &["what", "best", "median"]);
    let (mut whole_ms, mut frame_us) = (Vec::new(), Vec::new());
    for seed in seeds {
        let recorded = record(&Scene { frames: FRAMES, ..Scene::everyday(Routine::Walk) }, seed)?;
        let begun = Instant::now();
        let estimates = estimator.estimate(&recorded.trial, None, settings)?;
        whole_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        if let Some((subject, _)) = &estimates[0].solved {
            let begun = Instant::now();
            solve::solve_trial(subject, &recorded.trial)?;
            frame_us.push(begun.elapsed().as_secs_f64() * 1e6 / FRAMES as f64);
        }
    }
    for (what, mut times) in
        [("fit and solve all frames, ms", whole_ms), ("solve a frame of the subject, µs", frame_us)]
    {
        let cells =
            [0.0, 0.5].map(|share| format!("{:.1}", super::score::quantile(&mut times, share)));
        table.row([vec![what.to_owned()], cells.to_vec()].concat());
    }
    show(&table);
    Ok(())
}
