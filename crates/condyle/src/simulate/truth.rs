//! What a simulation knows and a recording does not.

use std::ops::Range;

use nalgebra::{Isometry3, Point3, Unit, Vector3};

use super::performer::{JointKind, Performer, Site};
use crate::plan::{self, JointRule, Plan, PlanOrigin, PlannedSegment};

/// The exact truth behind a simulated recording.
///
/// Segments and joints of all performers are in one row, performer after performer; a joint stands
/// where the segment below it does, and roots have none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    /// Which markers sit on which segment. Without markers, for sensors, every segment is empty.
    pub plan: Plan,
    /// The segments of all performers.
    pub segments: Vec<TrueSegment>,
    /// The joints of all performers.
    pub joints: Vec<TrueJoint>,
    /// For every marker of the trial, where it sits.
    pub markers: Vec<TrueMarker>,
    /// For every body of the trial, how the sensor sits on its segment.
    pub sensors: Vec<TrueSensor>,
    /// The pose of every segment: `[frame][segment]`.
    pub world_from_segment: Vec<Vec<Isometry3<f64>>>,
    /// The place of every joint in the world, in metres: `[frame][joint]`.
    pub joint_positions_m: Vec<Vec<Point3<f64>>>,
    /// The angles of every joint about its axes, in their order: `[frame][angle]`.
    pub angles_rad: Vec<Vec<f64>>,
    /// For every marker, or for every sensor, the frames in which it was hidden.
    pub hidden: Vec<Vec<Range<usize>>>,
    /// Labels that were exchanged.
    pub swaps: Vec<Swap>,
    /// Markers that slipped.
    pub slips: Vec<Slip>,
    /// Segments whose markers were put on elsewhere.
    pub moved: Vec<MovedCluster>,
}

/// A segment as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueSegment {
    /// The index of its performer.
    pub performer: usize,
    /// Its name, with the performer's prefix if there are several: `P1:pelvis`.
    pub name: String,
    /// The index of its parent.
    pub parent: Option<usize>,
    /// How much its skin moves, as a share of what is asked for.
    pub skin: f64,
    /// The middle of the places for markers on it, in its own frame, in metres.
    pub middle_m: Point3<f64>,
}

/// A joint as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueJoint {
    /// Its name, with the performer's prefix if there are several.
    pub name: String,
    /// The index of the segment above it.
    pub parent: usize,
    /// The index of the segment below it.
    pub child: usize,
    /// What it allows.
    pub kind: JointKind,
    /// Its centre in the parent's frame, in metres.
    pub centre_in_parent_m: Point3<f64>,
    /// Its centre in the child's frame, in metres.
    pub centre_in_child_m: Point3<f64>,
    /// Its axes, each in the frame that those before it leave.
    pub axes: Vec<Unit<Vector3<f64>>>,
    /// The angles that each axis allows.
    pub range_rad: Vec<[f64; 2]>,
    /// Which of a frame's angles are its own.
    pub angles: Range<usize>,
}

/// A marker as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrueMarker {
    /// The index of its segment.
    pub segment: usize,
    /// Where it sits in the segment's frame, skin at rest, in metres.
    pub in_segment_m: Point3<f64>,
}

/// A sensor as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrueSensor {
    /// The index of its segment.
    pub segment: usize,
    /// How it sits on the segment.
    pub segment_from_sensor: Isometry3<f64>,
}

/// Two labels that were exchanged for a while, or three that changed places in a cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The indices of the markers: the label of each bears the next, that of the last the first.
    pub markers: Vec<usize>,
    /// In which frames.
    pub frames: Range<usize>,
}

/// A marker that slipped on its segment, and stayed there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// The index of the marker.
    pub marker: usize,
    /// The first frame in which it has slipped.
    pub frame: usize,
    /// By how much, in the segment's frame, in metres.
    pub shift_m: Vector3<f64>,
}

/// A segment all of whose markers were put on elsewhere than the description of the performer says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedCluster {
    /// The index of the segment.
    pub segment: usize,
    /// By how much, in the segment's frame, in metres.
    pub shift_m: Vector3<f64>,
}

impl Truth {
    /// With nobody in it yet.
    pub(super) fn of_frames(frames: usize) -> Self {
        Self {
            world_from_segment: vec![Vec::new(); frames],
            joint_positions_m: vec![Vec::new(); frames],
            angles_rad: vec![Vec::new(); frames],
            ..Self::default()
        }
    }

    /// Adds a performer, and its markers as they come in the trial.
    pub(super) fn add_performer(
        &mut self,
        performer: &Performer,
        prefix: &str,
        marker_set: Option<&str>,
    ) {
        let offset = self.segments.len();
        let index = self.plan.performers.len();
        let mut planned = Vec::with_capacity(performer.segments.len());
        let mut next_angle = self.joints.last().map_or(0, |joint| joint.angles.end);
        for (own, segment) in performer.segments.iter().enumerate() {
            let first_marker = self.markers.len();
            let is_worn =
                |site: &&Site| marker_set.is_some_and(|set| site.labels.contains_key(set));
            let worn = segment.sites.iter().filter(is_worn);
            self.markers.extend(
                worn.map(|site| TrueMarker {
                    segment: offset + own,
                    in_segment_m: site.in_segment_m,
                }),
            );
            self.segments.push(TrueSegment {
                performer: index,
                name: with_prefix(prefix, &segment.name),
                parent: segment.parent.map(|parent| offset + parent),
                skin: segment.skin,
                middle_m: segment.middle_m(),
            });
            if let Some(parent) = segment.parent {
                let axes = &segment.joint.axes;
                let angles = next_angle..next_angle + axes.len();
                next_angle = angles.end;
                self.joints.push(TrueJoint {
                    name: with_prefix(prefix, &segment.joint.name),
                    parent: offset + parent,
                    child: offset + own,
                    kind: segment.joint.kind(),
                    centre_in_parent_m: segment.joint_in_parent_m,
                    centre_in_child_m: Point3::origin(),
                    axes: axes.iter().map(|axis| axis.direction).collect(),
                    range_rad: axes.iter().map(|axis| axis.range_rad).collect(),
                    angles,
                });
            }
            planned.push(PlannedSegment {
                name: segment.name.clone(),
                parent: segment.parent,
                markers: (first_marker..self.markers.len()).collect(),
                joint_name: segment.parent.map(|_| segment.joint.name.clone()),
                joint_rule: JointRule::Auto,
            });
        }
        self.plan.performers.push(plan::Performer {
            name: prefix.to_owned(),
            origin: PlanOrigin::File,
            segments: planned,
            is_tree_known: true,
        });
    }

    /// The index of a joint by its name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// The index of a segment by its name.
    pub fn segment(&self, name: &str) -> Option<usize> {
        self.segments.iter().position(|segment| segment.name == name)
    }
}

/// `P1:pelvis`, or `pelvis` without a prefix.
pub(super) fn with_prefix(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}:{name}") }
}
