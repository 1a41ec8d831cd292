//! Joint centres of a solved skeleton as point trajectories.

use nalgebra::{Isometry3, Point3};

use crate::format::proportion::{POINT_BYTES, in_proportion};
use crate::trial::{Marker, Origin, Trial};

/// The memory of a marker without samples, in samples.
const EMPTY_MARKER_SAMPLES: usize = 16;

/// Fills the trial's markers with the centres of all joints and end sites of its motion.
pub(super) fn fill(trial: &mut Trial, file_bytes: usize) {
    let Some(motion) = &trial.motion else { return };
    let joints = motion.skeleton().joints();
    let frames = motion.frames();
    let rows = frames.saturating_add(EMPTY_MARKER_SAMPLES);
    if !in_proportion(rows, joints.len(), POINT_BYTES, file_bytes) {
        let text = format!(
            "{} joints in {frames} frames would need memory out of proportion to the file: \
             the motion is kept, the joint centres are not computed",
            joints.len()
        );
        trial.note("joint-centres-left-out", text);
        return;
    }
    let mut markers: Vec<Marker> =
        joints.iter().map(|joint| Marker::all_missing(joint.name.clone(), frames)).collect();
    let mut poses = vec![Isometry3::identity(); joints.len()];
    for frame in 0..frames {
        if motion.world_from_joints(frame, &mut poses).is_err() {
            break;
        }
        for (marker, pose) in markers.iter_mut().zip(&poses) {
            let centre_m = Point3::from(pose.translation.vector);
            marker.set(frame, Some(centre_m), Origin::Measured);
        }
    }
    trial.markers = markers;
    trial.note(
        "joint-centres",
        "the points are joint centres and end sites computed from the skeleton's motion, \
         not markers that a camera saw",
    );
}
