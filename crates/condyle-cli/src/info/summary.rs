//! What is worth saying about a recording, so that the recording itself can be let go.

use std::ops::Range;

use condyle::Trial;
use condyle::marker_set::{PointKind, kinds};
use condyle::orientation;
use condyle::trial::{Axis, Body, Channel, Event, Marker, Note};
use serde::Serialize;

/// A recording in a few numbers.
#[derive(Debug, Clone)]
pub struct Summary {
    pub format: &'static str,
    pub variant: String,
    pub markers: Vec<MarkerSummary>,
    pub bodies: Vec<BodySummary>,
    /// How many joints the solved skeleton has, if there is one.
    pub joints: Option<usize>,
    pub frames: usize,
    /// The number that the file gives to its first frame.
    pub first_frame: i64,
    /// The time of the first frame on the clock of the events.
    pub start_s: f64,
    /// `None` if the file does not say.
    pub rate_hz: Option<f64>,
    pub duration_s: Option<f64>,
    pub missing_fraction: f64,
    /// The unit that the stored numbers were taken to be in.
    pub unit: &'static str,
    /// The unit in the file's own words.
    pub declared_unit: Option<String>,
    pub up: Option<&'static str>,
    /// The axis that the file itself says is up.
    pub declared_up: Option<&'static str>,
    /// How well that agrees with what people do, from 0 to 1.
    pub up_confidence: Option<f64>,
    /// Where people face, and how sure that is.
    pub forward: Option<(&'static str, f64)>,
    pub subjects: Vec<String>,
    pub channels: Vec<ChannelSummary>,
    pub events: Vec<Event>,
    pub notes: Vec<Note>,
}

/// A marker and its gaps; the field names are those of `--json`.
#[derive(Debug, Clone, Serialize)]
pub struct MarkerSummary {
    pub label: String,
    /// What the point is.
    pub kind: &'static str,
    #[serde(flatten)]
    pub gaps: GapSummary,
}

/// A rigid body and its gaps; the field names are those of `--json`.
#[derive(Debug, Clone, Serialize)]
pub struct BodySummary {
    pub name: String,
    /// False for a sensor of orientation alone.
    pub has_positions: bool,
    #[serde(flatten)]
    pub gaps: GapSummary,
}

/// What is missing; the field names are those of `--json`.
#[derive(Debug, Clone, Serialize)]
pub struct GapSummary {
    pub missing: usize,
    pub gaps: usize,
    pub longest_gap_frames: usize,
    /// The first and the last frame of every gap, by the recording's own numbers.
    pub ranges: Vec<[i64; 2]>,
}

/// An analog channel; the field names are those of `--json`.
#[derive(Debug, Clone, Serialize)]
pub struct ChannelSummary {
    pub label: String,
    pub unit: String,
    pub rate_hz: f64,
    pub samples: usize,
}

impl Summary {
    /// Sums a trial up.
    pub fn of(trial: &Trial) -> Self {
        let facing = orientation::infer(trial);
        let is_rate_known = trial.rate_hz.is_finite() && trial.rate_hz > 0.0;
        Self {
            format: trial.source.format.name(),
            variant: trial.source.variant.clone(),
            markers: trial
                .markers
                .iter()
                .zip(kinds(trial))
                .map(|both| marker(both, trial))
                .collect(),
            bodies: trial.bodies.iter().map(|own| body(own, trial)).collect(),
            joints: trial.motion.as_ref().map(|motion| motion.skeleton().joints().len()),
            frames: trial.frames,
            first_frame: trial.first_frame,
            start_s: trial.start_s,
            rate_hz: is_rate_known.then_some(trial.rate_hz),
            duration_s: is_rate_known.then(|| trial.duration_s()),
            missing_fraction: trial.missing_fraction(),
            unit: trial.source.unit.symbol(),
            declared_unit: trial.source.declared_unit.clone(),
            up: trial.source.up.map(Axis::symbol),
            declared_up: trial.source.declared_up.map(Axis::symbol),
            up_confidence: facing.up.map(|up| up.confidence),
            forward: facing.forward.map(|forward| (forward.axis.symbol(), forward.confidence)),
            subjects: trial.subjects.clone(),
            channels: trial.channels.iter().map(channel).collect(),
            events: trial.events.clone(),
            notes: trial.notes.iter().cloned().chain(facing.notes).collect(),
        }
    }

    /// The points that are markers: not angles, forces and what else a model put among them.
    fn of_markers(&self) -> impl Iterator<Item = &MarkerSummary> {
        self.markers.iter().filter(|marker| marker.kind == PointKind::Marker.name())
    }

    /// How many of the points are markers.
    pub fn count_of_markers(&self) -> usize {
        self.of_markers().count()
    }

    /// How many samples of markers are missing, and how many there are with them.
    pub fn missing_samples(&self) -> [usize; 2] {
        let missing = self.of_markers().map(|marker| marker.gaps.missing).sum();
        [missing, self.count_of_markers() * self.frames]
    }
}

fn marker((marker, kind): (&Marker, PointKind), trial: &Trial) -> MarkerSummary {
    let gaps = gaps(&marker.gaps(), trial);
    MarkerSummary { label: marker.label.clone(), kind: kind.name(), gaps }
}

fn body(body: &Body, trial: &Trial) -> BodySummary {
    let Body { name, has_positions, .. } = body;
    let gaps = gaps(&body.gaps(), trial);
    BodySummary { name: name.clone(), has_positions: *has_positions, gaps }
}

fn gaps(gaps: &[Range<usize>], trial: &Trial) -> GapSummary {
    let numbers =
        |gap: &Range<usize>| [gap.start, gap.end - 1].map(|frame| trial.frame_number(frame));
    GapSummary {
        missing: gaps.iter().map(ExactSizeIterator::len).sum(),
        gaps: gaps.len(),
        longest_gap_frames: gaps.iter().map(ExactSizeIterator::len).max().unwrap_or(0),
        ranges: gaps.iter().map(numbers).collect(),
    }
}

fn channel(channel: &Channel) -> ChannelSummary {
    ChannelSummary {
        label: channel.label.clone(),
        unit: channel.unit.clone(),
        rate_hz: channel.rate_hz,
        samples: channel.raw.len(),
    }
}
