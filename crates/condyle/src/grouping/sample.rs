//! The frames that grouping looks at: evenly spread over those in which most markers are seen.

use std::ops::Range;

use nalgebra::{Point3, Vector3};

use super::exchange::Exchange;
use super::smooth::{LowPass, Track};
use crate::error::{Error, Result};
use crate::trial::Trial;

/// The most frames looked at.
const MAX_FRAMES: usize = 512;
/// Pairs of markers times frames at most: many markers are looked at in fewer frames.
const MAX_DISTANCES: usize = 40_000_000;
/// The fewest frames that say anything.
pub(super) const MIN_FRAMES: usize = 10;
/// Markers seen in a smaller share of the frames are set aside.
const MIN_SEEN_SHARE: f64 = 0.1;
/// The most markers: the memory and the time for pairs of them grow with the square.
const MAX_MARKERS: usize = 1000;

/// The most markers whose spectra are looked at.
const MAX_SPECTRA: usize = 64;

/// Some frames of some markers.
pub(super) struct Sample {
    /// The markers, as indices into the trial's, ascending.
    pub markers: Vec<usize>,
    /// Markers that are seen too seldom.
    pub seldom: Vec<usize>,
    /// How many frames.
    pub frames: usize,
    /// `position_m[frame * markers + marker]`, `None` where it is not seen.
    pub positions_m: Vec<Option<Vector3<f64>>>,
    /// The white noise that is left in a coordinate: a standard deviation.
    pub noise_m: f64,
}

impl Sample {
    /// Takes frames in which at least half as many of the markers are seen as in the fullest.
    ///
    /// # Errors
    /// Too many markers, or too few markers or frames to say anything.
    pub fn of(trial: &Trial, markers: &[usize], exchanges: &[Exchange]) -> Result<Self> {
        if markers.len() > MAX_MARKERS {
            return Err(Error::undetermined(format!(
                "grouping: need at most {MAX_MARKERS} markers, got {}: choose some of them",
                markers.len()
            )));
        }
        let mut seen = vec![0; trial.frames];
        for marker in markers {
            let origins = trial.markers[*marker].origins();
            seen.iter_mut()
                .zip(origins)
                .for_each(|(n, origin)| *n += usize::from(origin.is_present()));
        }
        let fullest = seen.iter().copied().max().unwrap_or(0);
        let full: Vec<usize> = (0..trial.frames)
            .filter(|frame| seen[*frame] > 0 && 2 * seen[*frame] >= fullest)
            .collect();
        if full.len() < MIN_FRAMES {
            return Err(Error::undetermined(format!(
                "grouping: need {MIN_FRAMES} frames in which markers are seen, got {}",
                full.len()
            )));
        }
        let pairs = markers.len() * markers.len().saturating_sub(1) / 2;
        let most = MAX_FRAMES.min(MAX_DISTANCES / pairs.max(1)).max(4 * MIN_FRAMES);
        let frames = evenly(&full, most);
        let (markers, seldom): (Vec<usize>, Vec<usize>) = markers.iter().partition(|marker| {
            let track = &trial.markers[**marker];
            let seen = frames.iter().filter(|frame| track.origin(**frame).is_present()).count();
            seen >= MIN_FRAMES.max((MIN_SEEN_SHARE * frames.len() as f64) as usize)
        });
        if markers.len() < 2 {
            return Err(Error::undetermined(format!(
                "grouping: need at least 2 markers that are seen, got {}",
                markers.len()
            )));
        }
        let mut sample =
            Self { frames: frames.len(), positions_m: Vec::new(), noise_m: 0.0, markers, seldom };
        sample.fill(trial, &frames, exchanges);
        Ok(sample)
    }

    /// Reads the positions, following markers whose labels were exchanged, and filters noise out.
    fn fill(&mut self, trial: &Trial, frames: &[usize], exchanges: &[Exchange]) {
        let stretches = followed(trial, exchanges);
        let track = |marker: usize| -> Track {
            let mut places = Vec::with_capacity(trial.frames);
            for (frames, label_of) in &stretches {
                let track = &trial.markers[label_of[marker]];
                let place = |frame| track.position_m(frame).map(|p: Point3<f64>| p.coords);
                places.extend(frames.clone().map(place));
            }
            places
        };
        let some = evenly(&self.markers, MAX_SPECTRA);
        let low_pass = LowPass::for_tracks(some.into_iter().map(track), trial.rate_hz);
        self.noise_m = low_pass.noise_m;
        let markers = self.markers.len();
        self.positions_m = vec![None; frames.len() * markers];
        for (index, marker) in self.markers.iter().enumerate() {
            for (at, place) in low_pass.at(&track(*marker), frames).into_iter().enumerate() {
                self.positions_m[at * markers + index] = place;
            }
        }
    }

    /// A set of its markers, as indices into the trial's.
    pub fn in_trial(&self, set: &[u16]) -> Vec<usize> {
        set.iter().map(|marker| self.markers[usize::from(*marker)]).collect()
    }

    /// Where a marker is in a frame.
    pub fn position_m(&self, frame: usize, marker: usize) -> Option<Vector3<f64>> {
        self.positions_m[frame * self.markers.len() + marker]
    }
}

/// Stretches of frames between exchanges, and for every marker the label that it has there.
fn followed(trial: &Trial, exchanges: &[Exchange]) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut label_of: Vec<usize> = (0..trial.markers.len()).collect();
    let mut stretches = Vec::new();
    let mut start = 0;
    for same_frame in exchanges.chunk_by(|a, b| a.frame == b.frame) {
        stretches.push((start..same_frame[0].frame, label_of.clone()));
        start = same_frame[0].frame;
        for exchange in same_frame {
            label_of.swap(exchange.markers[0], exchange.markers[1]);
        }
    }
    stretches.push((start..trial.frames, label_of));
    stretches
}

/// At most `most` of the items, evenly spread.
pub(super) fn evenly<T: Copy>(items: &[T], most: usize) -> Vec<T> {
    let step = items.len() as f64 / most.min(items.len()).max(1) as f64;
    (0..most.min(items.len())).map(|k| items[((k as f64 + 0.5) * step) as usize]).collect()
}
