//! A subject as an OpenSim model: bodies, joints, markers, masses.
//!
//! Coordinates are not clamped, since the solver keeps centres together and lets segments turn.

use std::fmt::Write;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::linkage::{Linkage, LinkageJoint};
use super::posed_points::posed_points;
use crate::error::Result;
use crate::job::SolvedPerformer;
use crate::solve;
use crate::trial::Trial;

/// A solved performer as the text of an `.osim` file. Markers have the labels of the recording; y is up.
///
/// # Errors
/// The recording has none of the subject's markers, or a number is not finite.
pub fn model(trial: &Trial, performer: &SolvedPerformer, weight_kg: Option<f64>) -> Result<String> {
    let subject = &performer.subject;
    let linkage = Linkage::finite(trial, performer, weight_kg)?;
    let Linkage { name, weight_kg: weight, names, masses, joints, .. } = &linkage;
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<OpenSimDocument Version=\"40000\">\n",
    );
    let said = if weight_kg.is_some() { "as stated" } else { "not stated" };
    let _ = writeln!(
        text,
        "<Model name=\"{name}\">\n<credits>Condyle; masses of {weight} kg ({said}) by de Leva 1996</credits>"
    );
    text.push_str("<length_units>meters</length_units>\n<force_units>N</force_units>\n<BodySet name=\"bodyset\"><objects>\n");
    for (name, mass) in names.iter().zip(masses) {
        let inertia = mass.inertia_kg_m2;
        let six = [inertia.m11, inertia.m22, inertia.m33, inertia.m12, inertia.m13, inertia.m23];
        let _ = writeln!(
            text,
            "<Body name=\"{name}\"><mass>{:.9}</mass><mass_center>{}</mass_center><inertia>{}</inertia></Body>",
            mass.kg,
            numbers(mass.centre_m.coords.iter()),
            numbers(six.iter()),
        );
    }
    text.push_str("</objects></BodySet>\n<JointSet name=\"jointset\"><objects>\n");
    joints.iter().for_each(|joint| write_joint(joint, &mut text));
    text.push_str("</objects></JointSet>\n<MarkerSet name=\"markerset\"><objects>\n");
    let columns = solve::columns(subject, &trial.labels())?;
    let places = subject
        .segments()
        .iter()
        .zip(names)
        .flat_map(|(segment, name)| segment.markers.iter().map(move |marker| (marker, name)));
    let called = marker_names(&trial.labels());
    let mut put = |label: &str, body: &str, position_in_segment_m: &Point3<f64>| {
        let _ = writeln!(
            text,
            "<Marker name=\"{}\"><socket_parent_frame>/bodyset/{body}</socket_parent_frame><location>{}</location><fixed>false</fixed></Marker>",
            escaped(label),
            numbers(position_in_segment_m.coords.iter()),
        );
    };
    // Of who was filmed the points that were posed are all that counts: keypoints would pull at them.
    let posed = posed_points(subject);
    for ((marker, body), column) in places.zip(columns).filter(|_| posed.is_empty()) {
        let label = column.map_or_else(|| marker_name(&marker.label), |c| called[c].clone());
        put(&label, body, &marker.position_in_segment_m);
    }
    for point in &posed {
        put(&marker_name(&point.label), &names[point.segment], &point.position_in_segment_m);
    }
    text.push_str("</objects></MarkerSet>\n</Model>\n</OpenSimDocument>\n");
    Ok(text)
}

fn write_joint(joint: &LinkageJoint, text: &mut String) {
    let LinkageJoint { name, parent, child, turns, moves, start } = joint;
    let _ = writeln!(
        text,
        "<CustomJoint name=\"{name}\"><socket_parent_frame>{}_offset</socket_parent_frame><socket_child_frame>{}_offset</socket_child_frame>",
        parent.0, child.0
    );
    text.push_str("<coordinates>");
    let mut starts = start.iter();
    let mut begins = || starts.next().copied().unwrap_or(0.0);
    for (name, _, [low, high]) in turns {
        let _ = write!(
            text,
            "<Coordinate name=\"{name}\"><default_value>{:.9}</default_value><range>{low:.6} {high:.6}</range><clamped>false</clamped></Coordinate>",
            begins()
        );
    }
    for name in moves {
        let _ = write!(
            text,
            "<Coordinate name=\"{name}\"><default_value>{:.9}</default_value><range>-100 100</range><clamped>false</clamped></Coordinate>",
            begins()
        );
    }
    text.push_str("</coordinates>\n<frames>");
    for (body, at_m, axes) in [parent, child] {
        let socket =
            if body == "ground" { "/ground".to_owned() } else { format!("/bodyset/{body}") };
        let _ = write!(
            text,
            "<PhysicalOffsetFrame name=\"{body}_offset\"><socket_parent>{socket}</socket_parent><translation>{}</translation><orientation>{}</orientation></PhysicalOffsetFrame>",
            numbers(at_m.coords.iter()),
            numbers(xyz(axes).iter()),
        );
    }
    text.push_str("</frames>\n<SpatialTransform>");
    for (index, (name, axis, _)) in turns.iter().enumerate() {
        axis_of(text, &format!("rotation{}", index + 1), Some(name), axis);
    }
    for index in 0..3 {
        axis_of(
            text,
            &format!("translation{}", index + 1),
            moves.get(index),
            &Vector3::ith(index, 1.0),
        );
    }
    text.push_str("</SpatialTransform></CustomJoint>\n");
}

fn axis_of(text: &mut String, name: &str, coordinate: Option<&String>, axis: &Vector3<f64>) {
    let axis = numbers(axis.iter());
    let _ = match coordinate {
        Some(coordinate) => write!(
            text,
            "<TransformAxis name=\"{name}\"><coordinates>{coordinate}</coordinates><axis>{axis}</axis><LinearFunction name=\"function\"><coefficients>1 0</coefficients></LinearFunction></TransformAxis>"
        ),
        None => write!(
            text,
            "<TransformAxis name=\"{name}\"><axis>{axis}</axis><Constant name=\"function\"><value>0</value></Constant></TransformAxis>"
        ),
    };
}

/// The angles a, b, c of R = Rx(a) Ry(b) Rz(c), as offset frames have them.
fn xyz(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let (a, b, c) = rotation.inverse().euler_angles();
    [-a, -b, -c]
}

fn numbers<'a>(values: impl Iterator<Item = &'a f64>) -> String {
    values.map(|value| format!("{value:.9}")).collect::<Vec<_>>().join(" ")
}

/// A label as OpenSim takes it for the name of a marker.
///
/// It refuses blanks and some signs; `markers.trc` has the same names.
pub(crate) fn marker_name(label: &str) -> String {
    let is_refused = |c: char| c.is_whitespace() || matches!(c, '*' | '+' | '\\' | '/');
    label.chars().map(|c| if is_refused(c) { '_' } else { c }).collect()
}

/// Labels as OpenSim takes them, no two of them alike: what becomes another's name is numbered.
pub(crate) fn marker_names(labels: &[&str]) -> Vec<String> {
    let plain: Vec<String> = labels.iter().map(|label| marker_name(label)).collect();
    let mut names: Vec<String> = Vec::with_capacity(labels.len());
    for (index, name) in plain.iter().enumerate() {
        let is_taken = |name: &String| names.contains(name);
        let is_others = |name: &String| is_taken(name) || plain[index + 1..].contains(name);
        let numbered = || (2..).map(|n| format!("{name}_{n}")).find(|name| !is_others(name));
        let own = if is_taken(name) { numbered() } else { None };
        names.push(own.unwrap_or_else(|| name.clone()));
    }
    names
}

pub(super) fn escaped(label: &str) -> String {
    label.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_become_one_name_are_numbered() {
        let labels = ["r asis", "r_asis", "r*asis", "r_asis_2"];
        assert_eq!(marker_names(&labels), ["r_asis", "r_asis_3", "r_asis_4", "r_asis_2"]);
    }

    #[test]
    fn markers_have_names_that_opensim_takes() {
        assert_eq!(marker_name("r asis"), "r_asis");
        assert_eq!(marker_name("*1"), "_1");
        assert_eq!(marker_name("JOE:RTHI"), "JOE:RTHI");
    }
}
