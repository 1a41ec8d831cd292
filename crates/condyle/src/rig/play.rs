//! The channel values of a rig in every frame.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use crate::cardan::Sequence;
use crate::solve::SolvedMotion;
use crate::subject::Subject;
use crate::trial::edit::Turn;

/// A segment against its parent, or in the world if it is a root.
#[derive(Clone, Copy)]
struct Held {
    rotation: UnitQuaternion<f64>,
    position_m: Vector3<f64>,
    angles_rad: [f64; 3],
}

/// Channel values frame by frame, and for every segment the frames in which it had to be held.
///
/// # Method
/// With `rest_from_segment` constant, the frame of the skeleton's joint is
/// `world_from_joint = turned_from_world * world_from_segment * rest_from_segment⁻¹`, the identity at rest.
pub(super) fn values(
    subject: &Subject,
    solved: &SolvedMotion,
    rest_from_segment: &[UnitQuaternion<f64>],
    anchors_m: &[Point3<f64>],
    turn: &Turn,
) -> (Vec<f64>, Vec<usize>) {
    let segments = subject.segments.len();
    let parents: Vec<Option<usize>> =
        (0..segments).map(|index| subject.joint_of(index).map(|joint| joint.parent)).collect();
    let turned = turn.quaternion();
    let world_from_joint = |frame: usize, segment: usize| {
        let pose = solved.world_from_segment(frame, segment)?;
        Some(turned * pose.rotation * rest_from_segment[segment].inverse())
    };
    let place = |frame: usize, segment: usize| -> Option<Vector3<f64>> {
        let pose = solved.world_from_segment(frame, segment)?;
        Some(turn.vector((pose * anchors_m[segment]).coords))
    };
    let frames = solved.frames();
    let mut now: Vec<Held> = (0..segments)
        .map(|segment| {
            // Before it is first seen a segment is as it will be then.
            let first = (0..frames).find_map(|frame| {
                let own = world_from_joint(frame, segment)?;
                let above = match parents[segment] {
                    Some(parent) => world_from_joint(frame, parent)?,
                    None => UnitQuaternion::identity(),
                };
                Some((above.inverse() * own, place(frame, segment)?))
            });
            let (rotation, position_m) =
                first.unwrap_or_else(|| (UnitQuaternion::identity(), Vector3::zeros()));
            Held { rotation, position_m, angles_rad: Sequence::ZXY.angles(&rotation, [0.0; 3]) }
        })
        .collect();
    let roots = parents.iter().filter(|parent| parent.is_none()).count();
    let mut values = Vec::with_capacity(frames * 3 * (segments + roots));
    let mut held_frames = vec![0; segments];
    let mut world = vec![UnitQuaternion::identity(); segments];
    for frame in 0..frames {
        for segment in 0..segments {
            let above = parents[segment].map_or_else(UnitQuaternion::identity, |p| world[p]);
            let held = &mut now[segment];
            world[segment] = match world_from_joint(frame, segment) {
                Some(own) => {
                    held.rotation = above.inverse() * own;
                    held.angles_rad = Sequence::ZXY.angles(&held.rotation, held.angles_rad);
                    held.position_m = place(frame, segment).unwrap_or(held.position_m);
                    // Not `above * held.rotation`: its norm is that of `above` squared, and from parent to child
                    // what rounding left of it would double.
                    own
                }
                None => {
                    held_frames[segment] += 1;
                    above * held.rotation
                }
            };
            if parents[segment].is_none() {
                values.extend(held.position_m.iter());
            }
            values.extend(held.angles_rad);
        }
    }
    (values, held_frames)
}
