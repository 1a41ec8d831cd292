//! Thigh, shank, upper arm, forearm: a length between two joints, and the axis that knee or elbow bends about.

use nalgebra::{UnitQuaternion, Vector3};

use super::axes::up_and_right;
use super::{Axes, Body, Seen};

/// A joint turned about one axis if it turned about the next by less than this share.
const MAX_SECOND_RANGE: f64 = 0.4;
/// A joint that turned by less says nothing about its axis.
const MIN_RANGE_RAD: f64 = 0.3;
/// An axis of bending is across the bone: its cosine with the bone is below this.
const MAX_ALONG: f64 = 0.5;
/// A mean bend with a sine below this has no plane.
const MIN_BEND_SINE: f64 = 0.15;

/// The upper and the lower part of each limb, and which way the joint between them bends about z.
const LIMBS: [(&str, &str, f64); 2] = [("thigh", "shank", -1.0), ("upper arm", "forearm", 1.0)];

/// The axes of a part of a limb that has both its joints.
pub(super) fn axes(
    body: &Body<'_>,
    segment: usize,
    right: Option<&Vector3<f64>>,
) -> Option<UnitQuaternion<f64>> {
    let name = body.part(segment);
    let &(upper, lower, bends) = LIMBS.iter().find(|limb| limb.0 == name || limb.1 == name)?;
    let partner = if name == upper { lower } else { upper };
    let up = length(body, segment)?;
    let seen = body.joints_of(segment).find(|seen| body.part(seen.other) == partner);
    let bend = seen.and_then(|seen| {
        let other = body.a_from_b(segment, seen.other) * length(body, seen.other)?;
        // Turning the upper length onto the lower one is a turn about their cross product.
        let (upper, lower) = if name == upper { (up, other) } else { (other, up) };
        let normal = upper.normalize().cross(&lower.normalize()) * bends;
        Some((normal, seen))
    });
    let right = match bend {
        Some((normal, seen)) => bend_axis(&up, &normal, &seen, right),
        None => right.copied(),
    };
    up_and_right(&up, &right?)
}

/// The axis the joint between the two parts bends about, pointing right.
fn bend_axis(
    up: &Vector3<f64>,
    normal: &Vector3<f64>,
    seen: &Seen<'_>,
    right: Option<&Vector3<f64>>,
) -> Option<Vector3<f64>> {
    let is_bent = normal.norm() > MIN_BEND_SINE;
    let [first, second, _] = seen.joint.ranges_rad;
    let is_hinge = first > MIN_RANGE_RAD && second < MAX_SECOND_RANGE * first;
    let across = |axis: &Vector3<f64>| axis.dot(&up.normalize()).abs() < MAX_ALONG * axis.norm();
    if let Some(axis) = seen.axis.filter(|axis| is_hinge && across(axis)) {
        let guide = if is_bent { Some(normal) } else { right };
        return guide.map(|guide| if axis.dot(guide) < 0.0 { -axis } else { axis });
    }
    if is_bent { Some(*normal) } else { right.copied() }
}

/// From the distal joint to the proximal one.
fn length(body: &Body<'_>, segment: usize) -> Option<Vector3<f64>> {
    let distal = match body.part(segment) {
        "thigh" => "shank",
        "shank" => "foot",
        "upper arm" => "forearm",
        "forearm" => "hand",
        _ => return None,
    };
    let at_m = |is_distal: bool| {
        let is_it = |seen: &Seen<'_>| (body.part(seen.other) == distal) == is_distal;
        body.joints_of(segment).find(is_it).map(|seen| seen.centre_m)
    };
    let up = at_m(false)? - at_m(true)?;
    (up.norm() > 1e-6).then_some(up)
}

/// A thigh or an upper arm farther than this from the trunk does not hang beside it: cosine of 55 degrees.
const HANGS: f64 = 0.57;

/// Whether some thigh or upper arm is along the trunk in the mean pose, or there is none to tell.
pub(super) fn some_hang(body: &Body<'_>, axes: &[Option<Axes>]) -> bool {
    let up = |segment: usize| Some(axes[segment]?.segment_from_axes * Vector3::y());
    let along = |segment: usize| {
        let trunk = match body.part(segment) {
            "thigh" => "pelvis",
            "upper arm" => "chest",
            _ => return None,
        };
        let trunk = (0..axes.len()).find(|index| body.part(*index) == trunk)?;
        Some(up(segment)?.dot(&(body.a_from_b(segment, trunk) * up(trunk)?)))
    };
    let mut limbs = (0..axes.len()).filter_map(along).peekable();
    limbs.peek().is_none() || limbs.any(|cosine| cosine > HANGS)
}
