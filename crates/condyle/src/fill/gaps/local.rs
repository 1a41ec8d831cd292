//! The local Gaussian process: several choices of neighbours, mixed by how sure each is.

use nalgebra::Vector3;

use super::neighbours::Neighbours;
use super::process::{self, Variant};
use super::tracks::{Estimate, Gap, Tracks};

/// The variants that are mixed.
const VARIANTS: [Variant; 5] = [
    Variant { in_frame: 3, informing: 12, is_inertial: true, is_nearest: false },
    Variant { in_frame: 4, informing: 18, is_inertial: true, is_nearest: false },
    Variant { in_frame: 6, informing: 30, is_inertial: false, is_nearest: false },
    Variant { in_frame: 4, informing: 8, is_inertial: false, is_nearest: false },
    Variant { in_frame: 4, informing: 18, is_inertial: false, is_nearest: true },
];

/// Of gaps up to this long, in seconds, the first and the third alone: time tells more of them than pose.
const SHORT_S: f64 = 0.15;

/// Standard deviations are this much larger than the process says: what was measured on recordings with gaps made.
const WIDER: f64 = 1.2;
/// The same where only one end of the gap is known.
const WIDER_AT_ONE_END: f64 = 1.3;
/// And where fewer markers than this tell, by as much as they are fewer: one who walks out of the room leaves a few that
/// say little of the others.
const MANY_AT_ONE_END: f64 = 10.0;

/// Estimates the positions in one gap; `None` with fewer than three neighbours off a line, or too few frames to learn
/// from.
///
/// # Method
/// The variants of [`process::estimate`], mixed frame by frame with weights 1 / v² for their variances v; the variance
/// of the mixture is that of its parts and their disagreement. Learnt from the past alone, nothing about motion is
/// looked at, for that would look ahead.
pub fn estimate(tracks: &Tracks, gap: &Gap, neighbours: &Neighbours) -> Option<Estimate> {
    let is_causal = neighbours.frames.last().is_none_or(|last| *last < gap.frames.start);
    let is_anticausal = neighbours.frames.first().is_none_or(|first| *first > gap.frames.start);
    let is_short = gap.len() as f64 <= SHORT_S * tracks.rate_hz && !is_causal;
    let parts: Vec<Estimate> = VARIANTS
        .iter()
        .step_by(if is_short { 2 } else { 1 })
        .take(if is_short { 2 } else { VARIANTS.len() })
        .map(|variant| Variant { is_inertial: variant.is_inertial && !is_causal, ..*variant })
        .filter_map(|variant| process::estimate(tracks, gap, neighbours, &variant))
        .collect();
    let few = (MANY_AT_ONE_END / neighbours.ranked.len() as f64).max(1.0);
    let wider = if is_causal || is_anticausal { WIDER_AT_ONE_END * few } else { WIDER };
    mixed(&parts, wider)
}

/// Estimates mixed by their variances, and the standard deviation of the mixture made wider.
pub fn mixed(parts: &[Estimate], wider: f64) -> Option<Estimate> {
    let frames = parts.first()?.positions_m.len();
    let mut all = Estimate { positions_m: Vec::new(), variances_m2: Vec::new() };
    for frame in 0..frames {
        let weight = |part: &Estimate| part.variances_m2[frame].powi(-2);
        let total: f64 = parts.iter().map(weight).sum();
        let mean: Vector3<f64> =
            parts.iter().map(|part| part.positions_m[frame] * (weight(part) / total)).sum();
        let apart = |part: &Estimate| (part.positions_m[frame] - mean).norm_squared() / 3.0;
        let share =
            |part: &Estimate| (part.variances_m2[frame] + apart(part)) * weight(part) / total;
        let variance: f64 = parts.iter().map(share).sum();
        all.positions_m.push(mean);
        all.variances_m2.push(variance * wider * wider);
    }
    Some(all)
}
