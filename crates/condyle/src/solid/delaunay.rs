//! Delaunay tetrahedra of points.
//!
//! # Method
//! Bowyer 1981 and Watson 1981: every point removes the tetrahedra whose spheres it is in, and is joined to the faces
//! that bound what they leave. With exact predicates (Shewchuk 1997) none of them is flat or left-handed, whatever the
//! points are: a face in a plane with the point is never a bound. Ghosts, tetrahedra with one corner at infinity, stand
//! for the outside.

use nalgebra::Point3;

use super::predicates::{in_sphere, volume6};

/// The corner at infinity.
pub(super) const GHOST: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

/// Tetrahedra over points, with ghosts around them.
pub(super) struct Delaunay {
    pub points: Vec<Point3<f64>>,
    tetrahedra: Vec<[u32; 4]>,
    /// Across the face opposite the vertex of the same place.
    neighbours: Vec<[u32; 4]>,
    is_alive: Vec<bool>,
    free: Vec<u32>,
    last: u32,
    // Used again for every point. Tetrahedra in the cavity have the mark of the round, those around it one less.
    mark: Vec<u32>,
    round: u32,
    cavity: Vec<u32>,
    bounds: Vec<([u32; 3], u32, u32)>,
    sides: Vec<(u64, u32, u32)>,
}

/// The face opposite a vertex, counter-clockwise from outside.
pub(super) fn face([a, b, c, d]: [u32; 4], opposite: usize) -> [u32; 3] {
    match opposite {
        0 => [b, c, d],
        1 => [a, d, c],
        2 => [a, b, d],
        _ => [a, c, b],
    }
}

impl Delaunay {
    /// Tetrahedra of points; `None` if all are in a plane.
    pub fn new(points: &[Point3<f64>]) -> Option<Self> {
        let first = spread_out(points)?;
        let mut own = Self {
            points: points.to_vec(),
            tetrahedra: vec![first],
            neighbours: vec![[NONE; 4]],
            is_alive: vec![true],
            free: Vec::new(),
            last: 0,
            mark: vec![0],
            round: 0,
            cavity: Vec::new(),
            bounds: Vec::new(),
            sides: Vec::new(),
        };
        for opposite in 0..4 {
            let [x, y, z] = face(first, opposite);
            // Beyond the face.
            own.tetrahedra.push([x, y, z, GHOST]);
            own.neighbours.push([NONE; 4]);
            own.is_alive.push(true);
            own.mark.push(0);
        }
        own.join_all();
        for at in along_a_curve(points) {
            if !first.contains(&at) {
                own.insert(at);
            }
        }
        Some(own)
    }

    /// Finds all neighbours anew, of the few that there are.
    fn join_all(&mut self) {
        let mut sides = std::collections::HashMap::new();
        for at in 0..self.tetrahedra.len() {
            for opposite in 0..4 {
                let mut key = face(self.tetrahedra[at], opposite);
                key.sort_unstable();
                if let Some((other, place)) = sides.insert(key, (at, opposite)) {
                    self.neighbours[at][opposite] = other as u32;
                    self.neighbours[other][place] = at as u32;
                }
            }
        }
    }

    /// All tetrahedra, ghosts too, with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u32, [u32; 4])> + '_ {
        let alive = (0..self.tetrahedra.len()).filter(|at| self.is_alive[*at]);
        alive.map(|at| (at as u32, self.tetrahedra[at]))
    }

    /// Across the face opposite the vertex of the same place.
    pub fn neighbours(&self, tetrahedron: u32) -> [u32; 4] {
        self.neighbours[tetrahedron as usize]
    }

    /// So many numbers of tetrahedra are in use.
    pub fn numbers(&self) -> usize {
        self.tetrahedra.len()
    }

    /// Adds a point; its number, or that of the one that is already there.
    pub fn add(&mut self, point: Point3<f64>) -> u32 {
        let number = self.points.len() as u32;
        self.points.push(point);
        match self.insert(number) {
            Some(same) => {
                self.points.pop();
                same
            }
            None => number,
        }
    }

    fn point(&self, at: u32) -> &Point3<f64> {
        &self.points[at as usize]
    }

    fn volume6(&self, [x, y, z]: [u32; 3], p: &Point3<f64>) -> f64 {
        volume6(self.point(x), self.point(y), self.point(z), p)
    }

    /// Whether a point is in the sphere of a tetrahedron, or beyond the face of a ghost.
    fn conflicts(&self, tetrahedron: u32, p: &Point3<f64>) -> bool {
        let corners = self.tetrahedra[tetrahedron as usize];
        match corners.iter().position(|at| *at == GHOST) {
            None => in_sphere(corners.each_ref().map(|at| self.point(*at)), p) > 0.0,
            Some(ghost) => {
                let [x, y, z] = face(corners, ghost);
                let beyond = self.volume6([x, z, y], p);
                // In the plane of the face: in its circle if in the sphere of the tetrahedron behind.
                beyond > 0.0
                    || beyond == 0.0
                        && self.conflicts(self.neighbours[tetrahedron as usize][ghost], p)
            }
        }
    }

    /// A tetrahedron that holds the point, or a ghost that it is beyond.
    fn locate(&self, p: &Point3<f64>) -> u32 {
        let mut at = self.last;
        let mut turn = 0;
        'walk: loop {
            let corners = self.tetrahedra[at as usize];
            if let Some(ghost) = corners.iter().position(|corner| *corner == GHOST) {
                let [x, y, z] = face(corners, ghost);
                if self.volume6([x, z, y], p) > 0.0 || self.conflicts(at, p) {
                    return at;
                }
                at = self.neighbours[at as usize][ghost];
                if self.tetrahedra[at as usize].contains(&GHOST) {
                    return at;
                }
                // In the plane of the face but not in its circle: on from the tetrahedron behind.
                let inner = self.tetrahedra[at as usize];
                for step in 0..4 {
                    if self.volume6(face(inner, step), p) > 0.0 {
                        at = self.neighbours[at as usize][step];
                        continue 'walk;
                    }
                }
                return at;
            }
            turn += 1;
            for step in 0..4 {
                let opposite = (step + turn) % 4;
                if self.volume6(face(corners, opposite), p) > 0.0 {
                    at = self.neighbours[at as usize][opposite];
                    continue 'walk;
                }
            }
            return at;
        }
    }

    /// Inserts a point by its number; the number of the one that is already there, if one is.
    fn insert(&mut self, number: u32) -> Option<u32> {
        let p = self.points[number as usize];
        let start = self.locate(&p);
        let corners = self.tetrahedra[start as usize];
        if let Some(same) = corners.iter().find(|at| **at != GHOST && *self.point(**at) == p) {
            return Some(*same);
        }
        self.round += 2;
        let mut cavity = std::mem::take(&mut self.cavity);
        let mut bounds = std::mem::take(&mut self.bounds);
        cavity.clear();
        bounds.clear();
        cavity.push(start);
        self.mark[start as usize] = self.round;
        let mut next = 0;
        while let Some(at) = cavity.get(next).copied() {
            next += 1;
            for opposite in 0..4 {
                let other = self.neighbours[at as usize][opposite];
                let mark = self.mark[other as usize];
                if mark == self.round {
                    continue;
                }
                // What is around the cavity is asked once, though it may have several faces there.
                if mark != self.round - 1 && self.conflicts(other, &p) {
                    self.mark[other as usize] = self.round;
                    cavity.push(other);
                } else {
                    self.mark[other as usize] = self.round - 1;
                    bounds.push((face(self.tetrahedra[at as usize], opposite), other, at));
                }
            }
        }
        for at in &cavity {
            self.is_alive[*at as usize] = false;
            self.free.push(*at);
        }
        let mut sides = std::mem::take(&mut self.sides);
        sides.clear();
        for ([x, y, z], other, behind) in &bounds {
            let own = self.put([*x, *z, *y, number]);
            self.neighbours[own as usize][3] = *other;
            // The face of the other that led into the cavity.
            let back = &mut self.neighbours[*other as usize];
            let corners = self.tetrahedra[*other as usize];
            for (opposite, back) in back.iter_mut().enumerate() {
                if !face(corners, opposite).iter().all(|v| [x, y, z].contains(&v)) {
                    continue;
                }
                debug_assert!(*back == *behind);
                *back = own;
            }
            for (opposite, [a, b]) in [[*z, *y], [*x, *y], [*x, *z]].into_iter().enumerate() {
                let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
                sides.push((key, own, opposite as u32));
            }
            self.last = own;
        }
        sides.sort_unstable();
        for pair in sides.chunks_exact(2) {
            let [(_, a, of_a), (_, b, of_b)] = [pair[0], pair[1]];
            self.neighbours[a as usize][of_a as usize] = b;
            self.neighbours[b as usize][of_b as usize] = a;
        }
        (self.cavity, self.bounds, self.sides) = (cavity, bounds, sides);
        None
    }

    fn put(&mut self, corners: [u32; 4]) -> u32 {
        if let Some(at) = self.free.pop() {
            self.tetrahedra[at as usize] = corners;
            self.is_alive[at as usize] = true;
            // A number that is used again is no part of this cavity any more.
            self.mark[at as usize] = 0;
            return at;
        }
        self.tetrahedra.push(corners);
        self.neighbours.push([NONE; 4]);
        self.is_alive.push(true);
        self.mark.push(0);
        (self.tetrahedra.len() - 1) as u32
    }
}

/// Four points off a plane, right-handed.
fn spread_out(points: &[Point3<f64>]) -> Option<[u32; 4]> {
    if points.len() < 4 {
        return None;
    }
    let a = 0;
    let away = |p: &Point3<f64>| (p - points[a]).norm_squared();
    let farthest = |of: &dyn Fn(&Point3<f64>) -> f64| {
        (0..points.len()).max_by(|i, j| of(&points[*i]).total_cmp(&of(&points[*j])))
    };
    let b = farthest(&away)?;
    let along = points[b] - points[a];
    let c = farthest(&|p| (p - points[a]).cross(&along).norm_squared())?;
    let normal = along.cross(&(points[c] - points[a]));
    let d = farthest(&|p| (p - points[a]).dot(&normal).abs())?;
    let of = |c: usize, d: usize| volume6(&points[a], &points[b], &points[c], &points[d]);
    match of(c, d) {
        volume if volume > 0.0 => Some([a, b, c, d].map(|at| at as u32)),
        volume if volume < 0.0 => Some([a, b, d, c].map(|at| at as u32)),
        _ => None,
    }
}

/// Points in an order in which neighbours are near each other (Morton 1966).
fn along_a_curve(points: &[Point3<f64>]) -> Vec<u32> {
    let (mut low, mut high) = (points[0], points[0]);
    for p in points {
        low = low.inf(p);
        high = high.sup(p);
    }
    let scale = 1023.0 / (high - low).amax().max(f64::MIN_POSITIVE);
    let key = |p: &Point3<f64>| {
        let cell = (p - low).map(|x| (x * scale) as u32);
        (0..10).fold(0u32, |key, bit| {
            (0..3).fold(key, |key, axis| key | ((cell[axis] >> bit) & 1) << (3 * bit + axis))
        })
    };
    let mut order: Vec<(u32, u32)> =
        points.iter().enumerate().map(|(at, p)| (key(p), at as u32)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}
