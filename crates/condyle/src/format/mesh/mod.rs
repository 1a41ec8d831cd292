//! MESH files as MEDIT has them, text and binary, with Knight's four fields: meshes of triangles and tetrahedra.
//!
//! # What is read
//! - Every field of Knight 2008, tables 5 to 7, each checked: what an index counts must be there. `Hexaedra`, `Corner`
//!   and `Ridge` are read as `Hexahedra`, `Corners` and `Ridges`. Fields of other names are skipped with a note.
//! - Version 1 is of single precision, as text too, versions 2 and 3 of double.
//! - Binary files of either byte order, versions 1 to 3.
//! - Neighbours are numbered here so that face f of a tetrahedron, and edge f of a triangle, is opposite its vertex f;
//!   files that number otherwise are recognised by what the two elements share. A table that fits no numbering is
//!   dropped with a note; one that says what is not so, or says it on one side only, is an error.
//!
//! Coordinates are numbers without a unit: whoever reads takes them for metres.
//!
//! # Reference
//! P. Frey 2001, *MEDIT: an interactive mesh visualization software*, INRIA RT-0253; J. Knight 2008, section 7.3.3.

mod binary;
mod check;
mod keyword;
mod neighbours;
mod text;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use nalgebra::Point3;

pub use keyword::Keyword;

use crate::error::{Error, ErrorKind, Result, check_finite};
use crate::note::Note;
use crate::solid::{ClosedSurface, Solid, TetrahedralMesh};

/// The rows of a field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// The real numbers of all rows, one row after the other.
    pub reals: Vec<f64>,
    /// The whole numbers of all rows as files have them: what they count begins at 1.
    pub integers: Vec<i32>,
    /// How many rows there are.
    pub count: usize,
}

/// The fields of a mesh file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    fields: BTreeMap<Keyword, Rows>,
}

/// How a mesh is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Storage {
    /// Text.
    #[default]
    Text,
    /// Binary, the least significant byte first, as most machines have it.
    LittleEndian,
    /// Binary, the most significant byte first.
    BigEndian,
}

impl Mesh {
    /// A mesh of triangles and tetrahedra, whose vertices count from 0.
    ///
    /// # Errors
    /// An index is beyond the vertices, or there are more than files can count.
    pub fn new(
        vertices_m: &[Point3<f64>],
        triangles: &[[u32; 3]],
        tetrahedra: &[[u32; 4]],
    ) -> Result<Self> {
        let mut mesh = Self::default();
        let reals = vertices_m.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
        let count = vertices_m.len();
        let vertices = Rows { reals, integers: vec![0; count], count };
        mesh.fields.insert(Keyword::Vertices, vertices);
        let fits = i32::try_from(vertices_m.len()).is_ok();
        let is_there = |at: &u32| (*at as usize) < vertices_m.len();
        let all = || triangles.iter().flatten().chain(tetrahedra.iter().flatten());
        if !fits || !all().all(is_there) {
            let what = format!("mesh: need vertices below {}, got one beyond", vertices_m.len());
            return Err(Error::argument(what));
        }
        let number = |at: &u32| *at as i32 + 1;
        if !triangles.is_empty() {
            let row = |t: &[u32; 3]| t.iter().map(number).chain([0]).collect::<Vec<_>>();
            let integers = triangles.iter().flat_map(row).collect();
            let rows = Rows { reals: Vec::new(), integers, count: triangles.len() };
            mesh.fields.insert(Keyword::Triangles, rows);
        }
        if !tetrahedra.is_empty() {
            let row = |t: &[u32; 4]| t.iter().map(number).chain([0]).collect::<Vec<_>>();
            let integers = tetrahedra.iter().flat_map(row).collect();
            let rows = Rows { reals: Vec::new(), integers, count: tetrahedra.len() };
            mesh.fields.insert(Keyword::Tetrahedra, rows);
        }
        Ok(mesh)
    }

    /// A solid as it is: its tetrahedra with their outside and neighbours, or its surface.
    ///
    /// # Errors
    /// There are more vertices than files can count.
    pub fn of(solid: &Solid) -> Result<Self> {
        let tetrahedra = solid.tetrahedra().map_or(&[][..], TetrahedralMesh::tetrahedra);
        let mut mesh = Self::new(solid.vertices_m(), solid.triangles(), tetrahedra)?;
        if !tetrahedra.is_empty() {
            mesh.rebuild_neighbours();
        }
        Ok(mesh)
    }

    /// The same with a colour for every vertex: red, green and blue from 0 to 1.
    ///
    /// # Errors
    /// There are not as many colours as vertices.
    pub fn with_colours(mut self, colours: &[[f64; 3]]) -> Result<Self> {
        let count = self.count(Keyword::Vertices);
        if colours.len() != count {
            let got = colours.len();
            return Err(Error::argument(format!("mesh: need {count} colours, got {got}")));
        }
        let reals = colours.iter().flatten().copied().collect();
        self.fields.insert(Keyword::Colors, Rows { reals, integers: Vec::new(), count });
        // Every vertex has the colour of its own number; there are no more than files can count.
        let integers = (1..=count as i32).flat_map(|number| [number, number]).collect();
        self.fields.insert(Keyword::ColorAtVertices, Rows { reals: Vec::new(), integers, count });
        Ok(self)
    }

    /// A field, if the file has it.
    pub fn field(&self, keyword: Keyword) -> Option<&Rows> {
        self.fields.get(&keyword)
    }

    /// How many rows a field has.
    pub fn count(&self, keyword: Keyword) -> usize {
        self.fields.get(&keyword).map_or(0, |rows| rows.count)
    }

    /// The vertices.
    pub fn vertices_m(&self) -> Vec<Point3<f64>> {
        let reals = self.fields.get(&Keyword::Vertices).map_or(&[][..], |rows| &rows.reals);
        reals.chunks_exact(3).map(|row| Point3::new(row[0], row[1], row[2])).collect()
    }

    /// The vertices of every triangle, from 0.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        self.elements(Keyword::Triangles)
    }

    /// The vertices of every tetrahedron, from 0.
    pub fn tetrahedra(&self) -> Vec<[u32; 4]> {
        self.elements(Keyword::Tetrahedra)
    }

    fn elements<const N: usize>(&self, keyword: Keyword) -> Vec<[u32; N]> {
        let integers = self.fields.get(&keyword).map_or(&[][..], |rows| &rows.integers);
        // Indices were checked to be 1 or more.
        let from_0 = |row: &[i32]| std::array::from_fn(|at| row[at].wrapping_sub(1) as u32);
        integers.chunks_exact(N + 1).map(from_0).collect()
    }

    /// Every quadrilateral cut in two, after the triangles.
    fn all_triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = self.triangles();
        let quadrilaterals: Vec<[u32; 4]> = self.elements(Keyword::Quadrilaterals);
        triangles.extend(quadrilaterals.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]));
        triangles
    }

    /// What it fills: its tetrahedra, or else what its triangles and quadrilaterals enclose.
    ///
    /// # Errors
    /// There is neither, a tetrahedron is flat, or the surface is open, crosses itself in an edge or is one-sided.
    pub fn solid(&self) -> Result<Solid> {
        let tetrahedra = self.tetrahedra();
        if tetrahedra.is_empty() {
            let surface = ClosedSurface::new(self.vertices_m(), self.all_triangles());
            return Ok(Solid::from(surface.map_err(|fault| Error::malformed(fault.to_string()))?));
        }
        let mesh = TetrahedralMesh::new(self.vertices_m(), tetrahedra);
        let solid = mesh.and_then(Solid::try_from);
        solid.map_err(|fault| Error::malformed(fault.to_string()))
    }

    /// Whether single precision holds every number.
    fn is_single(&self) -> bool {
        let mut reals = self.fields.values().flat_map(|rows| &rows.reals);
        reals.all(|real| f64::from(*real as f32) == *real)
    }
}

/// Whether a file begins like one of these, text or binary.
pub fn is_mesh(head: &[u8]) -> bool {
    binary::byte_order(head).is_some() || text::is_mesh(head)
}

/// Reads a mesh; returns notes on what was left out.
///
/// # Errors
/// The file is no mesh, or a field has a wrong count, an index of nothing, or a number that is not finite; with the
/// line or the byte.
pub fn read(bytes: &[u8]) -> Result<(Mesh, Vec<Note>)> {
    if bytes.is_empty() {
        return Err(ErrorKind::Empty.into());
    }
    match binary::byte_order(bytes) {
        Some(order) => binary::read(bytes, bytes.len() as u64, order),
        None => text::read(bytes),
    }
}

/// The same of a file, piece by piece if it is binary: its bytes and its numbers are never in memory together.
///
/// # Errors
/// As [`read`], and where the file cannot be read; with its path.
pub fn read_path(path: &Path) -> Result<(Mesh, Vec<Note>)> {
    read_file(path).map_err(|error| error.with_path(path))
}

fn read_file(path: &Path) -> Result<(Mesh, Vec<Note>)> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    Read::by_ref(&mut file).take(4).read_to_end(&mut head)?;
    let about = file.metadata()?;
    // A pipe does not say how much is in it.
    if about.is_file()
        && let Some(order) = binary::byte_order(&head)
    {
        // Small, so that whole pieces pass it by.
        let from = BufReader::with_capacity(4096, head.as_slice().chain(file));
        return binary::read(from, about.len(), order);
    }
    file.read_to_end(&mut head)?;
    read(&head)
}

/// Writes a mesh; returns notes on what the storage cannot hold.
///
/// # Errors
/// A number is not finite, or writing fails.
pub fn write(mesh: &Mesh, storage: Storage, out: &mut impl Write) -> Result<Vec<Note>> {
    check_finite("mesh", mesh.fields.values().flat_map(|rows| &rows.reals).copied())?;
    match storage {
        Storage::Text => text::write(mesh, out).map(|()| Vec::new()),
        Storage::LittleEndian => binary::write(mesh, binary::Order::Little, out),
        Storage::BigEndian => binary::write(mesh, binary::Order::Big, out),
    }
}

#[cfg(test)]
mod tests;
