//! Trajectories as they are being put right, and where each sample was before.

use std::ops::Range;

use nalgebra::Point3;

use super::Swap;
use crate::trial::Trial;

/// The trajectories of some markers of a trial.
pub(super) struct Tracks {
    pub rate_hz: f64,
    pub frames: usize,
    places_m: Vec<Vec<Option<Point3<f64>>>>,
    /// For every label and frame the label that the sample had in the recording.
    from: Vec<Vec<u32>>,
}

impl Tracks {
    pub fn of(trial: &Trial, markers: &[usize]) -> Self {
        let places_m = |marker: &usize| {
            let marker = &trial.markers[*marker];
            (0..trial.frames).map(|frame| marker.position_m(frame)).collect()
        };
        Self {
            rate_hz: trial.rate_hz,
            frames: trial.frames,
            places_m: markers.iter().map(places_m).collect(),
            from: (0..markers.len() as u32).map(|label| vec![label; trial.frames]).collect(),
        }
    }

    pub fn count(&self) -> usize {
        self.places_m.len()
    }

    #[inline]
    pub fn place_m(&self, label: usize, frame: usize) -> Option<Point3<f64>> {
        self.places_m[label][frame]
    }

    /// Frames that are looked at: about `per_s` a second, and no more than `most` in all.
    pub fn sampled(&self, per_s: f64, most: usize) -> std::iter::StepBy<Range<usize>> {
        let stride = ((self.rate_hz / per_s) as usize).max(self.frames.div_ceil(most));
        (0..self.frames).step_by(stride.max(1))
    }

    /// Exchanges two labels in some frames.
    pub fn exchange(&mut self, [a, b]: [usize; 2], frames: Range<usize>) {
        for frame in frames {
            exchange_in(&mut self.places_m, [a, b], frame);
            exchange_in(&mut self.from, [a, b], frame);
        }
    }

    /// Puts all that was exchanged into the trial, and says what.
    pub fn into_swaps(self, trial: &mut Trial, markers: &[usize]) -> Vec<Swap> {
        let mut swaps: Vec<Swap> = Vec::new();
        for frame in 0..self.frames {
            let mut is_done = vec![false; self.count()];
            for first in 0..self.count() {
                let mut cycle = Vec::new();
                let mut label = first;
                while !is_done[label] {
                    is_done[label] = true;
                    cycle.push(markers[label]);
                    // Where the marker of this label was.
                    label = self.from[label][frame] as usize;
                }
                if cycle.len() < 2 {
                    continue;
                }
                cycle.windows(2).for_each(|pair| trial.exchange(frame, [pair[0], pair[1]]));
                // The label of each bore the next.
                cycle[1..].reverse();
                let goes_on = |swap: &&mut Swap| swap.frames.end == frame && swap.markers == cycle;
                match swaps.iter_mut().find(goes_on) {
                    Some(swap) => swap.frames.end += 1,
                    None => swaps.push(Swap { markers: cycle, frames: frame..frame + 1 }),
                }
            }
        }
        swaps
    }
}

fn exchange_in<T: Copy>(rows: &mut [Vec<T>], [a, b]: [usize; 2], frame: usize) {
    let of_a = rows[a][frame];
    rows[a][frame] = rows[b][frame];
    rows[b][frame] = of_a;
}
