//! Joints that bend one way: knees and elbows.

use std::f64::consts::PI;

use nalgebra::{UnitQuaternion, UnitVector3, Vector3};

use super::{Link, Pose};

/// A knee or an elbow goes beyond straight by this much at most, 15 degrees: less is people's own, and clinics measure
/// it; more is a wrong label.
pub(crate) const MAX_HYPEREXTENSION_RAD: f64 = 0.261_799;
/// What seems farther back than this is bent as far as it goes.
const FULLY_BENT_RAD: f64 = -2.6;

impl Link {
    /// The orientation of a segment whose joint does not go beyond straight farther than people's do.
    ///
    /// # Method
    /// The turn of child against parent is a swing after a twist about the axis of flexion. The twist is brought to
    /// its bound, the swing stays.
    pub(super) fn held_back(
        &self,
        world_from_child: UnitQuaternion<f64>,
        pose: &Pose,
    ) -> UnitQuaternion<f64> {
        let parent = pose.world_from_segments[self.parent];
        let Some((axis, parent)) = self.flexion_axis.zip(parent) else { return world_from_child };
        let bent_rad = flexion_rad(&(parent.rotation.inverse() * world_from_child), &axis);
        if !(FULLY_BENT_RAD..-MAX_HYPEREXTENSION_RAD).contains(&bent_rad) {
            return world_from_child;
        }
        let back = UnitQuaternion::from_axis_angle(
            &UnitVector3::new_normalize(axis),
            -MAX_HYPEREXTENSION_RAD - bent_rad,
        );
        world_from_child * back
    }
}

/// How far a joint is bent about an axis: the twist of the child against the parent.
pub(crate) fn flexion_rad(parent_from_child: &UnitQuaternion<f64>, axis: &Vector3<f64>) -> f64 {
    let q = parent_from_child.quaternion();
    let turn_rad = 2.0 * q.imag().dot(axis).atan2(q.w);
    match turn_rad {
        turn if turn > PI => turn - 2.0 * PI,
        turn if turn <= -PI => turn + 2.0 * PI,
        turn => turn,
    }
}
