//! How long an estimate takes on one core: 41 markers, 3,400 frames.

use std::time::{Duration, Instant};

use condyle::simulate::Routine;
use condyle::solve;
use condyle::whole_body::{self, Input, Knowledge, Options};
use condyle::{Trial, marker_set};

use super::estimate::{Estimator, Settings};
use super::scene::{Scene, record};
use super::table::Table;

/// Frames of the recording.
const FRAMES: usize = 3400;

/// The table of times; each run is of another person.
///
/// # Errors
/// Nothing can be simulated or estimated.
pub fn tables(
    estimator: &dyn Estimator,
    settings: &Settings,
    seeds: std::ops::Range<u64>,
    mut show: impl FnMut(&Table),
) -> anyhow::Result<()> {
    let title = format!("41 markers, {FRAMES} frames, time of one core [{}]", estimator.name());
    let mut table = Table::new(title, &["what", "best", "median"]);
    let mut whole_ms = Vec::new();
    let [mut guarded_ms, mut bare_ms, mut frame_us] = [const { Vec::new() }; 3];
    for seed in seeds {
        let recorded = record(&Scene { frames: FRAMES, ..Scene::everyday(Routine::Walk) }, seed)?;
        let trial = &recorded.trial;
        let (whole_s, estimates) = timed_s(|| estimator.estimate(trial, None, settings));
        whole_ms.push(whole_s * 1e3);
        guarded_ms.push(fit_s(trial, settings, true)? * 1e3);
        bare_ms.push(fit_s(trial, settings, false)? * 1e3);
        if let Some((subject, _)) = &estimates?[0].solved {
            let (solve_s, solved) = timed_s(|| solve::solve_trial(subject, trial));
            solved?;
            frame_us.push(solve_s * 1e6 / FRAMES as f64);
        }
    }
    for (what, mut times) in [
        ("fit and solve all frames, ms", whole_ms),
        ("fit with all guards, ms", guarded_ms),
        ("fit without guards, ms", bare_ms),
        ("solve a frame of the subject, µs", frame_us),
    ] {
        let cells =
            [0.0, 0.5].map(|share| format!("{:.1}", super::score::quantile(&mut times, share)));
        table.row([vec![what.to_owned()], cells.to_vec()].concat());
    }
    show(&table);
    Ok(())
}

/// The time of the fit of the whole body alone.
fn fit_s(trial: &Trial, settings: &Settings, guards: bool) -> anyhow::Result<f64> {
    let plan = marker_set::recognise_trial(trial).plan;
    let performer = plan.performers.first();
    let performer = performer.ok_or_else(|| anyhow::anyhow!("need a known marker set"))?;
    let knowledge = Knowledge::human()?;
    let options = Options { soft_tissue: settings.soft_tissue, guards, ..Options::default() };
    let labels = trial.labels();
    let input = Input { performer, labels: &labels, frames: trial };
    let (seconds, body) = timed_s(|| whole_body::fit(&input, &knowledge, &options));
    body?;
    Ok(seconds)
}

/// What something takes of the core it runs on, in seconds, and what comes of it.
fn timed_s<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let (begun, on_core) = (Instant::now(), on_core());
    let result = run();
    let spent = on_core.zip(self::on_core()).map(|(before, after)| after - before);
    (spent.unwrap_or_else(|| begun.elapsed()).as_secs_f64(), result)
}

/// The time that this thread has had a core for, where the system tells: others that run beside it do not count.
pub fn on_core() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}
