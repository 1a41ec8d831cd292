//! Which samples were not measured: a list of a file's own, beside residuals of zero.
//!
//! A C3D file marks a point that was interpolated by a residual of 0, which many files have for measured points too. The
//! parameters `CONDYLE:FILLED` and `CONDYLE:PREDICTED` list the stretches: `120:239 LFHD`, in the file's frame numbers,
//! both ends included.

use super::{change, labels};
use crate::trial::{Group, Marker, Note, Origin, Trial};

const GROUP: &str = "CONDYLE";
/// The parameters, and what they list.
const LISTS: [(&str, Origin); 2] = [("FILLED", Origin::Filled), ("PREDICTED", Origin::Predicted)];
/// Files hold 127 KiB of parameters: so many stretches are listed at most.
const MOST_LISTED: usize = 400;

/// Lists what was estimated; returns how many samples could not be listed.
pub(super) fn list(trial: &Trial, groups: &mut Vec<Group>, notes: &mut Vec<Note>) -> usize {
    groups.retain(|group| !group.name.eq_ignore_ascii_case(GROUP));
    let mut unlisted = 0;
    for (name, origin) in LISTS {
        let mut lines: Vec<String> = Vec::new();
        for marker in &trial.markers {
            for [first, last] in stretches(marker, origin) {
                match lines.len() < MOST_LISTED {
                    true => {
                        let [a, b] = [first, last].map(|frame| trial.frame_number(frame));
                        lines.push(format!("{a}:{b} {}", marker.label));
                    }
                    false => unlisted += last + 1 - first,
                }
            }
        }
        if !lines.is_empty() {
            change::set_strings(groups, GROUP, name, &lines, notes);
        }
    }
    unlisted
}

/// The stretches of samples of an origin: the first and the last frame.
fn stretches(marker: &Marker, origin: Origin) -> Vec<[usize; 2]> {
    let mut stretches: Vec<[usize; 2]> = Vec::new();
    for (frame, _) in marker.origins().enumerate().filter(|(_, found)| *found == origin) {
        match stretches.last_mut().filter(|[_, last]| last + 1 == frame) {
            Some([_, last]) => *last = frame,
            None => stretches.push([frame, frame]),
        }
    }
    stretches
}

/// Marks the samples that the file lists as estimated.
pub(super) fn mark(markers: &mut [Marker], groups: &[Group], first_frame: i64) {
    for (name, origin) in LISTS {
        for line in labels::strings(groups, GROUP, name) {
            let Some((frames, label)) = line.split_once(' ') else { continue };
            let Some((first, last)) = frames.split_once(':') else { continue };
            let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) else {
                continue;
            };
            for marker in markers.iter_mut().filter(|marker| marker.label == label.trim()) {
                let end = marker.frames() as i64;
                let from = first.saturating_sub(first_frame).clamp(0, end);
                let to = last.saturating_sub(first_frame).saturating_add(1).clamp(0, end);
                for frame in from as usize..to.max(from) as usize {
                    let position_m = marker.position_m(frame);
                    marker.set(frame, position_m, origin);
                }
            }
        }
    }
}
