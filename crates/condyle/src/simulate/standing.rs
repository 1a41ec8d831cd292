//! Exercising in place: joints go through their range while the feet stand, or one is lifted.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::Rng;

use super::foot::{Carriage, Foothold, world_from_foot};
use super::leg::reach_m;
use super::performer::Performer;
use super::wave::{Wave, bump, ramp};

/// How much of the way the root goes over the feet that carry it.
const OVER_FEET: f64 = 0.8;
/// Steps a second of each foot when stepping in place.
const STEP_HZ: f64 = 0.8;
/// How high a leg that is to swing freely is first lifted, as a share of its length.
const LIFT: f64 = 0.15;
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
        self.share_between(time_s, 0.0, 1.0)
    }

    /// The same, beginning and ending in a part of the time that it takes to begin and to end.
    fn share_between(&self, time_s: f64, from: f64, to: f64) -> f64 {
        let (from_s, to_s) = (from * self.ramp_s, to * self.ramp_s);
        ramp(time_s, self.from_s + from_s, self.from_s + to_s)
            * (1.0 - ramp(time_s, self.to_s - to_s, self.to_s - from_s))
    }
}

/// How much the root moves while the feet stand: half ranges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unrest {
    /// Sideways and forwards, as a share of its size.
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
}

impl<'a> Standing<'a> {
    /// Standing at rest but for the unrest of the root.
    pub(super) fn new(
        performer: &'a Performer,
        acts: Vec<Act>,
        unrest: Unrest,
        rng: &mut impl Rng,
    ) -> Self {
        let ankles = performer.ankles_at_rest();
        let hold = |ankle: Vector3<f64>| Foothold { x_m: ankle.x, y_m: ankle.y, yaw_rad: 0.0 };
        let size_m = performer.size_m();
        let mut sway = |amplitude: f64, frequency_hz: f64| Wave::sway(amplitude, frequency_hz, rng);
        let (shift_m, crouch_m) = (unrest.shift * size_m, unrest.crouch * size_m);
        // Feet far from the root allow it less turning.
        let spread_m = ankles.iter().map(|ankle| ankle.xy().norm()).fold(0.0, f64::max);
        let turn_rad = unrest.turn_rad * (0.12 * size_m / spread_m).min(1.0);
        let sways = [
            sway(shift_m, 0.19),
            sway(shift_m, 0.23),
            sway(crouch_m, 0.29),
            sway(0.5 * turn_rad, 0.17),
            sway(0.7 * turn_rad, 0.13),
            sway(turn_rad, 0.11),
        ];
        Self {
            performer,
            acts,
            sways,
            holds: ankles.into_iter().map(hold).collect(),
            reaches_m: performer.legs.iter().map(|leg| reach_m(performer, leg)).collect(),
        }
    }

    /// Where the root is if legs could be of any length.
    pub(super) fn world_from_root(&self, time_s: f64) -> Isometry3<f64> {
        let stand = self.performer.segments[0].joint_in_parent_m.coords;
        if self.performer.is_fixed {
            return Isometry3::from_parts(Translation3::from(stand), UnitQuaternion::identity());
        }
        let [forward_m, left_m, _, roll_rad, pitch_rad, yaw_rad] =
            self.sways.map(|sway| sway.at(time_s));
        let turned = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), pitch_rad)
            * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), roll_rad);
        let place =
            stand + Vector3::new(forward_m, left_m, 0.0) + self.towards_bearing_feet(time_s);
        Isometry3::from_parts(Translation3::from(place), turned)
    }

    /// How much lower than upright the performer is.
    pub(super) fn crouch_m(&self, time_s: f64) -> f64 {
        // On one leg less nobody crouches.
        let legs = 0..self.holds.len();
        let lifted = legs.map(|leg| self.off_ground(leg, time_s, 0.0, 1.0)).fold(0.0, f64::max);
        (1.0 - lifted) * (self.sways[2].at(time_s) + self.sways[2].amplitude)
    }

    /// Where the foot of a leg is while it stands.
    pub(super) fn world_from_foothold(&self, leg: usize) -> Isometry3<f64> {
        world_from_foot(&self.performer.legs[leg], &self.holds[leg], &Carriage::default())
    }

    /// Where the foot of a leg is as long as the leg does not swing freely.
    pub(super) fn world_from_foot(&self, leg: usize, time_s: f64) -> Isometry3<f64> {
        let mut carried = Carriage::default();
        for act in self.acts.iter().filter(|act| act.high_step_m > 0.0) {
            let share = act.share(time_s) * self.step_share(leg, time_s);
            carried.lift_m += act.high_step_m * share;
            carried.pitch_rad += HANGING_RAD * share;
        }
        // A leg that is to swing freely is first lifted straight up.
        let lifted = self.off_ground(leg, time_s, 0.0, 0.7);
        carried.lift_m += LIFT * self.reaches_m[leg] * lifted;
        world_from_foot(&self.performer.legs[leg], &self.holds[leg], &carried)
    }

    /// How much a leg moves freely instead of standing, 0 to 1.
    pub(super) fn swings_free(&self, leg: usize, time_s: f64) -> f64 {
        self.off_ground(leg, time_s, 0.3, 1.0)
    }

    fn off_ground(&self, leg: usize, time_s: f64, from: f64, to: f64) -> f64 {
        let acts = self.acts.iter().filter(|act| act.lifted.contains(&leg));
        acts.map(|act| act.share_between(time_s, from, to)).sum::<f64>().min(1.0)
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
            let bears = 1.0 - self.off_ground(leg, time_s, 0.0, 1.0);
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
