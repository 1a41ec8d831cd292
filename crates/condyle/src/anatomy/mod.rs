//! Anatomical axes of a subject's segments, from its joints: x forward, y up, z to the right.
//!
//! A segment's own frame is wherever its markers are. Angles and rest poses need axes that mean something:
//! those of the International Society of Biomechanics, which coincide for all segments of a person who stands
//! upright, arms hanging, palms forward.
//!
//! # References
//! G. Wu and others 2002, *ISB recommendation on definitions of joint coordinate system of various joints for
//! the reporting of human joint motion, part I*; 2005, *part II*.

mod axes;
mod limb;
mod trunk;

use nalgebra::{Point3, UnitQuaternion, Vector3};

use crate::marker_set::{Side, body_part};
use crate::subject::{Joint, Subject};

/// A part of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its name without a side: `thigh`.
    pub name: &'static str,
    /// Its side.
    pub side: Side,
}

/// Where a segment's axes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AxesFrom {
    /// The fit of the whole body, whose frames are anatomical.
    Fit,
    /// Its own joints.
    Joints,
    /// Those of a neighbour, in the mean pose of the calibration.
    MeanPose,
}

/// Anatomical axes of a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// The axes in the segment's frame: x forward, y up, z to the right.
    pub segment_from_axes: UnitQuaternion<f64>,
    /// What they come from.
    pub from: AxesFrom,
}

/// What is known of a subject's anatomy.
#[derive(Debug, Clone, PartialEq)]
pub struct Anatomy {
    /// For every segment the part of the body that it is, by its name.
    pub parts: Vec<Option<Part>>,
    /// For every segment its anatomical axes, where the joints tell.
    pub axes: Vec<Option<Axes>>,
    /// Whether some limb hangs down beside the trunk in the mean pose, as those on four legs have none.
    is_upright: bool,
}

impl Anatomy {
    /// The anatomy of a subject, from the names of its segments, its joint centres and its mean pose.
    ///
    /// # Method
    /// Of pelvis, chest, upper arms, forearms, thighs, shanks and feet that were fitted with the whole body the frames are
    /// anatomical. Of all others:
    /// - Thigh, shank, upper arm, forearm: y from the distal joint to the proximal one; z along the axis that
    ///   knee or elbow turned about most, or, where it did not turn about one axis, across the plane of its
    ///   mean bend, or, where it was straight, as that of pelvis or chest.
    /// - Pelvis: z from the left hip to the right one; y across the plane of the iliac spines where markers with
    ///   the usual labels are on them, or else from between the hips to the spine.
    /// - Chest: z from the left shoulder to the right one; y from the spine to the neck.
    /// - Head, hands, feet and whatever else has no second joint: as their neighbour's in the mean pose.
    pub fn new(subject: &Subject) -> Self {
        let parts = subject
            .segments
            .iter()
            .map(|segment| body_part(&segment.name).map(|(name, side)| Part { name, side }))
            .collect();
        let body = Body { subject, parts, root_from_rest: root_from_rest(subject) };
        let axes = axes::all(&body);
        let is_upright = limb::some_hang(&body, &axes);
        Self { parts: body.parts, axes, is_upright }
    }

    /// Whether the upright pose of a person is known: there is a trunk with axes of its own, and it does not go on
    /// four legs.
    pub fn is_person(&self) -> bool {
        let has_trunk = self.parts.iter().zip(&self.axes).any(|(part, axes)| {
            let is_trunk = part.is_some_and(|part| part.name == "pelvis" || part.name == "chest");
            is_trunk && axes.is_some_and(|axes| axes.from != AxesFrom::MeanPose)
        });
        has_trunk && self.is_upright
    }
}

/// A subject with the parts of its body and its mean pose.
struct Body<'a> {
    subject: &'a Subject,
    parts: Vec<Option<Part>>,
    /// The mean orientation of every segment against the root of its tree.
    root_from_rest: Vec<UnitQuaternion<f64>>,
}

/// The mean orientation of every segment against the root of its tree.
pub(crate) fn root_from_rest(subject: &Subject) -> Vec<UnitQuaternion<f64>> {
    let mut root_from: Vec<UnitQuaternion<f64>> = Vec::with_capacity(subject.segments.len());
    for index in 0..subject.segments.len() {
        let joint = subject.joint_of(index);
        let above = joint.and_then(|joint| root_from.get(joint.parent).copied());
        let own = joint.map_or_else(UnitQuaternion::identity, |j| j.parent_from_child_rest);
        root_from.push(above.map_or_else(UnitQuaternion::identity, |above| above * own));
    }
    root_from
}

/// Parts whose frames the fit of the whole body knows from joints and landmarks.
const FITTED: [&str; 7] = ["pelvis", "chest", "upper arm", "forearm", "thigh", "shank", "foot"];

/// A joint as one of its segments sees it.
struct Seen<'a> {
    joint: &'a Joint,
    other: usize,
    centre_m: Point3<f64>,
    axis: Option<Vector3<f64>>,
}

impl Body<'_> {
    /// The joints of a segment, whichever side of them it is on.
    fn joints_of(&self, segment: usize) -> impl Iterator<Item = Seen<'_>> {
        self.subject.joints.iter().filter_map(move |joint| {
            if joint.parent == segment {
                let (centre_m, axis) = (joint.centre_in_parent_m, joint.axis_in_parent);
                Some(Seen { joint, other: joint.child, centre_m, axis })
            } else if joint.child == segment {
                let (centre_m, axis) = (joint.centre_in_child_m, joint.axis_in_child);
                Some(Seen { joint, other: joint.parent, centre_m, axis })
            } else {
                None
            }
        })
    }

    /// Whether a segment's own frame tells its axes: of heads and hands it shows where markers sit, not how they are held.
    fn is_fitted(&self, segment: usize) -> bool {
        self.subject.segments[segment].is_anatomical && FITTED.contains(&self.part(segment))
    }

    fn part(&self, segment: usize) -> &'static str {
        self.parts[segment].map_or("", |part| part.name)
    }

    /// The mean orientation of one segment against another.
    fn a_from_b(&self, a: usize, b: usize) -> UnitQuaternion<f64> {
        self.root_from_rest[a].inverse() * self.root_from_rest[b]
    }
}
