//! How far joints may be off because markers are estimates: what an error of each of them does to the pose.

use nalgebra::{Matrix3, Vector3};

use super::seen::{Moved, Samples};
use super::spread::largest_eigenvalue;
use super::{Pose, Solver};

/// The correlation of the errors of markers that are estimated together on one segment: they rest on the same neighbours.
/// Chosen on gaps made in public recordings.
const TOGETHER: f64 = 0.5;

/// The share of a response that goes another way than was found: skin moves markers off the places that levers are taken
/// from, and a frame is put together by few steps. Chosen there too.
const ASTRAY: f64 = 0.15;

/// A joint that estimates leave so far off, standard deviation, is nowhere: it would be drawn beside its limb, and jump
/// where the next marker is seen. As far as a segment is wide.
const NOWHERE_M: f64 = 0.05;

/// Of every joint what estimated markers leave open: of its place, and of the turn of its child against its parent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FromEstimates {
    pub(super) sides: [usize; 2],
    pub(super) turn_rad2: Matrix3<f64>,
    pub(super) place_m2: Matrix3<f64>,
    /// The responses to errors along x, y and z, by columns, summed over the markers of a segment: these go together.
    places_m: Matrix3<f64>,
    turns_rad: Matrix3<f64>,
}

impl FromEstimates {
    pub(super) fn nothing() -> Self {
        let none = Matrix3::zeros();
        let sides = [usize::MAX; 2];
        Self { sides, turn_rad2: none, place_m2: none, places_m: none, turns_rad: none }
    }

    fn add(&mut self, place_m: &Vector3<f64>, turn_rad: &Vector3<f64>, share: f64) {
        self.place_m2 += place_m * place_m.transpose() * share;
        self.turn_rad2 += turn_rad * turn_rad.transpose() * share;
    }
}

impl Solver {
    /// What is not known of the joints of a frame in which some markers are estimates, `spare` being room for it.
    ///
    /// # Method
    /// To what would not be known if they all were measured comes what their errors do. Every estimate is moved along
    /// each axis by its standard deviation and the frame is solved again: D is how far joints and turns move. Where markers
    /// of one segment are estimated together, their errors are correlated by ρ, and are worth
    ///
    /// ```text
    /// (1 - ρ) Σ D Dᵀ + ρ (Σ D)(Σ D)ᵀ
    /// ```
    ///
    /// for each axis. That estimates count less than measurements moves joints too, and that is added as an error. A share
    /// of all that goes in any direction. A joint that this leaves nowhere has no place, nor has its child.
    pub(super) fn measure_estimates(&self, samples: Samples, pose: &mut Pose, spare: &mut Pose) {
        spare.is_contradicted.copy_from_slice(&pose.is_contradicted);
        self.place(samples.as_measured(), spare);
        self.measure_spread(spare);
        pose.joint_covariances_m2.copy_from_slice(&spare.joint_covariances_m2);
        pose.turns_rad2.copy_from_slice(&spare.turns_rad2);
        let mut sums = std::mem::take(&mut pose.from_estimates);
        sums.fill(FromEstimates::nothing());
        for (joint, sum) in sums.iter_mut().enumerate() {
            let (place_m, turn_rad) = self.apart(joint, pose, spare);
            sum.add(&place_m, &turn_rad, 1.0);
        }
        for part in self.segments.iter().filter(|part| samples.is_any_estimated(part)) {
            for sum in &mut sums {
                (sum.places_m, sum.turns_rad) = (Matrix3::zeros(), Matrix3::zeros());
            }
            for (column, ..) in &part.markers {
                let variance_m2 = samples.variance_m2(*column);
                let Some(column) = column.filter(|_| variance_m2 > 0.0) else { continue };
                for axis in 0..3 {
                    let by_m = Vector3::ith(axis, variance_m2.sqrt());
                    let moved = Some(Moved { column, by_m });
                    self.place(Samples { moved, ..samples }, spare);
                    for (joint, sum) in sums.iter_mut().enumerate() {
                        let (place_m, turn_rad) = self.apart(joint, pose, spare);
                        sum.add(&place_m, &turn_rad, 1.0 - TOGETHER);
                        let (mut places_m, mut turns_rad) =
                            (sum.places_m.column_mut(axis), sum.turns_rad.column_mut(axis));
                        places_m += place_m;
                        turns_rad += turn_rad;
                    }
                }
            }
            for sum in &mut sums {
                sum.place_m2 += sum.places_m * sum.places_m.transpose() * TOGETHER;
                sum.turn_rad2 += sum.turns_rad * sum.turns_rad.transpose() * TOGETHER;
            }
        }
        for (joint, sum) in sums.iter_mut().enumerate() {
            for m2 in [&mut sum.place_m2, &mut sum.turn_rad2] {
                *m2 += Matrix3::from_diagonal_element(ASTRAY * ASTRAY * m2.trace());
            }
            sum.sides = [self.joints[joint].parent, self.joints[joint].child];
            pose.joint_covariances_m2[joint] += sum.place_m2;
            if largest_eigenvalue(&sum.place_m2).sqrt() > NOWHERE_M {
                pose.joints_m[joint] = None;
                pose.world_from_segments[self.joints[joint].child] = None;
            }
            if pose.joints_m[joint].is_some() {
                let covariance_m2 = &pose.joint_covariances_m2[joint];
                pose.joint_sds_m[joint] = largest_eigenvalue(covariance_m2).sqrt();
            }
        }
        pose.from_estimates = sums;
    }

    /// How far a joint is from where another solution has it, and how far its child is turned against its parent.
    fn apart(&self, joint: usize, pose: &Pose, other: &Pose) -> (Vector3<f64>, Vector3<f64>) {
        let place_m = match (pose.joints_m[joint], other.joints_m[joint]) {
            (Some(one), Some(other)) => other - one,
            _ => Vector3::zeros(),
        };
        let turn_rad = |segment: usize| {
            let one = pose.world_from_segments[segment]?.rotation;
            Some((other.world_from_segments[segment]?.rotation * one.inverse()).scaled_axis())
        };
        let link = &self.joints[joint];
        let turn_rad = turn_rad(link.child).zip(turn_rad(link.parent)).map(|(a, b)| a - b);
        (place_m, turn_rad.unwrap_or_default())
    }
}
