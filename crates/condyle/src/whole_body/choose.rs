//! The frames that are fitted: few, spread over what the recording shows.

use std::ops::Range;

use nalgebra::Vector3;

use super::model::Model;
use crate::rigid::Traces;
use crate::statistics::mean_and_variance;

/// How the labels of a recording are read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reading {
    /// Columns that are left out.
    pub without: Vec<usize>,
    /// Whether left is taken for right.
    pub are_sides_exchanged: bool,
    /// Columns whose marker is taken to sit on another landmark than its label says.
    pub moved: Vec<(usize, usize)>,
}

/// Frames looked at.
const CANDIDATES: usize = 400;

/// Frames of every recording at least, where there are several.
const MIN_OF_RECORDING: usize = 5;
/// Frames in which it is looked at how much a recording moves.
const LOOKS: usize = 40;

/// Evenly spread frames that show most of the markers at these places.
///
/// Of several recordings in a row, which end at `ends`, each has a share by how much moves in it, however long it is: a
/// minute of standing still is one pose, and does not crowd out ten seconds of a range of motion. Every further
/// recording adds half of `count`.
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
    if let [only] = recordings.as_slice() {
        return of_recording(columns, traces, only.clone(), count);
    }
    let moved_m: Vec<f64> =
        recordings.iter().map(|range| moved_m(columns, traces, range.clone())).collect();
    let all_m = moved_m.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let total = (count + count / 2 * recordings.len().saturating_sub(1)) as f64;
    let of_each =
        moved_m.iter().map(|m| ((total * m / all_m).round() as usize).max(MIN_OF_RECORDING));
    let both = recordings.into_iter().zip(of_each);
    both.flat_map(|(range, count)| of_recording(columns, traces, range, count)).collect()
}

/// How much markers move against each other: the standard deviation of their distances, summed over pairs.
fn moved_m(columns: &[usize], traces: &dyn Traces, range: Range<usize>) -> f64 {
    let stride = range.len().div_ceil(LOOKS).max(1);
    let partners = columns.iter().cycle().skip(columns.len() / 2);
    let deviation_m = |(a, b): (&usize, &usize)| {
        let at = |frame: usize| {
            Some((traces.position_m(frame, *a)? - traces.position_m(frame, *b)?).norm())
        };
        let (_, variance_m2) = mean_and_variance(range.clone().step_by(stride).filter_map(at))?;
        Some(variance_m2.sqrt())
    };
    columns.iter().zip(partners).filter_map(deviation_m).sum()
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

#[cfg(test)]
mod tests {
    use super::frames;
    use crate::rigid::Traces;
    use nalgebra::Point3;

    /// Two markers, 900 frames apart by the same, then 100 that move.
    struct StillThenMoving;

    impl Traces for StillThenMoving {
        fn frames(&self) -> usize {
            1000
        }

        fn position_m(&self, frame: usize, marker: usize) -> Option<Point3<f64>> {
            let moving = 0.2 * (frame.saturating_sub(900) as f64 * 0.1).sin();
            Some(Point3::new(marker as f64 * (1.0 + moving), 0.0, 0.0))
        }
    }

    #[test]
    fn a_long_still_recording_does_not_crowd_out_a_short_one_that_moves() {
        let moving = |chosen: &[usize]| chosen.iter().filter(|frame| **frame >= 900).count();
        let apart = frames(&[0, 1], &StillThenMoving, &[900, 1000], 40);
        assert_eq!((apart.len(), moving(&apart)), (65, 60));
        let as_one = frames(&[0, 1], &StillThenMoving, &[], 40);
        assert_eq!((as_one.len(), moving(&as_one)), (40, 4));
    }
}
