//! From a recording to its solved performers: what several commands have in common.

use std::path::Path;

use anyhow::Context;
use condyle::Trial;
use condyle::calibrate::FrameRule;
use condyle::plan::Performer;
use condyle::rig;
use condyle::solve::{self, SolvedMotion};
use condyle::subject::Subject;
use condyle::trackers::Playback;
use condyle::trial::Note;

use crate::exchanges;
use crate::fit;
use crate::planning::{self, PlanArgs};
use crate::solve as solve_command;
use crate::trackers;

/// A performer of a recording, and where it is in every frame.
pub struct Performed {
    pub subject: Subject,
    pub solved: SolvedMotion,
}

/// The performers of a recording, and what is doubtful about them.
pub struct Performance {
    pub performers: Vec<Performed>,
    pub notes: Vec<String>,
}

/// Finds the segments of a recording, fits its performers and solves every frame.
///
/// # Errors
/// No segments are found, or nothing of them can be fitted.
pub fn fitted(trial: &Trial, path: &Path, plan: &PlanArgs) -> anyhow::Result<Performance> {
    if trackers::is_one(trial, plan.by) {
        let mut all = Performance { performers: Vec::new(), notes: Vec::new() };
        for name in trackers::performers(trial) {
            let fitted = trackers::fit(&[(path, trial)], &name, plan.by, &plan.bodies)?;
            let one = played(trial, path, fitted.subject)?;
            all.performers.extend(one.performers);
            all.notes.extend(one.notes);
        }
        return Ok(all);
    }
    let found = planning::plan(trial, path, plan)?;
    let mut notes = found.notes;
    let all: Vec<&Performer> = found.plan.performers.iter().collect();
    let (trial, exchanged) = exchanges::undone(trial, &exchanges::segments_of(&all, trial));
    let trial = trial.as_ref();
    notes.extend(exchanged);
    let mut performers = Vec::new();
    let mut refused = None;
    for (index, performer) in all.into_iter().enumerate() {
        // One of several that cannot be fitted does not stop the others.
        match one(performer, trial, path) {
            Ok(performed) => performers.push(performed),
            Err(error) => {
                if found.plan.performers.len() > 1 {
                    let name = match performer.name.as_str() {
                        "" => format!("performer {}", index + 1),
                        name => name.to_owned(),
                    };
                    notes.push(format!("performer-left-out: {name}: {error:#}"));
                }
                refused.get_or_insert(error);
            }
        }
    }
    match refused {
        Some(error) if performers.is_empty() => Err(error),
        _ => Ok(Performance { performers, notes }),
    }
}

fn one(performer: &Performer, trial: &Trial, path: &Path) -> anyhow::Result<Performed> {
    let subject = fit::fit(performer, &[(path, trial)], FrameRule::default())?;
    let solved = solve::solve_trial(&subject, trial).map_err(|error| error.with_path(path))?;
    Ok(Performed { subject, solved })
}

/// Solves every frame of a recording for a subject that is known; it must be the one recorded if it is to be
/// checked as what is in a file.
///
/// # Errors
/// The recording does not show the subject's markers, or not where the subject has them.
pub fn known(
    trial: &Trial,
    path: &Path,
    subject: &Subject,
    checked_as: Option<&Path>,
) -> anyhow::Result<Performance> {
    if subject.is_of_bodies() {
        let performance = played(trial, path, subject.clone())?;
        return checked(performance, path, checked_as);
    }
    let segments = exchanges::segments_of_subject(subject, trial);
    let (trial, notes) = exchanges::undone(trial, &segments);
    let solved = solve::solve_trial(subject, &trial).map_err(|error| error.with_path(path))?;
    let performers = vec![Performed { subject: subject.clone(), solved }];
    checked(Performance { performers, notes }, path, checked_as)
}

/// Whether the subjects are those recorded: refused, or said to be doubtful.
fn checked(
    mut performance: Performance,
    path: &Path,
    checked_as: Option<&Path>,
) -> anyhow::Result<Performance> {
    for Performed { subject, solved } in &performance.performers {
        if let Some(subject_path) = checked_as {
            solve_command::check_performer(subject, subject_path, solved)
                .with_context(|| path.display().to_string())?;
        }
        performance.notes.extend(solve_command::doubts(subject, solved));
    }
    Ok(performance)
}

/// A recording of bodies played back through its subject.
fn played(trial: &Trial, path: &Path, subject: Subject) -> anyhow::Result<Performance> {
    let (solved, troubles) = trackers::solve(&subject, trial, path, Playback::default())?;
    let notes = trackers::in_words(&troubles, trial.rate_hz);
    Ok(Performance { performers: vec![Performed { subject, solved }], notes })
}

/// Takes the way that a trunk points for up in a recording that does not say which way that is; says so.
pub fn stand_up<'a>(
    trial: &mut Trial,
    mut performers: impl Iterator<Item = (&'a Subject, &'a SolvedMotion)>,
) -> Option<String> {
    if trial.source.up.is_some() {
        return None;
    }
    let up = performers.find_map(|(subject, solved)| rig::up_by_trunk(subject, solved))?;
    trial.source.up = Some(up);
    let text = format!(
        "the recording does not say which axis is up: {up}, by the trunk (--up says better)"
    );
    Some(Note::new("up", text).to_string())
}
