//! Recordings of bodies with poses of their own instead of markers.

use nalgebra::Isometry3;

use super::options::{Options, SegmentsBy};
use super::{FoundPlan, Recording};
use crate::error::{Error, Result};
use crate::plan::{JointRule, Performer, Plan, PlanOrigin, PlannedSegment};
use crate::subject::{Segment, Subject};
use crate::trackers::trouble::{Trouble, TroubleKind};
use crate::trackers::{self, Hierarchy};
use crate::trial::{Body, Note, Trial};

/// Whether a recording is one of bodies: it has some with positions, and fewer markers than those, or bodies are
/// asked for.
pub fn is_body_recording(trial: &Trial, options: &Options) -> bool {
    if let Some(subject) = &options.subject {
        return subject.is_of_bodies();
    }
    let placed = || trial.bodies.iter().filter(|body| body.has_positions);
    let is_seen = |body: &&Body| body.missing_samples() < body.frames();
    let bodies = placed().filter(is_seen).count();
    placed().count() > 0
        && (options.segments_by == SegmentsBy::Bodies
            || trial.markers.is_empty()
            || (bodies > 1 && trial.markers.len() < bodies))
}

/// What there is instead of markers or bodies.
pub(super) fn why_none(trial: &Trial) -> Error {
    let is_table = trial.notes.iter().any(|note| note.code == "unknown-layout");
    let nothing = |what: &str| Error::undetermined(what).with_code("nothing-recorded");
    match (is_table, trial.bodies.is_empty()) {
        (true, true) => Error::undetermined(format!(
            "columns: need markers or bodies, got a table of {} columns that are named like neither",
            trial.channels.len()
        ))
        .with_code("columns-unnamed"),
        (_, true) => nothing("recording: need markers or bodies, got none"),
        (_, false) => nothing("recording: need bodies with positions, got orientations alone"),
    }
}

/// The performers whose bodies these are, by the prefixes of their names (`JOE:pelvis`); one without a name if there
/// are not several.
pub(super) fn performers(trial: &Trial) -> Vec<String> {
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

/// The bodies of every performer as segments, hanging together as they are fitted.
pub(super) fn plan(trial: &Trial, options: &Options) -> Result<FoundPlan> {
    let recording = [Recording::from(trial.clone())];
    let mut found = FoundPlan {
        plan: Plan::default(),
        by: PlanOrigin::Bodies,
        notes: Vec::new(),
        doubts: Vec::new(),
        naming: Vec::new(),
    };
    for name in performers(trial) {
        let subject = fit(&recording, &name, options)?;
        let segment = |(index, segment): (usize, &Segment)| PlannedSegment {
            name: segment.name.clone(),
            parent: segment.parent,
            markers: Vec::new(),
            joint_name: subject.joint_of(index).map(|joint| joint.name.clone()),
            joint_rule: JointRule::TwoSided,
        };
        found.plan.performers.push(Performer {
            name,
            origin: PlanOrigin::Bodies,
            segments: subject.segments.iter().enumerate().map(segment).collect(),
            is_tree_known: true,
        });
    }
    Ok(found)
}

/// The subject of one performer, fitted to the bodies of recordings, one after the other.
pub(super) fn fit(recordings: &[Recording], performer: &str, options: &Options) -> Result<Subject> {
    let [first, rest @ ..] = recordings else {
        return Err(Error::argument("recordings: need one, got none"));
    };
    let mut bodies = first.trial.bodies.clone();
    if !performer.is_empty() {
        bodies.retain(|body| body.subject() == Some(performer));
    }
    let moving = bodies.iter().filter(|body| !is_world(body)).count();
    if moving > 1 {
        bodies.retain(|body| !is_world(body));
    }
    for more in rest {
        append(&mut bodies, more)?;
    }
    let fit_options = trackers::Options {
        hierarchy: match options.segments_by {
            SegmentsBy::Motion => Hierarchy::Motion,
            _ => Hierarchy::Auto,
        },
        root: options.root.clone(),
        skin_m: options.soft_tissue.stated_m(),
    };
    let fitted =
        trackers::fit(&bodies, &fit_options).map_err(|error| match unusable(&first.trial) {
            Some(why) => Error::undetermined(format!("{error}; {why}")),
            None => error,
        });
    let mut subject = fitted.map_err(|error| first.at_fault(error))?.subject;
    subject.name = performer.to_owned();
    subject.provenance.frames = recordings.iter().map(|recording| recording.trial.frames).sum();
    subject.provenance.recordings = recordings.iter().map(Recording::file_name).collect();
    Ok(subject)
}

/// Whether a body is the world that the others are in: at the origin without a turn in all frames. What never moves
/// elsewhere may be the base of a machine.
fn is_world(body: &Body) -> bool {
    let is_origin = |frame| {
        body.world_from_body(frame)
            .is_some_and(|pose: &Isometry3<f64>| *pose == Isometry3::identity())
    };
    body.frames() > 1 && (0..body.frames()).all(is_origin)
}

/// What the reader says of invalid poses.
fn unusable(trial: &Trial) -> Option<String> {
    let codes = ["quaternion-zero", "matrix-left-handed", "matrix-degenerate"];
    let is_such = |note: &&Note| codes.contains(&&*note.code);
    let notes: Vec<&str> =
        trial.notes.iter().filter(is_such).map(|note| note.text.as_str()).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Adds the frames of a recording to those of bodies of the same names.
fn append(bodies: &mut [Body], more: &Recording) -> Result<()> {
    let find = |name: &str| more.trial.bodies.iter().find(|body| body.name == name);
    let there = bodies.iter().filter(|body| find(&body.name).is_some()).count();
    if 2 * there < bodies.len() {
        let what =
            format!("bodies: need those of the first recording, got {there} of {}", bodies.len());
        return Err(more.at_fault(Error::argument(what)));
    }
    for body in bodies {
        // So far apart that nothing is taken for a step from one recording to the next.
        (0..trackers::FRAMES_BETWEEN_RECORDINGS).for_each(|_| body.push(None));
        let same = find(&body.name).cloned();
        for frame in 0..more.trial.frames {
            body.push(same.as_ref().and_then(|same| same.world_from_body(frame).copied()));
        }
    }
    Ok(())
}

/// Dropouts of one body that are said one by one; more are counted.
const MAX_LISTED: usize = 3;

/// Troubles as notes; many dropouts of one body in one.
pub(super) fn notes(troubles: &[Trouble], trial: &Trial) -> Vec<Note> {
    let mut notes = Vec::new();
    let timed = |trouble: &Trouble| {
        let mut note = trouble.note(trial);
        if trial.rate_hz > 0.0 {
            let seconds = trial.time_s(trouble.frames.start);
            note.text = format!("{} ({seconds:.2} s)", note.text);
        }
        note
    };
    let mut silent: Vec<&str> = Vec::new();
    for trouble in troubles {
        if trouble.kind != TroubleKind::Silent {
            notes.push(timed(trouble));
            continue;
        }
        if silent.contains(&trouble.body.as_str()) {
            continue;
        }
        silent.push(&trouble.body);
        let is_same =
            |other: &&Trouble| other.kind == TroubleKind::Silent && other.body == trouble.body;
        let all: Vec<&Trouble> = troubles.iter().filter(is_same).collect();
        if all.len() <= MAX_LISTED {
            notes.extend(all.into_iter().map(timed));
            continue;
        }
        let frames: usize = all.iter().map(|silence| silence.frames.len()).sum();
        let longest = all.iter().max_by_key(|silence| silence.frames.len());
        let [first, last] = longest
            .map_or([0, 0], |silence| [silence.frames.start, silence.frames.end - 1])
            .map(|frame| trial.frame_number(frame));
        let text = format!(
            "{} is not seen in {frames} frames, {} stretches, the longest from frame {first} to {last}",
            trouble.body,
            all.len()
        );
        notes.push(Note::new("sensor-silent", text));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;
    use crate::trial::Origin;

    #[test]
    fn troubles_of_sensors_are_said_once_with_the_recordings_own_frame_numbers() {
        let options = simulate::Options {
            sensors: true,
            seconds: 10.0,
            noise_m: 1e-3,
            orientation_noise_rad: 3e-3,
            ..Default::default()
        };
        let simulation = simulate::simulate(&simulate::Performer::arm(), &options).unwrap();
        let mut trial = simulation.trial;
        trial.first_frame = 301;
        for (body, gap) in [(1, 100..130), (2, 10..12), (2, 20..22), (2, 30..34), (2, 40..42)] {
            gap.for_each(|frame| trial.bodies[body].set(frame, None, Origin::Missing));
        }
        let mut options = Options::default();
        let first = super::super::run(trial.clone(), &options).unwrap();
        options.subject = Some(first.performers[0].subject.clone());
        let again = super::super::run(trial, &options).unwrap();
        for performance in [first, again] {
            let notes = performance.all_notes();
            let said: Vec<&str> = notes
                .iter()
                .filter(|note| note.code == "sensor-silent")
                .map(|note| note.text.as_str())
                .collect();
            assert_eq!(said.len(), 2, "{notes:?}");
            assert!(said.iter().any(|text| text.contains("in frames 401 to 430")), "{said:?}");
            let longest = "4 stretches, the longest from frame 331 to 334";
            assert!(said.iter().any(|text| text.contains(longest)), "{said:?}");
        }
    }

    #[test]
    fn the_world_among_the_bodies_is_no_segment() {
        let options = simulate::Options { sensors: true, seconds: 10.0, ..Default::default() };
        let simulation = simulate::simulate(&simulate::Performer::arm(), &options).unwrap();
        let mut trial = simulation.trial;
        let expected = plan(&trial, &Options::default()).unwrap().plan;
        let mut world = Body::new("worldbody_4X4".to_owned());
        (0..trial.frames).for_each(|_| world.push(Some(Isometry3::identity())));
        trial.bodies.push(world);
        assert_eq!(plan(&trial, &Options::default()).unwrap().plan, expected);
    }
}
