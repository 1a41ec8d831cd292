//! Joints that reach for targets.

use condyle::Result;
use condyle::ik::{Limit, Model, Options, Solver, Target};
use condyle::limbs;
use condyle::nalgebra::Point3;
use condyle::subject::Subject;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::numbers::Numbers;
use crate::session::wrong;

/// Where a linkage comes from.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ModelFrom {
    /// A chain or a tree, as docs/ik.md has it.
    Linkage(Value),
    /// A fitted subject, hung up by a joint or as it is.
    Subject {
        /// The subject, as it is serialised.
        subject: Box<Subject>,
        /// The joint that it hangs on.
        pin: Option<String>,
    },
}

/// How to reach.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReachOptions {
    method: Option<String>,
    tolerance_m: Option<f64>,
    max_iterations: Option<usize>,
    max_step_m: Option<f64>,
    /// For a target that moves a little from frame to frame.
    track: bool,
    /// The method's algorithm to the letter, for comparison.
    plain: bool,
    /// Without limits.
    no_limits: bool,
}

/// A linkage and the pose that it is in.
pub struct Reacher {
    model: Model,
    solver: Solver,
    is_free: bool,
}

impl Reacher {
    /// A linkage at rest.
    pub fn new(from: ModelFrom) -> Result<Self> {
        let model = match from {
            ModelFrom::Linkage(model) => Model::from_json(&model.to_string())?,
            ModelFrom::Subject { subject, pin } => limbs::from_subject(&subject, pin.as_deref())?,
        };
        let solver = Solver::new(model.linkage.clone());
        Ok(Self { model, solver, is_free: false })
    }

    /// What it is made of.
    pub fn facts(&self) -> Value {
        let linkage = &self.model.linkage;
        let joints = 0..linkage.joints();
        let rest: Vec<[f64; 3]> = linkage.rest_m().iter().map(|at| [at.x, at.y, at.z]).collect();
        json!({
            "names": self.model.names,
            "parents": joints.map(|joint| linkage.parent(joint)).collect::<Vec<_>>(),
            "effectors": self.model.effectors,
            "rest_m": rest,
            "hasLimits": linkage.has_limits(),
        })
    }

    /// Reaches from where it is.
    pub fn reach(
        &mut self,
        targets: &[Option<[f64; 3]>],
        asked: &ReachOptions,
        numbers: &mut Numbers,
    ) -> Result<Value> {
        let effectors = &self.model.effectors;
        if targets.len() != effectors.len() {
            let (need, got) = (effectors.len(), targets.len());
            return Err(wrong(format!("targets: need {need}, one an effector, got {got}")));
        }
        let places = effectors.iter().zip(targets);
        let targets: Vec<Target> = places
            .filter_map(|(joint, at_m)| Some(Target::at(*joint, Point3::from((*at_m)?))))
            .collect();
        let method = asked.method.as_deref().map(str::parse).transpose()?.unwrap_or_default();
        let usual = match (asked.plain, asked.track) {
            (true, _) => Options::plain(method),
            (false, true) => Options::tracking(),
            (false, false) => Options::default(),
        };
        let options = Options {
            method,
            tolerance_m: asked.tolerance_m.unwrap_or(usual.tolerance_m),
            max_iterations: asked.max_iterations.unwrap_or(usual.max_iterations),
            max_step_m: asked.max_step_m.unwrap_or(usual.max_step_m),
            ..usual
        };
        self.set_limits(asked.no_limits)?;
        let reach = self.solver.solve(&targets, &options)?;
        let violation_rad = self.solver.violation_rad();
        Ok(json!({
            "outcome": reach.outcome.name(),
            "reached": reach.is_reached(),
            "error_m": reach.distance_m,
            "iterations": reach.iterations,
            "restarts": reach.restarts,
            "limitsActive": reach.limits_active,
            "heldBack": reach.is_held_back,
            "violation_rad": violation_rad,
            "positions_m": self.positions(numbers),
        }))
    }

    /// Takes limits away, or brings them back, from the pose it is in.
    fn set_limits(&mut self, is_free: bool) -> Result<()> {
        if is_free == self.is_free {
            return Ok(());
        }
        let mut linkage = self.model.linkage.clone();
        if is_free {
            (1..linkage.joints()).try_for_each(|end| linkage.limit(end, Limit::default()))?;
        }
        let positions_m = self.solver.positions_m().to_vec();
        self.solver = Solver::new(linkage);
        self.is_free = is_free;
        // A pose that breaks the limits is as near to them as the solver brings it.
        self.solver.pose(&positions_m)
    }

    /// Back to rest.
    pub fn rest(&mut self, numbers: &mut Numbers) -> Value {
        self.solver = Solver::new(self.model.linkage.clone());
        self.is_free = false;
        json!({ "positions_m": self.positions(numbers) })
    }

    /// Moves the base.
    pub fn move_base(&mut self, at_m: [f64; 3], numbers: &mut Numbers) -> Result<Value> {
        self.solver.move_base(Point3::from(at_m))?;
        Ok(json!({ "positions_m": self.positions(numbers) }))
    }

    fn positions(&self, numbers: &mut Numbers) -> Value {
        numbers.collect(self.solver.positions_m().iter().flat_map(|at| [at.x, at.y, at.z]))
    }
}
