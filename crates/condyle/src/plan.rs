//! The plan: which markers sit on which segment, and how the segments hang together.

use crate::error::{Error, Result};

/// The segments of every performer in a trial, and the markers that belong to none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The performers, each with segments of its own.
    pub performers: Vec<Performer>,
    /// Markers on no segment, and why.
    pub excluded: Vec<ExcludedMarker>,
}

/// One performer: a person, an animal, a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Performer {
    /// The prefix of its labels, or a name that was given; empty if there is neither.
    pub name: String,
    /// How its segments were found.
    pub origin: PlanOrigin,
    /// The segments. If the tree is known, parents come before their children.
    pub segments: Vec<PlannedSegment>,
    /// Whether the parents mean something; if not they are all `None` and are to be inferred.
    pub is_tree_known: bool,
}

/// How a performer's segments were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanOrigin {
    /// The labels are those of a known marker set.
    Names {
        /// The name of the marker set.
        marker_set: String,
    },
    /// A file said so.
    File,
    /// From the motion alone.
    Motion,
    /// Every segment is a recorded body with a pose of its own.
    Bodies,
}

impl PlanOrigin {
    /// What a subject's provenance says: the name of the marker set, or a word.
    pub fn name(&self) -> &str {
        match self {
            Self::Names { marker_set } => marker_set,
            Self::File => "file",
            Self::Motion => "motion",
            Self::Bodies => "bodies",
        }
    }
}

/// A segment and the markers on it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedSegment {
    /// Its name: `pelvis`, `left thigh`; `segment 3` where nothing better is known.
    pub name: String,
    /// The index of its parent among the performer's segments.
    pub parent: Option<usize>,
    /// Its markers, as indices into the trial's markers, in ascending order.
    pub markers: Vec<usize>,
    /// The name of the joint to its parent, if it has one of its own: `left hip`.
    pub joint_name: Option<String>,
    /// What is known beforehand of the joint to its parent.
    pub joint_rule: JointRule,
}

/// How the joint to the parent is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JointRule {
    /// Whatever promises the smaller error.
    #[default]
    Auto,
    /// A point fixed in both segments, from both their frames.
    TwoSided,
    /// The centre that the child's markers rotate about in the parent's frame.
    OneSided,
    /// As [`JointRule::Auto`], but a hinge whatever the data say.
    Hinge,
}

impl JointRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Auto, Self::TwoSided, Self::OneSided, Self::Hinge];

    /// The name in small letters, as files have it: `two-sided`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::TwoSided => "two-sided",
            Self::OneSided => "one-sided",
            Self::Hinge => "hinge",
        }
    }
}

/// A marker that is on no segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcludedMarker {
    /// Its index among the trial's markers.
    pub marker: usize,
    /// Why.
    pub reason: ExclusionReason,
}

/// Why a marker is on no segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExclusionReason {
    /// A point that a model computed: a joint centre, an angle, a force.
    ModelOutput,
    /// The recording system gave it no name.
    Unlabelled,
    /// It is never seen, or too seldom.
    NeverSeen,
    /// No segment of the marker set or the file claims it.
    NotClaimed,
    /// It moves with no group of others.
    MovesAlone,
    /// It never moves, while the others do: a reference on the floor or on a wall.
    NeverMoves,
    /// It is a constant combination of others: the middle of two, or a point that a program added.
    Combination,
}

impl ExclusionReason {
    /// The name in small letters, which does not change.
    pub fn name(self) -> &'static str {
        match self {
            Self::ModelOutput => "model-output",
            Self::Unlabelled => "unlabelled",
            Self::NeverSeen => "never-seen",
            Self::NotClaimed => "not-claimed",
            Self::MovesAlone => "moves-alone",
            Self::NeverMoves => "never-moves",
            Self::Combination => "combination",
        }
    }
}

impl Performer {
    /// Checks what the types cannot say.
    ///
    /// # Errors
    /// A parent that does not come before its child, or a marker on two segments.
    pub fn check(&self) -> Result<()> {
        let mut seen = Vec::new();
        for (index, segment) in self.segments.iter().enumerate() {
            if let Some(parent) = segment.parent.filter(|parent| *parent >= index) {
                return Err(Error::argument(format!(
                    "segment {index} '{}': need a parent before it, got parent {parent}",
                    segment.name
                )));
            }
            seen.extend(segment.markers.iter().map(|marker| (*marker, index)));
        }
        seen.sort_unstable();
        match seen.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Error::argument(format!(
                "marker {}: need one segment, got '{}' and '{}'",
                pair[0].0, self.segments[pair[0].1].name, self.segments[pair[1].1].name
            ))),
            None => Ok(()),
        }
    }

    /// The segments without a parent.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        self.segments
            .iter()
            .enumerate()
            .filter(|(_, segment)| segment.parent.is_none())
            .map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(parent: Option<usize>, markers: &[usize]) -> PlannedSegment {
        PlannedSegment {
            name: "thigh".into(),
            parent,
            markers: markers.to_vec(),
            joint_name: None,
            joint_rule: JointRule::Auto,
        }
    }

    fn performer(segments: Vec<PlannedSegment>) -> Performer {
        Performer { name: String::new(), origin: PlanOrigin::File, segments, is_tree_known: true }
    }

    #[test]
    fn refuses_a_child_before_its_parent_and_a_marker_on_two_segments() {
        assert!(performer(vec![segment(None, &[0]), segment(Some(0), &[1])]).check().is_ok());
        let error = performer(vec![segment(Some(1), &[0]), segment(None, &[1])]).check();
        assert!(error.unwrap_err().to_string().contains("parent before it"));
        let error = performer(vec![segment(None, &[0, 2]), segment(Some(0), &[2])]).check();
        assert!(error.unwrap_err().to_string().contains("marker 2: need one segment"));
    }
}
