//! What fills a space: tetrahedra, or a closed surface.

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
