//! Where a figure is written to.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use condyle::export::FigureExport;
use condyle::figure::Figure;
use condyle::format::atm::Atm;
use condyle::format::gltf::FigureFrames;
use condyle::format::mesh;
use nalgebra::Vector3;

use crate::figure::{Heading, View, solids};
use crate::terminal::output::Output;

/// A picture shows a figure from ahead, from the right, from above at an angle.
const VIEWS: [View; 3] = [View::Front, View::Side, View::Oblique];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Atm,
    Export(FigureExport),
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
            "png" => Kind::Png,
            other => match FigureExport::from_extension(other) {
                Some(export) => Kind::Export(export),
                None => {
                    bail!("{}: need .atm, .mesh, .meshb, .ply, .stl, .glb or .png", path.display())
                }
            },
        };
        Ok(Self { path: path.to_owned(), output: Output::at(path, is_forced)?, kind, is_forced })
    }

    /// Whether it can hold a motion.
    pub fn moves(&self) -> bool {
        self.kind == Kind::Export(FigureExport::Glb)
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
            Kind::Export(export) => {
                self.output.write(|out| Ok(export.write(figure, frames, out)?))?;
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
