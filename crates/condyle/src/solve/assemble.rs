//! Putting segments together at their joints, so that bones keep their lengths.

use nalgebra::{Isometry3, Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

use super::seen::Samples;
use super::{ARM_M, Link, Part, PlacedBy, Pose, Solver};

/// What a segment's markers, and all that hangs on it, say about a small displacement of it: a shift of
/// its pivot and a turn about it, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// The joint to the parent, or the mean of the markers where it hangs on nothing.
    pub(super) pivot_in_segment_m: Point3<f64>,
    /// Where the markers have it.
    pivot_in_world_m: Point3<f64>,
    /// Information about shift and shift, shift and turn, turn and turn.
    pub(super) shift: Matrix3<f64>,
    pub(super) mixed: Matrix3<f64>,
    pub(super) turn: Matrix3<f64>,
    /// The part of `turn` that is not told by markers: it holds open twists where they are.
    pub(super) held: f64,
    /// The inverse of `turn`, when all is gathered.
    turn_covariance: Matrix3<f64>,
    /// Which way it is pushed.
    shift_push: Vector3<f64>,
    turn_push: Vector3<f64>,
    pub(super) is_hung: bool,
}

impl Node {
    /// Nothing is known.
    pub(super) fn nothing() -> Self {
        Self {
            pivot_in_segment_m: Point3::origin(),
            pivot_in_world_m: Point3::origin(),
            shift: Matrix3::zeros(),
            mixed: Matrix3::zeros(),
            turn: Matrix3::zeros(),
            held: 0.0,
            turn_covariance: Matrix3::zeros(),
            shift_push: Vector3::zeros(),
            turn_push: Vector3::zeros(),
            is_hung: false,
        }
    }

    /// Takes in what is known of a point `arm` away from the pivot: its information and its push.
    fn hang(&mut self, arm: &Vector3<f64>, information: &Matrix3<f64>, push: &Vector3<f64>) {
        // The point moves by shift + turn × arm: -[arm]× in place of a matrix, column by column.
        let columns = [0, 1, 2].map(|i| arm.cross(&information.column(i)));
        let mixed = Matrix3::from_columns(&columns).transpose();
        self.shift += information;
        self.mixed += mixed;
        self.turn += Matrix3::from_columns(&[0, 1, 2].map(|i| arm.cross(&mixed.column(i))));
        self.shift_push += push;
        self.turn_push += arm.cross(push);
    }

    /// The same of a point that is known equally well in every direction.
    fn bear(&mut self, arm: &Vector3<f64>, information: f64, push: &Vector3<f64>) {
        let heavy = arm * information;
        self.shift += Matrix3::from_diagonal_element(information);
        self.mixed -= heavy.cross_matrix();
        self.turn += Matrix3::from_diagonal_element(heavy.dot(arm)) - arm * heavy.transpose();
        self.shift_push += push;
        self.turn_push += arm.cross(push);
    }

    /// What remains to be said of the pivot alone when the turn is the best for every shift.
    pub(super) fn of_pivot(&mut self) -> Option<(Matrix3<f64>, Vector3<f64>)> {
        self.turn_covariance = inverse_of_symmetric(&self.turn)?;
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

/// A step that turns a segment farther than this bends away from the truth by more than a millimetre at the end of a
/// lever of 100 mm, and is followed by another.
const MAX_LINEAR_TURN_RAD: f64 = 0.15;
const MAX_FURTHER_STEPS: usize = 2;

impl Solver {
    /// Moves and turns every segment as little as its markers allow so that joints close exactly.
    ///
    /// # Method
    /// The least-squares pose of the whole figure, with joints as hard constraints: one Gauss-Newton step
    /// from the segments' own poses, and further ones where a segment turned far by it. Each segment tells its parent where it wants their joint and how
    /// strongly, from the leaves to the root; then each is told where the joint is, from the root to the
    /// leaves. This is Gaussian elimination on a tree: a few 3×3 products a segment. O'Brien (2000),
    /// section 3.4, keeps the orientations instead and lets errors pile up towards the leaves.
    pub(super) fn assemble(&self, samples: Samples, pose: &mut Pose) {
        pose.about.copy_from_slice(&pose.measured);
        self.gather(samples, pose, false);
        let mut turned_rad = self.settle(pose);
        // What hardly anything holds would be carried away by one step after the other.
        let is_held = |placed: &PlacedBy| matches!(placed, PlacedBy::ByMarkers | PlacedBy::Missing);
        let is_open = !pose.placed.iter().all(is_held);
        for _ in 0..MAX_FURTHER_STEPS {
            if turned_rad <= MAX_LINEAR_TURN_RAD || is_open {
                break;
            }
            std::mem::swap(&mut pose.about, &mut pose.world_from_segments);
            self.gather(samples, pose, true);
            turned_rad = self.settle(pose);
        }
        for (joint, link) in self.joints.iter().enumerate() {
            if pose.joints_m[joint].is_some() {
                continue;
            }
            let by_parent = pose.world_from_segments[link.parent]
                .map(|world_from_parent| world_from_parent * link.centre_in_parent_m);
            let by_child = || -> Option<Point3<f64>> {
                Some(pose.world_from_segments[link.child]? * link.centre_in_child_m)
            };
            pose.joints_m[joint] = by_parent.or_else(by_child);
        }
    }

    /// From the leaves to the root: what each segment says about the joint to its parent.
    ///
    /// In a further step turns are held where the markers alone had the segment, and not where the step before left it:
    /// an open twist would wander off.
    fn gather(&self, samples: Samples, pose: &mut Pose, is_further: bool) {
        for (index, part) in self.segments.iter().enumerate() {
            let Some(world_from_segment) = pose.about[index] else { continue };
            let samples = samples.without_estimates(pose.is_contradicted[index]);
            let own = part.own_joint.map(|joint| &self.joints[joint]);
            let own = own.filter(|link| pose.about[link.parent].is_some());
            let squares_m2 = &mut pose.squares_m2[part.first_marker..][..part.markers.len()];
            // Fewer than two markers do not tell a direction either: nothing of that is to be held.
            let is_seen =
                |(column, ..): &&(Option<usize>, Point3<f64>, f64)| samples.at_m(*column).is_some();
            let held_m2 = match pose.placed[index] {
                PlacedBy::TwistOpen if part.markers.iter().filter(is_seen).nth(1).is_some() => {
                    2.0 * ARM_M.powi(2) * part.narrow_rest_weight
                }
                _ if part.markers.len() < 2 && own.is_some() => {
                    2.0 * ARM_M.powi(2) * part.lone_rest_weight
                }
                _ => OPEN_TURN_M2,
            };
            let back_rad = match pose.measured[index].filter(|_| is_further) {
                Some(measured) => {
                    (measured.rotation * world_from_segment.rotation.inverse()).scaled_axis()
                }
                None => Vector3::zeros(),
            };
            let held = Held { world_from_segment: &world_from_segment, held_m2, back_rad };
            pose.nodes[index] = by_markers(part, samples, held, own, squares_m2);
        }
        for index in (0..self.segments.len()).rev() {
            if pose.about[index].is_none() {
                continue;
            }
            let own = self.segments[index].own_joint.map(|joint| &self.joints[joint]);
            let Some((link, parent)) = own.and_then(|link| Some((link, pose.about[link.parent]?)))
            else {
                continue;
            };
            let Some((information, push)) = pose.nodes[index].of_pivot() else { continue };
            pose.nodes[index].is_hung = true;
            let in_parent_m = parent * link.centre_in_parent_m;
            let gap = in_parent_m - pose.nodes[index].pivot_in_world_m;
            let (information, push) = link.loosened(&information, &push);
            let above = &mut pose.nodes[link.parent];
            let arm = in_parent_m - above.pivot_in_world_m;
            above.hang(&arm, &information, &(push - information * gap));
        }
    }

    /// From the root to the leaves: every segment turns, and hangs on its joint. Returns how far one turned at most.
    fn settle(&self, pose: &mut Pose) -> f64 {
        let mut farthest_rad2 = 0.0;
        for (index, part) in self.segments.iter().enumerate() {
            let Some(measured) = pose.about[index] else { continue };
            let node = &mut pose.nodes[index];
            let before_m = node.pivot_in_world_m;
            let own = part.own_joint.filter(|_| node.is_hung);
            let hung = own.and_then(|joint| {
                let link = &self.joints[joint];
                let in_world_m = pose.world_from_segments[link.parent]? * link.centre_in_parent_m;
                pose.joints_m[joint] = Some(in_world_m);
                pose.joints_m[joint]
            });
            let after_m = hung.unwrap_or_else(|| {
                let free = node
                    .of_pivot()
                    .and_then(|(information, push)| Some(information.try_inverse()? * push));
                before_m + free.unwrap_or_else(Vector3::zeros)
            });
            let turn = node.best_turn(&(after_m - before_m));
            farthest_rad2 = f64::max(farthest_rad2, turn.norm_squared());
            let pivot_in_segment_m = node.pivot_in_segment_m;
            // The turn is small: to second order this is the rotation by it, without sine and cosine.
            let rotation = UnitQuaternion::new_normalize(Quaternion::from_parts(1.0, turn * 0.5))
                * measured.rotation;
            let rotation = match hung.and(part.own_joint) {
                Some(joint) => self.joints[joint].held_back(rotation, pose),
                None => rotation,
            };
            let translation =
                Translation3::from(after_m.coords - rotation * pivot_in_segment_m.coords);
            pose.world_from_segments[index] = Some(Isometry3::from_parts(translation, rotation));
        }
        farthest_rad2.sqrt()
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

impl Link {
    /// What a child says of a joint whose centre wanders: so much less than of one that does not.
    pub(super) fn loosened(
        &self,
        information: &Matrix3<f64>,
        push: &Vector3<f64>,
    ) -> (Matrix3<f64>, Vector3<f64>) {
        if self.wander_m2 == 0.0 {
            return (*information, *push);
        }
        // (I + s² A)⁻¹ A, and the same of the push: A and the loosening commute.
        let stiff = Matrix3::identity() + information * self.wander_m2;
        let loosening = inverse_of_symmetric(&stiff).unwrap_or_else(Matrix3::identity);
        (loosening * information, loosening * push)
    }
}

/// The inverse of a symmetric matrix: six cofactors and one division.
pub(super) fn inverse_of_symmetric(m: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    let (a, b, c) = (m[(0, 0)], m[(1, 1)], m[(2, 2)]);
    let (d, e, f) = (m[(1, 0)], m[(2, 0)], m[(2, 1)]);
    let (aa, dd, ee) = (b * c - f * f, e * f - d * c, d * f - e * b);
    let determinant = a * aa + d * dd + e * ee;
    if determinant == 0.0 {
        return None;
    }
    let (bb, cc, ff) = (a * c - e * e, a * b - d * d, d * e - a * f);
    Some(Matrix3::new(aa, dd, ee, dd, bb, ff, ee, ff, cc) * determinant.recip())
}

/// A segment about to be displaced, and how its turn is held.
struct Held<'a> {
    world_from_segment: &'a Isometry3<f64>,
    /// How strongly, in metres squared.
    held_m2: f64,
    /// The turn back to where it is held.
    back_rad: Vector3<f64>,
}

/// What the markers seen say about a displacement of their segment, and how far each is from its place.
fn by_markers(
    part: &Part,
    samples: Samples,
    Held { world_from_segment, held_m2, back_rad }: Held,
    own: Option<&Link>,
    squares_m2: &mut [Option<f64>],
) -> Node {
    let rotation = world_from_segment.rotation.to_rotation_matrix();
    let origin = world_from_segment.translation.vector;
    // About the segment's origin, which is among its markers; then about their mean, by the shift rule.
    let (mut weight, mut sum, mut square) = (0.0, Vector3::zeros(), Matrix3::zeros());
    let (mut shift_push, mut turn_push) = (Vector3::zeros(), Vector3::zeros());
    let shares = samples.shares(part);
    for ((column, in_segment_m, w), square_m2) in part.markers.iter().zip(squares_m2) {
        let Some(in_world_m) = samples.at_m(*column) else { continue };
        let share = shares.of(&samples, *column);
        let w = w * share;
        let r = rotation * in_segment_m.coords;
        let off = in_world_m.coords - (r + origin);
        // An estimate says nothing of how well the segment fits.
        if share == 1.0 {
            square_m2.get_or_insert(off.norm_squared());
        }
        let (heavy_r, heavy_off) = (r * w, off * w);
        weight += w;
        sum += heavy_r;
        square += r * heavy_r.transpose();
        shift_push += heavy_off;
        turn_push += r.cross(&heavy_off);
    }
    let mean = if weight > 0.0 { sum / weight } else { sum };
    square -= sum * mean.transpose();
    turn_push += back_rad * held_m2 - mean.cross(&shift_push);
    let pivot = own.map(|link| rotation * link.centre_in_child_m.coords).unwrap_or(mean);
    let precision = part.precision_m2;
    let turn = Matrix3::from_diagonal_element(square.trace() + held_m2) - square;
    let mut node = Node {
        pivot_in_segment_m: own.map_or_else(
            || Point3::from(rotation.inverse_transform_vector(&mean)),
            |link| link.centre_in_child_m,
        ),
        pivot_in_world_m: Point3::from(origin + pivot),
        turn: turn * precision,
        held: held_m2 * precision,
        turn_push: turn_push * precision,
        ..Node::nothing()
    };
    // Where no marker is seen, joints alone hold it up; a trace keeps the shift determined.
    node.bear(&(mean - pivot), weight.max(1e-6) * precision, &(shift_push * precision));
    node
}
