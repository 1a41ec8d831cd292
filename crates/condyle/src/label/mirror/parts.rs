//! Which labels change sides together.

use crate::label::body_shape::BodyShape;

/// Labels that change sides together are nearer than this, and keep their distance to a tenth of it.
const TOGETHER_M: f64 = 0.15;

/// Sets of labels that may change sides.
pub(super) fn parts(shape: &BodyShape, partner: &[usize]) -> Vec<Vec<usize>> {
    let labels = shape.labels;
    let mut part_of: Vec<usize> = (0..labels).collect();
    let mut join = |i: usize, j: usize| {
        let (from, to) = (part_of[i], part_of[j]);
        part_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
    };
    let spread_m = |i: usize, j: usize| {
        shape.distance(i, j).map_or(f64::INFINITY, |d| d.mean_m + 10.0 * d.variance_m2.sqrt())
    };
    for i in 0..labels {
        join(i, partner[i]);
        for j in 0..i {
            let is_sided = partner[i] != i && partner[j] != j;
            if is_sided && spread_m(i, j) < TOGETHER_M {
                join(i, j);
            }
        }
    }
    let mut names = part_of.clone();
    names.sort_unstable();
    names.dedup();
    let members = |part: &usize| -> Vec<usize> {
        (0..labels).filter(|label| part_of[*label] == *part).collect()
    };
    let nodes: Vec<Vec<usize>> = names.iter().map(members).collect();
    let sided = |labels: &[usize]| -> Vec<usize> {
        labels.iter().copied().filter(|label| partner[*label] != *label).collect()
    };
    let mut parts: Vec<Vec<usize>> = nodes.iter().map(|node| sided(node)).collect();
    parts.push(sided(&(0..labels).collect::<Vec<_>>()));
    let edges = tree(&nodes, spread_m);
    for (a, b) in edges.iter().copied() {
        // Everything on the side of b.
        let mut beyond = vec![b];
        let mut next = 0;
        while next < beyond.len() {
            for (x, y) in &edges {
                for (from, to) in [(*x, *y), (*y, *x)] {
                    let is_cut = (from, to) == (a, b) || (from, to) == (b, a);
                    if from == beyond[next] && !is_cut && !beyond.contains(&to) {
                        beyond.push(to);
                    }
                }
            }
            next += 1;
        }
        let far: Vec<usize> = beyond.iter().flat_map(|node| nodes[*node].iter().copied()).collect();
        let near: Vec<usize> = (0..labels).filter(|label| !far.contains(label)).collect();
        parts.extend([sided(&far), sided(&near)]);
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts.sort();
    parts.dedup();
    parts.retain(|part| !part.is_empty());
    parts
}

/// The edges of the tree that joins nodes by their nearest labels.
fn tree(nodes: &[Vec<usize>], spread_m: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    let mut joined = vec![false; nodes.len()];
    if let Some(first) = joined.first_mut() {
        *first = true;
    }
    let between = |a: usize, b: usize| {
        let pairs = nodes[a].iter().flat_map(|i| nodes[b].iter().map(move |j| (*i, *j)));
        pairs.map(|(i, j)| spread_m(i, j)).fold(f64::INFINITY, f64::min)
    };
    for _ in 1..nodes.len() {
        let inside = (0..nodes.len()).filter(|a| joined[*a]);
        let pairs = inside.flat_map(|a| (0..nodes.len()).map(move |b| (a, b)));
        let open = pairs.filter(|(_, b)| !joined[*b]);
        let Some((a, b)) = open.min_by(|x, y| between(x.0, x.1).total_cmp(&between(y.0, y.1)))
        else {
            break;
        };
        joined[b] = true;
        edges.push((a, b));
    }
    edges
}
