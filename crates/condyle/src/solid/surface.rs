//! A closed surface of triangles.

use std::collections::{BTreeMap, VecDeque};
use std::f64::consts::PI;
use std::fmt;

use nalgebra::Point3;

use super::mass::MassProperties;
use super::moments::Moments;

/// So many edges are named at most.
const NAMED: usize = 8;

/// What is wrong with a surface; numbers count from 0, and are printed from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurfaceFault {
    /// There are none.
    Empty,
    /// A coordinate that is no number.
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// An index beyond the vertices.
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The vertex that is asked for.
        vertex: u32,
        /// So many there are.
        vertices: usize,
    },
    /// A vertex twice in one, or three on a line.
    Flat {
        /// The triangle.
        triangle: usize,
    },
    /// Edges with one triangle: there is a hole.
    Open {
        /// Their vertices.
        edges: Vec<[u32; 2]>,
    },
    /// Edges of three triangles or more.
    NotManifold {
        /// Their vertices.
        edges: Vec<[u32; 2]>,
    },
    /// It has one side only, like Klein's bottle: this triangle would need both orientations.
    OneSided {
        /// The triangle.
        triangle: usize,
    },
    /// It encloses nothing.
    NoVolume,
}

impl fmt::Display for SurfaceFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |edges: &[[u32; 2]]| {
            let name = |[a, b]: &[u32; 2]| format!("{}-{}", u64::from(*a) + 1, u64::from(*b) + 1);
            let mut names: Vec<String> = edges.iter().take(NAMED).map(name).collect();
            if edges.len() > NAMED {
                names.push("…".to_owned());
            }
            names.join(", ")
        };
        match self {
            Self::Empty => write!(out, "triangles: need 4, got none"),
            Self::NotFinite { vertex } => {
                write!(out, "vertex {}: need finite coordinates", vertex + 1)
            }
            Self::NoSuchVertex { triangle, vertex, vertices } => write!(
                out,
                "triangle {}: need vertices 1 to {vertices}, got {}",
                triangle + 1,
                u64::from(*vertex) + 1
            ),
            Self::Flat { triangle } => {
                write!(out, "triangle {}: need three corners off a line", triangle + 1)
            }
            Self::Open { edges } => write!(
                out,
                "surface: need a closed one, got {} edges with one triangle: {}",
                edges.len(),
                named(edges)
            ),
            Self::NotManifold { edges } => write!(
                out,
                "surface: need two triangles an edge, got more at {}: {}",
                edges.len(),
                named(edges)
            ),
            Self::OneSided { triangle } => write!(
                out,
                "surface: need an inside and an outside, got one side only at triangle {}",
                triangle + 1
            ),
            Self::NoVolume => write!(out, "surface: need a volume, got none"),
        }
    }
}

/// A surface with an inside: every edge has two triangles, all counter-clockwise from outside.
///
/// It may have several pieces. A piece within another is a cavity if an odd number of others is around it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedSurface {
    vertices_m: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
}

impl ClosedSurface {
    /// Checks a surface and orients it. That it does not cross itself is not checked.
    ///
    /// # Errors
    /// It is open, not a manifold, one-sided or flat; the fault names where.
    pub fn new(
        vertices_m: Vec<Point3<f64>>,
        mut triangles: Vec<[u32; 3]>,
    ) -> Result<Self, SurfaceFault> {
        check(&vertices_m, &triangles)?;
        let pieces = orient(&mut triangles)?;
        let mut surface = Self { vertices_m, triangles };
        surface.turn_outwards(&pieces)?;
        Ok(surface)
    }

    /// The vertices.
    pub fn vertices_m(&self) -> &[Point3<f64>] {
        &self.vertices_m
    }

    /// Three vertices each, as indices from 0, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    pub(super) fn mapped(&self, map: impl Fn(&Point3<f64>) -> Point3<f64>) -> Self {
        Self {
            vertices_m: self.vertices_m.iter().map(map).collect(),
            triangles: self.triangles.clone(),
        }
    }

    /// Mass and inertia of what it encloses, of one density.
    ///
    /// # Method
    /// The sum over signed tetrahedra from one point to every triangle: exact for any shape.
    pub fn mass_properties(&self, density_kg_m3: f64) -> MassProperties {
        MassProperties::of(&self.moments(self.triangles.iter(), density_kg_m3))
    }

    /// Whether a point is inside; of a point on the surface nothing is promised.
    pub fn contains(&self, point_m: &Point3<f64>) -> bool {
        self.winding(self.triangles.iter(), point_m).round() as i64 % 2 != 0
    }

    /// How often a part of the surface winds about a point: the solid angles of its triangles over 4π (van Oosterom and
    /// Strackee 1983).
    fn winding<'a>(
        &self,
        triangles: impl Iterator<Item = &'a [u32; 3]>,
        point_m: &Point3<f64>,
    ) -> f64 {
        let angle = |corners: &[u32; 3]| {
            let [a, b, c] = self.corners_m(*corners).map(|corner_m| corner_m - point_m);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let across = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(across)
        };
        triangles.map(angle).sum::<f64>() / (4.0 * PI)
    }

    fn corners_m(&self, corners: [u32; 3]) -> [Point3<f64>; 3] {
        corners.map(|at| self.vertices_m[at as usize])
    }

    fn moments<'a>(
        &self,
        triangles: impl Iterator<Item = &'a [u32; 3]> + Clone,
        density_kg_m3: f64,
    ) -> Moments {
        // Any apex will do; the mean keeps rounding small.
        let (mut sum, mut count) = (nalgebra::Vector3::zeros(), 0.0);
        for corner in triangles.clone().flatten() {
            sum += self.vertices_m[*corner as usize].coords;
            count += 1.0;
        }
        let apex_m = Point3::from(sum / f64::max(count, 1.0));
        let tetrahedra = triangles.map(|corners| {
            let [a, b, c] = self.corners_m(*corners);
            [apex_m, a, b, c]
        });
        Moments::of_one_density(apex_m, density_kg_m3, tetrahedra)
    }

    /// Turns every piece so that its outside is outside, and cavities the other way.
    fn turn_outwards(&mut self, pieces: &[Vec<usize>]) -> Result<(), SurfaceFault> {
        let mut turned = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            let own = || piece.iter().map(|triangle| &self.triangles[*triangle]);
            let volume_m3 = self.moments(own(), 1.0).volume_m3;
            if volume_m3 == 0.0 || !volume_m3.is_finite() {
                return Err(SurfaceFault::NoVolume);
            }
            let vertex_m = self.vertices_m[self.triangles[piece[0]][0] as usize];
            let around = pieces.iter().enumerate().filter(|(other, _)| *other != at);
            let around = around.filter(|(_, other)| {
                let other = other.iter().map(|triangle| &self.triangles[*triangle]);
                self.winding(other, &vertex_m).round() as i64 % 2 != 0
            });
            let is_cavity = around.count() % 2 == 1;
            if (volume_m3 < 0.0) != is_cavity {
                turned.extend(piece.iter().copied());
            }
        }
        turned.into_iter().for_each(|triangle| self.triangles[triangle].swap(1, 2));
        Ok(())
    }
}

/// What can be seen of every triangle by itself.
fn check(vertices_m: &[Point3<f64>], triangles: &[[u32; 3]]) -> Result<(), SurfaceFault> {
    if triangles.is_empty() {
        return Err(SurfaceFault::Empty);
    }
    let is_odd = |vertex_m: &Point3<f64>| !vertex_m.iter().all(|x| x.is_finite());
    if let Some(vertex) = vertices_m.iter().position(is_odd) {
        return Err(SurfaceFault::NotFinite { vertex });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        let vertices = vertices_m.len();
        if let Some(vertex) = corners.iter().copied().find(|at| *at as usize >= vertices) {
            return Err(SurfaceFault::NoSuchVertex { triangle, vertex, vertices });
        }
        let [a, b, c] = corners.map(|at| vertices_m[at as usize]);
        if (b - a).cross(&(c - a)).norm_squared() == 0.0 {
            return Err(SurfaceFault::Flat { triangle });
        }
    }
    Ok(())
}

/// Makes neighbours run opposite ways along their edge; the pieces, as indices of triangles.
fn orient(triangles: &mut [[u32; 3]]) -> Result<Vec<Vec<usize>>, SurfaceFault> {
    let mut sides: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
    for (triangle, corners) in triangles.iter().enumerate() {
        for edge in edges(corners) {
            sides.entry(sorted(edge)).or_default().push(triangle);
        }
    }
    let with = |is_odd: fn(usize) -> bool| -> Vec<[u32; 2]> {
        sides.iter().filter(|(_, own)| is_odd(own.len())).map(|(edge, _)| *edge).collect()
    };
    let [open, crowded] = [with(|count| count == 1), with(|count| count > 2)];
    if !crowded.is_empty() {
        return Err(SurfaceFault::NotManifold { edges: crowded });
    }
    if !open.is_empty() {
        return Err(SurfaceFault::Open { edges: open });
    }
    let mut pieces = Vec::new();
    let mut is_done = vec![false; triangles.len()];
    for first in 0..triangles.len() {
        if is_done[first] {
            continue;
        }
        is_done[first] = true;
        let mut piece = vec![first];
        let mut queue = VecDeque::from([first]);
        while let Some(triangle) = queue.pop_front() {
            for edge in edges(&triangles[triangle]) {
                let other = sides[&sorted(edge)].iter().copied().find(|at| *at != triangle);
                let Some(other) = other else { return Err(SurfaceFault::OneSided { triangle }) };
                let is_same_way = edges(&triangles[other]).contains(&edge);
                match (is_done[other], is_same_way) {
                    (true, true) => return Err(SurfaceFault::OneSided { triangle: other }),
                    (true, false) => continue,
                    (false, true) => triangles[other].swap(1, 2),
                    (false, false) => {}
                }
                is_done[other] = true;
                piece.push(other);
                queue.push_back(other);
            }
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

fn edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
