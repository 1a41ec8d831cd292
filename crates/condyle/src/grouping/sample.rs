//! The frames that grouping looks at: evenly spread over those in which most markers are seen.

use nalgebra::Vector3;

use super::exchange::Exchange;
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
        let mut sample = Self { frames: frames.len(), positions_m: Vec::new(), markers, seldom };
        sample.fill(trial, &frames, exchanges);
        Ok(sample)
    }

    /// Reads the positions, following markers whose labels were exchanged.
    fn fill(&mut self, trial: &Trial, frames: &[usize], exchanges: &[Exchange]) {
        let mut label_of: Vec<usize> = (0..trial.markers.len()).collect();
        let mut next = exchanges.iter().peekable();
        for &frame in frames {
            while let Some(exchange) = next.next_if(|exchange| exchange.frame <= frame) {
                label_of.swap(exchange.markers[0], exchange.markers[1]);
            }
            self.positions_m.extend(self.markers.iter().map(|marker| {
                trial.markers[label_of[*marker]].position_m(frame).map(|p| p.coords)
            }));
        }
    }

    /// Where a marker is in a frame.
    pub fn position_m(&self, frame: usize, marker: usize) -> Option<Vector3<f64>> {
        self.positions_m[frame * self.markers.len() + marker]
    }
}

/// At most `most` of the items, evenly spread.
pub(super) fn evenly<T: Copy>(items: &[T], most: usize) -> Vec<T> {
    let step = items.len() as f64 / most.min(items.len()).max(1) as f64;
    (0..most.min(items.len())).map(|k| items[((k as f64 + 0.5) * step) as usize]).collect()
}
