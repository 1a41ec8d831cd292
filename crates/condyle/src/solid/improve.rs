//! Flat tetrahedra taken out of a mesh, with its outside kept as it is.
//!
//! # Method
//! Hill climbing by the worst tetrahedron that a change has a part in (Freitag and Ollivier-Gooch 1997, *Tetrahedral mesh
//! improvement using swapping and smoothing*): an edge inside gives way to the best triangulation of the ring around it
//! (Klincsek 1980), a face inside to the edge between the corners on its two sides. Where neither helps a point inside
//! moves, or a new one takes the place of all tetrahedra that it sees (Klingner and Shewchuk 2007, *Aggressive tetrahedral
//! mesh improvement*). How good a tetrahedron is, is the smallest sine of the angles between its faces.

use std::collections::HashMap;

use nalgebra::{Point3, Vector3};

use super::tetrahedra::{TetrahedralMesh, face};

/// Tetrahedra below this are worked on: the sine of ten degrees.
const GOOD: f64 = 0.1736;
/// New points are for those below this: the sine of five degrees.
const POOR: f64 = 0.0872;
/// 6V over the lengths of three edges is known to a few times the precision of a number, and better than this.
const FLAT: f64 = 1e-14;
/// Passes over the mesh at most, and rings of so many corners.
const PASSES: usize = 12;
const MOST_AROUND: usize = 9;
/// What a new point replaces at most, how much better it must make it, and how good at least.
const MOST_REPLACED: usize = 30;
const LEAST_GAIN: f64 = 1.5;
const LEAST_BY_POINT: f64 = 0.01;
/// So often a new point is tried.
const TRIES: usize = 3;

impl TetrahedralMesh {
    /// The same mesh with fewer flat tetrahedra; its outside is the same, points inside may be added.
    pub(super) fn improved(self) -> Self {
        let corners_m = |own: &[u32; 4]| own.map(|at| self.vertices_m()[at as usize]);
        if self.tetrahedra().iter().all(|own| quality(corners_m(own)) >= GOOD) {
            return self;
        }
        let mut own = Work::new(&self);
        (0..PASSES).any(|_| !own.pass());
        let better = if own.changes > 0 { own.mesh() } else { None };
        better.unwrap_or(self).without_unused_vertices()
    }
}

/// A mesh that is changed piece by piece.
struct Work {
    points: Vec<Point3<f64>>,
    /// Of those that are gone nothing is left but their place.
    tetrahedra: Vec<Option<[u32; 4]>>,
    /// How good they are, or were.
    qualities: Vec<f64>,
    /// For every vertex its tetrahedra.
    around: Vec<Vec<u32>>,
    /// Vertices of the surface stay where they are.
    is_outside: Vec<bool>,
    /// How often a new point was tried in the place of a tetrahedron: what is around it changes seldom without it.
    tries: HashMap<u32, usize>,
    /// So many changes were made; for every vertex the last that something around it had a part in, and for every
    /// tetrahedron how many there were when nothing helped it.
    changes: u32,
    touched: Vec<u32>,
    given_up: HashMap<u32, u32>,
}

/// A change, and how good the worst of the new tetrahedra is.
struct Change {
    worst: f64,
    gone: Vec<u32>,
    new: Vec<[u32; 4]>,
}

/// The two other corners of a right-handed tetrahedron, so that (a, b, c, d) is right-handed.
fn rest(corners: [u32; 4], a: u32, b: u32) -> Option<[u32; 2]> {
    let i = corners.iter().position(|at| *at == a)?;
    let j = corners.iter().position(|at| *at == b)?;
    let mut others = corners.into_iter().filter(|at| *at != a && *at != b);
    let (c, d) = (others.next()?, others.next()?);
    let is_even = (i + j + usize::from(i < j)).is_multiple_of(2);
    Some(if is_even { [c, d] } else { [d, c] })
}

/// How good a tetrahedron is: -1 if it is left-handed, or so flat that rounding decides on which side it is.
///
/// # Method
/// The sine of the angle at an edge is 6V times its length over the areas of both faces, each twice.
fn quality([a, b, c, d]: [Point3<f64>; 4]) -> f64 {
    let [p, q, r] = [b - a, c - a, d - a];
    let across = p.cross(&q);
    let volume6 = across.dot(&r);
    // Differences are rounded once each: what is far from the origin is as exact.
    if volume6.is_nan() || volume6 <= FLAT * p.norm() * q.norm() * r.norm() {
        return -1.0;
    }
    let [s, t, u] = [c - b, d - b, d - c];
    // Opposite a, b, c and d.
    let faces = [s.cross(&t), q.cross(&r), p.cross(&r), across].map(|own| own.norm());
    let edges = [(p, 2, 3), (q, 1, 3), (r, 1, 2), (s, 0, 3), (t, 0, 2), (u, 0, 1)];
    let sine =
        |(edge, i, j): (Vector3<f64>, usize, usize)| volume6 * edge.norm() / (faces[i] * faces[j]);
    edges.map(sine).into_iter().fold(f64::INFINITY, f64::min)
}

impl Work {
    fn new(mesh: &TetrahedralMesh) -> Self {
        let points = mesh.vertices_m().to_vec();
        let mut around = vec![Vec::new(); points.len()];
        for (at, corners) in mesh.tetrahedra().iter().enumerate() {
            corners.iter().for_each(|corner| around[*corner as usize].push(at as u32));
        }
        let of = |own: &[u32; 4]| quality(own.map(|at| points[at as usize]));
        let qualities = mesh.tetrahedra().iter().map(of).collect();
        let tetrahedra = mesh.tetrahedra().iter().copied().map(Some).collect();
        let is_outside = vec![false; points.len()];
        let touched = vec![0; points.len()];
        let mut own = Self {
            points,
            tetrahedra,
            qualities,
            around,
            is_outside,
            tries: HashMap::new(),
            changes: 0,
            touched,
            given_up: HashMap::new(),
        };
        for at in 0..own.tetrahedra.len() {
            let Some(corners) = own.tetrahedra[at] else { continue };
            for opposite in 0..4 {
                let side = face(&corners, opposite);
                if own.across(at as u32, side).is_none() {
                    side.iter().for_each(|corner| own.is_outside[*corner as usize] = true);
                }
            }
        }
        own
    }

    fn mesh(self) -> Option<TetrahedralMesh> {
        let left = self.tetrahedra.into_iter().flatten().collect();
        TetrahedralMesh::new(self.points, left).ok()
    }

    fn point(&self, at: u32) -> &Point3<f64> {
        &self.points[at as usize]
    }

    fn quality(&self, corners: [u32; 4]) -> f64 {
        quality(corners.map(|at| *self.point(at)))
    }

    /// How good the worst of some tetrahedra is.
    fn worst(&self, of: &[u32]) -> f64 {
        of.iter().map(|at| self.qualities[*at as usize]).fold(f64::INFINITY, f64::min)
    }

    /// The tetrahedron on the other side of a face.
    fn across(&self, at: u32, side: [u32; 3]) -> Option<u32> {
        let has = |other: &u32| {
            let corners = self.tetrahedra[*other as usize];
            *other != at && corners.is_some_and(|own| side.iter().all(|at| own.contains(at)))
        };
        // A central point has all tetrahedra around it.
        let [a, b, c] = side.map(|at| &self.around[at as usize]);
        let fewer = if a.len() <= b.len() { a } else { b };
        let fewest = if fewer.len() <= c.len() { fewer } else { c };
        fewest.iter().copied().find(has)
    }

    fn apply(&mut self, change: Change) {
        self.touch(&change.gone);
        for at in change.gone {
            let Some(corners) = self.tetrahedra[at as usize].take() else { continue };
            for corner in corners {
                self.around[corner as usize].retain(|own| *own != at);
            }
        }
        for corners in change.new {
            let number = self.tetrahedra.len() as u32;
            corners.iter().for_each(|corner| self.around[*corner as usize].push(number));
            self.tetrahedra.push(Some(corners));
            self.qualities.push(self.quality(corners));
        }
    }

    /// Says how good some tetrahedra are, one of whose corners moved.
    fn weigh_again(&mut self, moved: &[u32]) {
        for at in moved {
            if let Some(corners) = self.tetrahedra[*at as usize] {
                self.qualities[*at as usize] = self.quality(corners);
            }
        }
    }

    /// Counts a change of some tetrahedra.
    fn touch(&mut self, changed: &[u32]) {
        self.changes += 1;
        for corner in changed.iter().filter_map(|at| self.tetrahedra[*at as usize]).flatten() {
            self.touched[corner as usize] = self.changes;
        }
    }

    /// Whether nothing helped a tetrahedron, and nothing around it was changed since.
    fn is_given_up(&self, at: u32, corners: [u32; 4]) -> bool {
        let last = corners.map(|corner| self.touched[corner as usize]).into_iter().max();
        self.given_up.get(&at).is_some_and(|changes| Some(*changes) >= last)
    }

    /// Works on every tetrahedron that is not good, the worst first; whether anything came of it.
    fn pass(&mut self) -> bool {
        let mut waiting: Vec<(f64, u32)> = Vec::new();
        for (at, corners) in self.tetrahedra.iter().enumerate() {
            let quality = self.qualities[at];
            if corners.is_some() && quality < GOOD {
                waiting.push((quality, at as u32));
            }
        }
        waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut is_better = false;
        for (_, at) in waiting {
            let Some(corners) = self.tetrahedra[at as usize] else { continue };
            if self.is_given_up(at, corners) {
                continue;
            }
            let is_helped = if let Some(change) = self.flip(at, corners) {
                self.apply(change);
                true
            } else if self.smooth(corners) {
                true
            } else if self.tries.get(&at).is_none_or(|tries| *tries < TRIES)
                && self.qualities[at as usize] < POOR
            {
                *self.tries.entry(at).or_default() += 1;
                self.insert(at, corners)
            } else {
                false
            };
            if !is_helped {
                self.given_up.insert(at, self.changes);
            }
            is_better |= is_helped;
        }
        is_better
    }

    /// The best flip of an edge or a face of a tetrahedron, if any makes it better.
    fn flip(&self, at: u32, corners: [u32; 4]) -> Option<Change> {
        let mut best: Option<Change> = None;
        let mut offer = |change: Option<Change>| {
            if let Some(change) = change
                && best.as_ref().is_none_or(|best| change.worst > best.worst)
            {
                best = Some(change);
            }
        };
        for i in 0..4 {
            (0..i).for_each(|j| offer(self.without_edge(corners[i], corners[j])));
            offer(self.without_face(at, corners, i));
        }
        best
    }

    /// An edge removed, if that is better.
    fn without_edge(&self, a: u32, b: u32) -> Option<Change> {
        let (gone, ring) = self.ring(a, b)?;
        let before = self.worst(&gone);
        let n = ring.len();
        // The best triangulation of the corners from i to j, and where it divides them.
        let mut best = [[(f64::INFINITY, 0usize); MOST_AROUND]; MOST_AROUND];
        for span in 2..n {
            for i in 0..n - span {
                let j = i + span;
                best[i][j] = (-1.0, i + 1);
                for k in i + 1..j {
                    let bound = best[i][k].0.min(best[k][j].0);
                    if bound <= best[i][j].0 || bound <= before {
                        continue;
                    }
                    let [p, q, r] = [ring[i], ring[k], ring[j]];
                    let own = self.quality([p, q, r, b]).min(bound);
                    if own > best[i][j].0 {
                        let own = self.quality([p, r, q, a]).min(own);
                        if own > best[i][j].0 {
                            best[i][j] = (own, k);
                        }
                    }
                }
            }
        }
        let worst = best[0][n - 1].0;
        if worst <= before {
            return None;
        }
        let mut new = Vec::with_capacity(2 * n);
        let mut waiting = vec![(0, n - 1)];
        while let Some((i, j)) = waiting.pop() {
            if j - i < 2 {
                continue;
            }
            let k = best[i][j].1;
            let [p, q, r] = [ring[i], ring[k], ring[j]];
            new.extend([[p, q, r, b], [p, r, q, a]]);
            waiting.extend([(i, k), (k, j)]);
        }
        Some(Change { worst, gone, new })
    }

    /// The tetrahedra around an edge inside, and the corners around it counter-clockwise as b sees them.
    fn ring(&self, a: u32, b: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        let mut sides: Vec<(u32, [u32; 2])> = Vec::with_capacity(MOST_AROUND);
        for at in &self.around[a as usize] {
            if let Some(pair) = self.tetrahedra[*at as usize].and_then(|own| rest(own, a, b)) {
                sides.push((*at, pair));
            }
        }
        if !(3..=MOST_AROUND).contains(&sides.len()) {
            return None;
        }
        let mut ring = vec![sides[0].1[0]];
        let mut next = sides[0].1[1];
        while next != ring[0] {
            ring.push(next);
            next = sides.iter().find(|(_, pair)| pair[0] == next)?.1[1];
            if ring.len() > sides.len() {
                return None;
            }
        }
        (ring.len() == sides.len()).then(|| (sides.into_iter().map(|own| own.0).collect(), ring))
    }

    /// Two tetrahedra by three around the edge between the corners that they do not share, if that is better.
    fn without_face(&self, at: u32, corners: [u32; 4], opposite: usize) -> Option<Change> {
        let own = face(&corners, opposite);
        let other = self.across(at, own)?;
        let from = corners[opposite];
        let to = self.tetrahedra[other as usize]?.into_iter().find(|at| !own.contains(at))?;
        let gone = vec![at, other];
        let before = self.worst(&gone);
        let [x, y, z] = own;
        let new = vec![[from, to, x, y], [from, to, y, z], [from, to, z, x]];
        let worst = new.iter().map(|own| self.quality(*own)).fold(f64::INFINITY, f64::min);
        (worst > before).then_some(Change { worst, gone, new })
    }

    /// Moves a corner inside towards the middle of its neighbours; whether that made anything better.
    fn smooth(&mut self, corners: [u32; 4]) -> bool {
        for corner in corners {
            if self.is_outside[corner as usize] {
                continue;
            }
            let star = self.around[corner as usize].clone();
            let before = self.worst(&star);
            let here = *self.point(corner);
            let middle = self.middle(&star);
            // What is flat or left-handed is to be neither afterwards.
            let least = f64::max(LEAST_GAIN * before, 0.0);
            for share in [1.0, 0.5, 0.2] {
                self.points[corner as usize] = here + (middle - here) * share;
                self.weigh_again(&star);
                if self.worst(&star) > least {
                    self.touch(&star);
                    return true;
                }
            }
            self.points[corner as usize] = here;
            self.weigh_again(&star);
        }
        false
    }

    /// The mean of the corners of some tetrahedra.
    fn middle(&self, of: &[u32]) -> Point3<f64> {
        let mut sum = Vector3::zeros();
        let mut count = 0.0;
        for corner in of.iter().filter_map(|at| self.tetrahedra[*at as usize]).flatten() {
            sum += self.point(corner).coords;
            count += 1.0;
        }
        Point3::from(sum / f64::max(count, 1.0))
    }

    /// Puts a point in the place of a tetrahedron and of what else it takes; whether that made it better.
    fn insert(&mut self, at: u32, corners: [u32; 4]) -> bool {
        let mut places = vec![self.middle(&[at])];
        for opposite in 0..4 {
            if let Some(other) = self.across(at, face(&corners, opposite)) {
                places.push(self.middle(&[other]));
                places.push(self.middle(&[at, other]));
            }
        }
        places.extend(corners.map(|corner| self.middle(&self.around[corner as usize])));
        let least = (LEAST_GAIN * self.qualities[at as usize]).max(LEAST_BY_POINT);
        let mut best: Option<(Point3<f64>, Change)> = None;
        // What grows far meets the outside, which may not be seen from there.
        for wanted in [GOOD, 0.0] {
            for place in &places {
                let least = best.as_ref().map_or(least, |best| best.1.worst);
                if let Some(change) = self.seen(at, place, [least, wanted]) {
                    best = Some((*place, change));
                }
            }
            if best.is_some() {
                break;
            }
        }
        let Some((place, change)) = best else { return false };
        self.points.push(place);
        self.around.push(Vec::new());
        self.is_outside.push(false);
        self.touched.push(0);
        self.apply(change);
        true
    }

    /// A new point in the place of tetrahedra whose outer faces it sees better than a bound, from one on: they grow over
    /// faces that it sees less well than wanted.
    fn seen(&self, first: u32, place: &Point3<f64>, [bound, wanted]: [f64; 2]) -> Option<Change> {
        let mut gone = vec![first];
        let mut next = 0;
        let mut worst = f64::INFINITY;
        let mut sides: Vec<([u32; 3], Option<u32>)> = Vec::new();
        while let Some(at) = gone.get(next).copied() {
            next += 1;
            let corners = self.tetrahedra[at as usize]?;
            for opposite in 0..4 {
                let side = face(&corners, opposite);
                let other = self.across(at, side);
                if other.is_some_and(|other| gone.contains(&other)) {
                    continue;
                }
                let [a, b, c] = side.map(|at| *self.point(at));
                let own = quality([a, c, b, *place]);
                match other {
                    Some(other) if own <= bound.max(wanted) && gone.len() < MOST_REPLACED => {
                        gone.push(other);
                    }
                    _ if own > bound => {
                        worst = worst.min(own);
                        sides.push((side, other));
                    }
                    _ => return None,
                }
            }
        }
        // What was a side may have been reached from behind.
        sides.retain(|(_, other)| !other.is_some_and(|other| gone.contains(&other)));
        let number = self.points.len() as u32;
        let new = sides.into_iter().map(|([a, b, c], _)| [a, c, b, number]).collect();
        Some(Change { worst, gone, new })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::predicates::volume6;

    /// A point within a regular tetrahedron that is joined to its faces, and to more.
    fn work(inner: Point3<f64>, more: &[[u32; 4]]) -> Work {
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let mut points = corners.map(Point3::from).to_vec();
        // The last two are on a line with the first.
        points.extend([inner, Point3::from([2.0; 3]), Point3::from([3.0; 3])]);
        let mut tetrahedra = vec![[4, 1, 2, 3], [0, 4, 2, 3], [0, 1, 4, 3], [0, 1, 2, 4]];
        let is_right = |own: &[u32; 4]| {
            let [a, b, c, d] = own.map(|at| points[at as usize]);
            volume6(&a, &b, &c, &d) >= 0.0
        };
        if !is_right(&[0, 1, 2, 3]) {
            tetrahedra.iter_mut().for_each(|own| own.swap(2, 3));
        }
        tetrahedra.extend(more);
        let mut around = vec![Vec::new(); points.len()];
        for (at, own) in tetrahedra.iter().enumerate() {
            own.iter().for_each(|corner| around[*corner as usize].push(at as u32));
        }
        let mut is_outside = vec![true; points.len()];
        is_outside[4] = false;
        let touched = vec![0; points.len()];
        let qualities =
            tetrahedra.iter().map(|own| quality(own.map(|at| points[at as usize]))).collect();
        let tetrahedra = tetrahedra.into_iter().map(Some).collect();
        let (tries, given_up) = (HashMap::new(), HashMap::new());
        Work {
            points,
            tetrahedra,
            qualities,
            around,
            is_outside,
            tries,
            changes: 0,
            touched,
            given_up,
        }
    }

    #[test]
    fn a_corner_moves_only_to_where_every_tetrahedron_has_a_positive_angle() {
        // Near a face: moved to the middle.
        let near = Point3::new(-0.32, -0.32, -0.32);
        let mut own = work(near, &[]);
        let before = own.worst(&[0, 1, 2, 3]);
        assert!(own.smooth([4, 1, 2, 3]) && own.worst(&[0, 1, 2, 3]) > LEAST_GAIN * before);
        // Beyond a face, so that one is left-handed: moved back within.
        let mut own = work(Point3::new(-0.4, -0.4, -0.4), &[]);
        assert_eq!(own.worst(&[0, 1, 2, 3]), -1.0);
        assert!(own.smooth([4, 1, 2, 3]) && own.worst(&[0, 1, 2, 3]) > 0.0);
        // A tetrahedron that is flat wherever the corner goes: not moved.
        let mut own = work(near, &[[4, 0, 5, 6]]);
        assert!(!own.smooth([4, 1, 2, 3]));
        assert!(own.points[4] == near && own.changes == 0);
    }
}
