//! Joints that bend one way: knees and elbows.

use std::f64::consts::PI;

use nalgebra::{UnitQuaternion, UnitVector3, Vector3};

use super::{Link, Pose};

/// A knee or an elbow goes beyond straight by this much at most, 15 degrees: less is people's own, and clinics measure
/// it; more is a wrong label.
pub(crate) const MAX_HYPEREXTENSION_RAD: f64 = 0.261_799;
/// What seems farther back than this is bent as far as it goes.
const FULLY_BENT_RAD: f64 = -2.6;
/// A forearm is pronated by less than this, 120 degrees; what is turned farther across the axis of flexion has no flexion.
const MAX_SWING_RAD: f64 = 2.094_4;

impl Link {
    /// The orientation of a segment whose joint does not go beyond straight farther than people's do.
    pub(super) fn held_back(
        &self,
        world_from_child: UnitQuaternion<f64>,
        pose: &Pose,
    ) -> UnitQuaternion<f64> {
        let parent = pose.world_from_segments[self.parent];
        let Some((axis, parent)) = self.flexion_axis.zip(parent) else { return world_from_child };
        let held = held(&(parent.rotation.inverse() * world_from_child), &axis);
        held.map_or(world_from_child, |parent_from_child| parent.rotation * parent_from_child)
    }
}

/// The turn of child against parent with its joint as far beyond straight as people's go; `None` where it is not
/// beyond that.
///
/// # Method
/// The turn is a swing, such as the pronation of a forearm, and then a twist about the axis of flexion, which is the
/// parent's. The twist is brought to its bound, the swing stays.
fn held(
    parent_from_child: &UnitQuaternion<f64>,
    axis: &Vector3<f64>,
) -> Option<UnitQuaternion<f64>> {
    let bent_rad = flexion_rad(parent_from_child, axis)
        .filter(|bent_rad| (FULLY_BENT_RAD..-MAX_HYPEREXTENSION_RAD).contains(bent_rad))?;
    let axis = UnitVector3::new_normalize(*axis);
    let back = UnitQuaternion::from_axis_angle(&axis, -MAX_HYPEREXTENSION_RAD - bent_rad);
    Some(back * parent_from_child)
}

/// How far a joint is bent about an axis of its parent: the twist of the child against the parent.
///
/// `None` where the child is turned across the axis by more than [`MAX_SWING_RAD`]: bent then says nothing.
pub(crate) fn flexion_rad(
    parent_from_child: &UnitQuaternion<f64>,
    axis: &Vector3<f64>,
) -> Option<f64> {
    let q = parent_from_child.quaternion();
    let along = q.imag().dot(axis);
    // The squares of both are that of the cosine of half of the swing.
    if along * along + q.w * q.w < (0.5 * MAX_SWING_RAD).cos().powi(2) {
        return None;
    }
    Some(match 2.0 * along.atan2(q.w) {
        turn if turn > PI => turn - 2.0 * PI,
        turn if turn <= -PI => turn + 2.0 * PI,
        turn => turn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(axis: Vector3<f64>, deg: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(&UnitVector3::new_normalize(axis), deg.to_radians())
    }

    #[test]
    fn pronation_does_not_change_how_far_an_elbow_is_bent() {
        for pronated_deg in [-80.0, 0.0, 80.0] {
            let elbow = about(Vector3::y(), 40.0) * about(Vector3::z(), pronated_deg);
            let bent_rad = flexion_rad(&elbow, &Vector3::y()).unwrap();
            assert!((bent_rad.to_degrees() - 40.0).abs() < 1e-9, "{pronated_deg}: {bent_rad}");
        }
        // Beyond straight it goes back about the elbow, whichever way the palm points.
        for pronated_deg in [-80.0, 0.0, 80.0] {
            let elbow = |deg| about(Vector3::y(), deg) * about(Vector3::z(), pronated_deg);
            let apart_rad = held(&elbow(-60.0), &Vector3::y()).unwrap().angle_to(&elbow(-15.0));
            assert!(apart_rad < 1e-5, "{pronated_deg}: {apart_rad}");
            assert_eq!(held(&elbow(-10.0), &Vector3::y()), None);
        }
        let turned_over = about(Vector3::y(), 40.0) * about(Vector3::z(), 170.0);
        assert_eq!(flexion_rad(&turned_over, &Vector3::y()), None);
    }
}
