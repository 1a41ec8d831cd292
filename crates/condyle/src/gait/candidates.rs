//! What feet do about the time of an event: the signals that time it, one by one.

use super::curve::{Curve, first_rise, largest, last_rise, least_value, turned_over};
use super::feet::{Feet, Foot};
use super::track::Track;
use super::travel::Travel;
use super::{EventKind, Side};

/// Something about a foot that happens near an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// The foot is farthest ahead of the pelvis, or behind it (Zeni 2008).
    Farthest,
    /// The vertical acceleration of the heel is largest.
    HeelBrakes,
    /// The middle of the foot falls fastest.
    FootFalls,
    /// The heel falls through 5 mm above where it comes to rest.
    HeelLands,
    /// The toe falls fastest.
    ToeFalls,
    /// The heel is slower than half the walking speed.
    HeelHalfSpeed,
    /// The heel, in any direction, is slower than 0.3 of it.
    HeelSlow,
    /// The ankle falls fastest.
    AnkleFalls,
    /// The forward acceleration of the toe is largest.
    ToeThrust,
    /// The toe is faster than half the walking speed.
    ToeHalfSpeed,
    /// The ankle rises fastest.
    AnkleRises,
    /// The toe is faster than 0.8 of the walking speed.
    ToeFast,
    /// The middle of the foot rises fastest.
    FootRises,
    /// The vertical acceleration of the toe is largest.
    ToeJerksUp,
    /// The toe, in any direction, is faster than 0.6 of the walking speed.
    ToeMoves,
    /// The toe rises fastest.
    ToeRises,
    /// The toe is 30 mm above where it rested.
    ToeLifts,
}

/// The signs of a foot strike.
pub const STRIKE_SIGNS: [Sign; 8] = [
    Sign::Farthest,
    Sign::HeelBrakes,
    Sign::FootFalls,
    Sign::HeelLands,
    Sign::ToeFalls,
    Sign::HeelHalfSpeed,
    Sign::HeelSlow,
    Sign::AnkleFalls,
];
/// The signs of a foot off.
pub const OFF_SIGNS: [Sign; 10] = [
    Sign::Farthest,
    Sign::ToeThrust,
    Sign::ToeHalfSpeed,
    Sign::AnkleRises,
    Sign::ToeFast,
    Sign::FootRises,
    Sign::ToeJerksUp,
    Sign::ToeMoves,
    Sign::ToeRises,
    Sign::ToeLifts,
];

/// The signals of one foot.
pub(super) struct FootCurves {
    pub has_heel: bool,
    pub ahead: Curve,
    pub behind: Curve,
    heel_height_m: Curve,
    heel_up_m_s2: Curve,
    heel_forward: Curve,
    heel_speed: Curve,
    foot_up_m_s: Curve,
    ankle_up_m_s: Curve,
    toe_height_m: Curve,
    toe_up_m_s: Curve,
    toe_up_m_s2: Curve,
    toe_forward: Curve,
    toe_forward_m_s2: Curve,
    toe_speed: Curve,
}

impl FootCurves {
    /// Speeds are shares of the walking speed.
    pub fn of(feet: &Feet, travel: &Travel, side: Side) -> Option<Self> {
        let foot: &Foot = &feet.feet[side as usize];
        let heel = foot.heel.as_ref().or(foot.ankle.as_ref()).or(foot.toe.as_ref())?;
        let toe = foot.toe.as_ref().or(foot.ankle.as_ref()).or(foot.heel.as_ref())?;
        let ankle = foot.ankle.as_ref().unwrap_or(heel);
        let middle = heel.between(toe, feet.rate_hz);
        let up = |values: &[Option<nalgebra::Vector3<f64>>]| -> Curve {
            values.iter().map(|v| Some((*v)?.dot(&feet.up))).collect()
        };
        let forward = |values: &[Option<nalgebra::Vector3<f64>>]| -> Curve {
            values.iter().zip(&travel.direction).map(|(v, d)| Some((*v)?.dot(&(*d)?))).collect()
        };
        let share = |curve: Curve| -> Curve {
            let speeds = travel.speed_m_s.iter();
            curve.iter().zip(speeds).map(|(v, speed)| Some((*v)? / (*speed)?.max(1e-3))).collect()
        };
        let norm = |track: &Track| -> Curve {
            track.velocity_m_s.iter().map(|v| Some((*v)?.norm())).collect()
        };
        let from_pelvis = |track: &Track| -> Curve {
            let both = track.coarse_m.iter().zip(&feet.pelvis.coarse_m);
            let apart: Vec<_> = both.map(|(foot, pelvis)| Some((*foot)? - (*pelvis)?)).collect();
            forward(&apart)
        };
        Some(Self {
            has_heel: foot.heel.is_some(),
            ahead: from_pelvis(heel),
            behind: turned_over(&from_pelvis(toe)),
            heel_height_m: up(&heel.fine_m),
            heel_up_m_s2: up(&heel.acceleration_m_s2),
            heel_forward: share(forward(&heel.velocity_m_s)),
            heel_speed: share(norm(heel)),
            foot_up_m_s: up(&middle.velocity_m_s),
            ankle_up_m_s: up(&ankle.velocity_m_s),
            toe_height_m: up(&toe.fine_m),
            toe_up_m_s: up(&toe.velocity_m_s),
            toe_up_m_s2: up(&toe.acceleration_m_s2),
            toe_forward: share(forward(&toe.velocity_m_s)),
            toe_forward_m_s2: forward(&toe.acceleration_m_s2),
            toe_speed: share(norm(toe)),
        })
    }

    /// When a sign shows itself near where the foot is farthest; all in frames.
    pub fn at(
        &self,
        sign: Sign,
        kind: EventKind,
        farthest: f64,
        is_run: bool,
        rate_hz: f64,
    ) -> Option<f64> {
        let window =
            |from_s: f64, to_s: f64| farthest + from_s * rate_hz..=farthest + to_s * rate_hz;
        let [from_s, to_s] = match (kind, is_run) {
            (EventKind::FootStrike, _) => [-0.05, 0.13],
            (EventKind::FootOff, false) => [-0.08, 0.06],
            (EventKind::FootOff, true) => [-0.12, 0.05],
        };
        let near = || window(from_s, to_s);
        let below = |curve: &Curve, level: f64| {
            first_rise(&minus(level, curve), window(from_s, to_s + 0.05))
        };
        let above = |curve: &Curve, level: f64| {
            first_rise(&turned_over(&minus(level, curve)), window(from_s - 0.05, to_s))
        };
        match sign {
            Sign::Farthest => Some(farthest),
            Sign::HeelBrakes => largest(&self.heel_up_m_s2, near()),
            Sign::FootFalls => largest(&turned_over(&self.foot_up_m_s), near()),
            Sign::HeelLands => {
                let rest_m = least_value(&self.heel_height_m, window(0.08, 0.3))?;
                last_rise(
                    &minus(rest_m + HEEL_ABOVE_REST_M, &self.heel_height_m),
                    window(-0.15, 0.15),
                )
            }
            Sign::ToeFalls => largest(&turned_over(&self.toe_up_m_s), near()),
            Sign::HeelHalfSpeed => below(&self.heel_forward, 0.5),
            Sign::HeelSlow => below(&self.heel_speed, 0.3),
            Sign::AnkleFalls => largest(&turned_over(&self.ankle_up_m_s), near()),
            Sign::ToeThrust => largest(&self.toe_forward_m_s2, near()),
            Sign::ToeHalfSpeed => above(&self.toe_forward, 0.5),
            Sign::AnkleRises => largest(&self.ankle_up_m_s, near()),
            Sign::ToeFast => above(&self.toe_forward, 0.8),
            Sign::FootRises => largest(&self.foot_up_m_s, near()),
            Sign::ToeJerksUp => largest(&self.toe_up_m_s2, near()),
            Sign::ToeMoves => above(&self.toe_speed, 0.6),
            Sign::ToeRises => largest(&self.toe_up_m_s, near()),
            Sign::ToeLifts => {
                let rest_m = least_value(&self.toe_height_m, window(-0.3, -0.05))?;
                let height = turned_over(&minus(rest_m + TOE_ABOVE_REST_M, &self.toe_height_m));
                first_rise(&height, window(-0.15, 0.15))
            }
        }
    }

    /// How fast the quieter of heel and toe is at most about the middle of a stance, as a share of the walking speed.
    pub fn quiet_share(&self, from: f64, to: f64) -> Option<f64> {
        let frames = || {
            (from + 0.35 * (to - from)).ceil().max(0.0) as usize
                ..=(from + 0.65 * (to - from)).floor().max(0.0) as usize
        };
        let middle = |curve: &Curve| {
            let values: Vec<f64> =
                frames().filter_map(|frame| curve.get(frame).copied().flatten()).collect();
            crate::statistics::median(values)
        };
        let both = [middle(&self.heel_speed), middle(&self.toe_speed)];
        both.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// The height of the foot about the middle of a stance.
    pub fn height_m(&self, from: f64, to: f64) -> Option<f64> {
        self.toe_height_m.get(((from + to) / 2.0).round().max(0.0) as usize).copied().flatten()
    }
}

/// The heel has landed this far above its lowest.
const HEEL_ABOVE_REST_M: f64 = 0.005;
/// The toe has left the ground this far above its lowest.
const TOE_ABOVE_REST_M: f64 = 0.03;

/// A level minus a curve: rises through zero where the curve falls through the level.
fn minus(level: f64, curve: &Curve) -> Curve {
    curve.iter().map(|value| Some(level - (*value)?)).collect()
}
