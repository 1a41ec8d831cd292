//! Grouping by motion on simulated recordings: random markers and names, a millimetre of noise.
//!
//! The binary `grouping` prints the table.

use std::collections::{BTreeMap, BTreeSet};

use condyle::grouping::{self, Decision, Doubt};
use condyle::job;
use condyle::naming::{Creature, Side};
use condyle::plan::Plan;
use condyle::simulate::{Options, Performer, Routine, Simulation, Site, Swing, simulate};
use condyle::{Result, topology};
use nalgebra::{Matrix3, Vector3};

use crate::everyday::people::Chance;

/// The name of the marker set.
const SET: &str = "random";
/// How far markers are from the places that performers have for them, in metres.
const SCATTER_M: f64 = 0.02;
/// Markers of a segment extend by so much in their second direction, in metres.
const LEAST_WIDTH_M: f64 = 0.03;

/// A kind of recording.
pub struct Scenario {
    /// What it is called.
    pub name: &'static str,
    performer: fn() -> Performer,
    /// The fewest and the most markers of a segment.
    markers: [u64; 2],
    options: Options,
}

/// All kinds, in the order of the table.
pub fn scenarios() -> Vec<Scenario> {
    use Routine::{ChickenWalk, Rom, Walk};
    let scenario = |name, performer, markers, (routine, performers)| {
        let marker_set = Some(SET.to_owned());
        let (seconds, noise_m) = (20.0, 1e-3);
        let base = Options { seconds, noise_m, marker_set, ..Options::default() };
        Scenario { name, performer, markers, options: Options { routine, performers, ..base } }
    };
    let human: fn() -> Performer = Performer::human;
    let dog: fn() -> Performer = Performer::dog;
    let mut all = vec![
        scenario("range of motion", human, [3, 5], (Rom, 1)),
        scenario("dance", human, [3, 5], (ChickenWalk, 1)),
        scenario("walk, 4 markers", human, [4, 4], (Walk, 1)),
        scenario("quadruped dance", dog, [3, 5], (ChickenWalk, 1)),
        scenario("two dancers", human, [3, 5], (ChickenWalk, 2)),
        scenario("walk, 3 markers", human, [3, 3], (Walk, 1)),
        scenario("walk, 3 to 5", human, [3, 5], (Walk, 1)),
        scenario("two walkers", human, [4, 4], (Walk, 2)),
    ];
    let mut skin = scenario("walk, 5 mm of skin", human, [4, 4], (Walk, 1));
    skin.options.skin_m = 0.005;
    all.push(skin);
    all
}

/// What was found in recordings of one kind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// Recordings.
    pub recordings: usize,
    /// Whose tree is the true one.
    pub trees: usize,
    /// Whose segments are.
    pub segmentations: usize,
    /// Whose performers are as many as there were.
    pub performers: usize,
    /// Wrong segments.
    pub wrong: usize,
    /// Wrong segments that no doubt is about.
    pub wrong_undoubted: usize,
    /// Doubts.
    pub doubts: usize,
}

/// Groups the markers of recordings of one kind, a seed each.
///
/// # Errors
/// The simulation, or the grouping, has no answer.
pub fn score(scenario: &Scenario, seeds: std::ops::Range<u64>) -> Result<Score> {
    let mut score = Score::default();
    for seed in seeds {
        let performer = dressed((scenario.performer)(), scenario.markers, seed);
        let options = Options { seed, ..scenario.options.clone() };
        let Simulation { trial, truth, .. } = simulate(&performer, &options)?;
        let found = grouping::from_motion(&trial, &grouping::Options::default())?;
        let mut plan = found.plan;
        for performer in &mut plan.performers {
            topology::infer(&trial, performer, &topology::Options::default())?;
        }
        let (own, right) = (segments(&plan), segments(&truth.plan));
        let wrong: Vec<&Vec<usize>> = own.difference(&right).collect();
        let is_doubted = |segment: &&&Vec<usize>| found.doubts.iter().any(|d| is_about(d, segment));
        score.recordings += 1;
        score.trees += usize::from(joints(&plan) == joints(&truth.plan));
        score.segmentations += usize::from(own == right);
        score.performers += usize::from(plan.performers.len() == truth.plan.performers.len());
        score.wrong += wrong.len();
        score.wrong_undoubted += wrong.len() - wrong.iter().filter(is_doubted).count();
        score.doubts += found.doubts.len();
    }
    Ok(score)
}

/// Names of segments that were found by the shape of the tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Names {
    /// Segments of the truth that have markers.
    pub segments: usize,
    /// Those with the right part of the body, whatever the side.
    pub parts: usize,
    /// Those with a wrong part.
    pub wrong_parts: usize,
    /// Those with two sides in the truth, and how many got the right one, and the wrong one.
    pub sided: usize,
    /// The right side.
    pub sides: usize,
    /// The wrong side.
    pub wrong_sides: usize,
    /// Performers, and how many were taken for another kind of body.
    pub performers: usize,
    /// Another kind of body, or none.
    pub wrong_kinds: usize,
}

/// Names the segments of recordings of one kind, a seed each: found by motion, names and markers random.
///
/// # Errors
/// The simulation, or the grouping, has no answer.
pub fn names(scenario: &Scenario, seeds: std::ops::Range<u64>) -> Result<Names> {
    let mut names = Names::default();
    for seed in seeds {
        let performer = dressed((scenario.performer)(), scenario.markers, seed);
        let options = Options { seed, ..scenario.options.clone() };
        let Simulation { trial, truth, .. } = simulate(&performer, &options)?;
        let mut with = job::Options::default();
        with.segments_by = job::SegmentsBy::Motion;
        let found = job::plan(&trial, &with)?;
        let kind = if performer.name == "dog" { Creature::Quadruped } else { Creature::Person };
        let kinds = found.naming.iter().flatten().filter(|naming| naming.creature == kind).count();
        names.performers += truth.plan.performers.len();
        names.wrong_kinds += truth.plan.performers.len().saturating_sub(kinds);
        // What every marker is called by what was found.
        let mut of_marker = BTreeMap::new();
        for (performer, naming) in found.plan.performers.iter().zip(&found.naming) {
            let Some(naming) = naming else { continue };
            for (segment, named) in performer.segments.iter().zip(&naming.segments) {
                for marker in &segment.markers {
                    of_marker.extend(named.clone().map(|named| (*marker, named)));
                }
            }
        }
        let truths = truth.plan.performers.iter().flat_map(|performer| &performer.segments);
        for segment in truths.filter(|segment| !segment.markers.is_empty()) {
            let (side, part) = match segment.name.split_once(' ') {
                Some(("left", part)) => (Side::Left, part),
                Some(("right", part)) => (Side::Right, part),
                _ => (Side::Unsaid, segment.name.as_str()),
            };
            names.segments += 1;
            names.sided += usize::from(side != Side::Unsaid);
            let Some(named) = of_marker.get(&segment.markers[0]) else { continue };
            names.parts += usize::from(named.part == part);
            names.wrong_parts += usize::from(named.part != part);
            if side != Side::Unsaid && named.side != Side::Unsaid {
                names.sides += usize::from(named.side == side);
                names.wrong_sides += usize::from(named.side != side);
            }
        }
    }
    Ok(names)
}

fn is_about(doubt: &Doubt, segment: &[usize]) -> bool {
    let (Decision::OneSegment(sets) | Decision::TwoSegments(sets) | Decision::OnSegment(_, sets)) =
        &doubt.decided;
    sets.iter().flatten().any(|marker| segment.contains(marker))
}

fn segments(plan: &Plan) -> BTreeSet<Vec<usize>> {
    let segments = plan.performers.iter().flat_map(|performer| &performer.segments);
    segments.map(|segment| segment.markers.clone()).filter(|markers| !markers.is_empty()).collect()
}

fn joints(plan: &Plan) -> BTreeSet<BTreeSet<Vec<usize>>> {
    let of_performer = plan.performers.iter().flat_map(|performer| {
        performer.segments.iter().filter_map(|segment| {
            let parent = &performer.segments[segment.parent?];
            Some(BTreeSet::from([segment.markers.clone(), parent.markers.clone()]))
        })
    });
    of_performer.collect()
}

/// A performer with random markers and names, whose wrists swing: what never moves cannot be told.
fn dressed(mut performer: Performer, [fewest, most]: [u64; 2], seed: u64) -> Performer {
    let mut chance = Chance::new(seed ^ 0x6709);
    let mut hands = Vec::new();
    for (index, segment) in performer.segments.iter_mut().enumerate() {
        if segment.name.ends_with("hand") {
            hands.push(index);
        }
        let own = segment.sites.clone();
        let count = (fewest as f64 + chance.between(0.0, (most - fewest + 1) as f64)) as usize;
        let first = chance.between(0.0, own.len() as f64) as usize;
        while !own.is_empty() {
            segment.sites =
                (0..count).map(|k| site(&own[(first + k) % own.len()], &mut chance)).collect();
            if width_m(&segment.sites) > LEAST_WIDTH_M {
                break;
            }
        }
    }
    let swing = |segment: usize| Swing {
        segment,
        axis: 0,
        mean_rad: 0.1,
        amplitude_rad: 10_f64.to_radians(),
        phase: 0.3 + 0.1 * segment as f64,
        harmonic: 1.0,
    };
    if let Some(walk) = &mut performer.walk {
        walk.swings.extend(hands.into_iter().map(swing));
    }
    performer.marker_set = SET.to_owned();
    performer
}

fn site(near: &Site, chance: &mut Chance) -> Site {
    let at = near.in_segment_m;
    let label = format!("m{:.0}", chance.between(0.0, 1e9));
    Site {
        in_segment_m: chance.place([at.x, at.y, at.z], [SCATTER_M; 3]),
        labels: [(SET.to_owned(), label)].into(),
    }
}

/// How far sites extend in their second direction.
fn width_m(sites: &[Site]) -> f64 {
    let sum: Vector3<f64> = sites.iter().map(|site| site.in_segment_m.coords).sum();
    let middle = sum / sites.len() as f64;
    let offsets = sites.iter().map(|site| site.in_segment_m.coords - middle);
    let scatter: Matrix3<f64> = offsets.map(|offset| offset * offset.transpose()).sum();
    let mut variances: Vec<f64> = scatter.symmetric_eigenvalues().iter().copied().collect();
    variances.sort_by(f64::total_cmp);
    variances[1].max(0.0).sqrt()
}
