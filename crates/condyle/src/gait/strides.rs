//! Strides and what they measure: times, lengths, shares.
//!
//! # Method
//! A stride of a side is from one of its strikes, a, to the next, b; o is the opposite strike within, p the opposite
//! off after a, f its own off. T = b - a. X is where the forefoot is (the marker called `TOE`), in three dimensions; u
//! points from X(a) to X(b). Cadence is 120/T; a step of a side ends with its strike: it takes b - o and goes
//! (X(b) - X_opposite(o)) · u ahead. These are the definitions of Plug-in Gait.

use nalgebra::Vector3;

use super::feet::Feet;
use super::{EventKind, GaitEvent, Side};
use crate::statistics::mean_and_sd;

/// Longer strides miss events.
const LONGEST_S: f64 = 5.0;

/// One stride, times on the recording's clock.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Stride {
    /// Whose.
    pub side: Side,
    /// The strike that begins it.
    pub start_s: f64,
    /// The next strike of that foot.
    pub end_s: f64,
    /// The opposite strike within it.
    pub opposite_strike_s: Option<f64>,
    /// The opposite off after it began, before the opposite strike.
    pub opposite_off_s: Option<f64>,
    /// Its own off.
    pub off_s: Option<f64>,
}

/// A spatiotemporal parameter of one side.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// What: `cadence`, `speed`, `stride_length`.
    pub name: &'static str,
    /// Whose strides.
    pub side: Side,
    /// The mean over strides.
    pub value: f64,
    /// `m`, `s`, `m/s`, `steps/min`, `%`.
    pub unit: &'static str,
    /// The standard deviation over strides; zero of one.
    pub sd: f64,
    /// The value of each stride.
    pub strides: Vec<f64>,
}

/// The strides between events that are in order.
pub(super) fn strides(events: &[GaitEvent]) -> Vec<Stride> {
    let mut found = Vec::new();
    for side in [Side::Left, Side::Right] {
        let times = |of: Side, kind: EventKind| {
            events.iter().filter(move |e| e.side == of && e.kind == kind).map(|e| e.time_s)
        };
        let strikes: Vec<f64> = times(side, EventKind::FootStrike).collect();
        for pair in strikes.windows(2) {
            let [start_s, end_s] = [pair[0], pair[1]];
            let within = |time_s: &f64| *time_s > start_s && *time_s < end_s;
            let opposite: Vec<f64> =
                times(side.opposite(), EventKind::FootStrike).filter(within).collect();
            let offs: Vec<f64> = times(side, EventKind::FootOff).filter(within).collect();
            // Two of them are the events of two strides.
            if end_s - start_s > LONGEST_S || opposite.len() > 1 || offs.len() > 1 {
                continue;
            }
            let opposite_strike_s = opposite.first().copied();
            let until_s = opposite_strike_s.unwrap_or(end_s);
            let opposite_off_s = times(side.opposite(), EventKind::FootOff)
                .find(|time_s| *time_s >= start_s && *time_s < until_s);
            let off_s = offs.first().copied();
            found.push(Stride { side, start_s, end_s, opposite_strike_s, opposite_off_s, off_s });
        }
    }
    found
}

/// Where feet are at a time.
pub(super) struct Places<'a> {
    pub feet: &'a Feet,
    pub start_s: f64,
}

impl Places<'_> {
    fn toe_m(&self, side: Side, time_s: f64) -> Option<Vector3<f64>> {
        let frame = ((time_s - self.start_s) * self.feet.rate_hz).round();
        (frame >= 0.0).then(|| self.feet.toe_m(side, frame as usize)).flatten()
    }
}

type Value = fn(&Stride, &Places) -> Option<f64>;

/// The parameters: name, unit, and the value of a stride.
const PARAMETERS: [(&str, &str, Value); 12] = [
    ("cadence", "steps/min", |stride, _| Some(120.0 / stride.time_s())),
    ("speed", "m/s", |stride, at| Some(stride.ahead_m(at)?.norm() / stride.time_s())),
    ("stride_length", "m", |stride, at| Some(stride.ahead_m(at)?.norm())),
    ("step_length", "m", |stride, at| stride.step_m(at).map(|[length_m, _]| length_m)),
    ("step_width", "m", |stride, at| stride.step_m(at).map(|[_, width_m]| width_m)),
    ("stride_time", "s", |stride, _| Some(stride.time_s())),
    ("step_time", "s", |stride, _| Some(stride.end_s - stride.opposite_strike_s?)),
    ("single_support", "s", |stride, _| Some(stride.opposite_strike_s? - stride.opposite_off_s?)),
    ("double_support", "s", |stride, _| {
        let first_s = stride.opposite_off_s? - stride.start_s;
        Some(first_s + stride.off_s? - stride.opposite_strike_s?)
    }),
    ("foot_off", "%", |stride, _| Some(stride.percent(stride.off_s?))),
    ("opposite_foot_off", "%", |stride, _| Some(stride.percent(stride.opposite_off_s?))),
    ("opposite_foot_contact", "%", |stride, _| Some(stride.percent(stride.opposite_strike_s?))),
];

impl Stride {
    /// How long it takes.
    pub fn time_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// A time as a share of it.
    pub fn percent(&self, time_s: f64) -> f64 {
        100.0 * (time_s - self.start_s) / self.time_s()
    }

    fn ahead_m(&self, at: &Places) -> Option<Vector3<f64>> {
        Some(at.toe_m(self.side, self.end_s)? - at.toe_m(self.side, self.start_s)?)
    }

    /// Length and width of the step that ends it.
    fn step_m(&self, at: &Places) -> Option<[f64; 2]> {
        let ahead = self.ahead_m(at)?.try_normalize(1e-6)?;
        let opposite_m = at.toe_m(self.side.opposite(), self.opposite_strike_s?)?;
        let step_m = at.toe_m(self.side, self.end_s)? - opposite_m;
        let length_m = step_m.dot(&ahead);
        let aside_m = step_m - ahead * length_m;
        let up = at.feet.up;
        Some([length_m, (aside_m - up * aside_m.dot(&up)).norm()])
    }
}

/// The values of every parameter in the strides of each side.
pub(super) fn parameters(strides: &[Stride], at: &Places) -> Vec<Parameter> {
    let mut found = Vec::new();
    for (name, unit, value) in PARAMETERS {
        for side in [Side::Left, Side::Right] {
            let own = strides.iter().filter(|stride| stride.side == side);
            let values: Vec<f64> = own.filter_map(|stride| value(stride, at)).collect();
            found.extend(Parameter::new(name, side, unit, values));
        }
    }
    found
}

impl Parameter {
    fn new(name: &'static str, side: Side, unit: &'static str, strides: Vec<f64>) -> Option<Self> {
        let (value, sd) = mean_and_sd(strides.iter().copied())?;
        Some(Self { name, side, value, unit, sd, strides })
    }

    /// The same over the strides of several recordings.
    pub fn pooled<'a>(parameters: impl IntoIterator<Item = &'a Self>) -> Vec<Self> {
        let all: Vec<&Self> = parameters.into_iter().collect();
        let mut found = Vec::new();
        for (name, unit, _) in PARAMETERS {
            for side in [Side::Left, Side::Right] {
                let own = all.iter().filter(|own| own.name == name && own.side == side);
                let strides = own.flat_map(|own| own.strides.iter().copied()).collect();
                found.extend(Self::new(name, side, unit, strides));
            }
        }
        found
    }
}
