//! What `condyle ik` writes: the joints of every row as points of a recording, or as a skeleton.

use std::path::{Path, PathBuf};

use anyhow::bail;
use condyle::Trial;
use condyle::format;
use condyle::limbs::LimbMotion;
use condyle::trial::{Format, Marker};
use nalgebra::Point3;

use crate::options::format::writable_format;
use crate::terminal::output::Output;

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
            Ok(format @ (Format::Csv | Format::Trc | Format::C3d | Format::Bvh)) => format,
            _ => bail!("{}: need csv, trc, c3d or bvh to write, got '{extension}'", path.display()),
        };
        Ok(Self { path: path.to_owned(), output: Output::at(path, is_forced)?, format })
    }

    /// Whether it is a skeleton and its turns that are written, not points.
    pub fn is_skeleton(&self) -> bool {
        self.format == Format::Bvh
    }

    /// Writes a skeleton and its motion; what was written, in words.
    pub fn write_skeleton(self, moved: LimbMotion, rate_hz: f64) -> anyhow::Result<String> {
        let mut trial = Trial::new(Format::Bvh, rate_hz);
        let motion = moved.into_motion()?;
        let joints = motion.skeleton().joints().len();
        trial.frames = motion.frames();
        trial.motion = Some(motion);
        self.put(&trial, joints)
    }

    /// Writes one marker a joint; what was written, in words.
    pub fn write_points<'a>(
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
        self.put(&trial, names.len())
    }

    fn put(self, trial: &Trial, joints: usize) -> anyhow::Result<String> {
        let Self { path, output, format } = self;
        output.write(|out| Ok(format::write(trial, format, out).map(|_| ())?))?;
        Ok(format!("{}: {joints} joints, {} frames", path.display(), trial.frames))
    }
}
