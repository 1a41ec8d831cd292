//! Positions as filling reads them: one slice a marker, and which samples are seen.

use std::ops::Range;

use nalgebra::Vector3;

use crate::statistics::mean;
use crate::trial::Trial;

/// The markers of a recording, frame by frame.
#[derive(Debug, Clone)]
pub struct Tracks {
    /// How many frames there are.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f64,
    /// The direction that is up, where it is known.
    pub up: Option<Vector3<f64>>,
    /// For every marker its position in every frame; zero where it is not seen.
    pub positions_m: Vec<Vec<Vector3<f64>>>,
    /// For every marker whether it is seen.
    pub seen: Vec<Vec<bool>>,
}

/// A marker that goes further than this from one frame to the next, and back in the one after, was not there.
const JUMP_M: f64 = 0.25;

impl Tracks {
    /// Some markers of a trial; frames in which one jumps away and back are taken as not seen.
    pub fn from_trial(trial: &Trial, markers: &[usize]) -> Self {
        let positions = |marker: &usize| {
            let marker = &trial.markers[*marker];
            let at = |frame| marker.position_m(frame).map_or_else(Vector3::zeros, |p| p.coords);
            (0..trial.frames).map(at).collect()
        };
        let seen = |marker: &usize| {
            let marker = &trial.markers[*marker];
            (0..trial.frames).map(|frame| marker.origin(frame).is_present()).collect()
        };
        let mut tracks = Self {
            frames: trial.frames,
            rate_hz: trial.rate_hz,
            up: trial.source.up.map(|up| up.direction()),
            positions_m: markers.iter().map(positions).collect(),
            seen: markers.iter().map(seen).collect(),
        };
        tracks.overlook_jumps();
        tracks
    }

    fn overlook_jumps(&mut self) {
        for (positions_m, seen) in self.positions_m.iter().zip(&mut self.seen) {
            for frame in 1..seen.len().saturating_sub(1) {
                let [before, at, after] = [frame - 1, frame, frame + 1].map(|t| positions_m[t]);
                let (there, back) = ((at - before).norm(), (after - at).norm());
                let is_jump = there.min(back) > JUMP_M && (after - before).norm() < 0.5 * there;
                if is_jump && seen[frame - 1] && seen[frame + 1] {
                    seen[frame] = false;
                }
            }
        }
    }

    /// How many markers there are.
    pub fn markers(&self) -> usize {
        self.positions_m.len()
    }

    /// Where a marker is, if it is seen.
    #[inline]
    pub fn at(&self, marker: usize, frame: usize) -> Option<Vector3<f64>> {
        self.seen[marker][frame].then(|| self.positions_m[marker][frame])
    }

    /// Whether a marker is seen in all of some frames.
    pub fn is_seen_throughout(&self, marker: usize, frames: Range<usize>) -> bool {
        self.seen[marker][frames].iter().all(|seen| *seen)
    }

    /// Frames in so many seconds at 120 frames a second, here; at least one.
    pub fn frames_at_120_hz(&self, frames: f64) -> usize {
        ((frames * self.rate_hz / 120.0).round() as usize).max(1)
    }
}

/// A stretch of frames in which a marker is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Which marker.
    pub marker: usize,
    /// The frames that are missing.
    pub frames: Range<usize>,
}

impl Gap {
    /// How many frames are missing.
    pub fn len(&self) -> usize {
        self.frames.len()
    }
}

/// Where a marker may have been in the frames of a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The position of every frame of the gap, in metres.
    pub positions_m: Vec<Vector3<f64>>,
    /// The variance of each, along each axis, in square metres.
    pub variances_m2: Vec<f64>,
}

impl Estimate {
    /// The expected distance from the truth, root mean square over the gap.
    pub fn rms_m(&self) -> f64 {
        (3.0 * mean(self.variances_m2.iter().copied()).unwrap_or(0.0)).sqrt()
    }
}
