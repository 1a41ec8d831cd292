//! Markers that a recording system named after the rigid body they are on: `Foot_Marker2`.

use super::collect::by_key;
use crate::plan::{JointRule, PlannedSegment};

/// What the labels are called as a marker set.
pub(super) const NAME: &str = "rigid bodies";

/// The body that a label names: `Foot` of `Foot_Marker2`, `Foot:Marker 2` or `Foot Marker2`.
pub(super) fn body(label: &str) -> Option<&str> {
    let head = label.trim().trim_end_matches(|c: char| c.is_ascii_digit());
    let head = (head.len() < label.trim().len()).then_some(head)?;
    let head = head.trim_end_matches([' ', '_']);
    let split = head.len().checked_sub("marker".len())?;
    let is_named = head.is_char_boundary(split) && head[split..].eq_ignore_ascii_case("marker");
    let body = is_named.then(|| head[..split].trim_end_matches([' ', '_', ':', '.']))?;
    (!body.is_empty() && body.len() < split).then_some(body)
}

/// One segment a body, in order of appearance; nothing is known of how they hang together.
pub(super) fn segments<'a>(markers: impl Iterator<Item = (&'a str, usize)>) -> Vec<PlannedSegment> {
    by_key(markers).into_iter().map(|(body, markers)| loose(body, markers)).collect()
}

/// A segment that hangs on nothing that is known.
pub(super) fn loose(name: &str, markers: Vec<usize>) -> PlannedSegment {
    let (parent, joint_name, joint_rule) = (None, None, JointRule::Auto);
    PlannedSegment { name: name.to_owned(), parent, markers, joint_name, joint_rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_body_in_a_label() {
        for label in ["Foot_Marker2", "Foot:Marker 2", "Foot Marker_12", "Foot:marker2"] {
            assert_eq!(body(label), Some("Foot"), "{label}");
        }
        for label in
            ["Marker2", "_Marker2", "Foot_Marker", "RTHI", "", "7", "éMarker1", "Biomarker1"]
        {
            assert_eq!(body(label), None, "{label}");
        }
    }
}
