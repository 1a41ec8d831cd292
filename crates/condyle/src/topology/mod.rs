//! Which segment hangs on which, from how they move.
//!
//! # Method
//! Between every two segments the best joint is fitted. What it leaves over is the weight of the pair,
//! and the minimum spanning tree of the weights is the skeleton. Two segments with poses are fitted from
//! both sides; one or two markers without a pose are fitted to spheres in the frame of the other segment,
//! and two such segments by distances from points on the line of either. Segments that do not move against
//! each other fit a joint anywhere, so a joint far from both counts less.
//!
//! # Reference
//! J. F. O'Brien, R. E. Bodenheimer, G. J. Brostow, J. K. Hodgins (2000), *Automatic Joint Parameter
//! Estimation from Magnetic Motion Capture Data*, section 3.3; root, one-sided links, distance, runners-up
//! and loops are ours.

mod link;
mod part;
mod tree;
mod unmarked;

use nalgebra::Vector3;

pub use link::LinkEvidence;
pub(crate) use part::{Part, spread_frames};
pub(crate) use tree::AS_GOOD;
pub use tree::{LoopEdge, Tree, TreeEdge};

use crate::error::{Error, Result};
use crate::joint::AllPairs;
use crate::order;
use crate::plan::Performer;
use crate::statistics::{median, rms};
use crate::trial::Trial;
use unmarked::Unmarked;

/// What to know beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The root: the name of a segment or a body, or the label of a marker on it. Without it the middle of
    /// the tree is taken.
    pub root: Option<String>,
}

/// Frames looked at, evenly spread.
const MAX_FRAMES: usize = 400;

/// Finds the parents of a performer's segments.
///
/// Segments are put in another order, parents before children, and those found from the motion alone are
/// named after it: `segment 1`. The parts of the tree are the segments in their new order.
///
/// # Errors
/// The performer has not what was named as the root.
pub fn infer(trial: &Trial, performer: &mut Performer, options: &Options) -> Result<Tree> {
    let root = root_of(trial, performer, options);
    match &options.root {
        Some(name) if root.is_none() => Err(no_root(name)),
        _ => Ok(tree_of(trial, performer, root)),
    }
}

/// Finds how bodies hang together from the sums of their pairs, at any time of a live recording.
///
/// A `root` that is not there counts as none.
pub fn infer_from_pairs(pairs: &AllPairs, root: Option<usize>) -> Tree {
    let bodies = pairs.bodies();
    let distance_m = |a: usize, b: usize| match pairs.pair(a, b) {
        sums if a != b && sums.samples() > 0 => Some(sums.distance_m()),
        _ => None,
    };
    let others = |a: usize| (0..bodies).filter_map(move |b| distance_m(a, b));
    let nearest = (0..bodies).map(|a| others(a).fold(f64::INFINITY, f64::min));
    let spacing_m = median(nearest.filter(|apart_m| apart_m.is_finite())).unwrap_or(0.0);
    // How far a body is from the others says how far it is from their middle.
    let offsets_m: Vec<f64> =
        (0..bodies).map(|a| rms(others(a)).unwrap_or(f64::INFINITY)).collect();
    let links = link::of_pairs(pairs, spacing_m);
    Tree::of(&links, &offsets_m, (spacing_m, root.filter(|root| *root < bodies)))
}

/// Parts that belong together.
pub(crate) struct Separated {
    /// For every part the first of those that it belongs to: a performer, or a thing on its own.
    pub component: Vec<usize>,
    /// Parts that only a segment without markers holds together, and its length.
    pub unmarked: Vec<([usize; 2], f64)>,
}

/// Sets of parts between which no joint holds: performers, and things on their own.
///
/// One or two parts that no joint holds may still be held by a segment without markers: a hand by a forearm.
pub(crate) fn separate(parts: &[Part]) -> Separated {
    let spacing_m = link::spacing_m(parts);
    let links = link::all(parts, spacing_m);
    let weighted: Vec<_> =
        links.iter().map(|(pair, link)| (*pair, link.weight_m(spacing_m))).collect();
    let chosen = tree::spanning(parts.len(), &weighted);
    let held = chosen.iter().map(|link| weighted[*link]);
    let held = held.filter(|(_, weight_m)| *weight_m <= APART * spacing_m);
    let mut pairs: Vec<[usize; 2]> = held.map(|(pair, _)| pair).collect();
    let mut component = tree::components(parts.len(), &pairs);
    let mut unmarked = Vec::new();
    for (pair, over) in held_by_unmarked(parts, &component, spacing_m) {
        if component[pair[0]] != component[pair[1]] {
            unmarked.push((pair, over.length_m));
            pairs.push(pair);
            component = tree::components(parts.len(), &pairs);
        }
    }
    Separated { component, unmarked }
}

/// Parts of different components that a segment without markers would hold, the best first.
fn held_by_unmarked(
    parts: &[Part],
    component: &[usize],
    spacing_m: f64,
) -> Vec<([usize; 2], Unmarked)> {
    let size = |part: usize| component.iter().filter(|c| **c == component[part]).count();
    let sizes: Vec<usize> = (0..parts.len()).map(size).collect();
    let has_pose: Vec<usize> = (0..parts.len()).filter(|p| parts[*p].poses.is_some()).collect();
    let loose = || has_pose.iter().filter(|part| sizes[**part] <= MOST_LOOSE);
    // What hangs on nothing itself holds nobody.
    let holds =
        |a: usize, b: usize| component[a] != component[b] && sizes[b] >= sizes[a] && sizes[b] > 1;
    if loose().count() * has_pose.len() > MAX_UNMARKED_PAIRS {
        return Vec::new();
    }
    let mut held: Vec<([usize; 2], Unmarked)> = Vec::new();
    for &a in loose() {
        for &b in has_pose.iter().filter(|b| holds(a, **b)) {
            let over = Unmarked::between(&parts[a], &parts[b]).filter(|over| {
                over.residual_m <= UNMARKED * spacing_m
                    && over.length_m.max(over.reach_m) <= MAX_UNMARKED * spacing_m
            });
            held.extend(over.map(|over| ([a, b], over)));
        }
    }
    order::by(&mut held, |(_, a), (_, b)| a.residual_m.total_cmp(&b.residual_m));
    held
}

/// More pairs of parts than this are not looked at: a recording of so many loose things is no body with gaps.
const MAX_UNMARKED_PAIRS: usize = 2000;
/// Components of so many parts at most are looked at for what holds them.
const MOST_LOOSE: usize = 2;
/// The length of a segment without markers varies by this share of the usual spacing at most: a tenth of what is asked
/// of a joint, since seven numbers are fitted to one distance.
const UNMARKED: f64 = 0.1 * APART;
/// It is so many times the usual spacing long at most, and as far from the points of its parts.
const MAX_UNMARKED: f64 = 2.0;

/// Parts that are off a joint by more than this share of their spacing are not joined.
const APART: f64 = 0.25;

/// For every part its parent, and the parts in the order of the tree.
pub(crate) fn parents(parts: &[Part]) -> (Vec<Option<usize>>, Vec<usize>) {
    let tree = grow(parts, None);
    (tree.parents, tree.order)
}

fn grow(parts: &[Part], root: Option<usize>) -> Tree {
    let spacing_m = link::spacing_m(parts);
    Tree::of(&link::all(parts, spacing_m), &offsets_m(parts), (spacing_m, root))
}

/// How far every part is from the middle of all, on average.
fn offsets_m(parts: &[Part]) -> Vec<f64> {
    let frames =
        parts.iter().flat_map(|part| part.tracks_m.first()).map(Vec::len).min().unwrap_or(0);
    let mut sums = vec![(0.0, 0.0); parts.len()];
    for frame in 0..frames {
        let middles: Vec<Option<Vector3<f64>>> =
            parts.iter().map(|part| part.middle_m(frame)).collect();
        let seen = middles.iter().flatten();
        let (sum, count) = seen.fold((Vector3::zeros(), 0.0), |(sum, n), m| (sum + m, n + 1.0));
        for (sums, middle) in sums.iter_mut().zip(&middles) {
            if let Some(middle) = middle {
                sums.0 += (middle - sum / count).norm();
                sums.1 += 1.0;
            }
        }
    }
    sums.into_iter().map(|(sum, n)| if n > 0.0 { sum / n } else { f64::INFINITY }).collect()
}

fn root_of(trial: &Trial, performer: &Performer, options: &Options) -> Option<usize> {
    let root = options.root.as_ref()?;
    let is_label = |marker: &usize| {
        trial.markers.get(*marker).is_some_and(|m| m.label == *root || m.name() == root)
    };
    let named = performer.segments.iter().position(|segment| segment.name == *root);
    named.or_else(|| {
        performer.segments.iter().position(|segment| segment.markers.iter().any(is_label))
    })
}

fn no_root(root: &str) -> Error {
    Error::argument(format!("root: need a segment or one of its markers, got '{root}'"))
}

/// Fills in the parents of a performer, and puts its segments in the order of the tree.
fn tree_of(trial: &Trial, performer: &mut Performer, root: Option<usize>) -> Tree {
    use crate::plan::PlanOrigin;
    let frames = spread_frames(trial.frames, MAX_FRAMES);
    let known = |markers: &[usize]| -> Vec<usize> {
        markers.iter().copied().filter(|marker| *marker < trial.markers.len()).collect()
    };
    let parts: Vec<Part> = performer
        .segments
        .iter()
        .map(|segment| Part::of_markers(trial, &known(&segment.markers), &frames))
        .collect();
    let tree = grow(&parts, root).in_order();
    let mut old: Vec<_> = performer.segments.drain(..).map(Some).collect();
    performer.segments = tree.order.iter().filter_map(|part| old[*part].take()).collect();
    for (index, (segment, parent)) in performer.segments.iter_mut().zip(&tree.parents).enumerate() {
        segment.parent = *parent;
        if performer.origin == PlanOrigin::Motion {
            segment.name = format!("segment {}", index + 1);
        }
    }
    performer.is_tree_known = true;
    Tree { order: (0..performer.segments.len()).collect(), ..tree }
}

impl Tree {
    /// The same tree with its parts numbered in their order; `order` still holds the old numbers.
    fn in_order(mut self) -> Self {
        let mut new = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(index, part)| new[*part] = index);
        let parents = &self.parents;
        self.parents = self.order.iter().map(|part| parents[*part].map(|p| new[p])).collect();
        let renumber = |pair: [usize; 2]| {
            let [a, b] = pair.map(|part| new[part]);
            [a.min(b), a.max(b)]
        };
        for edge in &mut self.edges {
            (edge.parent, edge.child) = (new[edge.parent], new[edge.child]);
            edge.runner_up = edge.runner_up.map(|(pair, weight_m)| (renumber(pair), weight_m));
        }
        self.loops.iter_mut().for_each(|edge| edge.parts = renumber(edge.parts));
        self
    }
}

#[cfg(test)]
mod tests;
