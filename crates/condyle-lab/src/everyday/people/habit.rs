//! How a person moves: no two walk alike, and no joint is quite still.

use condyle::simulate::{Performer, Swing};

use super::chance::Chance;

/// How much an amplitude varies between people, as a share of it.
const AMPLITUDE_SHARE: f64 = 0.2;
/// How much the angle that something swings about varies between people.
const POSTURE_RAD: f64 = 0.07;

/// Gives a performer its own gait.
pub(super) fn give(performer: &mut Performer, clavicles: [usize; 2], chance: &mut Chance) {
    let find = |name: &str| performer.segments.iter().position(|segment| segment.name == name);
    let arms = ["left", "right"]
        .map(|side| ["upper arm", "forearm", "hand"].map(|part| find(&format!("{side} {part}"))));
    let Some(gait) = performer.walk.as_mut() else { return };
    gait.speed_m_s *= chance.normal(0.08).exp() * 0.95;
    gait.cycle_s *= chance.normal(0.05).exp();
    gait.turn_radius_m = if chance.happens(0.5) { f64::INFINITY } else { chance.between(2.5, 6.0) };
    gait.lift_m *= chance.normal(0.15).exp();
    gait.lean_rad += chance.normal(0.05);
    for swing in &mut gait.swings {
        swing.amplitude_rad *= chance.normal(AMPLITUDE_SHARE).exp();
        swing.mean_rad += chance.normal(POSTURE_RAD);
        swing.phase += chance.normal(0.02);
    }
    for (side, arm) in arms.into_iter().enumerate() {
        let phase = [0.5, 0.0][side];
        let [Some(upper_arm), Some(forearm), Some(hand)] = arm else { continue };
        let smaller = [
            (clavicles[side], 0, 0.0, 1.5, 2.0),
            (clavicles[side], 1, 0.0, 3.0, 1.0),
            (upper_arm, 2, -5.0, 5.0, 1.0),
            (forearm, 1, 15.0, 5.0, 1.0),
            (hand, 0, 0.0, 4.0, 1.0),
            (hand, 1, 0.0, 3.0, 1.0),
        ];
        for (segment, axis, mean_deg, amplitude_deg, harmonic) in smaller {
            gait.swings.push(Swing {
                segment,
                axis,
                mean_rad: f64::to_radians(mean_deg) + chance.normal(POSTURE_RAD),
                amplitude_rad: chance.share(f64::to_radians(amplitude_deg), 2.0 * AMPLITUDE_SHARE),
                phase: phase + chance.normal(0.08),
                harmonic,
            });
        }
    }
    // Elbows never go beyond straight.
    let forearms = arms.map(|[_, forearm, _]| forearm);
    for swing in gait.swings.iter_mut().filter(|swing| swing.axis == 0) {
        if forearms.contains(&Some(swing.segment)) {
            swing.mean_rad = swing.mean_rad.max(swing.amplitude_rad + 0.03);
        }
    }
}
