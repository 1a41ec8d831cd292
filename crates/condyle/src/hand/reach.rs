//! A finger that reaches for its tip by FABRIK in its plane, within its limits.

use nalgebra::{Point3, Vector3};

use super::chain::{Chain, FingerAngles};
use super::closed_form::wrapped;
use super::model::MAX_JOINTS;
use crate::error::Result;
use crate::ik::{Limit, Linkage, Options, Solver, Target, ZeroDirection};

/// A finger in its own plane: x along it unbent, z out of the nail, the base at the origin.
#[derive(Debug, Clone)]
pub(super) struct Reacher {
    solver: Solver,
    joints: usize,
    /// How far the marker of the tip turns the end bone as the solver sees it.
    end_turn_rad: f64,
    options: Options,
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub flexion_rad: [f64; MAX_JOINTS],
    pub limits_active: usize,
}

impl Reacher {
    /// With limits, or without.
    ///
    /// # Errors
    /// A finger that is no linkage.
    pub fn new(chain: &Chain, is_limited: bool, options: Options) -> Result<Self> {
        let joints = chain.joints;
        let mut at_m = vec![Point3::origin()];
        let mut along_m = 0.0;
        for length_m in &chain.lengths_m[..joints - 1] {
            along_m += length_m;
            at_m.push(Point3::new(along_m, 0.0, 0.0));
        }
        let end_m = chain.end_m.x.hypot(chain.end_m.z);
        at_m.push(Point3::new(along_m + end_m, 0.0, 0.0));
        let parents: Vec<Option<usize>> = (0..at_m.len()).map(|i| i.checked_sub(1)).collect();
        let mut linkage = Linkage::tree(&at_m, &parents, ZeroDirection::Rest)?;
        let end_turn_rad = f64::atan2(-chain.end_m.z, chain.end_m.x);
        for joint in 0..joints {
            if !is_limited {
                continue;
            }
            let turn = if joint + 1 == joints { end_turn_rad } else { 0.0 };
            let range = chain.flexion_rad[joint].map(|limit| limit + turn);
            let axis = linkage.world_from_zero_at_rest(joint + 1).inverse() * Vector3::y();
            linkage.limit(joint + 1, Limit::hinge(axis, range)?)?;
        }
        Ok(Self { solver: Solver::new(linkage), joints, end_turn_rad, options })
    }

    /// Reaches from some angles.
    pub fn reach(
        &mut self,
        chain: &Chain,
        from: &FingerAngles,
        target_m: [f64; 2],
    ) -> Option<Reached> {
        let mut places = [Point3::origin(); MAX_JOINTS + 1];
        let (mut at, mut turned) = ([0.0; 2], 0.0);
        for joint in 0..self.joints {
            turned += from.flexion_rad[joint];
            let last = joint + 1 == self.joints;
            let (length_m, turn) = match last {
                true => (chain.end_m.x.hypot(chain.end_m.z), turned + self.end_turn_rad),
                false => (chain.lengths_m[joint], turned),
            };
            at = [at[0] + length_m * turn.cos(), at[1] - length_m * turn.sin()];
            places[joint + 1] = Point3::new(at[0], 0.0, at[1]);
        }
        self.solver.pose(&places[..=self.joints]).ok()?;
        let target = Target::at(self.joints, Point3::new(target_m[0], 0.0, target_m[1]));
        let reach = self.solver.solve(&[target], &self.options).ok()?;
        let at_m = self.solver.positions_m();
        let mut flexion_rad = [0.0; MAX_JOINTS];
        let mut before = 0.0;
        for joint in 0..self.joints {
            let along = at_m[joint + 1] - at_m[joint];
            let mut direction = f64::atan2(-along.z, along.x);
            if joint + 1 == self.joints {
                direction -= self.end_turn_rad;
            }
            flexion_rad[joint] = wrapped(direction - before);
            before = direction;
        }
        Some(Reached { flexion_rad, limits_active: reach.limits_active })
    }
}
