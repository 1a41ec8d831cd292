//! Estimates that contradict what is measured are left out of a frame.

use super::seen::{SKIN_M, Samples};
use super::{Pose, Solver};

/// Estimates of a segment are left out if the frame costs less by this without them: odds of e² to 1.
const MARGIN: f64 = 4.0;
/// Estimates err by more than they say more often than a Gaussian has it: as Student's t with so many degrees of freedom.
const DEGREES_OF_FREEDOM: f64 = 4.0;
/// A segment that has no place explains nothing, and costs this. This and those above were chosen on simulated arms and
/// runs with gaps of 20 and 30 %.
const NO_PLACE: f64 = 10.0;

impl Solver {
    /// Poses a frame again without the estimates of one segment after the other, and keeps the pose that explains it best;
    /// `spare` is room for it.
    ///
    /// # Method
    /// An estimate says how far it may be off, and now and then it is off by far more. Where little else tells of its
    /// segment it turns that over: a forearm with two measured markers, and its elbow to the wrong side. What is measured
    /// beyond the joint then does not fit. The least
    ///
    /// ```text
    /// Σ r² + Σ ν ln(1 + r²/ν) + Σ θ² / τ²,  r² = |m - p|² / (σ² + s² + v)
    /// ```
    ///
    /// is kept, the first sum over measured markers, the second over estimates, those left out included, the third over
    /// joints: m are the samples, p their places on the figure with its joints closed, σ² the variance of the segment's
    /// markers, s the size of skin motion, v the variance of an estimate, θ how far a joint is turned from its mean
    /// orientation and τ² the mean square of that.
    pub(super) fn leave_out_contradicted(
        &self,
        samples: Samples,
        pose: &mut Pose,
        spare: &mut Pose,
    ) {
        let mut least = self.cost(samples, pose);
        for (index, part) in self.segments.iter().enumerate() {
            if !samples.is_any_estimated(part) {
                continue;
            }
            spare.is_contradicted.copy_from_slice(&pose.is_contradicted);
            spare.is_contradicted[index] = true;
            self.place(samples, spare);
            let cost = self.cost(samples, spare);
            if cost + MARGIN < least {
                std::mem::swap(pose, spare);
                least = cost;
            }
        }
    }

    /// What a pose leaves unexplained.
    fn cost(&self, samples: Samples, pose: &Pose) -> f64 {
        let mut cost = 0.0;
        for (part, world_from_segment) in self.segments.iter().zip(&pose.world_from_segments) {
            let Some(world_from_segment) = world_from_segment else {
                cost += NO_PLACE;
                continue;
            };
            let own_m2 = part.precision_m2.recip() + SKIN_M * SKIN_M;
            for (column, in_segment_m, weight) in &part.markers {
                let Some(at_m) = samples.at_m(*column) else { continue };
                let variance_m2 = samples.variance_m2(*column);
                let square_m2 = (world_from_segment * in_segment_m - at_m).norm_squared();
                let square = weight * square_m2 / (own_m2 + variance_m2);
                cost += match variance_m2 > 0.0 {
                    true => DEGREES_OF_FREEDOM * (square / DEGREES_OF_FREEDOM).ln_1p(),
                    false => square,
                };
            }
        }
        for link in &self.joints {
            let sides = [link.parent, link.child].map(|segment| pose.world_from_segments[segment]);
            let [Some(parent), Some(child)] = sides else { continue };
            let rest = parent.rotation * link.parent_from_child_rest;
            cost += child.rotation.angle_to(&rest).powi(2) / link.turn_rad2;
        }
        cost
    }
}
