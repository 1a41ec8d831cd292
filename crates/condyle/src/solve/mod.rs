//! The pose of every frame: where a calibrated subject is, each frame by itself.

mod assemble;
mod columns;
mod contradicted;
mod estimates;
mod evidence;
mod flexion;
mod influence;
mod motion;
mod pose;
mod seen;
mod spread;
mod track;

use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

pub use columns::columns;
pub use evidence::Evidence;
pub(crate) use evidence::Tally;
pub(crate) use flexion::{MAX_HYPEREXTENSION_RAD, flexion_rad};
pub(crate) use influence::{draw_estimates, influences};
pub use motion::{SolvedMotion, solve_trial};
pub use pose::{PlacedBy, Pose};
pub(crate) use spread::{typical_spreads_m2, typical_turn_sds_rad};
pub use track::{PointTrack, SegmentTrack};

use crate::error::Result;
use crate::rigid::{Pair, Placement, PlacementSums, Template};
use crate::subject::{Joint, JointKind, Subject};
use seen::{Estimates, Samples};

/// A subject ready to be posed from frames with given labels.
///
/// # Method
/// 1. Segments with three or more visible markers are placed by them (weighted Kabsch).
/// 2. Others are placed by their visible markers and the joints to neighbours that have a place.
/// 3. Where that leaves the twist open, or to the noise of points nearly on a line, a hinge's axis, or else the mean orientation against the parent
///    with a little weight, closes it.
/// 4. Everything is put together: segments shift and turn as little as their markers allow until joints
///    close. Bones keep their lengths exactly. Knees and elbows go beyond straight by 15 degrees at most.
/// 5. Where that leaves measured markers of a frame far off, estimates that contradict them are left out.
/// 6. What the markers seen leave open is added to what is not known of the centres.
///
/// Frames do not depend on each other, and nothing is allocated.
#[derive(Debug, Clone)]
pub struct Solver {
    segments: Vec<Part>,
    joints: Vec<Link>,
    markers: usize,
}

/// A segment as the solver needs it.
#[derive(Debug, Clone)]
struct Part {
    /// For every marker its place in a frame, if it is there, and in the segment.
    markers: Vec<(Option<usize>, Point3<f64>, f64)>,
    /// The same for frames that show them all.
    template: Template,
    /// One over the variance of its markers.
    precision_m2: f64,
    /// How much the mean orientation counts against a marker, where points are nearly on a line.
    narrow_rest_weight: f64,
    /// The same of a segment with one marker or none.
    lone_rest_weight: f64,
    /// How far it turns from its mean orientation where nothing tells: one standard deviation.
    open_turn_rad: f64,
    /// The first of its markers among all of the subject's.
    first_marker: usize,
    /// The joints it takes part in.
    joints: Vec<usize>,
    /// The joint to its parent.
    own_joint: Option<usize>,
}

/// A joint as the solver needs it.
#[derive(Debug, Clone)]
struct Link {
    parent: usize,
    child: usize,
    centre_in_parent_m: Point3<f64>,
    centre_in_child_m: Point3<f64>,
    weight: f64,
    /// The axis in parent and child, if it is a hinge.
    axis: Option<(Vector3<f64>, Vector3<f64>)>,
    /// The axis about which it bends, if it bends one way.
    flexion_axis: Option<Vector3<f64>>,
    /// How far the centre wanders: variance of a coordinate.
    wander_m2: f64,
    /// The covariance of the centre by itself, in the parent's frame.
    centre_m2: Matrix3<f64>,
    parent_from_child_rest: UnitQuaternion<f64>,
    /// The mean square of its turns from that.
    turn_rad2: f64,
}

/// No segment is trusted more than this.
const MIN_SIGMA_M: f64 = 1e-4;
/// Points so far from a joint stand in for directions.
const ARM_M: f64 = 0.1;
/// How much the mean orientation counts against a marker, where nothing else fixes the twist.
const REST_WEIGHT: f64 = 1e-3;
/// The same where points nearly on a line say something of it: by their noise, and by how far such a segment turns from
/// its mean orientation, one standard deviation; within bounds.
const TWIST_RAD: f64 = 0.2;
const NARROW_REST_WEIGHTS: [f64; 2] = [1e-4, 3e-2];
/// Points so near to a line, rms, leave the turn about it to the noise: a heel, a toe and an ankle may be.
const NARROW_M: f64 = 0.012;

/// What the mean orientation counts against a marker for a segment that turns so far from it, one standard deviation: two
/// of the three points that stand in for it tell of every turn.
fn rest_weight(sigma_m: f64, turn_rad: f64) -> f64 {
    0.5 * (sigma_m / (turn_rad * ARM_M)).powi(2)
}

/// How far a joint turns from its mean orientation, one standard deviation about each axis: as far as it did.
fn usual_turn_rad(joint: &Joint) -> f64 {
    (turn_rad2(joint) / 3.0).sqrt().min(OPEN_TURN_RAD)
}

/// The mean square of a joint's turns from its mean orientation.
fn turn_rad2(joint: &Joint) -> f64 {
    let square: f64 = joint.ranges_rad.iter().map(|range| (range * RANGE_TO_SD).powi(2)).sum();
    // A joint that never moved was not looked at.
    let least_rad = if square == 0.0 { OPEN_TURN_RAD } else { LEAST_TURN_RAD };
    square.max(3.0 * least_rad.powi(2))
}

/// Of what swings to and fro.
const RANGE_TO_SD: f64 = 0.5 * std::f64::consts::FRAC_1_SQRT_2;
/// A recording that moves less than another is no reason to hold a joint: 6 degrees.
const LEAST_TURN_RAD: f64 = 0.1;
/// How far a segment may be turned from where hinges or the mean orientation put it, where markers do not tell:
/// one standard deviation. 30 degrees.
const OPEN_TURN_RAD: f64 = 0.52;

impl Solver {
    /// Finds a subject's markers among labels.
    ///
    /// # Errors
    /// Fewer than half of the subject's markers are there, or none.
    pub fn new(subject: &Subject, labels: &[&str]) -> Result<Self> {
        let columns = columns(subject, labels)?;
        let mut markers = 0;
        let mut segments = Vec::new();
        for (index, segment) in subject.segments.iter().enumerate() {
            let joints = subject.joints.iter().enumerate();
            let own = joints.clone().find(|(_, joint)| joint.child == index);
            let is_lone = segment.markers.len() < 2;
            let open_turn_rad =
                own.filter(|_| is_lone).map_or(OPEN_TURN_RAD, |(_, joint)| usual_turn_rad(joint));
            segments.push(Part {
                markers: segment
                    .markers
                    .iter()
                    .enumerate()
                    .map(|(i, marker)| {
                        (columns[markers + i], marker.position_in_segment_m, marker.weight)
                    })
                    .collect(),
                template: Template::new(
                    &segment
                        .markers
                        .iter()
                        .map(|marker| (marker.position_in_segment_m, marker.weight))
                        .collect::<Vec<_>>(),
                ),
                precision_m2: segment.sigma_m.max(MIN_SIGMA_M).powi(-2),
                narrow_rest_weight: rest_weight(segment.sigma_m, TWIST_RAD)
                    .clamp(NARROW_REST_WEIGHTS[0], NARROW_REST_WEIGHTS[1]),
                lone_rest_weight: rest_weight(segment.sigma_m.max(MIN_SIGMA_M), open_turn_rad),
                open_turn_rad,
                first_marker: markers,
                joints: joints
                    .filter(|(_, joint)| joint.child == index || joint.parent == index)
                    .map(|(joint, _)| joint)
                    .collect(),
                own_joint: own.map(|(joint, _)| joint),
            });
            markers += segment.markers.len();
        }
        let joints = subject
            .joints
            .iter()
            .map(|joint| {
                let noise_m = subject.segments[joint.child].sigma_m.max(1e-6);
                let axes = joint.axis_in_parent.zip(joint.axis_in_child);
                Link {
                    parent: joint.parent,
                    child: joint.child,
                    centre_in_parent_m: joint.centre_in_parent_m,
                    centre_in_child_m: joint.centre_in_child_m,
                    // A joint whose sides disagree counts less than a marker.
                    weight: 1.0 / (1.0 + (joint.separation_m / noise_m).powi(2) / 3.0).min(1e3),
                    axis: axes.filter(|_| joint.kind == JointKind::Hinge),
                    flexion_axis: joint.flexion_axis,
                    wander_m2: joint.wander_m.powi(2) / 3.0,
                    centre_m2: joint.covariance_m2 - joint.frame_m2,
                    parent_from_child_rest: joint.parent_from_child_rest,
                    turn_rad2: turn_rad2(joint),
                }
            })
            .collect();
        Ok(Self { segments, joints, markers })
    }

    /// A pose with room for everything, to be filled by [`Solver::solve`].
    pub fn pose(&self) -> Pose {
        let room = || Pose::with_room(self.segments.len(), self.joints.len(), self.markers);
        Pose { spare: Some(Box::new(room())), ..room() }
    }

    /// Poses one frame: `positions_m` has one entry a label, `None` where a marker is not seen.
    pub fn solve(&self, positions_m: &[Option<Point3<f64>>], pose: &mut Pose) {
        self.solve_estimated(positions_m, &[], pose);
    }

    /// The same where some positions are estimates: `variances_m2` has the variance of each along each axis, zero of
    /// those that were measured, or is empty if all were.
    ///
    /// A marker whose place is an estimate counts as much less as that is less certain than a measured one.
    pub fn solve_estimated(
        &self,
        positions_m: &[Option<Point3<f64>>],
        variances_m2: &[f64],
        pose: &mut Pose,
    ) {
        let samples =
            Samples { positions_m, variances_m2, moved: None, estimates: Estimates::Weighed };
        pose.is_contradicted.fill(false);
        if !self.segments.iter().any(|part| samples.is_any_estimated(part)) {
            self.place(Samples { variances_m2: &[], ..samples }, pose);
            self.measure_spread(pose);
            return;
        }
        self.place(samples, pose);
        if let Some(mut spare) = pose.spare.take() {
            self.leave_out_contradicted(samples, pose, &mut spare);
            self.measure_estimates(samples, pose, &mut spare);
            pose.spare = Some(spare);
        }
    }

    /// Where everything is in a frame; how sure that is comes after.
    fn place(&self, samples: Samples, pose: &mut Pose) {
        pose.clear();
        for (index, part) in self.segments.iter().enumerate() {
            if part.markers.len() < 3 {
                continue;
            }
            let samples = samples.without_estimates(pose.is_contradicted[index]);
            let gathered = samples.gather(part);
            // Estimates that hardly count do not tell a turn: the joints do, as they will when these are gone.
            let as_measured = || samples.as_measured().gather(part);
            if samples.is_any_estimated(part)
                && gathered.width_m() < NARROW_M
                && as_measured().width_m() >= NARROW_M
            {
                continue;
            }
            if let Some(placement) = gathered.place() {
                pose.put(index, &placement, PlacedBy::ByMarkers);
            }
        }
        // Outwards from what has a place, until nothing changes.
        while pose.measured.iter().any(Option::is_none)
            && (self.sweep(samples, pose, false)
                || self.sweep(samples, pose, true)
                || self.span(samples, pose))
        {}
        self.assemble(samples, pose);
    }

    /// Places segments by their neighbours; whether any was placed.
    fn sweep(&self, samples: Samples, pose: &mut Pose, with_rest: bool) -> bool {
        let mut any = false;
        for (index, part) in self.segments.iter().enumerate() {
            if pose.measured(index).is_some() {
                continue;
            }
            let samples = samples.without_estimates(pose.is_contradicted[index]);
            let mut gathered = samples.gather(part);
            let own = gathered.points;
            for &joint in &part.joints {
                let (other, here, there) = self.across(joint, index);
                if let Some(world_from_other) = pose.measured(other) {
                    let (in_world_m, weight) =
                        (world_from_other * there, self.joints[joint].weight);
                    gathered.add(&Pair { in_segment_m: here, in_world_m, weight });
                }
            }
            let points = gathered.points;
            // One marker and the joint tell where it points, and how it mostly stands the rest: better than a
            // neighbour that is held by it.
            if part.markers.len() == 1 && own == 1 && self.is_held_above(part, pose) {
                self.stand_in(part, pose, &mut gathered);
                if let Some(placement) = gathered.place() {
                    pose.put(index, &placement, PlacedBy::WithJoints);
                    any = true;
                }
                continue;
            }
            // Two points and no stand-ins leave the twist open.
            if points == own || points < if with_rest { 2 } else { 3 } {
                continue;
            }
            if !with_rest && gathered.width_m() < NARROW_M {
                continue;
            }
            if with_rest {
                self.stand_in(part, pose, &mut gathered);
            }
            if let Some(placement) = gathered.place() {
                let how = if with_rest { PlacedBy::TwistOpen } else { PlacedBy::WithJoints };
                pose.put(index, &placement, how);
                any = true;
                // What is placed with less certainty may settle others with more.
                if with_rest {
                    break;
                }
            }
        }
        any
    }

    /// Places one segment that has no markers as it mostly is against its parent, where markers beyond it are seen: a
    /// clavicle without markers holds the arm, and the arm then says where it is. Whether any was placed.
    fn span(&self, samples: Samples, pose: &mut Pose) -> bool {
        let found = self.segments.iter().enumerate().find_map(|(index, part)| {
            let link = &self.joints[part.own_joint.filter(|_| pose.measured(index).is_none())?];
            let parent = pose.measured(link.parent)?;
            let is_between = part.markers.is_empty() && self.is_seen_beyond(index, samples);
            is_between.then(|| {
                let rotation = parent.rotation * link.parent_from_child_rest;
                let joint_m = parent * link.centre_in_parent_m;
                let shift_m = joint_m.coords - rotation * link.centre_in_child_m.coords;
                (index, Isometry3::from_parts(shift_m.into(), rotation))
            })
        });
        let Some((index, world_from_segment)) = found else { return false };
        let placement = Placement { world_from_segment, rms_m: 0.0, points: 1 };
        pose.put(index, &placement, PlacedBy::TwistOpen);
        true
    }

    /// Whether a marker is seen of a segment that hangs on this one, also across segments that have none.
    fn is_seen_beyond(&self, segment: usize, samples: Samples) -> bool {
        let links = self.segments[segment].joints.iter().map(|joint| &self.joints[*joint]);
        let mut children = links.filter(|link| link.parent == segment).map(|link| link.child);
        children.any(|child| {
            let part = &self.segments[child];
            samples.is_any_seen(part)
                || (part.markers.is_empty() && self.is_seen_beyond(child, samples))
        })
    }

    /// Whether the segment above has a place.
    fn is_held_above(&self, part: &Part, pose: &Pose) -> bool {
        let parent = part.own_joint.map(|joint| self.joints[joint].parent);
        parent.is_some_and(|parent| pose.measured(parent).is_some())
    }

    /// The other segment of a joint, and the centre in this one's frame and in the other's.
    fn across(&self, joint: usize, segment: usize) -> (usize, Point3<f64>, Point3<f64>) {
        let link = &self.joints[joint];
        if link.child == segment {
            (link.parent, link.centre_in_child_m, link.centre_in_parent_m)
        } else {
            (link.child, link.centre_in_parent_m, link.centre_in_child_m)
        }
    }

    /// Adds points about the joint to the parent that fix the orientation: on the axis of a hinge, and with
    /// little weight as the parent would have it.
    fn stand_in(&self, part: &Part, pose: &Pose, gathered: &mut PlacementSums) {
        let Some(link) = part.own_joint.map(|joint| &self.joints[joint]) else { return };
        let Some(world_from_parent) = pose.measured(link.parent) else { return };
        let rest_weight = match gathered.points {
            _ if part.markers.len() == 1 => part.lone_rest_weight,
            0..3 => REST_WEIGHT,
            _ => part.narrow_rest_weight,
        };
        let mut add = |in_parent: Vector3<f64>, in_child: Vector3<f64>, weight| {
            gathered.add(&Pair {
                in_segment_m: link.centre_in_child_m + in_child * ARM_M,
                in_world_m: world_from_parent * (link.centre_in_parent_m + in_parent * ARM_M),
                weight,
            });
        };
        for i in 0..3 {
            let in_child = Vector3::ith(i, 1.0);
            add(link.parent_from_child_rest * in_child, in_child, rest_weight);
        }
        if let Some((in_parent, in_child)) = link.axis {
            add(in_parent, in_child, 1.0);
        }
    }
}
