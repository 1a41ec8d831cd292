//! The `HIERARCHY` half of a BVH file.

use std::collections::HashSet;

use nalgebra::Vector3;

use super::cursor::{Cursor, quoted};
use crate::error::Result;
use crate::format::text;
use crate::skeleton::{Joint, JointChannel};
use crate::trial::{LengthUnit, Note};

/// A joint whose closing brace has not come yet.
struct Open {
    joint: usize,
    is_end_site: bool,
    has_offset: bool,
}

/// Reads the joints up to and including the word `MOTION`; offsets are written in `unit`.
///
/// Fuzzed files nest a hundred thousand deep, so the open joints are on a stack of our own.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    unit: LengthUnit,
    notes: &mut Vec<Note>,
) -> Result<Vec<Joint>> {
    cursor.eat("HIERARCHY");
    let mut joints: Vec<Joint> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    loop {
        let before = cursor.clone();
        let token = cursor.token();
        let word = token.unwrap_or("").to_ascii_uppercase();
        match (word.as_str(), open.last_mut()) {
            ("ROOT" | "JOINT", parent) => {
                if parent.as_ref().is_some_and(|parent| parent.is_end_site) {
                    return Err(before.error("End Site: need only an OFFSET, got a joint"));
                }
                let parent = parent.map(|parent| parent.joint);
                let name = cursor.name();
                joints.push(Joint::new(name, parent, Vector3::zeros()));
                opening_brace(cursor, name)?;
                open.push(Open { joint: joints.len() - 1, is_end_site: false, has_offset: false });
            }
            ("END", Some(parent)) if !parent.is_end_site => {
                let parent = parent.joint;
                let name = format!("{}_End", joints[parent].name);
                cursor.name();
                opening_brace(cursor, &name)?;
                joints.push(Joint::new(name, Some(parent), Vector3::zeros()));
                open.push(Open { joint: joints.len() - 1, is_end_site: true, has_offset: false });
            }
            ("OFFSET", Some(current)) => {
                joints[current.joint].offset_in_parent_m = offset(cursor, unit)?;
                current.has_offset = true;
            }
            ("CHANNELS", Some(current)) => {
                if current.joint + 1 != joints.len() {
                    return Err(before.error("CHANNELS: need them before the children, got after"));
                }
                let channels = channels(cursor, notes)?;
                joints[current.joint].channels.extend(channels);
            }
            ("}", Some(current)) => {
                if !current.has_offset {
                    let name = &joints[current.joint].name;
                    return Err(before.error(format!("joint '{name}': need an OFFSET, got none")));
                }
                open.pop();
            }
            ("MOTION", None) => break,
            ("", None) if !joints.is_empty() => {
                notes.push(Note::new("no-motion", "the file ends after the skeleton"));
                break;
            }
            (_, None) => {
                let got = quoted(token);
                return Err(before.error(format!("hierarchy: need ROOT or MOTION, got {got}")));
            }
            (_, Some(current)) => {
                let name = quoted(Some(&joints[current.joint].name));
                let need = "need OFFSET, CHANNELS, JOINT, End Site or }";
                let got = quoted(token);
                return Err(before.error(format!("joint {name}: {need}, got {got}")));
            }
        }
    }
    if joints.is_empty() {
        return Err(cursor.error("hierarchy: need at least one ROOT, got none"));
    }
    note_duplicates(&joints, notes);
    joints.shrink_to_fit();
    Ok(joints)
}

fn opening_brace(cursor: &mut Cursor<'_>, name: &str) -> Result<()> {
    let before = cursor.clone();
    match cursor.token() {
        Some("{") => Ok(()),
        token => {
            let got = quoted(token);
            Err(before.error(format!("joint {}: need {{, got {got}", quoted(Some(name)))))
        }
    }
}

fn offset(cursor: &mut Cursor<'_>, unit: LengthUnit) -> Result<Vector3<f64>> {
    let mut offset_m = Vector3::zeros();
    for coordinate_m in offset_m.iter_mut() {
        let before = cursor.clone();
        let token = cursor.token();
        let parsed = token.and_then(|token| text::length_m(token, unit));
        *coordinate_m = parsed.ok_or_else(|| {
            before.error(format!("OFFSET: need three numbers, got {}", quoted(token)))
        })?;
    }
    Ok(offset_m)
}

/// Reads the channel names; their number is a claim, the names are what counts.
fn channels(cursor: &mut Cursor<'_>, notes: &mut Vec<Note>) -> Result<Vec<JointChannel>> {
    let before = cursor.clone();
    let token = cursor.token();
    let declared = token
        .and_then(|token| token.parse::<usize>().ok())
        .ok_or_else(|| before.error(format!("CHANNELS: need how many, got {}", quoted(token))))?;
    let mut channels = Vec::new();
    while let Some(channel) = cursor.peek().and_then(channel) {
        cursor.token();
        channels.push(channel);
    }
    if channels.len() == declared {
        return Ok(channels);
    }
    let next = cursor.peek();
    let is_keyword = next.is_some_and(|next| {
        ["JOINT", "END", "OFFSET", "}"].iter().any(|word| next.eq_ignore_ascii_case(word))
    });
    if !is_keyword {
        let got = quoted(next);
        return Err(cursor.error(format!("channel: need Xposition … Zrotation, got {got}")));
    }
    if notes.iter().all(|note| note.code != "channel-count") {
        let text = format!(
            "line {}: CHANNELS says {declared}, {} are named: the names are used",
            before.line(),
            channels.len()
        );
        notes.push(Note::new("channel-count", text));
    }
    Ok(channels)
}

fn channel(name: &str) -> Option<JointChannel> {
    let (letter, kind) = name.split_at_checked(1)?;
    let axis = "xyz".find(&letter.to_ascii_lowercase())? as u8;
    match kind.to_ascii_lowercase().as_str() {
        "position" => Some(JointChannel::Translation(axis)),
        "rotation" => Some(JointChannel::Rotation(axis)),
        _ => None,
    }
}

fn note_duplicates(joints: &[Joint], notes: &mut Vec<Note>) {
    let mut seen = HashSet::new();
    let duplicates: Vec<&str> =
        joints.iter().map(|joint| joint.name.as_str()).filter(|&name| !seen.insert(name)).collect();
    if let Some(first) = duplicates.first() {
        let text = format!(
            "{} joints share their name with an earlier one, the first is {}: all are kept",
            duplicates.len(),
            quoted(Some(first))
        );
        notes.push(Note::new("duplicate-labels", text));
    }
}
