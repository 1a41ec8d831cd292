//! Follow the leader: one inward pass, and the base comes along.

use super::reach::Reach;
use super::solver::Solver;
use super::target::Target;

/// The end goes to the target, every joint follows the one after it at its distance.
///
/// # Reference
/// J. Brown, J.-C. Latombe, K. Montgomery (2004), *Real-time knot-tying simulation*.
pub(super) fn solve(solver: &mut Solver, target: &Target) -> Reach {
    let bones = &solver.linkage.bones;
    let at_m = &mut solver.pose.at_m;
    let last = at_m.len() - 1;
    at_m[last] = target.at_m;
    for joint in (0..last).rev() {
        let along_m = at_m[joint] - at_m[joint + 1];
        if let Some(direction) = along_m.try_normalize(1e-12) {
            at_m[joint] = at_m[joint + 1] + direction * bones[joint + 1].length_m;
        } else {
            let before = at_m[joint];
            at_m[joint] = before + nalgebra::Vector3::z() * bones[joint + 1].length_m;
        }
    }
    solver.is_stale = true;
    Reach::of((0.0, 0.0), 1)
}
