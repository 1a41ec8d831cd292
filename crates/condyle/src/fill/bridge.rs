//! Short gaps bridged between the samples on both sides.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use crate::trial::{Marker, Origin, Trial};

/// Gaps up to this long are bridged if nothing else is said.
pub const MAX_GAP_S: f64 = 0.1;

/// A gap that was bridged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridged {
    /// Which marker, by its place in the recording.
    pub marker: usize,
    /// The frames that were missing, counted from 0.
    pub frames: Range<usize>,
}

/// Bridges gaps of at most `max_gap_s` in every marker; what is filled in is marked as such.
///
/// # Method
/// A cubic between the last sample before and the first after the gap, with the velocity that the markers
/// have there: the slope of the parabola through three samples where there are three, of the line through
/// two where there are not, of the bridge itself where there is one. A gap at the beginning or end of the
/// recording has only one side and stays.
pub fn bridge(trial: &mut Trial, max_gap_s: f64) -> Vec<Bridged> {
    bridge_markers(trial, max_gap_s, |_| true)
}

/// The same of some markers alone, by their places in the recording.
pub fn bridge_markers(
    trial: &mut Trial,
    max_gap_s: f64,
    is_meant: impl Fn(usize) -> bool,
) -> Vec<Bridged> {
    let max_frames = (max_gap_s * trial.rate_hz + 1e-9).floor();
    let mut bridged = Vec::new();
    if max_frames.is_nan() || max_frames < 1.0 {
        return bridged;
    }
    for (index, marker) in trial.markers.iter_mut().enumerate().filter(|(i, _)| is_meant(*i)) {
        for frames in marker.gaps() {
            if frames.len() as f64 <= max_frames && bridge_gap(marker, frames.start, frames.end) {
                bridged.push(Bridged { marker: index, frames });
            }
        }
    }
    bridged
}

/// Fills the frames from `start` to before `end`; whether there was something on both sides.
fn bridge_gap(marker: &mut Marker, start: usize, end: usize) -> bool {
    let measured =
        |frame| marker.position_m(frame).filter(|_| marker.origin(frame) != Origin::Filled);
    let present = |frame| marker.position_m(frame);
    let Some(positions_m) = cubic(start..end, present, measured) else { return false };
    for (frame, position_m) in (start..end).zip(positions_m) {
        marker.set(frame, Some(position_m), Origin::Filled);
    }
    true
}

/// The cubic through a gap, from where the marker is in the frames at its ends and the velocity that frames beyond
/// give; `None` if there is nothing on one side.
pub(super) fn cubic(
    gap: Range<usize>,
    present: impl Fn(usize) -> Option<Point3<f64>>,
    measured: impl Fn(usize) -> Option<Point3<f64>>,
) -> Option<Vec<Point3<f64>>> {
    let Range { start, end } = gap;
    let (before, after) = (present(start.checked_sub(1)?)?, present(end)?);
    // In metres a frame.
    let length = (end - start + 1) as f64;
    let chord = (after - before) / length;
    let leaving = velocity(before, |k| start.checked_sub(1 + k).and_then(&measured));
    let arriving = velocity(after, |k| measured(end + k)).map(|v| -v);
    let (leaving, arriving) = (leaving.unwrap_or(chord), arriving.unwrap_or(chord));
    let at = |frame: usize| {
        let t = (frame + 1 - start) as f64 / length;
        // Hermite's cubic, as what is added to the straight line.
        let bend =
            (leaving - chord) * (t * (1.0 - t).powi(2)) - (arriving - chord) * (t * t * (1.0 - t));
        before + (chord * t + bend) * length
    };
    Some((start..end).map(at).collect())
}

/// The velocity towards the gap at its edge, from the samples 1 and 2 frames away from it.
fn velocity(
    edge: Point3<f64>,
    away: impl Fn(usize) -> Option<Point3<f64>>,
) -> Option<Vector3<f64>> {
    let one = away(1)?;
    Some(match away(2) {
        Some(two) => (edge.coords * 3.0 - one.coords * 4.0 + two.coords) * 0.5,
        None => edge - one,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Format;

    /// One marker on a cubic of time, 100 frames a second, not seen in some frames.
    fn trial(frames: usize, is_missing: impl Fn(usize) -> bool) -> Trial {
        let mut trial = Trial::new(Format::C3d, 100.0);
        trial.frames = frames;
        let place = |k: usize| (!is_missing(k)).then(|| on_path(k));
        trial.markers = vec![Marker::from_positions("a", (0..frames).map(place))];
        trial
    }

    fn on_path(frame: usize) -> Point3<f64> {
        let t = frame as f64 * 0.01;
        Point3::new(1.0 + t, t * t - 0.3 * t, 0.5 * t * t)
    }

    #[test]
    fn a_parabola_is_met_exactly_and_what_is_filled_says_so() {
        let mut holed = trial(40, |k| (10..20).contains(&k) || k == 30);
        let gap = |frames| Bridged { marker: 0, frames };
        assert_eq!(bridge(&mut holed, MAX_GAP_S), [gap(10..20), gap(30..31)]);
        let marker = &holed.markers[0];
        for k in (10..20).chain([30]) {
            assert!((marker.position_m(k).unwrap() - on_path(k)).norm() < 1e-12, "{k}");
            assert_eq!(marker.origin(k), Origin::Filled);
        }
        assert_eq!(marker.origin(9), Origin::Measured);
    }

    #[test]
    fn longer_gaps_and_those_at_the_ends_stay() {
        let mut holed = trial(40, |k| k < 3 || (10..21).contains(&k) || k > 36);
        assert_eq!(bridge(&mut holed, MAX_GAP_S), []);
        assert_eq!(holed.markers[0].missing_samples(), 17);
    }

    #[test]
    fn single_samples_on_both_sides_are_joined_by_a_line() {
        let mut holed = trial(5, |k| k != 1 && k != 3);
        bridge(&mut holed, MAX_GAP_S);
        let middle = holed.markers[0].position_m(2).unwrap();
        assert!((middle - nalgebra::center(&on_path(1), &on_path(3))).norm() < 1e-15);
        assert_eq!(holed.markers[0].missing_samples(), 2);
    }

    #[test]
    fn a_rate_of_nothing_bridges_nothing() {
        let mut holed = trial(9, |k| k == 4);
        holed.rate_hz = f64::NAN;
        assert_eq!(bridge(&mut holed, MAX_GAP_S), []);
        holed.rate_hz = 100.0;
        assert_eq!(bridge(&mut holed, 0.0), []);
    }
}
