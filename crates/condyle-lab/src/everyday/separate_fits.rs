//! The estimator of separate fits: each joint by itself, from the motion alone.

use condyle::Trial;
use condyle::calibrate::Calibration;
use condyle::grouping::{exchange, relabel};
use condyle::marker_set;
use condyle::plan::Performer;
use condyle::solve::{self, SolvedMotion, Solver};
use condyle::subject::Subject;
use nalgebra::{Matrix3, Point3};

use super::estimate::{Estimate, Estimator, Motion, Settings};

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
                    let solver = Solver::new(&subject, &trial.labels())?;
                    estimates.push(Estimate {
                        joints: subject.joints.iter().map(|joint| joint.name.clone()).collect(),
                        solved: Some((subject.clone(), solved.clone())),
                        said: notes.iter().chain(&subject.notes).cloned().collect(),
                        motion: Box::new(Fitted { subject, solved, solver }),
                    });
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

fn fit(performer: &Performer, trial: &Trial) -> condyle::Result<(Subject, SolvedMotion)> {
    let segments: Vec<Vec<usize>> =
        performer.segments.iter().map(|segment| segment.markers.clone()).collect();
    let markers: Vec<usize> = segments.iter().flatten().copied().collect();
    let exchanges = exchange::find(trial, &markers);
    let mut straight = trial.clone();
    if !exchanges.is_empty() {
        relabel::undo(&mut straight, &exchanges, &segments);
    }
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

/// Centres are fitted, poses count as exact.
struct Fitted {
    subject: Subject,
    solved: SolvedMotion,
    solver: Solver,
}

impl Motion for Fitted {
    fn frames(&self) -> usize {
        self.solved.frames()
    }

    fn position_m(&self, joint: usize, frame: usize) -> Option<Point3<f64>> {
        self.solved.joint_m(frame, joint)
    }

    fn covariance_m2(&self, joint: usize, frame: usize) -> Option<Matrix3<f64>> {
        let joint = self.subject.joints.get(joint)?;
        let pose = self.solved.world_from_segment(frame, joint.parent)?;
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        Some(rotation * joint.covariance_m2 * rotation.transpose())
    }

    fn place_m(&self, positions_m: &[Option<Point3<f64>>]) -> Vec<Option<Point3<f64>>> {
        let mut pose = self.solver.pose();
        self.solver.solve(positions_m, &mut pose);
        pose.joints_m
    }
}
