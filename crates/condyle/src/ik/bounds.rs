//! What no pose can do, whatever the limits.

use super::linkage::Linkage;
use super::pose::Pose;
use super::target::Target;

/// Whether a target is beyond the straight chain from the base, or nearer to it than a long bone lets
/// the others come back.
pub(super) fn is_out_of_reach(linkage: &Linkage, pose: &Pose, target: &Target) -> bool {
    let distance_m = (target.at_m - pose.at_m[0]).norm();
    let lengths = linkage.path_to_base(target.joint).filter(|joint| *joint > 0).map(|joint| {
        let bone = &linkage.bones[joint];
        bone.slide_m.unwrap_or([bone.length_m; 2])
    });
    let (mut sum_m, mut longest_m) = (0.0, 0.0_f64);
    // A bone counts as long by its shortest, and as help by its longest.
    for [min_m, max_m] in lengths {
        sum_m += max_m;
        longest_m = longest_m.max(min_m);
    }
    let slack_m = 1e-12 * sum_m;
    distance_m > sum_m + slack_m || longest_m > sum_m - longest_m + distance_m + slack_m
}

/// Whether a loop has a bone longer than all others of it together.
pub(super) fn is_a_loop_too_short(linkage: &Linkage) -> bool {
    linkage.closures.iter().any(|[one, other]| {
        let (mut sum_m, mut longest_m) = (0.0, 0.0_f64);
        let mut add = |joint: usize| {
            let bone = &linkage.bones[joint];
            let [min_m, max_m] = bone.slide_m.unwrap_or([bone.length_m; 2]);
            sum_m += max_m;
            longest_m = longest_m.max(min_m);
        };
        // Parents come first, so the later of two joints is never above the other: walking it up
        // until both are one visits the loop.
        let (mut one, mut other) = (*one, *other);
        while one != other {
            let later = if one > other { &mut one } else { &mut other };
            add(*later);
            *later = linkage.bones[*later].parent;
        }
        longest_m > (sum_m - longest_m) * (1.0 + 1e-12)
    })
}
