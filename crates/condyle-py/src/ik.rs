//! Joints that reach for targets.

use std::sync::{Mutex, PoisonError};

use condyle::ik::{Model, Options, Solver, Target};
use condyle::limbs;
use nalgebra::Point3;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{Answer, wrong};
use crate::subject::Subject;
use crate::trial::Trial;

/// Outcome, distance, iterations, restarts, joints at their limits, whether it was held back.
type Reached = (&'static str, f64, usize, usize, usize, bool);

/// A linkage and the pose that it is in.
#[pyclass(frozen, module = "condyle._condyle")]
pub struct Reacher {
    model: Model,
    solver: Mutex<Solver>,
}

impl Reacher {
    fn new(model: Model) -> Self {
        let solver = Mutex::new(Solver::new(model.linkage.clone()));
        Self { model, solver }
    }
}

#[pymethods]
impl Reacher {
    /// A chain or a tree in JSON, as docs/ik.md has it.
    #[staticmethod]
    fn from_json(text: &str) -> Answer<Self> {
        Ok(Self::new(Model::from_json(text)?))
    }

    /// A robot in URDF.
    #[staticmethod]
    fn from_urdf(text: &str) -> Answer<Self> {
        Ok(Self::new(limbs::from_urdf(text)?))
    }

    /// A fitted subject, hung up by a joint or as it is.
    #[staticmethod]
    #[pyo3(signature = (subject, pin=None))]
    fn from_subject(subject: &Bound<'_, Subject>, pin: Option<&str>) -> Answer<Self> {
        Ok(Self::new(limbs::from_subject(&subject.get().0, pin)?))
    }

    /// The skeleton of a recording.
    #[staticmethod]
    #[pyo3(signature = (trial, pin=None))]
    fn from_trial(trial: &Bound<'_, Trial>, pin: Option<&str>) -> Answer<Self> {
        let Some(motion) = &trial.get().0.motion else {
            return Err(wrong("model: need a recording with a skeleton, got one without"));
        };
        Ok(Self::new(limbs::from_motion(motion, pin)?))
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.model.names.clone()
    }

    #[getter]
    fn effectors(&self) -> Vec<usize> {
        self.model.effectors.clone()
    }

    /// The place of a joint by its name or number.
    fn find(&self, name: &str) -> Option<usize> {
        self.model.find(name)
    }

    /// The length of all bones together.
    #[getter]
    fn length(&self) -> f64 {
        let linkage = &self.model.linkage;
        (1..linkage.joints()).map(|joint| linkage.length_m(joint)).sum()
    }

    /// Where all joints are, joints × 3.
    fn positions<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyArray2<f64>>> {
        let solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        let all = solver.positions_m().iter();
        let numbers: Vec<f64> = all.flat_map(|at| [at.x, at.y, at.z]).collect();
        let shape = [numbers.len() / 3, 3];
        Ok(PyArray1::from_vec(py, numbers).reshape(shape)?)
    }

    /// Back to rest.
    fn rest(&self) {
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        *solver = Solver::new(self.model.linkage.clone());
    }

    /// Moves the base.
    fn move_base(&self, at_m: [f64; 3]) -> Answer<()> {
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(solver.move_base(Point3::from(at_m))?)
    }

    /// Reaches for places of joints from where it is.
    #[allow(clippy::too_many_arguments, reason = "Python says them by name")]
    #[pyo3(signature = (targets, method, tolerance_m, max_iterations, track, max_step_m=None))]
    fn reach(
        &self,
        py: Python<'_>,
        targets: Vec<(usize, [f64; 3])>,
        method: &str,
        tolerance_m: f64,
        max_iterations: usize,
        track: bool,
        max_step_m: Option<f64>,
    ) -> Answer<Reached> {
        let usual = if track { Options::tracking() } else { Options::default() };
        let options = Options {
            method: method.parse()?,
            tolerance_m,
            max_iterations,
            max_step_m: max_step_m.unwrap_or(f64::INFINITY),
            ..usual
        };
        let targets: Vec<Target> = targets
            .into_iter()
            .map(|(joint, at_m)| Target::at(joint, Point3::from(at_m)))
            .collect();
        let reach = py.detach(|| {
            let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
            solver.solve(&targets, &options)
        })?;
        let outcome = reach.outcome.name();
        let (iterations, restarts) = (reach.iterations, reach.restarts);
        let (limits_active, is_held_back) = (reach.limits_active, reach.is_held_back);
        Ok((outcome, reach.distance_m, iterations, restarts, limits_active, is_held_back))
    }
}
