//! Joints of a finger bend in proportion: the check, and what is done where they do not.
//!
//! The document checks its joints afterwards and solves again with the flexion shared evenly (A. Aristidou 2010, section
//! 5.5; page 123 calls it transdigital by mistake). It gives no numbers: these are ours.

use super::chain::{Chain, FingerAngles};
use super::closed_form::Closed;

/// How far a joint may be from its coupling.
pub const MOST_OFF_COUPLING_RAD: f64 = 15.0 * DEGREE;
/// The middle joint is not bent farther than this while the base is bent back ...
pub const MOST_BENT_RAD: f64 = 30.0 * DEGREE;
/// ... farther than this.
pub const MOST_BENT_BACK_RAD: f64 = -5.0 * DEGREE;
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// The steps in which the end joint is turned off its coupling until the finger is in proportion.
const STEPS: usize = 15;

impl Chain {
    /// Whether the joints are out of proportion.
    pub fn is_out_of_proportion(&self, angles: &FingerAngles) -> bool {
        let flexion = &angles.flexion_rad;
        let is_bent_back =
            flexion[1] > MOST_BENT_RAD + 1e-9 && flexion[0] < MOST_BENT_BACK_RAD - 1e-9;
        is_bent_back || self.off_coupling_rad(angles) > MOST_OFF_COUPLING_RAD + 1e-9
    }

    /// How far the joint that is farthest from its coupling is from it.
    pub fn off_coupling_rad(&self, angles: &FingerAngles) -> f64 {
        let Some(driver) = (1..self.joints).find(|joint| self.couplings[*joint] > 0.0) else {
            return 0.0;
        };
        let drive =
            (angles.flexion_rad[driver] - self.offsets_rad[driver]) / self.couplings[driver];
        let wanted = self.flexions(drive);
        (1..self.joints)
            .map(|joint| (angles.flexion_rad[joint] - wanted[joint]).abs())
            .fold(0.0, f64::max)
    }

    /// The same finger with its end joint off its coupling, more and more, to either side.
    pub fn bent(&self) -> Vec<Self> {
        let turn = |step: usize| MOST_OFF_COUPLING_RAD * (1.0 - 1e-9) * step as f64 / STEPS as f64;
        (1..=STEPS)
            .flat_map(|step| [turn(step), -turn(step)])
            .map(|by_rad| self.with_end_bent(by_rad))
            .collect()
    }

    /// A pose in proportion whose tip is as near to the target as can be: coupled if that serves, else with the end joint
    /// off its coupling as little as does.
    ///
    /// `bent` is what [`Chain::bent`] gives.
    pub fn in_proportion(
        &self,
        bent: &[Self],
        abduction_rad: f64,
        target_m: [f64; 2],
        near_m: f64,
    ) -> Closed {
        let mut best = self.solve_in_plane(target_m);
        best.angles.abduction_rad = abduction_rad;
        let is_good = |closed: &Closed| {
            !self.is_out_of_proportion(&closed.angles) && closed.residual_m <= near_m
        };
        if is_good(&best) {
            return best;
        }
        let rank = |closed: &Closed| (self.is_out_of_proportion(&closed.angles), closed.residual_m);
        for other in bent {
            let mut closed = other.solve_in_plane(target_m);
            closed.angles.abduction_rad = abduction_rad;
            if is_good(&closed) {
                return closed;
            }
            let (is_out, miss_m) = rank(&closed);
            let (is_best_out, best_miss_m) = rank(&best);
            if (is_out, miss_m) < (is_best_out, best_miss_m) {
                best = closed;
            }
        }
        if self.is_out_of_proportion(&best.angles) {
            // The base is held where the middle joint may bend.
            let mut held = self.clone();
            held.flexion_rad[0][0] = held.flexion_rad[0][0].max(MOST_BENT_BACK_RAD);
            best = held.solve_in_plane(target_m);
            best.angles.abduction_rad = abduction_rad;
        }
        best
    }
}
