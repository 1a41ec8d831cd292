//! How sure groups are: what they nearly came apart into, and what fits elsewhere as well.

use super::agglomerate::agglomerate;
use super::cost::{Cost, without};
use super::sample::Sample;
use super::single::Candidates;

/// How sure a segment is.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupEvidence {
    /// The performer and the segment, as indices into the plan.
    pub segment: [usize; 2],
    /// How far its markers are from being rigid: a standard deviation a degree of freedom, in metres.
    /// Zero of a lone marker.
    pub sigma_m: f64,
    /// The parts it would come apart into first, if those move against each other noticeably. They may be two
    /// segments that did not move enough.
    pub split: Option<WeakSplit>,
}

/// Markers that move a little against the rest of their segment.
#[derive(Debug, Clone, PartialEq)]
pub struct WeakSplit {
    /// The markers, as indices into the trial's.
    pub markers: Vec<usize>,
    /// How much they move against the rest: a standard deviation a degree of freedom, in metres.
    pub motion_m: f64,
}

/// A marker that would fit another segment as well as its own: it is near a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedMarker {
    /// Its index among the trial's markers.
    pub marker: usize,
    /// The other segment: performer and segment, as indices into the plan.
    pub also: [usize; 2],
    /// How much it moves against that segment: a standard deviation a degree of freedom, in metres.
    pub motion_m: f64,
}

/// Less motion between two halves of a segment, in times its own deviation, is not worth a word.
const NOTICEABLE: f64 = 2.0;

/// A marker fits elsewhere as well if it moves there at most so many times as much as in its own group.
const AS_WELL: f64 = 1.5;

/// The evidence of every group of every performer.
pub(super) fn of(
    cost: &mut Cost,
    candidates: &Candidates,
    performers: &[Vec<Vec<u16>>],
    sample: &Sample,
) -> (Vec<GroupEvidence>, Vec<SharedMarker>) {
    let (mut evidence, mut shared) = (Vec::new(), Vec::new());
    let in_trial = |marker: &u16| sample.markers[usize::from(*marker)];
    for (p, groups) in performers.iter().enumerate() {
        for (g, group) in groups.iter().enumerate() {
            let split = weakest(cost, candidates, group).map(|(markers, motion_m)| WeakSplit {
                markers: markers.iter().map(in_trial).collect(),
                motion_m,
            });
            let sigma_m = if group.len() < 2 { 0.0 } else { cost.misfit(group).sigma_m() };
            evidence.push(GroupEvidence { segment: [p, g], sigma_m, split });
            for marker in group.iter().filter(|_| group.len() > 1) {
                let own_m = cost.motion_between_m(&[*marker], &without(group, *marker));
                let limit_m = AS_WELL * own_m.max(candidates.limit_m / super::COMPANY);
                let mut best: Option<(f64, usize)> = None;
                for (other, set) in groups.iter().enumerate().filter(|(other, _)| *other != g) {
                    if candidates.fits(cost, *marker, set) {
                        let motion_m = cost.motion_between_m(&[*marker], set);
                        best = best.filter(|best| best.0 <= motion_m).or(Some((motion_m, other)));
                    }
                }
                let best = best.filter(|(motion_m, _)| *motion_m <= limit_m);
                shared.extend(best.map(|(motion_m, other)| SharedMarker {
                    marker: in_trial(marker),
                    also: [p, other],
                    motion_m,
                }));
            }
        }
    }
    (evidence, shared)
}

/// The smaller of the two halves that a group comes apart into, and how much it moves.
fn weakest(cost: &mut Cost, candidates: &Candidates, group: &[u16]) -> Option<(Vec<u16>, f64)> {
    let everything = (f64::INFINITY, f64::NEG_INFINITY, 2);
    let halves = agglomerate(cost, candidates.spreads, group, everything);
    let [one, other] = &halves[..] else { return None };
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let motion_m = cost.motion_between_m(small, large);
    let own_m = cost.misfit(large).sigma_m().max(candidates.limit_m / super::COMPANY);
    (group.len() > 2 && motion_m > NOTICEABLE * own_m).then(|| (small.clone(), motion_m))
}
