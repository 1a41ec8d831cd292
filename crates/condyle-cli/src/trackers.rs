//! Recordings of bodies instead of markers: what `fit`, `solve`, `run` and `plot` do with them.

use std::path::Path;

use anyhow::{anyhow, bail};
use clap::Args;
use condyle::Trial;
use condyle::solve::SolvedMotion;
use condyle::subject::Subject;
use condyle::trackers::trouble::{self, Trouble, TroubleKind};
use condyle::trackers::{self, Fitted, Hierarchy, Options, Playback};
use condyle::trial::{Body, Note};

use crate::options::reading as args;
use crate::planning::By;

/// Choices for recordings of bodies.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Of bodies with poses (sensors, trackers, rigid bodies)")]
pub struct BodyArgs {
    /// The body that everything hangs on; otherwise names of body parts tell, or the middle of the tree
    #[arg(long, value_name = "BODY")]
    pub root: Option<String>,
    /// How far skin carries the bodies when they move, in mm, for the error bars: 5 for parts of a person, else 0
    #[arg(long, value_name = "MM", value_parser = args::not_negative, allow_negative_numbers = true)]
    pub skin_mm: Option<f64>,
}

/// Whether a recording is one of bodies: it has some with positions, and no markers to
/// speak of, or it is asked for.
pub fn is_one(trial: &Trial, by: By) -> bool {
    let placed = || trial.bodies.iter().filter(|body| body.has_positions);
    let is_seen = |body: &&Body| body.missing_samples() < body.frames();
    let bodies = placed().filter(is_seen).count();
    placed().count() > 0
        && (by == By::Bodies
            || trial.markers.is_empty()
            || (bodies > 1 && trial.markers.len() < bodies))
}

/// The performers whose bodies these are, by the prefixes of their names (`JOE:pelvis`); one without a name if
/// there are not several.
pub fn performers(trial: &Trial) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let mut is_all = true;
    for body in &trial.bodies {
        match body.subject() {
            Some(name) if !names.contains(&name) => names.push(name),
            Some(_) => {}
            None => is_all = false,
        }
    }
    match is_all && names.len() > 1 {
        true => names.into_iter().map(str::to_owned).collect(),
        false => vec![String::new()],
    }
}

/// The subject of one performer, fitted to the bodies of recordings, one after the other.
pub fn fit(
    trials: &[(&Path, &Trial)],
    performer: &str,
    by: By,
    args: &BodyArgs,
) -> anyhow::Result<Fitted> {
    let [(first_path, first), rest @ ..] = trials else { bail!("need a recording, got none") };
    let mut bodies = first.bodies.clone();
    if !performer.is_empty() {
        bodies.retain(|body| body.subject() == Some(performer));
    }
    for (path, trial) in rest {
        append(&mut bodies, path, trial)?;
    }
    let hierarchy = match by {
        By::Auto | By::Names | By::Bodies => Hierarchy::Auto,
        By::Motion => Hierarchy::Motion,
    };
    let options = Options {
        hierarchy,
        root: args.root.clone(),
        skin_m: args.skin_mm.map(|skin_mm| skin_mm * 1e-3),
    };
    let mut fitted = trackers::fit(&bodies, &options).map_err(|error| {
        let error = error.with_path(first_path);
        match unusable(first) {
            Some(why) => anyhow!("{error}; {why}"),
            None => error.into(),
        }
    })?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    fitted.subject.name = performer.to_owned();
    fitted.subject.provenance.frames = trials.iter().map(|(_, trial)| trial.frames).sum();
    fitted.subject.provenance.recordings = trials.iter().map(|(path, _)| name(path)).collect();
    Ok(fitted)
}

/// What the reader says of poses that are none.
fn unusable(trial: &Trial) -> Option<String> {
    let is_such = |note: &&Note| {
        ["quaternion-zero", "matrix-left-handed", "matrix-degenerate"].contains(&note.code)
    };
    let notes: Vec<&str> =
        trial.notes.iter().filter(is_such).map(|note| note.text.as_str()).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Adds the frames of a recording to those of bodies of the same names.
fn append(bodies: &mut [Body], path: &Path, trial: &Trial) -> anyhow::Result<()> {
    let of = |name: &str| trial.bodies.iter().find(|body| body.name == name);
    let there = bodies.iter().filter(|body| of(&body.name).is_some()).count();
    if 2 * there < bodies.len() {
        bail!(
            "{}: need the bodies of the first recording, got {there} of {}",
            path.display(),
            bodies.len()
        );
    }
    for body in bodies {
        // So far apart that nothing is taken for a step from one recording to the next.
        (0..trackers::FORGOTTEN_FRAMES).for_each(|_| body.push(None));
        let more = of(&body.name).cloned();
        for frame in 0..trial.frames {
            body.push(more.as_ref().and_then(|more| more.world_from_body(frame).copied()));
        }
    }
    Ok(())
}

/// The motion of a subject of bodies in a recording, and what went wrong with the sensors.
pub fn solve(
    subject: &Subject,
    trial: &Trial,
    path: &Path,
    how: Playback,
) -> anyhow::Result<(SolvedMotion, Vec<Trouble>)> {
    let played = trackers::playback(subject, trial, how).map_err(|error| error.with_path(path))?;
    Ok((played.motion, trouble::find(subject, trial)))
}

/// Dropouts of one body that are said one by one; more are counted.
const SAID: usize = 3;

/// Troubles in words; many stretches of silence of one body in one line.
pub fn in_words(troubles: &[Trouble], rate_hz: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let at = |trouble: &Trouble| match rate_hz > 0.0 {
        true => format!("{trouble} ({:.2} s)", trouble.frames.start as f64 / rate_hz),
        false => trouble.to_string(),
    };
    let mut silent: Vec<&str> = Vec::new();
    for trouble in troubles {
        if trouble.kind != TroubleKind::Silent {
            lines.push(at(trouble));
            continue;
        }
        if silent.contains(&trouble.body.as_str()) {
            continue;
        }
        silent.push(&trouble.body);
        let all: Vec<&Trouble> = troubles
            .iter()
            .filter(|other| other.kind == TroubleKind::Silent && other.body == trouble.body)
            .collect();
        if all.len() <= SAID {
            lines.extend(all.into_iter().map(at));
        } else {
            let frames: usize = all.iter().map(|silence| silence.frames.len()).sum();
            let longest = all.iter().max_by_key(|silence| silence.frames.len());
            let longest = longest.map_or(0..0, |silence| silence.frames.clone());
            lines.push(format!(
                "sensor-silent: {} is not seen in {frames} frames, {} stretches, the longest from frame {} to {}",
                trouble.body,
                all.len(),
                longest.start + 1,
                longest.end
            ));
        }
    }
    lines
}
