//! Gait: when feet strike and leave the ground, strides and what they measure, angles over the cycle, scores.
//!
//! ```
//! use condyle::{gait, simulate};
//!
//! # let walk = simulate::Routine::Walk;
//! # let options = simulate::Options { routine: walk, seconds: 6.0, marker_set: Some("plug-in-gait".into()), ..Default::default() };
//! # let trial = simulate::simulate(&simulate::Performer::human(), &options)?.trial;
//! for feet in gait::feet(&trial).unwrap_or_default() {
//!     let gait = gait::analyse(&trial, &feet, gait::EventsFrom::Auto);
//!     for event in &gait.events {
//!         println!("{} {:?}: {:.3} s, give or take {:.3}", event.side.name(), event.kind, event.time_s, event.sd_s);
//!     }
//! }
//! # Ok::<(), condyle::Error>(())
//! ```
//!
//! | wanted | function |
//! |---|---|
//! | pelvis and feet of everybody in a recording | [`feet`] |
//! | all of it, for everybody in a solved recording | [`of_performance`] |
//! | events, strides and parameters | [`analyse`] |
//! | angles over the cycle | [`Gait::cycles`], [`means`] |
//! | joint centres over the cycle | [`Gait::centres`], [`mean_centres`] |
//! | gait profile score | [`scores`] |

mod candidates;
mod centres;
mod curve;
mod curves;
mod detect;
mod feet;
mod file_events;
mod performers;
mod plate_events;
mod steps;
mod strides;
#[cfg(test)]
mod tests;
mod track;
mod travel;

pub use candidates::{OFF_SIGNS, STRIKE_SIGNS, Sign};
pub use centres::{AXES, CentreCycle, MeanCentre, centres_to_csv, mean_centres};
pub use curves::{
    COLUMNS, Cycle, MeanCycle, POINTS, Point, Score, Solved, VARIABLES, from_csv, means, scores,
    to_csv,
};
pub use detect::{Detected, SignedEvent, detect};
pub use feet::{Feet, SegmentMarkers, feet, of_plan};
pub use performers::{PerformerGait, of_performance};
pub use strides::{Parameter, Stride};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::force_plates;
use crate::statistics::median;
use crate::trial::{Note, Trial};

/// Which foot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Its own left.
    Left,
    /// Its own right.
    Right,
}

impl Side {
    /// `left` or `right`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// The other one.
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// What a foot does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// It meets the ground.
    FootStrike,
    /// It leaves the ground.
    FootOff,
}

/// How somebody travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GaitKind {
    /// Slower than 0.7 √(g leg).
    Walking,
    /// Faster.
    Running,
    /// Feet are set higher, or lower, with every step.
    Stairs,
}

/// How an event was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The file has it.
    File,
    /// A force plate was loaded or unloaded.
    Plates,
    /// From how feet and pelvis move.
    Markers,
}

/// Where events are to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventsFrom {
    /// From the file where it has some; else from markers, and from plates where a foot is alone on one.
    #[default]
    Auto,
    /// From the file alone.
    File,
    /// From force plates alone.
    Plates,
    /// From markers alone.
    Markers,
}

/// A foot strike or a foot off.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GaitEvent {
    /// Which foot.
    pub side: Side,
    /// What it does.
    pub kind: EventKind,
    /// When, on the recording's clock.
    pub time_s: f64,
    /// How it was found.
    pub source: Source,
    /// The standard deviation that is to be expected of the time.
    pub sd_s: f64,
}

/// Somebody's gait in a recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gait {
    /// How it goes, as far as markers show it.
    pub kind: Option<GaitKind>,
    /// In order of time.
    pub events: Vec<GaitEvent>,
    /// The strides between them, left ones first.
    pub strides: Vec<Stride>,
    /// What they measure.
    pub parameters: Vec<Parameter>,
    /// What is missing or doubtful.
    pub notes: Vec<Note>,
    /// The feet as a treadmill's belt sees them.
    feet: Feet,
    start_s: f64,
}

/// A plate and markers that differ by more than this have different clocks, or one of them is wrong.
const CLOCKS_S: f64 = 0.02;
/// An event of a plate and one of markers are of one step if they are nearer than this.
const SAME_STEP_S: f64 = 0.2;

/// Events, strides and their parameters.
pub fn analyse(trial: &Trial, feet: &Feet, from: EventsFrom) -> Gait {
    let mut notes = Vec::new();
    let detected = detect(trial, feet);
    let kind = detected.as_ref().ok().map(|detected| detected.kind);
    let moving = detected.as_ref().map_or(feet, |detected| &detected.feet).clone();
    let (plates, plate_notes) = force_plates::read(trial, feet.up);
    notes.extend(plate_notes);
    let of_plates = plate_events::find(trial, feet, &plates);
    let other_clock = detected.as_ref().ok().and_then(|detected| clocks(detected, &of_plates));
    let has_other_clock = other_clock.is_some();
    notes.extend(other_clock);
    if let Ok(detected) = &detected {
        notes.extend(detected.belt_m_s.map(|belt_m_s| {
            let text = format!(
                "a treadmill whose belt goes {belt_m_s:.2} m/s: lengths and speeds are on the belt"
            );
            Note::new("gait-treadmill", text)
        }));
        notes.extend(detected.is_backwards.then(|| {
            let text = "toes point against the way: walked backwards, or heel and toe are exchanged; events from markers are less sure";
            Note::new("gait-backwards", text)
        }));
    }
    let mut of_file = file_events::read(trial, &feet.name);
    notes.extend(leave_out_outside(&mut of_file, trial));
    if let Some(why) = disorder(&of_file) {
        notes.push(Note::new("gait-events-order", why));
        of_file.clear();
    }
    let of_markers = |notes: &mut Vec<Note>| match &detected {
        Ok(detected) if detected.kind == GaitKind::Stairs => {
            let text = "stairs: events from markers are 24 to 86 ms early there and are withheld";
            notes.push(Note::new("gait-stairs", text));
            Vec::new()
        }
        Ok(detected) => detected.events.iter().map(|signed| signed.event).collect(),
        Err(why) => {
            notes.push(Note::new("no-gait", why.to_string()));
            Vec::new()
        }
    };
    let mut events = match from {
        EventsFrom::File => of_file,
        EventsFrom::Plates => of_plates,
        EventsFrom::Markers => of_markers(&mut notes),
        EventsFrom::Auto if of_file.len() >= 2 => of_file,
        // Lengths are those of markers, and so must times be.
        EventsFrom::Auto if has_other_clock => of_markers(&mut notes),
        EventsFrom::Auto => with_plates(of_markers(&mut notes), &of_plates),
    };
    events.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    let strides = strides::strides(&events);
    if events.is_empty()
        && !notes.iter().any(|note| note.code == "no-gait" || note.code == "gait-stairs")
    {
        let text = match from {
            EventsFrom::File => "the file has no foot strikes and offs in order",
            _ => "no foot is on a force plate alone and wholly",
        };
        notes.push(Note::new("no-gait-events", text));
    } else if strides.is_empty() && !events.is_empty() {
        let count = events.len();
        let text =
            format!("{count} events, but no foot strikes twice: there is no stride to measure");
        notes.push(Note::new("no-stride", text));
    }
    let places = strides::Places { feet: &moving, start_s: trial.start_s };
    let parameters = strides::parameters(&strides, &places);
    Gait { kind, events, strides, parameters, notes, feet: moving, start_s: trial.start_s }
}

impl Gait {
    /// The angles of a solved performer over every stride.
    pub fn cycles(&self, solved: &Solved) -> Vec<Cycle> {
        curves::cycles(&self.strides, solved, &self.feet, self.start_s)
    }

    /// The joint centres of a solved performer over every stride.
    pub fn centres(&self, solved: &Solved) -> Vec<CentreCycle> {
        centres::centres(&self.strides, solved, &self.feet, self.start_s)
    }
}

fn no_gait(why: &str) -> Error {
    Error::undetermined(format!("no gait: {why}")).with_code("no-gait")
}

/// Events of markers, those of plates instead where both show a step; what plates show alone is added if it is gait.
fn with_plates(mut events: Vec<GaitEvent>, of_plates: &[GaitEvent]) -> Vec<GaitEvent> {
    if events.is_empty() {
        return events;
    }
    for plate in of_plates {
        let same = |event: &&mut GaitEvent| {
            event.side == plate.side
                && event.kind == plate.kind
                && (event.time_s - plate.time_s).abs() < SAME_STEP_S
        };
        match events.iter_mut().find(same) {
            Some(event) => *event = *plate,
            None => events.push(*plate),
        }
    }
    events
}

/// Whether plates and markers agree about the time.
fn clocks(detected: &Detected, of_plates: &[GaitEvent]) -> Option<Note> {
    let late = |plate: &GaitEvent| {
        let own = detected.events.iter().map(|signed| signed.event);
        let same = own.filter(|own| own.side == plate.side && own.kind == plate.kind);
        let late = same.map(|own| plate.time_s - own.time_s).filter(|s| s.abs() < SAME_STEP_S);
        late.min_by(|a, b| a.abs().total_cmp(&b.abs()))
    };
    let of_kind = |kind: EventKind| {
        median(of_plates.iter().filter(|plate| plate.kind == kind).filter_map(late))
    };
    let (strike_s, off_s) = (of_kind(EventKind::FootStrike)?, of_kind(EventKind::FootOff)?);
    let is_alike = strike_s.signum() == off_s.signum();
    (is_alike && strike_s.abs().min(off_s.abs()) > CLOCKS_S).then(|| {
        let shift_ms = 500.0 * (strike_s + off_s);
        let word = if shift_ms > 0.0 { "late" } else { "early" };
        let text = format!(
            "force plates are {:.0} ms {word} against markers, at foot strikes and at foot offs: their clocks may disagree, and what plates show is used only if asked for",
            shift_ms.abs()
        );
        Note::new("gait-clocks", text)
    })
}

/// Leaves out events before the first frame and after the last: nothing shows what feet did then.
fn leave_out_outside(events: &mut Vec<GaitEvent>, trial: &Trial) -> Option<Note> {
    let frame_s = 1.0 / trial.rate_hz;
    let (from_s, to_s) = (trial.start_s, trial.start_s + trial.frames as f64 * frame_s);
    let all = events.len();
    events.retain(|event| (from_s - frame_s..=to_s).contains(&event.time_s));
    let outside = all - events.len();
    (outside > 0).then(|| {
        let text = format!(
            "{outside} of the file's {all} foot strikes and offs are outside the recording, which is from {from_s:.2} to \
             {to_s:.2} s: they are not used"
        );
        Note::new("gait-events-outside", text)
    })
}

/// Whether a foot strikes twice without leaving the ground in between, or leaves it twice.
fn disorder(events: &[GaitEvent]) -> Option<String> {
    [Side::Left, Side::Right].into_iter().find_map(|side| {
        let own: Vec<&GaitEvent> = events.iter().filter(|event| event.side == side).collect();
        let has = |kind| own.iter().any(|event| event.kind == kind);
        if !(has(EventKind::FootStrike) && has(EventKind::FootOff)) {
            return None;
        }
        let wrong = own.windows(2).find(|pair| pair[0].kind == pair[1].kind)?;
        let word = match wrong[0].kind {
            EventKind::FootStrike => "strikes the ground",
            EventKind::FootOff => "leaves the ground",
        };
        Some(format!(
            "the file's events are in no order that feet can have: the {} foot {word} at {:.3} s and again at {:.3} s; they are not used",
            side.name(), wrong[0].time_s, wrong[1].time_s
        ))
    })
}
