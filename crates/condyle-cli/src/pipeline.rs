//! From a recording to its solved performers: what several commands have in common.

use std::path::Path;

use anyhow::Context;
use condyle::Trial;
use condyle::calibrate::FrameRule;
use condyle::plan::Performer;
use condyle::solve::{self, Solved};
use condyle::subject::Subject;

use crate::planning::{self, PlanArgs};
use crate::{fit, solve as solve_command};

/// A performer of a recording, and where it is in every frame.
pub struct Performed {
    pub subject: Subject,
    pub solved: Solved,
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
    let found = planning::plan(trial, path, plan)?;
    let mut notes = found.notes;
    let all: Vec<&Performer> = found.plan.performers.iter().collect();
    notes.extend(fit::exchanges(trial, &all));
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
    let solved = solve::trial(&subject, trial).map_err(|error| error.with_path(path))?;
    Ok(Performed { subject, solved })
}

/// Solves every frame of a recording for a subject that is known.
///
/// # Errors
/// The recording does not show the subject's markers, or not where the subject has them.
pub fn known(
    trial: &Trial,
    path: &Path,
    subject: &Subject,
    subject_path: &Path,
) -> anyhow::Result<Performance> {
    let solved = solve::trial(subject, trial).map_err(|error| error.with_path(path))?;
    solve_command::check_performer(subject, subject_path, &solved)
        .with_context(|| path.display().to_string())?;
    let performers = vec![Performed { subject: subject.clone(), solved }];
    Ok(Performance { performers, notes: Vec::new() })
}
