//! The model of a hand: joints, bones, limits, couplings, markers. Data, read from a file.

use std::fmt;
use std::str::FromStr;

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::file;
use crate::error::{Error, Result};

/// The most joints of a finger.
pub const MAX_JOINTS: usize = 4;
/// The most fingers of a hand.
pub const MAX_FINGERS: usize = 8;

/// Which hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// A left hand.
    Left,
    /// A right hand.
    #[default]
    Right,
}

impl Side {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// A point or vector of the world as a right hand has it: a left hand is seen in a mirror.
    #[inline]
    pub(crate) fn mirrored(self, v: Vector3<f64>) -> Vector3<f64> {
        match self {
            Self::Right => v,
            Self::Left => Vector3::new(v.x, -v.y, v.z),
        }
    }

    /// A pose likewise; its local frame is mirrored too, so that it stays a rotation.
    pub(crate) fn mirrored_pose(self, pose: &Isometry3<f64>) -> Isometry3<f64> {
        match self {
            Self::Right => *pose,
            Self::Left => {
                let q = pose.rotation.quaternion();
                let turned = nalgebra::Quaternion::new(q.w, -q.i, q.j, -q.k);
                let at = self.mirrored(pose.translation.vector);
                Isometry3::from_parts(at.into(), UnitQuaternion::new_normalize(turned))
            }
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Side {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "left" => Ok(Self::Left),
            "right" => Ok(Self::Right),
            _ => Err(Error::argument(format!("side: need left or right, got '{name}'"))),
        }
    }
}

/// A hand.
///
/// All positions are in the frame of the hand: origin at the wrist, x towards the fingers, y towards the thumb, z out
/// of the back of the hand. For a left hand that frame is left-handed: the same numbers serve both.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Which hand it is.
    pub side: Side,
    /// From the wrist to the tip of the middle finger.
    pub hand_length_m: f64,
    /// Markers on the back of the hand.
    pub markers: Vec<PalmMarker>,
    /// The fingers; the thumb is one of them.
    pub fingers: Vec<Finger>,
}

/// A marker on the back of the hand.
#[derive(Debug, Clone, PartialEq)]
pub struct PalmMarker {
    /// Its label.
    pub name: String,
    /// Where it is in the hand.
    pub at_m: Point3<f64>,
}

/// A finger.
#[derive(Debug, Clone, PartialEq)]
pub struct Finger {
    /// Its name: `index`.
    pub name: String,
    /// The document's i of F_{i,j}; 0 for a finger that the document has not.
    pub number: usize,
    /// The joint at the near end of its metacarpal, which does not move, and where it is.
    pub metacarpal: Option<(String, Point3<f64>)>,
    /// Where its first moving joint is.
    pub base_in_hand_m: Point3<f64>,
    /// Its frame when no joint is bent: x along the finger, y the axis of flexion, z out of the nail.
    pub hand_from_rest: UnitQuaternion<f64>,
    /// Its joints, the base first.
    pub joints: Vec<FingerJoint>,
    /// The name of its tip: `index_tip`.
    pub tip: String,
    /// The marker of the tip, from the tip in the frame of the end bone.
    pub tip_marker_m: Vector3<f64>,
    /// Its label, where the file says one.
    pub tip_label: Option<String>,
    /// Further markers on it.
    pub markers: Vec<FingerMarker>,
    /// How well each joint is known in its finger, the tip last: one standard deviation, 0 for exactly.
    pub joint_sds_m: [f64; MAX_JOINTS + 1],
}

/// A joint of a finger and the bone that follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct FingerJoint {
    /// Its name: `index_pip`.
    pub name: String,
    /// The length of the bone that follows.
    pub length_m: f64,
    /// The smallest and largest flexion.
    pub flexion_rad: [f64; 2],
    /// The smallest and largest turn towards the thumb, if it has that freedom.
    pub abduction_rad: Option<[f64; 2]>,
    /// How many times as far as the driving angle it bends; the first joint is free and has none.
    pub coupling: f64,
    /// How far it is bent where the driving angle is 0.
    pub offset_rad: f64,
    /// How far the coupling of a hand may be from that: one standard deviation.
    pub coupling_sd: f64,
}

/// A marker on a finger that is not at its tip.
#[derive(Debug, Clone, PartialEq)]
pub struct FingerMarker {
    /// Its label.
    pub label: String,
    /// The joint whose bone it is on, counted along the finger from 0.
    pub joint: usize,
    /// Where it is from that joint, in the frame of the bone.
    pub at_m: Vector3<f64>,
}

impl Model {
    /// The standard right hand of 190 mm, in TOML.
    pub const STANDARD: &'static str = include_str!("standard.toml");

    /// The standard hand, of a side and a length from wrist to middle tip.
    ///
    /// # Errors
    /// A length that no hand has.
    pub fn standard(side: Side, hand_length_m: f64) -> Result<Self> {
        if !(hand_length_m.is_finite() && (0.02..=2.0).contains(&hand_length_m)) {
            return Err(Error::argument(format!(
                "hand length: need 20 to 2000 mm, got {}",
                hand_length_m * 1e3
            )));
        }
        let mut model = Self::from_toml(Self::STANDARD)?;
        model.side = side;
        Ok(model.scaled(hand_length_m / file::STANDARD_LENGTH_M))
    }

    /// Reads a model.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_toml(text: &str) -> Result<Self> {
        let model = file::read(text)?;
        model.check()?;
        Ok(model)
    }

    /// The model as a file.
    pub fn to_toml(&self) -> String {
        file::write(self)
    }

    /// The same hand in another size.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.hand_length_m *= factor;
        self.markers.iter_mut().for_each(|marker| marker.at_m.coords *= factor);
        self.fingers = self.fingers.into_iter().map(|finger| finger.scaled(factor)).collect();
        self
    }

    /// Checks that it is a hand that can be posed.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn check(&self) -> Result<()> {
        if self.fingers.is_empty() || self.fingers.len() > MAX_FINGERS {
            let got = self.fingers.len();
            return Err(Error::argument(format!("fingers: need 1 to {MAX_FINGERS}, got {got}")));
        }
        let mut names: Vec<&str> = self.joint_names();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::argument(format!("joint {}: named twice", twice[0])));
        }
        for marker in &self.markers {
            let what = format!("marker {}", marker.name);
            finite(&what, marker.at_m.coords.as_slice())?;
        }
        self.fingers.iter().try_for_each(Finger::check)
    }

    /// The names of all joints: the wrist, then finger by finger, the tip last.
    pub fn joint_names(&self) -> Vec<&str> {
        let mut names = vec![WRIST];
        for finger in &self.fingers {
            names.extend(finger.metacarpal.iter().map(|(name, _)| name.as_str()));
            names.extend(finger.joints.iter().map(|joint| joint.name.as_str()));
            names.push(&finger.tip);
        }
        names
    }

    /// The document's names of the same joints: `r`, `F4,2`.
    pub fn document_names(&self) -> Vec<String> {
        let mut names = vec!["r".to_owned()];
        for finger in &self.fingers {
            let joints = finger.joint_count();
            names.extend((1..=joints).map(|joint| format!("F{},{joint}", finger.number)));
        }
        names
    }

    /// How many freedoms table 5.1 lists: those that move, and one of each metacarpal that the palm holds.
    pub fn listed_freedoms(&self) -> usize {
        let held = self.fingers.iter().filter(|finger| finger.metacarpal.is_some()).count();
        self.moving_freedoms() + held
    }

    /// How many freedoms move.
    pub fn moving_freedoms(&self) -> usize {
        let joints = self.fingers.iter().flat_map(|finger| &finger.joints);
        joints.map(|joint| 1 + usize::from(joint.abduction_rad.is_some())).sum()
    }

    /// The index of a finger by its name.
    pub fn finger(&self, name: &str) -> Option<usize> {
        self.fingers.iter().position(|finger| finger.name == name)
    }
}

/// The name of the root.
pub const WRIST: &str = "wrist";

impl Finger {
    /// How many joints it has: metacarpal, moving joints, tip.
    pub fn joint_count(&self) -> usize {
        usize::from(self.metacarpal.is_some()) + self.joints.len() + 1
    }

    /// How long it is, straight.
    pub fn length_m(&self) -> f64 {
        self.joints.iter().map(|joint| joint.length_m).sum()
    }

    /// The same finger in another size.
    #[must_use]
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        self.base_in_hand_m.coords *= factor;
        self.metacarpal.iter_mut().for_each(|(_, at_m)| at_m.coords *= factor);
        self.joints.iter_mut().for_each(|joint| joint.length_m *= factor);
        self.tip_marker_m *= factor;
        self.markers.iter_mut().for_each(|marker| marker.at_m *= factor);
        self
    }

    /// Where a marker at its tip is from the last joint, in the frame of the end bone.
    pub(super) fn end_marker_m(&self) -> Vector3<f64> {
        let length_m = self.joints.last().map_or(0.0, |joint| joint.length_m);
        Vector3::new(length_m, 0.0, 0.0) + self.tip_marker_m
    }

    /// # Errors
    /// What is wrong with it.
    fn check(&self) -> Result<()> {
        let joints = self.joints.len();
        if !(2..=MAX_JOINTS).contains(&joints) {
            return Err(Error::argument(format!(
                "finger {}: need 2 to {MAX_JOINTS} joints, got {joints}",
                self.name
            )));
        }
        finite(&format!("finger {}", self.name), self.base_in_hand_m.coords.as_slice())?;
        finite(&format!("finger {}", self.name), self.tip_marker_m.as_slice())?;
        finite(&format!("finger {}", self.name), &self.joint_sds_m)?;
        for (index, joint) in self.joints.iter().enumerate() {
            joint.check()?;
            if index > 0 && !(0.0..=4.0).contains(&joint.coupling) {
                return Err(Error::argument(format!(
                    "joint {}: need a coupling from 0 to 4, got {}",
                    joint.name, joint.coupling
                )));
            }
        }
        if self.joints.iter().skip(1).all(|joint| joint.coupling == 0.0) {
            return Err(Error::argument(format!(
                "finger {}: need a joint with a coupling above 0, or its tip could not come nearer",
                self.name
            )));
        }
        if self.joints[0].abduction_rad.is_none() {
            let name = &self.joints[0].name;
            return Err(Error::argument(format!("joint {name}: need abduction_deg, got none")));
        }
        for marker in &self.markers {
            finite(&format!("marker {}", marker.label), marker.at_m.as_slice())?;
            if marker.joint >= joints {
                return Err(Error::argument(format!(
                    "marker {}: need a joint of {}, got one that is not there",
                    marker.label, self.name
                )));
            }
        }
        Ok(())
    }
}

impl FingerJoint {
    fn check(&self) -> Result<()> {
        if !(self.length_m.is_finite() && self.length_m > 1e-4 && self.length_m < 1.0) {
            return Err(Error::argument(format!(
                "joint {}: need a bone of 0.1 to 1000 mm, got {}",
                self.name,
                self.length_m * 1e3
            )));
        }
        let ranges = [
            Some(("flexion_deg", self.flexion_rad)),
            self.abduction_rad.map(|r| ("abduction_deg", r)),
        ];
        for (what, [least, most]) in ranges.into_iter().flatten() {
            // A range that does not hold 0 would leave no straight finger.
            let is_range = least <= 0.0 && most >= 0.0 && least < most && most - least <= 6.0;
            if !is_range {
                return Err(Error::argument(format!(
                    "joint {}: need {what} from at most 0 to at least 0, got {:.1} to {:.1}",
                    self.name,
                    least.to_degrees(),
                    most.to_degrees()
                )));
            }
        }
        finite(&format!("joint {}", self.name), &[self.coupling, self.offset_rad, self.coupling_sd])
    }
}

fn finite(what: &str, values: &[f64]) -> Result<()> {
    match values.iter().find(|value| value.is_nan() || value.abs() > 10.0) {
        Some(value) => {
            Err(Error::argument(format!("{what}: need lengths of at most 10 m, got {value}")))
        }
        None => Ok(()),
    }
}
