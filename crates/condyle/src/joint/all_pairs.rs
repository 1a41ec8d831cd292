//! The sums of every pair of bodies: what a hierarchy is found from, live or at once.

use nalgebra::Isometry3;
use pulp::Arch;

use super::pair::{CACHED, PairSums};
use super::poses::Poses;
use crate::error::{Error, Result};

/// The sums of every pair of some bodies. Its size depends on the bodies alone, not on the frames.
///
/// ```
/// use condyle::joint::AllPairs;
/// use nalgebra::Isometry3;
///
/// let mut live = AllPairs::new(3);
/// // One pose a body, as often as they come; `None` where a body is not seen.
/// live.push(&[Some(Isometry3::identity()), Some(Isometry3::translation(0.0, 0.3, 0.0)), None]);
/// assert_eq!(live.pair(0, 1).samples(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllPairs {
    bodies: usize,
    /// Pairs (a, b) with a < b, row by row; a is the child.
    sums: Vec<PairSums>,
}

impl AllPairs {
    /// Sums of nothing yet.
    pub fn new(bodies: usize) -> Self {
        let pairs = bodies * bodies.saturating_sub(1) / 2;
        Self { bodies, sums: vec![PairSums::default(); pairs] }
    }

    /// The sums over poses, all bodies in the same frames.
    pub fn from_poses(poses: &[Poses]) -> Self {
        let mut all = Self::new(poses.len());
        let frames = poses.iter().map(Poses::frames).min().unwrap_or(0);
        let arch = Arch::new();
        // Some frames of all pairs at a time: they stay in the cache.
        for from in (0..frames).step_by(CACHED) {
            let range = from..frames.min(from + CACHED);
            let mut sums = all.sums.iter_mut();
            for (a, child) in poses.iter().enumerate() {
                for (parent, sums) in poses[a + 1..].iter().zip(&mut sums) {
                    sums.add(child, parent, &range, arch);
                }
            }
        }
        all
    }

    /// Takes one more frame: `world_from_bodies` has one entry a body; what is beyond is left out.
    pub fn push(&mut self, world_from_bodies: &[Option<Isometry3<f64>>]) {
        let mut sums = self.sums.iter_mut();
        let pose = |body: usize| world_from_bodies.get(body).and_then(Option::as_ref);
        for a in 0..self.bodies {
            for (b, sums) in (a + 1..self.bodies).zip(&mut sums) {
                if let (Some(child), Some(parent)) = (pose(a), pose(b)) {
                    sums.push(child, parent);
                }
            }
        }
    }

    /// Adds the sums of other frames of the same bodies.
    ///
    /// # Errors
    /// Another number of bodies.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if other.bodies != self.bodies {
            return Err(Error::argument(format!(
                "bodies: need {}, got {}",
                self.bodies, other.bodies
            )));
        }
        self.sums.iter_mut().zip(&other.sums).for_each(|(sums, other)| sums.merge(other));
        Ok(())
    }

    /// How many bodies there are.
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// The sums of a pair; of a body with itself, or one that is not there, those of nothing.
    pub fn pair(&self, child: usize, parent: usize) -> PairSums {
        let (a, b) = (child.min(parent), child.max(parent));
        if a == b || b >= self.bodies {
            return PairSums::default();
        }
        let sums = self.sums[a * (2 * self.bodies - a - 1) / 2 + (b - a - 1)];
        if child < parent { sums } else { sums.swapped() }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    fn frame(k: i32) -> Vec<Option<Isometry3<f64>>> {
        let t = f64::from(k) * 0.1;
        let body = |b: i32| {
            let b = f64::from(b);
            let place = Vector3::new(b + 0.1 * t, (b * t).sin(), 0.0);
            let pose = Isometry3::new(place, Vector3::new(t, b * 0.3 * t, 0.1));
            ((k + b as i32) % 7 != 0).then_some(pose)
        };
        (0..4).map(body).collect()
    }

    #[test]
    fn frames_columns_and_parts_give_the_same_sums() {
        let frames: Vec<_> = (0..300).map(frame).collect();
        let (mut live, mut first, mut rest) =
            (AllPairs::new(4), AllPairs::new(4), AllPairs::new(4));
        for (k, frame) in frames.iter().enumerate() {
            live.push(frame);
            if k < 100 { first.push(frame) } else { rest.push(frame) }
        }
        first.merge(&rest).unwrap();
        let poses: Vec<Poses> =
            (0..4).map(|body| Poses::from_frames(frames.iter().map(|frame| frame[body]))).collect();
        let at_once = AllPairs::from_poses(&poses);
        for a in 0..4 {
            for b in 0..4 {
                let [one, two, three] = [&live, &first, &at_once].map(|all| all.pair(a, b));
                assert_eq!(one.samples(), three.samples());
                let gap = (one.m - three.m).norm() + (one.child_d - three.child_d).norm();
                let parts = (one.m - two.m).norm() + (one.parent_d - two.parent_d).norm();
                assert!(gap < 1e-10 && parts < 1e-10, "{gap} {parts}");
                if a != b {
                    assert_eq!(one.samples(), PairSums::from_poses(&poses[a], &poses[b]).samples());
                }
            }
        }
        assert_eq!(
            first.merge(&AllPairs::new(3)).unwrap_err().to_string(),
            "bodies: need 4, got 3"
        );
    }
}
