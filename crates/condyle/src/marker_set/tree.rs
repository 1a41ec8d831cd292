//! A tree of segments, some of them without a marker, made into one of those that have some.

use crate::plan::{JointRule, PlannedSegment};

/// A segment that may have no marker.
pub(super) struct Node {
    pub(super) name: String,
    /// The index of its parent.
    pub(super) parent: Option<usize>,
    /// The joint to its parent.
    pub(super) joint: Option<String>,
    pub(super) rule: JointRule,
    /// In ascending order.
    pub(super) markers: Vec<usize>,
    /// Whether its joint goes without saying when it has no marker.
    pub(super) is_silent: bool,
}

/// The most joints that one name spells out, so that no input makes names of any length.
const MOST_JOINTS_IN_A_NAME: usize = 4;

/// A way that is still to go: from `from`, over joints, to `to`.
struct Way {
    to: usize,
    from: usize,
    /// The last segment passed that has markers, as an index of the result.
    parent: Option<usize>,
    joints: Vec<String>,
    rule: JointRule,
}

/// The segments that have markers, parents first.
///
/// The root of a tree is the first of its nodes in `roots`, which must have markers; joints keep
/// their names whichever way they are passed.
pub(super) fn segments(nodes: &[Node], roots: impl Iterator<Item = usize>) -> Vec<PlannedSegment> {
    let neighbours = neighbours(nodes);
    let mut is_seen = vec![false; nodes.len()];
    let mut segments: Vec<PlannedSegment> = Vec::new();
    for root in roots {
        if is_seen[root] {
            continue;
        }
        let rule = JointRule::Auto;
        let mut ways = vec![Way { to: root, from: root, parent: None, joints: Vec::new(), rule }];
        while let Some(mut way) = ways.pop() {
            if std::mem::replace(&mut is_seen[way.to], true) {
                continue;
            }
            pass(nodes, &mut way);
            let node = &nodes[way.to];
            if !node.markers.is_empty() {
                let joint_name = Some(way.joints.join(" + ")).filter(|name| !name.is_empty());
                segments.push(PlannedSegment {
                    name: node.name.clone(),
                    parent: way.parent,
                    markers: node.markers.clone(),
                    joint_name,
                    joint_rule: way.rule,
                });
                way.parent = Some(segments.len() - 1);
                way.joints.clear();
                way.rule = JointRule::Auto;
            }
            for &next in neighbours[way.to].iter().rev() {
                if !is_seen[next] {
                    let joints = way.joints.clone();
                    ways.push(Way {
                        to: next,
                        from: way.to,
                        parent: way.parent,
                        joints,
                        rule: way.rule,
                    });
                }
            }
        }
    }
    segments
}

/// Every node's parent and children, in the order of the nodes.
fn neighbours(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent.filter(|parent| *parent < nodes.len()) {
            neighbours[parent].push(index);
            neighbours[index].push(parent);
        }
    }
    neighbours
}

/// The nodes that have markers, those nearer to the top of their tree first.
pub(super) fn from_the_top(nodes: &[Node]) -> Vec<usize> {
    let neighbours = neighbours(nodes);
    let mut order: Vec<usize> = (0..nodes.len()).filter(|n| nodes[*n].parent.is_none()).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        order.extend(neighbours[node].iter().filter(|n| nodes[**n].parent == Some(node)));
        next += 1;
    }
    order.retain(|node| !nodes[*node].markers.is_empty());
    order
}

/// Adds the joint between both ends of a way.
fn pass(nodes: &[Node], way: &mut Way) {
    if way.to == way.from {
        return;
    }
    // The joint belongs to whichever end is the child.
    let child = if nodes[way.to].parent == Some(way.from) { way.to } else { way.from };
    let child = &nodes[child];
    if child.is_silent && child.markers.is_empty() {
        return;
    }
    way.rule = child.rule;
    if way.joints.len() < MOST_JOINTS_IN_A_NAME {
        way.joints.extend(child.joint.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, parent: Option<usize>, markers: &[usize]) -> Node {
        Node {
            name: name.to_owned(),
            parent,
            joint: Some(format!("{name} joint")),
            rule: JointRule::Auto,
            markers: markers.to_vec(),
            is_silent: false,
        }
    }

    #[test]
    fn separate_trees_stay_separate_and_parents_come_first() {
        let nodes = [
            node("a", None, &[0]),
            node("b", None, &[]),
            node("c", Some(1), &[1]),
            node("d", Some(0), &[2]),
            node("e", Some(1), &[3]),
        ];
        let segments = segments(&nodes, from_the_top(&nodes).into_iter());
        let rows: Vec<_> = segments.iter().map(|s| (s.name.as_str(), s.parent)).collect();
        assert_eq!(rows, [("a", None), ("d", Some(0)), ("c", None), ("e", Some(2))]);
        assert_eq!(segments[3].joint_name.as_deref(), Some("c joint + e joint"));
    }

    #[test]
    fn a_long_chain_without_markers_is_neither_deep_nor_long() {
        let mut nodes = vec![node("top", None, &[0])];
        nodes.extend((0..100_000).map(|parent| node("link", Some(parent), &[])));
        nodes.push(node("end", Some(100_000), &[1]));
        let segments = segments(&nodes, from_the_top(&nodes).into_iter());
        assert_eq!(segments.len(), 2);
        assert!(segments[1].joint_name.as_ref().unwrap().len() < 100);
    }
}
