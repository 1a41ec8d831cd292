//! Putting segments together at their joints, so that bones keep their lengths.

use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};

use super::{Link, Part, Pose, Solver, seen};

/// What a segment's markers, and all that hangs on it, say about a small displacement of it: a shift of
/// its pivot and a turn about it, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// The joint to the parent, or the mean of the markers where it hangs on nothing.
    pivot_in_segment_m: Point3<f64>,
    /// Information about shift and shift, shift and turn, turn and turn.
    shift: Matrix3<f64>,
    mixed: Matrix3<f64>,
    turn: Matrix3<f64>,
    /// The inverse of `turn`, when all is gathered.
    turn_covariance: Matrix3<f64>,
    /// Which way it is pushed.
    shift_push: Vector3<f64>,
    turn_push: Vector3<f64>,
    is_hung: bool,
}

impl Node {
    /// Nothing is known.
    pub(super) fn nothing() -> Self {
        Self {
            pivot_in_segment_m: Point3::origin(),
            shift: Matrix3::zeros(),
            mixed: Matrix3::zeros(),
            turn: Matrix3::zeros(),
            turn_covariance: Matrix3::zeros(),
            shift_push: Vector3::zeros(),
            turn_push: Vector3::zeros(),
            is_hung: false,
        }
    }

    /// Takes in what is known of a point `arm` away from the pivot: its information and its push.
    fn hang(&mut self, arm: &Vector3<f64>, information: &Matrix3<f64>, push: &Vector3<f64>) {
        // The point moves by shift + turn × arm.
        let by_turn = -arm.cross_matrix();
        let mixed = information * by_turn;
        self.shift += information;
        self.mixed += mixed;
        self.turn += by_turn.transpose() * mixed;
        self.shift_push += push;
        self.turn_push += arm.cross(push);
    }

    /// What remains to be said of the pivot alone when the turn is the best for every shift.
    fn of_pivot(&mut self) -> Option<(Matrix3<f64>, Vector3<f64>)> {
        self.turn_covariance = self.turn.try_inverse()?;
        let gain = self.mixed * self.turn_covariance;
        Some((self.shift - gain * self.mixed.transpose(), self.shift_push - gain * self.turn_push))
    }

    /// The best turn for a shift of the pivot.
    fn best_turn(&self, shift: &Vector3<f64>) -> Vector3<f64> {
        self.turn_covariance * (self.turn_push - self.mixed.transpose() * shift)
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
    /// leaves. This is Gaussian elimination on a tree: a few 3×3 products a segment. O'Brien (2000),
    /// section 3.4, keeps the orientations instead and lets errors pile up towards the leaves.
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
        for (index, part) in self.segments.iter().enumerate() {
            let Some(world_from_segment) = pose.measured[index] else { continue };
            let own = part.own_joint.map(|joint| &self.joints[joint]);
            let own = own.filter(|link| pose.measured[link.parent].is_some());
            pose.nodes[index] = by_markers(part, positions_m, &world_from_segment, own);
        }
        for index in (0..self.segments.len()).rev() {
            let Some(measured) = pose.measured[index] else { continue };
            let own = self.segments[index].own_joint.map(|joint| &self.joints[joint]);
            let Some((link, parent)) =
                own.and_then(|link| Some((link, pose.measured[link.parent]?)))
            else {
                continue;
            };
            let Some((information, push)) = pose.nodes[index].of_pivot() else { continue };
            pose.nodes[index].is_hung = true;
            let in_parent_m = parent * link.centre_in_parent_m;
            let gap = in_parent_m - measured * link.centre_in_child_m;
            let above = &mut pose.nodes[link.parent];
            let arm = in_parent_m - parent * above.pivot_in_segment_m;
            above.hang(&arm, &information, &(push - information * gap));
        }
    }

    /// From the root to the leaves: every segment turns, and hangs on its joint.
    fn settle(&self, pose: &mut Pose) {
        for (index, part) in self.segments.iter().enumerate() {
            let Some(measured) = pose.measured[index] else { continue };
            let node = &mut pose.nodes[index];
            let pivot = node.pivot_in_segment_m;
            let before_m = measured * pivot;
            let link = part.own_joint.map(|joint| &self.joints[joint]).filter(|_| node.is_hung);
            let hung = link.and_then(|link| {
                Some(pose.world_from_segments[link.parent]? * link.centre_in_parent_m)
            });
            let after_m = hung.unwrap_or_else(|| {
                let free = node
                    .of_pivot()
                    .and_then(|(information, push)| Some(information.try_inverse()? * push));
                before_m + free.unwrap_or_else(Vector3::zeros)
            });
            let turn = node.best_turn(&(after_m - before_m));
            let rotation = UnitQuaternion::from_scaled_axis(turn) * measured.rotation;
            let translation = Translation3::from(after_m.coords - rotation * pivot.coords);
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

/// What the markers seen say about a displacement of their segment.
fn by_markers(
    part: &Part,
    positions_m: &[Option<Point3<f64>>],
    world_from_segment: &Isometry3<f64>,
    own: Option<&Link>,
) -> Node {
    let (mut weight, mut mean) = (0.0, Vector3::zeros());
    for pair in seen(part, positions_m) {
        weight += pair.weight;
        mean += pair.in_segment_m.coords * pair.weight;
    }
    let mean = Point3::from(if weight > 0.0 { mean / weight } else { mean });
    let pivot = own.map_or(mean, |link| link.centre_in_child_m);
    let rotation = world_from_segment.rotation.to_rotation_matrix();
    let (mut turn, mut shift_push, mut turn_push) =
        (Matrix3::zeros(), Vector3::zeros(), Vector3::zeros());
    for pair in seen(part, positions_m) {
        let r = rotation * (pair.in_segment_m - mean);
        let there = rotation * pair.in_segment_m.coords + world_from_segment.translation.vector;
        let off = pair.in_world_m.coords - there;
        turn += (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * pair.weight;
        shift_push += off * pair.weight;
        turn_push += r.cross(&off) * pair.weight;
    }
    let precision = part.precision_m2;
    turn += Matrix3::from_diagonal_element(OPEN_TURN_M2);
    let mut node = Node {
        pivot_in_segment_m: pivot,
        turn: turn * precision,
        turn_push: turn_push * precision,
        ..Node::nothing()
    };
    // Where no marker is seen, joints alone hold it up; a trace keeps the shift determined.
    let information = Matrix3::from_diagonal_element(weight.max(1e-6) * precision);
    node.hang(&(rotation * (mean - pivot)), &information, &(shift_push * precision));
    node
}
