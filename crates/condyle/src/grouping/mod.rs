//! Segments from the motion alone: which markers move as one, with no names.
//!
//! # Method
//! Markers on one rigid segment keep their distances. Neither linking all pairs that do (that chains
//! through joints) nor asking it of every pair (that breaks what skin moves) finds segments, so whole
//! partitions are compared: the shortest description of the recording wins, in which a segment costs
//! its pose in every frame and what it is off from being rigid. The noise that distances on one segment
//! show and the motion that is there set the scale; there is no threshold in millimetres.
//!
//! 1. Distances of all pairs, their spread by quantiles, in up to 512 frames.
//! 2. Sets are joined, best gain first, then improved: markers moved, sets joined, pairs taken out.
//! 3. A marker near a joint fits both segments; it goes to the one that would be left with a lone marker.
//! 4. Segments between which no joint holds belong to different performers, unless a segment without markers holds
//!    them: a hand on an upper arm.
//!
//! What hardly moves against each other cannot be told apart and is one group; [`Doubt`] says
//! where it nearly came apart.
//!
//! ```
//! use condyle::simulate::{Options, Performer, simulate};
//!
//! let options = Options { seconds: 12.0, noise_m: 0.001, ..Options::default() };
//! let trial = simulate(&Performer::human(), &options)?.trial;
//! let plan = condyle::grouping::from_motion(&trial, &Default::default())?.plan;
//! assert_eq!(plan.performers.len(), 1);
//! # Ok::<(), condyle::Error>(())
//! ```

mod agglomerate;
mod change;
mod cost;
mod doubt;
pub mod exchange;
mod proximal;
mod refine;
mod rigidity;
mod sample;
mod single;
mod smooth;
mod spectrum;
mod spread;

pub use doubt::{Decision, Doubt};

use crate::error::Result;
use crate::order;
use crate::plan::{
    ExcludedMarker, ExclusionReason, JointRule, Performer, Plan, PlanOrigin, PlannedSegment,
};
use crate::topology::{self, Part, spread_frames};
use crate::trial::Trial;
use agglomerate::agglomerate;
use cost::Cost;
use exchange::Exchange;
use rigidity::Rigidity;
use sample::Sample;
use single::Candidates;
use spread::Spreads;

/// What takes part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Only these markers, as indices into the trial's; all of them without.
    pub only: Option<Vec<usize>>,
    /// Whether trajectories without a label take part although others have one.
    pub with_unlabelled: bool,
}

/// Segments, and how sure they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// Performers and their segments, without parents; and the markers that are on none.
    pub plan: Plan,
    /// How much distances within segments vary, by noise and skin: a standard deviation in metres.
    pub noise_m: f64,
    /// What could have gone the other way, the most doubtful first.
    pub doubts: Vec<Doubt>,
    /// Whether all was compared that was to be; not of hundreds of markers that hardly move together.
    pub is_complete: bool,
    /// Segments without markers that hold others: the markers on either side, and its length in metres.
    pub unmarked: Vec<([Vec<usize>; 2], f64)>,
    /// Labels that changed places during the recording. They were followed.
    pub exchanges: Vec<Exchange>,
}

/// Distances that vary by this many times the noise are not looked at.
const REACH: f64 = 15.0;
/// Distances that vary by so little are looked at whatever the noise, in metres.
const LEAST_REACH_M: f64 = 3e-3;
/// How much a marker may move against its group and still find candidates there, in times the noise.
const COMPANY: f64 = 5.0;
/// Frames looked at to tell performers apart.
const PERFORMER_FRAMES: usize = 128;

/// Finds the segments of every performer, and says how sure they are.
///
/// # Errors
/// Fewer than two markers are seen, or in fewer than ten frames, or there are more than a thousand.
pub fn from_motion(trial: &Trial, options: &Options) -> Result<Grouping> {
    let (markers, mut excluded) = candidates(trial, options);
    let exchanges = exchange::find(trial, &markers);
    let sample = Sample::of(trial, &markers, &exchanges)?;
    let seldom = sample.seldom.iter().map(|marker| (*marker, ExclusionReason::NeverSeen));
    excluded.extend(seldom.map(|(marker, reason)| ExcludedMarker { marker, reason }));

    let spreads = Spreads::of(&sample);
    let reach_m = (REACH * spreads.noise_m).max(LEAST_REACH_M);
    let rigidity = Rigidity::new(&sample, &spreads);
    let mut cost = Cost::new(rigidity, &spreads, sample.noise_m);
    let all: Vec<u16> = (0..sample.markers.len() as u16).collect();
    let mut groups = agglomerate(&mut cost, &spreads, &all, (reach_m, 0.0, 1));
    refine::refine(&mut cost, &spreads, &mut groups, reach_m);
    cost.charge_singletons_as_segments();
    let ranks = spreads.ranks();
    let limit_m = COMPANY * spreads.noise_m;
    let candidates = Candidates { spreads: &spreads, ranks: &ranks, limit_m, reach_m };
    candidates.find(&mut cost, &mut groups);
    cost.charge_pairs_as_segments();
    refine::settle(&mut cost, &spreads, &mut groups, reach_m);
    groups.sort();

    let separated = topology::separate(&parts(trial, &sample, &groups));
    let sides = |[a, b]: [usize; 2]| [sample.in_trial(&groups[a]), sample.in_trial(&groups[b])];
    let unmarked = separated.unmarked.iter().map(|(pair, length_m)| (sides(*pair), *length_m));
    let unmarked = unmarked.collect();
    let mut performers = performers(&sample, &groups, &separated.component, &mut excluded);
    if cost.skin > proximal::MIN_SKIN {
        for groups in &mut performers {
            let (parents, order) = topology::parents(&parts(trial, &sample, groups));
            proximal::settle(&mut cost, groups, (&parents, &order), spreads.noise_m);
        }
    }
    order::by_key(&mut excluded, |aside| aside.marker);
    let plan = Plan { performers: planned(trial, &sample, &performers), excluded };
    let doubts = doubt::of(&mut cost, &candidates, &performers, &sample);
    Ok(Grouping {
        plan,
        doubts,
        noise_m: spreads.noise_m,
        is_complete: !cost.is_exhausted(),
        unmarked,
        exchanges,
    })
}

/// The markers that take part, and those that do not for want of a label.
fn candidates(trial: &Trial, options: &Options) -> (Vec<usize>, Vec<ExcludedMarker>) {
    let mut markers: Vec<usize> = match &options.only {
        Some(only) => only.iter().copied().filter(|marker| *marker < trial.markers.len()).collect(),
        None => (0..trial.markers.len()).collect(),
    };
    markers.sort_unstable();
    markers.dedup();
    let is_unlabelled = |marker: &usize| trial.markers[*marker].is_unlabelled();
    if options.with_unlabelled || markers.iter().all(is_unlabelled) {
        return (markers, Vec::new());
    }
    let (aside, markers): (Vec<usize>, Vec<usize>) = markers.iter().partition(|m| is_unlabelled(m));
    let aside = aside
        .into_iter()
        .map(|marker| ExcludedMarker { marker, reason: ExclusionReason::Unlabelled });
    (markers, aside.collect())
}

/// Puts the groups of each performer together. One or two markers that nothing holds are set aside.
fn performers(
    sample: &Sample,
    groups: &[Vec<u16>],
    component: &[usize],
    excluded: &mut Vec<ExcludedMarker>,
) -> Vec<Vec<Vec<u16>>> {
    let in_trial = |group: &[u16]| sample.in_trial(group);
    let mut performers = Vec::new();
    for first in 0..groups.len() {
        let members = (0..groups.len()).filter(|group| component[*group] == first);
        let own: Vec<Vec<u16>> = members.map(|group| groups[group].clone()).collect();
        match &own[..] {
            [] => {}
            [alone] if alone.len() < 3 => {
                let alone = in_trial(alone).into_iter();
                excluded.extend(
                    alone.map(|marker| ExcludedMarker {
                        marker,
                        reason: ExclusionReason::MovesAlone,
                    }),
                );
            }
            _ => performers.push(own),
        }
    }
    performers
}

/// The groups as parts of a tree.
fn parts(trial: &Trial, sample: &Sample, groups: &[Vec<u16>]) -> Vec<Part> {
    let frames = spread_frames(trial.frames, PERFORMER_FRAMES);
    let part = |group: &Vec<u16>| Part::of_markers(trial, &sample.in_trial(group), &frames);
    groups.iter().map(part).collect()
}

fn planned(trial: &Trial, sample: &Sample, performers: &[Vec<Vec<u16>>]) -> Vec<Performer> {
    let performer = |groups: &Vec<Vec<u16>>| {
        let segments: Vec<PlannedSegment> = groups
            .iter()
            .enumerate()
            .map(|(index, group)| PlannedSegment {
                name: format!("segment {}", index + 1),
                parent: None,
                markers: sample.in_trial(group),
                joint_name: None,
                joint_rule: JointRule::Auto,
            })
            .collect();
        Performer {
            name: common_subject(trial, &segments),
            origin: PlanOrigin::Motion,
            is_tree_known: segments.len() < 2,
            segments,
        }
    };
    performers.iter().map(performer).collect()
}

/// The prefix that all labels have in common, or nothing.
fn common_subject(trial: &Trial, segments: &[PlannedSegment]) -> String {
    let mut markers = segments.iter().flat_map(|segment| &segment.markers);
    let subject = |marker: &usize| trial.markers[*marker].subject();
    let first = markers.next().and_then(subject);
    let is_common = markers.all(|marker| subject(marker) == first);
    first.filter(|_| is_common).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
