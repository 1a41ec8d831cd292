//! Solid bodies and surfaces from whatever file holds one.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::{atm, mesh, ply, stl};
use crate::error::{Error, Result};
use crate::figure::{DENSITY_KG_M3, Figure, Joint, Segment};
use crate::solid::{ClosedSurface, Solid, TriangleMesh};
use crate::trial::Note;

/// A surface of triangles from PLY, MESH or STL.
///
/// # Errors
/// The bytes are of no such format, or broken.
pub fn read_surface(bytes: &[u8]) -> Result<(TriangleMesh, Vec<Note>)> {
    if ply::is_ply(bytes) {
        ply::read(bytes)
    } else if mesh::is_mesh(bytes) {
        let (own, notes) = mesh::read(bytes)?;
        let surface = TriangleMesh { vertices_m: own.vertices_m(), triangles: own.triangles() };
        Ok((surface, notes))
    } else if stl::is_stl(bytes) {
        Ok((stl::read(bytes)?, Vec::new()))
    } else {
        let what = "need a surface as PLY, MESH or STL, got something else";
        Err(Error::not_recognised(what))
    }
}

/// A figure from ATM with the meshes beside it, or a body from MESH, PLY or STL as a figure of one segment.
///
/// # Errors
/// The file cannot be read, is of no such format, or encloses nothing.
pub fn read_path(path: &Path) -> Result<(Figure, Vec<Note>)> {
    let named = |error: io::Error| Error::from(error).with_path(path);
    // A pipe is read once, and a mesh in pieces.
    if path.is_file() && is_mesh(path).map_err(named)? {
        let (mesh, notes) = mesh::read_path(path)?;
        return of_solid(path, mesh.solid(), notes);
    }
    read(&fs::read(path).map_err(named)?, path)
}

/// The same from the bytes of a file.
///
/// # Errors
/// The bytes are of no such format, or enclose nothing.
pub fn read(bytes: &[u8], path: &Path) -> Result<(Figure, Vec<Note>)> {
    if atm::is_atm(bytes) {
        return atm::read_path(path);
    }
    let (solid, notes) = solid(bytes).map_err(|error| error.with_path(path))?;
    of_solid(path, Ok(solid), notes)
}

/// A mesh is told by its beginning, comments and all.
const HEAD: u64 = 1 << 16;

fn is_mesh(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    fs::File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(mesh::is_mesh(&head))
}

fn of_solid(path: &Path, solid: Result<Solid>, notes: Vec<Note>) -> Result<(Figure, Vec<Note>)> {
    let named = |error: Error| error.with_path(path);
    let solid = solid.map_err(named)?;
    let name = path.file_stem().map_or("body".into(), |stem| stem.to_string_lossy().into_owned());
    let mass = solid.mass_properties(DENSITY_KG_M3);
    let joint = Joint { centre_m: mass.centre_of_mass_m, ..Joint::default() };
    let segment = Segment { name: name.clone(), parent: None, solid, mass, joint };
    Ok((Figure::new(name, vec![segment]).map_err(named)?, notes))
}

fn solid(bytes: &[u8]) -> Result<(Solid, Vec<Note>)> {
    let closed = |surface: TriangleMesh| {
        ClosedSurface::new(surface.vertices_m, surface.triangles)
            .map(Solid::from)
            .map_err(|fault| Error::malformed(fault.to_string()))
    };
    if ply::is_ply(bytes) {
        let (surface, notes) = ply::read(bytes)?;
        Ok((closed(surface)?, notes))
    } else if stl::is_stl(bytes) {
        // Every triangle has corners of its own there; neighbours share them here.
        Ok((closed(stl::read(bytes)?.welded())?, Vec::new()))
    } else if mesh::is_mesh(bytes) {
        let (mesh, notes) = mesh::read(bytes)?;
        Ok((mesh.solid()?, notes))
    } else {
        let what = "need a subject, an ATM, MESH, PLY or STL file, got something else";
        Err(Error::not_recognised(what))
    }
}
