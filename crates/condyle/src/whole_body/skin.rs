//! Skin that slides as joints turn: the error that neither more frames nor more markers average out.

use nalgebra::{DMatrix, Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::model::Model;
use super::problem::{Problem, SegmentPose};

/// The share of the variance that is common to the markers of a segment.
///
/// Clusters move over the bone as a whole at least as much as they deform: Andersen 2012 and Barré 2013 find most of
/// the energy in the rigid part. Named from memory.
pub(super) const COMMON: f64 = 0.5;
/// Joints that turn less than this, root mean square, do not move the skin by all of its displacement.
const MIN_TURN_RAD: f64 = 0.1;

/// How the skin of every segment may slide.
///
/// # Method
/// The marker m of a segment is displaced, in the segment's frame, by `Σ_k s_k(t) a_mk`, with signals s the turns of the
/// joints beside the segment about three axes each, without their means, and normal vectors a, alike for all
/// axes and half common to the markers. Their size makes the root mean square over the frames, a
/// coordinate, the standard deviation that the marker's skin has.
///
/// # Reference
/// V. Camomilla, A. Cereatti, L. Chèze, A. Cappozzo (2013), *A hip joint kinematics driven model for the generation of
/// realistic thigh soft tissue artefacts*: displacements are nearly linear in the angles of the joints beside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Skin {
    /// For every segment, the joints beside it.
    beside: Vec<Vec<Turn>>,
    /// For every segment, what makes the sum of squares of its signals one on average.
    scales: Vec<f64>,
    /// For every frame that was fitted and every segment, its signals.
    pub signals: Vec<Vec<Vec<f64>>>,
}

/// A joint and how it stands on average.
#[derive(Debug, Clone, PartialEq)]
struct Turn {
    parent: usize,
    child: usize,
    parent_from_child: Matrix3<f64>,
    mean: Vector3<f64>,
}

impl Turn {
    fn since_mean(&self, poses: &[SegmentPose]) -> Vector3<f64> {
        let now = poses[self.parent].rotation.transpose() * poses[self.child].rotation;
        let turned = self.parent_from_child.transpose() * now;
        // By a quaternion: of a matrix that is next to no turn the angle may be no number.
        let turned = Rotation3::from_matrix_unchecked(turned);
        UnitQuaternion::from_rotation_matrix(&turned).scaled_axis() - self.mean
    }
}

impl Skin {
    pub(super) fn new(model: &Model, poses: &[Vec<SegmentPose>]) -> Self {
        let count = poses.len().max(1) as f64;
        let turn = |parent: usize, child: usize| {
            let sum: Matrix3<f64> =
                poses.iter().map(|p| p[parent].rotation.transpose() * p[child].rotation).sum();
            let parent_from_child = Rotation3::from_matrix(&(sum / count)).into_inner();
            let mut turn = Turn { parent, child, parent_from_child, mean: Vector3::zeros() };
            turn.mean = poses.iter().map(|p| turn.since_mean(p)).sum::<Vector3<f64>>() / count;
            turn
        };
        let turns: Vec<Turn> =
            model.joints.iter().filter_map(|j| Some(turn(j.parent, j.child?))).collect();
        let beside: Vec<Vec<Turn>> = (0..model.segments.len())
            .map(|s| turns.iter().filter(|t| t.parent == s || t.child == s).cloned().collect())
            .collect();
        let scale = |beside: &Vec<Turn>| {
            let square = |p: &Vec<SegmentPose>| -> f64 {
                beside.iter().map(|turn| turn.since_mean(p).norm_squared()).sum()
            };
            let mean = poses.iter().map(square).sum::<f64>() / count;
            mean.sqrt().max(MIN_TURN_RAD).recip()
        };
        let scales = beside.iter().map(scale).collect();
        let mut skin = Self { beside, scales, signals: Vec::new() };
        skin.signals = poses.iter().map(|poses| skin.signals_of(poses)).collect();
        skin
    }

    /// How many signals a segment has.
    pub(super) fn count(&self, segment: usize) -> usize {
        3 * self.beside[segment].len()
    }

    /// The signals of every segment in a frame.
    pub(super) fn signals_of(&self, poses: &[SegmentPose]) -> Vec<Vec<f64>> {
        let of_segment = |(beside, scale): (&Vec<Turn>, &f64)| {
            let turns = beside.iter().map(|turn| turn.since_mean(poses) * *scale);
            turns.flat_map(|turn| [turn.x, turn.y, turn.z]).collect()
        };
        self.beside.iter().zip(&self.scales).map(of_segment).collect()
    }

    /// The main directions of the signals of every segment in the frames that were fitted, at most so many.
    pub(super) fn main_signals(&self, most: usize) -> Vec<Vec<Vec<f64>>> {
        let frames = self.signals.len();
        let mut main = vec![Vec::new(); frames];
        for segment in 0..self.beside.len() {
            let count = self.count(segment);
            let all = DMatrix::from_fn(frames, count, |f, k| self.signals[f][segment][k]);
            let eigen = (all.transpose() * &all / frames.max(1) as f64).symmetric_eigen();
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
            order.truncate(most);
            let reduced = all * eigen.eigenvectors;
            for (frame, main) in main.iter_mut().enumerate() {
                main.push(order.iter().map(|k| reduced[(frame, *k)]).collect());
            }
        }
        main
    }

    /// What a unit of each error moves: common to a segment, and of each marker's own.
    ///
    /// `moved` has for every marker and signal the sum over frames of what a displacement by the signal moves, a
    /// row for each axis of the segment.
    pub(super) fn errors(
        &self,
        problem: &Problem,
        moved: &[Vec<Matrix3<f64>>],
    ) -> Vec<Vector3<f64>> {
        let markers = &problem.model.markers;
        // Where markers of a segment keep their distances, only what they share may still slide.
        let shown = problem.sliding.as_ref().map_or(1.0, |sliding| sliding.shown);
        let own = ((1.0 - COMMON) * shown).sqrt();
        let mut errors = Vec::new();
        for (segment, beside) in self.beside.iter().enumerate() {
            for signal in 0..3 * beside.len() {
                let mut common = Matrix3::zeros();
                for (index, moved) in moved.iter().enumerate() {
                    if markers[index].segment == segment {
                        let by_skin = moved[signal] * problem.skin_m[index];
                        common += by_skin;
                        push_rows(&mut errors, &(by_skin * own));
                    }
                }
                push_rows(&mut errors, &(common * COMMON.sqrt()));
            }
        }
        errors
    }
}

fn push_rows(errors: &mut Vec<Vector3<f64>>, rows: &Matrix3<f64>) {
    errors.extend(rows.row_iter().map(|row| row.transpose()));
}
