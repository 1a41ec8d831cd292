//! Where a foot is while it stands, rolls over the ground, or is lifted.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::performer::Leg;

/// A place on the ground for a foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Foothold {
    /// Of the ankle's foot point, on the ground.
    pub(super) x_m: f64,
    pub(super) y_m: f64,
    pub(super) yaw_rad: f64,
}

impl Foothold {
    /// Part of the way to another.
    pub(super) fn towards(&self, other: &Self, share: f64) -> Self {
        let part = |from: f64, to: f64| from + share * (to - from);
        Self {
            x_m: part(self.x_m, other.x_m),
            y_m: part(self.y_m, other.y_m),
            yaw_rad: part(self.yaw_rad, other.yaw_rad),
        }
    }
}

/// How a foot is held above its foothold.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Carriage {
    /// How far the toes point down.
    pub(super) pitch_rad: f64,
    /// What it rolls over: 1 for the heel, 0 for the ball.
    pub(super) heel: f64,
    /// How high it is lifted.
    pub(super) lift_m: f64,
    /// How far to the left it is carried.
    pub(super) left_m: f64,
}

/// How high the ankle is when the foot stands flat.
pub(super) fn ankle_height_m(leg: &Leg) -> f64 {
    -f64::min(leg.heel_in_foot_m.z, leg.ball_in_foot_m.z)
}

/// The pose of the foot.
pub(super) fn world_from_foot(leg: &Leg, hold: &Foothold, carried: &Carriage) -> Isometry3<f64> {
    let pitch = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), carried.pitch_rad);
    // The point it rolls over stays where it is when the foot is flat.
    let rolled = |contact: Vector3<f64>| contact - pitch * contact;
    let (heel, ball) = (leg.heel_in_foot_m.coords, leg.ball_in_foot_m.coords);
    let mut ankle = carried.heel * rolled(heel) + (1.0 - carried.heel) * rolled(ball);
    ankle.y += carried.left_m;
    ankle.z += carried.lift_m + ankle_height_m(leg);
    let yaw = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), hold.yaw_rad);
    let ankle = Vector3::new(hold.x_m, hold.y_m, 0.0) + yaw * ankle;
    Isometry3::from_parts(Translation3::from(ankle), yaw * pitch)
}

#[cfg(test)]
mod tests {
    use super::super::Performer;
    use super::*;

    #[test]
    fn the_point_that_a_foot_rolls_over_stays_on_the_ground() {
        let leg = &Performer::human().legs[0];
        let hold = Foothold { x_m: 1.0, y_m: 2.0, yaw_rad: 0.4 };
        let flat = world_from_foot(leg, &hold, &Carriage::default());
        for (heel, contact, pitch_rad) in
            [(1.0, leg.heel_in_foot_m, -0.3), (0.0, leg.ball_in_foot_m, 0.6)]
        {
            let rolled = Carriage { pitch_rad, heel, ..Carriage::default() };
            let moved = world_from_foot(leg, &hold, &rolled) * contact - flat * contact;
            assert!(moved.norm() < 1e-12, "{moved}");
            assert!((flat * contact).z.abs() < 1e-12);
        }
    }
}
