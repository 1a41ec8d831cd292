//! A point of the body through time: filtered, with its velocity and acceleration.

use nalgebra::{Point3, Vector3};

use crate::angles::low_pass;
use crate::statistics::centroid;
use crate::trial::Marker;

/// The cutoff for finding steps.
const COARSE_HZ: f64 = 6.0;
/// The cutoff for timing them; 8 to 20 Hz do alike.
const FINE_HZ: f64 = 12.0;

type Series = Vec<Option<Vector3<f64>>>;

/// A point in every frame; nothing where it is not seen.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Track {
    /// As recorded, short gaps closed.
    pub raw_m: Series,
    /// Filtered for finding steps.
    pub coarse_m: Series,
    /// Filtered for timing them.
    pub fine_m: Series,
    pub velocity_m_s: Series,
    pub acceleration_m_s2: Series,
}

impl Track {
    /// The mean of some markers, such that it does not jump when one of them is hidden.
    ///
    /// # Method
    /// The mean of those that are seen in two frames moves as the point does; where none is, it starts anew.
    pub fn of_markers(markers: &[&Marker], rate_hz: f64) -> Self {
        let frames = markers.first().map_or(0, |marker| marker.frames());
        let mut raw_m: Series = Vec::with_capacity(frames);
        for frame in 0..frames {
            let seen = |frame: usize| markers.iter().map(move |marker| marker.position_m(frame));
            let before = frame.checked_sub(1).and_then(|before| Some((before, raw_m[before]?)));
            let moved = before.and_then(|(before, at_m)| {
                let steps = seen(before).zip(seen(frame)).filter_map(|(a, b)| Some(b? - a?));
                Some(at_m + mean(steps)?)
            });
            raw_m
                .push(moved.or_else(|| mean(seen(frame).flatten().map(|p: Point3<f64>| p.coords))));
        }
        Self::from_positions(raw_m, rate_hz)
    }

    /// From positions, filtered between gaps.
    pub fn from_positions(raw_m: Series, rate_hz: f64) -> Self {
        let coarse_m = filtered(&raw_m, rate_hz, COARSE_HZ);
        let fine_m = filtered(&raw_m, rate_hz, FINE_HZ.min(rate_hz / 4.0));
        let velocity_m_s = slopes(&fine_m, rate_hz);
        let acceleration_m_s2 = slopes(&velocity_m_s, rate_hz);
        Self { raw_m, coarse_m, fine_m, velocity_m_s, acceleration_m_s2 }
    }

    /// The same seen from something that moves with a constant velocity.
    pub fn seen_from(&self, velocity_m_s: Vector3<f64>, rate_hz: f64) -> Self {
        let shifted = |(frame, at_m): (usize, &Option<Vector3<f64>>)| {
            Some((*at_m)? - velocity_m_s * (frame as f64 / rate_hz))
        };
        Self::from_positions(self.raw_m.iter().enumerate().map(shifted).collect(), rate_hz)
    }

    /// The same from the last frame to the first.
    pub fn reversed(&self, rate_hz: f64) -> Self {
        Self::from_positions(self.raw_m.iter().rev().copied().collect(), rate_hz)
    }

    /// Half way between two points, where both are seen.
    pub fn between(&self, other: &Self, rate_hz: f64) -> Self {
        let both = self.raw_m.iter().zip(&other.raw_m);
        Self::from_positions(both.map(|(a, b)| Some(((*a)? + (*b)?) / 2.0)).collect(), rate_hz)
    }

    /// In how many frames it is seen.
    pub fn seen(&self) -> usize {
        self.raw_m.iter().flatten().count()
    }
}

fn mean(vectors: impl Iterator<Item = Vector3<f64>>) -> Option<Vector3<f64>> {
    centroid(vectors.map(Point3::from)).map(|point| point.coords)
}

/// Every stretch without gaps through a filter without lag; as it is where it is too short.
fn filtered(values: &Series, rate_hz: f64, cutoff_hz: f64) -> Series {
    let mut filtered = values.clone();
    for run in filtered.split_mut(Option::is_none) {
        for axis in 0..3 {
            let of_axis: Vec<f64> = run.iter().flatten().map(|v| v[axis]).collect();
            let Some(smooth) = low_pass(&of_axis, rate_hz, cutoff_hz) else { continue };
            run.iter_mut().flatten().zip(smooth).for_each(|(v, value)| v[axis] = value);
        }
    }
    filtered
}

/// Central differences; one-sided at the ends of a stretch.
fn slopes(values: &Series, rate_hz: f64) -> Series {
    let at = |frame: Option<usize>| frame.and_then(|frame| values.get(frame).copied().flatten());
    let slope = |frame: usize| {
        let here = values[frame]?;
        match (at(frame.checked_sub(1)), at(Some(frame + 1))) {
            (Some(before), Some(after)) => Some((after - before) * (rate_hz / 2.0)),
            (Some(before), None) => Some((here - before) * rate_hz),
            (None, Some(after)) => Some((after - here) * rate_hz),
            (None, None) => None,
        }
    };
    (0..values.len()).map(slope).collect()
}
