//! The fields of a mesh file: one table drives reading, checking and writing.

/// What a column of whole numbers counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refers {
    /// Any number: a label, as MEDIT calls it, or a reference.
    Label,
    /// A row of another field, from 1.
    Row(Keyword),
    /// A place within an element, from 1 to this.
    Place(i32),
    /// A place within a triangle or quadrilateral, from 1 to this, or the number of a vertex that belongs to it.
    PlaceOrVertex(i32),
}

/// A field of a mesh.
///
/// The last four are Knight's (2008, table 7) and have no binary form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// Coordinates and a label.
    Vertices,
    /// Two vertices and a label.
    Edges,
    /// Three vertices and a label.
    Triangles,
    /// Four vertices and a label.
    Quadrilaterals,
    /// Four vertices and a label.
    Tetrahedra,
    /// Eight vertices and a label.
    Hexahedra,
    /// Vertices that are corners.
    Corners,
    /// Edges that are ridges.
    Ridges,
    /// Vertices that must stay.
    RequiredVertices,
    /// Edges that must stay.
    RequiredEdges,
    /// Directions.
    Normals,
    /// Directions.
    Tangents,
    /// A vertex and a normal.
    NormalAtVertices,
    /// A triangle, the place of a vertex in it, and a normal.
    NormalAtTriangleVertices,
    /// A quadrilateral, the place of a vertex in it, and a normal.
    NormalAtQuadrilateralVertices,
    /// An edge, the place of a vertex in it, and a tangent.
    TangentAtEdges,
    /// Red, green, blue and perhaps opacity.
    Colors,
    /// A vertex and a colour.
    ColorAtVertices,
    /// A triangle, one of its edges, and the triangle across it.
    NeighborAtTriangleEdges,
    /// A tetrahedron, one of its faces, and the tetrahedron across it.
    NeighborAtTetrahedronFaces,
}

use Keyword::*;

/// All fields in the order in which they are written.
pub(super) const ALL: [Keyword; 20] = [
    Vertices,
    Edges,
    Triangles,
    Quadrilaterals,
    Tetrahedra,
    Hexahedra,
    Corners,
    Ridges,
    RequiredVertices,
    RequiredEdges,
    Normals,
    Tangents,
    NormalAtVertices,
    NormalAtTriangleVertices,
    NormalAtQuadrilateralVertices,
    TangentAtEdges,
    Colors,
    ColorAtVertices,
    NeighborAtTriangleEdges,
    NeighborAtTetrahedronFaces,
];

impl Keyword {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Vertices => "Vertices",
            Edges => "Edges",
            Triangles => "Triangles",
            Quadrilaterals => "Quadrilaterals",
            Tetrahedra => "Tetrahedra",
            Hexahedra => "Hexahedra",
            Corners => "Corners",
            Ridges => "Ridges",
            RequiredVertices => "RequiredVertices",
            RequiredEdges => "RequiredEdges",
            Normals => "Normals",
            Tangents => "Tangents",
            NormalAtVertices => "NormalAtVertices",
            NormalAtTriangleVertices => "NormalAtTriangleVertices",
            NormalAtQuadrilateralVertices => "NormalAtQuadrilateralVertices",
            TangentAtEdges => "TangentAtEdges",
            Colors => "Colors",
            ColorAtVertices => "ColorAtVertices",
            NeighborAtTriangleEdges => "NeighborAtTriangleEdges",
            NeighborAtTetrahedronFaces => "NeighborAtTetrahedronFaces",
        }
    }

    /// The field of a name, also as Knight spells it.
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        match name {
            b"Hexaedra" => Some(Hexahedra),
            b"Corner" => Some(Corners),
            b"Ridge" => Some(Ridges),
            _ => ALL.into_iter().find(|keyword| keyword.name().as_bytes() == name),
        }
    }

    /// Its number in binary files.
    pub(super) fn code(self) -> Option<i32> {
        Some(match self {
            Vertices => 4,
            Edges => 5,
            Triangles => 6,
            Quadrilaterals => 7,
            Tetrahedra => 8,
            Hexahedra => 10,
            Corners => 13,
            Ridges => 14,
            RequiredVertices => 15,
            RequiredEdges => 16,
            TangentAtEdges => 19,
            NormalAtVertices => 20,
            NormalAtTriangleVertices => 21,
            NormalAtQuadrilateralVertices => 22,
            Tangents => 59,
            Normals => 60,
            Colors | ColorAtVertices | NeighborAtTriangleEdges | NeighborAtTetrahedronFaces => {
                return None;
            }
        })
    }

    /// How many real numbers a row begins with; of colours three or four, as the file says.
    pub(super) fn reals(self) -> usize {
        match self {
            Vertices | Normals | Tangents | Colors => 3,
            _ => 0,
        }
    }

    /// What the whole numbers of a row are.
    pub(super) fn integers(self) -> &'static [Refers] {
        const VERTEX: Refers = Refers::Row(Vertices);
        match self {
            Vertices => &[Refers::Label],
            Edges => &[VERTEX, VERTEX, Refers::Label],
            Triangles => &[VERTEX, VERTEX, VERTEX, Refers::Label],
            Quadrilaterals | Tetrahedra => &[VERTEX, VERTEX, VERTEX, VERTEX, Refers::Label],
            Hexahedra => {
                &[VERTEX, VERTEX, VERTEX, VERTEX, VERTEX, VERTEX, VERTEX, VERTEX, Refers::Label]
            }
            Corners | RequiredVertices => &[VERTEX],
            Ridges | RequiredEdges => &[Refers::Row(Edges)],
            Normals | Tangents | Colors => &[],
            NormalAtVertices => &[VERTEX, Refers::Row(Normals)],
            NormalAtTriangleVertices => {
                &[Refers::Row(Triangles), Refers::PlaceOrVertex(3), Refers::Row(Normals)]
            }
            NormalAtQuadrilateralVertices => {
                &[Refers::Row(Quadrilaterals), Refers::PlaceOrVertex(4), Refers::Row(Normals)]
            }
            TangentAtEdges => {
                &[Refers::Row(Edges), Refers::PlaceOrVertex(2), Refers::Row(Tangents)]
            }
            ColorAtVertices => &[VERTEX, Refers::Row(Colors)],
            NeighborAtTriangleEdges => {
                &[Refers::Row(Triangles), Refers::Place(3), Refers::Row(Triangles)]
            }
            NeighborAtTetrahedronFaces => {
                &[Refers::Row(Tetrahedra), Refers::Place(4), Refers::Row(Tetrahedra)]
            }
        }
    }

    /// How many vertices an element has; 0 of what is no element.
    pub(super) fn corners(self) -> usize {
        match self {
            Edges => 2,
            Triangles => 3,
            Quadrilaterals | Tetrahedra => 4,
            Hexahedra => 8,
            _ => 0,
        }
    }
}
