//! The axes of all segments: trunk first, then limbs, then their neighbours.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::{Axes, AxesFrom, Body, Part, limb, trunk};
use crate::marker_set::Side;

/// Directions that agree better than this give no frame.
const MIN_SINE: f64 = 0.05;

/// Axes for every segment that the joints, or the neighbours, give any.
pub(super) fn all(body: &Body<'_>) -> Vec<Option<Axes>> {
    let segments = body.parts.len();
    let mut axes: Vec<Option<Axes>> = vec![None; segments];
    for (index, own) in axes.iter_mut().enumerate() {
        if body.is_fitted(index) {
            let segment_from_axes = fitted_from_axes(body.parts[index]);
            *own = Some(Axes { segment_from_axes, from: AxesFrom::Fit });
            continue;
        }
        let found = match body.part(index) {
            "pelvis" => trunk::pelvis(body, index),
            "chest" => trunk::chest(body, index),
            _ => None,
        };
        *own = found.map(by_joints);
    }
    let right: Vec<Option<Vector3<f64>>> =
        (0..segments).map(|index| trunk::right(body, &axes, index)).collect();
    for index in (0..segments).filter(|index| !body.is_fitted(*index)) {
        if let Some(found) = limb::axes(body, index, right[index].as_ref()) {
            axes[index] = Some(by_joints(found));
        }
    }
    by_neighbours(body, &mut axes);
    axes
}

/// The axes in a frame with x forward, y to the left and z up. That of a forearm has the thumb ahead; its axes have the palm
/// ahead, and the thumb outwards.
fn fitted_from_axes(part: Option<Part>) -> UnitQuaternion<f64> {
    match part {
        Some(Part { name: "forearm", side: Side::Left }) => {
            from_columns(-Vector3::y(), Vector3::z(), -Vector3::x())
        }
        Some(Part { name: "forearm", side: Side::Right }) => {
            from_columns(Vector3::y(), Vector3::z(), Vector3::x())
        }
        _ => from_columns(Vector3::x(), Vector3::z(), -Vector3::y()),
    }
}

fn by_joints(segment_from_axes: UnitQuaternion<f64>) -> Axes {
    Axes { segment_from_axes, from: AxesFrom::Joints }
}

/// Hands the axes on to neighbours that are parts of a body and have none.
fn by_neighbours(body: &Body<'_>, axes: &mut [Option<Axes>]) {
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for index in 0..axes.len() {
            if axes[index].is_some() || body.parts[index].is_none() {
                continue;
            }
            let known =
                body.joints_of(index).find_map(|seen| Some((seen.other, axes[seen.other]?)));
            let Some((other, known)) = known else { continue };
            let segment_from_axes = body.a_from_b(index, other) * known.segment_from_axes;
            axes[index] = Some(Axes { segment_from_axes, from: AxesFrom::MeanPose });
            is_changed = true;
        }
    }
}

/// Axes with y exactly along `up` and z as near as can be to `right`.
pub(super) fn up_and_right(up: &Vector3<f64>, right: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let up = up.try_normalize(1e-9)?;
    let right = right.try_normalize(1e-9)?;
    let forward = up.cross(&right);
    if forward.norm() < MIN_SINE {
        return None;
    }
    let forward = forward.normalize();
    let right = forward.cross(&up);
    Some(from_columns(forward, up, right))
}

/// Axes with z exactly along `right` and y as near as can be to `up`.
pub(super) fn right_and_up(right: &Vector3<f64>, up: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let near = up_and_right(up, right)?;
    let right = right.try_normalize(1e-9)?;
    let forward = near * Vector3::x();
    Some(from_columns(forward, right.cross(&forward), right))
}

fn from_columns(x: Vector3<f64>, y: Vector3<f64>, z: Vector3<f64>) -> UnitQuaternion<f64> {
    let matrix = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, y, z]));
    UnitQuaternion::from_rotation_matrix(&matrix)
}
