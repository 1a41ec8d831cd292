//! What a surface that goes with a skeleton is written as.

use std::io::Write;

use crate::error::Result;
use crate::format::gltf::{self, SkinnedSurface};
use crate::format::{mesh, ply};
use crate::motion::Motion;
use crate::skin::{Skin, Surface};
use crate::solid::TriangleMesh;
use crate::trial::Axis;

/// One way to write a skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SkinExport {
    /// The surface at rest with four weights a vertex, and the motion of the skeleton.
    Glb,
    /// The surface in a pose, with colours by weight.
    Mesh,
    /// The surface in a pose.
    Ply,
}

/// A skin and how its skeleton moves.
#[derive(Debug, Clone, Copy)]
pub struct SkinnedMotion<'a> {
    /// The skin.
    pub skin: &'a Skin,
    /// The motion of its skeleton.
    pub motion: &'a Motion,
    /// Frames a second of it.
    pub rate_hz: f64,
    /// The axis that points up.
    pub up: Axis,
    /// The surface in the pose that is shown.
    pub shown: &'a Surface,
}

impl SkinExport {
    /// What a file with this extension holds.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension {
            "glb" => Self::Glb,
            "mesh" => Self::Mesh,
            "ply" => Self::Ply,
            _ => return None,
        })
    }

    /// Writes it.
    ///
    /// # Errors
    /// Writing fails, or there is more than the format can count.
    pub fn write(self, own: &SkinnedMotion, out: &mut impl Write) -> Result<()> {
        let SkinnedMotion { skin, motion, rate_hz, up, shown } = *own;
        match self {
            Self::Glb => {
                let surface = SkinnedSurface {
                    name: "skin",
                    vertices_m: skin.vertices_m(),
                    normals: &skin.surface().normals(),
                    triangles: skin.surface().triangles(),
                    joints: &skin.weights().joints,
                    weights: &skin.weights().weights,
                };
                gltf::write_skin(motion, rate_hz, &surface, up, out)
            }
            Self::Mesh => {
                let own = mesh::Mesh::new(shown.vertices_m(), shown.triangles(), &[])?;
                let own = own.with_colours(&skin.colours())?;
                mesh::write(&own, mesh::Storage::Text, out).map(drop)
            }
            Self::Ply => {
                let (vertices_m, triangles) = (shown.vertices_m(), shown.triangles());
                let own =
                    TriangleMesh { vertices_m: vertices_m.to_vec(), triangles: triangles.to_vec() };
                ply::write(&own, ply::Storage::default(), out)
            }
        }
    }
}
