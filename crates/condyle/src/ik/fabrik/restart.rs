//! Other poses to start from.

use std::f64::consts::{PI, TAU};

use nalgebra::Vector3;

use super::super::limit::{Swing, Twist, swing_to, twist_by};
use super::super::linkage::Linkage;
use super::super::pose::{Pose, allowed};
use super::super::solver::Solver;

/// Random numbers for starts: quick, seeded, the same everywhere (splitmix64, S. Vigna 2015).
#[derive(Debug, Clone)]
pub(in super::super) struct Random(u64);

impl Random {
    pub(in super::super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Evenly from 0 up to 1.
    pub(in super::super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn direction(&mut self) -> Vector3<f64> {
        let z = 2.0 * self.unit() - 1.0;
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        let across = (1.0 - z * z).max(0.0).sqrt();
        Vector3::new(across * cos, across * sin, z)
    }
}

/// Takes a random pose within the limits.
pub(super) fn elsewhere(solver: &mut Solver, random: &mut Random) {
    let Solver { linkage, pose, .. } = solver;
    for joint in 1..linkage.joints() {
        turn_at_random(linkage, pose, joint, random);
    }
}

/// Turns a joint to somewhere within its limit.
pub(in super::super) fn turn_at_random(
    linkage: &Linkage,
    pose: &mut Pose,
    joint: usize,
    random: &mut Random,
) {
    let limit = &linkage.bones[joint].limit;
    let twist_rad = match limit.twist {
        Twist::Free => PI * (2.0 * random.unit() - 1.0),
        Twist::Range { min_rad, max_rad } => min_rad + (max_rad - min_rad) * random.unit(),
    };
    let turn = match &limit.swing {
        Swing::Hinge(hinge) => {
            hinge.turn_by(hinge.min_rad + (hinge.max_rad - hinge.min_rad) * random.unit())
        }
        swing => {
            // From the middle out to the edge, evenly over the area.
            let edge = swing.clamp(&random.direction());
            let polar_rad = edge.x.hypot(edge.y).atan2(edge.z) * random.unit().sqrt();
            let (sin, cos) = polar_rad.sin_cos();
            let across = edge.x.hypot(edge.y).max(1e-300);
            let inside = Vector3::new(edge.x * sin / across, edge.y * sin / across, cos);
            swing_to(&inside) * twist_by(twist_rad)
        }
    };
    let turn = allowed(linkage, joint, &turn);
    let world_from_zero = pose.world_from_zero(linkage, joint);
    pose.set(linkage, joint, &world_from_zero, turn);
}
