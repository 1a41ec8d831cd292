//! Joints of a finger bend in proportion: the check, and what is done where they do not.
//!
//! The document checks its joints afterwards and solves again with the flexion shared evenly (A. Aristidou 2010, section
//! 5.5; page 123 calls it transdigital by mistake). It gives no numbers: these are ours.

use super::chain::{Chain, FingerAngles};
use super::closed_form::Closed;
use super::straight::Straight;

/// How far a joint may be from its coupling.
pub const MOST_OFF_COUPLING_RAD: f64 = 15.0 * DEGREE;
/// The middle joint is not bent farther than this while the base is bent back ...
pub const MOST_BENT_RAD: f64 = 30.0 * DEGREE;
/// ... farther than this.
pub const MOST_BENT_BACK_RAD: f64 = -5.0 * DEGREE;
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// The steps in which the end joint is turned off its coupling to either side, and how many are taken at once at first.
const STEPS: usize = 15;
const COARSE: usize = 5;

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
}

/// A finger that is held in proportion: the end joint off its coupling by so many steps, and either the base not bent back
/// or the middle joint bent little.
#[derive(Debug, Clone)]
pub struct Held {
    chains: Vec<[Chain; 2]>,
}

impl Held {
    pub fn of(chain: &Chain) -> Self {
        let steps = (0..=2 * STEPS).map(|step| step as f64 / STEPS as f64 - 1.0);
        let held = |share: f64| {
            let mut forward = chain.clone();
            forward.straight = Straight::default();
            forward.offsets_rad[chain.joints - 1] += share * MOST_OFF_COUPLING_RAD * (1.0 - 1e-9);
            let mut little = forward.clone();
            let [least, most] = &mut forward.flexion_rad[0];
            *least = least.max(MOST_BENT_BACK_RAD).min(*most);
            let [least, most] = &mut little.flexion_rad[1];
            *most = most.min(MOST_BENT_RAD).max(*least);
            [forward, little].map(Chain::with_range)
        };
        Self { chains: steps.map(held).collect() }
    }

    /// The pose whose tip is as near to the target as can be: of those that are near enough one that is hardly off its
    /// coupling.
    pub fn nearest(&self, target_m: [f64; 2], near_m: f64) -> Option<Closed> {
        let distance_m = target_m[0].hypot(target_m[1]);
        let solve = |step: usize, best: &mut Option<(usize, Closed)>| {
            for chain in &self.chains[step] {
                let [farthest_m, nearest_m] = chain.reach_m;
                let out_m = (distance_m - farthest_m).max(nearest_m - distance_m);
                if best.is_some_and(|(_, best)| best.residual_m <= out_m) {
                    continue;
                }
                let closed = chain.solve_in_plane(target_m);
                if best.is_none_or(|(_, best)| closed.residual_m < best.residual_m) {
                    *best = Some((step, closed));
                }
            }
            best.is_some_and(|(_, best)| best.residual_m <= near_m)
        };
        let mut best = None;
        let is_met = solve(STEPS, &mut best);
        // Coarsely from the coupling to either side, then finely about the best.
        let mut coarse =
            (COARSE..=STEPS).step_by(COARSE).flat_map(|off| [STEPS - off, STEPS + off]);
        let is_met = is_met || coarse.any(|step| solve(step, &mut best));
        let (middle, _) = best?;
        if !is_met {
            let fine = (middle.saturating_sub(COARSE) + 1)..(middle + COARSE).min(2 * STEPS);
            fine.into_iter().any(|step| solve(step, &mut best));
        }
        best.map(|(_, closed)| closed)
    }
}
