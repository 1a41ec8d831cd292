//! The subject: a performer's skeleton, where its markers sit, and how sure all that is.

pub(crate) mod advice;
mod json;
mod verdict;

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use serde::{Deserialize, Serialize};

pub use json::VERSION;
pub use verdict::{CentreKnown, JointKind};

/// A performer calibrated once, for every trial with the same markers in the same places.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The performer's name or label prefix; empty if there is none.
    pub name: String,
    /// Where all this comes from.
    pub provenance: Provenance,
    /// The segments, parents before children.
    pub segments: Vec<Segment>,
    /// The joints, each between a segment and its parent, in the order of the children.
    pub joints: Vec<Joint>,
    /// What the one who calibrates should know.
    pub notes: Vec<String>,
}

/// Where a subject comes from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// The recordings it was fitted to.
    pub recordings: Vec<String>,
    /// How the segments were found: the name of a marker set, `file` or `motion`.
    pub plan: String,
    /// The frames that were used.
    pub frames: usize,
}

/// A rigid part of the subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// Its name.
    pub name: String,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// Its markers.
    pub markers: Vec<SegmentMarker>,
    /// The noise that the disagreement of its markers shows: one standard deviation an axis. Of a body,
    /// that of its positions.
    pub sigma_m: f64,
    /// For a segment that is a recorded body with a pose of its own: the noise of its orientation. Its frame
    /// is that of the body, and its only marker is the body's origin, under the body's name.
    pub orientation_sigma_rad: Option<f64>,
}

/// A marker on a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentMarker {
    /// Its label without the performer's prefix.
    pub label: String,
    /// Where it sits, in the segment's frame.
    pub position_in_segment_m: Point3<f64>,
    /// How much it counts beside the segment's other markers; 1 on average.
    pub weight: f64,
    /// How far it strays from its place: rms over the calibration.
    pub rms_m: f64,
}

/// Where two segments meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The index of the parent segment.
    pub parent: usize,
    /// The index of the child segment.
    pub child: usize,
    /// What it is, as far as its motion shows.
    pub kind: JointKind,
    /// How well its centre is known.
    pub centre_known: CentreKnown,
    /// The centre in the parent's frame.
    pub centre_in_parent_m: Point3<f64>,
    /// The centre in the child's frame.
    pub centre_in_child_m: Point3<f64>,
    /// The covariance of the centre, in the parent's frame.
    pub covariance_m2: Matrix3<f64>,
    /// The axis it turned about most, in the parent's frame; for a hinge its axis.
    pub axis_in_parent: Option<Vector3<f64>>,
    /// The same axis in the child's frame.
    pub axis_in_child: Option<Vector3<f64>>,
    /// The mean orientation of the child against the parent during calibration.
    pub parent_from_child_rest: UnitQuaternion<f64>,
    /// How far it turned about that axis.
    pub range_rad: f64,
    /// How far it turned about its three principal axes, largest first.
    pub ranges_rad: [f64; 3],
    /// How the centre was found.
    pub method: JointMethod,
    /// The frames that were used.
    pub samples: usize,
    /// How far apart the two segments put the centre: rms over the frames.
    pub gap_m: f64,
    /// The part of the gap that marker noise does not explain: the centre itself wanders.
    pub wander_m: f64,
    /// What would make it better, if anything.
    pub advice: Option<String>,
}

/// How a centre was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JointMethod {
    /// A point fixed in the frames of both segments.
    TwoSided,
    /// The centre that the child's markers rotate about, seen from the parent.
    FromParent,
    /// The centre that the parent's markers rotate about, seen from the child.
    FromChild,
    /// Halfway between the nearest markers: there was nothing better.
    Guess,
}

impl Joint {
    /// The standard error of the centre along its worst direction.
    pub fn worst_sd_m(&self) -> f64 {
        self.covariance_m2.symmetric_eigenvalues().max().max(0.0).sqrt()
    }
}

impl Subject {
    /// Whether its segments are recorded bodies, not sets of markers.
    pub fn is_of_bodies(&self) -> bool {
        self.segments.iter().any(|segment| segment.orientation_sigma_rad.is_some())
    }

    /// The joint of a segment to its parent.
    pub fn joint_of(&self, child: usize) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.child == child)
    }

    /// The length of the bone from a segment's own joint to the joint of one of its children.
    pub fn bone_length_m(&self, child: usize) -> Option<f64> {
        let far = self.joint_of(child)?;
        let near = self.joint_of(far.parent)?;
        Some((far.centre_in_parent_m - near.centre_in_child_m).norm())
    }
}
