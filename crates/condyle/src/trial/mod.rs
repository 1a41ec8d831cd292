//! The trial: everything one recording holds, in metres and seconds, right-handed.

mod body;
mod channel;
mod column;
pub mod edit;
mod event;
mod marker;
pub mod parameters;
mod quantity;
mod ray;
mod source;

pub use body::{Body, pose_from_wxyz};
pub use channel::Channel;
pub(crate) use column::{Block, Column};
pub use event::Event;
pub use marker::{Marker, Origin};
pub(crate) use marker::{is_unlabelled, split_prefix};
pub use parameters::{Group, Parameter, ParameterData};
pub(crate) use quantity::are_positions;
pub use ray::CameraRay;
pub use source::{Axis, C3dStorage, Format, LengthUnit, Processor, Source};

use nalgebra::Point3;

use crate::error::{Error, Result};
use crate::motion::Motion;
pub use crate::note::Note;

/// One recording.
///
/// # Units
/// Metres, seconds, hertz, radians, in the recording's own right-handed axes.
///
/// Every marker, every body and the motion have exactly [`Trial::frames`] samples: [`Trial::from_tracks`] sees to
/// it, and [`Trial::check`] after a change of the fields.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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

    /// A trial of markers and bodies that all have the same number of frames.
    ///
    /// # Errors
    /// Their numbers of frames differ.
    pub fn from_tracks(
        format: Format,
        rate_hz: f64,
        markers: Vec<Marker>,
        bodies: Vec<Body>,
    ) -> Result<Self> {
        let mut trial = Self { markers, bodies, ..Self::new(format, rate_hz) };
        let of_bodies = trial.bodies.iter().map(Body::frames);
        trial.frames = trial.markers.iter().map(Marker::frames).chain(of_bodies).max().unwrap_or(0);
        trial.check()?;
        Ok(trial)
    }

    /// Checks that every marker, every body and the motion have as many samples as there are frames, and that every
    /// frame has a time that is finite.
    ///
    /// # Errors
    /// The first that has not.
    pub fn check(&self) -> Result<()> {
        if !(self.rate_hz.is_finite() && self.time_s(self.frames).is_finite()) {
            let (rate_hz, start_s) = (self.rate_hz, self.start_s);
            let what = format!("times: need finite numbers, got {rate_hz} Hz from {start_s} s");
            return Err(Error::argument(what));
        }
        let markers = self.markers.iter().map(|marker| (marker.label.as_str(), marker.frames()));
        let bodies = self.bodies.iter().map(|body| (body.name.as_str(), body.frames()));
        let motion = self.motion.iter().map(|motion| ("motion", motion.frames()));
        let frames = self.frames;
        match markers.chain(bodies).chain(motion).find(|(_, own)| *own != frames) {
            Some((name, own)) => {
                let what = format!("{name}: need a sample for each of {frames} frames, got {own}");
                Err(Error::argument(what))
            }
            None => Ok(()),
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
            marker.map_positions(|position_m| position_m * factor);
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

    /// Writes the variance along each axis of every marker in a frame into `variances_m2`, as far as there is room: zero
    /// of samples that were measured.
    pub fn variances_m2(&self, frame: usize, variances_m2: &mut [f64]) {
        for (variance_m2, marker) in variances_m2.iter_mut().zip(&self.markers) {
            *variance_m2 = marker.sd_m(frame).map_or(0.0, |sd_m| sd_m * sd_m);
        }
    }

    /// The labels of the markers, in their order.
    pub fn labels(&self) -> Vec<&str> {
        self.markers.iter().map(|marker| marker.label.as_str()).collect()
    }

    /// Exchanges the samples that two markers have in a frame.
    #[cfg(any(feature = "simulate", feature = "skeleton"))]
    pub(crate) fn exchange(&mut self, frame: usize, [a, b]: [usize; 2]) {
        let sample = |marker: &Marker| (marker.position_m(frame), marker.origin(frame));
        let (of_a, of_b) = (sample(&self.markers[a]), sample(&self.markers[b]));
        self.markers[a].set(frame, of_b.0, of_b.1);
        self.markers[b].set(frame, of_a.0, of_a.1);
    }

    /// Adds a note.
    pub fn note(&mut self, code: &'static str, text: impl Into<String>) {
        self.notes.push(Note::new(code, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_markers_and_bodies_of_different_lengths() {
        let marker = |frames| Marker::all_missing("A", frames);
        let mut body = Body::new("hand");
        (0..3).for_each(|_| body.push(None));
        let tracks = |frames, bodies| {
            Trial::from_tracks(Format::Csv, 100.0, vec![marker(3), marker(frames)], bodies)
        };
        let mut trial = tracks(3, vec![body.clone()]).unwrap();
        assert_eq!((trial.frames, trial.bodies.len()), (3, 1));
        let error = tracks(2, Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "A: need a sample for each of 3 frames, got 2");
        assert!(tracks(4, vec![body]).is_err());
        trial.frames = 4;
        let error = trial.check().unwrap_err().to_string();
        assert_eq!(error, "A: need a sample for each of 4 frames, got 3");
        trial.frames = 3;
        for (rate_hz, start_s) in [(f64::NAN, 0.0), (5e-324, 0.0), (100.0, f64::INFINITY)] {
            (trial.rate_hz, trial.start_s) = (rate_hz, start_s);
            let error = trial.check().unwrap_err().to_string();
            assert!(error.starts_with("times: need finite numbers"), "{error}");
        }
    }
}
