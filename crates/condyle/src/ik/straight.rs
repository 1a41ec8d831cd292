//! The straight chain that points at its target, from where no method would ever leave.

use nalgebra::{Unit, UnitQuaternion, Vector3};

use super::limit::Swing;
use super::linkage::Linkage;
use super::pose::Pose;
use super::solver::Solver;
use super::target::Target;
use super::turn::across;

/// A chain is straight whose bend is less than this share of the bend that its target needs, both as
/// what is missing to full length.
const STRAIGHT: f64 = 1e-4;
/// The largest sine of the angle between the chain and what is missing to its target.
const ALONG: f64 = 1e-2;

/// How far off their line joints of a folded chain may be, as a share of a bone.
const FOLDED: f64 = 1e-6;
/// Half the angle by which it is opened, or bent towards what lies behind it.
const OPENED_RAD: f64 = 0.4;

/// Bends every straight chain that points at its target; whether there was any.
///
/// # Method
/// What is missing is along the bones: joint turns only move their end across it, and passes along
/// them keep all joints on the line (thesis p. 55). The chain is laid on an arc as deep as the target
/// needs, bent to a side that the limits allow: with y what the target lacks to full length as a share
/// of it, half of the arc's angle is about √(6y + 1.8y² + 2.07y⁴).
///
/// A chain that is folded on the line to its target is as stuck, and is opened a little. `share` of the bend is taken.
pub(super) fn bend(solver: &mut Solver, targets: &[Target], tolerance_m: f64, share: f64) -> bool {
    let mut is_bent = false;
    for target in targets {
        let Some(half_rad) = half_angle_rad(&solver.linkage, &solver.pose, target, tolerance_m)
        else {
            continue;
        };
        solver.freshen();
        bend_by(solver, target.joint, share * half_rad);
        is_bent = true;
    }
    is_bent
}

/// Half the angle of the arc that a target needs; `None` where the chain is not stuck.
#[inline]
pub(super) fn half_angle_rad(
    linkage: &Linkage,
    pose: &Pose,
    target: &Target,
    tolerance_m: f64,
) -> Option<f64> {
    let base_m = pose.at_m[0];
    let end_m = pose.at_m[target.joint];
    let missing_m = target.at_m - end_m;
    let chord_m = end_m - base_m;
    let off = missing_m.cross(&chord_m).norm_squared();
    let scale = missing_m.norm_squared() * chord_m.norm_squared();
    if off > ALONG.powi(2) * scale || missing_m.norm() <= tolerance_m {
        return None;
    }
    let mut full_m = 0.0;
    let mut bones = 0;
    for joint in linkage.path_to_base(target.joint).filter(|joint| *joint > 0) {
        full_m += pose.length_m[joint];
        bones += 1;
    }
    let wanted_m = full_m - (target.at_m - base_m).norm();
    let is_straight = full_m - chord_m.norm() <= STRAIGHT * wanted_m;
    let y = wanted_m / full_m;
    // What lies behind needs no bend at the end, but one to get there.
    let is_behind = (target.at_m - base_m).dot(&chord_m) < 0.0;
    match is_straight {
        _ if bones < 2 => None,
        true if is_behind => Some(OPENED_RAD),
        true => Some((6.0 * y + 1.8 * y * y + 2.07 * y.powi(4)).sqrt()),
        false => is_folded(linkage, pose, target).then_some(OPENED_RAD),
    }
}

/// Whether all bones lie on one line, and the target with them.
fn is_folded(linkage: &Linkage, pose: &Pose, target: &Target) -> bool {
    let base_m = pose.at_m[0];
    let joints = || linkage.path_to_base(target.joint).filter(|joint| *joint > 0);
    let farthest = joints().max_by(|a, b| {
        let far = |joint: &usize| (pose.at_m[*joint] - base_m).norm_squared();
        far(a).total_cmp(&far(b))
    });
    let Some(line) = farthest.and_then(|joint| (pose.at_m[joint] - base_m).try_normalize(1e-12))
    else {
        return false;
    };
    let off_m = |at_m: &nalgebra::Point3<f64>| (at_m - base_m).cross(&line).norm();
    let most_m = FOLDED * linkage.mean_length_m();
    off_m(&target.at_m) <= most_m && joints().all(|joint| off_m(&pose.at_m[joint]) <= most_m)
}

fn bend_by(solver: &mut Solver, end: usize, half_rad: f64) {
    let Solver { linkage, pose, .. } = solver;
    let bones = linkage.path_to_base(end).filter(|joint| *joint > 0).count();
    let axis = bending_axis(linkage, pose, end);
    // What does not lie on the path goes along; parents come first.
    let mut is_first = true;
    for joint in 1..linkage.joints() {
        let world_from_zero = pose.world_from_zero(linkage, joint);
        if !linkage.path_to_base(end).any(|on_path| on_path == joint) {
            pose.set(linkage, joint, &world_from_zero, pose.zero_from_bone[joint]);
            continue;
        }
        let share = 2.0 * half_rad / bones as f64;
        // The first bone leaves the chord to the other side, so that the end stays on it.
        let by_rad = if is_first { 0.5 * share - half_rad } else { share };
        is_first = false;
        let by = UnitQuaternion::from_axis_angle(&axis, by_rad);
        let turn = world_from_zero.inverse() * by * world_from_zero * pose.zero_from_bone[joint];
        pose.turn_to(linkage, joint, &turn);
    }
}

/// About what the chain is bent: its first hinge, towards where that has room, or any axis across.
fn bending_axis(linkage: &Linkage, pose: &Pose, end: usize) -> Unit<Vector3<f64>> {
    let hinge = linkage.path_to_base(end).filter(|joint| *joint > 0).find_map(|joint| {
        let Swing::Hinge(hinge) = &linkage.bones[joint].limit.swing else { return None };
        let angle_rad = hinge.angle_rad(&(pose.zero_from_bone[joint] * Vector3::z()));
        let has_room = hinge.max_rad - angle_rad >= angle_rad - hinge.min_rad;
        let axis = pose.world_from_zero(linkage, joint) * hinge.axis;
        Some(if has_room { axis } else { -axis })
    });
    hinge.unwrap_or_else(|| Unit::new_unchecked(across(&(pose.at_m[end] - pose.at_m[0]))))
}
