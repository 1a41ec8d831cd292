//! A mesh of tetrahedra.

use std::collections::BTreeMap;
use std::fmt;

use nalgebra::Point3;

use super::mass::MassProperties;
use super::moments::Moments;
use super::predicates::volume6;

/// What is wrong with a mesh of tetrahedra; numbers count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeshFault {
    /// There are none.
    Empty,
    /// A vertex that is not finite.
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// An index beyond the vertices.
    NoSuchVertex {
        /// The tetrahedron.
        tetrahedron: usize,
        /// The vertex that is asked for.
        vertex: u32,
        /// So many there are.
        vertices: usize,
    },
    /// A vertex twice in one, or four in a plane.
    Flat {
        /// The tetrahedron.
        tetrahedron: usize,
    },
    /// A face of three or more tetrahedra.
    SharedFace {
        /// Its vertices.
        face: [u32; 3],
        /// So many share it.
        tetrahedra: usize,
    },
}

impl fmt::Display for MeshFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(out, "tetrahedra: need 1, got none"),
            Self::NotFinite { vertex } => {
                write!(out, "vertex {}: need finite coordinates", vertex + 1)
            }
            Self::NoSuchVertex { tetrahedron, vertex, vertices } => write!(
                out,
                "tetrahedron {}: need vertices 1 to {vertices}, got {}",
                tetrahedron + 1,
                u64::from(*vertex) + 1
            ),
            Self::Flat { tetrahedron } => {
                write!(out, "tetrahedron {}: need four corners off a plane", tetrahedron + 1)
            }
            Self::SharedFace { face, tetrahedra } => write!(
                out,
                "face {:?}: need at most two tetrahedra, got {tetrahedra}",
                face.map(|vertex| u64::from(vertex) + 1)
            ),
        }
    }
}

/// Tetrahedra over one array of vertices, each right-handed.
#[derive(Debug, Clone, PartialEq)]
pub struct TetrahedralMesh {
    vertices_m: Vec<Point3<f64>>,
    tetrahedra: Vec<[u32; 4]>,
}

impl TetrahedralMesh {
    /// Checks the indices and turns left-handed tetrahedra round.
    ///
    /// # Errors
    /// A vertex is not finite or not there, or a tetrahedron is flat.
    pub fn new(
        vertices_m: Vec<Point3<f64>>,
        mut tetrahedra: Vec<[u32; 4]>,
    ) -> Result<Self, MeshFault> {
        if tetrahedra.is_empty() {
            return Err(MeshFault::Empty);
        }
        let is_odd = |vertex_m: &Point3<f64>| !vertex_m.iter().all(|x| x.is_finite());
        if let Some(vertex) = vertices_m.iter().position(is_odd) {
            return Err(MeshFault::NotFinite { vertex });
        }
        let vertices = vertices_m.len();
        for (tetrahedron, corners) in tetrahedra.iter_mut().enumerate() {
            if let Some(vertex) = corners.iter().copied().find(|at| *at as usize >= vertices) {
                return Err(MeshFault::NoSuchVertex { tetrahedron, vertex, vertices });
            }
            let [a, b, c, d] = corners.map(|at| vertices_m[at as usize]);
            let volume6 = volume6(&a, &b, &c, &d);
            if volume6 < 0.0 {
                corners.swap(2, 3);
            } else if volume6.is_nan() || volume6 == 0.0 {
                return Err(MeshFault::Flat { tetrahedron });
            }
        }
        Ok(Self { vertices_m, tetrahedra })
    }

    /// The vertices.
    pub fn vertices_m(&self) -> &[Point3<f64>] {
        &self.vertices_m
    }

    /// Four vertices each, as indices from 0; right-handed.
    pub fn tetrahedra(&self) -> &[[u32; 4]] {
        &self.tetrahedra
    }

    /// The same mesh without vertices that no tetrahedron has.
    pub(super) fn without_unused_vertices(self) -> Self {
        let mut number = vec![u32::MAX; self.vertices_m.len()];
        let mut vertices_m = Vec::new();
        let mut tetrahedra = self.tetrahedra;
        tetrahedra.iter().flatten().for_each(|at| number[*at as usize] = 0);
        for (at, number) in number.iter_mut().enumerate().filter(|(_, own)| **own == 0) {
            *number = vertices_m.len() as u32;
            vertices_m.push(self.vertices_m[at]);
        }
        tetrahedra.iter_mut().flatten().for_each(|at| *at = number[*at as usize]);
        Self { vertices_m, tetrahedra }
    }

    /// The smallest angle between two faces of a tetrahedron, in radians.
    pub fn smallest_dihedral_rad(&self) -> f64 {
        let of = |corners: &[u32; 4]| {
            let normals = [0, 1, 2, 3].map(|opposite| {
                let [a, b, c] = face(corners, opposite).map(|at| self.vertices_m[at as usize]);
                (b - a).cross(&(c - a))
            });
            let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.map(|(i, j)| (-normals[i]).angle(&normals[j])).fold(f64::INFINITY, f64::min)
        };
        self.tetrahedra.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn mapped(&self, map: impl Fn(&Point3<f64>) -> Point3<f64>) -> Self {
        Self {
            vertices_m: self.vertices_m.iter().map(map).collect(),
            tetrahedra: self.tetrahedra.clone(),
        }
    }

    fn corners_m(&self, corners: [u32; 4]) -> [Point3<f64>; 4] {
        corners.map(|at| self.vertices_m[at as usize])
    }

    /// Mass and inertia of one density.
    pub fn mass_properties(&self, density_kg_m3: f64) -> MassProperties {
        let about_m = self.vertices_m[self.tetrahedra[0][0] as usize];
        let tetrahedra = self.tetrahedra.iter().map(|corners| self.corners_m(*corners));
        MassProperties::of(&Moments::of_one_density(about_m, density_kg_m3, tetrahedra))
    }

    /// The same with a density at every vertex, linear between them; `None` if they are not as many.
    pub fn mass_properties_by_vertex(&self, densities_kg_m3: &[f64]) -> Option<MassProperties> {
        let is_complete = densities_kg_m3.len() == self.vertices_m.len();
        is_complete.then(|| self.summed(|vertex| densities_kg_m3[vertex as usize]))
    }

    fn summed(&self, density_kg_m3: impl Fn(u32) -> f64) -> MassProperties {
        let mut moments = Moments::about(self.vertices_m[self.tetrahedra[0][0] as usize]);
        for corners in &self.tetrahedra {
            moments.add(self.corners_m(*corners), corners.map(&density_kg_m3));
        }
        MassProperties::of(&moments)
    }

    /// For every tetrahedron its neighbours, each across the face that is opposite the vertex of the same place.
    ///
    /// # Errors
    /// Three tetrahedra or more share a face.
    pub fn neighbours(&self) -> Result<Vec<[Option<u32>; 4]>, MeshFault> {
        let mut sides: BTreeMap<[u32; 3], Vec<(usize, usize)>> = BTreeMap::new();
        for (tetrahedron, corners) in self.tetrahedra.iter().enumerate() {
            for opposite in 0..4 {
                let mut face = face(corners, opposite);
                face.sort_unstable();
                sides.entry(face).or_default().push((tetrahedron, opposite));
            }
        }
        let mut neighbours = vec![[None; 4]; self.tetrahedra.len()];
        for (face, sides) in sides {
            match sides[..] {
                [_] => {}
                [a, b] => {
                    neighbours[a.0][a.1] = u32::try_from(b.0).ok();
                    neighbours[b.0][b.1] = u32::try_from(a.0).ok();
                }
                _ => return Err(MeshFault::SharedFace { face, tetrahedra: sides.len() }),
            }
        }
        Ok(neighbours)
    }

    /// The faces without a neighbour, counter-clockwise from outside.
    ///
    /// # Errors
    /// Three tetrahedra or more share a face.
    pub fn outside_faces(&self) -> Result<Vec<[u32; 3]>, MeshFault> {
        let neighbours = self.neighbours()?;
        let outside = self.tetrahedra.iter().zip(&neighbours).flat_map(|(corners, neighbours)| {
            (0..4).filter(|at| neighbours[*at].is_none()).map(|at| face(corners, at))
        });
        Ok(outside.collect())
    }
}

/// The face opposite a vertex of a right-handed tetrahedron, counter-clockwise from outside.
pub(super) fn face(corners: &[u32; 4], opposite: usize) -> [u32; 3] {
    let [a, b, c, d] = *corners;
    match opposite {
        0 => [b, c, d],
        1 => [a, d, c],
        2 => [a, b, d],
        _ => [a, c, b],
    }
}
