//! Labels that the recording system confuses.

use nalgebra::Point3;
use rand::{Rng, RngExt};

use super::chance::{Purpose, stream};
use super::options::Options;
use super::truth::Swap;
use crate::error::{Error, Result};
use crate::trial::{Marker, Origin, Trial};

/// The shortest and the longest time that two labels are exchanged.
const LASTS_S: [f64; 2] = [0.5, 2.0];
/// How many of the nearest markers one may be confused with.
const NEAREST: usize = 4;
/// How many times a place for one more exchange is looked for.
const TRIES: usize = 1000;

/// Exchanges the labels of neighbours, each for a while, no label twice at a time; then those of three in a cycle.
///
/// Of any recording; of the options only those about swaps, and the seed, count.
///
/// # Errors
/// There are not enough markers, or there is not enough time.
pub fn labels(options: &Options, trial: &mut Trial) -> Result<Vec<Swap>> {
    let mut rng = stream(options.seed, Purpose::Swap, 0);
    let mut swaps: Vec<Swap> = Vec::new();
    let wanted =
        std::iter::repeat_n(2, options.swaps).chain(std::iter::repeat_n(3, options.cycles));
    for (index, count) in wanted.enumerate() {
        let together = match index % options.swaps_at_once.max(1) {
            0 => None,
            _ => swaps.last().map(|swap| swap.frames.start),
        };
        let found = (0..TRIES).find_map(|_| {
            let swap = any_swap(trial, &mut rng, count, together)?;
            let is_apart = |other: &Swap| {
                let meets =
                    other.frames.start < swap.frames.end && swap.frames.start < other.frames.end;
                !meets || swap.markers.iter().all(|marker| !other.markers.contains(marker))
            };
            swaps.iter().all(is_apart).then_some(swap)
        });
        let swap = found.ok_or_else(|| {
            Error::argument(format!(
                "swaps: need markers and time for {}, got room for {}",
                options.swaps + options.cycles,
                swaps.len()
            ))
        })?;
        swap.frames.clone().for_each(|frame| swap.exchange(trial, frame));
        swaps.push(swap);
    }
    hide_edges(options, trial, &swaps, &mut rng);
    swaps.sort_by(|a, b| (a.frames.start, &a.markers).cmp(&(b.frames.start, &b.markers)));
    Ok(swaps)
}

impl Swap {
    /// Changes the labels in a frame.
    fn exchange(&self, trial: &mut Trial, frame: usize) {
        self.markers.windows(2).for_each(|pair| trial.exchange(frame, [pair[0], pair[1]]));
    }

    /// Gives every label its own marker again.
    pub fn undo(&self, trial: &mut Trial) {
        for frame in self.frames.clone() {
            let pairs = self.markers.windows(2).rev();
            pairs.for_each(|pair| trial.exchange(frame, [pair[0], pair[1]]));
        }
    }
}

/// Hides what is confused while it is confused: every second time, each marker for a time of its own.
fn hide_edges(options: &Options, trial: &mut Trial, swaps: &[Swap], rng: &mut impl Rng) {
    let longest = (options.swap_gap_s * trial.rate_hz).round() as usize;
    if longest == 0 {
        return;
    }
    for swap in swaps {
        for edge in [swap.frames.start, swap.frames.end] {
            if rng.random::<bool>() {
                continue;
            }
            for marker in &swap.markers {
                let length = rng.random_range(1..=longest);
                let first = edge.saturating_sub(rng.random_range(0..=length));
                for frame in first..(first + length).min(trial.frames) {
                    trial.markers[*marker].set(frame, None, Origin::Missing);
                }
            }
        }
    }
}

/// Markers near each other in some frame, and the frames in which they are confused from then.
fn any_swap(trial: &Trial, rng: &mut impl Rng, count: usize, from: Option<usize>) -> Option<Swap> {
    if trial.markers.len() < count {
        return None;
    }
    let start = from.unwrap_or_else(|| rng.random_range(0..trial.frames));
    let lasts_s = rng.random_range(LASTS_S[0]..LASTS_S[1]);
    let lasts = ((lasts_s * trial.rate_hz).ceil() as usize).max(1);
    let first = rng.random_range(0..trial.markers.len());
    let at = |marker: &Marker| marker.position_m(start);
    let here: Point3<f64> = at(&trial.markers[first])?;
    let mut others: Vec<(f64, usize)> = trial
        .markers
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != first)
        .filter_map(|(index, marker)| Some(((at(marker)? - here).norm(), index)))
        .collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    others.truncate(NEAREST);
    let mut markers = vec![first];
    while markers.len() < count {
        if others.is_empty() {
            return None;
        }
        markers.push(others.remove(rng.random_range(0..others.len())).1);
    }
    if count == 2 {
        markers.sort_unstable();
    }
    Some(Swap { markers, frames: start..(start + lasts).min(trial.frames) })
}
