//! Names of bones that animation programs know how to map onto their own figures.

use std::collections::HashSet;

use crate::marker_set::{Side, body_part};
use crate::subject::Subject;

/// Parts of the body and their usual bones, without a side.
const BONES: [(&str, &str); 16] = [
    ("pelvis", "Hips"),
    ("lower lumbar spine", "LowerSpine"),
    ("upper lumbar spine", "MiddleSpine"),
    ("lower thorax", "UpperSpine"),
    ("chest", "Spine"),
    ("clavicle", "Shoulder"),
    ("scapula", "Scapula"),
    ("upper arm", "Arm"),
    ("forearm", "ForeArm"),
    ("hand", "Hand"),
    ("thigh", "UpLeg"),
    ("shank", "Leg"),
    ("foot", "Foot"),
    ("toes", "ToeBase"),
    ("neck", "Neck"),
    ("head", "Head"),
];

/// A name for every segment's bone, all different and without blanks.
pub(super) fn bones(subject: &Subject) -> Vec<String> {
    let mut taken = HashSet::new();
    subject.segments.iter().map(|segment| free(&mut taken, &bone(&segment.name))).collect()
}

fn bone(segment: &str) -> String {
    let known = body_part(segment).and_then(|(part, side)| {
        let (_, bone) = BONES.iter().find(|(name, _)| *name == part)?;
        let side = match side {
            Side::Left => "Left",
            Side::Right => "Right",
            Side::Unsaid => "",
        };
        Some(format!("{side}{bone}"))
    });
    let plain = || segment.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    known.unwrap_or_else(plain)
}

/// The name, or the name with a number that makes it the only one.
pub(super) fn free(taken: &mut HashSet<String>, name: &str) -> String {
    let name = if name.is_empty() { "bone" } else { name };
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
