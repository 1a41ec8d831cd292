//! A skeleton hung up by any of its joints.

use std::collections::VecDeque;

use nalgebra::Point3;

use crate::error::{Error, ErrorKind, Result};
use crate::ik::{Limit, Linkage, Model, ZeroDirection, find_name};
use crate::order;

/// Nearer than this two joints are one: a bone needs a length.
const SAME_M: f64 = 1e-6;

/// A joint of a skeleton, parents first.
pub(super) struct Node {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) at_m: Point3<f64>,
}

/// The linkage of a skeleton that hangs on one of its joints; on its root if none is named, and then
/// the part of the root stays as it is.
///
/// # Method
/// A joint and its children are joints of one rigid part. Where a part is entered through one joint, a
/// free bone leads to the next and fixed bones from there to all others, so the part turns as a whole.
pub(super) fn hang(nodes: Vec<Node>, base: Option<&str>) -> Result<Model> {
    let nodes = merged(nodes)?;
    let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let root = match base {
        None => 0,
        Some(name) => find_name(&names, name).ok_or_else(|| {
            ErrorKind::Argument(format!("pin: need any of {}; got '{name}'", names.join(", ")))
        })?,
    };
    let mut bones = bones_from(&nodes, root, base.is_none());
    if base.is_none() {
        // Hooks come first in the skeleton's own order too, which is the one that people know.
        order::by_key(&mut bones, |bone| bone.end);
    }
    let mut place: Vec<Option<usize>> = vec![None; nodes.len()];
    place[root] = Some(0);
    let (mut at_m, mut parents) = (vec![nodes[root].at_m], vec![None]);
    let mut named = vec![nodes[root].name.clone()];
    let mut fixed = Vec::new();
    for bone in &bones {
        let hook = place[bone.hook];
        if hook.is_some_and(|hook| (nodes[bone.end].at_m - at_m[hook]).norm() < SAME_M) {
            place[bone.end] = hook;
            continue;
        }
        place[bone.end] = Some(at_m.len());
        if bone.is_fixed {
            fixed.push(at_m.len());
        }
        at_m.push(nodes[bone.end].at_m);
        parents.push(hook);
        named.push(nodes[bone.end].name.clone());
    }
    let mut linkage = Linkage::tree(&at_m, &parents, ZeroDirection::Rest)?;
    for end in fixed {
        linkage.limit(end, Limit::FIXED)?;
    }
    let is_leaf = |node: &usize| nodes.iter().all(|other| other.parent != Some(*node));
    let ends = (0..nodes.len()).filter(is_leaf).filter_map(|node| place[node]);
    let effectors = ends.filter(|joint| *joint > 0).collect();
    Ok(Model { linkage, names: named, effectors })
}

/// A bone from one joint of the skeleton to another of the same part.
struct Bone {
    hook: usize,
    end: usize,
    is_fixed: bool,
}

fn bones_from(nodes: &[Node], root: usize, root_stays: bool) -> Vec<Bone> {
    let mut bones = Vec::new();
    // A joint, and the head of the part through which it was come to.
    let mut queue: VecDeque<(usize, Option<usize>)> = VecDeque::from([(root, None)]);
    while let Some((joint, through)) = queue.pop_front() {
        let heads = [nodes[joint].parent, Some(joint)].into_iter().flatten();
        for head in heads.filter(|head| Some(*head) != through) {
            let children = (0..nodes.len()).filter(|node| nodes[*node].parent == Some(head));
            let others: Vec<usize> =
                std::iter::once(head).chain(children).filter(|node| *node != joint).collect();
            // A pelvis stays; one bone alone is an arm that reaches.
            let stays = root_stays && joint == root && others.len() > 1;
            for (index, end) in others.iter().enumerate() {
                let hook = if index == 0 { joint } else { others[0] };
                bones.push(Bone { hook, end: *end, is_fixed: index > 0 || stays });
                queue.push_back((*end, Some(head)));
            }
        }
    }
    bones
}

/// Joints in the same place as their parents become one with them.
fn merged(nodes: Vec<Node>) -> Result<Vec<Node>> {
    let mut kept: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut left: Vec<Node> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.into_iter().enumerate() {
        let parent = node.parent.map(|parent| kept[parent]);
        match parent {
            None if index > 0 => {
                return Err(Error::argument(format!(
                    "need one skeleton, got a second root '{}'",
                    node.name
                )));
            }
            Some(parent) if (node.at_m - left[parent].at_m).norm() < SAME_M => kept.push(parent),
            parent => {
                kept.push(left.len());
                left.push(Node { parent, ..node });
            }
        }
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ik::{Options, Solver, Target};

    /// A pelvis with two legs and a spine with two arms.
    fn body() -> Vec<Node> {
        [
            ("pelvis", None, [0.0, 0.0, 1.0]),
            ("left hip", Some(0), [0.1, 0.0, 0.95]),
            ("left knee", Some(1), [0.1, 0.05, 0.5]),
            ("left ankle", Some(2), [0.1, 0.0, 0.1]),
            ("right hip", Some(0), [-0.1, 0.0, 0.95]),
            ("right knee", Some(4), [-0.1, 0.05, 0.5]),
            ("right ankle", Some(5), [-0.1, 0.0, 0.1]),
            ("waist", Some(0), [0.0, 0.0, 1.15]),
            ("left shoulder", Some(7), [0.2, 0.0, 1.45]),
            ("left hand", Some(8), [0.5, 0.3, 1.3]),
            ("right shoulder", Some(7), [-0.2, 0.0, 1.45]),
            ("right hand", Some(10), [-0.5, 0.3, 1.3]),
        ]
        .map(|(name, parent, at)| Node { name: name.into(), parent, at_m: at.into() })
        .into()
    }

    fn distance(model: &Model, solver: &Solver, [one, other]: [&str; 2]) -> f64 {
        let at = |name| solver.positions_m()[find_name(&model.names, name).unwrap()];
        (at(one) - at(other)).norm()
    }

    #[test]
    fn the_order_of_the_skeleton_is_kept_and_its_ends_reach() {
        let model = hang(body(), None).unwrap();
        let names: Vec<String> = body().into_iter().map(|node| node.name).collect();
        assert_eq!(model.names, names);
        let ends: Vec<&str> = model.effectors.iter().map(|e| names[*e].as_str()).collect();
        assert_eq!(ends, ["left ankle", "right ankle", "left hand", "right hand"]);
    }

    #[test]
    fn parts_stay_rigid_while_the_feet_are_pinned_and_the_hand_moves() {
        let model = hang(body(), Some("left_ankle")).unwrap();
        let mut solver = Solver::new(model.linkage.clone());
        let at = |name| find_name(&model.names, name).unwrap();
        let right_ankle = solver.positions_m()[at("right ankle")];
        let hand = Point3::new(-0.2, 0.6, 0.9);
        let targets =
            [Target::at(at("right ankle"), right_ankle), Target::at(at("right hand"), hand)];
        let parts = [
            ["left hip", "right hip"],
            ["left hip", "waist"],
            ["pelvis", "right hip"],
            ["left shoulder", "right shoulder"],
        ];
        let before = parts.map(|part| distance(&model, &solver, part));
        let pelvis = solver.positions_m()[at("pelvis")];
        let reach = solver.solve(&targets, &Options::default()).unwrap();
        assert!(reach.is_reached(), "{reach:?}");
        for (part, before) in parts.iter().zip(before) {
            assert!((distance(&model, &solver, *part) - before).abs() < 1e-9, "{part:?}");
        }
        assert_eq!(solver.positions_m()[0], Point3::new(0.1, 0.0, 0.1));
        assert!(
            (solver.positions_m()[at("pelvis")] - pelvis).norm() > 0.01,
            "the pelvis goes along"
        );
    }

    #[test]
    fn without_a_pin_the_pelvis_stays() {
        let model = hang(body(), None).unwrap();
        let mut solver = Solver::new(model.linkage.clone());
        let before = solver.positions_m().to_vec();
        let hand = Target::at(9, Point3::new(0.1, 0.5, 1.6));
        assert!(solver.solve(&[hand], &Options::default()).unwrap().is_reached());
        for joint in [0, 1, 4, 7] {
            assert!((solver.positions_m()[joint] - before[joint]).norm() < 1e-9, "{joint}");
        }
    }

    #[test]
    fn a_pin_that_is_not_there_and_a_second_root_are_said() {
        let error = hang(body(), Some("tail")).unwrap_err().to_string();
        assert!(error.contains("left ankle") && error.contains("got 'tail'"), "{error}");
        let mut two = body();
        two[3].parent = None;
        assert!(hang(two, None).unwrap_err().to_string().contains("second root 'left ankle'"));
    }
}
