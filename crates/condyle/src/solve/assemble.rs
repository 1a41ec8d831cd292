//! Putting segments together at their joints, so that bones keep their lengths.

use nalgebra::{
    Isometry3, Matrix3, Matrix3x6, Matrix6, Point3, Translation3, UnitQuaternion, Vector3, Vector6,
};

use super::{Link, Part, Pose, Solver, seen};

/// What a segment's markers, and what hangs on it, say about a small displacement of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The mean of the markers seen, in the segment: the point that the displacement is about.
    mean_in_segment_m: Point3<f64>,
    /// The inverse of the information about (shift, turn), world axes.
    covariance: Matrix6<f64>,
    /// The best displacement by all that is known below.
    best: Vector6<f64>,
    /// How the joint to the parent moves with the displacement.
    joint_by: Matrix3x6<f64>,
    /// Where the joint to the parent would best be.
    joint_m: Point3<f64>,
    /// How sure that is.
    information: Matrix3<f64>,
    is_hung: bool,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            mean_in_segment_m: Point3::origin(),
            covariance: Matrix6::zeros(),
            best: Vector6::zeros(),
            joint_by: Matrix3x6::zeros(),
            joint_m: Point3::origin(),
            information: Matrix3::zeros(),
            is_hung: false,
        }
    }
}

/// The least that is known of every turn, in metres squared a marker: keeps open twists where they are.
const OPEN_TURN_M2: f64 = 1e-6;

impl Solver {
    /// Moves and turns every segment as little as its markers allow so that joints close exactly.
    ///
    /// # Method
    /// The least-squares pose of the whole figure, with joints as hard constraints: one Gauss-Newton step
    /// from the segments' own poses. Each segment tells its parent where it wants their joint and how
    /// strongly, from the leaves to the root; then each is told where the joint is, from the root to the
    /// leaves. This is Gaussian elimination on a tree: a fixed number of small products a segment.
    /// O'Brien (2000), section 3.4, keeps orientations and lets errors pile up towards the leaves.
    pub(super) fn assemble(&self, positions_m: &[Option<Point3<f64>>], pose: &mut Pose) {
        self.gather(positions_m, pose);
        self.settle(pose);
        for (joint, link) in self.joints.iter().enumerate() {
            let by_parent = pose.world_from_segments[link.parent]
                .map(|world_from_parent| world_from_parent * link.centre_in_parent_m);
            let by_child = || -> Option<Point3<f64>> {
                Some(pose.world_from_segments[link.child]? * link.centre_in_child_m)
            };
            pose.joints_m[joint] = by_parent.or_else(by_child);
        }
    }

    /// From the leaves to the root: what each segment says about the joint to its parent.
    fn gather(&self, positions_m: &[Option<Point3<f64>>], pose: &mut Pose) {
        for index in (0..self.segments.len()).rev() {
            let Some(world_from_segment) = pose.measured[index] else { continue };
            let part = &self.segments[index];
            let (mean_in_segment_m, mut information, mut push) =
                by_markers(part, positions_m, &world_from_segment);
            let mean_m = world_from_segment * mean_in_segment_m;
            for &joint in &part.joints {
                let link = &self.joints[joint];
                let child = &pose.nodes[link.child];
                if link.parent != index || pose.measured[link.child].is_none() || !child.is_hung {
                    continue;
                }
                let joint_m = world_from_segment * link.centre_in_parent_m;
                let by = moves_by(&(joint_m - mean_m));
                let weighted = by.transpose() * child.information;
                information += weighted * by;
                push += weighted * (child.joint_m - joint_m);
            }
            let node = &mut pose.nodes[index];
            node.is_hung = false;
            node.mean_in_segment_m = mean_in_segment_m;
            let Some(cholesky) = information.cholesky() else { continue };
            node.covariance = cholesky.inverse();
            node.best = node.covariance * push;
            let own = part.own_joint.map(|joint| &self.joints[joint]);
            let Some(link) = own.filter(|link| pose.measured[link.parent].is_some()) else {
                continue;
            };
            let joint_m = world_from_segment * link.centre_in_child_m;
            node.joint_by = moves_by(&(joint_m - mean_m));
            node.joint_m = joint_m + node.joint_by * node.best;
            let spread = node.joint_by * node.covariance * node.joint_by.transpose();
            if let Some(information) = spread.try_inverse() {
                node.information = information;
                node.is_hung = true;
            }
        }
    }

    /// From the root to the leaves: every segment turns, and hangs on its joint.
    fn settle(&self, pose: &mut Pose) {
        for (index, part) in self.segments.iter().enumerate() {
            let Some(measured) = pose.measured[index] else { continue };
            let node = &pose.nodes[index];
            let hung = part.own_joint.map(|joint| &self.joints[joint]).and_then(|link| {
                let parent = pose.world_from_segments[link.parent].filter(|_| node.is_hung)?;
                Some((link, parent * link.centre_in_parent_m))
            });
            let mut displacement = node.best;
            if let Some((_, joint_m)) = hung {
                let pull = node.information * (joint_m - node.joint_m);
                displacement += node.covariance * (node.joint_by.transpose() * pull);
            }
            let shift: Vector3<f64> = displacement.fixed_rows::<3>(0).into();
            let turn: Vector3<f64> = displacement.fixed_rows::<3>(3).into();
            let rotation = UnitQuaternion::from_scaled_axis(turn) * measured.rotation;
            // Without a joint above, the mean of the markers says where the segment is.
            let mean = node.mean_in_segment_m;
            let (fixed, there) = match hung {
                Some((link, joint_m)) => (link.centre_in_child_m, joint_m),
                None => (mean, measured * mean + shift),
            };
            let translation = Translation3::from(there.coords - rotation * fixed.coords);
            pose.world_from_segments[index] = Some(Isometry3::from_parts(translation, rotation));
        }
    }

    /// The centre of a joint as the markers of each side have it: how far apart they are is the part that
    /// assembling takes away.
    pub fn measured_joint_m(&self, joint: usize, pose: &Pose) -> [Option<Point3<f64>>; 2] {
        let Some(Link { parent, child, centre_in_parent_m, centre_in_child_m, .. }) =
            self.joints.get(joint)
        else {
            return [None, None];
        };
        [
            pose.measured(*parent).map(|parent| parent * centre_in_parent_m),
            pose.measured(*child).map(|child| child * centre_in_child_m),
        ]
    }
}

/// How a point moves when the segment is shifted and turned about its mean: [I, -[arm]ₓ].
fn moves_by(arm: &Vector3<f64>) -> Matrix3x6<f64> {
    let mut by = Matrix3x6::identity();
    by.fixed_view_mut::<3, 3>(0, 3).copy_from(&-arm.cross_matrix());
    by
}

/// The mean of the markers seen, what they say about a displacement about it, and which way they push.
fn by_markers(
    part: &Part,
    positions_m: &[Option<Point3<f64>>],
    world_from_segment: &Isometry3<f64>,
) -> (Point3<f64>, Matrix6<f64>, Vector6<f64>) {
    let (mut weight, mut mean) = (0.0, Vector3::zeros());
    for pair in seen(part, positions_m) {
        weight += pair.weight;
        mean += pair.in_segment_m.coords * pair.weight;
    }
    // A segment that only its joints hold up is turned about one of them.
    let mean = if weight > 0.0 { mean / weight } else { Vector3::zeros() };
    let rotation = world_from_segment.rotation.to_rotation_matrix();
    let (mut turn, mut shift_push, mut turn_push) =
        (Matrix3::zeros(), Vector3::zeros(), Vector3::zeros());
    for pair in seen(part, positions_m) {
        let r = rotation * (pair.in_segment_m.coords - mean);
        let off = pair.in_world_m - world_from_segment * pair.in_segment_m;
        turn += (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * pair.weight;
        shift_push += off * pair.weight;
        turn_push += r.cross(&off) * pair.weight;
    }
    let precision = part.precision_m2;
    let mut information = Matrix6::zeros();
    let floor = 1e-6;
    for axis in 0..3 {
        information[(axis, axis)] = precision * weight.max(floor);
        turn[(axis, axis)] += OPEN_TURN_M2;
    }
    information.fixed_view_mut::<3, 3>(3, 3).copy_from(&(turn * precision));
    let [x, y, z] = (shift_push * precision).into();
    let [a, b, c] = (turn_push * precision).into();
    (Point3::from(mean), information, Vector6::new(x, y, z, a, b, c))
}
