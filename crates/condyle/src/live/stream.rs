//! What is remembered of a stream.

use nalgebra::{Isometry3, Point3};

use super::frame::{Frame, OwnedFrame};
use crate::calibrate::{Frames, Sample};
use crate::error::{Error, Result};
use crate::trackers;
use crate::trial::{Body, Format, Marker, Trial};

/// Sensors are kept for so many frames in a row: their noise is measured from frame to frame.
const SENSOR_STRETCH: usize = 64;

/// The names of a stream, its last frame, and those that are kept.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    names: Vec<String>,
    rate_hz: f64,
    last: OwnedFrame,
    kept: Kept,
}

#[derive(Debug, Clone)]
enum Kept {
    Markers(Frames<Point3<f64>>),
    Sensors(Frames<Isometry3<f64>>),
}

impl Stream {
    pub(super) fn of_markers(labels: &[&str], rate_hz: f64) -> Result<Self> {
        let count = checked("labels", labels, rate_hz)?;
        let kept = Kept::Markers(Frames::with_room(count, 1));
        Ok(Self::new(labels, rate_hz, OwnedFrame::Markers(vec![None; count]), kept))
    }

    pub(super) fn of_sensors(names: &[&str], rate_hz: f64) -> Result<Self> {
        let count = checked("sensors", names, rate_hz)?;
        let kept = Kept::Sensors(Frames::with_room(count, SENSOR_STRETCH));
        Ok(Self::new(names, rate_hz, OwnedFrame::Sensors(vec![None; count]), kept))
    }

    fn new(names: &[&str], rate_hz: f64, last: OwnedFrame, kept: Kept) -> Self {
        Self { names: names.iter().map(|name| (*name).to_owned()).collect(), rate_hz, last, kept }
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Whether it is of markers.
    pub(super) fn is_of_markers(&self) -> bool {
        matches!(self.kept, Kept::Markers(_))
    }

    pub(super) fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// Takes the next frame; what is not finite is missing.
    ///
    /// # Errors
    /// A frame of something else, or of another number of them.
    pub(super) fn push(&mut self, frame: Frame<'_>) -> Result<()> {
        match (&mut self.kept, &mut self.last, frame) {
            (Kept::Markers(kept), OwnedFrame::Markers(last), Frame::Markers(now))
                if now.len() == last.len() =>
            {
                copy_finite(now, last);
                kept.push(last.iter().copied());
            }
            (Kept::Sensors(kept), OwnedFrame::Sensors(last), Frame::Sensors(now))
                if now.len() == last.len() =>
            {
                copy_finite(now, last);
                kept.push(last.iter().copied());
            }
            (_, last, frame) => {
                let (needed, got) = (last.as_frame().what(), frame.what());
                let what = format!("frame: need {needed}, got {got}");
                return Err(Error::argument(what));
            }
        }
        Ok(())
    }

    /// The frame that came last.
    pub(super) fn last(&self) -> &OwnedFrame {
        &self.last
    }

    /// How many frames came.
    pub(super) fn frames(&self) -> usize {
        match &self.kept {
            Kept::Markers(kept) => kept.pushed(),
            Kept::Sensors(kept) => kept.pushed(),
        }
    }

    /// Which of them are kept.
    pub(super) fn kept_frames(&self) -> Vec<usize> {
        match &self.kept {
            Kept::Markers(kept) => (0..kept.kept()).map(|row| kept.pushed_as(row)).collect(),
            Kept::Sensors(kept) => (0..kept.kept()).map(|row| kept.pushed_as(row)).collect(),
        }
    }

    /// The kept frames as a recording.
    ///
    /// Markers that are thinned have a lower rate. Of sensors stretches are left out as a whole, with a gap between
    /// them over which nothing is compared.
    pub(super) fn trial(&self) -> Trial {
        match &self.kept {
            Kept::Markers(kept) => {
                let mut trial = Trial::new(Format::Csv, self.rate_hz / kept.stride() as f64);
                trial.frames = kept.kept();
                let marker = |(column, label): (usize, &String)| {
                    let positions_m = (0..kept.kept()).map(|row| kept.sample(row, column));
                    Marker::from_positions(label.clone(), positions_m)
                };
                trial.markers = self.names.iter().enumerate().map(marker).collect();
                trial
            }
            Kept::Sensors(kept) => {
                let mut trial = Trial::new(Format::Csv, self.rate_hz);
                let body = |(column, name): (usize, &String)| {
                    let mut body = Body::new(name.clone());
                    for row in 0..kept.kept() {
                        if row > 0 && kept.pushed_as(row) != kept.pushed_as(row - 1) + 1 {
                            (0..trackers::FRAMES_BETWEEN_RECORDINGS).for_each(|_| body.push(None));
                        }
                        body.push(kept.sample(row, column));
                    }
                    body
                };
                trial.bodies = self.names.iter().enumerate().map(body).collect();
                trial.frames = trial.bodies.first().map_or(0, Body::frames);
                trial
            }
        }
    }
}

/// How many names there are.
fn checked(what: &str, names: &[&str], rate_hz: f64) -> Result<usize> {
    if names.is_empty() {
        return Err(Error::argument(format!("{what}: need one, got none")));
    }
    if !(rate_hz.is_finite() && rate_hz >= 0.0) {
        let what = format!("rate: need frames a second, 0 if unknown, got {rate_hz}");
        return Err(Error::argument(what));
    }
    Ok(names.len())
}

fn copy_finite<T: Sample>(from: &[Option<T>], to: &mut [Option<T>]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.filter(T::is_finite);
    }
}
