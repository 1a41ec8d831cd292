//! Recordings with gaps of their own: how many frames have all joints, and what joints do at the ends of gaps.

use std::collections::BTreeSet;
use std::path::Path;

use condyle::Trial;
use condyle::job::{self, Fill, Performance, Recording, SolvedPerformer};
use condyle::solve;
use condyle::statistics::median;

use crate::everyday::recordings::{self, Twins};

/// Steps beside the end of a gap that are compared with the one across it, to each side.
const BESIDE: usize = 6;
/// A step below this is noise wherever it is, in metres.
const LEAST_STEP_M: f64 = 1e-3;
/// A step across the end of a gap is at most so many local ones.
const MAX_LOCAL_STEPS: f64 = 3.0;

/// A recording before and after.
#[derive(Debug)]
pub struct Row {
    /// The recording.
    pub name: String,
    /// Samples of the performers' markers that are missing.
    pub missing: usize,
    /// The share of them.
    pub share: f64,
    /// With short gaps bridged, and with gaps filled.
    pub before: Outcome,
    /// With gaps filled.
    pub after: Outcome,
    /// Gaps that were filled, and that were left.
    pub gaps: [usize; 2],
    /// Seconds of the main job, before and after.
    pub seconds: [f64; 2],
}

/// What the main job makes of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The share of frames in which all joints are placed.
    pub complete: f64,
    /// The largest change of the length of a bone, in metres.
    pub bone_change_m: f64,
    /// Ends of gaps, each with every joint of the segments on it.
    pub ends: usize,
    /// Those with a step that is too large.
    pub steps: usize,
    /// Which joint, at which frame counted from 1, and how far it and its neighbours step, in millimetres.
    pub large: Vec<String>,
}

/// The recordings below a folder with the most missing samples, among those that are solved; at most so many.
pub fn most_missing(folder: &Path, most: usize) -> Vec<(String, usize)> {
    let mut twins = Twins::default();
    let mut found = Vec::new();
    for name in recordings::all(folder) {
        let Ok(trial) = recordings::read(folder, &name) else { continue };
        if trial.markers.is_empty() || !twins.is_new(&trial) {
            continue;
        }
        let Ok(performance) = run(&trial, &name, Fill::Off) else { continue };
        let missing = missing(&performance);
        if missing > 0 && performance.performers.iter().any(|p| !p.subject.joints().is_empty()) {
            found.push((name, missing));
        }
    }
    found.sort_by_key(|(_, missing)| std::cmp::Reverse(*missing));
    found.truncate(most);
    found
}

/// One recording before and after.
///
/// # Errors
/// It cannot be read or solved.
pub fn row(folder: &Path, name: &str) -> anyhow::Result<Row> {
    let trial = recordings::read(folder, name)?;
    let off = run(&trial, name, Fill::Off)?;
    let samples: usize = off.performers.iter().map(|p| markers(p, &off.trial).len()).sum();
    let timed = |fill: Fill| -> anyhow::Result<(Performance, f64)> {
        let start = std::time::Instant::now();
        Ok((run(&trial, name, fill)?, start.elapsed().as_secs_f64()))
    };
    let (before, seconds_before) = timed(Fill::Short)?;
    let (after, seconds_after) = timed(Fill::Auto)?;
    let filled = after.gaps.iter().filter(|gap| gap.is_filled).count();
    Ok(Row {
        name: name.to_owned(),
        missing: missing(&off),
        share: missing(&off) as f64 / (samples * off.trial.frames).max(1) as f64,
        before: outcome(&before, &off),
        after: outcome(&after, &off),
        gaps: [filled, after.gaps.len() - filled],
        seconds: [seconds_before, seconds_after],
    })
}

fn run(trial: &Trial, name: &str, fill: Fill) -> condyle::Result<Performance> {
    let mut options = job::Options::default();
    options.fill = fill;
    job::run(Recording::new(name, trial.clone()), &options)
}

/// The markers of a performer, by their places in the recording.
fn markers(performer: &SolvedPerformer, trial: &Trial) -> Vec<usize> {
    let columns = solve::columns(&performer.subject, &trial.labels()).unwrap_or_default();
    columns.into_iter().flatten().collect()
}

fn missing(performance: &Performance) -> usize {
    let of = |performer: &SolvedPerformer| -> usize {
        let own = markers(performer, &performance.trial).into_iter();
        own.map(|marker| performance.trial.markers[marker].missing_samples()).sum()
    };
    performance.performers.iter().map(of).sum()
}

fn outcome(performance: &Performance, unfilled: &Performance) -> Outcome {
    let frames = performance.trial.frames;
    let all = &performance.performers;
    let joints = || all.iter().flat_map(|performer| performer.motion.joints());
    let is_complete = |frame: &usize| joints().all(|joint| joint.position_m(*frame).is_some());
    let complete = (0..frames).filter(is_complete).count() as f64 / frames.max(1) as f64;
    let mut outcome = Outcome { complete, ..Outcome::default() };
    for performer in all {
        outcome.bone_change_m = outcome.bone_change_m.max(bone_change_m(performer, frames));
        steps_at_ends(performer, [&unfilled.trial, &performance.trial], &mut outcome);
    }
    outcome
}

/// The largest difference between the longest and the shortest that a bone is.
fn bone_change_m(performer: &SolvedPerformer, frames: usize) -> f64 {
    let (subject, motion) = (&performer.subject, &performer.motion);
    let mut most_m = 0f64;
    for (index, joint) in subject.joints().iter().enumerate() {
        let from = subject.joints().iter().position(|other| other.child == joint.parent);
        let Some(from) = from else { continue };
        let length =
            |frame| Some((motion.joint_m(frame, index)? - motion.joint_m(frame, from)?).norm());
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        for length_m in (0..frames).filter_map(length) {
            (low, high) = (low.min(length_m), high.max(length_m));
        }
        most_m = most_m.max(high - low.min(high));
    }
    most_m
}

/// Counts ends of gaps, and of what is left of them, at which a joint of the marker's segment makes a large step.
fn steps_at_ends(
    performer: &SolvedPerformer,
    [unfilled, filled]: [&Trial; 2],
    outcome: &mut Outcome,
) {
    let (subject, motion) = (&performer.subject, &performer.motion);
    let columns = solve::columns(subject, &unfilled.labels()).unwrap_or_default();
    let mut columns = columns.into_iter();
    for (segment, own) in subject.segments().iter().enumerate() {
        let markers: Vec<usize> = columns.by_ref().take(own.markers.len()).flatten().collect();
        let mut ends = BTreeSet::new();
        let gaps = |marker: &usize| [unfilled, filled].map(|trial| trial.markers[*marker].gaps());
        for gap in markers.iter().flat_map(gaps).flatten() {
            ends.extend(
                [gap.start, gap.end].into_iter().filter(|t| (1..unfilled.frames).contains(t)),
            );
        }
        let joints = subject.joints().iter().enumerate();
        for (joint, _) in joints.filter(|(_, j)| j.child == segment || j.parent == segment) {
            let step = |t: usize| {
                Some((motion.joint_m(t, joint)? - motion.joint_m(t.checked_sub(1)?, joint)?).norm())
            };
            for end in &ends {
                let beside = (end.saturating_sub(BESIDE)..=end + BESIDE).filter(|t| t != end);
                let local_m = median(beside.filter(|t| !ends.contains(t)).filter_map(step));
                let (Some(across_m), Some(local_m)) = (step(*end), local_m) else { continue };
                outcome.ends += 1;
                let is_large = across_m > MAX_LOCAL_STEPS * local_m.max(LEAST_STEP_M);
                outcome.steps += usize::from(is_large);
                if is_large {
                    let (name, place) = (&subject.joints()[joint].name, end + 1);
                    let [across_mm, local_mm] = [across_m, local_m].map(|step_m| 1e3 * step_m);
                    outcome.large.push(format!("{name} at {place}: {across_mm:.1}, {local_mm:.1}"));
                }
            }
        }
    }
}
