//! Poses: where labelled markers are in a frame, how much two differ, and which of a recording to keep.

use nalgebra::Point3;

/// The position of every label, nothing where it is not seen.
pub(super) type Pose = Vec<Option<Point3<f64>>>;

/// Poses differ if their distances do by this much, rms.
const DISTINCT_M: f64 = 0.025;
/// A pose is not kept if it differs from one that is by less.
const SAME_M: f64 = 0.002;
/// How many poses are kept: more add little to means and spreads, and the subject file grows with them.
const MAX_POSES: usize = 24;

/// The rms change of the distances between markers that are seen in both.
fn change_m(one: &Pose, other: &Pose) -> Option<f64> {
    let seen = one.iter().zip(other).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let seen: Vec<_> = seen.collect();
    let (mut sum_m2, mut pairs) = (0.0, 0_usize);
    for (index, (a, b)) in seen.iter().enumerate() {
        for (c, d) in &seen[..index] {
            sum_m2 += ((a - c).norm() - (b - d).norm()).powi(2);
            pairs += 1;
        }
    }
    (pairs > 0).then(|| (sum_m2 / pairs as f64).sqrt())
}

/// How many poses differ from each other: a greedy cover.
pub(super) fn count_distinct(poses: &[Pose]) -> usize {
    let mut kept: Vec<&Pose> = Vec::new();
    for pose in poses.iter().filter(|pose| pose.iter().flatten().count() > 1) {
        let is_new = |old: &&Pose| change_m(old, pose).is_none_or(|change| change > DISTINCT_M);
        if kept.iter().all(is_new) {
            kept.push(pose);
        }
    }
    kept.len()
}

/// Some poses of `frames`, evenly in time and each the one that shows most markers; none that repeats another.
///
/// `seen` says how many markers a frame shows, `pose` where they are.
pub(super) fn choose(
    frames: usize,
    seen: impl Fn(usize) -> usize,
    pose: impl Fn(usize) -> Pose,
) -> Vec<Pose> {
    let mut kept: Vec<Pose> = Vec::new();
    let bins = MAX_POSES.min(frames);
    for bin in 0..bins {
        let [start, end] = [bin, bin + 1].map(|bin| bin * frames / bins);
        let middle = (start + end) / 2;
        let best = (start..end).max_by_key(|f| (seen(*f), std::cmp::Reverse(f.abs_diff(middle))));
        let Some(new) = best.filter(|frame| seen(*frame) > 0).map(&pose) else { continue };
        let shows_more = |old: &Pose| new.iter().zip(old).any(|(a, b)| a.is_some() && b.is_none());
        let differs = |old: &Pose| change_m(old, &new).is_none_or(|change| change > SAME_M);
        if kept.iter().all(|old| shows_more(old) || differs(old)) {
            kept.push(new);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(length_m: f64) -> Pose {
        vec![Some(Point3::origin()), Some(Point3::new(length_m, 0.0, 0.0)), None]
    }

    #[test]
    fn one_that_stands_still_has_one_pose() {
        assert_eq!(choose(500, |_| 2, |_| pose(1.0)).len(), 1);
        assert_eq!(count_distinct(&[pose(1.0), pose(1.01), pose(1.2)]), 2);
    }

    #[test]
    fn frames_that_show_nothing_are_no_poses() {
        assert!(choose(10, |_| 0, |_| pose(1.0)).is_empty());
        assert!(choose(0, |_| 2, |_| pose(1.0)).is_empty());
        assert_eq!(count_distinct(&[vec![None; 3]]), 0);
    }
}
