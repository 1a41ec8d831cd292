//! A recording changed by hand, step by step.

use condyle::trial::{Axis, Marker, Origin, edit};
use condyle::{Result, Trial};
use serde::Deserialize;

use crate::session::wrong;

/// A change. Markers are named by their places, frames counted from 0.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Another label.
    Rename { marker: usize, label: String },
    /// The samples of one marker go to another where that has none, and the one is gone.
    Join { from: usize, into: usize },
    /// From a frame on the samples belong to a new marker, which comes last.
    Split { marker: usize, frame: usize, label: String },
    /// Two markers exchange their samples in some frames.
    Exchange { markers: [usize; 2], from: usize, to: usize },
    /// Without some markers.
    Remove { markers: Vec<usize> },
    /// A stretch of frames alone.
    Frames { from: usize, to: usize },
    /// Every so many frames alone, evenly.
    Thin { step: usize },
    /// Another axis is up: said, nothing is turned.
    Up { up: Axis },
    /// Frames a second.
    Rate { rate_hz: f64 },
    /// All lengths by a factor.
    Scale { factor: f64 },
}

/// A recording after changes, one after another.
pub fn edited(trial: Trial, edits: Vec<Edit>) -> Result<Trial> {
    edits.into_iter().try_fold(trial, one)
}

fn one(mut trial: Trial, change: Edit) -> Result<Trial> {
    let markers = trial.markers.len();
    let known = |marker: usize| match marker < markers {
        true => Ok(marker),
        false => Err(wrong(format!("marker: need one below {markers}, got {marker}"))),
    };
    match change {
        Edit::Rename { marker, label } => trial.markers[known(marker)?].label = label,
        Edit::Join { from, into } => {
            if known(from)? == known(into)? {
                return Err(wrong("join: need two markers, got one".into()));
            }
            let source = trial.markers[from].clone();
            let target = &mut trial.markers[into];
            for frame in (0..trial.frames).filter(|frame| source.origin(*frame).is_present()) {
                if !target.origin(frame).is_present() {
                    target.copy_sample(frame, &source, frame);
                }
            }
            trial.markers.remove(from);
        }
        Edit::Split { marker, frame, label } => {
            let source = trial.markers[known(marker)?].clone();
            let mut after = Marker::all_missing(label, trial.frames);
            for frame in frame..trial.frames {
                after.copy_sample(frame, &source, frame);
                trial.markers[marker].set(frame, None, Origin::Missing);
            }
            trial.markers.push(after);
        }
        Edit::Exchange { markers: [a, b], from, to } => {
            let (of_a, of_b) = (trial.markers[known(a)?].clone(), trial.markers[known(b)?].clone());
            for frame in from..to.min(trial.frames) {
                trial.markers[a].copy_sample(frame, &of_b, frame);
                trial.markers[b].copy_sample(frame, &of_a, frame);
            }
        }
        Edit::Remove { markers } => {
            let mut index = 0..;
            trial.markers.retain(|_| index.next().is_some_and(|own| !markers.contains(&own)));
        }
        Edit::Frames { from, to } => trial = edit::with_frames(trial, from..to)?,
        Edit::Thin { step } => thin(&mut trial, step.max(1)),
        Edit::Up { up } => trial.source.up = Some(up),
        Edit::Rate { rate_hz } if rate_hz > 0.0 && rate_hz.is_finite() => trial.rate_hz = rate_hz,
        Edit::Rate { rate_hz } => {
            return Err(wrong(format!("rate: need a positive number, got {rate_hz}")));
        }
        Edit::Scale { factor } => trial = edit::scaled(trial, factor),
    }
    Ok(trial)
}

/// Every so many frames, for a subject fitted to a long recording; whatever is not a marker goes.
fn thin(trial: &mut Trial, step: usize) {
    let kept = || (0..trial.frames).step_by(step);
    let frames = kept().count();
    for marker in &mut trial.markers {
        let mut thinned = Marker::all_missing(marker.label.as_str(), frames);
        kept().enumerate().for_each(|(to, from)| thinned.copy_sample(to, marker, from));
        *marker = thinned;
    }
    trial.frames = frames;
    trial.rate_hz /= step as f64;
    trial.bodies.clear();
    trial.motion = None;
    trial.channels.clear();
    trial.events.clear();
}
