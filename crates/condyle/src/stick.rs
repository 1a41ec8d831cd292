//! The lines that a subject is drawn as: along its segments from joint to joint, and to where its limbs end.

use nalgebra::{Point3, Vector3};

use crate::marker_set::{self, Side};
use crate::solve::SolvedMotion;
use crate::statistics::centroid;
use crate::subject::{Joint, Segment, Subject};

/// Points of a subject and the lines between them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stick {
    /// Where each point is fixed: the joints first, in the subject's order.
    pub points: Vec<StickPoint>,
    /// From point to point.
    pub limbs: Vec<Limb>,
    /// Round the trunk, with two corners beside the waist where there is one; nothing where shoulders or hips are missing.
    pub trunk: Vec<usize>,
}

/// What a point of a stick figure is fixed to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StickPoint {
    /// The centre of a joint.
    Joint(usize),
    /// A place on a segment.
    On {
        /// The segment.
        segment: usize,
        /// The place.
        in_segment_m: Point3<f64>,
    },
}

/// A line of a stick figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limb {
    /// From point to point.
    pub ends: [usize; 2],
    /// Of which side it is.
    pub side: Side,
    /// How thick the limb about the line is; 0 where nobody knows.
    pub width_m: f64,
}

/// About how thick parts of people are, in metres: only drawn, never used.
const WIDTHS_M: [(&str, f64); 9] = [
    ("thigh", 0.13),
    ("shank", 0.09),
    ("foot", 0.06),
    ("toes", 0.05),
    ("upper arm", 0.08),
    ("forearm", 0.06),
    ("hand", 0.05),
    ("head", 0.15),
    ("neck", 0.08),
];

impl Limb {
    /// The line of a segment of this name.
    pub fn of_segment(name: &str, ends: [usize; 2]) -> Self {
        let (part, side) = marker_set::body_part(name).unwrap_or(("", Side::Unsaid));
        let width = WIDTHS_M.iter().find(|(name, _)| *name == part);
        Self { ends, side, width_m: width.map_or(0.0, |(_, width_m)| *width_m) }
    }
}

/// How wide the trunk is drawn beside the waist, over the distance of the hips.
const WAIST_OVER_HIPS: f64 = 1.25;
/// Markers at least so far from a joint, by the farthest, are where a limb ends.
const FAR: f64 = 0.7;

impl Stick {
    /// The stick figure of a subject: a line along every segment from the joint it hangs on to those that
    /// hang on it, or to its end.
    pub fn from_subject(subject: &Subject) -> Self {
        let points = (0..subject.joints().len()).map(StickPoint::Joint).collect();
        let mut stick = Self { points, limbs: Vec::new(), trunk: Vec::new() };
        stick.trunk = stick.round_trunk(subject).unwrap_or_default();
        for (index, segment) in subject.segments().iter().enumerate() {
            let own = subject.joints().iter().position(|joint| joint.child == index);
            let hung: Vec<usize> = subject
                .joints()
                .iter()
                .enumerate()
                .filter(|(_, joint)| joint.parent == index)
                .map(|(joint, _)| joint)
                .collect();
            let of_part = |ends: [usize; 2]| Limb::of_segment(&segment.name, ends);
            let own_centre_m = own.map(|joint| subject.joints()[joint].centre_in_child_m);
            match (own, hung.as_slice()) {
                (Some(own), []) => {
                    let end = end(segment, own_centre_m.unwrap_or_default());
                    let tip = stick.fixed(index, end);
                    stick.limbs.push(of_part([own, tip]));
                }
                (Some(own), hung) => {
                    stick.limbs.extend(branches(subject, own, hung).into_iter().map(of_part));
                }
                (None, []) => {
                    // A body by itself: its markers, about their middle.
                    let middle = stick.fixed(index, centroid(places(segment)).unwrap_or_default());
                    for marker in &segment.markers {
                        let end = stick.fixed(index, marker.position_in_segment_m);
                        stick.limbs.push(of_part([middle, end]));
                    }
                }
                (None, hung) => {
                    let centres =
                        hung.iter().map(|joint| subject.joints()[*joint].centre_in_parent_m);
                    let hub = stick.fixed(index, centroid(centres).unwrap_or_default());
                    stick.limbs.extend(hung.iter().map(|joint| of_part([hub, *joint])));
                }
            }
        }
        stick
    }

    /// Shoulders, beside the waist, and hips, in the order round the trunk: a back that is bent is drawn bent.
    fn round_trunk(&mut self, subject: &Subject) -> Option<Vec<usize>> {
        let joint = |name: &str| subject.joints().iter().position(|joint| joint.name == name);
        let [left_hip, right_hip] = [joint("left hip")?, joint("right hip")?];
        let mut corners =
            vec![joint("left shoulder")?, joint("right shoulder")?, right_hip, left_hip];
        let in_pelvis_m = [left_hip, right_hip].map(|hip| subject.joints()[hip].centre_in_parent_m);
        let half_m = 0.5 * WAIST_OVER_HIPS * (in_pelvis_m[0] - in_pelvis_m[1]).norm();
        if let Some((chest, waist_m, to_left)) =
            joint("waist").and_then(|waist| across_waist(subject, waist))
        {
            corners.insert(2, self.fixed(chest, waist_m - half_m * to_left));
            corners.push(self.fixed(chest, waist_m + half_m * to_left));
        }
        Some(corners)
    }

    fn fixed(&mut self, segment: usize, in_segment_m: Point3<f64>) -> usize {
        self.points.push(StickPoint::On { segment, in_segment_m });
        self.points.len() - 1
    }

    /// Where the points are in a frame.
    pub fn points_m<'a>(
        &'a self,
        solved: &'a SolvedMotion,
        frame: usize,
    ) -> impl Iterator<Item = Option<Point3<f64>>> + 'a {
        self.points.iter().map(move |point| match point {
            StickPoint::Joint(joint) => solved.joint_m(frame, *joint),
            StickPoint::On { segment, in_segment_m } => {
                Some(solved.world_from_segment(frame, *segment)? * in_segment_m)
            }
        })
    }
}

/// The lines of a segment from its own joint to those that hang on it: to the farthest, and from whichever end is
/// nearer to the others. Shoulders hang on the top of the trunk, not on the waist.
fn branches(subject: &Subject, own: usize, hung: &[usize]) -> Vec<[usize; 2]> {
    let at = |joint: usize| match joint == own {
        true => subject.joints()[joint].centre_in_child_m,
        false => subject.joints()[joint].centre_in_parent_m,
    };
    let apart = |a: usize, b: usize| (at(a) - at(b)).norm();
    let far = hung.iter().copied().max_by(|a, b| apart(own, *a).total_cmp(&apart(own, *b)));
    let far = far.unwrap_or(own);
    let from = |joint: usize| match joint != far && apart(far, joint) < apart(own, joint) {
        true => far,
        false => own,
    };
    hung.iter().map(|joint| [from(*joint), *joint]).collect()
}

/// The chest, the waist in it, and which way is left by what hangs on both sides of it.
fn across_waist(subject: &Subject, waist: usize) -> Option<(usize, Point3<f64>, Vector3<f64>)> {
    let Joint { child: chest, centre_in_child_m, .. } = &subject.joints()[waist];
    let hung = || subject.joints().iter().filter(|joint| joint.parent == *chest);
    let left = hung().find(|joint| joint.name.starts_with("left "))?;
    let right = hung()
        .find(|joint| left.name.strip_prefix("left ") == joint.name.strip_prefix("right "))?;
    let to_left = (left.centre_in_parent_m - right.centre_in_parent_m).try_normalize(1e-6)?;
    Some((*chest, *centre_in_child_m, to_left))
}

fn places(segment: &Segment) -> impl Iterator<Item = Point3<f64>> + '_ {
    segment.markers.iter().map(|marker| marker.position_in_segment_m)
}

/// Where a limb ends: the mean of its markers that are far from its joint.
fn end(segment: &Segment, joint_m: Point3<f64>) -> Point3<f64> {
    let farthest_m = places(segment).map(|p| (p - joint_m).norm()).fold(0.0, f64::max);
    let far = places(segment).filter(|p| (p - joint_m).norm() >= FAR * farthest_m);
    centroid(far).unwrap_or(joint_m)
}
