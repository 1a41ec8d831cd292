//! Names and sides of segments that the motion found, from the shape of their tree.
//!
//! # Method
//! Bodies are templates: parts, what hangs on what, lengths from joint to joint as shares of one size, and which part is
//! above which. The roles of all segments are found together, by dynamic programming over the tree, for every size;
//! what is likelier than no body at all wins. How sure the name of a segment is follows from the best roles in which
//! it has another. A left limb is the one on the left of where knees bend, feet point, elbows do not, and the body
//! goes; of a quadruped of where its chest is. What that leaves open stays open.
//!
//! | file | holds |
//! |---|---|
//! | `template` | bodies that are known |
//! | `measure` | joints and middles of a tree |
//! | `matching` | which segment is which part |
//! | `sides` | which limb is the left one |

mod matching;
mod measure;
mod sides;
mod template;

use crate::order;
use crate::plan::Performer;
use crate::trial::{Axis, Trial};
use matching::{Match, Matching};
use measure::Measured;
use sides::Limb;
use template::{ONE_TRUNK, PERSON, QUADRUPED, Template};

pub use crate::marker_set::Side;

/// What kind of body it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Creature {
    /// On two legs.
    Person,
    /// On four.
    Quadruped,
}

impl Creature {
    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Quadruped => "quadruped",
        }
    }
}

/// What one segment is.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedSegment {
    /// The whole name: `left thigh`; `thigh 1` and `thigh 2` where the sides are open.
    pub name: String,
    /// The part of the body, without a side: `thigh`.
    pub part: &'static str,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
    /// Its side, if it has one and that is known.
    pub side: Side,
    /// How sure the side is: 0.5 is a toss-up, 1 of a part that has none.
    pub side_confidence: f64,
    /// The name of the joint to its parent, if that is the part that it hangs on: `left hip`.
    pub joint: Option<String>,
}

/// What the segments of a performer are.
#[derive(Debug, Clone, PartialEq)]
pub struct Naming {
    /// What kind of body.
    pub creature: Creature,
    /// How sure that is, against the other kinds that are known and none, from 0 to 1.
    pub confidence: f64,
    /// For every segment what it is; `None` of one that is no part of the body.
    pub segments: Vec<Option<NamedSegment>>,
    /// The axis that points up by it.
    pub up: Axis,
}

/// A body is at least so much likelier than none, as a logarithm for every segment.
const LEAST_SCORE: f64 = 0.8;
/// And has so many named segments.
const LEAST_SEGMENTS: usize = 6;
/// Evidence counts by this share: lengths and directions of one body go together.
const TEMPER: f64 = 0.5;
/// Names that are less sure than this are not given, and sides.
const LEAST_CONFIDENCE: f64 = 0.6;
const LEAST_SIDE_CONFIDENCE: f64 = 0.9;

/// Whether a body shows legs: a quadruped in front and behind, as two legs alone may be anybody's; and a person, as legs
/// alone hang on a pelvis as arms do on a chest.
fn shows_its_legs(template: &Template, found: &Match) -> bool {
    let shows =
        |part: &str| found.roles.iter().flatten().any(|role| template.roles[*role].name == part);
    match template.creature {
        Creature::Person => shows("thigh") || shows("shank"),
        Creature::Quadruped => shows("forearm") && shows("shank"),
    }
}

/// Says what the segments of a performer are whose tree is known; nothing if that looks like no body that is known.
pub fn name(trial: &Trial, performer: &Performer) -> Option<Naming> {
    if performer.segments.len() < LEAST_SEGMENTS {
        return None;
    }
    let measured = Measured::of(trial, performer);
    let ups = match trial.source.up {
        Some(up) => vec![up],
        None => Axis::ALL.to_vec(),
    };
    let mut all: Vec<(&Template, Axis, Match)> = Vec::new();
    for template in [&PERSON, &ONE_TRUNK, &QUADRUPED] {
        for up in &ups {
            let found = Matching::new(template, &measured, up.direction()).best();
            let found = found.filter(|found| shows_its_legs(template, found));
            all.extend(found.map(|found| (template, *up, found)));
        }
    }
    order::by(&mut all, |a, b| b.2.score.total_cmp(&a.2.score));
    let (template, up, best) = all.first()?;
    let named = best.roles.iter().flatten().count();
    let is_body = best.score > LEAST_SCORE * performer.segments.len() as f64;
    if !is_body || named < LEAST_SEGMENTS {
        return None;
    }
    let other = all.iter().filter(|(other, _, _)| other.creature != template.creature);
    let next = other.map(|(_, _, found)| found.score).fold(0.0, f64::max);
    let limbs = sides::limbs(template, best, &measured, &up.direction());
    let mut matching = Matching::new(template, &measured, up.direction());
    let confidences: Vec<f64> = (0..best.roles.len())
        .map(|segment| best.roles[segment].map_or(0.0, |_| sure(matching.margin(best, segment))))
        .collect();
    let roles: Vec<Option<usize>> = (best.roles.iter().zip(&confidences))
        .map(|(role, confidence)| role.filter(|_| *confidence >= LEAST_CONFIDENCE))
        .collect();
    let segment = |segment: usize| {
        let role = roles[segment]?;
        let (side, side_confidence, word) = sided(&limbs, segment);
        let own = &template.roles[role];
        let parent = performer.segments[segment].parent.and_then(|parent| roles[parent]);
        let joint = parent.and_then(|parent| template.joint(parent, role));
        let called = |name: &str| match side {
            Side::Unsaid => format!("{name}{word}"),
            _ => format!("{word}{name}"),
        };
        Some(NamedSegment {
            name: called(own.name),
            part: own.name,
            confidence: confidences[segment],
            side,
            side_confidence,
            joint: joint.map(called),
        })
    };
    let segments = (0..roles.len()).map(segment).collect();
    let confidence = sure(best.score - next);
    Some(Naming { creature: template.creature, confidence, segments, up: *up })
}

/// The side of a segment, how sure that is, and the word that tells it apart.
fn sided(limbs: &[Limb], segment: usize) -> (Side, f64, String) {
    let Some(limb) = limbs.iter().find(|limb| limb.segments.contains(&segment)) else {
        return (Side::Unsaid, 1.0, String::new());
    };
    let alike = limbs.iter().filter(|other| other.is_leg == limb.is_leg);
    let number = alike.take_while(|other| !other.segments.contains(&segment)).count() + 1;
    match limb.side.filter(|_| limb.confidence >= LEAST_SIDE_CONFIDENCE) {
        Some(Side::Left) => (Side::Left, limb.confidence, "left ".to_owned()),
        Some(Side::Right) => (Side::Right, limb.confidence, "right ".to_owned()),
        _ => (Side::Unsaid, limb.confidence, format!(" {number}")),
    }
}

impl Naming {
    /// Whether the two sides of a body are told apart.
    pub fn has_sides(&self) -> bool {
        self.segments.iter().flatten().all(|named| named.side_confidence >= LEAST_SIDE_CONFIDENCE)
    }

    /// Gives the segments of a performer their names.
    pub fn give(&self, performer: &mut Performer) {
        for (segment, named) in performer.segments.iter_mut().zip(&self.segments) {
            if let Some(named) = named {
                segment.name.clone_from(&named.name);
                segment.joint_name.clone_from(&named.joint);
            }
        }
    }

    /// The segment that is a part of the body.
    pub fn find(&self, part: &str) -> Option<usize> {
        self.segments.iter().position(|named| named.as_ref().is_some_and(|n| n.part == part))
    }
}

/// A probability from a logarithm of likelihoods.
fn sure(margin: f64) -> f64 {
    1.0 / (1.0 + (-TEMPER * margin).exp())
}

#[cfg(test)]
mod tests;
