//! MJCF: bodies within bodies as MuJoCo has them.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::numbers;
use crate::error::Result;
use crate::job::SolvedPerformer;
use crate::opensim::{Linkage, LinkageJoint, marker_name};
use crate::subject::Subject;
use crate::trial::{Axis, Trial};

/// How far a thing falls, in metres a second squared.
const GRAVITY: f64 = 9.81;

/// A solved performer as MJCF: three hinges a joint, a free joint at the root, a site a marker.
///
/// # Errors
/// A number is not finite.
///
/// # Reference
/// *MuJoCo documentation, XML reference*: hinges of one body turn it one after the other, each about its axis in the
/// frame that the ones before have turned.
pub fn mjcf(trial: &Trial, performer: &SolvedPerformer, weight_kg: Option<f64>) -> Result<String> {
    let linkage = Linkage::finite(trial, performer, weight_kg)?;
    let down = trial.source.up.unwrap_or(Axis::Z).direction() * -GRAVITY;
    let mut text = format!(
        "<mujoco model=\"{}\">\n<compiler angle=\"radian\" balanceinertia=\"true\"/>\n<option gravity=\"{}\"/>\n\
         <default><geom type=\"sphere\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/><site size=\"0.006\"/></default>\n\
         <worldbody>\n",
        linkage.name,
        numbers(down.iter().copied())
    );
    let subject = &performer.subject;
    let mut taken = BTreeSet::new();
    for step in walk(subject) {
        match step {
            Step::Into(segment) => {
                write_body(subject, &linkage, segment, &mut text);
                write_sites(subject, &linkage, segment, &mut taken, &mut text);
            }
            Step::OutOf => text.push_str("</body>\n"),
        }
    }
    text.push_str("</worldbody>\n</mujoco>\n");
    Ok(text)
}

/// A step through the tree of segments.
enum Step {
    Into(usize),
    OutOf,
}

/// Limb by limb, every segment before those that hang on it. One without a joint to its parent hangs on nothing.
fn walk(subject: &Subject) -> Vec<Step> {
    let hung_on = |of: Option<usize>| {
        let parent = |segment: usize| subject.joint_of(segment).map(|joint| joint.parent);
        let segments = (0..subject.segments().len()).rev();
        segments.filter(move |segment| parent(*segment) == of).map(Step::Into)
    };
    let mut steps = Vec::new();
    let mut waiting: Vec<Step> = hung_on(None).collect();
    while let Some(step) = waiting.pop() {
        if let Step::Into(segment) = step {
            waiting.push(Step::OutOf);
            waiting.extend(hung_on(Some(segment)));
        }
        steps.push(step);
    }
    steps
}

/// The segments as MuJoCo counts bodies.
pub(super) fn order(subject: &Subject) -> impl Iterator<Item = usize> {
    let entered = |step: Step| match step {
        Step::Into(segment) => Some(segment),
        Step::OutOf => None,
    };
    walk(subject).into_iter().filter_map(entered)
}

fn write_body(subject: &Subject, linkage: &Linkage, segment: usize, text: &mut String) {
    let (name, mass) = (&linkage.names[segment], &linkage.masses[segment]);
    let joint = &linkage.joints[segment];
    let i = mass.inertia_kg_m2;
    let is_root = subject.joint_of(segment).is_none();
    let place = if is_root { String::new() } else { place(joint) };
    let _ = writeln!(text, "<body name=\"{name}\"{place}>");
    match is_root {
        true => {
            let _ = writeln!(text, "<freejoint name=\"{name}_free\"/>");
        }
        false => hinges(joint, text),
    }
    let _ = writeln!(
        text,
        "<inertial pos=\"{}\" mass=\"{:.9}\" fullinertia=\"{}\"/>\n<geom pos=\"{}\"/>",
        numbers(mass.centre_m.coords.iter().copied()),
        mass.kg,
        numbers([i.m11, i.m22, i.m33, i.m12, i.m13, i.m23]),
        numbers(joint.child.1.coords.iter().copied()),
    );
}

/// A site a marker; one that is on a second segment too has that in its name.
fn write_sites(
    subject: &Subject,
    linkage: &Linkage,
    segment: usize,
    taken: &mut BTreeSet<String>,
    text: &mut String,
) {
    for marker in &subject.segments()[segment].markers {
        let mut label = marker_name(&marker.label).replace(['&', '<', '"'], "_");
        while !taken.insert(label.clone()) {
            label = format!("{label}_{}", linkage.names[segment]);
        }
        let at = numbers(marker.position_in_segment_m.coords.iter().copied());
        let _ = writeln!(text, "<site name=\"{label}\" pos=\"{at}\"/>");
    }
}

/// Where a body is in its parent when all turns are zero.
fn place(joint: &LinkageJoint) -> String {
    let pose = joint.parent_from_joint() * joint.child_from_joint().inverse();
    let turn = pose.rotation;
    format!(
        " pos=\"{}\" quat=\"{}\"",
        numbers(pose.translation.vector.iter().copied()),
        numbers([turn.w, turn.i, turn.j, turn.k])
    )
}

fn hinges(joint: &LinkageJoint, text: &mut String) {
    let at = numbers(joint.child.1.coords.iter().copied());
    for (name, axis, [low, high]) in &joint.turns {
        let axis = joint.child.2 * axis;
        let _ = writeln!(
            text,
            "<joint name=\"{name}\" type=\"hinge\" pos=\"{at}\" axis=\"{}\" range=\"{low:.6} {high:.6}\"/>",
            numbers(axis.iter().copied())
        );
    }
}
