//! Where the joints of the robot are in every frame.

use super::mjcf::order;
use crate::cardan::Sequence;
use crate::job::SolvedPerformer;
use crate::opensim::Linkage;
use crate::trial::{Channel, Trial};

/// The position of every joint, a channel each: of a root `NAME_tx`, `_ty`, `_tz` in metres and `_qw`, `_qx`, `_qy`,
/// `_qz`, of the others radians, in the order of MuJoCo's `qpos`. Nothing where a segment is not placed.
pub fn positions(trial: &Trial, performer: &SolvedPerformer) -> Trial {
    let SolvedPerformer { subject, motion, .. } = performer;
    let linkage = Linkage::new(trial, performer, None);
    let mut table = Trial::new(trial.source.format, trial.rate_hz);
    table.frames = trial.frames;
    (table.first_frame, table.start_s) = (trial.first_frame, trial.start_s);
    let mut add = |name: String, unit: &str, values: Vec<f64>| {
        table.channels.push(Channel::from_values(name, unit, trial.rate_hz, values));
    };
    for segment in order(subject) {
        let joint = &linkage.joints[segment];
        let pose = |frame: usize| motion.world_from_segment(frame, segment);
        let Some(own) = subject.joint_of(segment) else {
            let name = &linkage.names[segment];
            for (axis, letter) in ["tx", "ty", "tz"].iter().enumerate() {
                let at = |frame| pose(frame).map_or(f64::NAN, |pose| pose.translation.vector[axis]);
                add(format!("{name}_{letter}"), "m", (0..trial.frames).map(at).collect());
            }
            // Vectors of quaternions are stored i, j, k, w.
            for (part, letter) in [(3, "qw"), (0, "qx"), (1, "qy"), (2, "qz")] {
                let at = |frame| pose(frame).map_or(f64::NAN, |pose| pose.rotation.coords[part]);
                add(format!("{name}_{letter}"), "1", (0..trial.frames).map(at).collect());
            }
            continue;
        };
        let mut turns = [const { Vec::new() }; 3];
        let mut before = [0.0; 3];
        for frame in 0..trial.frames {
            let both = motion.world_from_segment(frame, own.parent).zip(pose(frame));
            let angles = both.map(|(parent, child)| {
                let from = parent.rotation * joint.parent.2;
                let turned = from.inverse() * child.rotation * joint.child.2;
                before = Sequence::ZXY.angles(&turned, before);
                joint.signed(before)
            });
            let angles = angles.unwrap_or([f64::NAN; 3]);
            turns.iter_mut().zip(angles).for_each(|(turns, angle)| turns.push(angle));
        }
        for ((name, ..), values) in joint.turns.iter().zip(turns) {
            add(name.clone(), "rad", values);
        }
    }
    table
}
