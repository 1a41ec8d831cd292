//! A skeleton that a file holds solved already.

use condyle::Trial;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arrays;
use crate::error::{Answer, wrong};

/// Name and parent of its joints.
pub fn joints(trial: &Trial) -> Vec<(String, Option<usize>)> {
    let joints = trial.motion.iter().flat_map(|motion| motion.skeleton().joints());
    joints.map(|joint| (joint.name.clone(), joint.parent)).collect()
}

/// Where one of them is in every frame.
pub fn positions<'py>(
    py: Python<'py>,
    trial: &Trial,
    joint: usize,
) -> Answer<Bound<'py, PyArray2<f64>>> {
    let Some(motion) = &trial.motion else {
        return Err(wrong("skeleton: need a recording that holds one, got none"));
    };
    let count = motion.skeleton().joints().len();
    if joint >= count {
        return Err(wrong(format!("joint: need one below {count}, got {joint}")));
    }
    let at = |frame: usize| {
        let positions_m = motion.joint_positions_m(frame).ok()?;
        positions_m.get(joint).map(|at| [at.x, at.y, at.z])
    };
    arrays::optional_rows(py, (0..motion.frames()).map(at))
}
