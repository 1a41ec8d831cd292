//! What fills a space: tetrahedra, or a closed surface.

use std::collections::HashMap;

use nalgebra::Point3;

use super::mass::MassProperties;
use super::surface::ClosedSurface;
use super::tetrahedra::{MeshFault, TetrahedralMesh};

/// Triangles over one array of vertices, unchecked: what surface files hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// The vertices.
    pub vertices_m: Vec<Point3<f64>>,
    /// Three vertices each, as indices from 0.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The same with one vertex for all that are in exactly the same place. Triangles that are a line or a point then are
    /// left out.
    #[must_use]
    pub fn welded(&self) -> Self {
        let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
        let mut vertices_m = Vec::new();
        let number = |vertex_m: &Point3<f64>| {
            // Both zeros are one place.
            let place = [vertex_m.x, vertex_m.y, vertex_m.z].map(|x| (x + 0.0).to_bits());
            *numbers.entry(place).or_insert_with(|| {
                vertices_m.push(*vertex_m);
                (vertices_m.len() - 1) as u32
            })
        };
        let numbers: Vec<u32> = self.vertices_m.iter().map(number).collect();
        let moved = |at: &u32| numbers.get(*at as usize).copied();
        let triangles = self.triangles.iter().filter_map(|triangle| {
            let [a, b, c] = triangle.each_ref().map(moved);
            let [a, b, c] = [a?, b?, c?];
            (a != b && b != c && c != a).then_some([a, b, c])
        });
        Self { triangles: triangles.collect(), vertices_m }
    }
}

/// A solid body, as tetrahedra or as the surface that encloses it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid(Shape);

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Surface(ClosedSurface),
    /// With its outside.
    Tetrahedra(TetrahedralMesh, Vec<[u32; 3]>),
}

impl From<ClosedSurface> for Solid {
    fn from(surface: ClosedSurface) -> Self {
        Self(Shape::Surface(surface))
    }
}

impl TryFrom<TetrahedralMesh> for Solid {
    type Error = MeshFault;

    /// Finds the outside of a mesh.
    ///
    /// # Errors
    /// Three tetrahedra or more share a face.
    fn try_from(mesh: TetrahedralMesh) -> Result<Self, MeshFault> {
        let outside = mesh.outside_faces()?;
        Ok(Self(Shape::Tetrahedra(mesh, outside)))
    }
}

impl Solid {
    /// All vertices, also those inside.
    pub fn vertices_m(&self) -> &[Point3<f64>] {
        match &self.0 {
            Shape::Surface(surface) => surface.vertices_m(),
            Shape::Tetrahedra(mesh, _) => mesh.vertices_m(),
        }
    }

    /// What is seen of it, counter-clockwise from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        match &self.0 {
            Shape::Surface(surface) => surface.triangles(),
            Shape::Tetrahedra(_, outside) => outside,
        }
    }

    /// Its tetrahedra, if it has any.
    pub fn tetrahedra(&self) -> Option<&TetrahedralMesh> {
        match &self.0 {
            Shape::Surface(_) => None,
            Shape::Tetrahedra(mesh, _) => Some(mesh),
        }
    }

    /// Mass and inertia of one density.
    pub fn mass_properties(&self, density_kg_m3: f64) -> MassProperties {
        match &self.0 {
            Shape::Surface(surface) => surface.mass_properties(density_kg_m3),
            Shape::Tetrahedra(mesh, _) => mesh.mass_properties(density_kg_m3),
        }
    }

    /// The same with every vertex moved by a map that keeps what is left and right, such as a rigid motion or a scale.
    #[must_use]
    pub fn mapped(&self, map: impl Fn(&Point3<f64>) -> Point3<f64>) -> Self {
        Self(match &self.0 {
            Shape::Surface(surface) => Shape::Surface(surface.mapped(map)),
            Shape::Tetrahedra(mesh, outside) => {
                Shape::Tetrahedra(mesh.mapped(map), outside.clone())
            }
        })
    }
}
