//! The gait of everybody in a recording, with their angles where they are solved.

use super::{Cycle, EventsFrom, Feet, Gait, Solved, analyse, feet};
use crate::error::Result;
use crate::job::{Performance, SolvedPerformer};
use crate::trial::Trial;

/// Legs of one person differ between recordings by less than this share, feet by twice as much.
const SAME_LENGTH: f64 = 0.03;

/// The gait of one performer in one recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PerformerGait {
    /// Its name; empty if there is none.
    pub name: String,
    /// The labels of the markers on pelvis and feet.
    pub labels: Vec<String>,
    /// How long its legs are: the height of the pelvis above the lower foot.
    pub leg_m: Option<f64>,
    /// How far heel and toe are apart.
    pub foot_m: Option<f64>,
    /// Events, strides, parameters.
    pub gait: Gait,
    /// Its angles over every stride; nothing where it is not solved.
    pub cycles: Vec<Cycle>,
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
    let repaired = performance.map(Performance::trial_with_gaps);
    let trial = repaired.as_ref().unwrap_or(trial);
    let performers = performance.map_or(&[][..], |performance| &performance.performers);
    let by_names = feet(trial);
    let solved = |own: &Feet| -> Option<&SolvedPerformer> {
        let same = performers.iter().find(|performer| performer.subject.name == own.name);
        same.or_else(|| performers.first().filter(|_| performers.len() == 1))
    };
    let all: Vec<(Feet, Option<&SolvedPerformer>)> = match by_names {
        Ok(all) => all.into_iter().map(|own| (own.clone(), solved(&own))).collect(),
        Err(why) => {
            let of = |performer| {
                let performer: &SolvedPerformer = performer;
                Some((Feet::from_subject(trial, &performer.subject).ok()?, Some(performer)))
            };
            let all: Vec<_> = performers.iter().filter_map(of).collect();
            if all.is_empty() {
                return Err(why);
            }
            all
        }
    };
    let one = |(own, performer): (Feet, Option<&SolvedPerformer>)| {
        let gait = analyse(trial, &own, from);
        let cycles = performer.map_or_else(Vec::new, |performer| {
            let SolvedPerformer { subject, motion, angles, .. } = performer;
            gait.cycles(&Solved { subject, motion, angles })
        });
        PerformerGait {
            leg_m: own.leg_m(),
            foot_m: own.foot_m(),
            labels: own.labels,
            name: own.name,
            gait,
            cycles,
        }
    };
    Ok(all.into_iter().map(one).collect())
}

/// Whether two recordings show one performer: the same name, the same markers, legs and feet of the same lengths.
pub fn same_performer(one: &PerformerGait, other: &PerformerGait) -> bool {
    let is_same = |pair: (Option<f64>, Option<f64>), share: f64| match pair {
        (Some(a), Some(b)) => (a - b).abs() < share * a.max(b),
        _ => true,
    };
    one.name == other.name
        && one.labels == other.labels
        && is_same((one.leg_m, other.leg_m), SAME_LENGTH)
        && is_same((one.foot_m, other.foot_m), 2.0 * SAME_LENGTH)
}
