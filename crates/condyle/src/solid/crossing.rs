//! Triangles of a surface that cross each other.

use nalgebra::Point3;

use super::predicates::{area2, volume6};

/// Pairs of triangles that meet elsewhere than in the corners and edges that they share, at most `most` of them.
pub(super) fn crossings(
    vertices_m: &[Point3<f64>],
    triangles: &[[u32; 3]],
    most: usize,
) -> Vec<[usize; 2]> {
    let corners = |at: usize| triangles[at].map(|v| vertices_m[v as usize]);
    let boxes: Vec<[Point3<f64>; 2]> = (0..triangles.len())
        .map(|at| {
            let [a, b, c] = corners(at);
            [a.inf(&b).inf(&c), a.sup(&b).sup(&c)]
        })
        .collect();
    // The axis along which they are spread most is swept.
    let (mut low, mut high) = (boxes[0][0], boxes[0][1]);
    for [a, b] in &boxes {
        low = low.inf(a);
        high = high.sup(b);
    }
    let axis = (high - low).imax();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|a, b| boxes[*a][0][axis].total_cmp(&boxes[*b][0][axis]));
    let mut found = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        for &j in &order[place + 1..] {
            if boxes[j][0][axis] > boxes[i][1][axis] {
                break;
            }
            let apart =
                (0..3).any(|k| boxes[j][0][k] > boxes[i][1][k] || boxes[i][0][k] > boxes[j][1][k]);
            if !apart && cross(vertices_m, &triangles[i], &triangles[j]) {
                found.push([i.min(j), i.max(j)]);
                if found.len() >= most {
                    return found;
                }
            }
        }
    }
    found.sort_unstable();
    found
}

fn cross(vertices_m: &[Point3<f64>], own: &[u32; 3], other: &[u32; 3]) -> bool {
    let at = |v: u32| &vertices_m[v as usize];
    let shared = own.iter().filter(|v| other.contains(v)).count();
    match shared {
        0 => {
            edges(own).iter().any(|edge| meets(edge.map(at), other.map(at)))
                || edges(other).iter().any(|edge| meets(edge.map(at), own.map(at)))
        }
        1 => {
            let without = |of: &[u32; 3], not: &[u32; 3]| {
                edges(of).into_iter().find(|edge| edge.iter().all(|v| !not.contains(v)))
            };
            without(own, other).is_some_and(|edge| meets(edge.map(at), other.map(at)))
                || without(other, own).is_some_and(|edge| meets(edge.map(at), own.map(at)))
        }
        2 => {
            // Folded onto each other.
            let Some(&d) = other.iter().find(|v| !own.contains(v)) else { return true };
            let [a, b, c] = *own;
            if volume6(at(a), at(b), at(c), at(d)) != 0.0 {
                return false;
            }
            let Some(tip) = own.iter().find(|v| !other.contains(v)) else { return true };
            let edge: Vec<u32> = own.iter().copied().filter(|v| v != tip).collect();
            let axis = flat_axis([at(a), at(b), at(c)]);
            let side = |p: u32| area2(axis, [at(edge[0]), at(edge[1]), at(p)]);
            side(*tip) * side(d) > 0.0
        }
        _ => true,
    }
}

fn edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The axis that a triangle faces most.
fn flat_axis([a, b, c]: [&Point3<f64>; 3]) -> usize {
    (b - a).cross(&(c - a)).map(f64::abs).imax()
}

/// Whether a segment and a triangle have a point in common.
fn meets([p, q]: [&Point3<f64>; 2], [a, b, c]: [&Point3<f64>; 3]) -> bool {
    let [of_p, of_q] = [p, q].map(|end| volume6(a, b, c, end));
    if of_p * of_q > 0.0 {
        return false;
    }
    if of_p == 0.0 && of_q == 0.0 {
        return meets_flat([p, q], [a, b, c]);
    }
    let sides = [(a, b), (b, c), (c, a)].map(|(x, y)| volume6(p, q, x, y));
    sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
}

/// The same in a plane.
fn meets_flat([p, q]: [&Point3<f64>; 2], [a, b, c]: [&Point3<f64>; 3]) -> bool {
    let axis = flat_axis([a, b, c]);
    let area = |x, y, z| area2(axis, [x, y, z]);
    let holds = |p| {
        let sides = [area(a, b, p), area(b, c, p), area(c, a, p)];
        sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
    };
    let cuts = |x, y| area(p, q, x) * area(p, q, y) < 0.0 && area(x, y, p) * area(x, y, q) < 0.0;
    holds(p) || holds(q) || cuts(a, b) || cuts(b, c) || cuts(c, a)
}
