//! A fitted subject.

use nalgebra::{Isometry3, Point3};

use super::hang::{Node, hang};
use crate::error::Result;
use crate::ik::Model;
use crate::statistics::centroid;
use crate::subject::Subject;

/// The joint centres of a subject, every segment as it stood on average against its parent, hung up by a
/// joint, or by its root segment with no name. A last segment ends at the middle of its markers: a
/// hand, a foot, a head.
///
/// # Errors
/// A joint of that name is not there, or there is no bone.
pub fn from_subject(subject: &Subject, base: Option<&str>) -> Result<Model> {
    let mut world_from_segment: Vec<Isometry3<f64>> = Vec::new();
    let mut node_of_segment: Vec<usize> = Vec::new();
    let mut nodes = vec![Node { name: "root".to_owned(), parent: None, at_m: Point3::origin() }];
    for (index, segment) in subject.segments.iter().enumerate() {
        let (Some(joint), Some(parent)) = (subject.joint_of(index), segment.parent) else {
            world_from_segment.push(Isometry3::identity());
            node_of_segment.push(0);
            continue;
        };
        let world_from_parent = world_from_segment[parent];
        let at_m = world_from_parent * joint.centre_in_parent_m;
        let rotation = world_from_parent.rotation * joint.parent_from_child_rest;
        let shift = at_m - rotation * joint.centre_in_child_m;
        world_from_segment.push(Isometry3::from_parts(shift.into(), rotation));
        let parent = Some(node_of_segment[parent]);
        nodes.push(Node { name: joint.name.clone(), parent, at_m });
        node_of_segment.push(nodes.len() - 1);
    }
    for (index, segment) in subject.segments.iter().enumerate() {
        let has_children = subject.segments.iter().any(|other| other.parent == Some(index));
        if has_children || node_of_segment[index] == 0 {
            continue;
        }
        let places_m = segment.markers.iter().map(|marker| marker.position_in_segment_m);
        nodes.extend(centroid(places_m).map(|middle_m| Node {
            name: format!("{}_end", segment.name),
            parent: Some(node_of_segment[index]),
            at_m: world_from_segment[index] * middle_m,
        }));
    }
    hang(nodes, base)
}
