//! The subject: a performer's skeleton, where its markers sit, and how sure all that is.

pub(crate) mod advice;
mod arrays;
mod check;
mod file;
mod marker_poses;
#[cfg(test)]
mod tests;
mod verdict;

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::note::Note;

pub use file::VERSION;
pub use marker_poses::MarkerPoses;
pub use verdict::{CentreKnown, JointKind};

/// A performer calibrated once, for every trial with the same markers in the same places.
///
/// It is serialised as docs/subject.md has it, and checked when it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "file::File", into = "file::File")]
#[non_exhaustive]
pub struct Subject {
    /// The performer's name or label prefix; empty if there is none.
    pub name: String,
    /// Where all this comes from.
    pub provenance: Provenance,
    pub(crate) segments: Vec<Segment>,
    pub(crate) joints: Vec<Joint>,
    /// Where its markers were in some frames, for labelling others; missing in older files and of bodies.
    pub marker_poses: Option<MarkerPoses>,
    /// What the one who calibrates should know.
    pub notes: Vec<Note>,
}

/// Where a subject comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The recordings it was fitted to.
    pub recordings: Vec<String>,
    /// How the segments were found: the name of a marker set, `file` or `motion`.
    pub plan: String,
    /// The frames that were used.
    pub frames: usize,
}

/// A rigid part of the subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Segment {
    /// Its name.
    pub name: String,
    /// The index of its parent; in a file its name, see [`Subject`].
    #[serde(skip)]
    pub parent: Option<usize>,
    /// Its markers.
    pub markers: Vec<SegmentMarker>,
    /// The noise that the disagreement of its markers shows: one standard deviation an axis. Of a body,
    /// that of its positions.
    #[serde(default)]
    pub sigma_m: f64,
    /// For a segment that is a recorded body with a pose of its own: the noise of its orientation. Its frame
    /// is that of the body, and its only marker is the body's origin, under the body's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation_sigma_rad: Option<f64>,
    /// Whether its frame is anatomical, x forward, y to the left and z up when the performer stands upright, as the fit of
    /// a whole body has it (of heads and hands as far as their markers sit as usual); else it is wherever the markers are.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_anatomical: bool,
}

/// A marker on a segment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SegmentMarker {
    /// Its label without the performer's prefix.
    pub label: String,
    /// Where it sits, in the segment's frame.
    pub position_in_segment_m: Point3<f64>,
    /// How much it counts beside the segment's other markers; 1 on average.
    #[serde(default = "one")]
    pub weight: f64,
    /// How far it strays from its place: rms over the calibration.
    #[serde(default)]
    pub rms_m: f64,
}

/// Where two segments meet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The index of the parent segment; in a file its name, see [`Subject`].
    #[serde(skip)]
    pub parent: usize,
    /// The index of the child segment; in a file its name.
    #[serde(skip)]
    pub child: usize,
    /// What it is, as far as its motion shows.
    pub kind: JointKind,
    /// The centre in the parent's frame.
    pub centre_in_parent_m: Point3<f64>,
    /// The centre in the child's frame.
    pub centre_in_child_m: Point3<f64>,
    /// The covariance of the centre, in the parent's frame.
    #[serde(with = "arrays::rows")]
    pub covariance_m2: Matrix3<f64>,
    /// The part of the covariance that is not the centre's but the pose's, in a frame that shows all markers: zero
    /// where the centre was fitted by itself.
    #[serde(default, with = "arrays::rows", skip_serializing_if = "is_zero")]
    pub frame_m2: Matrix3<f64>,
    /// How much of what is known of the centre, along its worst direction, is knowledge of bodies: 0 to 1.
    #[serde(default)]
    pub from_knowledge: f64,
    /// The axis it turned about most, in the parent's frame; for a hinge its axis.
    #[serde(default)]
    pub axis_in_parent: Option<Vector3<f64>>,
    /// The same axis in the child's frame.
    #[serde(default)]
    pub axis_in_child: Option<Vector3<f64>>,
    /// Of a joint that bends one way, as a knee does, and whose segments have anatomical frames: the axis about which
    /// it bends, in both frames, which are parallel when it is straight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flexion_axis: Option<Vector3<f64>>,
    /// The mean orientation of the child against the parent during calibration.
    #[serde(with = "arrays::w_first")]
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
    #[serde(rename = "gap_m")]
    pub separation_m: f64,
    /// The part of the gap that marker noise does not explain: the centre itself wanders.
    pub wander_m: f64,
    /// What would make it better, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// It was not estimated: somebody says so.
    Given,
}

fn one() -> f64 {
    1.0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(matrix: &Matrix3<f64>) -> bool {
    matrix.iter().all(|number| *number == 0.0)
}

impl SegmentMarker {
    /// A marker of weight 1 at its place.
    pub fn new(label: impl Into<String>, position_in_segment_m: Point3<f64>) -> Self {
        Self { label: label.into(), position_in_segment_m, weight: 1.0, rms_m: 0.0 }
    }
}

impl Segment {
    /// A segment without noise.
    pub fn new(
        name: impl Into<String>,
        parent: Option<usize>,
        markers: Vec<SegmentMarker>,
    ) -> Self {
        let name = name.into();
        Self {
            name,
            parent,
            markers,
            sigma_m: 0.0,
            orientation_sigma_rad: None,
            is_anatomical: false,
        }
    }
}

impl Joint {
    /// A ball joint whose centre is given exactly, between a parent and a child by their indices.
    pub fn new(
        name: impl Into<String>,
        [parent, child]: [usize; 2],
        centre_in_parent_m: Point3<f64>,
        centre_in_child_m: Point3<f64>,
    ) -> Self {
        Self {
            name: name.into(),
            parent,
            child,
            kind: JointKind::Ball,
            centre_in_parent_m,
            centre_in_child_m,
            covariance_m2: Matrix3::zeros(),
            frame_m2: Matrix3::zeros(),
            from_knowledge: 0.0,
            axis_in_parent: None,
            axis_in_child: None,
            flexion_axis: None,
            parent_from_child_rest: UnitQuaternion::identity(),
            range_rad: 0.0,
            ranges_rad: [0.0; 3],
            method: JointMethod::Given,
            samples: 0,
            separation_m: 0.0,
            wander_m: 0.0,
            advice: None,
        }
    }

    /// How well its centre is known.
    pub fn centre_known(&self) -> CentreKnown {
        CentreKnown::from_sd_m(self.worst_sd_m())
    }

    /// The standard error of the centre along its worst direction.
    pub fn worst_sd_m(&self) -> f64 {
        self.covariance_m2.symmetric_eigenvalues().max().max(0.0).sqrt()
    }
}

impl Subject {
    /// A subject of segments and joints.
    ///
    /// # Errors
    /// Two segments of one name, a segment before its parent, a joint between segments that are not parent and
    /// child, or a number that is not finite.
    pub fn new(
        name: impl Into<String>,
        segments: Vec<Segment>,
        joints: Vec<Joint>,
    ) -> Result<Self> {
        let (provenance, notes) = (Provenance::default(), Vec::new());
        let marker_poses = None;
        let subject = Self { name: name.into(), provenance, segments, joints, marker_poses, notes };
        subject.check()?;
        Ok(subject)
    }

    /// The same performer with other labels of markers: what the function knows another for.
    pub fn with_labels(mut self, other: impl Fn(&str) -> Option<String>) -> Self {
        for marker in self.segments.iter_mut().flat_map(|segment| &mut segment.markers) {
            if let Some(label) = other(&marker.label) {
                marker.label = label;
            }
        }
        self
    }

    /// The segments, parents before children.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The joints, each between a segment and its parent, in the order of the children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

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
