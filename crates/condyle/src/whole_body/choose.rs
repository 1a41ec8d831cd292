//! The frames that are fitted: few, spread over what the recording shows.

use std::ops::Range;

use nalgebra::Vector3;

use super::model::Model;
use crate::rigid::Traces;

/// Frames looked at.
const CANDIDATES: usize = 400;

/// Frames of every recording at least, where there are several.
const MIN_OF_RECORDING: usize = 20;

/// Evenly spread frames that show most of the markers at these places: of several recordings in a row, which end at
/// `ends`, as many of each, however long it is.
pub(super) fn frames(
    columns: &[usize],
    traces: &dyn Traces,
    ends: &[usize],
    count: usize,
) -> Vec<usize> {
    let whole = [traces.frames()];
    let ends = if ends.is_empty() { &whole } else { ends };
    let starts = std::iter::once(&0).chain(ends);
    let recordings = starts.zip(ends).map(|(start, end)| *start..*end).filter(|r| !r.is_empty());
    let recordings: Vec<Range<usize>> = recordings.collect();
    let of_each = (count / recordings.len().max(1)).max(MIN_OF_RECORDING.min(count));
    recordings.into_iter().flat_map(|range| of_recording(columns, traces, range, of_each)).collect()
}

fn of_recording(
    columns: &[usize],
    traces: &dyn Traces,
    range: Range<usize>,
    count: usize,
) -> Vec<usize> {
    let stride = range.len().div_ceil(CANDIDATES).max(1);
    let shown = |frame: usize| {
        columns.iter().filter(|column| traces.position_m(frame, **column).is_some()).count()
    };
    let all: Vec<(usize, usize)> =
        range.step_by(stride).map(|frame| (frame, shown(frame))).collect();
    let mut counts: Vec<usize> = all.iter().map(|(_, shown)| *shown).collect();
    counts.sort_unstable();
    // Half of all frames show at least this much; fuller ones are no worse.
    let enough = counts.get(counts.len() / 2).copied().unwrap_or(0).max(1);
    let full: Vec<usize> =
        all.iter().filter(|(_, shown)| *shown >= enough).map(|(f, _)| *f).collect();
    if full.len() <= count {
        return full;
    }
    (0..count).map(|k| full[k * (full.len() - 1) / (count - 1).max(1)]).collect()
}

/// The positions of the model's markers in a frame.
pub(super) fn positions_m(
    model: &Model,
    traces: &dyn Traces,
    frame: usize,
) -> Vec<Option<Vector3<f64>>> {
    let position = |column: usize| {
        let position_m = traces.position_m(frame, column)?;
        position_m.coords.iter().all(|v| v.is_finite()).then_some(position_m.coords)
    };
    model.markers.iter().map(|marker| position(marker.column)).collect()
}
