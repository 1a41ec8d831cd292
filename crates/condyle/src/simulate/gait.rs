//! Walking: where the root and the feet are at any time.

use std::f64::consts::TAU;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::foot::{Carriage, Foothold, world_from_foot};
use super::leg::reach_m;
use super::performer::{Gait, Leg, Performer};
use super::wave::{bump, ramp};
use crate::error::{ErrorKind, Result};

/// How straight a leg may get while walking, as a share of its length.
const STRAIGHTEST: f64 = 0.995;
/// How finely a cycle is searched for the height that all feet can be reached from.
const PHASES: usize = 100;
/// By this share of the cycle after its strike a foot is flat.
const FLAT_FROM: f64 = 0.12;
/// At this share of stance the heel leaves the ground.
const HEEL_OFF: f64 = 0.5;

/// A gait made ready for a performer.
#[derive(Debug, Clone)]
pub(super) struct Walk<'a> {
    performer: &'a Performer,
    gait: &'a Gait,
    /// The ankles at rest, seen from the root, in the ground's plane.
    ankles: Vec<Vector3<f64>>,
    /// How high the root is without its bobbing.
    height_m: f64,
    /// When the cycle begins.
    start: f64,
}

impl<'a> Walk<'a> {
    /// A walk that begins anywhere in its cycle.
    ///
    /// # Errors
    /// The legs are too short for such steps.
    pub(super) fn new(performer: &'a Performer, gait: &'a Gait, start: f64) -> Result<Self> {
        let mut poses = Vec::new();
        let rest: Vec<f64> = performer.rest_angles();
        performer.place(Isometry3::identity(), &rest, &mut poses);
        let ankles =
            performer.legs.iter().map(|leg| poses[leg.segments[2]].translation.vector).collect();
        let mut walk = Self { performer, gait, ankles, height_m: 0.0, start };
        let mut lowest = f64::INFINITY;
        for step in 0..PHASES {
            let time_s = gait.cycle_s * step as f64 / PHASES as f64;
            let root = walk.world_from_root(time_s);
            performer.place(root, &rest, &mut poses);
            for (index, leg) in performer.legs.iter().enumerate() {
                let hip = poses[leg.segments[0]].translation.vector;
                let ankle = walk.world_from_foot(index, time_s).translation.vector;
                lowest =
                    lowest.min(height_above(hip, ankle, STRAIGHTEST * reach_m(performer, leg))?);
            }
        }
        walk.height_m = lowest - gait.crouch_m;
        Ok(walk)
    }

    /// Cycles since the walk began.
    pub(super) fn cycle(&self, time_s: f64) -> f64 {
        self.start + time_s / self.gait.cycle_s
    }

    /// Where the root is.
    pub(super) fn world_from_root(&self, time_s: f64) -> Isometry3<f64> {
        let gait = self.gait;
        let cycle = self.cycle(time_s);
        let (x_m, y_m, heading_rad) = self.path(cycle);
        // A leg that strikes at 0 carries the weight about the middle of its stance.
        let midstance = gait.stance / 2.0;
        let once = |phase: f64| (TAU * (cycle - phase)).cos();
        let bob_m = gait.bob_m * (2.0 * TAU * (cycle - midstance)).cos();
        let heading = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), heading_rad);
        let aside = heading * Vector3::new(0.0, gait.sway_m * once(midstance), 0.0);
        let tilt = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -gait.yaw_rad * once(0.0))
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), gait.lean_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), gait.roll_rad * once(0.25));
        let place = Vector3::new(x_m, y_m, self.height_m + bob_m) + aside;
        Isometry3::from_parts(Translation3::from(place), heading * tilt)
    }

    /// Where the foot of a leg is.
    pub(super) fn world_from_foot(&self, leg: usize, time_s: f64) -> Isometry3<f64> {
        let Leg { phase: offset, .. } = self.performer.legs[leg];
        let since = self.cycle(time_s) - offset;
        let (step, phase) = (since.floor(), since - since.floor());
        let gait = self.gait;
        let here = self.foothold(leg, step);
        let swing = (phase - gait.stance) / (1.0 - gait.stance);
        // A cubic: a foot gets going faster than a smooth step would.
        let share = swing.clamp(0.0, 1.0);
        let share = share * share * (3.0 - 2.0 * share);
        let hold = here.towards(&self.foothold(leg, step + 1.0), share);
        let outwards = self.ankles[leg].y.signum();
        let carried = Carriage {
            pitch_rad: self.pitch_rad(phase) + gait.hang_rad * bump(swing),
            heel: self.heel(phase),
            lift_m: gait.lift_m * bump(swing),
            left_m: outwards * gait.spread_m * bump(swing),
        };
        world_from_foot(&self.performer.legs[leg], &hold, &carried)
    }

    /// How far the toes point down in a phase of the leg's own cycle.
    fn pitch_rad(&self, phase: f64) -> f64 {
        let gait = self.gait;
        let heel_off = HEEL_OFF * gait.stance;
        let toe_off = gait.stance + 0.03;
        let landing = -gait.strike_rad;
        landing * (1.0 - ramp(phase, 0.0, FLAT_FROM))
            + gait.toe_off_rad * (ramp(phase, heel_off, toe_off) - ramp(phase, toe_off, 0.92))
            + landing * ramp(phase, toe_off, 0.95)
    }

    /// What the foot rolls over: 1 for the heel, 0 for the ball.
    fn heel(&self, phase: f64) -> f64 {
        let stance = self.gait.stance;
        1.0 - ramp(phase, FLAT_FROM, HEEL_OFF * stance) + ramp(phase, stance, 1.0)
    }

    /// Where a leg stands from its strike in a cycle on: under its hip in the middle of stance.
    fn foothold(&self, leg: usize, step: f64) -> Foothold {
        let midstance = step + self.performer.legs[leg].phase + self.gait.stance / 2.0;
        let (x_m, y_m, heading_rad) = self.path(midstance);
        let heading = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), heading_rad);
        let from_root = heading * self.ankles[leg];
        Foothold { x_m: x_m + from_root.x, y_m: y_m + from_root.y, yaw_rad: heading_rad }
    }

    /// Place and heading on the circle after some cycles.
    fn path(&self, cycle: f64) -> (f64, f64, f64) {
        let along_m = self.gait.speed_m_s * self.gait.cycle_s * cycle;
        let radius_m = self.gait.turn_radius_m;
        if radius_m.is_infinite() {
            return (along_m, 0.0, 0.0);
        }
        let heading_rad = along_m / radius_m;
        (radius_m * heading_rad.sin(), -radius_m * heading_rad.cos(), heading_rad)
    }
}

/// How much higher a hip may go until it is a distance from its ankle.
pub(super) fn height_above(hip: Vector3<f64>, ankle: Vector3<f64>, reach_m: f64) -> Result<f64> {
    let level = ankle - hip;
    let up_squared = reach_m * reach_m - level.x * level.x - level.y * level.y;
    if up_squared <= 0.0 {
        return Err(ErrorKind::Undetermined(format!(
            "legs of {reach_m:.3} m: need a step that they can reach, got one {:.3} m wide",
            level.xy().norm()
        ))
        .into());
    }
    Ok(level.z + up_squared.sqrt())
}
