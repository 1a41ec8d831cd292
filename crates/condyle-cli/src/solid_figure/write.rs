//! Where a figure is written to.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use condyle::figure::Figure;
use condyle::format::atm::Atm;
use condyle::format::gltf::{self, FigureFrames};
use condyle::format::{mesh, ply, stl};
use condyle::solid::TriangleMesh;
use condyle::trial::Axis;
use nalgebra::Vector3;

use crate::figure::{Heading, View, solids};
use crate::terminal::output::Output;

/// A picture shows a figure from ahead, from the right, from above at an angle.
const VIEWS: [View; 3] = [View::Front, View::Side, View::Oblique];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Atm,
    Mesh(mesh::Storage),
    Ply,
    Glb,
    Stl,
    Png,
}

/// A file to be written, of a kind.
pub struct Target {
    path: PathBuf,
    output: Output,
    kind: Kind,
    is_forced: bool,
}

impl Target {
    /// Checks name and place before any work is done.
    pub fn at(path: &Path, is_forced: bool) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|own| own.to_str()).unwrap_or("");
        let kind = match extension.to_ascii_lowercase().as_str() {
            "atm" => Kind::Atm,
            "mesh" => Kind::Mesh(mesh::Storage::Text),
            "meshb" => Kind::Mesh(mesh::Storage::LittleEndian),
            "ply" => Kind::Ply,
            "glb" => Kind::Glb,
            "stl" => Kind::Stl,
            "png" => Kind::Png,
            _ => bail!("{}: need .atm, .mesh, .meshb, .ply, .stl, .glb or .png", path.display()),
        };
        Ok(Self { path: path.to_owned(), output: Output::at(path, is_forced)?, kind, is_forced })
    }

    /// Whether it can hold a motion.
    pub fn moves(&self) -> bool {
        self.kind == Kind::Glb
    }

    /// Writes it; the files that were written.
    pub fn write(
        self,
        figure: &Figure,
        frames: Option<FigureFrames>,
    ) -> anyhow::Result<Vec<PathBuf>> {
        let mut written = vec![self.path.clone()];
        match self.kind {
            Kind::Atm => {
                let folder = self.path.parent().unwrap_or(Path::new(""));
                let stem =
                    self.path.file_stem().map_or("figure".into(), |own| own.to_string_lossy());
                let (atm, meshes) = Atm::of_figure(figure, &stem)?;
                // All are looked at before one is written.
                let mut outputs = Vec::new();
                for (name, own) in meshes {
                    let path = folder.join(name);
                    outputs.push((Output::at(&path, self.is_forced)?, own));
                    written.push(path);
                }
                for (output, own) in outputs {
                    output
                        .write(|out| Ok(mesh::write(&own, mesh::Storage::Text, out).map(drop)?))?;
                }
                self.output.write(|out| Ok(out.write_all(atm.to_text().as_bytes())?))?;
            }
            Kind::Mesh(storage) => {
                let own = merged(figure)?;
                self.output.write(|out| Ok(mesh::write(&own, storage, out).map(drop)?))?;
            }
            Kind::Ply => {
                let own = surface(figure);
                let storage = ply::Storage::default();
                self.output.write(|out| Ok(ply::write(&own, storage, out)?))?;
            }
            Kind::Glb => {
                self.output.write(|out| Ok(gltf::write_figure(figure, frames, Axis::Z, out)?))?;
            }
            Kind::Stl => {
                let own = surface(figure);
                self.output.write(|out| Ok(stl::write(&own, out)?))?;
            }
            Kind::Png => {
                let heading = Heading { up: Vector3::z(), ahead: Vector3::x() };
                let png = solids(figure, None, &heading, &VIEWS)?;
                self.output.write(|out| Ok(out.write_all(&png)?))?;
            }
        }
        Ok(written)
    }
}

/// The outside of all segments at rest.
fn surface(figure: &Figure) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for own in figure.segments() {
        let first = all.vertices_m.len() as u32;
        all.vertices_m.extend_from_slice(own.solid.vertices_m());
        let moved = own.solid.triangles().iter().map(|corners| corners.map(|at| first + at));
        all.triangles.extend(moved);
    }
    all
}

/// All segments at rest, with their tetrahedra.
fn merged(figure: &Figure) -> anyhow::Result<mesh::Mesh> {
    let all = surface(figure);
    let mut tetrahedra = Vec::new();
    let mut first = 0;
    for own in figure.segments() {
        let rows = own.solid.tetrahedra().map_or(&[][..], |mesh| mesh.tetrahedra());
        tetrahedra.extend(rows.iter().map(|corners| corners.map(|at| first + at)));
        first += own.solid.vertices_m().len() as u32;
    }
    let mut mesh = mesh::Mesh::new(&all.vertices_m, &all.triangles, &tetrahedra)?;
    if !tetrahedra.is_empty() {
        mesh.rebuild_neighbours();
    }
    Ok(mesh)
}
