//! The joints of a recording from some of its frames, in the way of 2008 and in ours.

use condyle::calibrate::Calibration;
use condyle::rigid::{Pair, place};
use condyle::solve;
use condyle::subject::{Joint, JointKind, Subject};
use nalgebra::{Point3, Vector3};

use super::super::joints::{axes, slices, switched};
use crate::reproduce::recordings::Recording;

/// A joint moved enough if it turned so far about its first axis, and, unless it is a hinge, about its second. How well
/// its centre is known is no rule here: skin is in that, and is the same in few frames as in all.
const MOVED_RAD: [f64; 2] = [30.0 * DEGREE, 15.0 * DEGREE];
const DEGREE: f64 = std::f64::consts::PI / 180.0;

fn has_moved(joint: &Joint) -> bool {
    let [first, second] = [0, 1].map(|axis| joint.ranges_rad[axis] >= MOVED_RAD[axis]);
    match joint.kind {
        JointKind::Fixed => false,
        JointKind::Hinge => first,
        _ => first && second,
    }
}

/// A recording, and what all of its frames say.
pub struct Whole<'a> {
    recording: &'a Recording,
    subject: Subject,
    /// For every joint what is asked of it.
    pub joints: Vec<Asked>,
}

/// A joint that moved enough to be asked for.
pub struct Asked {
    /// Its name.
    pub name: String,
    /// Its place in the subject.
    index: usize,
    /// The axis in the parent, if it is a hinge: what is along it cannot be known.
    axis: Option<Vector3<f64>>,
    /// The child's marker farthest from the joint, frame by frame in the parent.
    far_in_parent_m: Vec<Option<Vector3<f64>>>,
    /// Where the way of 2008 puts the joint.
    of_2008_m: Option<Vector3<f64>>,
}

impl<'a> Whole<'a> {
    /// Fits all frames; `None` where not even they have an answer, or no joint moved enough.
    pub fn of(recording: &'a Recording) -> Option<Self> {
        let all: Vec<usize> = (0..recording.trial.frames).collect();
        let subject = fit(recording, &all)?;
        let solved = solve::solve_trial(&subject, &recording.trial).ok()?;
        let moved = subject.joints().iter().enumerate().filter(|(_, joint)| has_moved(joint));
        let joints = moved
            .filter_map(|(index, joint)| {
                let far = farthest(recording, &subject, joint)?;
                let in_parent_m = |frame: usize| {
                    let world_from_parent = solved.world_from_segment(frame, joint.parent)?;
                    let seen_m = recording.trial.markers[far].position_m(frame)?;
                    Some(world_from_parent.inverse_transform_point(&seen_m).coords)
                };
                let far_in_parent_m: Vec<_> = all.iter().map(|frame| in_parent_m(*frame)).collect();
                let is_hinge = joint.kind == JointKind::Hinge;
                let axis = joint.axis_in_parent.filter(|_| is_hinge);
                let of_2008_m = closed_form(&far_in_parent_m, &all);
                Some(Asked { name: joint.name.clone(), index, axis, far_in_parent_m, of_2008_m })
            })
            .collect();
        Some(Self { recording, subject, joints }).filter(|own| !own.joints.is_empty())
    }

    /// For every joint how far off the answer of some frames is from that of all, in the parent's frame: in the way
    /// of 2008, and in ours.
    pub fn deviations_m(&self, frames: &[usize]) -> Vec<[Option<Vector3<f64>>; 2]> {
        let thin = fit(self.recording, frames);
        let of = |asked: &Asked| {
            let across =
                |off: Vector3<f64>| asked.axis.map_or(off, |axis| off - axis * axis.dot(&off));
            let of_2008 = closed_form(&asked.far_in_parent_m, frames)
                .zip(asked.of_2008_m)
                .map(|(thin, whole)| across(thin - whole));
            let ours = thin.as_ref().and_then(|thin| self.moved(thin, asked.index)).map(across);
            [of_2008, ours]
        };
        self.joints.iter().map(of).collect()
    }

    /// Where all frames put a joint in its parent: in the way of 2008, and in ours.
    pub fn answers_m(&self, joint: &Asked) -> [Option<Vector3<f64>>; 2] {
        let ours = self.subject.joints()[joint.index].centre_in_parent_m.coords;
        [joint.of_2008_m, Some(ours)]
    }

    /// How far a joint has moved in its parent, as the parent's markers and its own joint have it: of
    /// three markers, or two and a rotation point.
    fn moved(&self, thin: &Subject, joint: usize) -> Option<Vector3<f64>> {
        let whole = &self.subject.joints()[joint];
        let thin_joint = thin.joints().iter().find(|thin| thin.name == whole.name)?;
        let name = &self.subject.segments()[whole.parent].name;
        let parent = thin.segments().iter().position(|segment| segment.name == *name)?;
        // Another root may have turned the joint around.
        let thin_centre_m = match thin_joint.parent == parent {
            true => thin_joint.centre_in_parent_m,
            false => thin_joint.centre_in_child_m,
        };
        let of_whole = &self.subject.segments()[whole.parent].markers;
        let of_thin = &thin.segments()[parent].markers;
        let markers = of_whole.iter().zip(of_thin).map(|(whole, thin)| Pair {
            in_segment_m: thin.position_in_segment_m,
            in_world_m: whole.position_in_segment_m,
            weight: 1.0,
        });
        let own = self.subject.joint_of(whole.parent).zip(thin.joint_of(parent));
        let own = own.filter(|_| of_whole.len() < 3).map(|(whole, thin)| Pair {
            in_segment_m: thin.centre_in_child_m,
            in_world_m: whole.centre_in_child_m,
            weight: 1.0,
        });
        let whole_from_thin = place(markers.chain(own))?.world_from_segment;
        Some(whole_from_thin * thin_centre_m - whole.centre_in_parent_m)
    }
}

fn fit(recording: &Recording, frames: &[usize]) -> Option<Subject> {
    let trial = &recording.trial;
    let mut calibration = Calibration::new(&recording.performer, &trial.labels()).ok()?;
    let mut positions_m = vec![None; trial.markers.len()];
    for frame in frames {
        trial.positions_m(*frame, &mut positions_m);
        calibration.push(&positions_m);
    }
    calibration.fit().ok()
}

/// The marker of the child farthest from the joint: that with the least relative noise.
fn farthest(recording: &Recording, subject: &Subject, joint: &Joint) -> Option<usize> {
    let distance_m = |at: Point3<f64>| (at - joint.centre_in_child_m).norm();
    let markers = subject.segments()[joint.child].markers.iter();
    let far = markers.max_by(|a, b| {
        distance_m(a.position_in_segment_m).total_cmp(&distance_m(b.position_in_segment_m))
    })?;
    let prefixed = format!("{}:{}", recording.performer.name, far.label);
    let is_far = |label: &str| label == far.label || label == prefixed;
    recording.trial.markers.iter().position(|marker| is_far(&marker.label))
}

fn closed_form(points_m: &[Option<Vector3<f64>>], frames: &[usize]) -> Option<Vector3<f64>> {
    let seen: Vec<Vector3<f64>> = frames.iter().filter_map(|frame| points_m[*frame]).collect();
    let axes = axes(&seen);
    switched(slices(&axes)).map(|[of_2008, _]| of_2008)
}
