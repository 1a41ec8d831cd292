//! A finger from its tip in closed form: three coordinates give abduction, flexion of the base, and the angle that
//! drives all other joints.
//!
//! # Method
//! The finger lies in a plane that holds the axis of abduction, so the azimuth of the tip gives the abduction. Along the
//! plane the distance of the tip from the base falls as the driving angle grows: one safeguarded root. The direction of
//! the tip then gives the flexion of the base.
//!
//! # Reference
//! A. Aristidou (2010), chapter 5, has the planes (5.8); the coupled joints in closed form are ours.

use std::f64::consts::{PI, TAU};

use nalgebra::{Point3, Vector3};

use super::chain::{Chain, FingerAngles};
use super::straight::Expected;

/// How far fingers are spread, as far as nothing is known: one standard deviation. It decides only where the tip is
/// near the axis of abduction, which then shows nothing.
pub(super) const SPREAD_RAD: f64 = 0.14;
/// Steps of a search for a root; each at least halves its bracket, and most do far better.
const MOST_STEPS: usize = 60;

/// A finger from its tip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Closed {
    pub angles: FingerAngles,
    /// The angle that all joints but the base follow.
    pub drive_rad: f64,
    /// How far the marker of the tip is from where it was seen.
    pub residual_m: f64,
    /// How many limits the finger is held by.
    pub limits_active: usize,
    /// How the tip is in the plane of the finger: along it unbent and out of the nail.
    pub target_m: [f64; 2],
    /// What is to be expected of the driving angle where the tip alone does not tell it.
    pub expected: Option<Expected>,
}

impl Chain {
    /// Poses the finger so that the marker of its tip is where it was seen, or as near as limits let it.
    pub fn solve(&self, tip_in_hand_m: &Point3<f64>, noise_m: f64) -> Closed {
        let tip_m = self.in_rest_m(tip_in_hand_m);
        let (abduction_rad, is_held) = self.abduction(&tip_m, noise_m);
        let (sin, cos) = f64::sin_cos(abduction_rad);
        let target_m = [tip_m.x * cos + tip_m.y * sin, tip_m.z];
        let aside_m = tip_m.y * cos - tip_m.x * sin - self.end_m.y;
        let mut closed = self.solve_in_plane(target_m);
        closed.angles.abduction_rad = abduction_rad;
        closed.limits_active += usize::from(is_held);
        closed.residual_m = closed.residual_m.hypot(aside_m);
        closed
    }

    /// The abduction that turns the plane of the finger to its tip, and whether it is held by a limit.
    fn abduction(&self, tip_m: &Vector3<f64>, noise_m: f64) -> (f64, bool) {
        let [least, most] = self.abduction_rad;
        let from_axis_m = tip_m.x.hypot(tip_m.y);
        let along_m = (from_axis_m.powi(2) - self.end_m.y.powi(2)).max(0.0).sqrt();
        let azimuth = f64::atan2(tip_m.y, tip_m.x);
        // The tip is beyond the axis as seen from the palm, or has come back over it, as in a fist.
        let [ahead, back] =
            [along_m, -along_m].map(|along_m| wrapped(azimuth - f64::atan2(self.end_m.y, along_m)));
        let outside = |angle: f64| (least - angle).max(angle - most).max(0.0);
        let seen = if outside(back) < outside(ahead) { back } else { ahead };
        let trust =
            from_axis_m.powi(2) / (from_axis_m.powi(2) + (noise_m / SPREAD_RAD).powi(2) + 1e-18);
        let wanted = seen * trust;
        let held = wanted.clamp(least, most);
        (held, (held - wanted).abs() > 1e-9)
    }

    /// The same in the plane of the finger.
    pub fn solve_in_plane(&self, target_m: [f64; 2]) -> Closed {
        let distance_m = target_m[0].hypot(target_m[1]);
        let direction_rad = f64::atan2(-target_m[1], target_m[0]);
        let expected = self.straight.expected(distance_m, direction_rad);
        let drive_rad = match &expected {
            Some(expected) => expected.mean_rad,
            None => self.drive_for(distance_m),
        };
        let is_held_drive = !(self.reach_m[1]..=self.reach_m[0]).contains(&distance_m);
        let (end_m, _) = self.end(drive_rad);
        let [least, most] = self.flexion_rad[0];
        let wanted = direction_rad - f64::atan2(-end_m[1], end_m[0]);
        // Counted about the middle of its range.
        let middle = 0.5 * (least + most);
        let wanted = middle + wrapped(wanted - middle);
        let base_rad = wanted.clamp(least, most);
        let is_held = (base_rad - wanted).abs() > 1e-9;
        let drive_rad = match is_held {
            true => self.nearest_drive(base_rad, target_m),
            false => drive_rad,
        };
        let mut angles =
            FingerAngles { flexion_rad: self.flexions(drive_rad), ..Default::default() };
        angles.flexion_rad[0] = base_rad;
        Closed {
            angles,
            drive_rad,
            residual_m: self.miss_m(base_rad, drive_rad, target_m),
            limits_active: usize::from(is_held) + usize::from(is_held_drive),
            target_m,
            expected,
        }
    }

    /// The driving angle at which the marker of the tip is so far from the base; the nearest there is.
    pub fn drive_for(&self, distance_m: f64) -> f64 {
        let [farthest, nearest] = self.reach_m;
        let [mut low, mut high] = self.drive_rad;
        if distance_m >= farthest {
            return low;
        }
        if distance_m <= nearest {
            return high;
        }
        let square = distance_m * distance_m;
        // The law of cosines says about how far along the root is.
        let share = (farthest * farthest - square) / (farthest * farthest - nearest * nearest);
        let mut angle = low + (high - low) * share.sqrt();
        for _ in 0..MOST_STEPS {
            let (value, slope) = self.square_m2(angle);
            let over = value - square;
            if over > 0.0 {
                low = angle;
            } else {
                high = angle;
            }
            let newton = angle - over / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - angle).abs() < 1e-13 {
                return next;
            }
            angle = next;
        }
        angle
    }

    /// How far the marker of the tip is from a target in the plane.
    fn miss_m(&self, base_rad: f64, drive_rad: f64, target_m: [f64; 2]) -> f64 {
        let (end_m, _) = self.end(drive_rad);
        let (sin, cos) = base_rad.sin_cos();
        let at = [end_m[0] * cos + end_m[1] * sin, end_m[1] * cos - end_m[0] * sin];
        (at[0] - target_m[0]).hypot(at[1] - target_m[1])
    }

    /// The driving angle that brings the tip nearest while the base is held: the best of a few, then golden sections.
    fn nearest_drive(&self, base_rad: f64, target_m: [f64; 2]) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        const PARTS: usize = 8;
        let miss = |drive_rad: f64| self.miss_m(base_rad, drive_rad, target_m);
        let [least, most] = self.legal_range();
        let part_rad = (most - least) / PARTS as f64;
        let mut best = (f64::INFINITY, least);
        for part in 0..=PARTS {
            let drive_rad = least + part_rad * part as f64;
            let off_m = miss(drive_rad);
            if off_m < best.0 {
                best = (off_m, drive_rad);
            }
        }
        let (mut low, mut high) = ((best.1 - part_rad).max(least), (best.1 + part_rad).min(most));
        let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let mut misses = inner.map(miss);
        for _ in 0..20 {
            if misses[0] < misses[1] {
                high = inner[1];
                (inner[1], misses[1]) = (inner[0], misses[0]);
                inner[0] = high - GOLDEN * (high - low);
                misses[0] = miss(inner[0]);
            } else {
                low = inner[0];
                (inner[0], misses[0]) = (inner[1], misses[1]);
                inner[1] = low + GOLDEN * (high - low);
                misses[1] = miss(inner[1]);
            }
        }
        0.5 * (low + high)
    }
}

/// An angle between half a turn back and half a turn on.
pub(super) fn wrapped(angle_rad: f64) -> f64 {
    let turned = (angle_rad + PI).rem_euclid(TAU) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}
