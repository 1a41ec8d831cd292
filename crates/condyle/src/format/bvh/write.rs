//! Writing BVH.

use std::io::Write;

use nalgebra::UnitQuaternion;

use crate::cardan::Sequence;
use crate::error::Result;
use crate::format::{format_losses, frame_rate, text};
use crate::motion::{Motion, parent_from_joint};
use crate::skeleton::{Joint, JointChannel, Skeleton};
use crate::trial::{Format, LengthUnit, Note, Trial};

/// Levels of indentation at most: deeper ones would make the file grow with the square of depth.
const DEEPEST_INDENT: usize = 40;

/// The channels of a joint whose axes are its own, written in the axes of its parent.
const ZXY: [JointChannel; 3] =
    [JointChannel::Rotation(2), JointChannel::Rotation(0), JointChannel::Rotation(1)];

/// Writes the trial's motion as BVH, in the unit of length the trial came in.
///
/// Channels are written as they are where the joints' axes are parallel to their parents' (any
/// motion read from BVH). A skeleton with axes of its own (Acclaim) gets the rotations about z, x, y
/// on every joint that has children, without jumps between frames.
///
/// # Errors
/// The trial has no skeleton, or writing fails.
pub fn write(trial: &Trial, out: &mut impl Write) -> Result<Vec<Note>> {
    let Some(motion) = &trial.motion else {
        return Err(format_losses::no_skeleton(trial, Format::Bvh));
    };
    let mut notes = losses(trial, motion);
    let unit = trial.source.unit;
    let skeleton = motion.skeleton();
    let own_axes =
        skeleton.joints().iter().any(|joint| joint.joint_from_axes != UnitQuaternion::identity());
    let mut text = String::from("HIERARCHY\n");
    let written = hierarchy(&mut text, skeleton, own_axes, unit);
    if written.iter().any(|w| plain_name(&skeleton.joints()[w.joint].name).1) {
        notes.push(Note::new("joint-names", "braces and line ends in joint names became '_'"));
    }
    text.push_str("MOTION\nFrames: ");
    text.push_str(&motion.frames().to_string());
    text.push_str("\nFrame Time: ");
    frame_rate::write_period(&mut text, trial.rate_hz);
    text.push('\n');
    out.write_all(text.as_bytes())?;
    rows(out, motion, written, unit)?;
    Ok(notes)
}

/// A joint in file order and how its channels are written.
struct Written {
    joint: usize,
    as_zxy: bool,
    /// The angles of the frame before, for continuity.
    zxy_rad: [f64; 3],
}

/// Writes the joints depth first, as braces demand; returns those with channels in that order.
fn hierarchy(
    out: &mut String,
    skeleton: &Skeleton,
    own_axes: bool,
    unit: LengthUnit,
) -> Vec<Written> {
    enum Step {
        Open(usize),
        Close,
    }
    let joints = skeleton.joints();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
    let mut steps = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => steps.push(Step::Open(index)),
        }
    }
    let mut written = Vec::with_capacity(joints.len());
    let mut depth = 0;
    while let Some(step) = steps.pop() {
        let Step::Open(index) = step else {
            depth -= 1;
            line(out, depth, "}");
            continue;
        };
        let joint = &joints[index];
        let is_leaf = children[index].is_empty();
        line(out, depth, &title(joint, joints, is_leaf));
        line(out, depth, "{");
        indent(out, depth + 1);
        out.push_str("OFFSET");
        for &coordinate_m in joint.offset_in_parent_m.iter() {
            out.push(' ');
            text::write_length(out, coordinate_m, unit);
        }
        out.push('\n');
        let is_end_site = is_end_site(joint, joints, is_leaf);
        if !is_end_site {
            let as_zxy = own_axes && (!is_leaf || !joint.channels.is_empty());
            write_channels(out, depth + 1, joint, as_zxy);
            written.push(Written { joint: index, as_zxy, zxy_rad: [0.0; 3] });
        }
        depth += 1;
        steps.push(Step::Close);
        steps.extend(children[index].drain(..).map(Step::Open));
    }
    written
}

/// `ROOT name`, `JOINT name` or `End Site`.
fn title(joint: &Joint, joints: &[Joint], is_leaf: bool) -> String {
    if is_end_site(joint, joints, is_leaf) {
        return "End Site".to_owned();
    }
    let word = if joint.parent.is_some() { "JOINT" } else { "ROOT" };
    format!("{word} {}", plain_name(&joint.name).0)
}

/// Whether a joint reads back the same from an `End Site`, which has no name of its own.
fn is_end_site(joint: &Joint, joints: &[Joint], is_leaf: bool) -> bool {
    let parent = joint.parent.map(|parent| &joints[parent]);
    let name = joint.name.strip_suffix("_End");
    is_leaf
        && joint.channels.is_empty()
        && name.is_some()
        && name == parent.map(|p| p.name.as_str())
}

/// The name without what would break the file, and whether that changed it.
fn plain_name(name: &str) -> (String, bool) {
    let plain = name.trim().replace(|c: char| c.is_control() || "{}".contains(c), "_");
    let changed = plain != name;
    (plain, changed)
}

fn write_channels(out: &mut String, depth: usize, joint: &Joint, as_zxy: bool) {
    let translations = joint.channels.iter().filter(|c| matches!(c, JointChannel::Translation(_)));
    let channels: Vec<JointChannel> =
        if as_zxy { translations.chain(&ZXY).copied().collect() } else { joint.channels.clone() };
    indent(out, depth);
    out.push_str("CHANNELS ");
    out.push_str(&channels.len().to_string());
    for channel in channels {
        let (axis, kind) = match channel {
            JointChannel::Translation(axis) => (axis, "position"),
            JointChannel::Rotation(axis) => (axis, "rotation"),
        };
        out.push(' ');
        out.push(['X', 'Y', 'Z'][usize::from(axis.min(2))]);
        out.push_str(kind);
    }
    out.push('\n');
}

fn rows(
    out: &mut impl Write,
    motion: &Motion,
    mut written: Vec<Written>,
    unit: LengthUnit,
) -> Result<()> {
    let mut row = String::new();
    for frame in 0..motion.frames() {
        row.clear();
        let values = motion.frame_values(frame).unwrap_or(&[]);
        for written in &mut written {
            let joint = &motion.skeleton().joints()[written.joint];
            let own = &values[motion.skeleton().channels_of(written.joint)];
            for (channel, &value) in joint.channels.iter().zip(own) {
                match channel {
                    JointChannel::Translation(_) => {
                        text::write_length(&mut row, value, unit);
                        row.push(' ');
                    }
                    JointChannel::Rotation(_) if !written.as_zxy => write_angle(&mut row, value),
                    JointChannel::Rotation(_) => {}
                }
            }
            if written.as_zxy {
                let rotation = parent_from_joint(joint, own).rotation;
                written.zxy_rad = Sequence::ZXY.angles(&rotation, written.zxy_rad);
                written.zxy_rad.iter().for_each(|&angle_rad| write_angle(&mut row, angle_rad));
            }
        }
        row.pop();
        row.push('\n');
        out.write_all(row.as_bytes())?;
    }
    Ok(())
}

/// Writes an angle in degrees such that reading gives the same radians, and a blank.
fn write_angle(out: &mut String, angle_rad: f64) {
    let degrees = text::undo(angle_rad, f64::to_radians, angle_rad.to_degrees());
    text::write_number(out, degrees);
    out.push(' ');
}

fn line(out: &mut String, depth: usize, words: &str) {
    indent(out, depth);
    out.push_str(words);
    out.push('\n');
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n('\t', depth.min(DEEPEST_INDENT)));
}

/// What BVH has no place for.
fn losses(trial: &Trial, motion: &Motion) -> Vec<Note> {
    let names: std::collections::HashSet<&str> =
        motion.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    let markers = trial.markers.iter().filter(|m| !names.contains(m.label.as_str())).count();
    let centres = trial.markers.len() - markers;
    let joints = motion.skeleton().joints().len();
    let lost = [
        (markers, "markers"),
        (trial.bodies.len(), "rigid bodies"),
        (trial.channels.len(), "scalar channels"),
        (usize::from(trial.start_s != 0.0), "start time"),
    ];
    let mut notes: Vec<Note> = lost
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| Note::new("not-written", format!("bvh cannot hold {count} {what}")))
        .collect();
    notes.extend(format_losses::notes(trial, Format::Bvh));
    if (1..joints).contains(&centres) {
        let text = format!("bvh holds the whole skeleton: all {joints} joints were written");
        notes.push(Note::new("whole-skeleton", text));
    }
    if trial.rate_hz <= 0.0 {
        notes
            .push(Note::new("rate-unknown", "the rate is unknown: the frame time is written as 0"));
    }
    notes
}
