//! The tree of the lightest links, its root, and the links that nearly were in it.

use super::link::{Link, LinkEvidence};
use crate::order;

/// A tree over parts, or several where nothing links them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// The parts, every one after its parent.
    pub order: Vec<usize>,
    /// For every part its parent; `None` for roots.
    pub parents: Vec<Option<usize>>,
    /// The links of the tree, in the order of their children.
    pub edges: Vec<TreeEdge>,
    /// Links that are not in the tree although they are as good: the parts may form a closed loop.
    pub loops: Vec<LoopEdge>,
}

/// A link of the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeEdge {
    /// The part nearer to the root.
    pub parent: usize,
    /// The part farther from it.
    pub child: usize,
    /// The rms distance by which the parts are off a joint, in metres.
    pub residual_m: f64,
    /// The residual, made worse where the joint would be far from the parts.
    pub weight_m: f64,
    /// What it was found from.
    pub evidence: LinkEvidence,
    /// The next best link in its place, and its weight.
    pub runner_up: Option<([usize; 2], f64)>,
    /// 1 - weight/weight of the runner-up: 0 is a toss-up; 1 if there is no other.
    pub confidence: f64,
    /// Whether the runner-up is nearly as good.
    pub is_doubtful: bool,
}

/// A link that is not in the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoopEdge {
    /// The parts.
    pub parts: [usize; 2],
    /// The rms distance by which the parts are off a joint, in metres.
    pub residual_m: f64,
    /// The residual, made worse where the joint would be far from the parts.
    pub weight_m: f64,
}

/// Edges with less confidence are doubtful.
const DOUBTFUL: f64 = 0.25;
/// A link so many times the worst of the tree is still as good (the specification's figure).
pub(crate) const AS_GOOD: f64 = 1.2;

/// The links of the minimum spanning forest, lightest first (Kruskal 1956).
pub(crate) fn spanning(parts: usize, links: &[([usize; 2], f64)]) -> Vec<usize> {
    let mut lightest_first: Vec<usize> = (0..links.len()).collect();
    order::by(&mut lightest_first, |a, b| links[*a].1.total_cmp(&links[*b].1));
    let mut component: Vec<usize> = (0..parts).collect();
    lightest_first.retain(|link| {
        let [a, b] = links[*link].0.map(|part| component[part]);
        component.iter_mut().filter(|c| **c == a).for_each(|c| *c = b);
        a != b
    });
    lightest_first
}

/// Which component of the given pairs every part is in, numbered by first appearance.
pub(crate) fn components(parts: usize, pairs: &[[usize; 2]]) -> Vec<usize> {
    let mut component: Vec<usize> = (0..parts).collect();
    for [a, b] in pairs {
        let (from, to) = (component[*a].max(component[*b]), component[*a].min(component[*b]));
        component.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
    }
    component
}

impl Tree {
    /// The lightest tree. `root` is wished for, or the middle of the tree is taken, of two middles the
    /// one with the smaller `offset_m` from the middle of everything.
    pub(crate) fn of(
        links: &[([usize; 2], Link)],
        offsets_m: &[f64],
        (spacing_m, root): (f64, Option<usize>),
    ) -> Self {
        let parts = offsets_m.len();
        let weighted: Vec<_> =
            links.iter().map(|(pair, link)| (*pair, link.weight_m(spacing_m))).collect();
        let chosen = spanning(parts, &weighted);
        let pairs: Vec<[usize; 2]> = chosen.iter().map(|link| weighted[*link].0).collect();
        let component = components(parts, &pairs);
        let mut tree = Self { parents: vec![None; parts], ..Self::default() };
        for first in 0..parts {
            if component[first] == first {
                let members: Vec<usize> = (0..parts).filter(|p| component[*p] == first).collect();
                let wished = root.filter(|root| component[*root] == first);
                let top = wished.unwrap_or_else(|| middle(&members, &pairs, offsets_m));
                tree.hang(top, &pairs);
            }
        }
        for &child in &tree.order {
            let Some(parent) = tree.parents[child] else { continue };
            let at =
                chosen.iter().find(|at| weighted[**at].0 == [parent.min(child), parent.max(child)]);
            if let Some(at) = at {
                let cut: Vec<[usize; 2]> =
                    pairs.iter().copied().filter(|pair| *pair != weighted[*at].0).collect();
                tree.edges.push(edge(
                    (parent, child),
                    links[*at].1,
                    spacing_m,
                    &components(parts, &cut),
                    &weighted,
                ));
            }
        }
        let worst = tree.edges.iter().map(|edge| edge.weight_m).fold(0.0, f64::max);
        let others = links.iter().enumerate().filter(|(at, _)| !chosen.contains(at));
        tree.loops = others
            .map(|(at, (parts, link))| LoopEdge {
                parts: *parts,
                residual_m: link.residual_m,
                weight_m: weighted[at].1,
            })
            .filter(|edge| edge.weight_m <= AS_GOOD * worst)
            .collect();
        order::by(&mut tree.loops, |a, b| a.weight_m.total_cmp(&b.weight_m));
        tree
    }

    /// Hangs everything that is linked to a root below it.
    fn hang(&mut self, root: usize, pairs: &[[usize; 2]]) {
        let mut next = self.order.len();
        self.order.push(root);
        while let Some(&parent) = self.order.get(next) {
            next += 1;
            let mut below: Vec<usize> = neighbours(parent, pairs)
                .filter(|child| Some(*child) != self.parents[parent])
                .collect();
            below.sort_unstable();
            for child in below {
                self.parents[child] = Some(parent);
                self.order.push(child);
            }
        }
    }
}

fn neighbours(part: usize, pairs: &[[usize; 2]]) -> impl Iterator<Item = usize> + '_ {
    pairs.iter().filter(move |pair| pair.contains(&part)).map(move |[a, b]| a + b - part)
}

/// The middle of a tree: what is left when its leaves are taken off again and again.
fn middle(members: &[usize], pairs: &[[usize; 2]], offsets_m: &[f64]) -> usize {
    let mut left = members.to_vec();
    while left.len() > 2 {
        let degree = |part: usize| neighbours(part, pairs).filter(|n| left.contains(n)).count();
        left = left.iter().copied().filter(|part| degree(*part) > 1).collect();
    }
    let nearer = |a: &usize, b: &usize| offsets_m[*a].total_cmp(&offsets_m[*b]);
    left.into_iter().min_by(nearer).unwrap_or_default()
}

fn edge(
    (parent, child): (usize, usize),
    link: Link,
    spacing_m: f64,
    without: &[usize],
    weighted: &[([usize; 2], f64)],
) -> TreeEdge {
    let weight_m = link.weight_m(spacing_m);
    let own = [parent.min(child), parent.max(child)];
    let runner_up = weighted
        .iter()
        .filter(|([a, b], _)| [*a, *b] != own && joins(without, [*a, *b], own))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .copied();
    let confidence = match runner_up {
        Some((_, other_m)) if other_m > 0.0 => (1.0 - weight_m / other_m).clamp(0.0, 1.0),
        Some(_) => 0.0,
        None => 1.0,
    };
    TreeEdge {
        parent,
        child,
        residual_m: link.residual_m,
        weight_m,
        evidence: link.evidence,
        runner_up,
        confidence,
        is_doubtful: confidence < DOUBTFUL,
    }
}

/// Whether a pair links the two components that another pair does.
fn joins(component: &[usize], [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    let (one, other) = ([component[a], component[b]], [component[c], component[d]]);
    one == other || one == [other[1], other[0]]
}
