//! ATM: Knight's figures of solid segments, each with a mesh file in the same folder.
//!
//! # What is read
//! - The grammar of Knight 2008, 7.3.2, its words in any order within a segment; names go to the end of the line, so
//!   that they may have spaces. `ROTATE_Y`, `ROTATE_Z`, `SCALE_X`, `SCALE_Y` and `SCALE_Z` are read too.
//! - Scales, shifts and turns act on the vertices of the mesh file in the order in which they are written; the joint is
//!   where it is afterwards. A segment without `MASS` is as heavy as water.
//! - Mesh files are MESH or PLY, recognised by content. A name with a folder in it is refused.
//!
//! Degrees and metres in files; radians and metres in a [`Figure`].

mod build;
mod parse;
mod write;

pub(super) use write::degrees;

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::note::Note;

/// An ATM file, as it is written: in degrees and metres, without its meshes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Atm {
    /// The name of the figure.
    pub name: String,
    /// Its segments, in the order of the file.
    pub segments: Vec<AtmSegment>,
}

/// A segment of an ATM file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtmSegment {
    /// Its number.
    pub index: u32,
    /// The name of its mesh file.
    pub file: String,
    /// Its mass, if it is said.
    pub mass_kg: Option<f64>,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What is done to the vertices of the mesh, in this order.
    pub transforms: Vec<Transform>,
    /// The number of the segment that it hangs on; `None` of the root.
    pub parent: Option<u32>,
    /// How it moves.
    pub joint: Option<AtmJoint>,
    /// The numbers of the segments that hang on it, if the file lists them.
    pub children: Option<Vec<u32>>,
}

/// A change of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transform {
    /// Along x, y and z by these factors.
    Scale([f64; 3]),
    /// By so much, in metres.
    Translate([f64; 3]),
    /// About an axis (0, 1, 2 for x, y, z), in degrees.
    Rotate(u8, f64),
}

/// A joint of an ATM file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AtmJoint {
    /// Its name.
    pub name: String,
    /// Its centre, in the axes of the figure.
    pub centre_m: [f64; 3],
    /// So many of the freedoms are rotations; the others slide.
    pub rotations: usize,
    /// The freedoms, rotations first.
    pub freedoms: Vec<AtmFreedom>,
}

/// A freedom of an ATM file, in degrees or metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtmFreedom {
    /// What it is where nothing moves it.
    pub value: f64,
    /// About or along what.
    pub axis: [f64; 3],
    /// The least it may be.
    pub from: f64,
    /// The most it may be.
    pub to: f64,
}

/// Whether a file begins like one of these.
pub fn is_atm(head: &[u8]) -> bool {
    let text = super::text::decode(head);
    super::words::Words::new(&text).next() == Some("FIGURE")
}

/// Reads an ATM file, without its meshes.
///
/// # Errors
/// It breaks the grammar, or its segments are no tree; with the line.
pub fn read(bytes: &[u8]) -> Result<Atm> {
    parse::parse(&super::text::decode(bytes))
}

/// Reads an ATM file and the meshes beside it.
///
/// # Errors
/// As [`read`], and where a mesh cannot be read or encloses nothing; with the file.
pub fn read_path(path: &Path) -> Result<(Figure, Vec<Note>)> {
    let named = |error: Error| error.with_path(path);
    let bytes = std::fs::read(path).map_err(|error| named(error.into()))?;
    let atm = read(&bytes).map_err(named)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut notes = Vec::new();
    let figure = atm.figure(|file| {
        let beside = folder.join(file);
        if !beside.exists() {
            let what = format!("mesh: need '{file}' in the same folder, got no such file");
            return Err(named(Error::malformed(what)));
        }
        let mut read = || -> Result<_> {
            let (mesh, own) = build::read_mesh(&std::fs::read(&beside)?)?;
            notes.extend(own.into_iter().map(|note| note.about(file)));
            Ok(mesh)
        };
        read().map_err(|error| error.with_path(&beside))
    });
    Ok((figure.map_err(named)?, notes))
}

/// Writes a figure and its meshes into the same folder; the files that were written, the figure first.
///
/// # Errors
/// A file cannot be written.
pub fn write_path(figure: &Figure, path: &Path) -> Result<Vec<PathBuf>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path.file_stem().map_or("figure".into(), |stem| stem.to_string_lossy());
    let mut written = vec![path.to_path_buf()];
    let (atm, meshes) = Atm::of_figure(figure, &stem)?;
    for (name, mesh) in meshes {
        let beside = folder.join(name);
        let mut bytes = Vec::new();
        super::mesh::write(&mesh, super::mesh::Storage::Text, &mut bytes)?;
        std::fs::write(&beside, bytes).map_err(|error| Error::from(error).with_path(&beside))?;
        written.push(beside);
    }
    // The figure last: where it is, its meshes are.
    std::fs::write(path, atm.to_text()).map_err(|error| Error::from(error).with_path(path))?;
    Ok(written)
}

#[cfg(test)]
pub(super) mod tests;
