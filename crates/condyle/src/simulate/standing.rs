//! Exercising in place: joints go through their range while the feet stand, or one is lifted.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::Rng;

use super::foot::{Carriage, Foothold, world_from_foot};
use super::gait::height_above;
use super::leg::reach_m;
use super::performer::Performer;
use super::wave::{Wave, bump, ramp};
use crate::error::Result;

/// How straight a leg may get while standing, as a share of its length.
const STRAIGHTEST: f64 = 0.997;
/// How much of the way the root goes over the feet that carry it.
const OVER_FEET: f64 = 0.8;
/// Steps a second of each foot when stepping in place.
const STEP_HZ: f64 = 0.8;
/// How far the toes hang when stepping in place.
const HANGING_RAD: f64 = 0.35;

/// Some joints going through their range for a while.
#[derive(Debug, Clone)]
pub(super) struct Act {
    pub(super) from_s: f64,
    pub(super) to_s: f64,
    /// How long it takes to begin and to end.
    pub(super) ramp_s: f64,
    /// The angles that go through their range, by index.
    pub(super) waves: Vec<(usize, Wave)>,
    /// The legs that are off the ground.
    pub(super) lifted: Vec<usize>,
    /// How high the feet go, one after the other.
    pub(super) high_step_m: f64,
}

impl Act {
    /// How much of it is going on at a time, 0 to 1.
    pub(super) fn share(&self, time_s: f64) -> f64 {
        let begun = ramp(time_s, self.from_s, self.from_s + self.ramp_s);
        begun * (1.0 - ramp(time_s, self.to_s - self.ramp_s, self.to_s))
    }
}

/// How much the root moves while the feet stand: half ranges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unrest {
    /// Sideways and forwards, as a share of the standing height.
    pub(super) shift: f64,
    /// Downwards, the same.
    pub(super) crouch: f64,
    /// Turning and tilting.
    pub(super) turn_rad: f64,
}

/// A performer that stays in its place.
#[derive(Debug, Clone)]
pub(super) struct Standing<'a> {
    performer: &'a Performer,
    pub(super) acts: Vec<Act>,
    /// Forwards, to the left, down; turning about x, y, z.
    sways: [Wave; 6],
    holds: Vec<Foothold>,
    reaches_m: Vec<f64>,
    rest: Vec<f64>,
}

impl<'a> Standing<'a> {
    /// Standing at rest but for the unrest of the root.
    pub(super) fn new(
        performer: &'a Performer,
        acts: Vec<Act>,
        unrest: Unrest,
        rng: &mut impl Rng,
    ) -> Self {
        let rest = performer.rest_angles();
        let mut poses = Vec::new();
        performer.place(Isometry3::identity(), &rest, &mut poses);
        let hold = |leg: &super::performer::Leg| {
            let ankle = poses[leg.segments[2]].translation.vector;
            Foothold { x_m: ankle.x, y_m: ankle.y, yaw_rad: 0.0 }
        };
        let height_m = performer.segments[0].joint_in_parent_m.z;
        let mut sway = |amplitude: f64, frequency_hz: f64| Wave::sway(amplitude, frequency_hz, rng);
        let (shift_m, crouch_m) = (unrest.shift * height_m, unrest.crouch * height_m);
        let sways = [
            sway(shift_m, 0.19),
            sway(shift_m, 0.23),
            sway(crouch_m, 0.29),
            sway(0.5 * unrest.turn_rad, 0.17),
            sway(0.7 * unrest.turn_rad, 0.13),
            sway(unrest.turn_rad, 0.11),
        ];
        Self {
            performer,
            acts,
            sways,
            holds: performer.legs.iter().map(hold).collect(),
            reaches_m: performer.legs.iter().map(|leg| reach_m(performer, leg)).collect(),
            rest,
        }
    }

    /// Where the root is.
    ///
    /// # Errors
    /// The feet cannot be reached.
    pub(super) fn world_from_root(
        &self,
        time_s: f64,
        poses: &mut Vec<Isometry3<f64>>,
    ) -> Result<Isometry3<f64>> {
        let stand = self.performer.segments[0].joint_in_parent_m.coords;
        if self.performer.is_fixed {
            return Ok(Isometry3::translation(stand.x, stand.y, stand.z));
        }
        let [forward_m, left_m, down_m, roll_rad, pitch_rad, yaw_rad] =
            self.sways.map(|sway| sway.at(time_s));
        let down_m = down_m + self.sways[2].amplitude;
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), pitch_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), roll_rad);
        let over_feet = self.towards_bearing_feet(time_s);
        let level = Vector3::new(forward_m, left_m, 0.0) + over_feet;
        if self.performer.legs.is_empty() {
            let place = stand + level - Vector3::new(0.0, 0.0, down_m);
            return Ok(Isometry3::from_parts(Translation3::from(place), turned));
        }
        let flat = Isometry3::from_parts(Translation3::from(level), turned);
        self.performer.place(flat, &self.rest, poses);
        // A smooth minimum of what the legs allow.
        let softness_m = 0.005 * stand.z;
        let mut sum = 0.0;
        for (index, leg) in self.performer.legs.iter().enumerate() {
            let hip = poses[leg.segments[0]].translation.vector;
            let grounded = world_from_foot(leg, &self.holds[index], &Carriage::default());
            let reach_m = STRAIGHTEST * self.reaches_m[index];
            let height_m = height_above(hip, grounded.translation.vector, reach_m)?;
            sum += (-height_m / softness_m).exp();
        }
        let height_m = -softness_m * sum.ln();
        let place = level + Vector3::new(0.0, 0.0, height_m - down_m);
        Ok(Isometry3::from_parts(Translation3::from(place), turned))
    }

    /// Where the foot of a leg is as long as the leg is not lifted.
    pub(super) fn world_from_foot(&self, leg: usize, time_s: f64) -> Isometry3<f64> {
        let mut carried = Carriage::default();
        for act in self.acts.iter().filter(|act| act.high_step_m > 0.0) {
            let share = act.share(time_s) * self.step_share(leg, time_s);
            carried.lift_m += act.high_step_m * share;
            carried.pitch_rad += HANGING_RAD * share;
        }
        world_from_foot(&self.performer.legs[leg], &self.holds[leg], &carried)
    }

    /// How much a leg is lifted, 0 to 1.
    pub(super) fn lifted(&self, leg: usize, time_s: f64) -> f64 {
        let acts = self.acts.iter().filter(|act| act.lifted.contains(&leg));
        acts.map(|act| act.share(time_s)).sum::<f64>().min(1.0)
    }

    /// How high a foot is when stepping in place, as a share.
    fn step_share(&self, leg: usize, time_s: f64) -> f64 {
        let since = STEP_HZ * time_s - self.performer.legs[leg].phase;
        bump((since - since.floor()) / 0.5)
    }

    /// How far the root goes over the feet that carry it.
    fn towards_bearing_feet(&self, time_s: f64) -> Vector3<f64> {
        let place = |hold: &Foothold| Vector3::new(hold.x_m, hold.y_m, 0.0);
        let (mut all, mut bearing, mut weight) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for (leg, hold) in self.holds.iter().enumerate() {
            let bears = 1.0 - self.lifted(leg, time_s);
            all += place(hold);
            bearing += bears * place(hold);
            weight += bears;
        }
        if weight <= 0.0 {
            return Vector3::zeros();
        }
        OVER_FEET * (bearing / weight - all / self.holds.len() as f64)
    }
}
