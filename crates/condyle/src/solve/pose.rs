//! What is known of one frame.

use nalgebra::{Isometry3, Matrix3, Point3};

use super::assemble::Node;
use super::estimates::FromEstimates;
use crate::rigid::Placement;

/// How a segment or a joint was placed: not at all, then from the most certain to the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum PlacedBy {
    /// Not at all: too little of it is seen.
    #[default]
    Missing,
    /// By three or more of its own markers, or as a recorded body.
    ByMarkers,
    /// By its markers and the joints to its neighbours.
    WithJoints,
    /// Its markers leave the turn about its long axis open; it is that of the hinge's axis, or of the parent.
    TwistOpen,
}

impl PlacedBy {
    /// Whether it was placed at all.
    pub fn is_present(self) -> bool {
        self != Self::Missing
    }
}

/// A subject in one frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// The pose of every segment with the bones at their lengths; `None` where one cannot be placed.
    pub world_from_segments: Vec<Option<Isometry3<f64>>>,
    /// The same as the markers alone have it, bones stretching as they will.
    pub(super) measured: Vec<Option<Isometry3<f64>>>,
    /// The same, or what a step made of it: room to put segments together.
    pub(super) about: Vec<Option<Isometry3<f64>>>,
    /// How every segment was placed.
    pub placed: Vec<PlacedBy>,
    /// How far the points of every segment disagree: rms, in metres.
    pub rms_m: Vec<f64>,
    /// The centre of every joint in the world; `None` where neither of its segments is placed.
    pub joints_m: Vec<Option<Point3<f64>>>,
    /// The standard error of every joint along its worst direction, of its centre and of this frame's pose together;
    /// 0 where it has no place.
    pub joint_sds_m: Vec<f64>,
    /// The covariance of every joint in the world, of its centre and of this frame's pose together.
    pub(super) joint_covariances_m2: Vec<Matrix3<f64>>,
    /// The part of it that is the pose's.
    pub(super) joint_spreads_m2: Vec<Matrix3<f64>>,
    /// For every segment the covariance of its turn in the world, in radians squared.
    pub(super) turns_rad2: Vec<Matrix3<f64>>,
    /// For every marker of the subject, segment by segment, the square of its distance from where it
    /// should be: roots are drawn when they are asked for.
    pub(super) squares_m2: Vec<Option<f64>>,
    /// Room to put segments together.
    pub(super) nodes: Vec<Node>,
    /// For every joint what estimated markers leave open; nothing where all were measured.
    pub(super) from_estimates: Vec<FromEstimates>,
    /// Of which segments estimates are left out.
    pub(super) is_contradicted: Vec<bool>,
    /// Room to solve the frame again with an estimate moved.
    pub(super) spare: Option<Box<Self>>,
}

impl Pose {
    pub(super) fn with_room(segments: usize, joints: usize, markers: usize) -> Self {
        Self {
            world_from_segments: vec![None; segments],
            measured: vec![None; segments],
            about: vec![None; segments],
            placed: vec![PlacedBy::Missing; segments],
            rms_m: vec![0.0; segments],
            joints_m: vec![None; joints],
            joint_sds_m: vec![0.0; joints],
            joint_covariances_m2: vec![Matrix3::zeros(); joints],
            joint_spreads_m2: vec![Matrix3::zeros(); joints],
            turns_rad2: vec![Matrix3::zeros(); segments],
            squares_m2: vec![None; markers],
            nodes: vec![Node::nothing(); segments],
            from_estimates: vec![FromEstimates::nothing(); joints],
            is_contradicted: vec![false; segments],
            spare: None,
        }
    }

    pub(super) fn clear(&mut self) {
        self.world_from_segments.fill(None);
        self.measured.fill(None);
        self.placed.fill(PlacedBy::Missing);
        self.rms_m.fill(0.0);
        self.joints_m.fill(None);
        self.joint_sds_m.fill(0.0);
        self.turns_rad2.fill(Matrix3::zeros());
        self.from_estimates.fill(FromEstimates::nothing());
        self.squares_m2.fill(None);
    }

    /// For every marker of the subject, segment by segment, its distance from where it should be, in
    /// metres; `None` where it is not seen.
    pub fn residuals_m(&self) -> impl Iterator<Item = Option<f64>> {
        self.squares_m2.iter().map(|square_m2| square_m2.map(f64::sqrt))
    }

    /// The covariance of a joint in the world, of its centre and of this frame's pose together; `None` where it has no
    /// place.
    pub fn joint_covariance_m2(&self, joint: usize) -> Option<&Matrix3<f64>> {
        (*self.joints_m.get(joint)?)?;
        self.joint_covariances_m2.get(joint)
    }

    /// The pose of a segment as its markers have it, before bones are brought to their lengths.
    pub fn measured(&self, segment: usize) -> Option<&Isometry3<f64>> {
        self.measured.get(segment)?.as_ref()
    }

    pub(super) fn put(&mut self, segment: usize, placement: &Placement, how: PlacedBy) {
        self.measured[segment] = Some(placement.world_from_segment);
        self.placed[segment] = how;
        self.rms_m[segment] = placement.rms_m;
    }
}
