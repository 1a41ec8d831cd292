//! Events from feet and pelvis: when several signs agree that a foot strikes or leaves the ground.

use super::candidates::{OFF_SIGNS, STRIKE_SIGNS, Sign};
use super::feet::Feet;
use super::steps::{self, Steps};
use super::travel::Travel;
use super::{EventKind, GaitEvent, GaitKind, Source, no_gait};
use crate::error::Result;
use crate::statistics::median;
use crate::trial::Trial;

/// How much later than the event each sign of a strike shows itself, in milliseconds: walking with a marker on the heel
/// (37 events of 13 recordings), without (10 of 4), running (9 of 2). Against force plates, or the file's events.
const STRIKE_LAG_MS: [[f64; 8]; 3] = [
    [-34.5, 8.8, -2.4, -35.5, 7.9, -13.4, 4.6, -12.0],
    [-24.1, 17.8, 22.6, -12.4, 21.5, 11.6, 30.0, -57.2],
    [-44.3, -75.1, -6.1, -12.2, 0.3, -16.3, -1.3, -12.9],
];
/// The same of a foot off: walking (45 events of 17 recordings), running (10 of 2).
const OFF_LAG_MS: [[f64; 10]; 2] = [
    [2.8, 17.9, -27.6, -13.2, -7.1, -3.2, -18.3, -24.6, 21.8, 24.1],
    [53.5, 50.7, 18.3, 10.9, 42.0, 23.4, -1.6, 7.7, 42.8, -0.6],
];
/// From this rate on events are timed better.
const FAST_HZ: f64 = 100.0;

/// A foot event and the signs that time it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SignedEvent {
    /// The event.
    pub event: GaitEvent,
    /// Whether there is a marker on the heel.
    pub has_heel: bool,
    /// When each of [`STRIKE_SIGNS`] or [`OFF_SIGNS`] shows itself, on the recording's clock.
    pub signs_s: Vec<Option<f64>>,
}

/// What markers show of somebody's gait.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Detected {
    /// How it goes.
    pub kind: GaitKind,
    /// Its events, in order.
    pub events: Vec<SignedEvent>,
    /// How fast the belt of a treadmill is, where there is one.
    pub belt_m_s: Option<f64>,
    /// Whether it goes backwards.
    pub is_backwards: bool,
    /// The feet as the belt of a treadmill sees them, where there is one.
    pub(super) feet: Feet,
}

/// Finds foot strikes and offs.
///
/// # Method
/// Steps as in `steps`; about each of their ends every sign (largest vertical acceleration of the heel, fastest fall
/// of the foot, the toe faster than half the walking speed, ...) says when, less the time by which it is late in
/// recordings with force plates; the event is the median of all. No sign is chosen, so nothing is but the lags.
/// Whoever goes backwards is seen from the last frame to the first, where offs are strikes: walking backwards is nearly
/// walking forwards in reverse (Winter and others 1989).
///
/// # Errors
/// What is no gait: `no-gait`.
///
/// # Reference
/// J. A. Zeni, J. G. Richards, J. S. Higginson 2008, *Two simple methods for determining gait events during treadmill
/// and overground walking using kinematic data*. D. A. Winter, N. Pluck, J. F. Yang 1989, *Backward walking: a simple
/// reversal of forward walking?*
pub fn detect(trial: &Trial, feet: &Feet) -> Result<Detected> {
    let (travel, seen) =
        Travel::of(feet).ok_or_else(|| no_gait("the pelvis is not above feet that are seen"))?;
    if travel.belt_m_s.is_some() || !travel.is_backwards(&seen) {
        return forwards(trial, travel, seen);
    }
    let (travel, reversed) = Travel::of(&feet.reversed())
        .ok_or_else(|| no_gait("the pelvis is not above feet that are seen"))?;
    let mut found = forwards(trial, travel, reversed)?;
    let last_s = trial.frames.saturating_sub(1) as f64 / feet.rate_hz;
    let mirrored_s = |time_s: f64| trial.start_s + last_s - (time_s - trial.start_s);
    for SignedEvent { event, signs_s, .. } in &mut found.events {
        event.time_s = mirrored_s(event.time_s);
        event.sd_s *= BACKWARDS_SDS;
        event.kind = match event.kind {
            EventKind::FootStrike => EventKind::FootOff,
            EventKind::FootOff => EventKind::FootStrike,
        };
        signs_s.iter_mut().flatten().for_each(|time_s| *time_s = mirrored_s(*time_s));
    }
    found.events.reverse();
    Ok(Detected { is_backwards: true, feet: feet.clone(), ..found })
}

/// No recording of walking backwards has plates to measure with: what is known of walking forwards counts twice.
const BACKWARDS_SDS: f64 = 2.0;

/// Events of bodies that were posed from keypoints are off by this, strikes as well as offs, at any rate: 28 and 28 ms in
/// seven simulated walks, 22 and 30 in six recordings with markers whose joints were seen as films show them.
const FILMED_SD_S: f64 = 0.03;
/// The same where ankles are all that is seen of feet: offs of four recordings are within 79 ms at 95 %.
const FILMED_ANKLE_SD_S: f64 = 0.04;

fn forwards(trial: &Trial, travel: Travel, feet: Feet) -> Result<Detected> {
    let Steps { kind, stances, curves } = steps::find(&feet, &travel)?;
    let is_run = kind == GaitKind::Running;
    let rate_hz = feet.rate_hz;
    let mut events = Vec::new();
    for stance in &stances {
        let own = &curves[stance.side as usize];
        let mut add = |kind: EventKind, at: Option<f64>, signs: &[Sign], lags_ms: &[f64]| {
            let Some(at) = at else { return };
            let time_s = |frame: f64| trial.start_s + frame / rate_hz;
            let signs_s: Vec<Option<f64>> = signs
                .iter()
                .map(|sign| own.at(*sign, kind, at, is_run, rate_hz).map(time_s))
                .collect();
            let timed = signs_s.iter().zip(lags_ms).filter_map(|(s, lag)| Some((*s)? - lag * 1e-3));
            let Some(time_s) = median(timed) else { return };
            let sd_s = match feet.is_filmed {
                true if feet.is_by_ankle(stance.side) => FILMED_ANKLE_SD_S,
                true => FILMED_SD_S,
                false => sd_s(kind, is_run, own.has_heel, rate_hz),
            };
            let event =
                GaitEvent { side: stance.side, kind, time_s, source: Source::Markers, sd_s };
            events.push(SignedEvent { event, has_heel: own.has_heel, signs_s });
        };
        let strike = if is_run { 2 } else { usize::from(!own.has_heel) };
        add(EventKind::FootStrike, stance.strike, &STRIKE_SIGNS, &STRIKE_LAG_MS[strike]);
        add(EventKind::FootOff, stance.off, &OFF_SIGNS, &OFF_LAG_MS[usize::from(is_run)]);
    }
    events.sort_by(|a, b| a.event.time_s.total_cmp(&b.event.time_s));
    let belt_m_s = travel.belt_m_s.map(|belt_m_s| belt_m_s.norm());
    Ok(Detected { kind, events, belt_m_s, is_backwards: false, feet })
}

/// The standard deviation of an event of its kind.
///
/// # Method
/// Errors of one recording go together, so each recording counts once: the rms over recordings of the rms of errors with
/// lags of other recordings. Of m recordings 95 % are within t(0.975, m) of that, Student's t, and not within 1.96: it is
/// larger by their ratio. Strikes: 8 recordings without heel, 7 at 100 Hz and more, 6 below; offs: 9 and 12.
fn sd_s(kind: EventKind, is_run: bool, has_heel: bool, rate_hz: f64) -> f64 {
    match (kind, is_run, has_heel, rate_hz >= FAST_HZ) {
        // Two recordings of running are too few for that.
        (_, true, _, _) => 0.009,
        (EventKind::FootStrike, _, false, _) => 0.035,
        (EventKind::FootStrike, _, _, true) => 0.015,
        (EventKind::FootStrike, _, _, false) => 0.024,
        (EventKind::FootOff, _, _, true) => 0.017,
        (EventKind::FootOff, _, _, false) => 0.023,
    }
}
