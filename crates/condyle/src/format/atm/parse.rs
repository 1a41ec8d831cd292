//! The grammar, and whether the segments are a tree.

use super::{Atm, AtmFreedom, AtmJoint, AtmSegment, Transform};
use crate::error::{Error, Result};
use crate::format::words::Words;

/// Where the words of a segment are: lines of its number, parent and children.
#[derive(Clone, Copy, Default)]
struct Lines {
    mesh: usize,
    parent: usize,
    children: usize,
}

pub(super) fn parse(text: &str) -> Result<Atm> {
    let mut words = Words::new(text);
    words.expect("FIGURE")?;
    let name = words.name("FIGURE")?;
    words.expect("SEGMENTS")?;
    let count = words.count("SEGMENTS")?;
    let segments_line = words.line();
    let (mut segments, mut lines) = (Vec::new(), Vec::new());
    loop {
        match words.next() {
            Some("MESH") => {
                let (segment, own) = segment(&mut words)?;
                segments.push(segment);
                lines.push(own);
            }
            Some("ENDFIGURE") => break,
            found => return Err(words.wrong("need MESH or ENDFIGURE", found)),
        }
    }
    if segments.len() != count {
        let what = format!("SEGMENTS: need {count}, got {}", segments.len());
        return Err(Error::at_line(segments_line, what));
    }
    if count == 0 {
        return Err(Error::at_line(segments_line, "SEGMENTS: need 1, got none"));
    }
    check_tree(&segments, &lines)?;
    Ok(Atm { name, segments })
}

fn segment(words: &mut Words) -> Result<(AtmSegment, Lines)> {
    let index = words.whole("MESH")?;
    let mut lines = Lines { mesh: words.line(), ..Lines::default() };
    let file = words.name("MESH")?;
    // Names of files in the same folder and nothing else.
    let is_plain = !file.contains(['/', '\\', ':', '\0']) && file != ".." && file != ".";
    if !is_plain {
        return Err(words.wrong("mesh: need a file in the same folder", Some(&file)));
    }
    let mut own = AtmSegment { index, file, ..AtmSegment::default() };
    loop {
        let word = words.next();
        let once = |is_there: bool| match is_there {
            true => Err(words.wrong("need it once in a segment", word)),
            false => Ok(()),
        };
        match word {
            Some("ENDMESH") => return Ok((own, lines)),
            Some("MASS") => {
                once(own.mass_kg.is_some())?;
                let kg = words.real("MASS")?;
                if kg <= 0.0 {
                    return Err(words.wrong("MASS: need more than 0 kg", Some(&kg.to_string())));
                }
                own.mass_kg = Some(kg);
            }
            Some("NAME") => {
                once(own.name.is_some())?;
                own.name = Some(words.name("NAME")?);
            }
            Some("PARENT") => {
                once(own.parent.is_some())?;
                own.parent = Some(words.whole("PARENT")?);
                lines.parent = words.line();
            }
            Some("JOINT") => {
                once(own.joint.is_some())?;
                own.joint = Some(joint(words)?);
            }
            Some("CHILDREN") => {
                once(own.children.is_some())?;
                let count = words.count("CHILDREN")?;
                lines.children = words.line();
                let numbers = (0..count).map(|_| words.whole("CHILDREN"));
                own.children = Some(numbers.collect::<Result<_>>()?);
            }
            found => match found.and_then(|word| transform(word, words).transpose()) {
                Some(transform) => own.transforms.push(transform?),
                None => return Err(words.wrong("need a word of a segment or ENDMESH", found)),
            },
        }
    }
}

fn transform(word: &str, words: &mut Words) -> Result<Option<Transform>> {
    let Some((kind, axes)) = word.rsplit_once('_') else { return Ok(None) };
    let axis = ["X", "Y", "Z"].iter().position(|name| *name == axes);
    let is_all = axes == "XYZ";
    if axis.is_none() && !is_all {
        return Ok(None);
    }
    let mut along = |usual: f64| -> Result<[f64; 3]> {
        let mut values = [usual; 3];
        for (at, value) in values.iter_mut().enumerate() {
            if is_all || axis == Some(at) {
                *value = words.real(word)?;
            }
        }
        Ok(values)
    };
    Ok(match (kind, axis) {
        ("SCALE", _) => {
            let factors = along(1.0)?;
            if factors.iter().any(|factor| *factor <= 0.0) {
                let got = format!("{factors:?}");
                return Err(words.wrong(&format!("{word}: need more than 0"), Some(&got)));
            }
            Some(Transform::Scale(factors))
        }
        ("TRANSLATE", _) => Some(Transform::Translate(along(0.0)?)),
        ("ROTATE", Some(axis)) => Some(Transform::Rotate(axis as u8, words.real(word)?)),
        _ => None,
    })
}

fn joint(words: &mut Words) -> Result<AtmJoint> {
    let name = words.rest_of_line().to_owned();
    let centre_m = words.vector("JOINT")?;
    let mut own = AtmJoint { name, centre_m, ..AtmJoint::default() };
    if words.peek() != Some("DEGREES_OF_FREEDOM") {
        return Ok(own);
    }
    words.next();
    own.rotations = words.count("DEGREES_OF_FREEDOM")?;
    let slides = words.count("DEGREES_OF_FREEDOM")?;
    for number in 1..=own.rotations + slides {
        words.expect("VALUE")?;
        let value = words.real("VALUE")?;
        let axis = words.vector("axis")?;
        if axis.iter().map(|x| x * x).sum::<f64>() <= 1e-24 {
            let what = format!("freedom {number}: need an axis, got zero");
            return Err(Error::at_line(words.line(), what));
        }
        words.expect("FROM")?;
        let from = words.real("FROM")?;
        words.expect("TO")?;
        let to = words.real("TO")?;
        if from > to {
            let what = format!("freedom {number}: need FROM below TO, got {from} and {to}");
            return Err(Error::at_line(words.line(), what));
        }
        own.freedoms.push(AtmFreedom { value, axis, from, to });
    }
    Ok(own)
}

/// One root, parents that are there, no circles, and children that agree.
fn check_tree(segments: &[AtmSegment], lines: &[Lines]) -> Result<()> {
    let numbers: std::collections::HashMap<u32, usize> =
        segments.iter().enumerate().map(|(at, own)| (own.index, at)).collect();
    let place = |index: u32| numbers.get(&index).copied();
    let mut root: Option<usize> = None;
    for (at, (own, lines)) in segments.iter().zip(lines).enumerate() {
        if place(own.index) != Some(at) {
            let what = format!("MESH {}: need numbers once each, got it twice", own.index);
            return Err(Error::at_line(lines.mesh, what));
        }
        match own.parent {
            Some(parent) if place(parent).is_none() => {
                let what = format!("PARENT: need a segment that is there, got {parent}");
                return Err(Error::at_line(lines.parent, what));
            }
            None if root.is_some() => {
                let what = format!("MESH {}: need one root, got another without PARENT", own.index);
                return Err(Error::at_line(lines.mesh, what));
            }
            None => root = Some(at),
            Some(_) => {}
        }
    }
    for (own, lines) in segments.iter().zip(lines) {
        let mut at = own;
        for _ in 0..segments.len() {
            match at.parent.and_then(place) {
                Some(parent) => at = &segments[parent],
                None => break,
            }
        }
        if at.parent.is_some() {
            let what = format!("PARENT: need a tree, got a cycle through {}", own.index);
            return Err(Error::at_line(lines.parent, what));
        }
    }
    // How many name a segment as their parent.
    let mut hang: std::collections::HashMap<u32, usize> = std::collections::HashMap::new();
    segments.iter().filter_map(|own| own.parent).for_each(|of| *hang.entry(of).or_default() += 1);
    for (own, lines) in segments.iter().zip(lines) {
        let Some(listed) = &own.children else { continue };
        let mut seen = std::collections::HashSet::new();
        for child in listed {
            let is_child = place(*child).is_some_and(|at| segments[at].parent == Some(own.index));
            if !is_child || !seen.insert(*child) {
                let what =
                    format!("CHILDREN: need segments whose PARENT is {}, got {child}", own.index);
                return Err(Error::at_line(lines.children, what));
            }
        }
        let need = hang.get(&own.index).copied().unwrap_or(0);
        if listed.len() != need {
            let what = format!("CHILDREN: need {need} as PARENT has it, got {}", listed.len());
            return Err(Error::at_line(lines.children, what));
        }
    }
    Ok(())
}
