//! Skin that slides as joints turn: the error that neither more frames nor more markers average out.

use nalgebra::{DMatrix, Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::model::Model;
use super::problem::{Problem, SegmentPose};
use crate::rigid::best_rotation;

/// The share of the variance that is common to the markers of a segment.
///
/// Clusters move over the bone as a whole at least as much as they deform: Andersen 2012 and Barré 2013 find most of
/// the energy in the rigid part. Named from memory.
pub(super) const COMMON: f64 = 0.5;
/// Joints that turn less than this, root mean square, do not move the skin by all of its displacement.
const MIN_TURN_RAD: f64 = 0.1;
/// Where the joints beside a segment turn farther than this, root mean square, its skin slides farther in proportion:
/// what is assumed of skin is of walking and running. In deep squats and with raised arms markers go 20 to 40 mm over
/// thigh and shoulder (Stagni 2005, Matsui 2006; from memory).
const WALKING_TURN_RAD: f64 = 0.5;
/// A joint that stands bent by more than this on average has its skin displaced by as much as turning so far would move
/// it: landmarks are where they are on somebody who stands.
const STANDING_RAD: f64 = 0.8;

/// How the skin of every segment may slide.
///
/// # Method
/// The marker m of a segment is displaced, in the segment's frame, by `Σ_k s_k(t) a_mk`, with signals s the turns of the
/// joints beside the segment about three axes each, without their means, and normal vectors a, alike for all
/// axes and half common to the markers. Their size makes the root mean square over the frames, a
/// coordinate, the standard deviation that the marker's skin has, as long as joints turn as far as in walking;
/// beyond, it grows with how far they turn, and with how far they stand bent all the time.
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
    /// For every segment, how many times farther its skin may slide than is assumed, as its joints turn far.
    reaches: Vec<f64>,
    /// For every segment, by how much more its skin may be displaced all the time, as its joints stand bent.
    held: Vec<f64>,
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
    /// How far it is bent on average.
    fn bent_rad(&self) -> f64 {
        Rotation3::from_matrix_unchecked(self.parent_from_child).angle()
    }

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
            let parent_from_child = nearest_rotation(&sum);
            let mut turn = Turn { parent, child, parent_from_child, mean: Vector3::zeros() };
            turn.mean = poses.iter().map(|p| turn.since_mean(p)).sum::<Vector3<f64>>() / count;
            turn
        };
        let turns: Vec<Turn> =
            model.joints.iter().filter_map(|j| Some(turn(j.parent, j.child?))).collect();
        let beside: Vec<Vec<Turn>> = (0..model.segments.len())
            .map(|s| turns.iter().filter(|t| t.parent == s || t.child == s).cloned().collect())
            .collect();
        let turned_rad = |beside: &Vec<Turn>| {
            let square = |p: &Vec<SegmentPose>| -> f64 {
                beside.iter().map(|turn| turn.since_mean(p).norm_squared()).sum()
            };
            (poses.iter().map(square).sum::<f64>() / count).sqrt()
        };
        let turned_rad: Vec<f64> = beside.iter().map(turned_rad).collect();
        // What is known of skin and of standing is known of bodies whose postures are.
        let is_body = !model.angles.is_empty();
        let scales = turned_rad.iter().map(|turned| turned.max(MIN_TURN_RAD).recip()).collect();
        let reach = |turned: &f64| if is_body { (turned / WALKING_TURN_RAD).max(1.0) } else { 1.0 };
        let reaches = turned_rad.iter().map(reach).collect();
        let bent = |beside: &Vec<Turn>| {
            let beyond =
                beside.iter().map(|turn| (turn.bent_rad() - STANDING_RAD).max(0.0).powi(2));
            beyond.sum::<f64>().sqrt() / WALKING_TURN_RAD
        };
        let held = beside.iter().map(|own| if is_body { bent(own) } else { 0.0 }).collect();
        let mut skin = Self { beside, scales, reaches, held, signals: Vec::new() };
        skin.signals = poses.iter().map(|poses| skin.signals_of(poses)).collect();
        skin
    }

    /// How many signals a segment has: three for every joint beside it, and how far these stand bent.
    pub(super) fn count(&self, segment: usize) -> usize {
        self.turning(segment) + 1
    }

    fn turning(&self, segment: usize) -> usize {
        3 * self.beside[segment].len()
    }

    /// The signals of every segment in a frame.
    pub(super) fn signals_of(&self, poses: &[SegmentPose]) -> Vec<Vec<f64>> {
        let of_segment = |segment: usize| {
            let scale = self.scales[segment];
            let turns = self.beside[segment].iter().map(|turn| turn.since_mean(poses) * scale);
            turns.flat_map(|turn| [turn.x, turn.y, turn.z]).chain([self.held[segment]]).collect()
        };
        (0..self.beside.len()).map(of_segment).collect()
    }

    /// The main directions of the signals of every segment in the frames that were fitted, at most so many.
    pub(super) fn main_signals(&self, most: usize) -> Vec<Vec<Vec<f64>>> {
        let frames = self.signals.len();
        let mut main = vec![Vec::new(); frames];
        for segment in 0..self.beside.len() {
            let count = self.turning(segment);
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
        for segment in 0..self.beside.len() {
            for signal in 0..self.count(segment) {
                let reach =
                    if signal < self.turning(segment) { self.reaches[segment] } else { 1.0 };
                let mut common = Matrix3::zeros();
                for (index, moved) in moved.iter().enumerate() {
                    if markers[index].segment == segment {
                        let by_skin = moved[signal] * (reach * problem.skin_m[index]);
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

/// The rotation nearest to a sum of rotations; none at all where every other is as near.
///
/// In closed form: where turns go all ways, steps towards it may go back and forth for ever.
fn nearest_rotation(sum: &Matrix3<f64>) -> Matrix3<f64> {
    best_rotation(sum).unwrap_or_default().to_rotation_matrix().into_inner()
}

fn push_rows(errors: &mut Vec<Vector3<f64>>, rows: &Matrix3<f64>) {
    errors.extend(rows.row_iter().map(|row| row.transpose()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_mean_of_turns_that_go_all_ways_is_found() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..1000 {
            let mut turn = || {
                let axis = Vector3::from_fn(|_, _| random.random_range(-3.0..3.0));
                Rotation3::from_scaled_axis(axis).into_inner()
            };
            let turns: [Matrix3<f64>; 4] = std::array::from_fn(|_| turn());
            let sum: Matrix3<f64> = turns.iter().sum();
            let mean = nearest_rotation(&sum);
            let near = |rotation: &Matrix3<f64>| (rotation.transpose() * sum).trace();
            assert!(turns.iter().all(|turn| near(turn) <= near(&mean) + 1e-9), "{sum}");
        }
    }
}
