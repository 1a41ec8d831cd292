//! Labels that changed places for a while, put back by what explains the motion of the whole interval.
//!
//! | file | holds |
//! |---|---|
//! | `tracks` | the trajectories as they are being put right |
//! | `usual` | how far markers are from each other as a rule |
//! | `steps` | how well a trajectory goes on from one frame to a later one |
//! | `exchange` | the best interval in which two labels were exchanged |
//! | `crossed` | pairs that point the other way because limbs are crossed |
//! | `paired` | pairs of labels that differ in their side, and which way left is |
//! | `sides` | parts of limbs whose labels are exchanged left for right |
//! | `limbs` | limbs whose labels are exchanged as a whole |
//! | `pointing` | labels exchanged in all frames, told by where pairs of markers point |
//! | `bending` | the sides of elbows and wrists, told by the way elbows bend |
//! | `landmarks` | landmarks by the labels of their markers |
//! | `throughout` | labels that are exchanged in all frames |

mod bending;
mod crossed;
mod exchange;
mod landmarks;
mod limbs;
mod paired;
mod pointing;
mod sides;
mod steps;
mod throughout;
mod tracks;
mod usual;

use std::ops::Range;

use crate::order;
use crate::trial::Trial;
use exchange::{Found, Pair};
use steps::Steps;
pub(crate) use throughout::{MAX_EXCHANGES, Segments, misplaced, put_back_throughout};
use tracks::Tracks;
use usual::Usual;

/// Labels that changed places for a while, and were put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The markers, two or more, as indices into the trial's: the label of each bore the next, that of the last the
    /// first.
    pub markers: Vec<usize>,
    /// In which frames.
    pub frames: Range<usize>,
}

/// Rounds of putting back; a cycle of three takes two.
const MAX_ROUNDS: usize = 16;
/// Distances are learned again in this round, when most is right.
const RELEARNED: usize = 1;

/// Puts labels back that changed places; what was exchanged, in the order of the frames.
///
/// # Method
/// A trajectory is cut where it jumps and where it was out of sight. Two labels are exchanged from one cut to another,
/// to the start or to the end, if that explains the motion better:
/// the distances to the markers that keep theirs best (medians over the recording, so that most of it must be right),
/// and how the trajectories go on at both cuts, against how they usually do over as many frames. The
/// interval that gains most comes first; everything is then asked again. Cycles of three labels are two exchanges. An
/// exchange that gains nearly as much with another end is left alone.
pub fn put_back(trial: &mut Trial, markers: &[usize]) -> Vec<Swap> {
    let mut tracks = Tracks::of(trial, markers);
    let mut usual = Usual::of(&tracks);
    for round in 0..MAX_ROUNDS {
        if round == RELEARNED {
            usual = Usual::of(&tracks);
        }
        let steps = Steps::of(&tracks);
        let mut found: Vec<Found> = exchange::candidates(&tracks, &usual, &steps)
            .into_iter()
            .filter_map(|markers| Pair { markers, tracks: &tracks, usual: &usual }.best(&steps))
            .collect();
        order::by(&mut found, |a, b| b.gain.total_cmp(&a.gain));
        let mut taken: Vec<Found> = Vec::new();
        for found in found {
            if taken.iter().all(|other| !other.meets(&found)) {
                taken.push(found);
            }
        }
        if taken.is_empty() {
            break;
        }
        for Found { markers, frames, .. } in taken {
            tracks.exchange(markers, frames);
        }
    }
    tracks.into_swaps(trial, markers)
}

/// For every marker the others whose distance to it varies least, ten at most, as indices into `markers`.
pub(crate) fn steadiest(trial: &Trial, markers: &[usize], count: usize) -> Vec<Vec<usize>> {
    Usual::of(&Tracks::of(trial, markers)).steadiest(count)
}

#[cfg(test)]
mod tests;
