//! Distances between joints kept where joints were estimated: forward and backward reaching.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use condyle::ik::{Options, Reach, Solver, Target};
use condyle::predict::nearest::{Circle, Sphere};
use condyle::{Error, Result};

/// Bones end this near to an observed joint, in metres.
const TOLERANCE_M: f64 = 1e-9;
/// Rounds of reaching at most.
const MAX_ROUNDS: usize = 300;
/// Rounds before a chain that is all but straight is stretched at once.
const ROUNDS_BEFORE_STRETCHING: usize = 30;
/// The same of a tree, which then is solved by least squares, in so many steps at most.
const ROUNDS_OF_TREE: usize = 30;
const MAX_STEPS: usize = 200;
/// Within these bounds steps are damped, against bones of direction 1: below, rounding is larger.
const DAMPING: [f64; 2] = [1e-9, 1e6];
/// Steps of bisection: to the last digit.
const BISECTIONS: usize = 60;

/// Keeps the lengths of bones in a tree of joints.
///
/// # Method
/// Inward from observed joints each joint that was estimated is put at its bone's length from those below it, at the
/// centroid of what several chains propose; outward again from observed joints; until observed joints stay where they
/// are. Ends are one outward pass. A single unknown between two observed joints is where two spheres meet; a chain that
/// is too short is straight, all its lengths scaled alike; one that is all but straight is stretched at once. Trees held
/// by many observed joints come to rest slowly: after some rounds the rest is done by damped least squares of the bones'
/// lengths (Levenberg and Marquardt), which moves joints no more than it must, by elimination along the tree.
///
/// # Reference
/// A. Aristidou (2010), section 4.7 and Algorithm 4; stretching and least squares are ours.
#[derive(Debug, Clone)]
pub struct BoneLengths {
    parents: Vec<Option<usize>>,
    lengths_m: Vec<f64>,
    /// Whether something observed is at a joint or below it.
    is_held: Vec<bool>,
    /// Whether a joint is observed, or on a chain that is solved.
    is_settled: Vec<bool>,
    /// How many proposals each joint has, and their sum.
    proposals: Vec<(f64, Vector3<f64>)>,
    /// A chain, from its lower end up.
    chain: Vec<usize>,
    /// Room for least squares: the matrix and the right side of every joint, and where joints were.
    normal: Vec<(Matrix3<f64>, Vector3<f64>)>,
    before_m: Vec<Point3<f64>>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Corrected {
    /// How many rounds were made.
    pub rounds: usize,
    /// How many chains between observed joints are shorter than the distance of those.
    pub too_short: usize,
    /// The largest distance between the end of a bone and the observed joint there, chains that are too short aside.
    pub worst_m: f64,
}

impl BoneLengths {
    /// For joints each at the end of a bone from its parent, parents first; roots have no bone.
    ///
    /// # Errors
    /// Not a length for each joint, a parent that comes later, or a length that is not positive.
    pub fn new(parents: &[Option<usize>], lengths_m: &[f64]) -> Result<Self> {
        let joints = parents.len();
        if lengths_m.len() != joints {
            let got = lengths_m.len();
            return Err(Error::argument(format!("lengths: need one a joint, {joints}, got {got}")));
        }
        for (joint, (parent, length_m)) in parents.iter().zip(lengths_m).enumerate() {
            let Some(parent) = parent else { continue };
            if *parent >= joint {
                return Err(Error::argument(format!(
                    "joint {joint}: need its parent before it, got {parent}"
                )));
            }
            if !(length_m.is_finite() && *length_m > 0.0) {
                return Err(Error::argument(format!(
                    "joint {joint}: need a length above 0, got {length_m}"
                )));
            }
        }
        Ok(Self {
            parents: parents.to_vec(),
            lengths_m: lengths_m.to_vec(),
            is_held: vec![false; joints],
            is_settled: vec![false; joints],
            proposals: vec![(0.0, Vector3::zeros()); joints],
            chain: Vec::with_capacity(joints),
            normal: vec![(Matrix3::zeros(), Vector3::zeros()); joints],
            before_m: vec![Point3::origin(); joints],
        })
    }

    /// Moves joints that are not observed so that their bones have their lengths; nothing is allocated. What is beyond
    /// the shorter of both slices is left alone.
    pub fn correct(&mut self, joints_m: &mut [Point3<f64>], is_observed: &[bool]) -> Corrected {
        let joints = self.parents.len().min(joints_m.len()).min(is_observed.len());
        let mut corrected = Corrected::default();
        self.is_held[..joints].copy_from_slice(&is_observed[..joints]);
        self.is_settled[..joints].copy_from_slice(&is_observed[..joints]);
        for joint in (0..joints).rev() {
            if let Some(parent) = self.parents[joint] {
                self.is_held[parent] |= self.is_held[joint];
            }
        }
        let mut is_to_iterate = false;
        for joint in 0..joints {
            let is_end = is_observed[joint] && self.parents[joint].is_some_and(|p| !is_observed[p]);
            if is_end {
                let is_solved =
                    self.solve_chain(joint, joints_m, is_observed, joints, &mut corrected);
                is_to_iterate |= !is_solved;
                if is_solved {
                    self.chain.iter().for_each(|joint| self.is_settled[*joint] = true);
                }
            }
        }
        self.outward(joints_m, joints);
        for _ in 0..if is_to_iterate { ROUNDS_OF_TREE } else { 0 } {
            corrected.rounds += 1;
            self.inward(joints_m, joints);
            self.outward(joints_m, joints);
            corrected.worst_m = self.worst_m(joints_m, joints);
            if corrected.worst_m < TOLERANCE_M {
                return corrected;
            }
        }
        if is_to_iterate {
            corrected.rounds += self.least_squares(joints_m, joints);
            // Ends follow what they hang on, at their lengths.
            self.outward_ends(joints_m, joints);
            corrected.worst_m = self.worst_m(joints_m, joints);
        }
        corrected
    }

    /// The same within limits: all observed joints are targets of a linkage, whose base is the first joint.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn correct_within_limits(
        solver: &mut Solver,
        joints_m: &mut [Point3<f64>],
        is_observed: &[bool],
    ) -> Result<Reach> {
        solver.pose(joints_m)?;
        let observed = (1..joints_m.len()).filter(|joint| is_observed.get(*joint) == Some(&true));
        let targets: Vec<Target> =
            observed.map(|joint| Target::at(joint, joints_m[joint])).collect();
        let options = Options { tolerance_m: 1e-7, restarts: 0, ..Options::default() };
        let reach = solver.solve(&targets, &options)?;
        joints_m.copy_from_slice(solver.positions_m());
        Ok(reach)
    }

    /// Solves the chain from an observed joint up to the next, if nothing else hangs on it; whether it did.
    fn solve_chain(
        &mut self,
        end: usize,
        joints_m: &mut [Point3<f64>],
        is_observed: &[bool],
        joints: usize,
        corrected: &mut Corrected,
    ) -> bool {
        self.chain.clear();
        self.chain.push(end);
        let mut at = end;
        while let Some(parent) = self.parents[at] {
            self.chain.push(parent);
            if is_observed[parent] {
                break;
            }
            let holds = (parent + 1..joints)
                .filter(|child| self.parents[*child] == Some(parent) && self.is_held[*child]);
            if holds.count() > 1 {
                return false;
            }
            at = parent;
        }
        let Some(&base) = self.chain.last().filter(|top| is_observed[**top]) else { return false };
        let (base_m, end_m) = (joints_m[base], joints_m[end]);
        let bones = self.chain.len() - 1;
        let lengths = &self.lengths_m;
        let reach_m: f64 = self.chain[..bones].iter().map(|joint| lengths[*joint]).sum();
        let between = end_m - base_m;
        if between.norm() >= reach_m {
            // Straight, and longer than it is: every bone by the same share.
            let mut along_m = 0.0;
            for joint in self.chain[1..bones].iter().rev() {
                along_m += lengths[*joint];
                joints_m[*joint] = base_m + between * (along_m / reach_m);
            }
            corrected.too_short += 1;
            return true;
        }
        if bones == 2 {
            let (middle, above, below) = (self.chain[1], lengths[self.chain[1]], lengths[end]);
            let spheres = [
                Sphere { centre_m: base_m.coords, radius_m: above },
                Sphere { centre_m: end_m.coords, radius_m: below },
            ];
            let circle = Circle::of_spheres(&spheres[0], &spheres[1]);
            return match circle.and_then(|circle| circle.nearest(&joints_m[middle].coords)) {
                Some(at) => {
                    joints_m[middle] = Point3::from(at);
                    true
                }
                // Folded farther than its bones allow: reaching comes as near as it can.
                None => false,
            };
        }
        self.reach(joints_m, end_m, corrected)
    }

    /// Reaching along the chain alone; whether it ends at its end.
    fn reach(
        &self,
        joints_m: &mut [Point3<f64>],
        end_m: Point3<f64>,
        corrected: &mut Corrected,
    ) -> bool {
        let chain = &self.chain;
        let (end, bones) = (chain[0], chain.len() - 1);
        for round in 0..MAX_ROUNDS {
            corrected.rounds += 1;
            joints_m[end] = end_m;
            for i in 1..bones {
                let length_m = self.lengths_m[chain[i - 1]];
                joints_m[chain[i]] =
                    on_line(&joints_m[chain[i - 1]], &joints_m[chain[i]], length_m);
            }
            for i in (0..bones).rev() {
                let length_m = self.lengths_m[chain[i]];
                joints_m[chain[i]] =
                    on_line(&joints_m[chain[i + 1]], &joints_m[chain[i]], length_m);
            }
            let off_m = (joints_m[end] - end_m).norm();
            if off_m > TOLERANCE_M && round == ROUNDS_BEFORE_STRETCHING {
                self.stretch(joints_m, end_m);
            }
            if (joints_m[end] - end_m).norm() <= TOLERANCE_M {
                joints_m[end] = end_m;
                return true;
            }
        }
        joints_m[end] = end_m;
        false
    }

    /// Bones brought towards the line to the end until the chain is as long as it must be, then turned there.
    fn stretch(&self, joints_m: &mut [Point3<f64>], end_m: Point3<f64>) {
        let chain = &self.chain;
        let (base_m, bones) = (joints_m[chain[chain.len() - 1]], chain.len() - 1);
        let wanted = end_m - base_m;
        let Some(straight) = wanted.try_normalize(1e-12) else { return };
        let span = |joints_m: &[Point3<f64>], pull: f64| {
            let bone = |i: usize| {
                let bone =
                    (joints_m[chain[i]] - joints_m[chain[i + 1]]).normalize() + straight * pull;
                bone.normalize() * self.lengths_m[chain[i]]
            };
            (0..bones).map(bone).sum::<Vector3<f64>>()
        };
        if span(joints_m, 0.0).norm() > wanted.norm() {
            return;
        }
        let (mut low, mut high) = (0.0, 1.0);
        while span(joints_m, high).norm() < wanted.norm() && high < 1e12 {
            high *= 4.0;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            match span(joints_m, middle).norm() < wanted.norm() {
                true => low = middle,
                false => high = middle,
            }
        }
        let pulled = span(joints_m, high);
        let Some(turn) = UnitQuaternion::rotation_between(&pulled, &wanted) else { return };
        let mut before = joints_m[chain[bones]];
        let mut at = base_m;
        for i in (0..bones).rev() {
            let bone = (joints_m[chain[i]] - before).normalize() + straight * high;
            before = joints_m[chain[i]];
            at += turn * (bone.normalize() * self.lengths_m[chain[i]]);
            joints_m[chain[i]] = at;
        }
    }

    fn inward(&mut self, joints_m: &mut [Point3<f64>], joints: usize) {
        self.proposals.fill((0.0, Vector3::zeros()));
        for joint in (0..joints).rev() {
            let (count, sum) = self.proposals[joint];
            if count > 0.0 {
                joints_m[joint] = Point3::from(sum / count);
            }
            if let Some(parent) = self.parents[joint]
                && !self.is_settled[parent]
                && self.is_held[joint]
            {
                let proposed = on_line(&joints_m[joint], &joints_m[parent], self.lengths_m[joint]);
                self.proposals[parent].0 += 1.0;
                self.proposals[parent].1 += proposed.coords;
            }
        }
    }

    fn outward(&self, joints_m: &mut [Point3<f64>], joints: usize) {
        for joint in 0..joints {
            if let Some(parent) = self.parents[joint]
                && !self.is_settled[joint]
            {
                joints_m[joint] =
                    on_line(&joints_m[parent], &joints_m[joint], self.lengths_m[joint]);
            }
        }
    }

    fn outward_ends(&self, joints_m: &mut [Point3<f64>], joints: usize) {
        for joint in (0..joints).filter(|joint| !self.is_held[*joint]) {
            if let Some(parent) = self.parents[joint] {
                joints_m[joint] =
                    on_line(&joints_m[parent], &joints_m[joint], self.lengths_m[joint]);
            }
        }
    }

    /// The bone to a joint, if an end of it is free and something observed is beyond it: its parent, its direction, and
    /// by how much it is too long.
    fn bone(&self, joints_m: &[Point3<f64>], joint: usize) -> Option<(usize, Vector3<f64>, f64)> {
        let parent = self.parents[joint].filter(|_| self.is_held[joint])?;
        let is_fixed = self.is_settled[joint] && self.is_settled[parent];
        let bone = joints_m[joint] - joints_m[parent];
        let length_m = bone.norm();
        let is_bone = !is_fixed && length_m > 1e-12;
        is_bone.then(|| (parent, bone / length_m, length_m - self.lengths_m[joint]))
    }

    /// Brings bones to their lengths by damped least squares; how many steps that took.
    fn least_squares(&mut self, joints_m: &mut [Point3<f64>], joints: usize) -> usize {
        let cost = |this: &Self, joints_m: &[Point3<f64>]| {
            let off = |joint| this.bone(joints_m, joint).map_or(0.0, |(.., off_m)| off_m * off_m);
            (0..joints).map(off).sum::<f64>()
        };
        let (mut damping, mut least) = (1e-3, cost(self, joints_m));
        for step in 0..MAX_STEPS {
            if least.sqrt() < 0.1 * TOLERANCE_M || damping > DAMPING[1] {
                return step;
            }
            self.before_m[..joints].copy_from_slice(&joints_m[..joints]);
            self.step(joints_m, joints, damping);
            let now = cost(self, joints_m);
            if now < least {
                (least, damping) = (now, (0.1 * damping).max(DAMPING[0]));
            } else {
                joints_m[..joints].copy_from_slice(&self.before_m[..joints]);
                damping *= 10.0;
            }
        }
        MAX_STEPS
    }

    /// One step: from the leaves to the root every joint is eliminated, from the root to the leaves it moves.
    fn step(&mut self, joints_m: &mut [Point3<f64>], joints: usize, damping: f64) {
        self.normal.fill((Matrix3::from_diagonal_element(damping), Vector3::zeros()));
        for joint in 0..joints {
            if let Some((parent, along, off_m)) = self.bone(joints_m, joint) {
                for (end, sign) in [(joint, -1.0), (parent, 1.0)] {
                    self.normal[end].0 += along * along.transpose();
                    self.normal[end].1 += along * (sign * off_m);
                }
            }
        }
        for joint in (0..joints).rev().filter(|joint| !self.is_settled[*joint]) {
            let (matrix, right) = self.normal[joint];
            let inverse = matrix.try_inverse().unwrap_or_else(Matrix3::zeros);
            if let Some((parent, along, _)) = self.bone(joints_m, joint) {
                let (matrix, of_parent) = &mut self.normal[parent];
                *matrix -= along * along.dot(&(inverse * along)) * along.transpose();
                *of_parent += along * along.dot(&(inverse * right));
            }
            self.normal[joint] = (inverse, right);
        }
        // Bones as they were: both ends of each are looked at after the upper one moved.
        for joint in (0..joints).filter(|joint| !self.is_settled[*joint]) {
            let (inverse, mut right) = self.normal[joint];
            if let Some((parent, along, _)) = self.bone(&self.before_m, joint) {
                let moved = joints_m[parent] - self.before_m[parent];
                right += along * along.dot(&moved);
            }
            joints_m[joint] += inverse * right;
        }
    }

    /// How far bones that an observed joint holds are from their lengths, at most.
    fn worst_m(&self, joints_m: &[Point3<f64>], joints: usize) -> f64 {
        let off = |joint| self.bone(joints_m, joint).map_or(0.0, |(.., off_m)| off_m.abs());
        (0..joints).map(off).fold(0.0, f64::max)
    }
}

/// The point at a distance from one on the way to another; to any side where both are the same.
fn on_line(from: &Point3<f64>, to: &Point3<f64>, length_m: f64) -> Point3<f64> {
    match (to - from).try_normalize(1e-12) {
        Some(direction) => from + direction * length_m,
        None => from + Vector3::z() * length_m,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use condyle::ik::limit::Limit;
    use condyle::ik::{Linkage, ZeroDirection};

    /// A spine of four joints with two arms of three and a tail of two.
    const PARENTS: [Option<usize>; 12] = [
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(2),
        Some(4),
        Some(5),
        Some(2),
        Some(7),
        Some(8),
        Some(0),
        Some(10),
    ];

    fn truth(bones: &[[f64; 3]; 12]) -> Vec<Point3<f64>> {
        let mut at = vec![Point3::origin(); 12];
        for joint in 1..12 {
            let bone = Vector3::from(bones[joint]);
            at[joint] =
                at[PARENTS[joint].unwrap()] + bone.normalize() * (0.1 + 0.03 * joint as f64);
        }
        at
    }

    fn lengths(at: &[Point3<f64>]) -> Vec<f64> {
        (0..12).map(|j| PARENTS[j].map_or(0.0, |p| (at[j] - at[p]).norm())).collect()
    }

    fn coordinates(most: f64) -> impl Strategy<Value = [[f64; 3]; 12]> {
        prop::array::uniform12(prop::array::uniform3(-most..most))
    }

    proptest! {
        #[test]
        fn check_25_bones_keep_their_lengths_and_observed_joints_their_places(
            bones in coordinates(1.0), noise in coordinates(0.03),
            observed in prop::array::uniform12(prop::bool::weighted(0.6)),
        ) {
            prop_assume!(bones.iter().all(|bone| Vector3::from(*bone).norm() > 0.1));
            let truth = truth(&bones);
            let mut keeper = BoneLengths::new(&PARENTS, &lengths(&truth)).unwrap();
            let mut joints = truth.clone();
            for joint in (0..12).filter(|j| !observed[*j]) {
                joints[joint] += Vector3::from(noise[joint]);
            }
            let corrected = keeper.correct(&mut joints, &observed);
            prop_assert_eq!(corrected.too_short, 0);
            for joint in 0..12 {
                if observed[joint] {
                    prop_assert_eq!(joints[joint], truth[joint]);
                }
                if let Some(parent) = PARENTS[joint] {
                    let off = (joints[joint] - joints[parent]).norm() - keeper.lengths_m[joint];
                    prop_assert!(off.abs() < 1e-6, "bone {} is off by {}", joint, off);
                }
            }
            prop_assert!(corrected.worst_m < 1e-6, "{:?}", corrected);
        }
    }

    fn chain(joints: usize) -> (Vec<Option<usize>>, Vec<f64>) {
        ((0..joints).map(|j| j.checked_sub(1)).collect(), vec![0.25; joints])
    }

    #[test]
    fn a_chain_that_is_all_but_straight_is_solved_to_the_last_digit() {
        let (parents, lengths) = chain(6);
        let mut keeper = BoneLengths::new(&parents, &lengths).unwrap();
        let mut joints: Vec<Point3<f64>> = (0..6)
            .map(|j| Point3::new(0.2 * f64::from(j), 0.02 * f64::from(j * j), 0.01))
            .collect();
        joints[0] = Point3::origin();
        joints[5] = Point3::new(1.2499, 0.0, 0.0);
        let corrected = keeper.correct(&mut joints, &[true, false, false, false, false, true]);
        assert_eq!(corrected.too_short, 0);
        for pair in joints.windows(2) {
            assert!(((pair[1] - pair[0]).norm() - 0.25).abs() < 1e-8, "{joints:?}");
        }
        assert_eq!(joints[5], Point3::new(1.2499, 0.0, 0.0));
    }

    #[test]
    fn a_chain_that_is_too_short_is_straight_and_scaled_alike() {
        let (parents, lengths) = chain(4);
        let mut keeper = BoneLengths::new(&parents, &lengths).unwrap();
        let mut joints = vec![
            Point3::origin(),
            Point3::new(0.1, 0.2, 0.0),
            Point3::new(0.3, 0.1, 0.0),
            Point3::new(0.9, 0.0, 0.0),
        ];
        let corrected = keeper.correct(&mut joints, &[true, false, false, true]);
        assert_eq!(corrected.too_short, 1);
        for (joint, at) in joints.iter().enumerate() {
            assert!((at - Point3::new(0.3 * joint as f64, 0.0, 0.0)).norm() < 1e-12, "{joints:?}");
        }
    }

    #[test]
    fn joints_are_kept_within_their_limits_too() {
        let rest: Vec<Point3<f64>> =
            (0..5).map(|j| Point3::new(0.0, 0.0, 0.3 * f64::from(j))).collect();
        let (parents, _) = chain(5);
        let mut linkage = Linkage::tree(&rest, &parents, ZeroDirection::Straight).unwrap();
        for joint in 1..5 {
            linkage.limit(joint, Limit::cone(1.2)).unwrap();
        }
        let mut solver = Solver::new(linkage);
        let mut joints = rest.clone();
        joints[4] = Point3::new(0.3, 0.1, 1.0);
        joints[2] = Point3::new(0.2, -0.1, 0.5);
        let reach = BoneLengths::correct_within_limits(
            &mut solver,
            &mut joints,
            &[true, false, false, false, true],
        )
        .unwrap();
        assert!(reach.is_reached() && solver.violation_rad() < 1e-9);
        assert!((joints[4] - Point3::new(0.3, 0.1, 1.0)).norm() < 1e-6);
        for pair in joints.windows(2) {
            assert!(((pair[1] - pair[0]).norm() - 0.3).abs() < 1e-9);
        }
    }

    #[test]
    fn trees_that_are_none_are_refused() {
        assert!(BoneLengths::new(&[Some(1), None], &[1.0, 1.0]).is_err());
        assert!(BoneLengths::new(&[None, Some(0)], &[0.0, 0.0]).is_err());
        assert!(BoneLengths::new(&[None], &[]).is_err());
    }
}
