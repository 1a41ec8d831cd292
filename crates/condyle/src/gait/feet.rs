//! Pelvis and feet of a performer: which markers are heel, toe and ankle.

use nalgebra::Vector3;

use super::Side;
use super::track::Track;
use crate::error::{Error, Result};
use crate::marker_set::{self, KEYPOINTS, body_part, fits};
use crate::plan::{Plan, PlanOrigin};
use crate::solve;
use crate::statistics::median;
use crate::subject::{Segment, Subject};
use crate::trial::{Marker, Trial};

/// Gaps up to this long are closed.
pub(super) const MAX_GAP_S: f64 = 0.15;
/// Labels of markers on the heel, the best first; `?` is the side, `#` a number.
const HEEL: &[&str] = &["?HEE", "?HEEL", "?CALC*", "?CAL", "?FCC", "?HEEL*", "?CALL"];
/// On the forefoot.
const TOE: &[&str] = &[
    "?TOE",
    "?TO",
    "?MT2",
    "?FM2",
    "?MET2",
    "?TOETIP",
    "?BIGTOE",
    "?FOOTINDEX",
    "?MT#",
    "?FM#",
    "?MET",
    "?MET#",
    "?MT5",
    "?5META",
    "?PM#",
    "?P#MT",
    "?FMH",
    "?VMH",
    "?TOE*",
    "?HAL",
    "?FOREFOOT*",
    "?SMALLTOE",
];
/// On the malleoli.
const ANKLE: &[&str] = &[
    "?ANK",
    "?ANKLE",
    "?LMAL*",
    "?LMA",
    "?FAL",
    "?ANKLEOUT",
    "?ANKLELAT",
    "?MAL",
    "?ANKL",
    "?ANKLE*",
    "?MMA*",
    "?TAM",
];

/// A segment's name and its markers.
pub type SegmentMarkers = (String, Vec<usize>);

/// The points of one foot.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Foot {
    pub heel: Option<Track>,
    pub toe: Option<Track>,
    pub ankle: Option<Track>,
}

/// Pelvis and feet of a performer.
#[derive(Debug, Clone, PartialEq)]
pub struct Feet {
    /// The performer's name; empty if there is none.
    pub name: String,
    pub(super) rate_hz: f64,
    pub(super) up: Vector3<f64>,
    pub(super) pelvis: Track,
    pub(super) feet: [Foot; 2],
    /// Whether they are keypoints of a film, and no markers.
    pub(super) is_filmed: bool,
}

/// Whoever has feet by the names of their markers.
///
/// # Errors
/// There is nobody, and why: `no-feet`.
pub fn feet(trial: &Trial) -> Result<Vec<Feet>> {
    let plan = marker_set::recognise_trial(trial).plan;
    of_plan(trial, &plan)
}

/// Whoever has feet in a plan.
///
/// # Errors
/// There is nobody, and why: `no-feet`.
pub fn of_plan(trial: &Trial, plan: &Plan) -> Result<Vec<Feet>> {
    let mut found = Vec::new();
    let mut why = no_feet("no marker is known to be on a foot");
    for performer in &plan.performers {
        let segments: Vec<SegmentMarkers> = performer
            .segments
            .iter()
            .map(|segment| (segment.name.clone(), segment.markers.clone()))
            .collect();
        let is_filmed = matches!(&performer.origin, PlanOrigin::Names { marker_set } if marker_set == KEYPOINTS);
        match Feet::find(trial, &performer.name, &segments, is_filmed) {
            Ok(feet) => found.push(feet),
            Err(error) => why = error,
        }
    }
    if found.is_empty() { Err(why) } else { Ok(found) }
}

impl Feet {
    /// From the segments of a performer and their markers.
    ///
    /// # Errors
    /// What is missing: pelvis, a foot, the axis that points up, the rate.
    pub fn new(trial: &Trial, name: &str, segments: &[SegmentMarkers]) -> Result<Self> {
        Self::find(trial, name, segments, false)
    }

    /// The same of whoever was filmed, perhaps: ankles will do there, since most detectors find nothing below.
    fn find(
        trial: &Trial,
        name: &str,
        segments: &[SegmentMarkers],
        is_filmed: bool,
    ) -> Result<Self> {
        let rate_hz = trial.rate_hz;
        if !(rate_hz >= LOWEST_HZ && rate_hz.is_finite()) {
            let what = format!("rate: need {LOWEST_HZ} frames a second or more, got {rate_hz}");
            return Err(no_feet(&what));
        }
        let up =
            trial.source.up.ok_or_else(|| no_feet("need to know which axis is up"))?.direction();
        let mut closed = trial.clone();
        crate::fill::bridge(&mut closed, MAX_GAP_S);
        let of_part = |part: &str, side: marker_set::Side| -> Vec<&Marker> {
            let is_meant = |name: &str| body_part(name) == Some((part, side));
            let own = segments.iter().filter(|(name, _)| is_meant(name));
            let markers = own.flat_map(|(_, markers)| markers);
            markers.filter_map(|marker| closed.markers.get(*marker)).filter(is_seen).collect()
        };
        let pelvis = Track::of_markers(&of_part("pelvis", marker_set::Side::Unsaid), rate_hz);
        if pelvis.seen() < FEWEST_FRAMES {
            return Err(no_feet("need markers on the pelvis, got none that are seen"));
        }
        let forward = forward(&pelvis, up);
        let foot = |side: Side| {
            let set_side = match side {
                Side::Left => marker_set::Side::Left,
                Side::Right => marker_set::Side::Right,
            };
            let mut on_foot = of_part("foot", set_side);
            on_foot.extend(of_part("toes", set_side));
            let on_shank = of_part("shank", set_side);
            let foot = Foot::new(&on_foot, &on_shank, rate_hz, [forward, up]);
            let has_ankle = is_filmed && foot.ankle.is_some();
            match foot.toe.is_some() || foot.heel.is_some() || has_ankle {
                true => Ok(foot),
                false => {
                    let side = side.name();
                    Err(no_feet(&format!(
                        "need markers on the {side} foot, got none that are seen"
                    )))
                }
            }
        };
        let feet = [foot(Side::Left)?, foot(Side::Right)?];
        Ok(Self { name: name.to_owned(), rate_hz, up, pelvis, feet, is_filmed })
    }

    /// The feet of a subject in a recording, by its segments.
    ///
    /// # Errors
    /// As [`Feet::new`].
    pub fn from_subject(trial: &Trial, subject: &Subject) -> Result<Self> {
        let columns = solve::columns(subject, &trial.labels())?;
        let mut columns = columns.into_iter();
        let markers = |segment: &Segment| -> SegmentMarkers {
            (segment.name.clone(), columns.by_ref().take(segment.markers.len()).flatten().collect())
        };
        let segments: Vec<SegmentMarkers> = subject.segments().iter().map(markers).collect();
        Self::find(trial, &subject.name, &segments, subject.provenance.plan == KEYPOINTS)
    }

    /// Whether pelvis and foot are seen in a frame, or bridged over a short gap: the ankle stands in for a heel that has
    /// no marker, as it does for events.
    pub fn is_seen(&self, side: Side, frame: usize) -> bool {
        let foot = &self.feet[side as usize];
        let heel = foot.heel.as_ref().or(foot.ankle.as_ref());
        let mut points = [heel, foot.toe.as_ref(), Some(&self.pelvis)].into_iter().flatten();
        points.all(|track| track.raw_m.get(frame).is_some_and(Option::is_some))
    }

    /// The feet from the last frame to the first.
    pub(super) fn reversed(&self) -> Self {
        let mut reversed = self.clone();
        reversed.pelvis = self.pelvis.reversed(self.rate_hz);
        for foot in &mut reversed.feet {
            for track in [&mut foot.heel, &mut foot.toe, &mut foot.ankle].into_iter().flatten() {
                *track = track.reversed(self.rate_hz);
            }
        }
        reversed
    }

    /// Whether the ankle is all that is seen of a foot.
    pub(super) fn is_by_ankle(&self, side: Side) -> bool {
        let foot = &self.feet[side as usize];
        foot.heel.is_none() && foot.toe.is_none()
    }

    /// Where the forefoot is in a frame, as recorded; the heel or the ankle where there is no marker on it.
    pub(super) fn toe_m(&self, side: Side, frame: usize) -> Option<Vector3<f64>> {
        self.feet[side as usize].foremost()?.raw_m.get(frame).copied().flatten()
    }
}

pub(super) fn no_feet(what: &str) -> Error {
    Error::undetermined(what).with_code("no-feet")
}

/// Steps cannot be timed below.
const LOWEST_HZ: f64 = 20.0;
/// A marker that is seen in fewer frames is none.
const FEWEST_FRAMES: usize = 8;
/// Heel and toe are at least so far apart.
const SHORTEST_FOOT_M: f64 = 0.05;

fn is_seen(marker: &&Marker) -> bool {
    marker.origins().filter(|origin| origin.is_present()).count() >= FEWEST_FRAMES
}

/// The mean direction of travel; nothing along it if there is none.
fn forward(pelvis: &Track, up: Vector3<f64>) -> Vector3<f64> {
    let mut seen = pelvis.coarse_m.iter().flatten();
    let (first, last) = (seen.next(), seen.next_back());
    let travelled = last.zip(first).map_or_else(Vector3::zeros, |(last, first)| last - first);
    (travelled - up * travelled.dot(&up)).try_normalize(0.1).unwrap_or_else(Vector3::zeros)
}

impl Foot {
    /// The toe; the heel, or the ankle, where it is not seen.
    pub fn foremost(&self) -> Option<&Track> {
        self.toe.as_ref().or(self.heel.as_ref()).or(self.ankle.as_ref())
    }

    fn new(
        on_foot: &[&Marker],
        on_shank: &[&Marker],
        rate_hz: f64,
        [forward, up]: [Vector3<f64>; 2],
    ) -> Self {
        let all: Vec<&Marker> = on_foot.iter().chain(on_shank).copied().collect();
        let track = |markers: &[&Marker]| {
            (!markers.is_empty()).then(|| Track::of_markers(markers, rate_hz))
        };
        let ankle = called(ANKLE, &all);
        let (mut heel, mut toe) = (called(HEEL, on_foot), called(TOE, on_foot));
        if heel.is_empty() && toe.is_empty() {
            // By where they are: the foremost is the toe, one well behind it the heel.
            let along = |marker: &&Marker| along(marker, on_foot, forward);
            let others: Vec<&Marker> = on_foot
                .iter()
                .filter(|marker| !ankle.iter().any(|a| a.label == marker.label))
                .copied()
                .collect();
            let by_place = |a: &&&Marker, b: &&&Marker| along(a).total_cmp(&along(b));
            toe = others.iter().max_by(by_place).map(|marker| vec![*marker]).unwrap_or_default();
            let rear = others.iter().min_by(by_place);
            let is_behind = |rear: &&&Marker| {
                toe.first().is_some_and(|toe| along(toe) - along(rear) > SHORTEST_FOOT_M)
            };
            heel = rear.filter(is_behind).map(|marker| vec![*marker]).unwrap_or_default();
        }
        let ankle = match ankle.is_empty() {
            true => lowest(on_shank, up).map(|marker| vec![marker]).unwrap_or_default(),
            false => ankle,
        };
        Self { heel: track(&heel), toe: track(&toe), ankle: track(&ankle) }
    }
}

/// The markers whose labels fit the first pattern that any fits.
fn called<'a>(patterns: &[&str], markers: &[&'a Marker]) -> Vec<&'a Marker> {
    let fitting = |pattern: &&str| -> Vec<&'a Marker> {
        markers.iter().filter(|marker| fits(pattern, &marker.label).is_some()).copied().collect()
    };
    patterns.iter().map(fitting).find(|found| !found.is_empty()).unwrap_or_default()
}

/// How far ahead of the middle of some markers one of them is, in the median.
fn along(marker: &Marker, of: &[&Marker], forward: Vector3<f64>) -> f64 {
    let ahead = |frame: usize| {
        let seen: Vec<_> = of.iter().filter_map(|marker| marker.position_m(frame)).collect();
        let middle = crate::statistics::centroid(seen.iter().copied())?;
        (seen.len() == of.len()).then_some(())?;
        Some((marker.position_m(frame)? - middle).dot(&forward))
    };
    median((0..marker.frames()).filter_map(ahead)).unwrap_or(0.0)
}

fn lowest<'a>(markers: &[&'a Marker], up: Vector3<f64>) -> Option<&'a Marker> {
    let height = |marker: &&Marker| {
        let heights =
            (0..marker.frames()).filter_map(|f| Some(marker.position_m(f)?.coords.dot(&up)));
        median(heights).unwrap_or(f64::INFINITY)
    };
    markers.iter().min_by(|a, b| height(a).total_cmp(&height(b))).copied()
}
