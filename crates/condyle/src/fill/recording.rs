//! The gaps of a recording, filled.

use std::ops::Range;

use nalgebra::Point3;

use super::method::Method;
use super::plan::{self, Found};
use super::tracks::{Gap, Tracks};
use super::ukf::Told;
use crate::error::{Error, Result};
use crate::marker_set;
use crate::trial::{Origin, Trial};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How.
    pub method: Method,
    /// Longer gaps stay, in seconds.
    pub max_gap_s: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::Auto, max_gap_s: f64::INFINITY }
    }
}

/// A gap, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FilledGap {
    /// Which marker, by its place in the recording.
    pub marker: usize,
    /// The frames that were missing, counted from 0.
    pub frames: Range<usize>,
    /// The way that was taken, or asked for if none was.
    pub method: Method,
    /// Why this way, or why the gap stays.
    pub reason: String,
    /// The expected distance from the truth, root mean square over the gap, in metres.
    pub predicted_error_m: Option<f64>,
    /// Whether it was filled.
    pub is_filled: bool,
}

/// Fills the gaps of all markers; what is filled is marked as such, what was measured stays as it is.
///
/// Points that a model computed and trajectories without a name are left alone and tell nothing, unless nothing has a
/// name.
///
/// # Method
/// [`Method::Auto`] takes the local Gaussian process where three markers are seen throughout a gap, mixed with a spline
/// where the gap is short, and else what errs least in gaps made nearby. Short gaps are filled first, and those that are
/// filled well tell about longer ones. Markers of a rigid part that are missing together keep its shape.
///
/// # Errors
/// A rate that is not positive, or a limit that is not a number from 0 up.
pub fn fill(trial: &mut Trial, options: &Options) -> Result<Vec<FilledGap>> {
    if options.method == Method::Ukf {
        return super::ukf::fill_by_prediction(trial, options, &Told::default());
    }
    check(trial, options)?;
    let markers = markers(trial);
    let max_frames = options.max_gap_s * trial.rate_hz + 1e-9;
    let mut all: Vec<Gap> = Vec::new();
    for (index, marker) in markers.iter().enumerate() {
        let gaps = trial.markers[*marker].gaps();
        all.extend(gaps.into_iter().map(|frames| Gap { marker: index, frames }));
    }
    let (short, long): (Vec<Gap>, Vec<Gap>) =
        all.into_iter().partition(|gap| gap.len() as f64 <= max_frames);
    let mut tracks = Tracks::from_trial(trial, &markers);
    let outcomes = plan::outcomes(&mut tracks, &short, options.method);
    let mut filled: Vec<FilledGap> = Vec::new();
    for (gap, outcome) in short.into_iter().zip(outcomes) {
        let marker = markers[gap.marker];
        let origin = if options.method.is_causal() { Origin::Predicted } else { Origin::Filled };
        let found = outcome.found.filter(is_finite);
        if let Some(found) = &found {
            for (frame, position_m) in gap.frames.clone().zip(&found.positions_m) {
                trial.markers[marker].set(frame, Some(Point3::from(*position_m)), origin);
            }
        }
        filled.push(FilledGap {
            marker,
            frames: gap.frames,
            method: outcome.method,
            reason: outcome.reason,
            predicted_error_m: found.as_ref().and_then(|found| found.rms_m),
            is_filled: found.is_some(),
        });
    }
    let stays = |gap: Gap| {
        let (length_s, most_s) = (gap.len() as f64 / trial.rate_hz, options.max_gap_s);
        FilledGap {
            marker: markers[gap.marker],
            frames: gap.frames,
            method: options.method,
            reason: format!("{length_s:.2} s is longer than the {most_s} s asked for"),
            predicted_error_m: None,
            is_filled: false,
        }
    };
    filled.extend(long.into_iter().map(stays));
    filled.sort_by_key(|gap| (gap.marker, gap.frames.start));
    Ok(filled)
}

fn is_finite(found: &Found) -> bool {
    found.positions_m.iter().all(|p| p.iter().all(|v| v.is_finite()))
}

/// The markers that are filled and that tell.
pub(super) fn markers(trial: &Trial) -> Vec<usize> {
    let computed = marker_set::computed(trial);
    let is_marker = |i: &usize| computed.binary_search(i).is_err();
    let all: Vec<usize> = (0..trial.markers.len()).filter(is_marker).collect();
    let is_named = |i: &usize| !trial.markers[*i].is_unlabelled();
    match all.iter().any(is_named) {
        true => all.into_iter().filter(is_named).collect(),
        false => all,
    }
}

/// # Errors
/// A rate that is not positive, or a limit that is not a number from 0 up.
pub(super) fn check(trial: &Trial, options: &Options) -> Result<()> {
    if !(trial.rate_hz.is_finite() && trial.rate_hz > 0.0) {
        let rate_hz = trial.rate_hz;
        return Err(Error::argument(format!("rate: need frames a second above 0, got {rate_hz}")));
    }
    if options.max_gap_s.is_nan() || options.max_gap_s < 0.0 {
        let got = options.max_gap_s;
        return Err(Error::argument(format!("longest gap: need seconds from 0 up, got {got}")));
    }
    Ok(())
}
