//! Markers that slip on their segment, and stay where they slipped to.
//!
//! | file | holds |
//! |---|---|
//! | `step` | the step of a series at every instant, its smooth change taken off |
//! | `distances` | distances between markers, at a rate that is enough |

mod distances;
mod step;

use nalgebra::{Matrix3, Point3, Vector3};

use crate::statistics::median;
use crate::swaps;
use crate::trial::Trial;
use distances::{Blocks, Distance};

/// A marker that slipped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// The marker, as an index into the trial's.
    pub marker: usize,
    /// The first frame after it.
    pub frame: usize,
    /// How far.
    pub shift_m: f64,
    /// How many times what this marker's distances do by chance: 1 on average, below [`MIN_STRENGTH`] for markers
    /// that stay in place.
    pub strength: f64,
}

/// What is reported. Chosen on simulated people of seeds 1 to 12; of others without gaps, whose markers stay in place,
/// one in 150 has a marker above it, and more where markers are often out of sight.
pub const MIN_STRENGTH: f64 = 45.0;
/// And so far at least, in metres: in real recordings skin and cameras shift markers by 3 to 4 mm for good.
const LEAST_SHIFT_M: f64 = 5e-3;
/// So many markers tell of one: those whose distance to it varies least.
const MATES: usize = 8;
/// And so many at least of its own segment.
const LEAST_MATES: usize = 2;
/// Nobody slips further, in metres, one standard deviation: bounds what distances do not show.
const WIDEST_M: f64 = 0.03;
/// The median of chi-square with three degrees of freedom.
const CHI2_3_MEDIAN: f64 = 2.366;
/// The share of what all distances do that one shift has to explain.
const LEAST_EXPLAINED: f64 = 0.6;
/// Where things move fast for so long, in seconds either way, chance does more.
const AROUND_S: f64 = 1.0;
/// After so long, in seconds, this share of the shift is still there.
const STAYS_S: f64 = 1.5;
const LEAST_STAYING: f64 = 0.5;
/// So many things happen at most; a recording with more is not one of markers that slip.
const MAX_EVENTS: usize = 100;
/// One event is not told twice within this, in seconds either way.
const APART_S: f64 = 0.5;

/// Finds markers that slipped, in the order of the frames.
///
/// # Method
/// The distances d_k of a marker to those of its own segment, which vary by no more than skin does, are smooth in
/// time. At every instant a step z_k is fitted to each, together with a cubic (see `step`). A marker that
/// slips by v makes steps z_k = u_k·v, u_k the directions from its mates; one of its mates that slips changes one
/// distance only. The gain of the best v, bᵀA⁻¹b with A = Σ u uᵀ/s² and b = Σ u z/s², is
/// compared with its median over the recording and around the instant. The clearest marker is taken; it is
/// nobody's mate then, and the others are asked again. A shift that does not stay is none. Of three markers on a segment a slip
/// out of their plane changes no distance, and is not seen; of two, nothing is said.
pub fn find(trial: &Trial, markers: &[usize]) -> Vec<Slip> {
    find_stronger(trial, markers, MIN_STRENGTH)
}

/// The same with another least strength.
pub fn find_stronger(trial: &Trial, markers: &[usize], least: f64) -> Vec<Slip> {
    let blocks = Blocks::of(trial, markers);
    let mates = swaps::steadiest(trial, markers, MATES);
    let watched: Vec<Watched> =
        mates.iter().enumerate().map(|(own, mates)| Watched::of(&blocks, own, mates)).collect();
    let (mut slips, mut spoilt) = (Vec::new(), Vec::new());
    let mut events: Vec<Option<Event>> =
        watched.iter().map(|watched| watched.event(&blocks, &spoilt, least)).collect();
    for _ in 0..MAX_EVENTS {
        let clearest = events.iter().flatten().max_by(|a, b| a.strength.total_cmp(&b.strength));
        let Some(event) = clearest.cloned() else { break };
        spoilt.push((event.own, event.block));
        if event.stays {
            slips.push(Slip {
                marker: markers[event.own],
                frame: blocks.frame(event.block),
                shift_m: event.shift_m.norm(),
                strength: event.strength,
            });
        }
        // It is nobody's mate then.
        for (watched, known) in watched.iter().zip(&mut events) {
            if watched.own == event.own || watched.distances.iter().any(|d| d.mate == event.own) {
                *known = watched.event(&blocks, &spoilt, least);
            }
        }
    }
    slips.sort_by_key(|slip| (slip.frame, slip.marker));
    slips
}

/// A marker and its distances.
struct Watched {
    own: usize,
    distances: Vec<Distance>,
    /// The gain that is usual.
    usual: f64,
}

/// Something that happened to a marker.
#[derive(Clone)]
struct Event {
    own: usize,
    block: usize,
    shift_m: Vector3<f64>,
    strength: f64,
    stays: bool,
}

impl Watched {
    fn of(blocks: &Blocks, own: usize, mates: &[usize]) -> Self {
        let distances = mates.iter().filter_map(|mate| Distance::of(blocks, own, *mate)).collect();
        let mut watched = Self { own, distances, usual: f64::INFINITY };
        let gains = (0..blocks.count()).filter_map(|block| watched.shift(blocks, block, &[]));
        watched.usual = median(gains.map(|(_, gain, _)| gain)).unwrap_or(f64::INFINITY);
        watched
    }

    /// The shift that explains the steps of a block best, what that gains, and which share it explains.
    fn shift(
        &self,
        blocks: &Blocks,
        block: usize,
        spoilt: &[(usize, usize)],
    ) -> Option<(Vector3<f64>, f64, f64)> {
        let own_m = blocks.place_m(self.own, block)?;
        let apart = blocks.count_in(APART_S);
        let is_spoilt = |mate: usize| {
            spoilt.iter().any(|(label, at)| *label == mate && at.abs_diff(block) <= apart)
        };
        let mut information = Matrix3::identity() / (WIDEST_M * WIDEST_M);
        let (mut push, mut total, mut count) = (Vector3::zeros(), 0.0, 0);
        for distance in self.distances.iter().filter(|distance| !is_spoilt(distance.mate)) {
            let Some(((step_m, sd_m), mate_m)) =
                distance.steps[block].zip(blocks.place_m(distance.mate, block))
            else {
                continue;
            };
            let Some(way) = (own_m - mate_m).try_normalize(1e-6) else { continue };
            let weight = sd_m.powi(-2);
            information += way * way.transpose() * weight;
            push += way * (step_m * weight);
            total += step_m * step_m * weight;
            count += 1;
        }
        if count < LEAST_MATES {
            return None;
        }
        let shift_m = information.try_inverse()? * push;
        let gain = push.dot(&shift_m);
        Some((shift_m, gain, gain / total.max(f64::MIN_POSITIVE)))
    }

    /// The clearest that is more than chance, but for what is explained already.
    fn event(&self, blocks: &Blocks, spoilt: &[(usize, usize)], least: f64) -> Option<Event> {
        let apart = blocks.count_in(APART_S);
        let all: Vec<Option<(Vector3<f64>, f64, f64)>> =
            (0..blocks.count()).map(|block| self.shift(blocks, block, spoilt)).collect();
        let is_known = |block: usize| {
            spoilt.iter().any(|(label, at)| *label == self.own && at.abs_diff(block) <= apart)
        };
        let around = blocks.count_in(AROUND_S);
        let strength = |block: usize, gain: f64| {
            let near = block.saturating_sub(around)..(block + around).min(all.len());
            let local = median(all[near].iter().flatten().map(|(_, gain, _)| *gain));
            CHI2_3_MEDIAN * gain / local.unwrap_or(0.0).max(self.usual).max(CHI2_3_MEDIAN)
        };
        let (block, (shift_m, gain, _)) = all
            .iter()
            .enumerate()
            .filter(|(block, _)| !is_known(*block))
            .filter_map(|(block, found)| Some((block, (*found)?)))
            .filter(|(_, (shift_m, gain, explained))| {
                CHI2_3_MEDIAN * gain > least * self.usual.max(CHI2_3_MEDIAN)
                    && *explained > LEAST_EXPLAINED
                    && shift_m.norm() > LEAST_SHIFT_M
            })
            .max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
        let strength = strength(block, gain);
        let stays = self.staying(blocks, block, &shift_m) > LEAST_STAYING;
        (strength > least).then_some(Event { own: self.own, block, shift_m, strength, stays })
    }

    /// The share of a shift that is still there after a while.
    fn staying(&self, blocks: &Blocks, block: usize, shift_m: &Vector3<f64>) -> f64 {
        let (mut seen, mut expected) = (0.0, f64::MIN_POSITIVE);
        let Some(own_m) = blocks.place_m(self.own, block) else { return 0.0 };
        for distance in &self.distances {
            let Some(mate_m): Option<Point3<f64>> = blocks.place_m(distance.mate, block) else {
                continue;
            };
            let Some(way) = (own_m - mate_m).try_normalize(1e-6) else { continue };
            let step_m = way.dot(shift_m);
            if let Some(change_m) = distance.change_m(block, blocks.count_in(STAYS_S)) {
                let weight = distance.spread_m.powi(-2);
                seen += weight * step_m * change_m;
                expected += weight * step_m * step_m;
            }
        }
        seen / expected
    }
}

#[cfg(test)]
mod tests;
