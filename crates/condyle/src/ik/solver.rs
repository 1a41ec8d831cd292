//! The solver: a linkage in a pose, and everything that reaching needs, allocated once.

use nalgebra::{Point3, UnitQuaternion};

use super::jacobian::Jacobian;
use super::linkage::Linkage;
use super::method::{Method, Options};
use super::pose::Pose;
use super::reach::{Outcome, Reach};
use super::stall::Stall;
use super::target::Target;
use super::{
    arc, bounds, ccd, fabrik, follow, gauss_newton, jacobian, monte_carlo, straight, triangulation,
};
use crate::error::{Error, Result};

/// Bends that are tried, each half as deep as the last.
const BENDS: usize = 16;
/// The share of a step that a bend may take.
const UNSTUCK: f64 = 0.5;

/// A linkage in a pose. Solving starts from where the last solve ended (a warm start) and does not
/// allocate, but for Monte Carlo, which allocates its particles when it is first asked for.
#[derive(Debug, Clone)]
pub struct Solver {
    pub(super) linkage: Linkage,
    pub(super) pose: Pose,
    pub(super) trial: Pose,
    pub(super) best: Pose,
    /// Where the joints were when the solve began.
    pub(super) start_m: Vec<Point3<f64>>,
    /// The pose of then, where steps are bounded.
    start: Pose,
    pub(super) jacobian: Jacobian,
    pub(super) inward: Vec<fabrik::Inward>,
    pub(super) particles: monte_carlo::Particles,
    /// Where base and targets of the last solve were, by joint.
    last_m: Vec<Option<Point3<f64>>>,
    /// Whether a bound on steps kept the present solve from going on.
    pub(super) is_held_back: bool,
    /// Whether turns and frames are behind the positions.
    pub(super) is_stale: bool,
}

impl Solver {
    /// A solver with the linkage at rest, or as near to it as the limits allow.
    pub fn new(linkage: Linkage) -> Self {
        let pose = Pose::of(&linkage);
        Self {
            trial: pose.clone(),
            best: pose.clone(),
            start_m: pose.at_m.clone(),
            start: pose.clone(),
            pose,
            jacobian: Jacobian::new(linkage.joints()),
            inward: vec![fabrik::Inward::default(); linkage.joints()],
            particles: monte_carlo::Particles::default(),
            last_m: vec![None; linkage.joints()],
            linkage,
            is_held_back: false,
            is_stale: false,
        }
    }

    /// The linkage.
    pub fn linkage(&self) -> &Linkage {
        &self.linkage
    }

    /// Where the joints are.
    pub fn positions_m(&self) -> &[Point3<f64>] {
        &self.pose.at_m
    }

    /// The frames of the bones, each at its end joint and with z along it; that of the base first.
    pub fn world_from_bones(&mut self) -> &[UnitQuaternion<f64>] {
        self.freshen();
        &self.pose.world_from_bone
    }

    /// How each bone is turned against its zero frame: the joint angles.
    pub fn zero_from_bones(&mut self) -> &[UnitQuaternion<f64>] {
        self.freshen();
        &self.pose.zero_from_bone
    }

    /// Turns every joint, as far as its limit allows: forward kinematics.
    ///
    /// # Errors
    /// Not one turn a joint.
    pub fn turn(&mut self, zero_from_bones: &[UnitQuaternion<f64>]) -> Result<()> {
        if zero_from_bones.len() != self.linkage.joints() {
            return Err(Error::argument(format!(
                "turns: need one a joint, {}, got {}",
                self.linkage.joints(),
                zero_from_bones.len()
            )));
        }
        self.freshen();
        self.last_m.fill(None);
        for (joint, turn) in zero_from_bones.iter().enumerate().skip(1) {
            self.pose.turn_to(&self.linkage, joint, turn);
        }
        Ok(())
    }

    /// Takes another pose from positions: lengths stay, limits are kept to, twists are undone.
    ///
    /// # Errors
    /// Not one position a joint, or one that is not finite.
    pub fn pose(&mut self, positions_m: &[Point3<f64>]) -> Result<()> {
        if positions_m.len() != self.linkage.joints() {
            return Err(Error::argument(format!(
                "positions: need one a joint, {}, got {}",
                self.linkage.joints(),
                positions_m.len()
            )));
        }
        if let Some(at) = positions_m.iter().find(|at| at.iter().any(|x| !x.is_finite())) {
            return Err(Error::argument(format!("positions: need finite coordinates, got {at}")));
        }
        self.pose.at_m.copy_from_slice(positions_m);
        self.pose.zero_from_bone.fill(UnitQuaternion::identity());
        self.pose.turn_to_positions(&self.linkage);
        self.last_m.fill(None);
        self.is_stale = false;
        Ok(())
    }

    /// Moves the base; the next solve reaches from there.
    ///
    /// # Errors
    /// A place that is not finite.
    pub fn move_base(&mut self, at_m: Point3<f64>) -> Result<()> {
        if at_m.iter().any(|x| !x.is_finite()) {
            return Err(Error::argument(format!("base: need finite coordinates, got {at_m}")));
        }
        let by_m = at_m - self.pose.at_m[0];
        self.pose.at_m.iter_mut().for_each(|at| *at += by_m);
        Ok(())
    }

    /// Turns the frame of the base, and everything with it.
    pub fn turn_base(&mut self, world_from_base: UnitQuaternion<f64>) {
        self.freshen();
        self.pose.world_from_bone[0] = world_from_base;
        self.pose.forward(&self.linkage);
    }

    /// How far outside its limit the worst joint is, in radians: 0, but for rounding.
    pub fn violation_rad(&mut self) -> f64 {
        self.freshen();
        self.pose.violation_rad(&self.linkage)
    }

    /// Reaches for targets from the present pose. The base stays.
    ///
    /// # Errors
    /// No target, one that is not finite or for a joint that is not there, settings out of their
    /// range, or a method that cannot do what the linkage or the targets ask for.
    pub fn solve(&mut self, targets: &[Target], options: &Options) -> Result<Reach> {
        options.check()?;
        self.check(targets, options.method)?;
        self.start_m.copy_from_slice(&self.pose.at_m);
        self.is_held_back = false;
        let options = &Options { max_step_m: self.most_step_m(targets, options), ..*options };
        let outside = match targets {
            // Every other case is left to the method and its stall test.
            [target] => bounds::is_out_of_reach(&self.linkage, &self.pose, target),
            _ => bounds::is_a_loop_too_short(&self.linkage),
        };
        let is_bounded = options.max_step_m.is_finite();
        let was_stale = self.is_stale;
        if is_bounded && !was_stale {
            self.start.copy_from(&self.pose);
        }
        if !outside && !options.method.is_for_plain_chains() {
            self.unstick(targets, options, was_stale);
        }
        let mut reach = match options.method {
            Method::Fabrik => fabrik::solve(self, targets, options, outside),
            Method::Arc => arc::solve(self, &targets[0]),
            Method::Triangulation => triangulation::solve(self, &targets[0], false),
            Method::TwoLink => triangulation::solve(self, &targets[0], true),
            Method::FollowTheLeader => follow::solve(self, &targets[0]),
            Method::Ccd => ccd::solve(self, targets, options),
            Method::MonteCarlo => monte_carlo::solve(self, targets, options),
            Method::GaussNewton => gauss_newton::solve(self, targets, options),
            _ => jacobian::solve(self, targets, options),
        };
        if is_bounded && self.largest_move_m() > options.max_step_m {
            self.start_again(was_stale);
            reach = self.step_less(targets, options, reach.iterations);
        }
        reach.outcome = match options.is_met((reach.distance_m, reach.angle_rad)) {
            true => Outcome::Reached,
            false if outside => Outcome::Unreachable,
            false => Outcome::Stalled,
        };
        reach.is_held_back = self.is_held_back && !reach.is_reached();
        self.remember(targets);
        if self.linkage.has_limits() {
            self.freshen();
            reach.limits_active = self.pose.limits_active(&self.linkage);
        }
        Ok(reach)
    }

    /// Bends what is straight and would be stuck, no farther than a step may go.
    fn unstick(&mut self, targets: &[Target], options: &Options, was_stale: bool) {
        let mut share = 1.0;
        for _ in 0..BENDS {
            if !straight::bend(self, targets, options.tolerance_m, share) {
                return;
            }
            if self.largest_move_m() <= UNSTUCK * options.max_step_m {
                return;
            }
            self.start_again(was_stale);
            share *= 0.5;
        }
    }

    /// Goes back to where the solve began; turns that were behind the positions then are so again.
    fn start_again(&mut self, was_stale: bool) {
        match was_stale {
            true => self.pose.at_m.copy_from_slice(&self.start_m),
            false => self.pose.copy_from(&self.start),
        }
        self.is_stale = was_stale;
    }

    /// What went too far is done again by steps that are held to where the solve began.
    fn step_less(&mut self, targets: &[Target], options: &Options, done: usize) -> Reach {
        self.is_held_back = true;
        let options = Options { restarts: 0, ..*options };
        let mut reach = gauss_newton::solve(self, targets, &options);
        reach.iterations += done;
        reach
    }

    fn largest_move_m(&self) -> f64 {
        gauss_newton::largest_move_m(&self.pose.at_m, &self.start_m)
    }

    /// How far a joint may go in this solve.
    fn most_step_m(&self, targets: &[Target], options: &Options) -> f64 {
        if options.max_step_ratio == f64::INFINITY {
            return options.max_step_m;
        }
        let at_m = |joint: usize| self.last_m[joint];
        let base = (self.pose.at_m[0], at_m(0));
        let all = targets.iter().map(|target| (target.at_m, at_m(target.joint)));
        let mut moved_m: f64 = 0.0;
        for (now, last) in all.chain([base]) {
            let Some(last) = last else { return options.max_step_m };
            moved_m = moved_m.max((now - last).norm());
        }
        if moved_m <= options.tolerance_m {
            // The target waits: so far as is missing to it.
            moved_m = self.left(targets).0;
        }
        (options.max_step_ratio * moved_m).max(f64::MIN_POSITIVE).min(options.max_step_m)
    }

    fn remember(&mut self, targets: &[Target]) {
        self.last_m.fill(None);
        self.last_m[0] = Some(self.pose.at_m[0]);
        for target in targets {
            self.last_m[target.joint] = Some(target.at_m);
        }
    }

    fn check(&self, targets: &[Target], method: Method) -> Result<()> {
        if targets.is_empty() && self.linkage.closures.is_empty() {
            return Err(Error::argument("targets: need one, got none"));
        }
        targets.iter().try_for_each(|target| target.check(&self.linkage))?;
        if method.is_for_plain_chains() {
            let linkage = &self.linkage;
            let at_the_end = matches!(targets, [target] if target.joint + 1 == linkage.joints()
                && target.world_from_bone.is_none());
            let is_plain = linkage.is_chain() && linkage.is_quick() && !linkage.has_limits();
            if !(at_the_end && is_plain) {
                return Err(Error::argument(format!(
                    "{method}: need a chain without limits and one target at its end"
                )));
            }
        }
        Ok(())
    }

    /// Brings turns and frames up to the positions.
    pub(super) fn freshen(&mut self) {
        if self.is_stale {
            self.pose.turn_to_positions(&self.linkage);
            self.is_stale = false;
        }
    }

    /// The largest distance and angle that are left, over all targets and loops.
    /// Takes steps until the targets are met, nothing comes nearer any more, or there were enough.
    pub(super) fn iterate(
        &mut self,
        targets: &[Target],
        options: &Options,
        mut step: impl FnMut(&mut Self),
    ) -> Reach {
        self.freshen();
        let mut stall = Stall::new(options.tolerance_m);
        let mut iterations = 0;
        loop {
            let left = self.left(targets);
            let is_last = iterations >= options.max_iterations || stall.is_stuck(left.0);
            if options.is_met(left) || is_last {
                return Reach::of(left, iterations);
            }
            step(self);
            iterations += 1;
        }
    }

    pub(super) fn left(&self, targets: &[Target]) -> (f64, f64) {
        left(&self.linkage, &self.pose, targets)
    }
}

/// The largest distance and angle that are left in a pose.
pub(super) fn left(linkage: &Linkage, pose: &Pose, targets: &[Target]) -> (f64, f64) {
    let mut distance_m: f64 = 0.0;
    let mut angle_rad: f64 = 0.0;
    for target in targets {
        distance_m = distance_m.max((pose.at_m[target.joint] - target.at_m).norm());
        if let Some(wanted) = &target.world_from_bone {
            angle_rad = angle_rad.max(pose.world_from_bone[target.joint].angle_to(wanted));
        }
    }
    for [one, other] in &linkage.closures {
        distance_m = distance_m.max((pose.at_m[*one] - pose.at_m[*other]).norm());
    }
    // The larger of a number and what is none is the number: what overflowed must not look reached.
    let is_sound = pose.at_m.iter().all(|at| at.coords.sum().is_finite());
    (if is_sound { distance_m } else { f64::INFINITY }, angle_rad)
}

impl Reach {
    /// What is left, before anyone judges it.
    pub(super) fn of((distance_m, angle_rad): (f64, f64), iterations: usize) -> Self {
        Self {
            outcome: Outcome::Stalled,
            distance_m,
            angle_rad,
            iterations,
            restarts: 0,
            limits_active: 0,
            is_held_back: false,
        }
    }
}
