//! The gait of everybody in a recording, with their angles where they are solved.

use super::feet::no_feet;
use super::{CentreCycle, Cycle, EventsFrom, Feet, Gait, Solved, analyse, feet};
use crate::error::Result;
use crate::job::{Performance, RecordingKind, SolvedPerformer};
use crate::solve;
use crate::trial::{Origin, Trial};

/// The gait of one performer in one recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PerformerGait {
    /// Its name; empty if there is none.
    pub name: String,
    /// Events, strides, parameters.
    pub gait: Gait,
    /// Its angles over every stride; nothing where it is not solved.
    pub cycles: Vec<Cycle>,
    /// Its joint centres over every stride; nothing where it is not solved, or has no hips.
    pub centres: Vec<CentreCycle>,
}

/// The gait of everybody in a recording, as it was read, and as it was solved if it was.
///
/// # Errors
/// Nobody has a pelvis and two feet that are seen: `no-feet`.
pub fn of_performance(
    trial: &Trial,
    performance: Option<&Performance>,
    from: EventsFrom,
) -> Result<Vec<PerformerGait>> {
    let is_filmed = performance.is_some_and(|own| own.kind() == RecordingKind::Keypoints);
    let repaired = performance.map(|performance| {
        let mut trial = performance.trial_with_gaps();
        if is_filmed {
            with_points_of_bodies(&mut trial, performance);
        }
        trial
    });
    let trial = repaired.as_ref().unwrap_or(trial);
    let performers = performance.map_or(&[][..], |performance| &performance.performers);
    let solved = |own: &Feet| -> Option<&SolvedPerformer> {
        let same = performers.iter().find(|performer| performer.subject.name == own.name);
        same.or_else(|| performers.first().filter(|_| performers.len() == 1))
    };
    let by_names = match is_filmed {
        // Points beside those that were posed are as noisy as ever.
        true => Err(no_feet("nobody was solved")),
        false => feet(trial),
    };
    let all: Vec<(Feet, Option<&SolvedPerformer>)> = match by_names {
        Ok(all) => all.into_iter().map(|own| (own.clone(), solved(&own))).collect(),
        Err(mut why) => {
            let mut all = Vec::new();
            for performer in performers {
                match Feet::from_subject(trial, &performer.subject) {
                    Ok(own) => all.push((own, Some(performer))),
                    Err(error) if is_filmed => why = error,
                    Err(_) => {}
                }
            }
            if all.is_empty() {
                return Err(why);
            }
            all
        }
    };
    let one = |(own, performer): (Feet, Option<&SolvedPerformer>)| {
        let gait = analyse(trial, &own, from);
        let (cycles, centres) = performer.map_or_else(Default::default, |performer| {
            let SolvedPerformer { subject, motion, angles, .. } = performer;
            let solved = Solved { subject, motion, angles };
            (gait.cycles(&solved), gait.centres(&solved))
        });
        PerformerGait { name: own.name, gait, cycles, centres }
    };
    Ok(all.into_iter().map(one).collect())
}

/// Puts keypoints where the bodies that they belong to have them: noise of centimetres hides that a foot rests.
fn with_points_of_bodies(trial: &mut Trial, performance: &Performance) {
    for SolvedPerformer { subject, motion, .. } in &performance.performers {
        let Ok(columns) = solve::columns(subject, &trial.labels()) else { continue };
        let points = subject.segments.iter().enumerate().flat_map(|(segment, own)| {
            own.markers.iter().map(move |marker| (segment, marker.position_in_segment_m))
        });
        for (column, (segment, in_segment_m)) in columns.into_iter().zip(points) {
            let Some(marker) = column.and_then(|column| trial.markers.get_mut(column)) else {
                continue;
            };
            for frame in 0..trial.frames {
                let world_from_segment = motion.world_from_segment(frame, segment);
                let at_m = world_from_segment.map(|world| world * in_segment_m);
                let origin = if at_m.is_some() { Origin::Predicted } else { Origin::Missing };
                marker.set(frame, at_m, origin);
            }
        }
    }
}
