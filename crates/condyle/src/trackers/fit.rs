//! From the poses of bodies to a subject: who hangs on whom, and where the joints are.

use super::joint::Sides;
use super::{doubts, exchange, silence};
use crate::error::{Error, Result};
use crate::joint::{AllPairs, PairRule, PoseNoise, Poses};
use crate::marker_set;
use crate::subject::{Joint, Segment, SegmentMarker, Subject};
use crate::topology::{self, AS_GOOD, LoopEdge, Tree};
use crate::trial::{Body, Note};
use nalgebra::Point3;

/// Where the hierarchy comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Hierarchy {
    /// From the names of the bodies if they all mean parts of one human body, from the motion if not.
    #[default]
    Auto,
    /// From the motion alone.
    Motion,
    /// It is known: for every body its parent.
    Known(Vec<Option<usize>>),
}

/// What to know beforehand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Where the hierarchy comes from.
    pub hierarchy: Hierarchy,
    /// The body that everything hangs on, where the motion decides; the middle of the tree if not said.
    pub root: Option<String>,
    /// How far skin carries a body where it moves most: 5 mm if not said where the names are parts of a human
    /// body, and nothing elsewhere. No pose shows it; error bars count it.
    pub skin_m: Option<f64>,
}

/// A subject fitted to bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The subject: a segment a body.
    pub subject: Subject,
    /// How the motion would have the bodies hang together, in the order they were given, with the
    /// confidence of every edge and the links that would close loops.
    pub tree: Tree,
    /// For every segment of the subject the body it is, in the order they were given.
    pub bodies: Vec<usize>,
}

/// Bodies seen in fewer frames are left out.
const MIN_FRAMES: usize = 8;
/// Unless the noise of their positions explains it, so many times.
const BEYOND_NOISE: f64 = 2.0;
/// Bodies that turn less against each other, in the root mean square, may as well be one.
const MIN_LOOP_RAD: f64 = 0.1;
/// Bodies whose best joint leaves more of their usual spacing are not held by any.
const APART: f64 = 0.25;

/// Fits a subject to recorded bodies.
///
/// # Method
/// Sums over the frames of every pair (see [`AllPairs`]) give the residual of the best joint of each; the
/// minimum spanning tree of the residuals is the hierarchy. The joints of the tree are then fitted with the
/// noise of the poses, which the frames show, divided out. Exchanged names are put right first, and poses of a sensor that froze are left out.
///
/// # Errors
/// Fewer than two bodies with positions are ever seen, none turns against another, a hierarchy that is
/// none, or no body of the name of the root.
pub fn fit(bodies: &[Body], options: &Options) -> Result<Fitted> {
    let usable: Vec<usize> = (0..bodies.len())
        .filter(|body| bodies[*body].has_positions && seen(&bodies[*body]) >= MIN_FRAMES)
        .collect();
    if usable.len() < 2 {
        return Err(Error::undetermined(format!(
            "bodies: need 2 with positions that are seen in {MIN_FRAMES} frames, got {} of {}",
            usable.len(),
            bodies.len()
        )));
    }
    let mut repaired: Vec<Body> = usable.iter().map(|body| bodies[*body].clone()).collect();
    exchange::repair(&mut repaired);
    repaired.iter_mut().for_each(|body| drop(silence::leave_out_frozen(body)));
    let poses: Vec<Poses> = repaired.iter().map(Poses::from_body).collect();
    let noise: Vec<PoseNoise> = poses.iter().map(PoseNoise::from_poses).collect();
    let pairs = AllPairs::from_poses(&poses);
    let names: Vec<&str> = repaired.iter().map(|body| body.name.as_str()).collect();
    let root = root(&names, options.root.as_deref())?;
    let tree = topology::infer_from_pairs(&pairs, root);
    let mut notes = Vec::new();
    let known = known_parents(&names, &usable, bodies.len(), options)?;
    let is_by_motion = known.is_none();
    let parents = match known {
        Some((parents, by_names)) => {
            if by_names {
                notes.extend(doubts::disagreement(&names, &parents, &tree));
            }
            parents
        }
        None => without_loose(&tree, &pairs, &noise, &names, &mut notes),
    };
    let order = parents_first(&parents)?;
    let index_of = |body: usize| order.iter().position(|other| *other == body);
    let mut segments: Vec<Segment> = Vec::new();
    let mut joints: Vec<Joint> = Vec::new();
    let mut is_moving = false;
    for (index, &body) in order.iter().enumerate() {
        let parent = parents[body].and_then(index_of);
        segments.push(segment(names[body], parent, &noise[body]));
        let (Some(above), Some(parent)) = (parents[body], parent) else { continue };
        let sides = Sides {
            child: (&poses[body], &noise[body]),
            parent: (&poses[above], &noise[above]),
            sums: pairs.pair(body, above),
            skin_m: options.skin_m,
            stated_in_child_m: repaired[body].joint_in_body_m,
        };
        match sides.joint((parent, &segments[parent]), (index, &segments[index])) {
            Ok((joint, is_observable)) => {
                is_moving |= is_observable;
                joints.push(joint);
            }
            Err(error) => {
                let text = format!("{}: no joint to its parent: {error}", names[body]);
                notes.push(Note::new("no-joint", text).about(names[body]));
            }
        }
    }
    if !is_moving {
        let links = tree.edges.iter().map(|edge| (edge.residual_m, edge));
        let least = links.min_by(|a, b| a.0.total_cmp(&b.0));
        let best = least.map_or(String::new(), |(residual_m, edge)| {
            let [a, b] = [edge.child, edge.parent].map(|body| names[body]);
            format!(" (the best joint, of {a} and {b}, leaves {:.1} mm)", residual_m * 1e3)
        });
        return Err(Error::undetermined(format!(
            "bodies: need two that turn against each other about a point, got none{best}: do they move, are they \
             fixed to one figure, are units and the order of angles right?"
        )));
    }
    notes.extend(doubts::left_out(bodies, &usable));
    if is_by_motion {
        notes.extend(doubts::edges(&tree, &names));
        notes.extend(doubts::least_sure(&tree, &parents, &names));
    }
    // Of bodies that do not turn against each other any point stays with both.
    let held = tree.edges.iter().filter(|edge| is_linked(&parents, [edge.child, edge.parent]));
    let worst_m = held.map(|edge| edge.residual_m).fold(0.0, f64::max);
    let is_loop = |edge: &&LoopEdge| {
        let [a, b] = edge.parts;
        let fit = pairs.pair(a, b).fit(&PairRule::default());
        edge.residual_m <= AS_GOOD * worst_m
            && !is_linked(&parents, edge.parts)
            && fit.is_ok_and(|fit| fit.turned_rad() >= MIN_LOOP_RAD)
    };
    notes.extend(doubts::loops(&tree.loops.iter().filter(is_loop).collect::<Vec<_>>(), &names));
    let mut subject = Subject::new("", segments, joints)?;
    subject.provenance.plan = "bodies".into();
    subject.provenance.frames = bodies.iter().map(Body::frames).min().unwrap_or(0);
    subject.notes = notes;
    Ok(Fitted { subject, tree, bodies: order.iter().map(|body| usable[*body]).collect() })
}

pub(super) fn is_linked(parents: &[Option<usize>], [a, b]: [usize; 2]) -> bool {
    parents[a] == Some(b) || parents[b] == Some(a)
}

pub(super) fn seen(body: &Body) -> usize {
    body.frames() - body.missing_samples()
}

fn root(names: &[&str], wanted: Option<&str>) -> Result<Option<usize>> {
    let Some(wanted) = wanted else { return Ok(None) };
    let found = names.iter().position(|name| *name == wanted);
    found.map(Some).ok_or_else(|| {
        let known = names.join(", ");
        Error::argument(format!("root: need one of {known}; got '{wanted}'"))
    })
}

/// The hierarchy if it is known, among the usable bodies, and whether names said so.
fn known_parents(
    names: &[&str],
    usable: &[usize],
    all: usize,
    options: &Options,
) -> Result<Option<(Vec<Option<usize>>, bool)>> {
    match &options.hierarchy {
        Hierarchy::Motion => Ok(None),
        // A root that is wished for is a wish for the motion's tree.
        Hierarchy::Auto if options.root.is_some() => Ok(None),
        Hierarchy::Auto => Ok(marker_set::parents_by_name(names).map(|parents| (parents, true))),
        Hierarchy::Known(parents) => {
            if parents.len() != all || parents.iter().flatten().any(|parent| *parent >= all) {
                return Err(Error::argument(format!(
                    "hierarchy: need a parent among {all} bodies for each, got {} entries",
                    parents.len()
                )));
            }
            // Children of a body that is left out hang on the next above.
            let among = |body: usize| {
                let mut above = parents[body];
                for _ in 0..all {
                    match above {
                        Some(body) if !usable.contains(&body) => above = parents[body],
                        _ => break,
                    }
                }
                above.and_then(|above| usable.iter().position(|body| *body == above))
            };
            Ok(Some((usable.iter().map(|body| among(*body)).collect(), false)))
        }
    }
}

/// The motion's tree without links that hold nothing: a thing on its own is its own root.
fn without_loose(
    tree: &Tree,
    pairs: &AllPairs,
    noise: &[PoseNoise],
    names: &[&str],
    notes: &mut Vec<Note>,
) -> Vec<Option<usize>> {
    let mut parents = tree.parents.clone();
    for edge in &tree.edges {
        let spacing_m = pairs.pair(edge.child, edge.parent).distance_m();
        // Sensors side by side are as far apart as their noise.
        let [a, b] = [edge.child, edge.parent].map(|body| noise[body].position_m);
        let by_noise_m = (3.0 * (a * a + b * b)).sqrt();
        if edge.residual_m > (APART * spacing_m).max(BEYOND_NOISE * by_noise_m) {
            parents[edge.child] = None;
            notes.push(doubts::by_itself(edge, names));
        }
    }
    parents
}

fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..parents.len()).filter(|b| parents[*b].is_none()).collect();
    let mut next = 0;
    while let Some(&body) = order.get(next) {
        order.extend((0..parents.len()).filter(|child| parents[*child] == Some(body)));
        next += 1;
    }
    match order.len() == parents.len() {
        true => Ok(order),
        false => Err(Error::argument("hierarchy: need a tree, got a cycle of parents")),
    }
}

fn segment(name: &str, parent: Option<usize>, noise: &PoseNoise) -> Segment {
    let origin =
        SegmentMarker { rms_m: noise.position_m, ..SegmentMarker::new(name, Point3::origin()) };
    Segment {
        sigma_m: noise.position_m,
        orientation_sigma_rad: Some(noise.orientation_rad),
        ..Segment::new(name, parent, vec![origin])
    }
}
