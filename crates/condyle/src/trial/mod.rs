//! The trial: everything one recording holds, in metres and seconds, right-handed.

mod body;
mod channel;
mod column;
pub mod edit;
mod event;
mod marker;
mod note;
pub mod parameters;
mod quantity;
mod source;

pub use body::{Body, pose_from_wxyz};
pub use channel::Channel;
pub(crate) use column::{Block, Column};
pub use event::Event;
pub use marker::{Marker, Origin};
pub(crate) use marker::{is_unlabelled, split_prefix};
pub use note::Note;
pub use parameters::{Group, Parameter, ParameterData};
pub(crate) use quantity::are_positions;
pub use source::{Axis, C3dStorage, Format, LengthUnit, Processor, Source};

use nalgebra::Point3;

use crate::motion::Motion;

/// One recording.
///
/// # Units
/// Metres, seconds, hertz, radians, in the recording's own right-handed axes.
///
/// Every marker and every body has exactly [`Trial::frames`] samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// Frames a second; zero if the file does not say.
    pub rate_hz: f64,
    /// How many frames there are.
    pub frames: usize,
    /// The number the file gives to its first frame.
    pub first_frame: i64,
    /// The time of the first frame on the recording's clock.
    pub start_s: f64,
    /// Point trajectories: markers, and joint centres where the file has a solved skeleton.
    pub markers: Vec<Marker>,
    /// Six-degree-of-freedom trajectories.
    pub bodies: Vec<Body>,
    /// A skeleton already solved and its motion, where the file holds one.
    pub motion: Option<Motion>,
    /// Scalar signals, each with its own rate.
    pub channels: Vec<Channel>,
    /// Named moments.
    pub events: Vec<Event>,
    /// The subjects that the file names, in file order.
    pub subjects: Vec<String>,
    /// C3D parameter groups, kept for writing back.
    pub parameters: Vec<Group>,
    /// What the file said about itself.
    pub source: Source,
    /// Whatever was odd.
    pub notes: Vec<Note>,
}

impl Trial {
    /// A trial with no samples yet.
    pub fn new(format: Format, rate_hz: f64) -> Self {
        Self {
            rate_hz,
            frames: 0,
            first_frame: 1,
            start_s: 0.0,
            markers: Vec::new(),
            bodies: Vec::new(),
            motion: None,
            channels: Vec::new(),
            events: Vec::new(),
            subjects: Vec::new(),
            parameters: Vec::new(),
            source: Source::new(format),
            notes: Vec::new(),
        }
    }

    /// The time of a frame on the recording's clock.
    pub fn time_s(&self, frame: usize) -> f64 {
        if self.rate_hz > 0.0 { self.start_s + frame as f64 / self.rate_hz } else { self.start_s }
    }

    /// The number that the recording itself gives to a frame, which is counted from 0 here.
    pub fn frame_number(&self, frame: usize) -> i64 {
        self.first_frame.saturating_add(i64::try_from(frame).unwrap_or(i64::MAX))
    }

    /// From the first frame to the end of the last one.
    pub fn duration_s(&self) -> f64 {
        if self.rate_hz > 0.0 { self.frames as f64 / self.rate_hz } else { 0.0 }
    }

    /// The marker with a label, or, failing that, the first whose name without prefix matches.
    pub fn marker(&self, label: &str) -> Option<&Marker> {
        let exact = self.markers.iter().find(|marker| marker.label == label);
        exact.or_else(|| self.markers.iter().find(|marker| marker.name() == label))
    }

    /// The share of point samples that are missing; zero if there are no points.
    pub fn missing_fraction(&self) -> f64 {
        let samples = self.markers.len() * self.frames;
        let missing: usize = self.markers.iter().map(Marker::missing_samples).sum();
        if samples == 0 { 0.0 } else { missing as f64 / samples as f64 }
    }

    /// Multiplies every length by a factor: positions, residuals and the translations of bodies.
    ///
    /// A solved skeleton is left alone; its reader knows its unit.
    pub(crate) fn scale_lengths(&mut self, factor: f64) {
        for marker in &mut self.markers {
            for axis in [&mut marker.x_m, &mut marker.y_m, &mut marker.z_m] {
                axis.to_mut().iter_mut().for_each(|value| *value *= factor);
            }
            marker.residual_step_m *= factor as f32;
        }
        for body in &mut self.bodies {
            body.scale_lengths(factor);
        }
    }

    /// Writes the position of every marker in a frame into `positions_m`, as far as there is room.
    pub fn positions_m(&self, frame: usize, positions_m: &mut [Option<Point3<f64>>]) {
        for (position_m, marker) in positions_m.iter_mut().zip(&self.markers) {
            *position_m = marker.position_m(frame);
        }
    }

    /// The labels of the markers, in their order.
    pub fn labels(&self) -> Vec<&str> {
        self.markers.iter().map(|marker| marker.label.as_str()).collect()
    }

    /// Adds a note.
    pub fn note(&mut self, code: &'static str, text: impl Into<String>) {
        self.notes.push(Note::new(code, text));
    }
}
