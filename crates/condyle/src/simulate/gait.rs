//! Walking: where the root and the feet are at any time.

use std::f64::consts::TAU;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::foot::{Carriage, Foothold, world_from_foot};
use super::leg::{height_above, reach_m};
use super::performer::{Gait, Leg, Performer};
use super::wave::{bump, ramp};
use crate::error::{Error, Result};

/// How straight a leg may get while walking, as a share of its length.
const STRAIGHTEST: f64 = 0.995;
/// How finely a cycle is searched for the height that all feet can be reached from.
const PHASES: usize = 100;
/// How many places a foot may be put down ahead of its hip, and behind.
const ALONG: i32 = 24;
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
    /// How far from its hip each ankle can be.
    reaches_m: Vec<f64>,
    /// How high the root is without its bobbing.
    height_m: f64,
    /// How far ahead of its hip a foot is in the middle of its stance.
    ahead_m: f64,
    /// When the cycle begins.
    start: f64,
}

impl<'a> Walk<'a> {
    /// A walk that begins anywhere in its cycle.
    ///
    /// # Errors
    /// The legs are too short for such steps.
    pub(super) fn new(performer: &'a Performer, gait: &'a Gait, start: f64) -> Result<Self> {
        let ankles = performer.ankles_at_rest();
        let reaches_m = performer.legs.iter().map(|leg| reach_m(performer, leg)).collect();
        let mut walk =
            Self { performer, gait, ankles, reaches_m, height_m: 0.0, ahead_m: 0.0, start };
        // As feet roll over their balls, the legs have the longest way to go to the front: feet are
        // put down where the root can stay highest.
        let mut best = (walk.greatest_height_m(), 0.0);
        for step in -ALONG..=ALONG {
            walk.ahead_m = 0.3 * gait.cycle_s * gait.speed_m_s * f64::from(step) / f64::from(ALONG);
            let height_m = walk.greatest_height_m();
            if height_m > best.0 {
                best = (height_m, walk.ahead_m);
            }
        }
        if best.0 <= 0.0 {
            return Err(Error::undetermined(format!(
                "{}: need legs that reach the ground at such steps, got too short ones",
                performer.name
            )));
        }
        walk.ahead_m = best.1;
        walk.height_m = best.0 - gait.crouch_m;
        Ok(walk)
    }

    /// How high the root can be all through the cycle; not positive if not at all.
    fn greatest_height_m(&self) -> f64 {
        let mut poses = Vec::new();
        let rest = self.performer.rest_angles();
        let mut greatest_m = f64::INFINITY;
        for step in 0..PHASES {
            let time_s = self.gait.cycle_s * step as f64 / PHASES as f64;
            let mut root = self.world_from_root(time_s);
            root.translation.z -= self.height_m;
            self.performer.place(root, &rest, &mut poses);
            for (index, leg) in self.performer.legs.iter().enumerate() {
                let hip = poses[leg.segments[0]].translation.vector;
                let ankle = self.world_from_foot(index, time_s).translation.vector;
                let height_m = height_above(hip, ankle, STRAIGHTEST * self.reaches_m[index]);
                greatest_m = greatest_m.min(height_m.unwrap_or(0.0));
            }
        }
        greatest_m
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

    /// When each foot strikes and leaves the ground, in order of time, up to a time.
    pub(super) fn contacts(&self, last_s: f64) -> Vec<(f64, usize, &'static str)> {
        let mut contacts = Vec::new();
        for (leg, Leg { phase, .. }) in self.performer.legs.iter().enumerate() {
            for (label, offset) in [("Foot Strike", *phase), ("Foot Off", phase + self.gait.stance)]
            {
                let mut cycle = (self.start - offset).ceil() + offset;
                while (cycle - self.start) * self.gait.cycle_s <= last_s {
                    contacts.push(((cycle - self.start) * self.gait.cycle_s, leg, label));
                    cycle += 1.0;
                }
            }
        }
        contacts.sort_by(|a, b| a.0.total_cmp(&b.0));
        contacts
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
        let from_root = heading * (self.ankles[leg] + Vector3::new(self.ahead_m, 0.0, 0.0));
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
