//! What the three angles of a joint are called, and what they mean.

use crate::cardan::Sequence;
use crate::marker_set::Side;

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
pub(super) struct Named {
    pub distal: &'static str,
    pub sequence: Sequence,
    pub names: [&'static str; 3],
    /// As OpenSim's models call them, without the side; ours where they have none.
    pub columns: [&'static str; 3],
    pub signs: [f64; 3],
}

const fn zxy(
    distal: &'static str,
    names: [&'static str; 3],
    columns: [&'static str; 3],
    signs: [f64; 3],
) -> Named {
    Named { distal, sequence: Sequence::ZXY, names, columns, signs }
}

const BENDING: [&str; 3] = ["flexion", "bending to the right", "rotation to the left"];
const BENDING_SIGNS: [f64; 3] = [-1.0, 1.0, 1.0];

/// The joints of the body by their distal part. Wu 2002 and 2005; flexion is positive throughout.
const JOINTS: [Named; 11] = [
    zxy(
        "thigh",
        ["flexion", "adduction", "internal rotation"],
        ["hip_flexion", "hip_adduction", "hip_rotation"],
        [1.0; 3],
    ),
    zxy(
        "shank",
        ["flexion", "adduction", "internal rotation"],
        ["knee_angle", "knee_adduction", "knee_rotation"],
        [-1.0, 1.0, 1.0],
    ),
    zxy(
        "foot",
        ["dorsiflexion", "inversion", "internal rotation"],
        ["ankle_angle", "ankle_inversion", "ankle_rotation"],
        [1.0; 3],
    ),
    Named {
        distal: "upper arm",
        sequence: Sequence::YXY,
        names: ["plane of elevation", "elevation", "internal rotation"],
        columns: ["shoulder_plane", "shoulder_elevation", "shoulder_rotation"],
        // Elevation is a negative turn about x (Wu 2005, 2.4.7).
        signs: [1.0, -1.0, 1.0],
    },
    zxy(
        "forearm",
        ["flexion", "adduction", "pronation"],
        ["elbow_flex", "elbow_adduction", "pro_sup"],
        [1.0; 3],
    ),
    zxy(
        "hand",
        ["flexion", "ulnar deviation", "pronation"],
        ["wrist_flex", "wrist_dev", "wrist_rotation"],
        [1.0; 3],
    ),
    zxy("chest", BENDING, ["lumbar_flexion", "lumbar_bending", "lumbar_rotation"], BENDING_SIGNS),
    zxy("head", BENDING, ["neck_flexion", "neck_bending", "neck_rotation"], BENDING_SIGNS),
    zxy(
        "neck",
        BENDING,
        ["lower_neck_flexion", "lower_neck_bending", "lower_neck_rotation"],
        BENDING_SIGNS,
    ),
    zxy(
        "lower thorax",
        BENDING,
        ["thorax_flexion", "thorax_bending", "thorax_rotation"],
        BENDING_SIGNS,
    ),
    zxy(
        "toes",
        ["dorsiflexion", "inversion", "internal rotation"],
        ["mtp_angle", "mtp_inversion", "mtp_rotation"],
        [1.0; 3],
    ),
];

/// Parts from the middle of the body outwards: of two neighbours the later is the distal one.
const OUTWARDS: [&str; 16] = [
    "pelvis",
    "lower lumbar spine",
    "upper lumbar spine",
    "lower thorax",
    "chest",
    "clavicle",
    "scapula",
    "upper arm",
    "forearm",
    "hand",
    "thigh",
    "shank",
    "foot",
    "toes",
    "neck",
    "head",
];

/// Whether the first part is nearer to the pelvis; `None` if one of them is no part of a body.
pub(super) fn is_proximal(part: &str, other: &str) -> Option<bool> {
    let place = |name: &str| OUTWARDS.iter().position(|known| *known == name);
    Some(place(part)? < place(other)?)
}

/// The names of the joint above a part of the body.
pub(super) fn named(distal: &str) -> Option<&'static Named> {
    JOINTS.iter().find(|joint| joint.distal == distal)
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
            name: named.names[i],
            column: format!("{}{suffix}", named.columns[i]),
        });
    }
    let plain: String = joint.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    ["twist", "swing 1", "swing 2"]
        .map(|name| Component { name, column: format!("{plain}_{}", name.replace(' ', "_")) })
}
