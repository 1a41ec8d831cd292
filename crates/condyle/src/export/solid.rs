//! What a solid figure is written as in one file; ATM with its meshes is [`crate::format::atm`]'s.

use std::io::Write;

use crate::error::Result;
use crate::figure::Figure;
use crate::format::gltf::{self, FigureFrames};
use crate::format::{mesh, ply, stl};
use crate::job::SolvedPerformer;
use crate::mannequin::Mannequin;
use crate::trial::{Axis, Trial};

/// One way to write a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FigureExport {
    /// All segments at rest, with their tetrahedra, as text.
    Mesh,
    /// The same in binary.
    Meshb,
    /// The outside at rest.
    Ply,
    /// The same.
    Stl,
    /// Segments as nodes, with their motion.
    Glb,
}

impl FigureExport {
    /// What a file with this extension holds.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "mesh" => Self::Mesh,
            "meshb" => Self::Meshb,
            "ply" => Self::Ply,
            "stl" => Self::Stl,
            "glb" => Self::Glb,
            _ => return None,
        })
    }

    /// Writes it; frames go into glTF alone.
    ///
    /// # Errors
    /// Writing fails, or there is more than the format can count.
    pub fn write(
        self,
        figure: &Figure,
        frames: Option<FigureFrames>,
        out: &mut impl Write,
    ) -> Result<()> {
        match self {
            Self::Mesh | Self::Meshb => {
                let storage = match self {
                    Self::Mesh => mesh::Storage::Text,
                    _ => mesh::Storage::LittleEndian,
                };
                let (surface, tetrahedra) = (figure.surface(), figure.tetrahedra());
                let mut own =
                    mesh::Mesh::new(&surface.vertices_m, &surface.triangles, &tetrahedra)?;
                if !tetrahedra.is_empty() {
                    own.rebuild_neighbours();
                }
                mesh::write(&own, storage, out).map(drop)
            }
            Self::Ply => ply::write(&figure.surface(), ply::Storage::default(), out),
            Self::Stl => stl::write(&figure.surface(), out),
            Self::Glb => gltf::write_figure(figure, frames, Axis::Z, out),
        }
    }
}

/// Frames a second of a recording that does not say.
const RATE_HZ: f64 = 30.0;

/// Writes a performer's solid figure in motion as a binary glTF file; returns in how many frames a segment that is not
/// placed is kept as it was.
///
/// # Errors
/// The subject has no figure, or writing fails.
pub fn write_moving_figure(
    trial: &Trial,
    performer: &SolvedPerformer,
    weight_kg: Option<f64>,
    out: &mut impl Write,
) -> Result<usize> {
    let own = Mannequin::of_subject(&performer.subject, weight_kg)?;
    let (world_from_rest, held) = own.moved(&performer.motion);
    let rate_hz = if trial.rate_hz > 0.0 { trial.rate_hz } else { RATE_HZ };
    let frames = FigureFrames { world_from_rest: &world_from_rest, rate_hz };
    let up = trial.source.up.unwrap_or(Axis::Z);
    gltf::write_figure(&own.figure, Some(frames), up, out)?;
    Ok(held)
}
