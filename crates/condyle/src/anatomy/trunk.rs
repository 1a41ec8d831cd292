//! Pelvis and chest: between left and right.

use nalgebra::{Point3, UnitQuaternion, Vector3};

use super::axes::{right_and_up, up_and_right};
use super::{Axes, Body};
use crate::marker_set::Side;
use crate::statistics::centroid;

/// The middle of the joints of a segment to parts of one side.
fn middle(body: &Body<'_>, segment: usize, side: Side) -> Option<Point3<f64>> {
    let of_side = |other: usize| body.parts[other].is_some_and(|part| part.side == side);
    centroid(body.joints_of(segment).filter(|seen| of_side(seen.other)).map(|seen| seen.centre_m))
}

/// The middle of the joints to the named parts.
fn middle_to(body: &Body<'_>, segment: usize, parts: &[&str]) -> Option<Point3<f64>> {
    let is_one = |other: usize| parts.contains(&body.part(other));
    centroid(body.joints_of(segment).filter(|seen| is_one(seen.other)).map(|seen| seen.centre_m))
}

const SPINE: [&str; 4] = ["lower lumbar spine", "upper lumbar spine", "lower thorax", "chest"];

/// Labels of markers on the front and on the back of the pelvis, at the height of the iliac spines.
const FRONT: [[&str; 2]; 2] = [["LASI", "RASI"], ["LFWT", "RFWT"]];
const BACK: [&[&str]; 3] = [&["LPSI", "RPSI"], &["SACR"], &["LBWT", "RBWT"]];

/// From the middle of the back of the pelvis to the middle of its front, if markers there have known labels.
fn forward(body: &Body<'_>, pelvis: usize) -> Option<Vector3<f64>> {
    let markers = &body.subject.segments[pelvis].markers;
    let at_m = |label: &str| {
        let marker = markers.iter().find(|marker| marker.label.eq_ignore_ascii_case(label))?;
        Some(marker.position_in_segment_m)
    };
    let middle_m = |labels: &[&str]| {
        let all: Option<Vec<_>> = labels.iter().map(|label| at_m(label)).collect();
        centroid(all?)
    };
    let front_m = FRONT.iter().find_map(|labels| middle_m(labels))?;
    let back_m = BACK.iter().find_map(|labels| middle_m(labels))?;
    Some(front_m - back_m)
}

/// z from hip to hip, y across the plane of the iliac spines, or towards the spine, or up the thighs.
pub(super) fn pelvis(body: &Body<'_>, segment: usize) -> Option<UnitQuaternion<f64>> {
    let [left_m, right_m] = [Side::Left, Side::Right].map(|side| middle(body, segment, side));
    let (left_m, right_m) = (left_m?, right_m?);
    let between_m = nalgebra::center(&left_m, &right_m);
    let right = right_m - left_m;
    let spine = || middle_to(body, segment, &SPINE).map(|spine_m| spine_m - between_m);
    let by_markers = forward(body, segment).map(|forward| right.cross(&forward));
    let up = by_markers.or_else(spine).or_else(|| thighs(body, segment))?;
    right_and_up(&right, &up)
}

/// From the knees to the hips, in the mean pose.
fn thighs(body: &Body<'_>, pelvis: usize) -> Option<Vector3<f64>> {
    let of_thigh = |thigh: usize| {
        let at_m = |part: &str| {
            body.joints_of(thigh).find(|seen| body.part(seen.other) == part).map(|s| s.centre_m)
        };
        Some(body.a_from_b(pelvis, thigh) * (at_m("pelvis")? - at_m("shank")?))
    };
    let thighs = body.joints_of(pelvis).filter(|seen| body.part(seen.other) == "thigh");
    thighs.filter_map(|seen| of_thigh(seen.other)).reduce(|a, b| a + b)
}

/// y from the spine to the neck, z from shoulder to shoulder.
pub(super) fn chest(body: &Body<'_>, segment: usize) -> Option<UnitQuaternion<f64>> {
    let [left_m, right_m] = [Side::Left, Side::Right].map(|side| middle(body, segment, side));
    let (left_m, right_m) = (left_m?, right_m?);
    let low_m = middle_to(body, segment, &["pelvis", SPINE[0], SPINE[1], SPINE[2]])?;
    let high_m = middle_to(body, segment, &["neck", "head"])
        .unwrap_or_else(|| nalgebra::center(&left_m, &right_m));
    up_and_right(&(high_m - low_m), &(right_m - left_m))
}

/// Which way is right for a segment in the mean pose: as for the nearest part of the trunk that knows it.
pub(super) fn right(
    body: &Body<'_>,
    axes: &[Option<Axes>],
    segment: usize,
) -> Option<Vector3<f64>> {
    let is_arm = ["upper arm", "forearm"].contains(&body.part(segment));
    let order = if is_arm { ["chest", "pelvis"] } else { ["pelvis", "chest"] };
    order.iter().find_map(|part| {
        let of =
            (0..axes.len()).find(|index| body.part(*index) == *part && axes[*index].is_some())?;
        Some(body.a_from_b(segment, of) * axes[of]?.segment_from_axes * Vector3::z())
    })
}
