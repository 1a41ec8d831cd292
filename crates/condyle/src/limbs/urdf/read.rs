//! What a URDF says of links and joints.
//!
//! Read in one pass, without recursion; entities are never expanded.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Error, Result};
use crate::xml::{attribute, local_name};

/// Elements inside one another at most; URDF uses five.
const DEEPEST: usize = 100;

/// The links and joints of a robot, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Robot {
    pub links: Vec<String>,
    pub joints: Vec<Joint>,
}

/// A joint.
#[derive(Debug)]
pub(super) struct Joint {
    pub name: String,
    pub kind: JointKind,
    pub parent: String,
    pub child: String,
    /// Where the joint is at zero.
    pub parent_from_joint: Isometry3<f64>,
    pub axis: Vector3<f64>,
    /// Smallest and largest value, in radians or metres.
    pub range: [f64; 2],
    /// Whether it follows another joint.
    pub is_mimic: bool,
}

/// How a joint moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum JointKind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    /// What linkages do not have, by its name.
    Other(String),
}

/// Reads the text of a URDF.
pub(super) fn read(text: &str) -> Result<Robot> {
    let mut xml = Reader::from_str(text);
    let mut robot = Robot::default();
    let mut depth = 0_usize;
    let mut is_robot = false;
    loop {
        let at = xml.buffer_position();
        let not_urdf = |what: String| Error::at_byte(at, format!("not a URDF: {what}"));
        match xml.read_event() {
            Ok(Event::Start(element)) => {
                depth += 1;
                is_robot |= depth == 1 && local_name(&element) == "robot";
                robot.start(&element, depth).map_err(|what| Error::at_byte(at, what))?;
            }
            Ok(Event::Empty(element)) => {
                robot.start(&element, depth + 1).map_err(|what| Error::at_byte(at, what))?;
            }
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::Eof) if depth > 0 => {
                return Err(not_urdf(format!("the file ends inside {depth} elements")));
            }
            Ok(Event::Eof) if !is_robot => {
                return Err(not_urdf("need an element <robot>, got none".into()));
            }
            Ok(Event::Eof) => return Ok(robot),
            Ok(_) => {}
            Err(error) => return Err(not_urdf(format!("broken xml, {error}"))),
        }
        if depth > DEEPEST {
            return Err(not_urdf(format!("need elements at most {DEEPEST} deep, got deeper")));
        }
    }
}

impl Robot {
    /// Takes in an element: links and joints are inside the robot, what is said of a joint inside it.
    fn start(&mut self, element: &BytesStart<'_>, depth: usize) -> Result<(), String> {
        let said = |wanted: &str| attribute(element, wanted);
        let needed = |wanted: &str| {
            let what =
                || format!("<{}>: need an attribute '{wanted}', got none", local_name(element));
            said(wanted).ok_or_else(what)
        };
        match (depth, local_name(element).as_str()) {
            (2, "link") => self.links.push(needed("name")?),
            (2, "joint") => self.joints.push(Joint::new(needed("name")?, &needed("type")?)),
            _ => {}
        }
        // Links have origins too: those of their shapes, deeper inside.
        let Some(joint) = self.joints.last_mut().filter(|_| depth == 3) else { return Ok(()) };
        let numbers = |wanted: &str, default: [f64; 3]| match said(wanted) {
            None => Ok(default),
            Some(text) => three(&text).ok_or_else(|| {
                let joint = &joint.name;
                format!("joint '{joint}': need three numbers as {wanted}, got '{text}'")
            }),
        };
        match local_name(element).as_str() {
            "parent" => joint.parent = needed("link")?,
            "child" => joint.child = needed("link")?,
            "origin" => {
                let [roll, pitch, yaw] = numbers("rpy", [0.0; 3])?;
                joint.parent_from_joint = Isometry3::from_parts(
                    Translation3::from(Vector3::from(numbers("xyz", [0.0; 3])?)),
                    UnitQuaternion::from_euler_angles(roll, pitch, yaw),
                );
            }
            "axis" => joint.axis = Vector3::from(numbers("xyz", [1.0, 0.0, 0.0])?),
            "limit" => {
                for (index, wanted) in ["lower", "upper"].into_iter().enumerate() {
                    let Some(text) = said(wanted) else { continue };
                    let what = || {
                        let joint = &joint.name;
                        format!("joint '{joint}': need a number as {wanted} limit, got '{text}'")
                    };
                    joint.range[index] = number(&text).ok_or_else(what)?;
                }
            }
            "mimic" => joint.is_mimic = true,
            _ => {}
        }
        Ok(())
    }
}

impl Joint {
    fn new(name: String, kind: &str) -> Self {
        Self {
            name,
            kind: match kind {
                "fixed" => JointKind::Fixed,
                "revolute" => JointKind::Revolute,
                "continuous" => JointKind::Continuous,
                "prismatic" => JointKind::Prismatic,
                other => JointKind::Other(other.to_owned()),
            },
            parent: String::new(),
            child: String::new(),
            parent_from_joint: Isometry3::identity(),
            axis: Vector3::x(),
            range: [0.0; 2],
            is_mimic: false,
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

fn three(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split_whitespace().map(number);
    let three = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(three)
}
