//! An Acclaim skeleton ready to be moved by AMC lines.

use std::collections::HashMap;

use nalgebra::{UnitQuaternion, Vector3};

use super::parse::{Bone, Description, Dof, parse};
use crate::error::{Error, Result};
use crate::format::ReadOptions;
use crate::motion::about;
use crate::skeleton::{Joint, JointChannel, Skeleton};
use crate::trial::Note;

/// Metres in an inch, the unit behind `:units length`.
const INCH_M: f64 = 0.0254;

/// What CMU, HDM05 and Vicon BodyBuilder write under `:units length`.
const USUAL_LENGTH: f64 = 0.45;

/// The skeleton, and how the numbers of an AMC line move it.
#[derive(Debug)]
pub(in crate::format) struct Rig {
    pub(in crate::format) skeleton: Skeleton,
    pub(in crate::format) metres_per_unit: f64,
    pub(in crate::format) in_radians: bool,
    pub(in crate::format) declared_unit: String,
    pub(in crate::format) notes: Vec<Note>,
    bones: Vec<MovedBone>,
    by_name: HashMap<String, usize>,
}

/// A bone whose AMC lines move a joint.
#[derive(Debug)]
pub(in crate::format) struct MovedBone {
    pub(in crate::format) joint: usize,
    pub(in crate::format) dofs: Vec<Dof>,
}

impl Rig {
    /// Reads an ASF file.
    pub(in crate::format) fn read(text: &str, options: &ReadOptions) -> Result<Self> {
        let mut file = parse(text)?;
        let mut notes = Vec::new();
        let metres_per_unit = metres_per_unit(&file, options, &mut notes)?;
        let declared_unit = format!("length {}", file.length.unwrap_or(1.0));
        let order = depth_first(&mut file, &mut notes)?;
        let mut rig = Self {
            skeleton: Skeleton::default(),
            metres_per_unit,
            in_radians: file.in_radians,
            declared_unit,
            notes,
            bones: Vec::new(),
            by_name: HashMap::new(),
        };
        let mut joints: Vec<Joint> = Vec::with_capacity(order.len());
        for Place { bone, parent } in order {
            rig.add_bone(&file, bone, parent, &mut joints);
        }
        rig.skeleton = Skeleton::new(joints)?;
        Ok(rig)
    }

    /// The bone with a name, letter case ignored, by number.
    pub(in crate::format) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).or_else(|| self.by_name.get(&name.to_ascii_lowercase())).copied()
    }

    /// The bones that move.
    pub(in crate::format) fn bones(&self) -> &[MovedBone] {
        &self.bones
    }

    /// Writes the channel values of a bone's joint for the numbers of its AMC line.
    ///
    /// Numbers that are not there are zero; angles are in radians if `in_radians`.
    pub(in crate::format) fn move_bone(
        &self,
        bone: usize,
        numbers: &[f64],
        in_radians: bool,
        frame_values: &mut [f64],
    ) {
        let MovedBone { joint, dofs } = &self.bones[bone];
        let channels = self.skeleton.channels_of(*joint);
        let joint = &self.skeleton.joints()[*joint];
        let Some(values) = frame_values.get_mut(channels) else { return };
        let mut shift_m = Vector3::zeros();
        // Rotations are stored last first: see the formula of `Motion`.
        let mut rotation = values.len();
        for (index, dof) in dofs.iter().enumerate() {
            let number = numbers.get(index).copied().unwrap_or(0.0);
            match dof {
                Dof::Channel(JointChannel::Rotation(_)) => {
                    rotation -= 1;
                    values[rotation] = if in_radians { number } else { number.to_radians() };
                }
                Dof::Channel(JointChannel::Translation(axis)) => {
                    shift_m[usize::from(*axis)] += number * self.metres_per_unit;
                }
                Dof::Length => {}
            }
        }
        if joint.parent.is_some() {
            shift_m = joint.joint_from_axes * shift_m;
        }
        let position_m = joint.offset_in_parent_m + shift_m;
        values[..rotation].copy_from_slice(&position_m.as_slice()[..rotation]);
    }

    fn add_bone(
        &mut self,
        file: &Description,
        index: usize,
        parent: Option<ParentJoint>,
        joints: &mut Vec<Joint>,
    ) {
        let bone = &file.bones[index];
        let offset = match parent {
            None => Vector3::from(file.root_position),
            Some(parent) => end(&file.bones[parent.bone]),
        };
        let own = joints.len();
        let mut joint =
            Joint::new(bone.name.clone(), parent.map(|p| p.joint), offset * self.metres_per_unit);
        joint.joint_from_axes = axes(bone, file.in_radians);
        joint.channels = channels(&bone.dofs);
        joints.push(joint);
        if bone.dofs.contains(&Dof::Length) {
            let text = format!("bone '{}' changes its length: its rest length is kept", bone.name);
            self.notes.push(Note::new("bone-length", text));
        }
        if !bone.dofs.is_empty() {
            self.by_name.insert(bone.name.to_ascii_lowercase(), self.bones.len());
            self.bones.push(MovedBone { joint: own, dofs: bone.dofs.clone() });
        }
        if !bone.has_children {
            let name = format!("{}_End", bone.name);
            joints.push(Joint::new(name, Some(own), end(bone) * self.metres_per_unit));
        }
    }
}

fn metres_per_unit(
    file: &Description,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<f64> {
    if let Some(unit) = options.unit {
        return Ok(unit.metres());
    }
    let length = file.length.unwrap_or(1.0);
    let metres_per_unit = INCH_M / length;
    if length <= 0.0 || !metres_per_unit.is_finite() {
        return Err(Error::malformed(format!(
            "units length: need a positive number, got {length:?}"
        )));
    }
    if length != USUAL_LENGTH {
        let text = format!(
            "length {length} instead of the usual {USUAL_LENGTH}: one unit is taken as \
             0.0254/{length} m; name the unit if the skeleton has the wrong size"
        );
        notes.push(Note::new("units", text));
    }
    Ok(metres_per_unit)
}

/// The vector from a bone's start to its end at rest, in file units.
fn end(bone: &Bone) -> Vector3<f64> {
    Vector3::from(bone.direction) * bone.length
}

/// The bone's axes: the first angle turns first.
fn axes(bone: &Bone, in_radians: bool) -> UnitQuaternion<f64> {
    let mut turned = UnitQuaternion::identity();
    for (&axis, &angle) in bone.axis_order.iter().zip(&bone.axis) {
        // The angles come in the order of the letters: `axis a b c ZYX` turns a about z.
        let angle_rad = if in_radians { angle } else { angle.to_radians() };
        if angle_rad != 0.0 {
            turned = about(axis, angle_rad) * turned;
        }
    }
    turned
}

/// The joint's channels: a position if anything translates, then the rotations, last first.
fn channels(dofs: &[Dof]) -> Vec<JointChannel> {
    let is_rotation = |dof: &&Dof| matches!(dof, Dof::Channel(JointChannel::Rotation(_)));
    let translates =
        dofs.iter().any(|dof| matches!(dof, Dof::Channel(JointChannel::Translation(_))));
    let position = (0..3).filter(|_| translates).map(JointChannel::Translation);
    let rotations = dofs.iter().rev().filter(is_rotation).filter_map(|dof| match dof {
        Dof::Channel(channel) => Some(*channel),
        Dof::Length => None,
    });
    position.chain(rotations).collect()
}

/// A bone and the joint of its parent.
struct Place {
    bone: usize,
    parent: Option<ParentJoint>,
}

/// The parent of a bone and that bone's joint.
#[derive(Clone, Copy)]
struct ParentJoint {
    bone: usize,
    joint: usize,
}

/// The bones from the root down, each after its parent; marks those that have children.
fn depth_first(file: &mut Description, notes: &mut Vec<Note>) -> Result<Vec<Place>> {
    let mut by_name = HashMap::new();
    for (index, bone) in file.bones.iter().enumerate() {
        if by_name.insert(bone.name.clone(), index).is_some() {
            let what = format!("bones: need different names, got '{}' twice", bone.name);
            return Err(Error::malformed(what));
        }
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); file.bones.len()];
    let mut has_parent = vec![false; file.bones.len()];
    for (line, parent, names) in std::mem::take(&mut file.links) {
        let find = |name: &str| {
            by_name.get(name).copied().ok_or_else(|| {
                Error::at_line(line, format!("hierarchy: need a bone of :bonedata, got '{name}'"))
            })
        };
        let parent = find(&parent)?;
        for name in names {
            let child = find(&name)?;
            if child == 0 || std::mem::replace(&mut has_parent[child], true) {
                let what = format!("hierarchy: need one parent for '{name}', got another");
                return Err(Error::at_line(line, what));
            }
            children[parent].push(child);
            file.bones[parent].has_children = true;
        }
    }
    let mut order = Vec::with_capacity(file.bones.len());
    let mut waiting = vec![Place { bone: 0, parent: None }];
    // A bone without children is followed by its end site, which takes a place among the joints.
    let mut joint = 0;
    while let Some(place) = waiting.pop() {
        let parent = ParentJoint { bone: place.bone, joint };
        joint += if children[place.bone].is_empty() { 2 } else { 1 };
        let next = children[place.bone].iter().rev();
        waiting.extend(next.map(|&bone| Place { bone, parent: Some(parent) }));
        order.push(place);
    }
    if order.len() < file.bones.len() {
        let lost = file.bones.len() - order.len();
        let text = format!("{lost} bones are not below the root in :hierarchy and are left out");
        notes.push(Note::new("bones-left-out", text));
    }
    Ok(order)
}
