//! Joint centres of a recorded dancer, frame by frame.

use std::path::{Path, PathBuf};

use condyle::format::{ReadOptions, read_path};
use nalgebra::{Isometry3, Point3, UnitQuaternion};

/// Joints of the model: the root, then hips, knees, ankles and shoulders, elbows, wrists; and the head,
/// which only the model with a thorax has.
pub const NAMES: [&str; 14] = [
    "root", "lfemur", "ltibia", "lfoot", "rfemur", "rtibia", "rfoot", "lhumerus", "lradius",
    "lwrist", "rhumerus", "rradius", "rwrist", "head",
];
/// The parents of those after the root.
pub const PARENTS: [usize; 12] = [0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11];
/// The same with a rigid thorax: right shoulder and head are fixed to the left shoulder's bone.
pub const THORAX_PARENTS: [usize; 13] = [0, 1, 2, 0, 4, 5, 0, 7, 8, 7, 10, 11, 7];
/// Ankles, wrists, and the head where there is one.
pub const EFFECTORS: [usize; 5] = [3, 6, 9, 12, 13];

/// Hips, knees, shoulders and elbows, left and right: those that are deleted.
pub const INNER: [[usize; 2]; 4] = [[1, 4], [2, 5], [7, 10], [8, 11]];

/// One frame: the joints, and how the pelvis stands against its rest.
pub struct Frame {
    pub at_m: [Point3<f64>; 14],
    pub world_from_pelvis: UnitQuaternion<f64>,
}

/// A recorded motion.
pub struct Dance {
    pub name: &'static str,
    pub rest_m: [Point3<f64>; 14],
    pub frames: Vec<Frame>,
    pub rate_hz: f64,
}

/// Where recordings are.
pub fn folder() -> PathBuf {
    std::env::var_os("CONDYLE_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from)
}

/// Reads a recording of the CMU library or of HDM05; `None` where it is not there or has not these joints.
pub fn read(name: &'static str) -> Option<Dance> {
    let path: PathBuf = folder().join(Path::new(name));
    let trial = read_path(&path, &ReadOptions::default()).ok()?;
    let motion = trial.motion.as_ref()?;
    let skeleton = motion.skeleton();
    let index: Vec<usize> = NAMES.iter().map(|name| skeleton.find(name)).collect::<Option<_>>()?;
    let rest = skeleton.rest_positions_m();
    let rest_m = std::array::from_fn(|joint| Point3::from(rest[index[joint]]));
    let mut poses = vec![Isometry3::identity(); skeleton.joints().len()];
    let mut frames = Vec::with_capacity(motion.frames());
    for frame in 0..motion.frames() {
        motion.world_from_joints(frame, &mut poses).ok()?;
        let at_m =
            std::array::from_fn(|joint| Point3::from(poses[index[joint]].translation.vector));
        frames.push(Frame { at_m, world_from_pelvis: poses[index[0]].rotation });
    }
    Some(Dance { name, rest_m, frames, rate_hz: trial.rate_hz })
}
