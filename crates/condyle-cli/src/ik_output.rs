//! What `condyle ik` writes: the joints of every row as points of a recording.

use std::path::{Path, PathBuf};

use anyhow::bail;
use condyle::Trial;
use condyle::format;
use condyle::trial::{Format, Marker};
use nalgebra::Point3;

use crate::args::writable_format;
use crate::output::Output;

/// A file to be written.
pub struct Motion {
    path: PathBuf,
    output: Output,
    format: Format,
}

impl Motion {
    /// Checks name and place before any work is done.
    pub fn at(path: &Path, is_forced: bool) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let format = match writable_format(extension) {
            Ok(format @ (Format::Csv | Format::Trc | Format::C3d)) => format,
            _ => bail!("{}: need csv, trc or c3d to write, got '{extension}'", path.display()),
        };
        Ok(Self { path: path.to_owned(), output: Output::at(path, is_forced)?, format })
    }

    /// Writes one marker a joint; what was written, in words.
    pub fn write<'a>(
        self,
        names: &[String],
        frames: impl Iterator<Item = &'a [[f64; 3]]> + Clone,
        rate_hz: f64,
    ) -> anyhow::Result<String> {
        let mut trial = Trial::new(Format::Csv, rate_hz);
        trial.frames = frames.clone().count();
        for (joint, name) in names.iter().enumerate() {
            let positions = frames.clone().map(|joints| Some(Point3::from(joints[joint])));
            trial.markers.push(Marker::from_positions(name.as_str(), positions));
        }
        let Self { path, output, format } = self;
        output.write(|out| Ok(format::write(&trial, format, out).map(|_| ())?))?;
        Ok(format!("{}: {} joints, {} frames", path.display(), names.len(), trial.frames))
    }
}
