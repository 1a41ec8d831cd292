//! Keypoints through the frames, and which joint each is.

use nalgebra::{Point3, Vector3};

use crate::marker_set::{Side, fits};
use crate::trial::Trial;

/// A point in every frame; `None` where it is not seen.
pub(super) type Track = Vec<Option<Vector3<f64>>>;

pub(super) fn track(trial: &Trial, marker: usize) -> Track {
    let marker = &trial.markers[marker];
    (0..trial.frames).map(|frame| marker.position_m(frame).map(|p: Point3<f64>| p.coords)).collect()
}

/// The same with gaps bridged in straight lines, and held at the ends; `None` if the point is never seen.
pub(super) fn bridged(track: &Track) -> Option<Vec<Vector3<f64>>> {
    let mut full: Vec<Vector3<f64>> = track.iter().map(|at| at.unwrap_or_default()).collect();
    let mut last: Option<usize> = None;
    for frame in (0..track.len()).filter(|frame| track[*frame].is_some()) {
        let here = full[frame];
        match last {
            None => full[..frame].fill(here),
            Some(before) => {
                let (from, steps) = (full[before], (frame - before) as f64);
                for (step, between) in full[before + 1..frame].iter_mut().enumerate() {
                    *between = from + (here - from) * ((step + 1) as f64 / steps);
                }
            }
        }
        last = Some(frame);
    }
    let held = full[last?];
    full[last? + 1..].fill(held);
    Some(full)
}

/// The joints that come in pairs, from the trunk outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Shoulder,
    Elbow,
    Wrist,
    Hip,
    Knee,
    Ankle,
}

impl Joint {
    const ALL: [(Self, &str); 6] = [
        (Self::Shoulder, "?SHOULDER"),
        (Self::Elbow, "?ELBOW"),
        (Self::Wrist, "?WRIST"),
        (Self::Hip, "?HIP"),
        (Self::Knee, "?KNEE"),
        (Self::Ankle, "?ANKLE"),
    ];

    /// The joint that a label names, and its side.
    pub(super) fn of_label(label: &str) -> Option<(Self, Side)> {
        Self::ALL.iter().find_map(|(joint, pattern)| Some((*joint, fits(pattern, label)?)))
    }
}

/// Whether a label names one of these joints.
pub(crate) fn is_of_joint(label: &str) -> bool {
    Joint::of_label(label).is_some()
}
