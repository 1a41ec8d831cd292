//! URDF: links and joints as ROS has them.

use std::fmt::Write;

use nalgebra::{Isometry3, Vector3};

use super::numbers;
use crate::error::{Error, Result};
use crate::job::SolvedPerformer;
use crate::opensim::Linkage;
use crate::trial::Trial;

/// What URDF demands of a joint that turns, and nobody measured: newton metres and radians a second.
const EFFORT: f64 = 1000.0;
const VELOCITY: f64 = 100.0;

/// A solved performer as URDF. Every joint is three revolute ones, through two links without a body.
///
/// # Errors
/// The segments do not all hang on one: URDF has one root. Or a number is not finite.
///
/// # Reference
/// Open Robotics, *URDF XML specification*: `rpy` are turns about fixed x, y and z in this order.
pub fn urdf(trial: &Trial, performer: &SolvedPerformer, weight_kg: Option<f64>) -> Result<String> {
    let Linkage { name, names, masses, joints, .. } = Linkage::finite(trial, performer, weight_kg)?;
    let roots = (0..performer.subject.segments().len())
        .filter(|segment| performer.subject.joint_of(*segment).is_none())
        .count();
    if roots != 1 {
        let what = format!("urdf: need segments that hang on one, got {roots} that hang on none");
        return Err(Error::cannot_hold(what));
    }
    let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{name}\">\n");
    for (name, mass) in names.iter().zip(&masses) {
        let i = mass.inertia_kg_m2;
        let _ = writeln!(
            text,
            "<link name=\"{name}\"><inertial><origin xyz=\"{}\"/><mass value=\"{:.9}\"/><inertia ixx=\"{:.9}\" \
             ixy=\"{:.9}\" ixz=\"{:.9}\" iyy=\"{:.9}\" iyz=\"{:.9}\" izz=\"{:.9}\"/></inertial></link>",
            numbers(mass.centre_m.coords.iter().copied()),
            mass.kg,
            i.m11,
            i.m12,
            i.m13,
            i.m22,
            i.m23,
            i.m33,
        );
    }
    for joint in joints.iter().filter(|joint| joint.moves.is_empty()) {
        let child = &joint.child.0;
        let mut parent = joint.parent.0.clone();
        let mut origin = joint.parent_from_joint();
        for (index, (turn, axis, [low, high])) in joint.turns.iter().enumerate() {
            let between = format!("{child}_turn{}", index + 1);
            let _ = writeln!(
                text,
                "<link name=\"{between}\"/>\n<joint name=\"{turn}\" type=\"revolute\"><parent link=\"{parent}\"/><child \
                 link=\"{between}\"/>{}<axis xyz=\"{}\"/><limit lower=\"{low:.6}\" upper=\"{high:.6}\" \
                 effort=\"{EFFORT}\" velocity=\"{VELOCITY}\"/></joint>",
                origin_of(&origin),
                numbers(axis.iter().copied()),
            );
            parent = between;
            origin = Isometry3::identity();
        }
        let _ = writeln!(
            text,
            "<joint name=\"{}_end\" type=\"fixed\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{}</joint>",
            joint.name,
            origin_of(&joint.child_from_joint().inverse()),
        );
    }
    text.push_str("</robot>\n");
    Ok(text)
}

fn origin_of(pose: &Isometry3<f64>) -> String {
    let (roll, pitch, yaw) = pose.rotation.euler_angles();
    let rpy = Vector3::new(roll, pitch, yaw);
    format!(
        "<origin xyz=\"{}\" rpy=\"{}\"/>",
        numbers(pose.translation.vector.iter().copied()),
        numbers(rpy.iter().copied())
    )
}
