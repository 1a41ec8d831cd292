//! The estimator of separate fits: each joint by itself, from the motion alone.

use condyle::Trial;
use condyle::calibrate::Calibration;
use condyle::marker_set;
use condyle::plan::Performer;
use condyle::solve::{self, SolvedMotion};
use condyle::subject::Subject;
use condyle::swaps;

use super::estimate::{Estimate, Estimator, Settings};
use super::subject_motion;

/// Markers to segments by their labels, then one fit a joint. It knows no soft tissue and no bodies.
pub struct SeparateFits;

impl Estimator for SeparateFits {
    fn name(&self) -> &'static str {
        "separate-fits"
    }

    fn estimate(
        &self,
        trial: &Trial,
        plan: Option<&Performer>,
        _: &Settings,
    ) -> anyhow::Result<Vec<Estimate>> {
        let (performers, notes) = match plan {
            Some(performer) => (vec![performer.clone()], Vec::new()),
            None => {
                let found = marker_set::recognise_trial(trial);
                (found.plan.performers, found.notes.iter().map(ToString::to_string).collect())
            }
        };
        let mut estimates = Vec::new();
        let mut refused = None;
        for performer in performers.iter().filter(|performer| performer.is_tree_known) {
            match fit(performer, trial) {
                Ok((subject, solved)) => {
                    let own = subject.notes.iter().map(ToString::to_string);
                    let said = notes.iter().cloned().chain(own).collect();
                    estimates.push(subject_motion::estimate(subject, solved, trial, said)?);
                }
                Err(error) => refused = Some(error),
            }
        }
        match refused {
            Some(error) if estimates.is_empty() => Err(error.into()),
            _ if estimates.is_empty() => anyhow::bail!("need a known marker set, got none"),
            _ => Ok(estimates),
        }
    }
}

/// The subject of a performer and its motion.
///
/// # Errors
/// Nothing can be fitted.
pub fn fit(performer: &Performer, trial: &Trial) -> condyle::Result<(Subject, SolvedMotion)> {
    let markers: Vec<usize> =
        performer.segments.iter().flat_map(|segment| segment.markers.iter().copied()).collect();
    let mut straight = trial.clone();
    swaps::put_back(&mut straight, &markers);
    let mut calibration = Calibration::new(performer, &straight.labels())?;
    let mut positions_m = vec![None; straight.markers.len()];
    for frame in 0..straight.frames {
        straight.positions_m(frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    let subject = calibration.fit()?;
    let solved = solve::solve_trial(&subject, &straight)?;
    Ok((subject, solved))
}
