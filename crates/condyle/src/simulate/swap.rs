//! Labels that the recording system confuses.

use nalgebra::Point3;
use rand::{Rng, RngExt};

use super::chance::{Purpose, stream};
use super::options::Options;
use super::truth::Swap;
use crate::error::{Error, Result};
use crate::trial::{Marker, Trial};

/// The shortest and the longest time that two labels are exchanged.
const LASTS_S: [f64; 2] = [0.5, 2.0];
/// How many of the nearest markers one may be confused with.
const NEAREST: usize = 4;
/// How many times a place for one more exchange is looked for.
const TRIES: usize = 1000;

/// Exchanges the labels of neighbours, each for a while, no label twice at a time.
pub(super) fn labels(options: &Options, trial: &mut Trial) -> Result<Vec<Swap>> {
    let mut rng = stream(options.seed, Purpose::Swap, 0);
    let mut swaps: Vec<Swap> = Vec::with_capacity(options.swaps.min(TRIES));
    for _ in 0..options.swaps {
        let found = (0..TRIES).find_map(|_| {
            let swap = any_swap(trial, &mut rng)?;
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
                options.swaps,
                swaps.len()
            ))
        })?;
        swap.frames.clone().for_each(|frame| trial.exchange(frame, swap.markers));
        swaps.push(swap);
    }
    swaps.sort_by_key(|swap| (swap.frames.start, swap.markers));
    Ok(swaps)
}

/// Two markers near each other in some frame, and the frames in which they are confused from then.
fn any_swap(trial: &Trial, rng: &mut impl Rng) -> Option<Swap> {
    if trial.markers.len() < 2 {
        return None;
    }
    let start = rng.random_range(0..trial.frames);
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
    if others.is_empty() {
        return None;
    }
    let (_, second) = others[rng.random_range(0..others.len())];
    let markers = [first.min(second), first.max(second)];
    Some(Swap { markers, frames: start..(start + lasts).min(trial.frames) })
}
