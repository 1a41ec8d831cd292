//! One pass over any tree, with every kind of limit: inward from the targets, outward from the base.

use nalgebra::{Point3, Vector3};

use super::super::limit::{Swing, twist_by};
use super::super::linkage::Linkage;
use super::super::pose::Pose;
use super::super::solver::Solver;
use super::super::target::Target;
use super::super::turn::turn_between;

/// What the inward pass leaves at a joint.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Inward {
    /// Sum and weight of where its children want it.
    sum_m: Vector3<f64>,
    weight: f64,
    /// Where it is to be.
    at_m: Point3<f64>,
    /// Where the bone that ends there then points; zero if nothing pulls at it.
    direction: Vector3<f64>,
    is_pulled: bool,
}

pub(super) fn pass(solver: &mut Solver, targets: &[Target]) {
    let Solver { linkage, pose, inward, .. } = solver;
    go_inward(linkage, pose, inward, targets);
    go_outward(linkage, pose, inward, targets);
}

fn target_of(targets: &[Target], joint: usize) -> Option<&Target> {
    targets.iter().find(|target| target.joint == joint)
}

fn go_inward(linkage: &Linkage, pose: &Pose, inward: &mut [Inward], targets: &[Target]) {
    inward.fill(Inward::default());
    for joint in (0..linkage.joints()).rev() {
        let own = target_of(targets, joint);
        let Inward { sum_m, weight, .. } = inward[joint];
        let proposed = (weight > 0.0).then(|| Point3::from(sum_m / weight));
        let (mut at_m, mut weight) = match (own, proposed) {
            (None, None) => (pose.at_m[joint], 0.0),
            (None, Some(at_m)) => (at_m, weight),
            (Some(target), None) => (target.at_m, target.weight),
            // An effector within a chain: its own target counts before what hangs on it.
            (Some(target), Some(at_m)) => {
                let share = target.weight.min(1.0);
                (at_m + (target.at_m - at_m) * share, weight + target.weight)
            }
        };
        for [one, other] in &linkage.closures {
            let mate = if *one == joint {
                *other
            } else if *other == joint {
                *one
            } else {
                continue;
            };
            // Each end of a loop goes half way to the other, or all the way if that one is held.
            let mate_m = match inward[mate].is_pulled {
                true => inward[mate].at_m,
                false => pose.at_m[mate],
            };
            let is_held = own.is_some() || proposed.is_some();
            at_m = if is_held || mate == 0 { mate_m } else { at_m + (mate_m - at_m) * 0.5 };
            weight = weight.max(1.0);
        }
        inward[joint].at_m = at_m;
        if weight == 0.0 {
            continue;
        }
        inward[joint].is_pulled = true;
        if joint == 0 {
            continue;
        }
        let direction = match own.and_then(|target| target.world_from_bone) {
            Some(world_from_bone) => world_from_bone * Vector3::z(),
            None => incoming(linkage, pose, inward, joint),
        };
        inward[joint].direction = direction;
        let bone = &linkage.bones[joint];
        let length_m = bone.length_for((at_m - pose.at_m[bone.parent]).norm());
        let parent = &mut inward[bone.parent];
        parent.sum_m += (at_m - direction * length_m).coords * weight;
        parent.weight += weight;
    }
}

/// Where the bone that ends at a joint should point so that the bone after it is within its limit.
///
/// The frame of the bone is guessed by carrying its old one along; where the next bone is outside as
/// seen from there, the guess is turned by as much as is missing.
fn incoming(linkage: &Linkage, pose: &Pose, inward: &[Inward], joint: usize) -> Vector3<f64> {
    let parent_m = pose.at_m[linkage.bones[joint].parent];
    let old = pose.direction(joint);
    let wanted = (inward[joint].at_m - parent_m).try_normalize(1e-12).unwrap_or(old);
    let [child] = linkage.children(joint) else { return wanted };
    let next = &inward[*child];
    let bone = &linkage.bones[*child];
    if !next.is_pulled || bone.limit.swing == Swing::Free {
        return wanted;
    }
    let guessed = turn_between(&old, &wanted) * pose.world_from_bone[joint];
    let world_from_zero = guessed * bone.parent_from_zero;
    let local = world_from_zero.inverse() * next.direction;
    let allowed = bone.limit.swing.clamp(&local);
    if allowed.dot(&local) > 1.0 - 1e-12 {
        return wanted;
    }
    turn_between(&(world_from_zero * allowed), &next.direction) * wanted
}

fn go_outward(linkage: &Linkage, pose: &mut Pose, inward: &[Inward], targets: &[Target]) {
    for joint in 1..linkage.joints() {
        if !inward[joint].is_pulled {
            // Nothing pulls at it: it goes along as it is.
            let world_from_zero = pose.world_from_zero(linkage, joint);
            pose.set(linkage, joint, &world_from_zero, pose.zero_from_bone[joint]);
            continue;
        }
        match target_of(targets, joint).and_then(|target| target.world_from_bone) {
            Some(world_from_bone) => {
                let turn = pose.world_from_zero(linkage, joint).inverse() * world_from_bone;
                pose.turn_to(linkage, joint, &turn);
            }
            None => {
                pose.point_at(linkage, joint, &inward[joint].at_m);
                twist_for_hinge(linkage, pose, inward, joint);
            }
        }
    }
}

/// Twists a bone so that the hinge at its end can bend where it is wanted to.
fn twist_for_hinge(linkage: &Linkage, pose: &mut Pose, inward: &[Inward], joint: usize) {
    let [child] = linkage.children(joint) else { return };
    let next = &linkage.bones[*child];
    let limit = &linkage.bones[joint].limit;
    let Swing::Hinge(hinge) = &next.limit.swing else { return };
    if limit.twist.is_locked() || !inward[*child].is_pulled || hinge.axis.z.abs() > 1e-6 {
        return;
    }
    let Some(wanted) = (inward[*child].at_m - pose.at_m[joint]).try_normalize(1e-12) else {
        return;
    };
    let local = pose.world_from_zero(linkage, *child).inverse() * wanted;
    let across = local.x.hypot(local.y);
    if across < 1e-3 {
        return;
    }
    let bend_rad = across.atan2(local.z);
    // A positive turn about the axis takes z towards axis × z.
    let side = hinge.axis.cross(&Vector3::z());
    let fits = |bend_rad: f64| (hinge.min_rad..=hinge.max_rad).contains(&bend_rad);
    let is_backward = !fits(bend_rad) && (fits(-bend_rad) || hinge.max_rad < -hinge.min_rad);
    let side = if is_backward { -side } else { side };
    let by_rad = local.y.atan2(local.x) - side.y.atan2(side.x);
    let turn = pose.zero_from_bone[joint] * twist_by(by_rad);
    pose.turn_to(linkage, joint, &turn);
}
