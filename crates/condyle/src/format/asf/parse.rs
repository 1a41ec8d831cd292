//! The sections of an ASF file as they stand there.

use crate::error::{Error, Result};
use crate::format::text;
use crate::skeleton::JointChannel;

/// More bones than any rig has; keeps memory small whatever the file claims.
const MOST_BONES: usize = 100_000;

/// One number of a bone's AMC line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) enum Dof {
    /// A translation or rotation.
    Channel(JointChannel),
    /// A change of the bone's length, which is not supported.
    Length,
}

/// A bone, or the root, in the file's own units.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Bone {
    pub(super) name: String,
    /// The direction at rest in the world's axes.
    pub(super) direction: [f64; 3],
    pub(super) length: f64,
    /// The angles of the bone's axes, or the root's orientation.
    pub(super) axis: [f64; 3],
    /// The order in which those angles turn, 0, 1, 2 for x, y, z.
    pub(super) axis_order: Vec<u8>,
    pub(super) dofs: Vec<Dof>,
    /// Whether another bone starts where this one ends.
    pub(super) has_children: bool,
}

/// The whole file.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// `:units length`, if it is there.
    pub(super) length: Option<f64>,
    pub(super) in_radians: bool,
    pub(super) root_position: [f64; 3],
    /// The root first, then the bones in file order.
    pub(super) bones: Vec<Bone>,
    /// The line, the parent's name and its children's, in file order.
    pub(super) links: Vec<(usize, String, Vec<String>)>,
}

/// Reads all sections; those that say nothing about the skeleton's shape are skipped.
pub(super) fn parse(text: &str) -> Result<Description> {
    let root = Bone { name: "root".to_owned(), axis_order: vec![0, 1, 2], ..Bone::default() };
    let mut file = Description { bones: vec![root], ..Description::default() };
    let mut section = String::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.trim();
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let mut words = line.split_whitespace();
        if line.starts_with(':') {
            section = words.next().unwrap_or("").to_ascii_lowercase();
        }
        let Some(key) = words.next() else { continue };
        let key = key.to_ascii_lowercase();
        let words: Vec<&str> = words.collect();
        match section.as_str() {
            ":units" => units(&mut file, &key, &words, number)?,
            ":root" => root_line(&mut file, &key, &words, number)?,
            ":bonedata" => bone_line(&mut file, &key, &words, number)?,
            ":hierarchy" if key != "begin" && key != "end" => {
                let parent = line.split_whitespace().next().unwrap_or("").to_owned();
                let children = words.iter().map(|&word| word.to_owned()).collect();
                file.links.push((number, parent, children));
            }
            _ => {}
        }
    }
    if file.bones.len() == 1 {
        return Err(Error::malformed("skeleton: need bones in :bonedata, got none"));
    }
    Ok(file)
}

fn units(file: &mut Description, key: &str, words: &[&str], line: usize) -> Result<()> {
    match key {
        "length" => file.length = Some(numbers::<1>(words, key, line)?[0]),
        "angle" => {
            file.in_radians =
                words.first().is_some_and(|w| w.to_ascii_lowercase().starts_with("rad"));
        }
        _ => {}
    }
    Ok(())
}

fn root_line(file: &mut Description, key: &str, words: &[&str], line: usize) -> Result<()> {
    let root = &mut file.bones[0];
    match key {
        "order" => root.dofs = dofs(words, line)?,
        "axis" => root.axis_order = axis_order(words.first().copied(), line)?,
        "position" => file.root_position = numbers(words, key, line)?,
        "orientation" => root.axis = numbers(words, key, line)?,
        _ => {}
    }
    Ok(())
}

fn bone_line(file: &mut Description, key: &str, words: &[&str], line: usize) -> Result<()> {
    if key == "begin" {
        if file.bones.len() > MOST_BONES {
            return Err(Error::at_line(
                line,
                format!("bones: need at most {MOST_BONES}, got more"),
            ));
        }
        file.bones.push(Bone { axis_order: vec![0, 1, 2], ..Bone::default() });
        return Ok(());
    }
    if file.bones.len() == 1 {
        return Err(Error::at_line(line, format!("bone: need 'begin' first, got '{key}'")));
    }
    let Some(bone) = file.bones.last_mut() else { return Ok(()) };
    match key {
        "name" => bone.name = words.first().copied().unwrap_or("").to_owned(),
        "direction" => bone.direction = numbers(words, key, line)?,
        "length" => bone.length = numbers::<1>(words, key, line)?[0],
        "axis" => {
            bone.axis = numbers(words, key, line)?;
            bone.axis_order = axis_order(words.get(3).copied(), line)?;
        }
        "dof" => bone.dofs = dofs(words, line)?,
        _ => {}
    }
    Ok(())
}

fn numbers<const N: usize>(words: &[&str], key: &str, line: usize) -> Result<[f64; N]> {
    let mut values = [0.0; N];
    for (index, value) in values.iter_mut().enumerate() {
        let word = words.get(index).copied();
        *value = word.and_then(text::number).ok_or_else(|| {
            let got = word.unwrap_or("end of line");
            Error::at_line(line, format!("{key}: need {N} numbers, got '{got}'"))
        })?;
    }
    Ok(values)
}

fn axis_order(word: Option<&str>, line: usize) -> Result<Vec<u8>> {
    let word = word.unwrap_or("XYZ");
    let order: Option<Vec<u8>> = word.chars().map(axis).collect();
    order.filter(|order| order.len() <= 3).ok_or_else(|| {
        Error::at_line(line, format!("axis: need an order such as XYZ, got '{word}'"))
    })
}

fn axis(letter: char) -> Option<u8> {
    "xyz".find(letter.to_ascii_lowercase()).map(|axis| axis as u8)
}

fn dofs(words: &[&str], line: usize) -> Result<Vec<Dof>> {
    let refuse = |word: &str| {
        Error::at_line(line, format!("degree of freedom: need tx … rz or l, got '{word}'"))
    };
    let dof = |word: &&str| {
        let mut letters = word.chars();
        let kind = letters.next().map(|letter| letter.to_ascii_lowercase());
        let axis = letters.next().and_then(axis);
        match (kind, axis, letters.next()) {
            (Some('l'), None, None) => Ok(Dof::Length),
            (Some('t'), Some(axis), None) => Ok(Dof::Channel(JointChannel::Translation(axis))),
            (Some('r'), Some(axis), None) => Ok(Dof::Channel(JointChannel::Rotation(axis))),
            _ => Err(refuse(word)),
        }
    };
    // Six kinds and the length: more would repeat one.
    if words.len() > 7 {
        return Err(refuse(words[7]));
    }
    words.iter().map(dof).collect()
}
