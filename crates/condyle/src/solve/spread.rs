//! How far the joints of one frame may be off: what is not known of their centres, and what the markers that are seen
//! leave open.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

use super::assemble::{Node, inverse_of_symmetric};
use super::{Pose, Solver};
use crate::subject::Subject;

/// A centre that is known better than to a centimetre has the lever that it seems to have.
const LOOSE_M2: f64 = 1e-4;

impl Solver {
    /// Finds the standard error of every joint of a frame that is put together.
    ///
    /// # Method
    /// [`Solver::solve`] has gathered from the leaves what is known of every segment: of a shift of its pivot the
    /// information, of the turn about it for a given shift the covariance T, and the gain T Mᵀ between both. From the
    /// root to the leaves a joint at `arm` from the pivot, whose covariance is P, then has
    ///
    /// ```text
    /// (I + [arm]× T Mᵀ) P (I + [arm]× T Mᵀ)ᵀ + [arm]× T [arm]×ᵀ
    /// ```
    ///
    /// which is exact for the linear step. The covariance of the centre itself is turned with its parent and added.
    pub(super) fn measure_spread(&self, pose: &mut Pose) {
        for (index, part) in self.segments.iter().enumerate() {
            let Some(world_from_segment) = pose.world_from_segments[index] else { continue };
            let node = &pose.nodes[index];
            let open = Matrix3::from_diagonal_element(part.open_turn_rad.powi(-2) - node.held);
            let Some(turn_m2) = inverse_of_symmetric(&(node.turn + open)) else { continue };
            let gain = turn_m2 * node.mixed.transpose();
            let hung = part.own_joint.filter(|_| node.is_hung);
            let free = || inverse_of_symmetric(&(node.shift - node.mixed * gain));
            // Where the centre wanders, the segment does not hang where its parent has it.
            let hanging = |joint: usize| {
                let wander_m2 = Matrix3::from_diagonal_element(self.joints[joint].wander_m2);
                pose.joint_spreads_m2[joint] + wander_m2
            };
            let Some(pivot_m2) = hung.map(hanging).or_else(free) else {
                continue;
            };
            let turn_rad2 = turn_m2 + gain * pivot_m2 * gain.transpose();
            let held = Held { world_from_segment, pivot_m2, turn_m2, gain, turn_rad2 };
            pose.turns_rad2[index] = turn_rad2;
            for &joint in &part.joints {
                let link = &self.joints[joint];
                let by_parent = link.parent == index;
                if !by_parent && pose.world_from_segments[link.parent].is_some() {
                    continue;
                }
                let (centre_m, rotation) = match by_parent {
                    true => (link.centre_in_parent_m, world_from_segment.rotation),
                    false => (
                        link.centre_in_child_m,
                        world_from_segment.rotation * link.parent_from_child_rest.inverse(),
                    ),
                };
                let rotation = rotation.to_rotation_matrix();
                let centre_m2 = rotation.matrix() * link.centre_m2 * rotation.matrix().transpose();
                let mut spread_m2 = held.spread_m2(node, &centre_m);
                if centre_m2.trace() > LOOSE_M2 {
                    spread_m2 += held.at_the_end_of(&centre_m2);
                }
                pose.joint_spreads_m2[joint] = spread_m2;
                pose.joint_covariances_m2[joint] = spread_m2 + centre_m2;
                pose.joint_sds_m[joint] = largest_eigenvalue(&(spread_m2 + centre_m2)).sqrt();
            }
        }
    }
}

impl Pose {
    /// The covariance of the turn of a joint's child against its parent, in the world's axes and in radians squared: what
    /// the markers of this frame leave open of it. `None` where one of the two has no place.
    ///
    /// The errors of both segments are taken as independent, which makes it rather too large.
    pub fn joint_turn_rad2(&self, [parent, child]: [usize; 2]) -> Option<Matrix3<f64>> {
        let of = |segment: usize| {
            (*self.world_from_segments.get(segment)?)?;
            self.turns_rad2.get(segment)
        };
        let of_estimates = self.from_estimates.iter().find(|of| of.sides == [parent, child]);
        let estimated = of_estimates.map_or_else(Matrix3::zeros, |of| of.turn_rad2);
        Some(of(parent)? + of(child)? + estimated)
    }

    /// What estimated markers leave open of a joint: the covariance of its place in the world, and that of the turn of its
    /// child against its parent. So far off it is expected to be from where the same markers, measured, would have it.
    /// Nothing in a frame without estimates; `None` where the joint has no place.
    pub fn left_open_by_estimates(&self, joint: usize) -> Option<(Matrix3<f64>, Matrix3<f64>)> {
        (*self.joints_m.get(joint)?)?;
        self.from_estimates.get(joint).map(|of| (of.place_m2, of.turn_rad2))
    }

    /// The standard error of a joint's turn along its worst direction; `None` where one of its segments has no place.
    pub(crate) fn joint_turn_sd_rad(&self, sides: [usize; 2]) -> Option<f64> {
        self.joint_turn_rad2(sides).map(|turn_rad2| largest_eigenvalue(&turn_rad2).sqrt())
    }
}

/// The pose in a frame that shows all markers, the subject standing as on average, and what found it; `None` if it has
/// none.
pub(super) fn typical_pose(subject: &Subject) -> Option<(Solver, Pose)> {
    let mut world_from: Vec<Isometry3<f64>> = Vec::new();
    let mut positions_m = Vec::new();
    for (index, segment) in subject.segments.iter().enumerate() {
        let hung = subject.joint_of(index).map(|joint| {
            let parent = world_from[joint.parent];
            let rotation = parent.rotation * joint.parent_from_child_rest;
            let at_m = parent * joint.centre_in_parent_m;
            let origin_m = at_m - rotation * joint.centre_in_child_m.coords;
            Isometry3::from_parts(origin_m.into(), rotation)
        });
        let pose = hung.unwrap_or_default();
        let markers = segment.markers.iter();
        positions_m.extend(markers.map(|marker| Some(pose * marker.position_in_segment_m)));
        world_from.push(pose);
    }
    let markers = subject.segments.iter().flat_map(|segment| &segment.markers);
    let labels: Vec<&str> = markers.map(|marker| marker.label.as_str()).collect();
    let solver = Solver::new(subject, &labels).ok()?;
    let mut pose = solver.pose();
    solver.solve(&positions_m, &mut pose);
    Some((solver, pose))
}

/// For every joint of a subject what the pose leaves open of it in a typical frame, in the axes of its parent.
pub(crate) fn typical_spreads_m2(subject: &Subject) -> Vec<Matrix3<f64>> {
    let Some((_, pose)) = typical_pose(subject) else {
        return vec![Matrix3::zeros(); subject.joints.len()];
    };
    let spreads = subject.joints.iter().zip(&pose.joint_spreads_m2);
    spreads
        .map(|(joint, spread_m2)| {
            let parent = pose.world_from_segments[joint.parent].unwrap_or_default().rotation;
            let rotation = parent.to_rotation_matrix();
            rotation.matrix().transpose() * spread_m2 * rotation.matrix()
        })
        .collect()
}

/// For every joint of a subject the standard error of its turn in a typical frame; `None` where it has no place.
pub(crate) fn typical_turn_sds_rad(subject: &Subject) -> Vec<Option<f64>> {
    let pose = typical_pose(subject).map(|(_, pose)| pose);
    let sides = subject.joints.iter().map(|joint| [joint.parent, joint.child]);
    sides.map(|sides| pose.as_ref()?.joint_turn_sd_rad(sides)).collect()
}

/// A segment in a frame, and how far it may be off.
struct Held {
    world_from_segment: Isometry3<f64>,
    pivot_m2: Matrix3<f64>,
    turn_m2: Matrix3<f64>,
    gain: Matrix3<f64>,
    /// The covariance of its turn: what is open for a given place of its pivot, and what follows from that place.
    turn_rad2: Matrix3<f64>,
}

impl Held {
    /// The covariance of a point of the segment in the world, its place in the segment being exact.
    fn spread_m2(&self, node: &Node, in_segment_m: &Point3<f64>) -> Matrix3<f64> {
        let arm: Vector3<f64> =
            self.world_from_segment.rotation * (in_segment_m - node.pivot_in_segment_m);
        let across = arm.cross_matrix();
        let carried = Matrix3::identity() + across * self.gain;
        carried * self.pivot_m2 * carried.transpose() + across * self.turn_m2 * across.transpose()
    }

    /// What the turns of the segment do to a point that is off by as much as is not known of it: the mean of
    /// `[δ]× Θ [δ]×ᵀ` over δ.
    fn at_the_end_of(&self, centre_m2: &Matrix3<f64>) -> Matrix3<f64> {
        let turn = self.turn_rad2;
        let mixed = centre_m2 * turn;
        let (trace, of_turn) = (centre_m2.trace(), turn.trace());
        Matrix3::from_diagonal_element(trace * of_turn - mixed.trace())
            - centre_m2 * of_turn
            - turn * trace
            + mixed
            + mixed.transpose()
    }
}

/// The largest eigenvalue of a symmetric matrix, at least zero.
///
/// # Reference
/// O. K. Smith (1961), *Eigenvalues of a symmetric 3 × 3 matrix*.
pub(super) fn largest_eigenvalue(m: &Matrix3<f64>) -> f64 {
    let mean = m.trace() / 3.0;
    let off = m - Matrix3::from_diagonal_element(mean);
    let size = (off.norm_squared() / 6.0).sqrt();
    if size <= f64::EPSILON * mean.abs() {
        return mean.max(0.0);
    }
    let half_determinant = (off / size).determinant() / 2.0;
    let angle_rad = half_determinant.clamp(-1.0, 1.0).acos() / 3.0;
    (mean + 2.0 * size * angle_rad.cos()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_at_the_end_of_a_lever_that_is_not_known_are_those_of_its_mean_square() {
        let lever = Vector3::new(0.03, -0.01, 0.02);
        let turn = Matrix3::new(4.0, 1.0, 0.0, 1.0, 3.0, -0.5, 0.0, -0.5, 2.0) * 1e-4;
        let held = Held {
            world_from_segment: Isometry3::identity(),
            pivot_m2: Matrix3::zeros(),
            turn_m2: turn,
            gain: Matrix3::zeros(),
            turn_rad2: turn,
        };
        let across = lever.cross_matrix();
        let wanted = across * turn * across.transpose();
        let found = held.at_the_end_of(&(lever * lever.transpose()));
        assert!((found - wanted).norm() < 1e-12 * wanted.norm() + 1e-18, "{found} {wanted}");
    }

    #[test]
    fn the_largest_eigenvalue_is_that_of_the_iterative_method() {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        for diagonal in [[1.0, 2.0, 3.0], [5.0, 5.0, 1.0], [1e-6, 4e-4, 4e-4], [0.0; 3], [2.0; 3]] {
            let m = turn.matrix()
                * Matrix3::from_diagonal(&Vector3::from(diagonal))
                * turn.matrix().transpose();
            let [found, wanted] = [largest_eigenvalue(&m), m.symmetric_eigenvalues().max()];
            // Where two are the same, half of the digits go.
            assert!((found - wanted).abs() <= 1e-7 * wanted, "{found} {wanted}");
        }
    }
}
