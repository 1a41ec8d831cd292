//! One finger of the tracker: its tip to its joints, with how sure they are.

use nalgebra::{Matrix3, Matrix6, Point3, Vector3};

use super::chain::{Chain, FingerAngles};
use super::closed_form::Closed;
use super::intradigital::Held;
use super::model::{Finger, MAX_JOINTS};
use super::palm::{carried, place_jacobian};
use super::reach::Reacher;
use super::straight::{Expected, Straight};
use super::tracker::Method;
use crate::error::Result;
use crate::ik;

/// How many standard deviations of noise a tip may be off before limits are asked about.
const MOST_NOISES: f64 = 6.0;
/// The same at least.
const NEAR_M: f64 = 1e-3;
/// A tip that is met so well by joints in proportion is met.
const REPAIRED_M: f64 = 1e-4;
/// Passes of FABRIK in one frame.
const MOST_PASSES: usize = 64;
const TOLERANCE_M: f64 = 1e-5;

/// A finger made ready.
#[derive(Debug, Clone)]
pub(super) struct FingerSolver {
    pub chain: Chain,
    /// The same held in proportion, the least unusual first.
    in_proportion: Held,
    /// The same by one standard deviation of the coupling, if that is not exact.
    off_coupling: Option<Chain>,
    limited: Reacher,
    free: Reacher,
    joint_sds_m: [f64; MAX_JOINTS + 1],
    /// The last pose, for methods that begin there.
    pub last: FingerAngles,
}

/// A finger in one frame, in the hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solved {
    pub angles: FingerAngles,
    pub residual_m: f64,
    pub limits_active: usize,
    pub is_repaired: bool,
    pub drive_rad: f64,
    pub target_m: [f64; 2],
    /// What is to be expected of the driving angle where the tip alone does not tell it.
    pub expected: Option<Expected>,
}

impl From<Closed> for Solved {
    fn from(closed: Closed) -> Self {
        Self {
            angles: closed.angles,
            residual_m: closed.residual_m,
            limits_active: closed.limits_active,
            is_repaired: false,
            drive_rad: closed.drive_rad,
            target_m: closed.target_m,
            expected: closed.expected,
        }
    }
}

impl FingerSolver {
    /// # Errors
    /// A finger that is no linkage.
    pub fn new(finger: &Finger, method: Method, noise_m: f64, palm: &Matrix6<f64>) -> Result<Self> {
        let mut chain = Chain::of(finger);
        // The distance of a straight finger's tip from its base: that of the tip, and the palm's at the base.
        let along = chain.hand_from_rest * Vector3::x();
        let moves = place_jacobian(&chain.base_in_hand_m);
        let of_base_m2 = (along.transpose() * moves * palm * moves.transpose() * along)[0];
        chain.straight = Straight::of(&chain, (noise_m * noise_m + of_base_m2).sqrt());
        let options = ik::Options {
            tolerance_m: TOLERANCE_M,
            max_iterations: MOST_PASSES,
            restarts: 0,
            finish: method == Method::Closed,
            ..ik::Options::default()
        };
        let mut coupling_sds = [0.0; MAX_JOINTS];
        coupling_sds.iter_mut().zip(&finger.joints).for_each(|(sd, joint)| *sd = joint.coupling_sd);
        Ok(Self {
            in_proportion: Held::of(&chain),
            off_coupling: (coupling_sds != [0.0; MAX_JOINTS])
                .then(|| chain.with_couplings(coupling_sds)),
            limited: Reacher::new(&chain, true, options)?,
            free: Reacher::new(&chain, false, ik::Options { finish: false, ..options })?,
            joint_sds_m: finger.joint_sds_m,
            last: FingerAngles::default(),
            chain,
        })
    }

    /// Poses the finger for where its tip is in the hand.
    pub fn solve(&mut self, tip_in_hand_m: &Point3<f64>, noise_m: f64, method: Method) -> Solved {
        let closed = self.chain.solve(tip_in_hand_m, noise_m);
        let solved = match method {
            Method::Closed => self.checked(closed, noise_m),
            Method::Fabrik | Method::Document => self.by_fabrik(&closed, true, method),
            Method::Unlimited => self.by_fabrik(&closed, false, method),
        };
        self.last = solved.angles;
        solved
    }

    /// The closed form where it holds; FABRIK where limits bind or the coupling fails, then the check of proportions.
    fn checked(&mut self, closed: Closed, noise_m: f64) -> Solved {
        let near_m = NEAR_M.max(MOST_NOISES * noise_m);
        let is_out = self.chain.is_out_of_proportion(&closed.angles);
        if closed.residual_m <= near_m && !is_out {
            return closed.into();
        }
        let aside_m = self.aside_m(&closed);
        if !is_out {
            let reached = self.by_fabrik(&closed, true, Method::Closed);
            let is_better = reached.residual_m + 1e-6 < closed.residual_m;
            if is_better && !self.chain.is_out_of_proportion(&reached.angles) {
                return reached;
            }
        }
        let Some(mut held) = self.in_proportion.nearest(closed.target_m, REPAIRED_M) else {
            return closed.into();
        };
        held.angles.abduction_rad = closed.angles.abduction_rad;
        held.residual_m = held.residual_m.hypot(aside_m);
        if !is_out && held.residual_m + 1e-6 >= closed.residual_m {
            return closed.into();
        }
        Solved { is_repaired: is_out, ..held.into() }
    }

    /// How far the tip is beside the plane of the finger.
    fn aside_m(&self, closed: &Closed) -> f64 {
        let flexion = &closed.angles.flexion_rad;
        let end_m = self.chain.marker_in_plane_m(flexion);
        let in_plane_m = (end_m[0] - closed.target_m[0]).hypot(end_m[1] - closed.target_m[1]);
        (closed.residual_m.powi(2) - in_plane_m.powi(2)).max(0.0).sqrt()
    }

    fn by_fabrik(&mut self, closed: &Closed, is_limited: bool, method: Method) -> Solved {
        let from = match method {
            Method::Closed => closed.angles,
            _ => self.last,
        };
        let reacher = if is_limited { &mut self.limited } else { &mut self.free };
        let Some(reached) = reacher.reach(&self.chain, &from, closed.target_m) else {
            return (*closed).into();
        };
        let aside_m = self.aside_m(closed);
        let mut angles = FingerAngles {
            abduction_rad: closed.angles.abduction_rad,
            flexion_rad: reached.flexion_rad,
        };
        if is_limited {
            self.chain.clamp(&mut angles);
        }
        let end_m = self.chain.marker_in_plane_m(&angles.flexion_rad);
        let target_m = closed.target_m;
        let miss_m = (end_m[0] - target_m[0]).hypot(end_m[1] - target_m[1]);
        Solved {
            angles,
            residual_m: miss_m.hypot(aside_m),
            limits_active: reached.limits_active,
            is_repaired: false,
            drive_rad: closed.drive_rad,
            target_m,
            expected: None,
        }
    }

    /// How sure every joint is in the hand's axes, then the tip.
    ///
    /// # Method
    /// A joint goes with the palm as its own place does, and against it as the tip does: δq = A(q)ξ + J(δt - A(m)ξ), with
    /// ξ the error of the palm, A(q) how it moves a place, δt that of the tip and J = ∂q/∂m. Along the line from base to
    /// tip J is a secant over one standard deviation; of a finger that is all but straight that part is what its possible
    /// angles come to ([`Straight`]).
    pub fn covariances_m2(
        &self,
        solved: &Solved,
        tip_in_hand_m: &Point3<f64>,
        tip_m2: &Matrix3<f64>,
        palm: &Matrix6<f64>,
    ) -> [Matrix3<f64>; MAX_JOINTS + 1] {
        let chain = &self.chain;
        let angles = &solved.angles;
        let at_m = chain.places_m(angles);
        let moves_tip = place_jacobian(tip_in_hand_m);
        let tip_in_palm_m2 = tip_m2 + carried(&moves_tip, palm);
        // Unit vectors in the hand: along the plane to the tip, across it in the plane, beside the plane.
        let plane = chain.hand_from_bone_turned(angles.abduction_rad);
        let [x, z] = solved.target_m;
        let distance_m = x.hypot(z).max(1e-6);
        let to_tip = plane * Vector3::new(x, 0.0, z) / distance_m;
        let (aside, up) = (plane * Vector3::y(), chain.hand_from_rest * Vector3::z());
        // Flexion turns about the axis beside the plane.
        let across = aside.cross(&to_tip);
        let noise_m = (to_tip.transpose() * tip_in_palm_m2 * to_tip)[0].max(1e-16).sqrt();
        let ends = [1.0, -1.0].map(|sign| chain.drive_for(distance_m + sign * noise_m));
        let places_at = |drive_rad: f64| {
            let mut turned = *angles;
            let end_m = chain.end(drive_rad).0;
            turned.flexion_rad = chain.flexions(drive_rad);
            turned.flexion_rad[0] = f64::atan2(-z, x) - f64::atan2(-end_m[1], end_m[0]);
            turned.flexion_rad[0] = super::closed_form::wrapped(turned.flexion_rad[0]);
            chain.clamp(&mut turned);
            chain.places_m(&turned)
        };
        let sd_rad = 0.5 * (ends[1] - ends[0]).abs();
        let sides = match &solved.expected {
            Some(expected) => expected.sides,
            None => [solved.drive_rad - sd_rad, solved.drive_rad + sd_rad].map(|at| [at, 0.5]),
        };
        let secant = sides.map(|[drive_rad, _]| places_at(drive_rad));
        let off = self.off_coupling.as_ref().map(|other| {
            let mut closed = other.solve_in_plane(solved.target_m);
            closed.angles.abduction_rad = angles.abduction_rad;
            other.places_m(&closed.angles)
        });
        let spread_m = super::closed_form::SPREAD_RAD;
        let trust = x * x / (x * x + noise_m * noise_m / (spread_m * spread_m));
        let turn_per_m = if x.abs() > 1e-6 { trust / x } else { 0.0 };
        let base_m = chain.base_in_hand_m;
        let mut covariances = [Matrix3::zeros(); MAX_JOINTS + 1];
        for (joint, covariance) in covariances.iter_mut().enumerate().take(chain.joints + 1) {
            let arm_m = at_m[joint] - base_m;
            // Of an angle that the tip does not tell, where it may be instead, whatever the tip is off by.
            let (along, open_m2) = match &solved.expected {
                None => ((secant[0][joint] - secant[1][joint]) / (2.0 * noise_m), Matrix3::zeros()),
                Some(expected) => {
                    let own = secant.iter().zip(sides).map(|(places, [_, share])| {
                        let by_m = places[joint] - at_m[joint];
                        by_m * by_m.transpose() * share
                    });
                    (Vector3::zeros(), own.sum::<Matrix3<f64>>() * expected.variance_ratio)
                }
            };
            let flexed = aside.cross(&arm_m) / distance_m;
            let spread = up.cross(&arm_m);
            let jacobian = along * to_tip.transpose()
                + flexed * across.transpose()
                + spread * turn_per_m * aside.transpose();
            let moves = place_jacobian(&at_m[joint]) - jacobian * moves_tip;
            let sd_m = self.joint_sds_m[joint];
            *covariance = open_m2
                + jacobian * tip_m2 * jacobian.transpose()
                + carried(&moves, palm)
                + (1.0 - trust) * spread_m * spread_m * spread * spread.transpose()
                + Matrix3::identity() * (sd_m * sd_m);
            if let Some(off) = &off {
                let by_m = off[joint] - at_m[joint];
                *covariance += by_m * by_m.transpose();
            }
        }
        covariances
    }
}
