//! The gaps of a recording, filled.

use std::ops::Range;

use nalgebra::Point3;

use super::method::Method;
use super::parts;
use super::plan::{self, Found, Outcome};
use super::tracks::{Gap, Tracks};
use super::ukf::KnownBesides;
use crate::error::{Error, Result};
use crate::marker_set;
use crate::order;
use crate::trial::{Origin, Trial};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How.
    pub method: Method,
    /// Longer gaps stay, in seconds.
    pub max_gap_s: f64,
    /// Gaps that are expected to be filled worse than this stay, root mean square in metres; so do those of which nothing
    /// is expected, unless it is infinite.
    pub max_error_m: f64,
    /// Whether the direction that the recording says is up may tell; a stream does not say it.
    pub knows_up: bool,
}

impl Default for Options {
    fn default() -> Self {
        let infinite = f64::INFINITY;
        Self { method: Method::Auto, max_gap_s: infinite, max_error_m: infinite, knows_up: true }
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
/// filled well tell about longer ones. A gap that cannot be filled as a whole is filled where the markers that tell are
/// seen, in parts with an outcome each. Markers of a rigid part that are missing together keep its shape.
///
/// # Errors
/// A rate that is not positive, or a limit that is not a number from 0 up.
pub fn fill(trial: &mut Trial, options: &Options) -> Result<Vec<FilledGap>> {
    if options.method == Method::Ukf {
        return super::ukf::fill_by_prediction(trial, options, &KnownBesides::default());
    }
    let markers = markers(trial);
    fill_markers(trial, &markers, options)
}

/// The same of some markers alone, by their places in the recording: no other is filled or tells.
///
/// # Errors
/// As those of [`fill()`].
pub fn fill_markers(
    trial: &mut Trial,
    markers: &[usize],
    options: &Options,
) -> Result<Vec<FilledGap>> {
    check(trial, options)?;
    let max_frames = options.max_gap_s * trial.rate_hz + 1e-9;
    let mut all: Vec<Gap> = Vec::new();
    for (index, marker) in markers.iter().enumerate() {
        let gaps = trial.markers[*marker].gaps();
        all.extend(gaps.into_iter().map(|frames| Gap { marker: index, frames }));
    }
    let (short, long): (Vec<Gap>, Vec<Gap>) =
        all.into_iter().partition(|gap| gap.len() as f64 <= max_frames);
    let mut tracks = Tracks::from_trial(trial, markers);
    tracks.up = tracks.up.filter(|_| options.knows_up);
    let outcomes = whole_or_in_parts(&mut tracks, short, options);
    let outcomes = outcomes.into_iter().flat_map(|(gap, of)| as_far_as_allowed(gap, of, options));
    let mut filled: Vec<FilledGap> = Vec::new();
    for (gap, outcome) in outcomes {
        let marker = markers[gap.marker];
        let origin = if options.method.is_causal() { Origin::Predicted } else { Origin::Filled };
        let mut reason = outcome.reason;
        let mut found = outcome.found.filter(is_finite);
        if let Some(Found { rms_m, .. }) = found.as_ref().filter(|found| !allows(options, found)) {
            let most_mm = 1e3 * options.max_error_m;
            reason = match rms_m {
                Some(rms_m) => format!(
                    "would be off by about {:.0} mm, more than {most_mm:.0}: {reason}",
                    1e3 * rms_m
                ),
                None => format!("nothing tells how far it would be off: {reason}"),
            };
            found = None;
        }
        if let Some(found) = &found {
            let marker = &mut trial.markers[marker];
            let is_seen = |t: usize| t < trial.frames && marker.origin(t) == Origin::Measured;
            let begins = gap.frames.start.checked_sub(1).is_some_and(is_seen);
            let ends = [begins, is_seen(gap.frames.end)];
            let whole_m2 = found.rms_m.map(|rms_m| rms_m * rms_m / 3.0);
            for (index, frame) in gap.frames.clone().enumerate() {
                marker.set(frame, Some(Point3::from(found.positions_m[index])), origin);
                let own_m2 = found.variances_m2.as_ref().map(|variances_m2| variances_m2[index]);
                let profile = || within(&gap, frame, ends);
                let variance_m2 = own_m2.or_else(|| Some(whole_m2? * profile()));
                marker.set_sd_m(frame, variance_m2.map_or(0.0, f64::sqrt));
            }
        }
        filled.push(FilledGap {
            marker,
            frames: gap.frames,
            method: outcome.method,
            reason,
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
    order::by_key(&mut filled, |gap| (gap.marker, gap.frames.start));
    Ok(filled)
}

/// The share of an error that is the same throughout a gap: what is left of it at the ends.
const FLOOR: f64 = 0.2;

/// The square of the error in a frame of a gap against its mean, for methods that join what is seen at its ends: it grows
/// from one of them, or from both to the middle.
fn within(gap: &Gap, frame: usize, ends_are_seen: [bool; 2]) -> f64 {
    let t = (frame - gap.frames.start + 1) as f64 / (gap.len() + 1) as f64;
    let profile = match ends_are_seen {
        [true, true] => 30.0 * (t * (1.0 - t)).powi(2),
        [true, false] => 3.0 * t * t,
        [false, true] => 3.0 * (1.0 - t).powi(2),
        [false, false] => 1.0,
    };
    FLOOR + (1.0 - FLOOR) * profile
}

/// Whether what is expected of a gap is good enough.
fn allows(options: &Options, found: &Found) -> bool {
    found.rms_m.map_or(options.max_error_m.is_infinite(), |rms_m| rms_m <= options.max_error_m)
}

/// A gap that is expected to be filled too badly in parts: from its ends on as far as it is good enough, and the rest.
fn as_far_as_allowed(gap: Gap, outcome: Outcome, options: &Options) -> Vec<(Gap, Outcome)> {
    let is_good = |v_m2: &f64| 3.0 * v_m2 <= options.max_error_m.powi(2);
    let (frames, count) = (gap.frames.clone(), gap.len());
    let found = outcome.found.as_ref().filter(|found| is_finite(found) && !allows(options, found));
    let Some(variances_m2) = found.and_then(|found| found.variances_m2.as_ref()) else {
        return vec![(gap, outcome)];
    };
    let first = variances_m2.iter().take_while(|v_m2| is_good(v_m2)).count();
    let last = variances_m2[first..].iter().rev().take_while(|v_m2| is_good(v_m2)).count();
    let part = |range: Range<usize>| {
        let mut outcome = outcome.clone();
        outcome.found = outcome.found.map(|found| found.part(range.clone()));
        let frames = frames.start + range.start..frames.start + range.end;
        (Gap { marker: gap.marker, frames }, outcome)
    };
    let parts = [0..first, first..count - last, count - last..count];
    parts.into_iter().filter(|range| !range.is_empty()).map(part).collect()
}

/// Estimates every gap, and one that cannot be filled well as a whole in parts.
fn whole_or_in_parts(
    tracks: &mut Tracks,
    gaps: Vec<Gap>,
    options: &Options,
) -> Vec<(Gap, Outcome)> {
    let outcomes = plan::outcomes(tracks, &gaps, options.method);
    let is_good = |outcome: &Outcome| {
        outcome.found.as_ref().is_some_and(|found| is_finite(found) && allows(options, found))
    };
    let (good, poor): (Vec<_>, Vec<_>) =
        gaps.into_iter().zip(outcomes).partition(|(_, outcome)| is_good(outcome));
    if !matches!(options.method, Method::Auto | Method::Local) {
        return good.into_iter().chain(poor).collect();
    }
    let mut all = good;
    let mut parts: Vec<Gap> = Vec::new();
    for (gap, outcome) in poor {
        match parts::parts(tracks, gap.clone()) {
            own if own.len() > 1 => parts.extend(own),
            _ => all.push((gap, outcome)),
        }
    }
    let outcomes = plan::outcomes(tracks, &parts, options.method);
    all.extend(parts.into_iter().zip(outcomes));
    all
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
