//! The model of a hand as TOML.

use std::fmt::Write as _;

use nalgebra::{Point3, UnitQuaternion, Vector3};
use serde::Deserialize;

use super::model::{Finger, FingerJoint, FingerMarker, MAX_JOINTS, Model, PalmMarker, Side};
use crate::error::{Error, Result};
use crate::tables;

/// The length of the hand that `standard.toml` describes.
pub(super) const STANDARD_LENGTH_M: f64 = 0.19;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hand {
    #[serde(default)]
    name: String,
    side: String,
    hand_length_mm: f64,
    #[serde(default)]
    marker: Vec<Marker>,
    finger: Vec<FingerEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Marker {
    name: String,
    at_mm: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FingerEntry {
    name: String,
    #[serde(default)]
    number: usize,
    metacarpal: Option<String>,
    metacarpal_mm: Option<[f64; 3]>,
    base_mm: [f64; 3],
    #[serde(default)]
    rest_deg: [f64; 3],
    #[serde(default)]
    tip_marker_mm: [f64; 3],
    tip_label: Option<String>,
    #[serde(default)]
    joint_sds_mm: Vec<f64>,
    joints: Vec<JointEntry>,
    #[serde(default)]
    markers: Vec<FingerMarkerEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JointEntry {
    name: String,
    length_mm: f64,
    flexion_deg: [f64; 2],
    abduction_deg: Option<[f64; 2]>,
    #[serde(default)]
    coupling: f64,
    #[serde(default)]
    offset_deg: f64,
    #[serde(default)]
    coupling_sd: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FingerMarkerEntry {
    label: String,
    joint: String,
    at_mm: [f64; 3],
}

/// Reads; [`Model::check`] says what makes no sense.
pub(super) fn read(text: &str) -> Result<Model> {
    let hand: Hand = tables::read(text)?;
    let fingers: Vec<Finger> = hand.finger.into_iter().map(finger).collect::<Result<_>>()?;
    let marker = |marker: Marker| PalmMarker { name: marker.name, at_m: point(marker.at_mm) };
    Ok(Model {
        name: hand.name,
        side: hand.side.parse::<Side>()?,
        hand_length_m: hand.hand_length_mm * 1e-3,
        markers: hand.marker.into_iter().map(marker).collect(),
        fingers,
    })
}

fn finger(entry: FingerEntry) -> Result<Finger> {
    let joints: Vec<FingerJoint> = (entry.joints.into_iter())
        .map(|joint| FingerJoint {
            name: joint.name,
            length_m: joint.length_mm * 1e-3,
            flexion_rad: joint.flexion_deg.map(f64::to_radians),
            abduction_rad: joint.abduction_deg.map(|range| range.map(f64::to_radians)),
            coupling: joint.coupling,
            offset_rad: joint.offset_deg.to_radians(),
            coupling_sd: joint.coupling_sd,
        })
        .collect();
    let of_joint = |marker: FingerMarkerEntry| {
        let joint =
            joints.iter().position(|joint| joint.name == marker.joint).ok_or_else(|| {
                Error::argument(format!(
                    "marker {}: need a joint of {}, got '{}'",
                    marker.label, entry.name, marker.joint
                ))
            })?;
        Ok(FingerMarker { label: marker.label, joint, at_m: point(marker.at_mm).coords })
    };
    let markers = entry.markers.into_iter().map(of_joint).collect::<Result<_>>()?;
    let mut joint_sds_m = [0.0; MAX_JOINTS + 1];
    joint_sds_m.iter_mut().zip(&entry.joint_sds_mm).for_each(|(sd, mm)| *sd = mm * 1e-3);
    let metacarpal = match (entry.metacarpal, entry.metacarpal_mm) {
        (Some(name), Some(at)) => Some((name, point(at))),
        (None, None) => None,
        _ => {
            let name = entry.name;
            return Err(Error::argument(format!(
                "finger {name}: need metacarpal and metacarpal_mm, got one of them"
            )));
        }
    };
    Ok(Finger {
        tip: format!("{}_tip", entry.name),
        name: entry.name,
        number: entry.number,
        metacarpal,
        base_in_hand_m: point(entry.base_mm),
        hand_from_rest: turn(entry.rest_deg),
        joints,
        tip_marker_m: point(entry.tip_marker_mm).coords,
        tip_label: entry.tip_label,
        markers,
        joint_sds_m,
    })
}

fn point(mm: [f64; 3]) -> Point3<f64> {
    Point3::from(mm.map(|mm| mm * 1e-3))
}

/// Yaw about z, then pitch about y, then roll about x, each about the axes that those before leave.
fn turn([yaw, pitch, roll]: [f64; 3]) -> UnitQuaternion<f64> {
    let about = |axis: Vector3<f64>, deg: f64| UnitQuaternion::new(axis * deg.to_radians());
    about(Vector3::z(), yaw) * about(Vector3::y(), pitch) * about(Vector3::x(), roll)
}

/// Writes what [`read`] reads.
pub(super) fn write(model: &Model) -> String {
    let mut out = String::new();
    // A string never fails to be written to.
    let _ = writeln!(
        out,
        "# A hand, as condyle reads it: millimetres and degrees; x along the hand to the fingers, y towards the thumb,\n\
         # z out of its back. docs/hand.md has the rest."
    );
    let _ = writeln!(out, "name = {}", quoted(&model.name));
    let _ = writeln!(out, "side = \"{}\"", model.side);
    let _ = writeln!(out, "hand_length_mm = {}", mm(model.hand_length_m));
    for marker in &model.markers {
        let _ = writeln!(out, "\n[[marker]]\nname = {}", quoted(&marker.name));
        let _ = writeln!(out, "at_mm = {}", triple(&marker.at_m.coords));
    }
    for finger in &model.fingers {
        let _ = writeln!(out, "\n[[finger]]\nname = {}", quoted(&finger.name));
        let _ = writeln!(out, "number = {}", finger.number);
        if let Some((name, at_m)) = &finger.metacarpal {
            let _ = writeln!(out, "metacarpal = {}", quoted(name));
            let _ = writeln!(out, "metacarpal_mm = {}", triple(&at_m.coords));
        }
        let _ = writeln!(out, "base_mm = {}", triple(&finger.base_in_hand_m.coords));
        let (roll, pitch, yaw) = finger.hand_from_rest.euler_angles();
        let deg = [yaw, pitch, roll].map(|rad| text(rad.to_degrees())).join(", ");
        let _ = writeln!(out, "rest_deg = [{deg}]");
        let _ = writeln!(out, "tip_marker_mm = {}", triple(&finger.tip_marker_m));
        if let Some(label) = &finger.tip_label {
            let _ = writeln!(out, "tip_label = {}", quoted(label));
        }
        if finger.joint_sds_m.iter().any(|sd_m| *sd_m > 0.0) {
            let sds = finger.joint_sds_m[..=finger.joints.len()].iter().map(|sd_m| mm(*sd_m));
            let _ = writeln!(out, "joint_sds_mm = [{}]", sds.collect::<Vec<_>>().join(", "));
        }
        let _ = writeln!(out, "joints = [");
        for joint in &finger.joints {
            let pair = |range: [f64; 2]| range.map(|rad| text(rad.to_degrees())).join(", ");
            let name = quoted(&joint.name);
            let _ = write!(out, "    {{ name = {name}, length_mm = {}", mm(joint.length_m));
            let _ = write!(out, ", flexion_deg = [{}]", pair(joint.flexion_rad));
            if let Some(range) = joint.abduction_rad {
                let _ = write!(out, ", abduction_deg = [{}]", pair(range));
            }
            if joint.coupling != 0.0 {
                let _ = write!(out, ", coupling = {}", text(joint.coupling));
            }
            if joint.offset_rad != 0.0 {
                let _ = write!(out, ", offset_deg = {}", text(joint.offset_rad.to_degrees()));
            }
            if joint.coupling_sd != 0.0 {
                let _ = write!(out, ", coupling_sd = {}", text(joint.coupling_sd));
            }
            let _ = writeln!(out, " }},");
        }
        let _ = writeln!(out, "]");
        for marker in &finger.markers {
            let joint = quoted(&finger.joints[marker.joint].name);
            let _ = writeln!(out, "[[finger.markers]]\nlabel = {}", quoted(&marker.label));
            let _ = writeln!(out, "joint = {joint}\nat_mm = {}", triple(&marker.at_m));
        }
    }
    out
}

fn quoted(text: &str) -> String {
    // A JSON string is a TOML string.
    serde_json::to_string(text).unwrap_or_default()
}

fn mm(length_m: f64) -> String {
    text(length_m * 1e3)
}

/// To a ten-thousandth of a millimetre or degree.
fn text(value: f64) -> String {
    format!("{}", (value * 1e4).round() / 1e4 + 0.0)
}

fn triple(at_m: &Vector3<f64>) -> String {
    format!("[{}, {}, {}]", mm(at_m.x), mm(at_m.y), mm(at_m.z))
}
