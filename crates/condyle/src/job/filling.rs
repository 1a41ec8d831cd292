//! Gaps filled before solving, each performer's from its own markers.

use serde::{Deserialize, Serialize};

use super::options::Options;
use super::repair::Repair;
use super::{keypoints, slipped};
use crate::fill::{self, FilledGap, Method};
use crate::solve;
use crate::subject::Subject;
use crate::trial::{Origin, Trial};

/// Which gaps are filled before solving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// None.
    Off,
    /// Those up to [`Options::max_gap_s`], by a cubic between the samples on both sides.
    Short,
    /// Those that are expected to be filled to [`MAX_FILL_ERROR_M`].
    #[default]
    Auto,
    /// All for which there is any way.
    All,
}

/// The error up to which gaps are filled if nothing else is said, root mean square: as far as a segment is wide, beyond
/// which a marker hardly tells where it is.
pub const MAX_FILL_ERROR_M: f64 = 0.05;
/// How far into a gap that is open at one end filling goes, unless all gaps are asked for.
const MAX_OPEN_END_S: f64 = 0.2;

/// Fills the gaps of performers; what was repaired, and what came of every gap of their markers.
///
/// Only the markers that a subject is known by are filled and tell: whoever else is in the recording makes no
/// difference, nor does which axis is up, which a stream does not say; what a model computed stays as the file has it.
/// Markers that slipped are bridged where gaps are short: before and after, each is nowhere while it is the other.
pub(super) fn fill_gaps<'a>(
    trial: &mut Trial,
    subjects: impl Iterator<Item = &'a Subject>,
    repairs: &[Repair],
    options: &Options,
) -> (Option<Repair>, Vec<FilledGap>) {
    let mut gaps: Vec<FilledGap> = Vec::new();
    let mut to_bridge: Vec<usize> = Vec::new();
    let slipped = slipped::labels(repairs);
    // Keypoints are smoothed, which bridges their gaps.
    let is_filled = |s: &&Subject| !s.is_of_bodies() && !keypoints::is_of_keypoints(s);
    for subject in subjects.filter(is_filled) {
        let Some(max_error_m) = max_error_m(options.fill) else {
            to_bridge.extend(markers(subject, trial));
            continue;
        };
        let how = fill::Options { max_error_m, knows_up: false, ..fill::Options::default() };
        let is_slipped = |marker: &usize| slipped.contains(&trial.markers[*marker].label);
        let (apart, own): (Vec<_>, Vec<_>) =
            markers(subject, trial).into_iter().partition(is_slipped);
        // A rate that is none bridges nothing either.
        let mut filled = fill::fill_markers(trial, &own, &how).unwrap_or_default();
        if options.fill == Fill::Auto {
            filled.iter_mut().for_each(|gap| leave_open_end(trial, gap));
        }
        gaps.extend(filled);
        to_bridge.extend(apart);
    }
    let max_gap_s = if options.fill == Fill::Off { 0.0 } else { options.max_gap_s };
    let bridged = fill::bridge_markers(trial, max_gap_s, |marker| to_bridge.contains(&marker));
    gaps.extend(bridged.into_iter().map(|gap| FilledGap {
        marker: gap.marker,
        frames: gap.frames,
        method: Method::Spline,
        reason: "short: bridged between its ends".into(),
        predicted_error_m: None,
        is_filled: true,
    }));
    let filled = || gaps.iter().filter(|gap| gap.is_filled);
    let repair = Repair::GapsFilled {
        gaps: filled().count(),
        samples: filled().map(|gap| gap.frames.len()).sum(),
        left: gaps.len() - filled().count(),
    };
    ((!gaps.is_empty()).then_some(repair), gaps)
}

/// Beyond the first or last sight of a marker a prediction soon knows less than it says: taken back.
fn leave_open_end(trial: &mut Trial, gap: &mut FilledGap) {
    let marker = &trial.markers[gap.marker];
    let is_seen = |frame: &usize| marker.origin(*frame) == Origin::Measured;
    let before = (0..gap.frames.start).rev().find(is_seen);
    let after = (gap.frames.end..trial.frames).find(is_seen);
    let open_frames = match (before, after) {
        (Some(_), Some(_)) => return,
        (Some(before), None) => gap.frames.end - before - 1,
        (None, Some(after)) => after - gap.frames.start,
        (None, None) => gap.frames.len(),
    };
    if !gap.is_filled || open_frames as f64 <= MAX_OPEN_END_S * trial.rate_hz {
        return;
    }
    for frame in gap.frames.clone() {
        trial.markers[gap.marker].set(frame, None, Origin::Missing);
    }
    gap.is_filled = false;
    gap.reason = "the marker is seen on one side of it alone".into();
}

/// The largest error that may be expected; `None` where nothing but short bridges is asked for.
fn max_error_m(fill: Fill) -> Option<f64> {
    match fill {
        Fill::Off | Fill::Short => None,
        Fill::Auto => Some(MAX_FILL_ERROR_M),
        Fill::All => Some(f64::INFINITY),
    }
}

/// The markers of a subject that a recording has, in the recording's order.
fn markers(subject: &Subject, trial: &Trial) -> Vec<usize> {
    let columns = solve::columns(subject, &trial.labels()).unwrap_or_default();
    let mut markers: Vec<usize> = columns.into_iter().flatten().collect();
    markers.sort_unstable();
    markers.dedup();
    markers
}
