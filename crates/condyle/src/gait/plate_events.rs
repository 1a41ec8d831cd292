//! Events from force plates: contacts of one foot that is wholly on a plate, alone.

use nalgebra::Point3;

use super::feet::Feet;
use super::{EventKind, GaitEvent, Side, Source};
use crate::force_plates::{Contact, ForcePlate};
use crate::trial::Trial;

/// Heel and toe are this far inside the plate: the foot is longer than they are apart.
const INSIDE_M: f64 = 0.03;
/// The other foot, when over the plate, is faster than this: it swings.
const SWINGING_M_S: f64 = 0.3;
/// A foot that arrives or leaves is seen to swing within this time.
const SWING_S: f64 = 0.2;
/// So long before a plate is free again, or three tenths of the contact, the foot is still at rest, which is slower than
/// this, also in running.
const STILL_S: f64 = 0.1;
const RESTING_M_S: f64 = 1.0;
/// Shorter contacts are none.
const SHORTEST_S: f64 = 0.05;
/// The threshold is crossed a little after the foot touches, and a plate rings.
const SD_S: f64 = 0.004;

/// The events of all clean contacts.
pub(super) fn find(trial: &Trial, feet: &Feet, plates: &[ForcePlate]) -> Vec<GaitEvent> {
    let mut events = Vec::new();
    for plate in plates {
        for contact in plate.contacts(SHORTEST_S) {
            let Some(side) = clean_side(feet, plate, &contact) else { continue };
            let event = |kind, time_s: Option<f64>| {
                let time_s =
                    time_s.filter(|time_s| is_of_foot(feet, side, kind, *time_s, &contact))?;
                let time_s = trial.start_s + time_s;
                Some(GaitEvent { side, kind, time_s, source: Source::Plates, sd_s: SD_S })
            };
            events.extend(event(EventKind::FootStrike, contact.begin_s));
            events.extend(event(EventKind::FootOff, contact.end_s));
        }
    }
    events.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    events
}

/// Whether a foot does what a plate shows: it swings before it strikes and after it is off, and rests before it is off.
/// What stands on the plate before it is loaded, or is long away when it is free, is not what the plate felt.
fn is_of_foot(feet: &Feet, side: Side, kind: EventKind, time_s: f64, contact: &Contact) -> bool {
    let frame = |s: f64| (s * feet.rate_hz).round().max(0.0) as usize;
    let speed_m_s = |frame: usize| {
        let foot = &feet.feet[side as usize];
        let points = [&foot.heel, &foot.toe].into_iter().flatten();
        let speeds = points.filter_map(|track| track.velocity_m_s.get(frame).copied().flatten());
        speeds.map(|v| v.norm()).min_by(f64::total_cmp)
    };
    let swings = |from_s: f64, to_s: f64| {
        let mut seen = (frame(from_s)..=frame(to_s)).filter_map(speed_m_s).peekable();
        seen.peek().is_none() || seen.any(|m_s| m_s > SWINGING_M_S)
    };
    match kind {
        EventKind::FootStrike => swings(time_s - SWING_S, time_s),
        EventKind::FootOff => {
            let lasts_s = contact.begin_s.map_or(f64::INFINITY, |begin_s| time_s - begin_s);
            let still_s = time_s - STILL_S.min(0.3 * lasts_s);
            let rests = speed_m_s(frame(still_s)).is_none_or(|m_s| m_s < RESTING_M_S);
            rests && swings(time_s, time_s + SWING_S)
        }
    }
}

/// The foot that is on a plate alone during a contact.
fn clean_side(feet: &Feet, plate: &ForcePlate, contact: &Contact) -> Option<Side> {
    let frame = |sample: f64| (sample / plate.rate_hz * feet.rate_hz).round() as usize;
    let [first, last] = contact.samples.map(|sample| sample as f64);
    let whole = frame(first)..=frame(last);
    let middle = frame(first + 0.35 * (last - first))..=frame(first + 0.65 * (last - first));
    let is_over = |side: Side, frame: usize, margin_m: f64| {
        let foot = &feet.feet[side as usize];
        let points = [&foot.heel, &foot.toe].into_iter().flatten();
        let places = points.map(|track| track.raw_m.get(frame).copied().flatten());
        let mut over = places.flatten().map(|at_m| plate.is_over(&Point3::from(at_m), margin_m));
        let first = over.next()?;
        Some(over.fold([first, first], |[all, any], is| [all && is, any || is]))
    };
    let on = |side: Side| {
        let mut seen =
            middle.clone().filter_map(|frame| is_over(side, frame, -INSIDE_M)).peekable();
        seen.peek().is_some() && seen.all(|[all, _]| all)
    };
    let rests_on = |side: Side| {
        let foot = &feet.feet[side as usize];
        whole.clone().any(|frame| {
            let points = [&foot.heel, &foot.toe].into_iter().flatten();
            let slow = points.filter_map(|track| track.velocity_m_s.get(frame).copied().flatten());
            let is_slow = slow.map(|v| v.norm()).any(|speed_m_s| speed_m_s < SWINGING_M_S);
            is_slow && is_over(side, frame, 0.0).is_some_and(|[_, any]| any)
        })
    };
    [Side::Left, Side::Right].into_iter().find(|side| on(*side) && !rests_on(side.opposite()))
}
