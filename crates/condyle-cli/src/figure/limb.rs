//! How a part of the body is drawn: its side's colour, as thick as it is.

use condyle::marker_set::{self, Side};

/// A line of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limb {
    /// From point to point.
    pub ends: [usize; 2],
    /// Of which side it is.
    pub side: Side,
    /// How thick the limb about the line is; 0 where nobody knows.
    pub width_m: f64,
}

/// About how thick parts of people are, in metres: only drawn, never used.
const WIDTHS_M: [(&str, f64); 9] = [
    ("thigh", 0.13),
    ("shank", 0.09),
    ("foot", 0.06),
    ("toes", 0.05),
    ("upper arm", 0.08),
    ("forearm", 0.06),
    ("hand", 0.05),
    ("head", 0.15),
    ("neck", 0.08),
];

/// The line of a segment of this name.
pub fn limb(segment: &str, ends: [usize; 2]) -> Limb {
    let (part, side) = marker_set::body_part(segment).unwrap_or(("", Side::Unsaid));
    let width = WIDTHS_M.iter().find(|(name, _)| *name == part);
    Limb { ends, side, width_m: width.map_or(0.0, |(_, width_m)| *width_m) }
}

/// The colours of a side: of its bones, and paler of its limbs. Left and right differ for any colour vision (M. Okabe
/// and K. Ito 2008).
pub fn colours(side: Side) -> [&'static str; 2] {
    match side {
        Side::Left => ["#b0558a", "#edd0e0"],
        Side::Right => ["#007a59", "#bfe4d8"],
        Side::Unsaid => ["#30475e", "#dde3ea"],
    }
}
