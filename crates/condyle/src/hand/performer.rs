//! A hand that performs: a model as what [`simulate`](crate::simulate) moves.

use std::collections::BTreeMap;

use nalgebra::{Point3, Unit, UnitQuaternion, Vector3};

use super::model::{Finger, Model, Side, WRIST};
use crate::error::Result;
use crate::simulate::{Digit, Follower, Joint, JointAxis, Performer, Segment, Site};

/// The marker set of a simulated hand.
const MARKER_SET: &str = "hand";

/// The hand as a performer whose joints are those of the model, with its markers.
pub fn performer(model: &Model) -> Performer {
    let mirror = |v: Vector3<f64>| model.side.mirrored(v);
    let mut build = Build { segments: Vec::new(), angles: 0, side: model.side };
    let root = build.add("forearm", None, Vector3::zeros(), "", Vec::new());
    let hand = build.add("hand", Some(root), Vector3::zeros(), WRIST, Vec::new());
    for marker in &model.markers {
        build.segments[hand].sites.push(site(&marker.name, mirror(marker.at_m.coords)));
    }
    let digits = model.fingers.iter().map(|finger| build.finger(finger, hand)).collect();
    Performer {
        name: format!("{} {}", model.side, model.name),
        segments: build.segments,
        marker_set: MARKER_SET.to_owned(),
        is_fixed: false,
        legs: Vec::new(),
        walk: None,
        chicken_walk: None,
        exercises: Vec::new(),
        digits,
    }
}

/// The performer of a hand by its name, `hand`, `right-hand` or `left-hand`, or by the text of a model; nothing of whatever
/// is no hand.
///
/// # Errors
/// The text is a model that is broken.
pub fn performer_of(name_or_model: &str) -> Result<Option<Performer>> {
    /// A hand of usual length.
    const HAND_LENGTH_M: f64 = 0.19;
    let model = match name_or_model {
        "hand" | "right-hand" => Model::standard(Side::Right, HAND_LENGTH_M)?,
        "left-hand" => Model::standard(Side::Left, HAND_LENGTH_M)?,
        // The description of a hand says which hand it is.
        text if text.lines().any(|line| line.trim_start().starts_with("hand_length_mm")) => {
            Model::from_toml(text)?
        }
        _ => return Ok(None),
    };
    Ok(Some(performer(&model)))
}

struct Build {
    segments: Vec<Segment>,
    angles: usize,
    side: Side,
}

impl Build {
    fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        at_m: Vector3<f64>,
        joint: &str,
        axes: Vec<JointAxis>,
    ) -> usize {
        self.angles += axes.len();
        self.segments.push(Segment {
            name: name.to_owned(),
            parent,
            joint_in_parent_m: Point3::from(self.side.mirrored(at_m)),
            joint: Joint { name: joint.to_owned(), axes },
            sites: Vec::new(),
            skin: 1.0,
        });
        self.segments.len() - 1
    }

    /// All segments of a finger have the axes of the hand when nothing is bent, so its own frame is in their numbers.
    fn finger(&mut self, finger: &Finger, hand: usize) -> Digit {
        let turn = finger.hand_from_rest;
        if let Some((name, at_m)) = &finger.metacarpal {
            self.add(&format!("{} metacarpal", finger.name), Some(hand), at_m.coords, name, vec![]);
        }
        let (mut parent, mut at_m) = (hand, finger.base_in_hand_m.coords);
        let first_angle = self.angles;
        let mut flexions = Vec::new();
        for (index, joint) in finger.joints.iter().enumerate() {
            let mut axes = Vec::new();
            if let Some(range_rad) = joint.abduction_rad {
                axes.push(self.axis(&turn, Vector3::z(), range_rad));
            }
            flexions.push(self.angles + axes.len());
            axes.push(self.axis(&turn, Vector3::y(), joint.flexion_rad));
            let name = format!("{} bone {}", finger.name, index + 1);
            parent = self.add(&name, Some(parent), at_m, &joint.name, axes);
            at_m = turn * Vector3::new(joint.length_m, 0.0, 0.0);
            for marker in finger.markers.iter().filter(|marker| marker.joint == index) {
                let in_bone_m = self.side.mirrored(turn * marker.at_m);
                self.segments[parent].sites.push(site(&marker.label, in_bone_m));
            }
        }
        let in_bone_m = self.side.mirrored(turn * finger.end_marker_m());
        let label = finger.tip_label.as_deref().unwrap_or(&finger.tip);
        self.segments[parent].sites.push(site(label, in_bone_m));
        self.add(&format!("{} end", finger.name), Some(parent), at_m, &finger.tip, Vec::new());
        // The driver is the joint that bends once as far, or else the first that is coupled.
        let coupled = || (1..finger.joints.len()).filter(|j| finger.joints[*j].coupling > 0.0);
        let driver = coupled().find(|j| finger.joints[*j].coupling == 1.0);
        let driver = driver.or_else(|| coupled().next()).unwrap_or(1);
        let unit = finger.joints[driver].coupling.max(1e-6);
        let followers = coupled().filter(|joint| *joint != driver).map(|joint| Follower {
            angle: flexions[joint],
            ratio: finger.joints[joint].coupling / unit,
        });
        Digit {
            name: finger.name.clone(),
            abduction: first_angle,
            flexion: flexions[0],
            drive: flexions[driver],
            followers: followers.collect(),
            tip_segment: parent,
        }
    }

    /// In a mirror turns go the other way round.
    fn axis(
        &self,
        turn: &UnitQuaternion<f64>,
        axis: Vector3<f64>,
        range_rad: [f64; 2],
    ) -> JointAxis {
        let sign = if self.side == Side::Left { -1.0 } else { 1.0 };
        JointAxis {
            direction: Unit::new_normalize(self.side.mirrored(turn * axis) * sign),
            range_rad,
            rom_rad: range_rad,
            rest_rad: 0.0,
        }
    }
}

fn site(label: &str, in_segment_m: Vector3<f64>) -> Site {
    let labels = BTreeMap::from([(MARKER_SET.to_owned(), label.to_owned())]);
    Site { in_segment_m: Point3::from(in_segment_m), labels }
}
