//! What the three angles of a joint are called, and what they mean.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::cardan::Sequence;
use crate::marker_set::{Side, outwards};
use crate::tables;

/// How the three angles of a joint are defined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Convention {
    /// A sequence of rotations from the proximal axes to the distal ones, of a joint of the body.
    Isb {
        /// The sequence.
        sequence: Sequence,
        /// The distal part: `shank` for a knee.
        distal: &'static str,
        /// Which side; left ones are mirrored, so that signs mean the same on both.
        side: Side,
    },
    /// A twist about an axis of the child, and the swing of that axis in two components.
    SwingTwist,
}

impl Convention {
    /// In a word or two: `isb ZXY`, `swing-twist`.
    pub fn name(&self) -> String {
        match self {
            Self::Isb { sequence, .. } => format!("isb {}", sequence.name()),
            Self::SwingTwist => "swing-twist".to_owned(),
        }
    }
}

/// One of the three angles of a joint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// What it is, positive as it says: `flexion`.
    pub name: &'static str,
    /// Its column in OpenSim's tables: `knee_angle_l`.
    pub column: String,
}

/// The names of a joint's angles and their signs against the sequence of the right side.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub distal: String,
    sequence: String,
    names: [String; 3],
    columns: [String; 3],
    pub signs: [f64; 3],
}

impl Named {
    pub fn sequence(&self) -> Sequence {
        if self.sequence == "YXY" { Sequence::YXY } else { Sequence::ZXY }
    }
}

/// The table of joints as its file has it.
#[derive(Deserialize)]
struct Joints {
    joint: Vec<Named>,
}

static JOINTS: LazyLock<Joints> = LazyLock::new(|| match tables::read(include_str!("isb.toml")) {
    Ok(joints) => joints,
    Err(error) => unreachable!("the tests read it: {error}"),
});

/// Whether the first part is nearer to the pelvis; `None` if one of them is no part of a body.
pub(super) fn is_proximal(part: &str, other: &str) -> Option<bool> {
    Some(outwards(part)? < outwards(other)?)
}

/// The names of the joint above a part of the body.
pub(super) fn named(distal: &str) -> Option<&'static Named> {
    JOINTS.joint.iter().find(|joint| joint.distal == distal)
}

/// What the three angles of a joint are.
pub(super) fn components(convention: &Convention, joint: &str) -> [Component; 3] {
    if let Convention::Isb { distal, side, .. } = *convention
        && let Some(named) = named(distal)
    {
        let suffix = match side {
            Side::Left => "_l",
            Side::Right => "_r",
            Side::Unsaid => "",
        };
        return std::array::from_fn(|i| Component {
            name: &named.names[i],
            column: format!("{}{suffix}", named.columns[i]),
        });
    }
    let plain: String = joint.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    ["twist", "swing 1", "swing 2"]
        .map(|name| Component { name, column: format!("{plain}_{}", name.replace(' ', "_")) })
}
