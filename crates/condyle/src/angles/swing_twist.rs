//! Joints without a name: a twist about one axis of the child, and the swing of that axis.

use std::f64::consts::{PI, TAU};

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::subject::{Joint, JointKind, Subject};

/// The axes of a joint's child: y is what it twists about, a hinge's axis or else its length.
pub(super) fn axes_of(subject: &Subject, joint: &Joint) -> UnitQuaternion<f64> {
    let hinge = joint.axis_in_child.filter(|_| joint.kind == JointKind::Hinge);
    let twist = hinge.or_else(|| length(subject, joint)).unwrap_or_else(Vector3::y);
    let main = joint.axis_in_child.unwrap_or_else(Vector3::z);
    let y = twist.try_normalize(1e-12).unwrap_or_else(Vector3::y);
    // The axis it turned about most, if that is not the twist itself; else any axis across.
    let across = |axis: Vector3<f64>| (axis - y * axis.dot(&y)).try_normalize(0.1);
    let z = across(main.try_normalize(1e-12).unwrap_or_else(Vector3::z))
        .or_else(|| across(Vector3::x()))
        .or_else(|| across(Vector3::z()))
        .unwrap_or_else(Vector3::z);
    let matrix = Matrix3::from_columns(&[y.cross(&z), y, z]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix))
}

/// From the joint to the next one, or to the middle of the markers.
fn length(subject: &Subject, joint: &Joint) -> Option<Vector3<f64>> {
    let next = subject.joints.iter().find(|next| next.parent == joint.child);
    let far_m = next.map(|next| next.centre_in_parent_m.coords).or_else(|| {
        let markers = &subject.segments.get(joint.child)?.markers;
        let sum: Vector3<f64> = markers.iter().map(|m| m.position_in_segment_m.coords).sum();
        (!markers.is_empty()).then(|| sum / markers.len() as f64)
    })?;
    Some(joint.centre_in_child_m.coords - far_m).filter(|length| length.norm() > 1e-6)
}

/// Twist about y, then the swing that tilts y, as its components about x and z: `q = swing * twist`.
///
/// # Method
/// With `q = (w, x, y, z)` the twist is `2 atan2(y, w)`; `swing = q twist⁻¹` turns by less than half a turn about
/// an axis across y.
///
/// # Reference
/// P. Dobrowolski 2015, *Swing-twist decomposition in Clifford algebra*.
pub(super) fn angles(rotation: &UnitQuaternion<f64>, previous: Option<[f64; 3]>) -> [f64; 3] {
    let q = rotation.quaternion();
    let twist = 2.0 * q.j.atan2(q.w);
    let half = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), twist);
    let swing = (rotation * half.inverse()).scaled_axis();
    let before = previous.map_or(0.0, |previous| previous[0]);
    let twist = twist + TAU * ((before - twist) / TAU).round();
    [twist, swing.x, swing.z]
}

/// Whether the axis has swung to almost its opposite, where the twist is not determined.
pub(super) fn is_near_lock(angles_rad: &[f64; 3], within_rad: f64) -> bool {
    PI - angles_rad[1].hypot(angles_rad[2]) < within_rad
}
