//! How a part of the body is drawn: its side's colour.

use condyle::marker_set::Side;

/// The colours of a side: of its bones, and paler of its limbs. Left and right differ for any colour vision (M. Okabe
/// and K. Ito 2008).
pub fn colours(side: Side) -> [&'static str; 2] {
    match side {
        Side::Left => ["#b0558a", "#edd0e0"],
        Side::Right => ["#007a59", "#bfe4d8"],
        Side::Unsaid => ["#30475e", "#dde3ea"],
    }
}
