//! The stick figure of a subject: its joints, where its limbs end, and the lines between.

use condyle::solve::SolvedMotion;
use condyle::statistics::centroid;
use condyle::subject::{Segment, Subject};
use nalgebra::Point3;

use super::Dot;
use super::limb::{Limb, limb};

/// Points of a subject and the lines between them.
#[derive(Debug, Clone)]
pub struct Stick {
    /// Where each point is fixed.
    nodes: Vec<Node>,
    /// What each point is.
    pub dots: Vec<Dot>,
    /// From point to point.
    pub limbs: Vec<Limb>,
    /// Shoulders and hips, round the trunk; nothing where some are missing.
    pub trunk: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Joint(usize),
    On { segment: usize, in_segment_m: Point3<f64> },
}

/// Markers at least so far from a joint, by the farthest, are where a limb ends.
const FAR: f64 = 0.7;

impl Stick {
    /// The stick figure of a subject: a line along every segment from the joint it hangs on to those that
    /// hang on it, or to its end.
    pub fn of(subject: &Subject) -> Self {
        let trunk = trunk(subject);
        let mut stick = Self { nodes: Vec::new(), dots: Vec::new(), limbs: Vec::new(), trunk };
        for (index, joint) in subject.joints().iter().enumerate() {
            let dot = Dot { known: Some(joint.centre_known()), sd_m: joint.worst_sd_m() };
            stick.add(Node::Joint(index), dot);
        }
        for (index, segment) in subject.segments().iter().enumerate() {
            let own = subject.joints().iter().position(|joint| joint.child == index);
            let hung: Vec<usize> = subject
                .joints()
                .iter()
                .enumerate()
                .filter(|(_, joint)| joint.parent == index)
                .map(|(joint, _)| joint)
                .collect();
            let of_part = |ends: [usize; 2]| limb(&segment.name, ends);
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

    fn add(&mut self, node: Node, dot: Dot) -> usize {
        self.nodes.push(node);
        self.dots.push(dot);
        self.nodes.len() - 1
    }

    fn fixed(&mut self, segment: usize, in_segment_m: Point3<f64>) -> usize {
        self.add(Node::On { segment, in_segment_m }, Dot { known: None, sd_m: 0.0 })
    }

    /// Where the points are in a frame.
    pub fn points_m<'a>(
        &'a self,
        solved: &'a SolvedMotion,
        frame: usize,
    ) -> impl Iterator<Item = Option<Point3<f64>>> + 'a {
        self.nodes.iter().map(move |node| match node {
            Node::Joint(joint) => solved.joint_m(frame, *joint),
            Node::On { segment, in_segment_m } => {
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

/// Shoulders and hips in the order round the trunk.
fn trunk(subject: &Subject) -> Vec<usize> {
    let corners = ["left shoulder", "right shoulder", "right hip", "left hip"];
    let joint = |name: &str| subject.joints().iter().position(|joint| joint.name == name);
    corners.into_iter().map(joint).collect::<Option<_>>().unwrap_or_default()
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
