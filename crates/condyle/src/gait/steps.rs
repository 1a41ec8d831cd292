//! Steps: stances of both feet that follow each other as those of somebody on the way do.
//!
//! # Method
//! A foot strikes where it is farthest ahead of the pelvis and leaves the ground where it is farthest behind (Zeni
//! 2008), if it goes back and forth by 0.15 of the leg. A stance is from a strike to the next off; the performer
//! travels meanwhile, and the quieter of heel and toe rests. Stances of alternating sides in which steps have like
//! durations, go ahead and follow each other without a long flight are gait: three of them, or two that cover much of
//! the recording.

use super::candidates::FootCurves;
use super::curve::{Curve, maxima};
use super::feet::Feet;
use super::travel::{PROMINENCE, Travel};
use super::{GaitKind, Side, no_gait};
use crate::error::Result;
use crate::statistics::median;

/// The acceleration of free fall.
const GRAVITY_M_S2: f64 = 9.81;
/// Stances last from to, in seconds.
const STANCE_S: [f64; 2] = [0.05, 3.2];
/// Whoever is slower, as a share of √(g leg), does not travel.
const SLOWEST: f64 = 0.06;
/// The foot on the ground is slower than this share of the walking speed...
const RESTING_SHARE: f64 = 0.25;
/// ...and this.
const RESTING_M_S: f64 = 0.03;
/// Steps last from to, in seconds.
const STEP_S: [f64; 2] = [0.12, 2.6];
/// Of two steps in a row none is longer than so many times the other.
const STEP_RATIO: f64 = 2.5;
/// A step goes ahead by this share of the leg.
const ADVANCE: f64 = 0.1;
/// The longest flight.
const FLIGHT_S: f64 = 0.25;
/// Gait has so many stances...
const FEWEST_STANCES: usize = 3;
/// ...or two that cover this share of the recording.
const TWO_COVER: f64 = 0.45;
/// Above this share of √(g leg) somebody runs.
const RUNS: f64 = 0.7;
/// Steps that rise or fall by this share of the leg are stairs.
const STAIR: f64 = 0.08;

/// A stance, in frames. Where the recording, or what is seen of the foot, begins or ends within it, one of its events is
/// missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stance {
    pub side: Side,
    pub strike: Option<f64>,
    pub off: Option<f64>,
    /// The strike, or where the foot is first seen.
    pub begin: f64,
    /// The off, or where the foot is last seen.
    pub end: f64,
}

/// What was found.
pub(super) struct Steps {
    pub kind: GaitKind,
    pub stances: Vec<Stance>,
    pub curves: [FootCurves; 2],
}

/// The steps of a performer, or why there are none.
pub(super) fn find(feet: &Feet, travel: &Travel) -> Result<Steps> {
    let none = || no_gait("feet do not go back and forth beside a pelvis that travels");
    let curves = [Side::Left, Side::Right].map(|side| FootCurves::of(feet, travel, side));
    let [Some(left), Some(right)] = curves else { return Err(none()) };
    let curves = [left, right];
    let mut stances: Vec<Stance> = Vec::new();
    for side in [Side::Left, Side::Right] {
        let own = &curves[side as usize];
        let prominence_m = PROMINENCE * travel.leg_m;
        let strikes = maxima(&own.ahead, prominence_m);
        let offs = maxima(&own.behind, prominence_m);
        stances.extend(paired(side, &own.ahead, &strikes, &offs));
    }
    let rate_hz = feet.rate_hz;
    let is_sound =
        |stance: &Stance| is_stance(stance, &curves[stance.side as usize], travel, rate_hz);
    let mut sound: Vec<Stance> = stances.into_iter().filter(is_sound).collect();
    sound.sort_by(|a, b| a.begin.total_cmp(&b.begin).then(a.end.total_cmp(&b.end)));
    let chains = chains(&sound, feet, travel);
    let frames = feet.pelvis.raw_m.len() as f64;
    let is_gait = |chain: &&Vec<Stance>| {
        let [first, last] = [chain.first(), chain.last()];
        let covered = first.zip(last).map_or(0.0, |(first, last)| last.end - first.begin);
        chain.len() >= FEWEST_STANCES || chain.len() == 2 && covered >= TWO_COVER * frames
    };
    let kept: Vec<Vec<Stance>> = chains.iter().filter(is_gait).cloned().collect();
    if kept.is_empty() {
        return Err(match sound.len() {
            0 => none(),
            1 => no_gait("a single step"),
            found => no_gait(&format!(
                "{found} stances, but no three of them follow each other as steps do"
            )),
        });
    }
    let heights = kept.iter().flat_map(|chain| {
        let height_m =
            |stance: &Stance| curves[stance.side as usize].height_m(stance.begin, stance.end);
        chain
            .windows(2)
            .filter_map(move |pair| Some((height_m(&pair[1])? - height_m(&pair[0])?).abs()))
    });
    let is_stairs = median(heights).is_some_and(|step_m| step_m > STAIR * travel.leg_m);
    let froude = (GRAVITY_M_S2 * travel.leg_m).sqrt();
    let speed =
        median(kept.iter().flatten().filter_map(|stance| travel.speed_at_m_s(stance.begin)));
    let kind = match (is_stairs, speed) {
        (true, _) => GaitKind::Stairs,
        (_, Some(speed)) if speed > RUNS * froude => GaitKind::Running,
        _ => GaitKind::Walking,
    };
    Ok(Steps { kind, stances: kept.concat(), curves })
}

/// Strikes and offs of one foot as stances; the curve tells from where to where the foot is seen.
fn paired(side: Side, ahead: &Curve, strikes: &[f64], offs: &[f64]) -> Vec<Stance> {
    let mut all: Vec<(f64, bool)> = strikes.iter().map(|at| (*at, true)).collect();
    all.extend(offs.iter().map(|at| (*at, false)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut stances = Vec::new();
    let mut first = 0;
    for run in ahead.split(Option::is_none) {
        let seen = [first as f64, (first + run.len()) as f64 - 1.0];
        first += run.len() + 1;
        let inside: Vec<(f64, bool)> =
            all.iter().filter(|(at, _)| (seen[0]..=seen[1]).contains(at)).copied().collect();
        for (index, &(at, is_strike)) in inside.iter().enumerate() {
            let next = inside.get(index + 1);
            let stance = match (is_strike, next) {
                (true, Some(&(off, false))) => Some((Some(at), Some(off))),
                (true, None) => Some((Some(at), None)),
                (false, _) if index == 0 => Some((None, Some(at))),
                _ => None,
            };
            stances.extend(stance.map(|(strike, off)| Stance {
                side,
                strike,
                off,
                begin: strike.unwrap_or(seen[0]),
                end: off.unwrap_or(seen[1]),
            }));
        }
    }
    stances
}

fn is_stance(stance: &Stance, curves: &FootCurves, travel: &Travel, rate_hz: f64) -> bool {
    let lasts_s = (stance.end - stance.begin) / rate_hz;
    let middle = (stance.begin + stance.end) / 2.0;
    let Some(speed_m_s) = travel.speed_at_m_s(middle) else { return false };
    let is_on_the_way = speed_m_s > SLOWEST * (GRAVITY_M_S2 * travel.leg_m).sqrt();
    let quiet = curves.quiet_share(stance.begin, stance.end);
    let rests = quiet.is_some_and(|share| share < RESTING_SHARE + RESTING_M_S / speed_m_s);
    (STANCE_S[0]..=STANCE_S[1]).contains(&lasts_s) && is_on_the_way && rests
}

/// Stances that follow each other as steps do, as long as they go.
fn chains(sound: &[Stance], feet: &Feet, travel: &Travel) -> Vec<Vec<Stance>> {
    let rate_hz = feet.rate_hz;
    let mut chains: Vec<Vec<Stance>> = Vec::new();
    for stance in sound {
        let is_next = chains.last().is_some_and(|chain| {
            let follows = |last: &Stance| {
                let step_s = (stance.begin - last.begin) / rate_hz;
                let flight_s = (stance.begin - last.end) / rate_hz;
                let earlier = chain.len().checked_sub(2).and_then(|at| chain[at].strike);
                let strikes = earlier.zip(last.strike).zip(stance.strike);
                let is_alike = strikes.is_none_or(|((earlier, before), strike)| {
                    let ratio = (strike - before) / (before - earlier);
                    ratio < STEP_RATIO && ratio > 1.0 / STEP_RATIO
                });
                let is_cut = last.strike.is_none() || stance.strike.is_none();
                last.side != stance.side
                    && (is_cut && step_s <= STEP_S[1] || (STEP_S[0]..=STEP_S[1]).contains(&step_s))
                    && stance.end > last.end
                    && flight_s < FLIGHT_S
                    && is_alike
                    && advance_m(last, stance, feet, travel)
                        .is_none_or(|m| m > ADVANCE * travel.leg_m)
            };
            chain.last().is_some_and(follows)
        });
        match chains.last_mut().filter(|_| is_next) {
            Some(chain) => chain.push(*stance),
            None => chains.push(vec![*stance]),
        }
    }
    chains
}

/// How far the second foot stands ahead of the first.
fn advance_m(first: &Stance, second: &Stance, feet: &Feet, travel: &Travel) -> Option<f64> {
    let middle = |stance: &Stance| ((stance.begin + stance.end) / 2.0).round().max(0.0) as usize;
    let (a, b) = (middle(first), middle(second));
    let direction = travel.direction.get(b).copied().flatten()?;
    Some((feet.toe_m(second.side, b)? - feet.toe_m(first.side, a)?).dot(&direction))
}
