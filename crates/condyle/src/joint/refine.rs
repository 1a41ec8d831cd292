//! A second look at the frames: rounding taken out of a fit, and what its residuals are like.

use nalgebra::{Point3, Vector3};

use super::fit::PairFit;
use super::pair::PairSums;
use super::poses::Poses;
use super::slow::slow_share;

/// What a joint leaves over, frame by frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Leftover {
    /// The rms distance between the two centres in the world: exact, where sums would lose digits.
    pub residual_m: f64,
    /// How far the residual of a frame resembles that of the frame before: 0 for noise that is new in
    /// every frame.
    pub correlation: f64,
    /// The share of its mean square that follows the motion, if it is beyond chance.
    pub slow_share: f64,
    /// How many frames show both bodies.
    pub samples: usize,
}

/// The distance of the child's centre from the parent's in a frame: e = R_c c + t_c - R_p l - t_p.
pub(super) fn gap_m(
    child: &Poses,
    parent: &Poses,
    (c, l): (&Point3<f64>, &Point3<f64>),
    frame: usize,
) -> Vector3<f64> {
    let row = |row: usize| {
        let at = |poses: &Poses, axis: usize| poses.axes[axis][row][frame];
        let of_child = at(child, 0) * c.x + at(child, 1) * c.y + at(child, 2) * c.z;
        let of_parent = at(parent, 0) * l.x + at(parent, 1) * l.y + at(parent, 2) * l.z;
        // Origins first: they are large and alike, and their difference is exact.
        (child.origin_m[row][frame] - parent.origin_m[row][frame]) + (of_child - of_parent)
    };
    Vector3::new(row(0), row(1), row(2))
}

impl PairFit {
    /// Takes out what rounding in the sums left: one step of iterative refinement over the frames.
    ///
    /// The sums hold squares, so a noise-free answer from them has half the digits where the bodies hardly
    /// turn. The residuals of the frames have all of them.
    pub fn refine(&mut self, sums: &PairSums, child: &Poses, parent: &Poses) {
        let (mut child_e, mut parent_e) = (Vector3::zeros(), Vector3::zeros());
        let centres = (self.centre_in_child_m, self.centre_in_parent_m);
        for frame in 0..child.frames().min(parent.frames()) {
            if child.seen[frame] * parent.seen[frame] == 0.0 {
                continue;
            }
            let e = gap_m(child, parent, (&centres.0, &centres.1), frame);
            for axis in 0..3 {
                let dot = |poses: &Poses| {
                    let [x, y, z] = [0, 1, 2].map(|row: usize| poses.axes[axis][row][frame]);
                    x * e.x + y * e.y + z * e.z
                };
                child_e[axis] += dot(child);
                parent_e[axis] += dot(parent);
            }
        }
        let Some((dc, dl)) = sums.correction(self, child_e, parent_e) else { return };
        self.centre_in_child_m += dc;
        self.centre_in_parent_m += dl;
        self.residual_m = self.leftover(child, parent).residual_m;
    }

    /// What the joint leaves over in the frames.
    pub fn leftover(&self, child: &Poses, parent: &Poses) -> Leftover {
        let centres = (&self.centre_in_child_m, &self.centre_in_parent_m);
        let gap = |frame: usize| {
            let is_seen = child.seen[frame] * parent.seen[frame] != 0.0;
            is_seen.then(|| gap_m(child, parent, centres, frame))
        };
        let frames = child.frames().min(parent.frames());
        let gaps_m: Vec<Option<Vector3<f64>>> = (0..frames).map(gap).collect();
        let samples = gaps_m.iter().flatten().count();
        let square: f64 = gaps_m.iter().flatten().map(Vector3::norm_squared).sum();
        let neighbours = gaps_m.windows(2).filter_map(|pair| Some(pair[0]?.dot(&pair[1]?)));
        Leftover {
            residual_m: (square / samples.max(1) as f64).sqrt(),
            correlation: if square > 0.0 { neighbours.sum::<f64>() / square } else { 0.0 },
            slow_share: slow_share(&gaps_m),
            samples,
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Isometry3, UnitQuaternion};

    use super::*;
    use crate::joint::fit::PairRule;

    #[test]
    fn a_joint_that_hardly_turns_far_from_the_origin_is_exact_after_refinement() {
        // A degree about each axis, a kilometre away.
        let (c, l) = (Point3::new(0.1, -0.3, 0.2), Point3::new(-0.2, 0.1, 0.25));
        let pose = |k: i32| {
            let t = f64::from(k) * 0.1;
            let parent = Isometry3::new(
                Vector3::new(1000.0 + t, -500.0, 3.0 * t.sin()),
                Vector3::new(0.3 * t, 0.2, t.cos()),
            );
            let turn = UnitQuaternion::from_euler_angles(
                0.017 * t.sin(),
                0.017 * (1.7 * t).cos(),
                0.017 * (0.6 * t).sin(),
            );
            let rotation = parent.rotation * turn;
            let origin = parent * l - rotation * c.coords;
            (Isometry3::from_parts(origin.coords.into(), rotation), parent)
        };
        let poses: Vec<_> = (0..500).map(pose).collect();
        let child = Poses::from_frames(poses.iter().map(|(child, _)| Some(child)));
        let parent = Poses::from_frames(poses.iter().map(|(_, parent)| Some(parent)));
        let sums = PairSums::from_poses(&child, &parent);
        let rule = PairRule { orientation_noise_rad: 1e-6, ..PairRule::default() };
        let mut fit = sums.fit(&rule).unwrap();
        let before = (fit.centre_in_child_m - c).norm();
        fit.refine(&sums, &child, &parent);
        let after = (fit.centre_in_child_m - c).norm();
        assert!(after < 2e-10 && after <= before, "{before} {after}");
        assert!((fit.centre_in_parent_m - l).norm() < 2e-10);
        // The rounding of positions a kilometre away, not the root of it.
        assert!(fit.residual_m < 1e-12, "{}", fit.residual_m);
    }
}
