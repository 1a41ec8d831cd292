//! Where a walker is going, how fast, and how long its legs are; what a treadmill hides of it.

use nalgebra::Vector3;

use super::curve::{Curve, maxima, turned_over};
use super::feet::{Feet, Foot};
use crate::statistics::{median, quantile};

/// Direction and speed are taken over this long on both sides.
const HALF_WINDOW_S: f64 = 0.5;
/// Below this net speed somebody walks on a treadmill, or not at all.
const STAYS_M_S: f64 = 0.15;
/// A belt is faster than this.
const SLOWEST_BELT_M_S: f64 = 0.25;
/// Feet on a belt differ in speed by no more than this share.
const BELT_DEVIATION: f64 = 0.2;
/// Steps are sought by how far the foot goes ahead, as a share of the leg.
pub(super) const PROMINENCE: f64 = 0.15;

/// In so many of the frames toes point against the way of whoever walks backwards.
const BACKWARDS_SHARE: f64 = 0.9;

/// The travel of a performer.
pub(super) struct Travel {
    /// Horizontal unit vector in every frame.
    pub direction: Vec<Option<Vector3<f64>>>,
    pub speed_m_s: Curve,
    /// The height of the pelvis above the lower foot.
    pub leg_m: f64,
    /// The velocity of the belt, if there is one.
    pub belt_m_s: Option<Vector3<f64>>,
}

impl Travel {
    /// The travel, and the feet as a belt sees them where there is one.
    pub fn of(feet: &Feet) -> Option<(Self, Feet)> {
        let leg_m = leg_m(feet)?;
        let overground = || -> (Self, Feet) { (Self::over_ground(feet, leg_m), feet.clone()) };
        if net_speed_m_s(feet)? >= STAYS_M_S {
            return Some(overground());
        }
        let Some(belt_m_s) = belt_m_s(feet, leg_m) else { return Some(overground()) };
        let mut seen = feet.clone();
        let shifted = |track: &super::track::Track| track.seen_from(belt_m_s, feet.rate_hz);
        seen.pelvis = shifted(&feet.pelvis);
        for foot in &mut seen.feet {
            for track in [&mut foot.heel, &mut foot.toe, &mut foot.ankle].into_iter().flatten() {
                *track = shifted(track);
            }
        }
        let travel = Self { belt_m_s: Some(belt_m_s), ..Self::over_ground(&seen, leg_m) };
        Some((travel, seen))
    }

    fn over_ground(feet: &Feet, leg_m: f64) -> Self {
        let pelvis_m = &feet.pelvis.coarse_m;
        let half = (HALF_WINDOW_S * feet.rate_hz).round() as usize;
        let mut direction = Vec::with_capacity(pelvis_m.len());
        let mut speed_m_s = Vec::with_capacity(pelvis_m.len());
        for frame in 0..pelvis_m.len() {
            let window = frame.saturating_sub(half)..(frame + half + 1).min(pelvis_m.len());
            let mut seen = window.filter_map(|at| Some((at, pelvis_m[at]?)));
            let ends = seen.next().and_then(|first| Some((first, seen.next_back()?)));
            let velocity = ends.map(|((a, from), (b, to))| {
                let moved = (to - from) * (feet.rate_hz / (b - a) as f64);
                moved - feet.up * moved.dot(&feet.up)
            });
            direction.push(velocity.and_then(|velocity| velocity.try_normalize(1e-6)));
            speed_m_s.push(velocity.map(|velocity| velocity.norm()));
        }
        Self { direction, speed_m_s, leg_m, belt_m_s: None }
    }

    /// Whether toes point against the way that is gone, all the time: whoever tumbles goes every way.
    pub fn is_backwards(&self, feet: &Feet) -> bool {
        let ahead = feet.feet.iter().flat_map(|foot| {
            let both = foot.heel.as_ref().or(foot.ankle.as_ref()).zip(foot.toe.as_ref());
            both.into_iter().flat_map(|(heel, toe)| {
                let points = heel.coarse_m.iter().zip(&toe.coarse_m).zip(&self.direction);
                points.filter_map(|((heel, toe), d)| Some(((*toe)? - (*heel)?).dot(&(*d)?)))
            })
        });
        quantile(ahead, BACKWARDS_SHARE).is_some_and(|ahead_m| ahead_m < 0.0)
    }

    /// The speed about a moment, given in frames.
    pub fn speed_at_m_s(&self, frame: f64) -> Option<f64> {
        self.speed_m_s.get(frame.round().max(0.0) as usize).copied().flatten()
    }
}

fn lowest_point(foot: &Foot, frame: usize, up: Vector3<f64>) -> Option<f64> {
    let tracks = [foot.heel.as_ref(), foot.foremost()].into_iter().flatten();
    let heights = tracks.filter_map(|track| Some(track.raw_m[frame]?.dot(&up)));
    heights.min_by(f64::total_cmp)
}

pub(super) fn leg_m(feet: &Feet) -> Option<f64> {
    let above = |frame: usize| {
        let [left, right] = feet.feet.each_ref().map(|foot| lowest_point(foot, frame, feet.up));
        let lowest = left.into_iter().chain(right).min_by(f64::total_cmp)?;
        Some(feet.pelvis.raw_m[frame]?.dot(&feet.up) - lowest)
    };
    let leg_m = median((0..feet.pelvis.raw_m.len()).filter_map(above))?;
    (leg_m > SHORTEST_LEG_M).then_some(leg_m)
}

/// A pelvis that is lower above the feet is none of somebody on foot.
const SHORTEST_LEG_M: f64 = 0.2;

fn net_speed_m_s(feet: &Feet) -> Option<f64> {
    let mut seen = feet.pelvis.coarse_m.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?)));
    let (first, from) = seen.next()?;
    let (last, to) = seen.next_back()?;
    let moved = to - from;
    let across = moved - feet.up * moved.dot(&feet.up);
    Some(across.norm() * feet.rate_hz / (last - first) as f64)
}

/// The velocity of the belt below two feet that are carried back alike.
fn belt_m_s(feet: &Feet, leg_m: f64) -> Option<Vector3<f64>> {
    let pointing = feet.feet.iter().flat_map(|foot| {
        let (heel, toe) = (foot.heel.as_ref().or(foot.ankle.as_ref()), foot.toe.as_ref());
        let both = heel.zip(toe).into_iter();
        both.flat_map(|(heel, toe)| heel.coarse_m.iter().zip(&toe.coarse_m))
            .filter_map(|(heel, toe)| Some((*toe)? - (*heel)?))
    });
    let sum = pointing.fold(Vector3::zeros(), |sum, v| sum + v);
    let ahead = (sum - feet.up * sum.dot(&feet.up)).try_normalize(1e-6)?;
    let mut velocities = Vec::new();
    for foot in &feet.feet {
        let track = foot.foremost()?;
        let along: Curve = track
            .coarse_m
            .iter()
            .zip(&feet.pelvis.coarse_m)
            .map(|(foot, pelvis)| Some(((*foot)? - (*pelvis)?).dot(&ahead)))
            .collect();
        let fronts = maxima(&along, PROMINENCE * leg_m);
        let backs = maxima(&turned_over(&along), PROMINENCE * leg_m);
        let before = velocities.len();
        for front in fronts {
            let Some(back) = backs.iter().find(|back| **back > front) else { continue };
            let (from, to) = (front + 0.35 * (back - front), front + 0.65 * (back - front));
            let frames = from.ceil() as usize..=to.floor().max(0.0) as usize;
            let own = frames.filter_map(|frame| track.velocity_m_s.get(frame).copied().flatten());
            let own: Vec<Vector3<f64>> = own.collect();
            let axis = |axis: usize| median(own.iter().map(|v| v[axis]));
            velocities
                .extend(axis(0).zip(axis(1)).zip(axis(2)).map(|((x, y), z)| Vector3::new(x, y, z)));
        }
        if velocities.len() == before {
            return None;
        }
    }
    let axis = |axis: usize| median(velocities.iter().map(|v| v[axis]));
    let belt = Vector3::new(axis(0)?, axis(1)?, axis(2)?);
    let belt = belt - feet.up * belt.dot(&feet.up);
    let speed_m_s = -belt.dot(&ahead);
    let deviation = median(velocities.iter().map(|v| (v - belt).norm()))?;
    (speed_m_s > SLOWEST_BELT_M_S && deviation < BELT_DEVIATION * speed_m_s).then_some(belt)
}
