//! A surface within Delaunay tetrahedra: what of it is missing is split until it is there.

use std::collections::{HashMap, HashSet};

use nalgebra::Point3;

use super::delaunay::{Delaunay, GHOST, face};

/// Passes over the surface at most.
const PASSES: usize = 200;
/// Points that may be added for every vertex.
const ADDED: usize = 30;
/// Cosines this near to each other belong to four points on a circle.
const ON_A_CIRCLE: f64 = 1e-9;

/// A surface whose triangles are cut as needed; the parts of each stay in its plane.
pub(super) struct Surface {
    /// The corners, counter-clockwise from outside, and the triangle of the input that it is a part of.
    pub parts: Vec<([u32; 3], u32)>,
    /// The parts on either side of an edge.
    sides: HashMap<[u32; 2], [u32; 2]>,
    /// Vertices from here on were added.
    added_from: u32,
}

fn key(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

impl Surface {
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let parts: Vec<([u32; 3], u32)> =
            triangles.iter().enumerate().map(|(at, corners)| (*corners, at as u32)).collect();
        let mut sides: HashMap<[u32; 2], [u32; 2]> = HashMap::with_capacity(parts.len() * 2);
        for (at, ([a, b, c], _)) in parts.iter().enumerate() {
            for [a, b] in [[*a, *b], [*b, *c], [*c, *a]] {
                sides
                    .entry(key(a, b))
                    .and_modify(|own| own[1] = at as u32)
                    .or_insert([at as u32, u32::MAX]);
            }
        }
        Self { parts, sides, added_from: vertices as u32 }
    }

    /// Splits and flips until every part is a face; `None` if that comes to no end.
    pub fn recover(&mut self, mesh: &mut Delaunay) -> Option<()> {
        let most = self.added_from as usize * (1 + ADDED) + 10_000;
        for _ in 0..PASSES {
            let mut faces = HashSet::new();
            let mut edges = HashSet::new();
            for (_, corners) in mesh.all() {
                for opposite in 0..4 {
                    let own = face(corners, opposite);
                    if own.contains(&GHOST) {
                        continue;
                    }
                    let [a, b, c] = sorted(own);
                    faces.insert([a, b, c]);
                    edges.extend([[a, b], [b, c], [a, c]]);
                }
            }
            let missing: Vec<u32> = (0..self.parts.len() as u32)
                .filter(|at| !faces.contains(&sorted(self.parts[*at as usize].0)))
                .collect();
            if missing.is_empty() {
                return Some(());
            }
            let mut is_changed = vec![false; self.parts.len()];
            for at in missing {
                if is_changed[at as usize] {
                    continue;
                }
                let changed = self.mend(at, mesh, &edges, &faces);
                for part in changed {
                    match is_changed.get_mut(part as usize) {
                        Some(own) => *own = true,
                        None => is_changed.resize(part as usize + 1, true),
                    }
                }
                if mesh.points.len() > most {
                    return None;
                }
            }
        }
        None
    }

    /// Does one thing about a part that is missing; the parts that it changed.
    fn mend(
        &mut self,
        at: u32,
        mesh: &mut Delaunay,
        edges: &HashSet<[u32; 2]>,
        faces: &HashSet<[u32; 3]>,
    ) -> Vec<u32> {
        let [a, b, c] = self.parts[at as usize].0;
        let own = [[a, b], [b, c], [c, a]];
        let length =
            |[a, b]: [u32; 2]| (mesh.points[a as usize] - mesh.points[b as usize]).norm_squared();
        // The other diagonal of four points on a circle may be there.
        for edge in own {
            if let Some((_, [p, q])) = self.across(edge) {
                let flipped = [sorted([edge[0], p, q]), sorted([edge[1], p, q])];
                if flipped.iter().all(|face| faces.contains(face))
                    && self.is_on_a_circle(edge, [p, q], &mesh.points)
                {
                    return self.flip(edge, [p, q]);
                }
            }
        }
        let lost = own.into_iter().filter(|[a, b]| !edges.contains(&key(*a, *b)));
        let longest = |edges: &mut dyn Iterator<Item = [u32; 2]>| {
            edges.max_by(|a, b| length(*a).total_cmp(&length(*b)))
        };
        let edge = longest(&mut lost.into_iter()).or_else(|| longest(&mut own.into_iter()));
        match edge {
            Some(edge) => self.split(edge, mesh),
            None => Vec::new(),
        }
    }

    /// The parts on either side of an edge within a triangle, and their tips.
    fn across(&self, [a, b]: [u32; 2]) -> Option<([u32; 2], [u32; 2])> {
        let sides = *self.sides.get(&key(a, b))?;
        let [(x, of_x), (y, of_y)] = sides.map(|at| self.parts[at as usize]);
        let tip = |corners: [u32; 3]| corners.into_iter().find(|v| *v != a && *v != b);
        (of_x == of_y).then_some(())?;
        Some((sides, [tip(x)?, tip(y)?]))
    }

    /// The sine of the sum of the angles that face an edge: negative where the other diagonal is Delaunay's.
    fn bend([a, b]: [u32; 2], [p, q]: [u32; 2], points: &[Point3<f64>]) -> f64 {
        let at = |v: u32| points[v as usize];
        let angle = |tip: u32| {
            let (x, y) = (at(a) - at(tip), at(b) - at(tip));
            let size = x.norm() * y.norm();
            (x.dot(&y) / size, x.cross(&y).norm() / size)
        };
        let [(cos_p, sin_p), (cos_q, sin_q)] = [angle(p), angle(q)];
        sin_p * cos_q + cos_p * sin_q
    }

    fn is_on_a_circle(&self, edge: [u32; 2], tips: [u32; 2], points: &[Point3<f64>]) -> bool {
        Self::bend(edge, tips, points).abs() < 1e3 * ON_A_CIRCLE
    }

    /// Puts the other diagonal in the place of an edge within a triangle.
    fn flip(&mut self, [a, b]: [u32; 2], [p, q]: [u32; 2]) -> Vec<u32> {
        let Some(&sides) = self.sides.get(&key(a, b)) else { return Vec::new() };
        let of = self.parts[sides[0] as usize].1;
        // The first part runs a, b, p or b, a, p.
        let runs_on = {
            let corners = self.parts[sides[0] as usize].0;
            let place = corners.iter().position(|v| *v == a).unwrap_or(0);
            corners[(place + 1) % 3] == b
        };
        let (a, b) = if runs_on { (a, b) } else { (b, a) };
        self.parts[sides[0] as usize] = ([a, q, p], of);
        self.parts[sides[1] as usize] = ([q, b, p], of);
        self.sides.remove(&key(a, b));
        self.sides.insert(key(p, q), sides);
        self.hand_over(key(a, q), sides[1], sides[0]);
        self.hand_over(key(b, p), sides[0], sides[1]);
        sides.to_vec()
    }

    fn hand_over(&mut self, edge: [u32; 2], from: u32, to: u32) {
        if let Some(own) = self.sides.get_mut(&edge)
            && let Some(place) = own.iter_mut().find(|at| **at == from)
        {
            *place = to;
        }
    }

    /// Puts a point into an edge; the parts that changed.
    fn split(&mut self, [a, b]: [u32; 2], mesh: &mut Delaunay) -> Vec<u32> {
        let Some(&sides) = self.sides.get(&key(a, b)) else { return Vec::new() };
        let middle = mesh.add(self.place([a, b], &mesh.points));
        if middle == a || middle == b {
            return Vec::new();
        }
        self.sides.remove(&key(a, b));
        let mut changed = sides.to_vec();
        let mut halves: [[u32; 2]; 2] = [[u32::MAX; 2]; 2];
        let mut tips = Vec::new();
        for (side, at) in sides.into_iter().enumerate() {
            let (corners, of) = self.parts[at as usize];
            let Some(place) = corners.iter().position(|v| *v != a && *v != b) else { continue };
            let [tip, x, y] = [corners[place], corners[(place + 1) % 3], corners[(place + 2) % 3]];
            let new = self.parts.len() as u32;
            self.parts[at as usize] = ([tip, x, middle], of);
            self.parts.push(([tip, middle, y], of));
            self.hand_over(key(tip, y), at, new);
            self.sides.insert(key(tip, middle), [at, new]);
            for (half, end) in [(0, a), (1, b)] {
                halves[half][side] = if end == x { at } else { new };
            }
            changed.push(new);
            tips.extend([[tip, x], [tip, y]]);
        }
        self.sides.insert(key(a, middle), halves[0]);
        self.sides.insert(key(middle, b), halves[1]);
        self.legalise(tips, &mesh.points, &mut changed);
        changed
    }

    /// Where an edge is cut: its middle, or, from a corner of the input, at a distance that is a power of two, so that
    /// edges that meet there at a small angle are not cut by turns for ever (Ruppert 1995).
    fn place(&self, [a, b]: [u32; 2], points: &[Point3<f64>]) -> Point3<f64> {
        let [a, b] = if a < self.added_from { [a, b] } else { [b, a] };
        let [from, to] = [a, b].map(|v| points[v as usize]);
        if a < self.added_from && b >= self.added_from {
            let length = (to - from).norm();
            let share = (0.5 * length).log2().round().exp2() / length;
            return from + (to - from) * share;
        }
        nalgebra::center(&from, &to)
    }

    /// Flips edges within triangles until they are Delaunay's there.
    fn legalise(
        &mut self,
        mut waiting: Vec<[u32; 2]>,
        points: &[Point3<f64>],
        changed: &mut Vec<u32>,
    ) {
        while let Some(edge) = waiting.pop() {
            let Some((_, [p, q])) = self.across(edge) else { continue };
            if Self::bend(edge, [p, q], points) < -ON_A_CIRCLE {
                changed.extend(self.flip(edge, [p, q]));
                waiting.extend([[edge[0], p], [edge[0], q], [edge[1], p], [edge[1], q]]);
            }
        }
    }
}
