//! A subject as an OpenSim model: bodies, joints, markers, masses.
//!
//! Bodies have the frames of the subject's segments. Every joint has its centre where the subject has it, and three
//! coordinates with the order, signs and zero of [`super::coordinates`]; they are not clamped, since the solver keeps
//! centres together and lets segments turn. Their ranges are what the joint's kind leaves and what was recorded.

use std::fmt::Write;

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use super::coordinates::Body;
use super::masses;
use crate::error::Result;
use crate::job::SolvedPerformer;
use crate::marker_set::Side;
use crate::solve;
use crate::statistics::centroid;
use crate::subject::{Joint, JointKind};
use crate::trial::Trial;

/// What a person weighs if nothing is said, in kilograms.
pub const USUAL_WEIGHT_KG: f64 = 70.0;
/// Bodies weigh at least this, so that the model can be simulated.
const LEAST_KG: f64 = 0.05;
/// A body that no two joints tell the length of is this long.
const SHORT_M: f64 = 0.15;
/// A joint turns by this much at most, in radians.
const HALF_TURN: f64 = std::f64::consts::PI;

/// The coordinates of a joint by its distal part, turns about z, x and y; the sign of the first.
const NAMES: [(&str, [&str; 3], f64); 9] = [
    ("thigh", ["hip_flexion", "hip_adduction", "hip_rotation"], 1.0),
    ("shank", ["knee_angle", "knee_adduction", "knee_rotation"], -1.0),
    ("foot", ["ankle_angle", "subtalar_angle", "ankle_rotation"], 1.0),
    ("toes", ["mtp_angle", "mtp_inversion", "mtp_rotation"], 1.0),
    ("chest", ["lumbar_extension", "lumbar_bending", "lumbar_rotation"], 1.0),
    ("upper arm", ["arm_flex", "arm_add", "arm_rot"], 1.0),
    ("forearm", ["elbow_flex", "elbow_adduction", "pro_sup"], 1.0),
    ("hand", ["wrist_flex", "wrist_dev", "wrist_rotation"], 1.0),
    ("head", ["neck_extension", "neck_bending", "neck_rotation"], 1.0),
];

/// A solved performer as the text of an `.osim` file. Markers have the labels of the recording; y is up.
///
/// # Errors
/// The recording has none of the subject's markers.
pub fn model(trial: &Trial, performer: &SolvedPerformer, weight_kg: Option<f64>) -> Result<String> {
    let subject = &performer.subject;
    let body = Body::new(trial, performer);
    let names: Vec<String> =
        subject.segments().iter().map(|segment| plain(&segment.name)).collect();
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<OpenSimDocument Version=\"40000\">\n",
    );
    let name = if subject.name.is_empty() { "subject".to_owned() } else { plain(&subject.name) };
    let weight = weight_kg.unwrap_or(USUAL_WEIGHT_KG);
    let said = if weight_kg.is_some() { "as stated" } else { "not stated" };
    let _ = writeln!(
        text,
        "<Model name=\"{name}\">\n<credits>Condyle; masses of {weight} kg ({said}) by de Leva 1996</credits>"
    );
    text.push_str("<length_units>meters</length_units>\n<force_units>N</force_units>\n<BodySet name=\"bodyset\"><objects>\n");
    for (name, mass) in names.iter().zip(bodies(&body, weight)) {
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
    for (segment, name) in names.iter().enumerate() {
        let joint = match subject.joint_of(segment) {
            Some(joint) => between(&body, joint, &names),
            None => root(&body, segment, name),
        };
        joint.write(&mut text);
    }
    text.push_str("</objects></JointSet>\n<MarkerSet name=\"markerset\"><objects>\n");
    let columns = solve::columns(subject, &trial.labels())?;
    let places = subject
        .segments()
        .iter()
        .zip(&names)
        .flat_map(|(segment, name)| segment.markers.iter().map(move |marker| (marker, name)));
    for ((marker, body), column) in places.zip(columns) {
        let label =
            column.map_or(marker.label.as_str(), |column| trial.markers[column].label.as_str());
        let _ = writeln!(
            text,
            "<Marker name=\"{}\"><socket_parent_frame>/bodyset/{body}</socket_parent_frame><location>{}</location><fixed>false</fixed></Marker>",
            escaped(label),
            numbers(marker.position_in_segment_m.coords.iter()),
        );
    }
    text.push_str("</objects></MarkerSet>\n</Model>\n</OpenSimDocument>\n");
    Ok(text)
}

/// The mass of a body.
struct BodyMass {
    kg: f64,
    centre_m: Point3<f64>,
    inertia_kg_m2: Matrix3<f64>,
}

/// The masses of all segments, in their frames.
fn bodies(body: &Body, weight_kg: f64) -> Vec<BodyMass> {
    let subject = body.subject();
    let parts: Vec<Option<(&str, bool)>> = body
        .anatomy
        .parts
        .iter()
        .map(|part| part.map(|part| (part.name, part.side == Side::Left)))
        .collect();
    let shares = masses::shares(&parts);
    let is_person = shares.iter().sum::<f64>() > 0.5;
    let each = 1.0 / subject.segments().len().max(1) as f64;
    let share = |segment: usize| if is_person { shares[segment] } else { each };
    let kg = |segment: usize| (share(segment) * weight_kg).max(LEAST_KG);
    // Parts that the table does not have, and its rounding, add to the weight: all together are as heavy as is said.
    let scale = weight_kg / (0..subject.segments().len()).map(kg).sum::<f64>();
    let mass = |segment: usize| {
        let kg = kg(segment) * scale;
        let known = parts[segment]
            .and_then(|(name, _)| masses::PARTS.iter().find(|part| part.part == name));
        let markers = subject.segments()[segment].markers.iter();
        let middle_m =
            centroid(markers.map(|marker| marker.position_in_segment_m)).unwrap_or_default();
        let proximal_m = subject.joint_of(segment).map(|joint| joint.centre_in_child_m);
        let below = subject.joints().iter().filter(|joint| joint.parent == segment);
        let distal_m = centroid(below.map(|joint| joint.centre_in_parent_m));
        let from_m = proximal_m.unwrap_or(middle_m);
        let to_m = distal_m.unwrap_or(from_m + (middle_m - from_m) * 2.0);
        let along_m = to_m - from_m;
        let length_m = along_m.norm().max(SHORT_M);
        let (centre, radii) = known.map_or((0.5, [0.3; 3]), |part| (part.centre, part.radii));
        // The centre of a trunk is not told by hips and shoulders: its markers are about it.
        let is_trunk =
            parts[segment].is_none_or(|(name, _)| ["pelvis", "chest", "head"].contains(&name));
        let centre_m = if is_trunk { middle_m } else { from_m + along_m * centre };
        let turned = UnitQuaternion::rotation_between(&Vector3::y(), &along_m)
            .unwrap_or_default()
            .to_rotation_matrix();
        let own = Vector3::from_fn(|axis, _| kg * (radii[axis] * length_m).powi(2));
        let inertia_kg_m2 =
            turned.matrix() * Matrix3::from_diagonal(&own) * turned.matrix().transpose();
        BodyMass { kg, centre_m, inertia_kg_m2 }
    };
    (0..subject.segments().len()).map(mass).collect()
}

/// A joint as the file has it.
struct Written {
    name: String,
    parent: (String, Point3<f64>, UnitQuaternion<f64>),
    child: (String, Point3<f64>, UnitQuaternion<f64>),
    /// Name, axis and range, of rotations about z, x, y.
    turns: Vec<(String, Vector3<f64>, [f64; 2])>,
    /// Names of translations, of a root.
    moves: Vec<String>,
}

fn root(body: &Body, segment: usize, name: &str) -> Written {
    let pelvis = body.pelvis_frame().filter(|(pelvis, ..)| *pelvis == segment);
    let (prefix, origin_m, axes) = match pelvis {
        Some((_, origin_m, axes)) => ("pelvis".to_owned(), origin_m, axes),
        None => (name.to_owned(), Point3::origin(), UnitQuaternion::identity()),
    };
    let turn = |(word, axis): (&str, Vector3<f64>)| {
        (format!("{prefix}_{word}"), axis, [-HALF_TURN, HALF_TURN])
    };
    Written {
        name: format!("ground_{name}"),
        parent: ("ground".to_owned(), Point3::origin(), UnitQuaternion::identity()),
        child: (name.to_owned(), origin_m, axes),
        turns: [("tilt", Vector3::z()), ("list", Vector3::x()), ("rotation", Vector3::y())]
            .map(turn)
            .into(),
        moves: ["tx", "ty", "tz"].map(|word| format!("{prefix}_{word}")).into(),
    }
}

fn between(body: &Body, joint: &Joint, names: &[String]) -> Written {
    let axes = |segment: usize| body.anatomy.axes[segment].map(|axes| axes.segment_from_axes);
    let part = body.anatomy.parts[joint.child];
    let parent = body.anatomy.parts[joint.parent].map(|part| part.name);
    // An arm on a clavicle does not turn as one on the chest, which the names mean.
    let is_meant = |name: &str| name != "upper arm" || parent == Some("chest");
    let named =
        part.and_then(|part| NAMES.iter().find(|(name, ..)| *name == part.name && is_meant(name)));
    let (parent_axes, child_axes) = match (axes(joint.parent), axes(joint.child)) {
        (Some(parent), Some(child)) => (parent, child),
        _ => (joint.parent_from_child_rest, UnitQuaternion::identity()),
    };
    let side = part.map_or(Side::Unsaid, |part| part.side);
    let suffix = match side {
        Side::Left => "_l",
        Side::Right => "_r",
        Side::Unsaid => "",
    };
    let mirror = if side == Side::Left { -1.0 } else { 1.0 };
    let kind = joint.kind;
    let range = |component: usize| match (kind, component) {
        (JointKind::Fixed, _) => [-joint.ranges_rad[0], joint.ranges_rad[0]],
        (JointKind::Hinge, 1..) => [-joint.ranges_rad[1].max(0.1), joint.ranges_rad[1].max(0.1)],
        _ => [-HALF_TURN, HALF_TURN],
    };
    let turns = match named {
        Some((_, words, sign)) => vec![
            (format!("{}{suffix}", words[0]), Vector3::z() * *sign, range(0)),
            (format!("{}{suffix}", words[1]), Vector3::x() * mirror, range(1)),
            (format!("{}{suffix}", words[2]), Vector3::y() * mirror, range(2)),
        ],
        None => {
            let name = plain(&joint.name);
            let axes = [Vector3::z(), Vector3::x(), Vector3::y()];
            let turn =
                |(i, axis): (usize, Vector3<f64>)| (format!("{name}_{}", i + 1), axis, range(i));
            axes.into_iter().enumerate().map(turn).collect()
        }
    };
    let zero_rad = part.map_or(0.0, |part| body.zero_rad(part.name, side));
    // What is added to the first turn is taken out of the parent's axes.
    let back = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -zero_rad);
    Written {
        name: plain(&joint.name),
        parent: (names[joint.parent].clone(), joint.centre_in_parent_m, parent_axes * back),
        child: (names[joint.child].clone(), joint.centre_in_child_m, child_axes),
        turns,
        moves: Vec::new(),
    }
}

impl Written {
    fn write(&self, text: &mut String) {
        let Self { name, parent, child, .. } = self;
        let _ = writeln!(
            text,
            "<CustomJoint name=\"{name}\"><socket_parent_frame>{}_offset</socket_parent_frame><socket_child_frame>{}_offset</socket_child_frame>",
            parent.0, child.0
        );
        text.push_str("<coordinates>");
        for (name, _, [low, high]) in &self.turns {
            let _ = write!(
                text,
                "<Coordinate name=\"{name}\"><range>{low:.6} {high:.6}</range><clamped>false</clamped></Coordinate>"
            );
        }
        for name in &self.moves {
            let _ = write!(
                text,
                "<Coordinate name=\"{name}\"><range>-100 100</range><clamped>false</clamped></Coordinate>"
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
        for (index, (name, axis, _)) in self.turns.iter().enumerate() {
            axis_of(text, &format!("rotation{}", index + 1), Some(name), axis);
        }
        for index in 0..3 {
            axis_of(
                text,
                &format!("translation{}", index + 1),
                self.moves.get(index),
                &Vector3::ith(index, 1.0),
            );
        }
        text.push_str("</SpatialTransform></CustomJoint>\n");
    }
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

/// A name that OpenSim takes.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

fn escaped(label: &str) -> String {
    label.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
