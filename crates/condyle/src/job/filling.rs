//! Gaps filled before solving, each performer's from its own markers.

use std::ops::Range;

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
/// How far into a gap that is open at one end filling goes, unless all gaps are asked for; where it is longer, what is
/// filled counts less and less up to there, so that joints do not step.
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
        let filled = fill::fill_markers(trial, &own, &how).unwrap_or_default();
        match options.fill {
            Fill::Auto => gaps.extend(filled.into_iter().flat_map(|gap| open_end(trial, gap))),
            _ => gaps.extend(filled),
        }
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

/// Beyond the first or last sight of a marker a prediction soon knows less than it says: its standard deviation is taken
/// to grow, without bound where filling ends, and the rest is taken back. What becomes of the gap, in one part or two.
fn open_end(trial: &mut Trial, gap: FilledGap) -> Vec<FilledGap> {
    let marker = &trial.markers[gap.marker];
    let is_seen = |frame: &usize| marker.origin(*frame) == Origin::Measured;
    let before = (0..gap.frames.start).rev().find(is_seen);
    let after = (gap.frames.end..trial.frames).find(is_seen);
    let most_frames = (MAX_OPEN_END_S * trial.rate_hz) as usize;
    let Range { start, end } = gap.frames;
    // Frames that stay, and how far each is from where the marker is seen.
    let (stay, seen) = match (before, after) {
        (Some(_), Some(_)) => return vec![gap],
        (Some(before), None) => (start..end.min(before + 1 + most_frames).max(start), before),
        (None, Some(after)) => (start.max(after.saturating_sub(most_frames)).min(end)..end, after),
        (None, None) => (start..start, start),
    };
    if !gap.is_filled || stay == gap.frames {
        return vec![gap];
    }
    let marker = &mut trial.markers[gap.marker];
    let mut squares_m2 = 0.0;
    for frame in start..end {
        if stay.contains(&frame) {
            let share = frame.abs_diff(seen) as f64 / (most_frames + 1) as f64;
            let sd_m = marker.sd_m(frame).unwrap_or(0.0) / (1.0 - share);
            marker.set_sd_m(frame, sd_m);
            squares_m2 += 3.0 * sd_m * sd_m;
        } else {
            marker.set(frame, None, Origin::Missing);
        }
    }
    let rest = if stay.start == start { stay.end..end } else { start..stay.start };
    let left = FilledGap {
        frames: rest,
        predicted_error_m: None,
        is_filled: false,
        reason: "the marker is seen on one side of it alone".into(),
        ..gap.clone()
    };
    let rms_m = (squares_m2 / stay.len().max(1) as f64).sqrt();
    let kept = FilledGap { frames: stay, predicted_error_m: Some(rms_m), ..gap };
    [kept, left].into_iter().filter(|gap| !gap.frames.is_empty()).collect()
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
