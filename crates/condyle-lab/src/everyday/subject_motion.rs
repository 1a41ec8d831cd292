//! A subject in motion as an estimate: centres are fitted, what is left of their covariance goes with the parent.

use condyle::Trial;
use condyle::solve::{SolvedMotion, Solver};
use condyle::subject::Subject;
use nalgebra::{Matrix3, Point3};

use super::estimate::{Estimate, Motion};

/// An estimate of a subject that was solved.
///
/// # Errors
/// The trial does not show the subject's markers.
pub fn estimate(
    subject: Subject,
    solved: SolvedMotion,
    trial: &Trial,
    said: Vec<String>,
) -> condyle::Result<Estimate> {
    let solver = Solver::new(&subject, &trial.labels())?;
    Ok(Estimate {
        joints: subject.joints().iter().map(|joint| joint.name.clone()).collect(),
        solved: Some((subject.clone(), solved.clone())),
        said,
        motion: Box::new(Fitted { trial: trial.clone(), solved, solver }),
    })
}

struct Fitted {
    trial: Trial,
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
        let mut positions_m = vec![None; self.trial.markers.len()];
        self.trial.positions_m(frame, &mut positions_m);
        let mut pose = self.solver.pose();
        self.solver.solve(&positions_m, &mut pose);
        pose.joint_covariance_m2(joint).copied()
    }

    fn place_m(&self, positions_m: &[Option<Point3<f64>>]) -> Vec<Option<Point3<f64>>> {
        let mut pose = self.solver.pose();
        self.solver.solve(positions_m, &mut pose);
        pose.joints_m
    }
}
