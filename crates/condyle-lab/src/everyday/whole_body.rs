//! The estimator of one fit: the whole body, from motion and knowledge.

use std::cell::RefCell;
use std::collections::HashMap;

use condyle::plan::Performer;
use condyle::whole_body::{
    self, BlockStatus, Influence, Input, Knowledge, Options, PosedFrame, WholeBody,
};
use condyle::{Trial, marker_set, solve};
use nalgebra::{Matrix3, Point3};

use super::estimate::{Estimate, Estimator, Motion, Settings};
use super::separate_fits;

/// The fit of the whole body with the library's knowledge of people; without knowledge, from motion alone.
pub struct OneFit;

impl Estimator for OneFit {
    fn name(&self) -> &'static str {
        "whole-body"
    }

    fn estimate(
        &self,
        trial: &Trial,
        plan: Option<&Performer>,
        settings: &Settings,
    ) -> anyhow::Result<Vec<Estimate>> {
        let performers = match plan {
            Some(performer) => vec![performer.clone()],
            None => marker_set::recognise_trial(trial).plan.performers,
        };
        let options = Options { soft_tissue: settings.soft_tissue, ..Options::default() };
        let knowledge = Knowledge::human()?;
        let labels = trial.labels();
        let fitted = performers.iter().map(|performer| {
            if !settings.knowledge {
                let (subject, _) = separate_fits::fit(performer, trial)?;
                return whole_body::fit_motion(&subject, &labels, trial, &options);
            }
            let input = Input { performer, labels: &labels, frames: trial };
            whole_body::fit(&input, &knowledge, &options)
        });
        let bodies = fitted.collect::<condyle::Result<Vec<WholeBody>>>()?;
        anyhow::ensure!(!bodies.is_empty(), "need a known marker set, got none");
        let named = bodies.into_iter().zip(&performers);
        Ok(named.map(|(body, performer)| estimate(body, &performer.name, trial)).collect())
    }
}

fn estimate(body: WholeBody, name: &str, trial: &Trial) -> Estimate {
    let mut said: Vec<String> = body.notes.iter().map(ToString::to_string).collect();
    if !body.has_converged {
        said.push("not converged".to_owned());
    }
    let doubted = body.blocks.iter().filter(|block| block.status != BlockStatus::Used);
    said.extend(doubted.map(|block| format!("{:?}: {}", block.status, block.name)));
    let subject = body.subject(name, trial);
    let solved = solve::solve_trial(&subject, trial).ok();
    Estimate {
        joints: body.joints.iter().map(|joint| joint.name.clone()).collect(),
        motion: Box::new(Fitted { body, trial: trial.clone(), posed: RefCell::default() }),
        solved: solved.map(|solved| (subject, solved)),
        said,
    }
}

struct Fitted {
    body: WholeBody,
    trial: Trial,
    /// The frames that were posed so far.
    posed: RefCell<HashMap<usize, Option<PosedFrame>>>,
}

impl Fitted {
    /// The middle of where its two segments put a joint.
    fn joint_m(&self, posed: &PosedFrame, joint: usize) -> Option<Point3<f64>> {
        let joint = self.body.joints.get(joint)?;
        let of_parent = posed.world_from_segment(joint.parent)? * joint.centre_in_parent_m;
        let of_child = posed.world_from_segment(joint.child)? * joint.centre_in_child_m;
        Some(nalgebra::center(&of_parent, &of_child))
    }

    fn in_frame<T>(&self, frame: usize, ask: impl Fn(&PosedFrame) -> Option<T>) -> Option<T> {
        let mut posed = self.posed.borrow_mut();
        let pose = posed.entry(frame).or_insert_with(|| {
            let mut positions_m = vec![None; self.trial.markers.len()];
            self.trial.positions_m(frame, &mut positions_m);
            self.body.pose(&positions_m, None)
        });
        pose.as_ref().and_then(ask)
    }
}

impl Motion for Fitted {
    fn frames(&self) -> usize {
        self.trial.frames
    }

    fn position_m(&self, joint: usize, frame: usize) -> Option<Point3<f64>> {
        self.in_frame(frame, |posed| self.joint_m(posed, joint))
    }

    fn covariance_m2(&self, joint: usize, frame: usize) -> Option<Matrix3<f64>> {
        self.in_frame(frame, |posed| {
            self.body.joint_in(posed, joint).map(|(_, covariance)| covariance)
        })
    }

    fn place_m(&self, positions_m: &[Option<Point3<f64>>]) -> Vec<Option<Point3<f64>>> {
        let posed = self.body.pose(positions_m, None);
        let place = |joint| self.joint_m(posed.as_ref()?, joint);
        (0..self.body.joints.len()).map(place).collect()
    }

    fn influence(&self, joint: usize, positions_m: &[Option<Point3<f64>>]) -> Option<Influence> {
        self.body.joint_influence(&self.body.pose(positions_m, None)?, joint)
    }
}
