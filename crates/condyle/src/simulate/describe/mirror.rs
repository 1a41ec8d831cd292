//! The right side of a description that gives the left one.

use super::entries::{MarkerEntry, Named, SegmentEntry};

/// Adds, after every segment whose name begins with `left`, its mirror image.
pub(super) fn both_sides(entries: Vec<SegmentEntry>) -> Vec<SegmentEntry> {
    let mut both = Vec::with_capacity(2 * entries.len());
    for entry in entries {
        let twin = entry.name.get_ref().starts_with("left ").then(|| mirrored(&entry));
        both.push(entry);
        both.extend(twin);
    }
    both
}

fn mirrored(entry: &SegmentEntry) -> SegmentEntry {
    let mut twin = entry.clone();
    let names = [Some(&mut twin.name), twin.parent.as_mut(), twin.joint.as_mut()];
    names.into_iter().flatten().for_each(other_side);
    twin.at[1] = -twin.at[1];
    // An axis of rotation is a pseudovector: its components in the mirror's plane turn over, so
    // that the same angle bends the same way.
    for axis in &mut twin.axes {
        (axis[0], axis[2]) = (-axis[0], -axis[2]);
    }
    twin.markers.iter_mut().for_each(mirror_marker);
    twin
}

fn mirror_marker(marker: &mut MarkerEntry) {
    marker.at[1] = -marker.at[1];
    for label in marker.names.values_mut().chain(&mut marker.name) {
        if let Some(rest) = label.strip_prefix('L') {
            *label = format!("R{rest}");
        }
    }
}

fn other_side(name: &mut Named) {
    if let Some(rest) = name.get_ref().strip_prefix("left ") {
        *name.get_mut() = format!("right {rest}");
    }
}
