//! Recordings made up from labels, for tests.

use nalgebra::Point3;

use crate::trial::{Format, Marker, Trial};

/// A recording of one frame in which every marker is seen.
pub(super) fn trial<S: AsRef<str>>(labels: &[S]) -> Trial {
    let mut trial = Trial::new(Format::C3d, 100.0);
    trial.frames = 1;
    let seen = |label: &S| Marker::from_positions(label.as_ref(), [Some(Point3::origin())]);
    trial.markers = labels.iter().map(seen).collect();
    trial
}
