//! Recordings made up, with their truth.

use condyle::hand;
use condyle::simulate::{self, Options, Performer};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{Answer, wrong};
use crate::trial::Trial;

/// A joint's name, parent, child and true positions, frames × 3.
type TrueJoint<'py> = (String, String, String, Bound<'py, PyArray2<f64>>);

/// The description of a performer that is built in.
#[pyfunction]
pub fn describe(name: &str) -> Answer<&'static str> {
    let built_in = Performer::BUILT_IN.join(", ");
    let none = || wrong(format!("performer: need {built_in}, hand, got '{name}'"));
    let hand = (name == "hand").then_some(hand::Model::STANDARD);
    Performer::description(name).or(hand).ok_or_else(none)
}

/// A recording made up, and where its joints truly are; options are those of the library, as JSON.
#[pyfunction]
pub fn simulate_trial<'py>(
    py: Python<'py>,
    performer: &str,
    text: &str,
) -> Answer<(Trial, Vec<TrueJoint<'py>>)> {
    let options: Options = serde_json::from_str(text)?;
    let performer = match (Performer::built_in(performer), hand::performer_of(performer)?) {
        (Some(performer), _) | (None, Some(performer)) => performer,
        (None, None) => Performer::from_toml(performer)?,
    };
    let made = py.detach(|| simulate::simulate(&performer, &options))?;
    let name = |segment: usize| made.truth.segments.get(segment).map_or("", |own| &own.name);
    let joints = made.truth.joints.iter().enumerate().map(|(index, joint)| {
        let frames = made.truth.joint_positions_m.iter();
        let numbers: Vec<f64> =
            frames.flat_map(|at| [at[index].x, at[index].y, at[index].z]).collect();
        let shape = [numbers.len() / 3, 3];
        let positions_m = PyArray1::from_vec(py, numbers).reshape(shape)?;
        let (parent, child) = (name(joint.parent).to_owned(), name(joint.child).to_owned());
        Ok((joint.name.clone(), parent, child, positions_m))
    });
    let joints = joints.collect::<Answer<Vec<_>>>()?;
    Ok((Trial::new(made.trial), joints))
}
