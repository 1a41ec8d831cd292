//! What a figure is made from.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use condyle::figure::{DENSITY_KG_M3, Figure, Joint, Segment};
use condyle::format::{atm, mesh, ply, stl};
use condyle::mannequin::Mannequin;
use condyle::solid::{ClosedSurface, Solid, TriangleMesh};
use condyle::subject::Subject;
use condyle::trial::Note;

/// A mesh is told by its beginning, comments and all.
const HEAD: u64 = 1 << 16;

/// A figure, how tall it is, and what is to be said.
pub struct Body {
    pub figure: Figure,
    pub height_m: f64,
    pub notes: Vec<Note>,
}

/// Reads whatever a file is, by its content.
pub fn read(path: &Path, weight_kg: Option<f64>) -> anyhow::Result<Body> {
    // A pipe is read once.
    if path.is_file() && is_mesh(path).with_context(|| path.display().to_string())? {
        let (mesh, notes) = mesh::read_path(path)?;
        let solid = mesh.solid().map_err(|error| error.with_path(path))?;
        return of_solid(path, solid, notes);
    }
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let named = |error: condyle::Error| error.with_path(path);
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') {
        let subject = Subject::from_json(&String::from_utf8_lossy(&bytes)).map_err(named)?;
        let own = Mannequin::of_subject(&subject, weight_kg).map_err(named)?;
        return Ok(Body { figure: own.figure, height_m: own.height_m, notes: own.notes });
    }
    if atm::is_atm(&bytes) {
        let (figure, notes) = atm::read_path(path)?;
        return Ok(Body { height_m: height_m(&figure), figure, notes });
    }
    let closed = |surface: TriangleMesh| {
        ClosedSurface::new(surface.vertices_m, surface.triangles)
            .map(Solid::from)
            .map_err(|fault| named(condyle::Error::malformed(fault.to_string())))
    };
    let (solid, notes) = if ply::is_ply(&bytes) {
        let (surface, notes) = ply::read(&bytes).map_err(named)?;
        (closed(surface)?, notes)
    } else if stl::is_stl(&bytes) {
        // Every triangle has corners of its own there; neighbours share them here.
        (closed(stl::read(&bytes).map_err(named)?.welded())?, Vec::new())
    } else if mesh::is_mesh(&bytes) {
        let (mesh, notes) = mesh::read(&bytes).map_err(named)?;
        (mesh.solid().map_err(named)?, notes)
    } else {
        bail!(
            "{}: need a subject, an ATM, MESH, PLY or STL file, got something else",
            path.display()
        );
    };
    of_solid(path, solid, notes)
}

/// Whether a file is a mesh; a large one is not read at once.
fn is_mesh(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    fs::File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(mesh::is_mesh(&head))
}

/// A figure of one segment.
fn of_solid(path: &Path, solid: Solid, notes: Vec<Note>) -> anyhow::Result<Body> {
    let name = path.file_stem().map_or("body".into(), |stem| stem.to_string_lossy().into_owned());
    let mass = solid.mass_properties(DENSITY_KG_M3);
    let joint = Joint { centre_m: mass.centre_of_mass_m, ..Joint::default() };
    let segment = Segment { name: name.clone(), parent: None, solid, mass, joint };
    let figure = Figure::new(name, vec![segment]).map_err(|error| error.with_path(path))?;
    Ok(Body { height_m: height_m(&figure), figure, notes })
}

/// How far a figure reaches along z.
fn height_m(figure: &Figure) -> f64 {
    let heights = || {
        figure.segments().iter().flat_map(|own| own.solid.vertices_m()).map(|vertex_m| vertex_m.z)
    };
    let low = heights().fold(f64::INFINITY, f64::min);
    heights().fold(f64::NEG_INFINITY, f64::max) - low
}
